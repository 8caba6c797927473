import AttlasWire

/// The data about a packet in its record's framing.
struct PacketHead: Sendable, Equatable {
    var content: Record.Content
    var direction: Direction
    /// nil if the framing has no adapter index.
    var controller: UInt16?
    /// Octets of framing before the packet.
    var length: Int

    init(_ content: Record.Content, _ direction: Direction, controller: UInt16? = nil, length: Int = 0) {
        self.content = content
        self.direction = direction
        self.controller = controller
        self.length = length
    }

    /// The head of a record that ends within its framing.
    init(tooShort bytes: borrowing Bytes) {
        self.init(.broken(CaptureFault(.packetTooShort(UInt32(clamping: bytes.count)), offset: 0)), .unknown)
    }

    /// Reads the header before a packet in a pcap or pcapng record.
    ///
    /// - Parameter direction: The direction in the record; used if the framing has none.
    @inline(__always)
    init(_ framing: PacketFraming, _ bytes: borrowing Bytes, direction: Direction) {
        switch framing {
        case .h4WithDirection: self.init(h4WithDirection: bytes)
        case .monitor: self.init(monitor: bytes)
        case .linkLayer, .linkLayerWithPHDR, .nordicSniffer, .ppi: self.init(air: framing, bytes)
        // The other two have no place for their flags in these formats.
        case .h4, .h1, .monitorInFlags: self.init(h4: bytes, direction: direction)
        // It has no packet by itself.
        case .usb: self.init(.unknownPacket(type: 0), direction)
        }
    }

    /// The H4 indicator in front of `bytes`, which may be nothing or a vendor's. Core Specification, Vol 4, Part A, 2.
    @inline(__always)
    init(h4 bytes: borrowing Bytes, direction: Direction) {
        guard !bytes.isEmpty else {
            self.init(tooShort: bytes)
            return
        }
        guard let type = HCIPacketType(rawValue: bytes[0]) else {
            self.init(.unknownPacket(type: bytes[0]), direction, length: 1)
            return
        }
        self.init(.packet(type), Self.direction(of: type, recorded: direction), length: 1)
    }

    /// Big-endian direction: 0 sent by the host, 1 received by it; then H4. btsnoop-parser 0.10.0 writes it little-endian.
    @inline(__always)
    init(h4WithDirection bytes: borrowing Bytes) {
        guard bytes.count > 4 else {
            self.init(tooShort: bytes)
            return
        }
        let direction = bytes.bigEndianUInt32(at: 0)
        let received = direction & 1 != 0 || direction == 0x0100_0000
        self.init(h4: bytes.dropFirst(4), direction: received ? .rx : .tx)
        length += 4
    }

    /// Big-endian adapter index and opcode.
    init(monitor bytes: borrowing Bytes) {
        guard bytes.count >= 4 else {
            self.init(tooShort: bytes)
            return
        }
        self.init(monitorOpcode: bytes.bigEndianUInt16(at: 2), adapter: bytes.bigEndianUInt16(at: 0))
        length = 4
    }

    /// Linux, net/bluetooth/hci_mon.h: the opcodes that carry HCI packets.
    init(monitorOpcode opcode: UInt16, adapter: UInt16) {
        switch opcode {
        case 2: self.init(.packet(.command), .tx, controller: adapter, length: 0)
        case 3: self.init(.packet(.event), .rx, controller: adapter, length: 0)
        case 4: self.init(.packet(.acl), .tx, controller: adapter, length: 0)
        case 5: self.init(.packet(.acl), .rx, controller: adapter, length: 0)
        case 6: self.init(.packet(.synchronous), .tx, controller: adapter, length: 0)
        case 7: self.init(.packet(.synchronous), .rx, controller: adapter, length: 0)
        case 18: self.init(.packet(.isochronous), .tx, controller: adapter, length: 0)
        case 19: self.init(.packet(.isochronous), .rx, controller: adapter, length: 0)
        default: self.init(.monitor(opcode: opcode), .unknown, controller: adapter, length: 0)
        }
    }

    /// btsnoop 1001. Data is taken for ACL: the format has no word for the other kinds.
    init(h1IsCommandOrEvent isCommandOrEvent: Bool, direction: Direction) {
        guard isCommandOrEvent else {
            self.init(.packet(.acl), direction, length: 0)
            return
        }
        self.init(.packet(direction == .rx ? .event : .command), direction, length: 0)
    }

    /// A command can only be sent and an event only be received, whatever the capture wrote down.
    @inline(__always)
    static func direction(of type: HCIPacketType, recorded: Direction) -> Direction {
        switch type {
        case .command: .tx
        case .event: .rx
        case .acl, .synchronous, .isochronous: recorded
        }
    }
}
