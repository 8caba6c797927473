import AttlasWire

/// One record of a capture, freed from its format: the same conversation gives the same records from every format.
public struct Record: ~Escapable, Copyable {
    /// What the record holds.
    public enum Content: Sendable, Equatable {
        /// `bytes` is a packet of this type, behind its H4 indicator.
        case packet(HCIPacketType)
        /// `bytes` is a packet of the LE air interface from its Access Address to its CRC. `direction` is `tx` for what the
        /// central of a connection sent, and `rx` for what its peripheral did.
        case air(RadioInfo)
        /// `bytes` belongs to a Linux monitor opcode that carries no HCI packet (new index, system note, …).
        case monitor(opcode: UInt16)
        /// `bytes` belongs to an Apple PacketLogger record that carries no HCI packet (LMP, a note, a new controller, …).
        case packetLogger(PacketLoggerType)
        /// `bytes` is a packet of a type that the specification does not define, e.g. a vendor's.
        case unknownPacket(type: UInt8)
        /// The record could not be read; reading went on behind it. `bytes` is what there is of it.
        case broken(CaptureFault)
    }

    /// One element, where the reader put it: so a record is handed on in registers.
    private let headers: Span<RecordHeader>
    /// What `place` and `options` of the header are in.
    private let buffer: Bytes

    @inline(__always)
    @_lifetime(copy headers, copy buffer)
    init(_ headers: Span<RecordHeader>, in buffer: Bytes) {
        self.headers = headers
        self.buffer = buffer
    }

    /// A record that comes from no file.
    @_lifetime(borrow header, copy bytes)
    public init(_ header: borrowing CollectionOfOne<RecordHeader>, bytes: Bytes) {
        self.init(header.span, in: bytes)
    }

    /// Counted from 1, as Wireshark does. What is broken and no packet, such as a pcapng interface, has the number of the
    /// frame before it, or 0.
    public var frame: Int { headers[0].frame }
    /// Where the record begins in the file.
    public var offset: UInt64 { headers[0].offset }
    /// The previous record's when this one has none (pcapng simple packets).
    public var time: Timestamp { headers[0].time }
    public var content: Content { headers[0].content }
    public var direction: Direction { headers[0].direction }
    /// Linux's index of the controller, if the format knows it; else the pcapng interface, counted over all sections;
    /// else 0.
    public var controller: UInt16 { headers[0].controller }
    /// The packet's octets that were captured.
    public var bytes: Bytes {
        @_lifetime(copy self) get { buffer.slice(headers[0].place) }
    }
    /// Octets of the packet that the capture left out.
    public var missing: Int { headers[0].missing }
    /// Records lost between the previous record of this controller and this one, as the capture counts them.
    public var lost: UInt32 { headers[0].lost }

    /// What somebody wrote beside the packet (pcapng only).
    public var comments: [String] {
        let options = headers[0].options
        return options.isEmpty ? [] : PacketOptions(buffer.slice(options), headers[0].order).comments
    }
}
