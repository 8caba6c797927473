import AttlasWire

/// One record of a capture, freed from its format: the same conversation gives the same records from every format.
public struct Record: ~Escapable, Copyable {
    /// What the record holds.
    public enum Content: Sendable, Equatable {
        /// `bytes` is a packet of this type, behind its H4 indicator.
        case packet(HCIPacketType)
        /// `bytes` belongs to a Linux monitor opcode that carries no HCI packet (new index, system note, …).
        case monitor(opcode: UInt16)
        /// `bytes` belongs to an Apple PacketLogger record that carries no HCI packet (LMP, a note, a new controller, …).
        case packetLogger(PacketLoggerType)
        /// `bytes` is a packet of a type that the specification does not define, e.g. a vendor's.
        case unknownPacket(type: UInt8)
        /// The record could not be read; reading went on behind it. `bytes` is what there is of it.
        case broken(CaptureFault)
    }

    /// Counted from 1, as Wireshark does. What is broken and no packet, such as a pcapng interface, has the number of the
    /// frame before it, or 0.
    public let frame: Int
    /// Where the record begins in the file.
    public let offset: UInt64
    /// The previous record's when this one has none (pcapng simple packets).
    public let time: Timestamp
    public let content: Content
    public let direction: Direction
    /// Linux's index of the controller, if the format knows it; else the pcapng interface, counted over all sections;
    /// else 0.
    public let controller: UInt16
    /// The packet's octets that were captured.
    public let bytes: Bytes
    /// Octets of the packet that the capture left out.
    public let missing: Int
    /// Records lost between the previous record of this controller and this one, as the capture counts them.
    public let lost: UInt32
    /// What stands behind the packet (pcapng only), read by who asks for it: a record without references is not counted.
    let options: PacketOptions

    @_lifetime(copy bytes)
    public init(
        frame: Int, offset: UInt64, time: Timestamp, content: Content, direction: Direction, controller: UInt16,
        bytes: Bytes, missing: Int, lost: UInt32
    ) {
        self.init(
            frame: frame, offset: offset, time: time, content: content, direction: direction, controller: controller,
            bytes: bytes, missing: missing, lost: lost, options: PacketOptions(bytes.prefix(0), .little))
    }

    @inline(__always)
    @_lifetime(copy bytes, copy options)
    init(
        frame: Int, offset: UInt64, time: Timestamp, content: Content, direction: Direction, controller: UInt16,
        bytes: Bytes, missing: Int, lost: UInt32, options: PacketOptions
    ) {
        self.frame = frame
        self.offset = offset
        self.time = time
        self.content = content
        self.direction = direction
        self.controller = controller
        self.bytes = bytes
        self.missing = missing
        self.lost = lost
        self.options = options
    }

    /// What somebody wrote beside the packet (pcapng only).
    public var comments: [String] { options.isEmpty ? [] : options.comments }

    /// The same record behind `frames` others.
    @_lifetime(copy self)
    public func moved(by frames: Int) -> Record {
        Record(
            frame: frame + frames, offset: offset, time: time, content: content, direction: direction,
            controller: controller, bytes: bytes, missing: missing, lost: lost, options: options)
    }
}
