import AttlasWire

/// Puts packets together from the lines of a text.
struct TextAssembler {
    /// What a line is to the packet that is being put together.
    enum Step {
        /// No part of a packet.
        case none
        case collected
        /// The packet ends with this line.
        case complete
        /// The packet ended before this line, which is to be taken once more.
        case ended
        /// Here another log begins.
        case boundary
    }

    /// The octets of a packet, and how it is known where they end.
    private enum Shape {
        /// Its H4 indicator comes first.
        case marked
        /// A dump with offsets; without an indicator, perhaps.
        case offsets
        /// Lines of octets only.
        case lines
        /// A name and fields, without octets.
        case words
    }

    /// What a dump is, as the user says.
    private let kind: TextKind?
    /// In the order of their first appearance.
    private(set) var dialects: [TextDialect] = []
    private var clock = TextClock()
    private var line = TextLine()
    private var shape: Shape?
    private(set) var dialect = TextDialect.dump
    /// Of the packet. In a dump without an indicator it is added when the packet has ended.
    private(set) var octets: [UInt8] = []
    /// Whether a mark was followed by octets.
    private(set) var hasOctets = false
    private(set) var direction = Direction.unknown
    private(set) var controller: UInt16 = 0
    /// Records that were lost before the packet, by btmon's count.
    private(set) var lost: UInt32 = 0
    private(set) var time: Timestamp?
    /// Of the last line that is no packet: a dump follows its heading.
    private var headingTime: Timestamp?
    /// Of the last ACL packet whose direction is known: a continuing fragment goes the same way.
    private var lastDirection = Direction.unknown
    private var words: TextWords?
    /// The first fragments of a frame: btmon prints the fields with the last one.
    private var fragments: [TextWords] = []
    /// Links and controllers whose state is kept.
    private static let linkLimit = 64
    /// btmon's last number of each controller.
    private var numbers: [UInt16: Int] = [:]
    /// The Linux monitor's opcode of what is no packet: the end of a controller (1, 9), or a note (12), which is also what btmon
    /// says of a command or an event whose fields it does not print.
    private(set) var monitorOpcode: UInt16?
    /// Whether the last packet was a fragment like this.
    private(set) var isFragment = false

    var isCollecting: Bool { shape != nil }

    init(_ kind: TextKind?) {
        self.kind = kind
    }

    mutating func take(_ raw: borrowing Bytes) -> Step {
        line.set(raw)
        if shape == nil, line.bytes.isTextBoundary { return .boundary }
        if let words = TextWords(line.bytes, takesNotes: dialects.contains(.btmon)) {
            guard shape == nil else { return .ended }
            shape = .words
            dialect = words.isHCIDump ? .hcidumpWords : .btmon
            self.words = words
            return .collected
        }
        if shape == .words, var words = words.take() {
            let isTaken = words.take(line.bytes)
            self.words = words
            return isTaken ? .collected : .ended
        }
        if let start = TextPacketStart(line.bytes), begins(start) {
            guard shape == nil else { return .ended }
            begin(start)
            return isComplete ? .complete : .collected
        }
        return shape == nil ? takeFirst() : takeNext()
    }

    /// hcidump's mark is an arrow only: no words may follow.
    private func begins(_ start: TextPacketStart) -> Bool {
        guard start.dialect == .hcidump else { return true }
        var octets: [UInt8] = []
        let end = line.readHexWords(from: start.octets, into: &octets)
        return line.bytes.endOfBlanks(from: end) == line.bytes.count && HCIPacketType(rawValue: octets[0]) != nil
    }

    private mutating func begin(_ start: TextPacketStart) {
        shape = .marked
        dialect = start.dialect
        direction = start.direction
        octets.removeAll(keepingCapacity: true)
        octets.append(contentsOf: start.head)
        let headLength = octets.count
        _ = line.readHexWords(from: start.octets, into: &octets)
        hasOctets = octets.count > headLength
        if dialect == .espressif { moveTime(after: 1) }
        if let time = TextTime(line.bytes, end: start.prefix) { self.time = clock.moment(time) }
    }

    /// ESP-IDF may print eight octets of microseconds before a packet.
    ///
    /// - Parameter head: Octets that it does not print.
    private mutating func moveTime(after head: Int) {
        guard !isExact(octets), octets.count > head + 8 else { return }
        let packet = Array(octets[..<head] + octets[(head + 8)...])
        guard isExact(packet) else { return }
        let microseconds = octets[head..<head + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard microseconds < 1 << 62 else { return }
        time = Timestamp(microsecondsSince1970: Int64(microseconds))
        octets = packet
    }

    /// ESP-IDF prints advertising without a letter, and without the code of its event: "d3 27 02 01 00 …".
    private mutating func takeAdvertising() -> Bool {
        octets.append(contentsOf: [HCIPacketType.event.rawValue, 0x3E])
        let end = line.readHexWords(from: line.bytes.endOfWord(from: line.bytes.endOfBlanks(from: 0)), into: &octets)
        moveTime(after: 2)
        guard isExact(octets), line.bytes.endOfBlanks(from: end) == line.bytes.count else { return false }
        (shape, dialect, hasOctets, direction) = (.marked, .espressif, true, .rx)
        return true
    }

    private mutating func takeFirst() -> Step {
        octets.removeAll(keepingCapacity: true)
        if dialects.contains(.espressif) {
            if takeAdvertising() { return .complete }
            octets.removeAll(keepingCapacity: true)
            time = nil
        }
        if let offset = line.bytes.dumpOffset {
            guard offset.hexadecimal == 0 else { return .none }
            _ = line.readHexWords(from: offset.end, hasColumns: true, into: &octets)
            guard !octets.isEmpty else { return .none }
            shape = .offsets
            direction = offset.direction
        } else if line.readHexLine(into: &octets) {
            shape = .lines
        } else {
            noteHeading()
            return .none
        }
        dialect = .dump
        time = headingTime
        // Of a kind that is known, each line is a packet.
        return kind == nil ? dumpedType == 0 ? .complete : .collected : shape == .lines ? .complete : .collected
    }

    private mutating func noteHeading() {
        headingTime = TextTime(line.bytes, end: line.bytes.count).map { clock.moment($0) }
    }

    private mutating func takeNext() -> Step {
        let before = octets.count
        switch shape {
        case .offsets:
            guard let offset = line.bytes.dumpOffset, offset.hexadecimal == before || offset.octal == before,
                before > 0
            else { return .ended }
            _ = line.readHexWords(from: offset.end, hasColumns: true, into: &octets)
        case .lines:
            guard dumpedType == nil, line.bytes.dumpOffset == nil, line.readHexLine(into: &octets) else {
                return .ended
            }
        case .marked, .words, nil:
            guard line.readHexLine(into: &octets) else { return .ended }
            hasOctets = true
            return isComplete ? .complete : .collected
        }
        guard octets.count > before, octets.count <= Int(packetLimit) else { return .ended }
        return kind == nil && dumpedType == 0 ? .complete : .collected
    }

    // MARK: The packet

    private var isComplete: Bool {
        guard let length else { return octets.count > Int(packetLimit) }
        return octets.count >= length
    }

    /// As its header says it, with the indicator; nil if there is too little of the header, or an unknown indicator.
    private var length: Int? { Self.length(octets) }

    private static func length(_ octets: [UInt8]) -> Int? {
        guard let first = octets.first, let type = HCIPacketType(rawValue: first) else { return nil }
        return type.length(Bytes(octets.span).dropFirst(1)).map { $0 + 1 }
    }

    private func isExact(_ octets: [UInt8]) -> Bool { Self.length(octets) == octets.count }

    /// Octets of the packet that were not written.
    var missing: Int {
        if let length { return max(0, length - octets.count) }
        guard let first = octets.first, let type = HCIPacketType(rawValue: first) else { return 0 }
        return max(0, type.headerLength + 1 - octets.count)
    }

    /// Ends the packet; false if the lines are none after all. Then `octets`, `direction` and `time` are those of the packet.
    mutating func finish() -> Bool {
        guard let shape else { return false }
        defer { self.shape = nil }
        isFragment = false
        if shape == .words {
            guard finishWords() else { return false }
        } else if shape != .marked {
            guard let type = dumpedType else { return false }
            if kind == .att {
                direction = TextKind.direction(ofPDU: octets)
                octets = TextKind.packet(of: octets, direction, handle: 1)
            }
            if type != 0 { octets.insert(type, at: 0) }
            hasOctets = true
        }
        guard octets.count <= Int(packetLimit) else { return false }
        if !dialects.contains(dialect) { dialects.append(dialect) }
        if monitorOpcode == nil, octets.first == HCIPacketType.acl.rawValue, octets.count > 2 {
            findDirection(octets[2] >> 4 & 3)
        }
        return true
    }

    private mutating func finishWords() -> Bool {
        guard var words = words.take() else { return false }
        hasOctets = true
        direction = words.direction
        controller = words.controller
        time = words.time.map { clock.moment($0) }
        countLost(before: words)
        if words.type == .acl, let index = fragments.firstIndex(where: { $0.isContinued(by: words) }) {
            let first = fragments.remove(at: index)
            if words.isFragmentDump || words.length + first.length > 0xFFFF {
                lost += 1
            } else {
                words.length += first.length
                words.code = first.code
            }
        }
        if words.type == .acl, !words.hasFields, words.length > 0 {
            fragments.append(words)
            if fragments.count > Self.linkLimit { fragments.removeFirst() }
            isFragment = true
            return false
        }
        octets = words.octets()
        // What a failed command returns besides its status says nothing.
        let isFailure = octets.count == 7 && octets[0...1] == [HCIPacketType.event.rawValue, 0x0E] && octets[6] != 0
        if words.type != .acl, words.type == nil || missing > 0 && !isFailure || words.isUnanswered {
            monitorOpcode = words.monitorOpcode
            octets = monitorOpcode == 12 ? words.name : []
        }
        return true
    }

    /// btmon numbers the packets of each controller, and leaves a number out when the line before had the same.
    private mutating func countLost(before words: TextWords) {
        guard words.type != nil else { return }
        guard let last = numbers[controller] else {
            if let number = words.number, numbers.count < Self.linkLimit { numbers[controller] = number }
            return
        }
        let number = words.number ?? last + 1
        if number > last + 1 { lost = UInt32(clamping: number - last - 1) }
        numbers[controller] = number
    }

    /// Forgets the packet's octets and its time.
    mutating func reset() {
        shape = nil
        octets.removeAll(keepingCapacity: true)
        time = nil
        direction = .unknown
        controller = 0
        lost = 0
        monitorOpcode = nil
    }

    /// Whether the text has no octets of the packet, or none of its header.
    var isRebuilt: Bool { dialect.isRebuilt || dialect == .dump && kind == .att }

    /// Whether this packet alone shows that the text is a log.
    var isCertain: Bool {
        dialect.isRebuilt || kind != nil
            || hasOctets && (dialect == .dump || dialect == .hcidump ? missing == 0 : length != nil)
    }

    /// On an LE link the first fragment that a host sends has the flag 0, and the one it receives the flag 2 (Vol 4, Part E,
    /// 5.4.2); a dump says nothing else of the direction.
    private mutating func findDirection(_ boundary: UInt8) {
        if direction == .unknown { direction = boundary == 0 ? .tx : boundary == 2 ? .rx : lastDirection }
        lastDirection = direction
    }

    /// The indicator that a dump lacks, 0 if it has one; nil if it is no packet of HCI.
    private var dumpedType: UInt8? {
        if let kind { return kind.missingType(octets) }
        guard octets.count >= 4 else { return nil }
        let whole = Bytes(octets.span)
        if let type = HCIPacketType(rawValue: octets[0]), type.isDumped(whole.dropFirst(1)) { return 0 }
        for type in [HCIPacketType.acl, .event, .command] where type.isDumped(whole) { return type.rawValue }
        return nil
    }
}

extension HCIPacketType {
    /// Whether octets that nothing marks are most likely a packet of this type: they fill it, and its header makes sense.
    fileprivate func isDumped(_ bytes: borrowing Bytes) -> Bool {
        guard length(bytes) == bytes.count else { return false }
        switch self {
        case .command:
            // The groups that are defined, and the vendor's.
            return [1, 2, 3, 4, 5, 6, 8, 0x3F].contains(bytes.uint16(at: 0) >> 10) && bytes[0] != 0
        case .event: return bytes.count > 2 && (1...0x58).contains(bytes[0]) || bytes[0] == 0xFF
        case .acl:
            guard bytes.uint16(at: 0) & 0x0FFF <= 0x0EFF, bytes[1] >> 6 == 0, bytes.count > 4 else { return false }
            if bytes[1] >> 4 & 3 == 1 { return true }
            // The header of the L2CAP frame, which may continue in other packets.
            return bytes.count >= 8 && Int(bytes.uint16(at: 4)) + 8 >= bytes.count && bytes.uint16(at: 6) != 0
        case .synchronous, .isochronous: return false
        }
    }
}
