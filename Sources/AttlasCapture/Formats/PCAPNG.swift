import AttlasWire

/// pcapng: a list of blocks. Fields are in the byte order that the section header block of their section sets.
///
/// ```
/// block   | type 32 | total length 32 | body, padded to 32 bits … | total length 32, again |
/// ```
/// draft-ietf-opsawg-pcapng. This file walks from block to block; their contents are read in `PCAPNG+Interfaces` and `PCAPNG+Packets`.
final class PCAPNG: FormatReader {
    /// Blocks that are looked into: a packet at its limit, and as much for comments.
    static let blockLimit = 2 * Int(packetLimit)
    /// Blocks that are skipped, such as names and secrets.
    static let skippedBlockLimit = 16 << 20

    let name: String
    var order: ByteOrder
    /// All of the file.
    var interfaces: [Interface] = []
    /// Where the interfaces of this section begin.
    var firstInterface = 0
    /// False in a section of a version that is not known.
    var isSectionReadable = true
    var frame = 0
    var lastTime = Timestamp.epoch
    var skipped: UInt64 = 0
    /// Packets without a time, and whether one had a time.
    var timeless = 0
    var hasTimes = false
    /// The comments on the sections.
    var sectionComments: [String] = []
    /// Hardware, operating system and program that recorded the sections.
    var recorder: [String] = []
    var recorderOptions: [UInt16] = []
    private var lost: LostPlace?
    var usb = USBTransport()

    static func recognizes(_ bytes: borrowing Bytes) -> Bool {
        ByteOrder(sectionHeader: bytes) != nil
            && bytes.uint32(at: 0, .big) == PCAPNGBlockType.sectionHeader.rawValue
    }

    /// Leaves the section header to `next`, but refuses a file whose first one is of another version.
    init(_ input: inout InputBuffer) throws(CaptureError) {
        name = input.name
        let need = PCAPNGBlockType.sectionHeader.minimumLength
        guard try input.fill(need), let order = ByteOrder(sectionHeader: input.bytes) else {
            throw input.cutShort("the pcapng section header", need: need)
        }
        self.order = order
        let major = input.bytes.uint16(at: 12, order)
        guard major == 1 else {
            let version = "\(major).\(input.bytes.uint16(at: 14, order))"
            throw CaptureError(
                .unsupported, file: name, "pcapng version \(version): not supported, only version 1 is")
        }
    }

    private init(continuing other: PCAPNG, after frame: Int) {
        name = other.name
        order = other.order
        interfaces = other.interfaces
        firstInterface = other.firstInterface
        isSectionReadable = other.isSectionReadable
        self.frame = frame
        lastTime = other.lastTime
        skipped = other.skipped
        (timeless, hasTimes) = (other.timeless, other.hasTimes)
        sectionComments = other.sectionComments
        recorder = other.recorder
        recorderOptions = other.recorderOptions
        lost = other.lost
        usb = other.usb
    }

    func copy(after frame: Int) -> any RecordSource {
        PCAPNG(continuing: self, after: frame)
    }

    func follow(_ previous: any RecordSource) {
        if let previous = previous as? PCAPNG { usb = previous.usb }
    }

    func next(_ input: inout InputBuffer, into header: inout RecordHeader) throws(CaptureError) -> Bool {
        if let lost {
            try input.resume(after: lost, step: 4, isStart)
            self.lost = nil
        }
        let before = frame
        while true {
            if let packet = usb.next() {
                // The second one in a transfer.
                if frame == before { frame += 1 }
                header = record(packet, &input, offset: header.offset)
                return true
            }
            guard try input.fill(8) else { break }
            header.offset = input.offset
            guard let record = try readBlock(&input) else { continue }
            header = record
            return true
        }
        guard input.available == 0 else { throw input.cutShort("the last block", need: 12) }
        try refuseWithoutReadableInterface()
        if interfaces.allSatisfy(\.about.linkType.isOfUSB), let refusal = usb.refusal(name) { throw refusal }
        return false
    }

    /// nil when the block gives no record.
    private func readBlock(_ input: inout InputBuffer) throws(CaptureError) -> RecordHeader? {
        let type = PCAPNGBlockType(rawValue: input.bytes.uint32(at: 0, order))
        if type == .sectionHeader {
            guard try input.fill(12) else { throw input.cutShort("the last block", need: 12) }
            guard let order = ByteOrder(sectionHeader: input.bytes) else {
                return losePlace(input, type, length: nil, .noByteOrder)
            }
            self.order = order
        }
        let length = Int(input.bytes.uint32(at: 4, order))
        guard length >= type.minimumLength, length.isMultiple(of: 4) else {
            return losePlace(input, type, length: nil, .impossibleBlockLength(UInt32(clamping: length)))
        }
        guard length <= (type.isRead ? Self.blockLimit : Self.skippedBlockLimit) else {
            return losePlace(input, type, length: nil, .blockBeyondLimit(UInt32(clamping: length)))
        }
        guard type.isRead else { return try skipBlock(&input, type, length) }

        guard try input.fill(length) else {
            let isLie = try input.isFollowed(step: 4, isStart)
            guard isLie else { throw input.cutShort("the last block", need: length) }
            return losePlace(input, type, length: nil, .blockBeyondFile(UInt32(clamping: length)))
        }
        let trailing = Int(input.bytes.uint32(at: length - 4, order))
        guard trailing == length else {
            let record = readBody(type, length, input)
            let reason = FaultReason.blockLengthsDiffer(UInt32(clamping: length), after: UInt32(clamping: trailing))
            return losePlace(input, nil, length: length, reason, record)
        }
        let record = readBody(type, length, input)
        input.consume(length)
        return record
    }

    private func readBody(
        _ type: PCAPNGBlockType, _ length: Int, _ input: borrowing InputBuffer
    ) -> RecordHeader? {
        if type.isFrame { frame += 1 }
        if type == .sectionHeader { return beginSection(input, length) }
        guard isSectionReadable else { return nil }
        switch type {
        case .interfaceDescription: return describeInterface(input, length)
        case .interfaceStatistics: readStatistics(input, length)
        case .simplePacket: return simplePacket(input, length)
        case .enhancedPacket, .packet: return packet(input, length, isEnhanced: type == .enhancedPacket)
        default: break
        }
        return nil
    }

    private func skipBlock(
        _ input: inout InputBuffer, _ type: PCAPNGBlockType, _ length: Int
    ) throws(CaptureError) -> RecordHeader? {
        if type.isFrame { frame += 1 }
        let offset = input.offset
        let skipped = try input.skip(length - 4)
        guard skipped == length - 4, try input.fill(4) else {
            throw CaptureError(
                cutShort: "the last block", file: name, offset: offset, need: length, have: skipped + input.available)
        }
        let trailing = Int(input.bytes.uint32(at: 0, order))
        guard trailing == length else {
            let reason = FaultReason.blockLengthsDiffer(UInt32(clamping: length), after: UInt32(clamping: trailing))
            return losePlace(input, nil, length: 4, reason)
        }
        input.consume(4)
        return nil
    }

    /// Reports a block with an impossible length, and makes the next call look for the block after it.
    /// - Parameters:
    ///   - type: When the block has not been counted yet.
    ///   - record: The record that was read in spite of it.
    private func losePlace(
        _ input: borrowing InputBuffer, _ type: PCAPNGBlockType?, length: Int?, _ reason: FaultReason,
        _ record: RecordHeader? = nil
    ) -> RecordHeader {
        if let type, type.isFrame { frame += 1 }
        let fault = CaptureFault(reason, offset: input.offset)
        lost = LostPlace(fault: fault, length: length)
        guard var record else { return broken(input, reason) }
        record.content = .broken(fault)
        return record
    }

    func broken(_ input: borrowing InputBuffer, _ reason: FaultReason) -> RecordHeader {
        RecordHeader(frame: frame, offset: input.offset, time: lastTime, broken: reason)
    }

    /// Whether a block seems to begin at the first octet. When many places are tried, its two lengths must agree.
    private func isStart(_ bytes: borrowing Bytes, isSearching: Bool) -> Verdict {
        guard bytes.count >= 12 else { return .needs(12) }
        let type = PCAPNGBlockType(rawValue: bytes.uint32(at: 0, order))
        guard let order = type == .sectionHeader ? ByteOrder(sectionHeader: bytes) : order else { return .no }
        let length = Int(bytes.uint32(at: 4, order))
        guard length >= type.minimumLength, length.isMultiple(of: 4), length <= Self.blockLimit else { return .no }
        guard isSearching else { return .yes }
        guard type.isKnown else { return .no }
        guard bytes.count >= length else { return .needs(length) }
        return bytes.uint32(at: length - 4, order) == length ? .yes : .no
    }
}
