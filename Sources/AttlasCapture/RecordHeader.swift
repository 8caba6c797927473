import AttlasWire

/// A `Record` whose octets are named by their place in the buffer. Plain memory, written once and in place: a copy of it for
/// each record costs as much as reading one.
public struct RecordHeader: Sendable {
    var frame = 0
    var offset: UInt64 = 0
    var time = Timestamp.epoch
    /// The type of the packet as in the H4 indicator, if it is an HCI packet; else 0, and `otherContent` holds. A packet's case of an
    /// enumeration with data would be chosen by a jump, and that mispredicted.
    private(set) var packetType: UInt8 = 0
    private var otherContent = Record.Content.unknownPacket(type: 0)
    var content: Record.Content {
        get { HCIPacketType(rawValue: packetType).map { .packet($0) } ?? otherContent }
        set {
            if case .packet(let type) = newValue { packetType = type.rawValue } else { packetType = 0 }
            otherContent = newValue
        }
    }
    /// Radio data of a packet from the air.
    var radio: RadioInfo? {
        @inline(__always) get { if packetType == 0, case .air(let radio) = otherContent { radio } else { nil } }
    }
    var direction: Direction = .unknown
    var controller: UInt16 = 0
    /// Where in the buffer; empty when there are no octets to show.
    var place: Range<Int> = 0..<0
    var missing: Int = 0
    var lost: UInt32 = 0
    /// Octets of the record's framing, directly before `place`; 0 for HCI packets, whose framing is known.
    var framing: UInt16 = 0
    /// The pcapng interface, counted over all sections; else 0.
    var interface: UInt16 = 0
    /// Where the options of its block are in the buffer (pcapng, and the comments of an app's log).
    var options: Range<Int> = 0..<0
    var order = ByteOrder.little
    var making = Record.Making.captured
    /// The status of an app's log that the octets have no code for.
    var reported: ApplicationStatus?

    /// An empty header.
    init() {}

    /// - Parameter length: Octets of the packet that were captured.
    public init(
        frame: Int, offset: UInt64 = 0, time: Timestamp, content: Record.Content, direction: Direction,
        controller: UInt16, length: Int, missing: Int, lost: UInt32
    ) {
        self.frame = frame
        self.offset = offset
        self.time = time
        self.content = content
        self.direction = direction
        self.controller = controller
        place = 0..<length
        self.missing = missing
        self.lost = lost
    }

    /// A record that cannot be read.
    init(frame: Int, offset: UInt64, time: Timestamp, broken reason: FaultReason) {
        self.frame = frame
        self.offset = offset
        self.time = time
        content = .broken(CaptureFault(reason, offset: offset))
    }

    /// A record with `head` and a packet at `place`.
    @inline(__always)
    init(
        frame: Int, offset: UInt64, time: Timestamp, head: PacketHead, controller: UInt16 = 0, place: Range<Int>,
        missing: UInt32, lost: UInt32
    ) {
        self.frame = frame
        self.offset = offset
        self.time = time
        content = head.content
        direction = head.direction
        // A packet head does not know where its record is.
        if case .broken(let fault) = content { content = .broken(fault.moved(to: offset)) }
        self.controller = head.controller ?? controller
        self.place = place.lowerBound + head.length..<place.upperBound
        framing = packetType == 0 ? UInt16(truncatingIfNeeded: head.length) : 0
        self.missing = Int(missing)
        self.lost = lost
    }

    /// A packet from USB, whose octets are put where its last record was.
    init(
        _ packet: USBTransport.Packet, in input: inout InputBuffer, frame: Int, offset: UInt64, time: Timestamp,
        lost: UInt32
    ) {
        let place = input.put(packet.octets)
        self.init(
            frame: frame, offset: offset, time: time, head: packet.head,
            place: place.lowerBound..<place.lowerBound + packet.length, missing: UInt32(packet.missing), lost: lost)
        options = place.lowerBound + packet.length..<place.upperBound
    }

    /// A packet of HCI with as many octets as its header announces is whole if the original length is longer by no more than framing.
    mutating func correctMissing(in buffer: borrowing Bytes) {
        guard missing <= 8, let type = HCIPacketType(rawValue: packetType) else { return }
        let packet = buffer.slice(place)
        if let length = type.length(packet), packet.count >= length { missing = 0 }
    }

    /// Sets the fields that differ between plain records.
    ///
    /// - Parameter begin: Where in the buffer the record begins.
    @inline(__always)
    mutating func set(_ head: PlainRecords.Head, at begin: Int, frame: Int, offset: UInt64) {
        self.frame = frame
        self.offset = offset
        time = head.time
        if let radio = head.radio {
            content = .air(radio)
            framing = UInt16(PacketHead.pseudoHeaderLength)
        } else {
            packetType = head.type
        }
        direction = head.direction
        controller = head.controller
        place = begin &+ head.start..<begin &+ head.end
    }
}
