import AttlasWire

/// One record of a capture, independent of its format: the same conversation gives the same records in every format.
public struct Record: ~Escapable, Copyable {
    /// Where its octets come from.
    package enum Making: Sendable {
        case captured
        /// Made of fields or of words of a text, which does not have them.
        case rebuilt
        /// Made of a line of an app, whose handles, discovery and packets are attlas's own.
        case reported
    }

    /// The contents of the record.
    public enum Content: Sendable, Equatable {
        /// `bytes` is a packet of this type, after its H4 indicator.
        case packet(HCIPacketType)
        /// `bytes` is a packet of the LE air interface from its Access Address to its CRC. `direction` is `tx` for
        /// packets from the central of a connection, and `rx` for packets from its peripheral.
        case air(RadioInfo)
        /// `bytes` belongs to a Linux monitor opcode that carries no HCI packet (new index, system note, …).
        case monitor(opcode: UInt16)
        /// `bytes` belongs to an Apple PacketLogger record that carries no HCI packet (LMP, a note, a new controller, …).
        case packetLogger(PacketLoggerType)
        /// `bytes` is a packet of a type that the specification does not define, e.g. a vendor's.
        case unknownPacket(type: UInt8)
        /// The record could not be read; reading continued after it. `bytes` is the available part of it.
        case broken(CaptureFault)
    }

    /// One element, where the reader put it: so a record is handed on in registers.
    let headers: Span<RecordHeader>
    /// The octets that `place` and `options` of the header refer to.
    let buffer: Bytes

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

    /// Counted from 1, as in Wireshark. A broken block that is not a packet, such as a pcapng interface, has the number of the
    /// frame before it, or 0.
    public var frame: Int { headers[0].frame }
    /// The offset of the record in the file.
    public var offset: UInt64 { headers[0].offset }
    /// The time of the previous record if this one has none (pcapng simple packets).
    public var time: Timestamp { headers[0].time }
    /// The packet, or why there is none.
    public var content: Content { headers[0].content }
    /// Radio data of a packet from the air; without `content`, which would be copied for it.
    public var radio: RadioInfo? { headers[0].radio }
    /// The type of an HCI packet, as in the H4 indicator; else 0.
    public var packetType: UInt8 { headers[0].packetType }
    /// Seen from the recorded host; on the air, from the central.
    public var direction: Direction { headers[0].direction }
    /// Linux's index of the controller, if the format contains it; else the pcapng interface, counted over all sections;
    /// else 0.
    public var controller: UInt16 { headers[0].controller }
    /// The captured octets of the packet.
    public var bytes: Bytes {
        @_lifetime(copy self) get { buffer.slice(headers[0].place) }
    }
    /// `bytes` with the framing before them, such as a sniffer's header. Without framing for HCI packets.
    package var framedBytes: Bytes {
        @_lifetime(copy self) get {
            buffer.slice(headers[0].place.lowerBound - Int(headers[0].framing)..<headers[0].place.upperBound)
        }
    }
    /// The pcapng interface, counted over all sections; else 0.
    package var interface: Int { Int(headers[0].interface) }
    /// The number of octets of the packet that are not in the capture.
    public var missing: Int { headers[0].missing }
    /// Records lost between the previous record of this controller and this one, as the capture counts them.
    public var lost: UInt32 { headers[0].lost }
    package var making: Making { headers[0].making }
    /// The status of an app's log that the octets have no code for.
    public var reported: ApplicationStatus? { headers[0].reported }

    /// Appends its octets in the buffer to `octets`.
    /// - Returns: the header of the record there.
    func copy(to octets: inout [UInt8]) -> RecordHeader {
        var header = headers[0]
        let options = buffer.slice(header.options)
        let start = octets.count + Int(header.framing)
        header.place = start..<start + bytes.count
        framedBytes.append(to: &octets)
        header.options = octets.count..<octets.count + options.count
        options.append(to: &octets)
        return header
    }

    /// The comments on the packet (pcapng, and an app's log).
    public var comments: [String] {
        let options = headers[0].options
        return options.isEmpty ? [] : PacketOptions(buffer.slice(options), headers[0].order).comments
    }
}
