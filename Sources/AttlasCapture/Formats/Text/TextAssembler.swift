import AttlasWire

/// Puts packets together from the lines of a text.
struct TextAssembler {
    /// The line's role in the packet that is being assembled.
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
        /// One of Wireshark's exports.
        case export
    }

    /// The kind of dump that the user named.
    private let kind: TextKind?
    /// In the order of their first appearance.
    private(set) var dialects: [TextDialect] = []
    private var clock = TextClock()
    var lacksZone: Bool { clock.lacksZone }
    private var line = TextLine()
    private var shape: Shape?
    private(set) var dialect = TextDialect.dump
    /// The packet's octets. A dump without an indicator gets it when the packet has ended.
    private(set) var octets: [UInt8] = []
    /// Whether a mark was followed by octets.
    private(set) var hasOctets = false
    private(set) var direction = Direction.unknown
    private(set) var controller: UInt16 = 0
    /// Records that were lost before the packet, by btmon's count.
    private(set) var lost: UInt32 = 0
    private(set) var time: Timestamp?
    /// Facts about the packet from the lines above its dump.
    private(set) var context = PacketContext()
    private var export = WiresharkExport()
    /// How the octets of the packet begin.
    private(set) var framing = TextFraming.h4
    /// Octets of the next packet, of a dump of several.
    private var rest: [UInt8] = []
    /// Octets of a dump before those of the packet.
    private var dumpBase = 0
    /// Where the last packet of a dump ended, which others may follow in it.
    private var dumpEnd = 0
    /// Whether a line of a dump was left out because it repeats the one before.
    private var isRepeated = false
    private var dumpLine: [UInt8] = []
    /// Whether its offsets are octal, as those of od.
    private var isOctal = false
    /// Whether the dump has words of 16 bits, little-endian, as hexdump and od -x print them.
    private var hasWords = false
    /// Whether dumps begin with PacketLogger's type, which one of them has shown.
    private var isPacketLogger = false
    /// Direction of the last ACL packet whose direction is known: a continuing fragment goes the same way.
    private var lastDirection = Direction.unknown
    private var words: TextWords?
    /// The first fragments of a frame: btmon prints the fields with the last one.
    private var fragments: [TextWords] = []
    /// Links and controllers whose state is kept.
    private static let linkLimit = 64
    /// Lines without their handle, which got that of the only connection.
    private(set) var takenHandles = 0
    /// The handles of open connections.
    private var connections: Set<UInt16> = []
    /// btmon's last number of each controller.
    private var numbers: [UInt16: Int] = [:]
    /// The Linux monitor's opcode for non-packets: the end of a controller (1, 9), or a note (12), which btmon also prints for a command or
    /// an event without its fields.
    private(set) var monitorOpcode: UInt16?
    /// Octets of a dump that is not a packet, among other dumps; 0 for none.
    private(set) var refused = 0
    /// Whether the last packet was a fragment like this.
    private(set) var isFragment = false

    var isCollecting: Bool { shape != nil }

    init(_ kind: TextKind?) {
        self.kind = kind
    }

    mutating func take(_ raw: borrowing Bytes) -> Step {
        line.set(raw)
        if shape == nil, line.bytes.isTextBoundary { return .boundary }
        if shape == nil || shape == .export, let step = takeExport() { return step }
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

    private mutating func takeExport() -> Step? {
        switch export.take(line, &context) {
        case .none: return shape == nil ? nil : .collected
        case .part: return .collected
        case .begin:
            guard shape == nil else { return .ended }
            (shape, dialect) = (.export, .wireshark)
            return .collected
        case .last:
            (shape, dialect) = (.export, .wireshark)
            return .complete
        }
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
        hasOctets = octets.count > headLength || start.head.count > 1 && isExact(octets)
        if dialect == .espressif { moveTime(after: 1) }
        if let time = TextTime(line.bytes, end: start.prefix) {
            self.time = clock.moment(time)
        } else if time == nil {
            time = context.time
        }
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
        if !context.isReassembled, let offset = line.bytes.dumpOffset, !context.isDetailed || offset.column == 0 {
            let isNext = dumpEnd > 0 && (offset.hexadecimal == dumpEnd || offset.octal == dumpEnd)
            let isStart = offset.hexadecimal == 0
            if isStart { (dumpEnd, isRepeated) = (0, false) }
            dumpBase = dumpEnd
            guard isStart || isNext || isRepeated && fill(to: offset) else {
                noteContext()
                return .none
            }
            readDump(from: offset)
            guard !octets.isEmpty else { return .none }
            shape = .offsets
            if let mark = offset.mark { context.take(line, end: mark, &clock) }
            if offset.direction != .unknown { context.direction = offset.direction }
        } else if dumpEnd > 0, line.bytes.isRepeatMark {
            isRepeated = true
            return .none
        } else if !context.isReassembled, !context.isDetailed, let start = line.readHexLine(into: &octets) {
            shape = .lines
            if start > 0, let time = TextTime(line.bytes, end: start) { context.time = clock.moment(time) }
        } else {
            noteContext()
            return .none
        }
        dialect = context.framing == nil ? .dump : .wireshark
        (time, direction) = (context.time, context.direction)
        // If the kind is known, each line is a packet.
        if kind != nil { return shape == .lines ? .complete : .collected }
        return isWhole ? .complete : .collected
    }

    /// The time of a line that is not taken yet.
    func moment(of line: TextLine) -> Timestamp? {
        var clock = clock
        return TextTime(line.bytes, end: line.bytes.count).map { clock.moment($0) }
    }

    private mutating func noteContext() { context.take(line, &clock) }

    private mutating func takeNext() -> Step {
        let before = octets.count
        switch shape {
        case .offsets:
            if line.bytes.isRepeatMark {
                isRepeated = true
                return .collected
            }
            guard let offset = line.bytes.dumpOffset ?? (isRepeated ? line.bytes.lastOffset : nil),
                fill(to: offset), before > 0
            else { return .ended }
            readDump(from: offset)
        case .lines:
            guard dumpedType == nil, line.bytes.dumpOffset == nil, line.readHexLine(into: &octets) != nil else {
                return .ended
            }
        case .marked, .words, .export, nil:
            // ESP-IDF prints an empty line before the octets of NimBLE's packets.
            if !hasOctets, line.bytes.endOfBlanks(from: 0) == line.bytes.count { return .collected }
            guard line.readHexLine(into: &octets) != nil else { return .ended }
            hasOctets = true
            return isComplete ? .complete : .collected
        }
        guard octets.count > before, octets.count <= Int(packetLimit) else { return .ended }
        return kind == nil && isWhole ? .complete : .collected
    }

    /// Whether the line of a dump follows the octets so far. hexdump, od and xxd write `*` for lines that repeat the one before.
    private mutating func fill(to offset: DumpOffset) -> Bool {
        let end = dumpBase + octets.count
        let start = isOctal ? offset.octal : offset.hexadecimal
        guard isRepeated else {
            isOctal = offset.octal == end
            return isOctal || offset.hexadecimal == end
        }
        guard start > end, start - dumpBase <= Int(packetLimit), dumpLine.count == 16 else { return false }
        isRepeated = false
        while dumpBase + octets.count + 16 <= start { octets.append(contentsOf: dumpLine) }
        return dumpBase + octets.count == start
    }

    private mutating func readDump(from offset: DumpOffset) {
        let before = octets.count
        _ = line.readHexWords(from: offset.end, hasColumns: true, into: &octets)
        hasWords = offset.digits == 7 && line.bytes.endOfWord(from: offset.end) == offset.end + 4
        if hasWords {
            for index in stride(from: before, to: octets.count - 1, by: 2) { octets.swapAt(index, index + 1) }
        }
        dumpLine = Array(octets[before...])
    }

    /// Whether the octets are a packet, or begin with one that others follow.
    private var isWhole: Bool {
        switch context.framing {
        case .h4?, nil: break
        case .monitor?, .bare?, .packetLogger?, .air?: return context.length.map { octets.count >= $0 } ?? false
        }
        if let length = context.length, octets.count < length { return false }
        return dumpedType == 0 || firstOfSeveral != nil
    }

    /// The length of the first packet of a stream.
    private var firstOfSeveral: Int? {
        guard shape == .offsets, kind == nil, context.framing == nil, let length, length < octets.count,
            let type = HCIPacketType(rawValue: octets[0]),
            type.isDumped(Bytes(octets.span).slice(1..<length))
        else { return nil }
        let rest = Bytes(octets.span).dropFirst(length)
        guard let next = HCIPacketType(rawValue: rest[0]) else { return nil }
        guard let whole = next.length(rest.dropFirst(1)), whole < rest.count else { return length }
        return next.isDumped(rest.slice(1..<whole + 1)) ? length : nil
    }

    /// Begins the next packet with octets that were in the lines of the last one.
    mutating func takeRest() -> Step? {
        guard shape == nil, !rest.isEmpty else { return nil }
        (octets, rest) = (rest, [])
        (shape, dialect) = (.offsets, .dump)
        return isWhole ? .complete : .collected
    }

    // MARK: The packet

    private var isComplete: Bool {
        guard let length else { return octets.count > Int(packetLimit) }
        return octets.count >= length
    }

    /// As its header has it, with the indicator; nil if there is too little of the header, or an unknown indicator.
    private var length: Int? { Self.length(octets) }

    private static func length(_ octets: [UInt8]) -> Int? {
        guard let first = octets.first, let type = HCIPacketType(rawValue: first) else { return nil }
        return type.length(Bytes(octets.span).dropFirst(1)).map { $0 + 1 }
    }

    private func isExact(_ octets: [UInt8]) -> Bool { Self.length(octets) == octets.count }

    /// Octets of the packet that were not written.
    var missing: Int {
        if let whole = context.length, framing != .h4 || whole > octets.count { return max(0, whole - octets.count) }
        guard framing == .h4 else { return 0 }
        if let length { return max(0, length - octets.count) }
        guard let first = octets.first, let type = HCIPacketType(rawValue: first) else { return 0 }
        return max(0, type.headerLength + 1 - octets.count)
    }

    /// Ends the packet; false if the lines are not a packet after all. Then `octets`, `direction` and `time` are those of the packet.
    mutating func finish() -> Bool {
        guard let shape else { return false }
        defer { self.shape = nil }
        (isFragment, refused) = (false, 0)
        framing = .h4
        if shape == .words {
            guard finishWords() else { return false }
        } else if shape == .export {
            octets = export.octets
            isFragment = export.isFragment
            guard !octets.isEmpty, !isFragment else { return false }
            (time, direction) = (context.time, context.direction)
            takeFraming(context.framing ?? .h4)
        } else if shape != .marked, let framing = context.framing {
            takeFraming(framing)
        } else if shape != .marked {
            // A last word of one octet.
            if hasWords, shape == .offsets, octets.last == 0, isExact(Array(octets.dropLast())) { octets.removeLast() }
            if let first = firstOfSeveral {
                rest = Array(octets[first...])
                octets.removeSubrange(first...)
            }
            if shape == .offsets {
                dumpBase += octets.count
                dumpEnd = dumpBase
            }
            guard let type = dumpedType else {
                guard isPacketLogger || isOfPacketLogger, kind == nil, shape == .offsets else {
                    if shape == .offsets, dialects.contains(.dump) { refused = octets.count }
                    return false
                }
                isPacketLogger = true
                takeFraming(.packetLogger)
                return finishDump()
            }
            if kind == .att {
                direction = TextKind.direction(ofPDU: octets)
                octets = TextKind.packet(of: octets, direction, handle: 1)
            }
            if type != 0 { octets.insert(type, at: 0) }
            hasOctets = true
        }
        return finishDump()
    }

    /// Octets of an export or a dump below Wireshark's details.
    private mutating func takeFraming(_ framing: TextFraming) {
        self.framing = framing
        if case .bare(let type) = framing {
            octets.insert(type.rawValue, at: 0)
            self.framing = .h4
            if let length = context.length { context.length = length + 1 }
        }
        hasOctets = true
        controller = context.controller
    }

    private mutating func finishDump() -> Bool {
        guard octets.count <= Int(packetLimit) else { return false }
        if !dialects.contains(dialect) { dialects.append(dialect) }
        if monitorOpcode == nil, framing == .h4, octets.first == HCIPacketType.acl.rawValue, octets.count > 2 {
            findDirection(octets[2] >> 4 & 3)
        }
        return true
    }

    private mutating func finishWords() -> Bool {
        guard var words = words.take() else { return false }
        begin(words)
        countLost(before: words)
        if words.isWithoutHandle {
            // The handle of the only connection; of several, it is not known.
            guard connections.count == 1, let handle = connections.first else {
                monitorOpcode = 12
                octets = words.name
                return true
            }
            words.code |= handle
            takenHandles += 1
        }
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
        noteConnection()
        // The return parameters of a failed command mean nothing after its status.
        let isFailure = octets.count == 7 && octets[0...1] == [HCIPacketType.event.rawValue, 0x0E] && octets[6] != 0
        if words.type != .acl, words.type == nil || missing > 0 && !isFailure || words.isUnanswered {
            monitorOpcode = words.monitorOpcode
            octets = monitorOpcode == 12 ? words.name : []
        }
        return true
    }

    /// At the end of a text: whether there is a fragment that none continued. It is a packet without its octets.
    mutating func takeFragment() -> Bool {
        guard !fragments.isEmpty else { return false }
        let words = fragments.removeFirst()
        begin(words)
        octets = words.octets()
        return true
    }

    private mutating func begin(_ words: TextWords) {
        (hasOctets, direction, controller) = (true, words.direction, words.controller)
        time = words.time.map { clock.moment($0) }
    }

    /// Keeps the handles of connections, for lines that do not have theirs.
    private mutating func noteConnection() {
        guard octets.count >= 6, octets[0] == HCIPacketType.event.rawValue else { return }
        func handle(_ place: Int) -> UInt16 { UInt16(octets[place]) | UInt16(octets[place + 1]) << 8 }
        if octets[1] == 0x3E, [0x01, 0x0A].contains(octets[3]), octets.count >= 7, octets[4] == 0 {
            if connections.count < Self.linkLimit { connections.insert(handle(5)) }
        } else if octets[1] == 0x05 {
            connections.remove(handle(4))
        }
    }

    /// btmon numbers the packets of each controller, and leaves a number out when the line before had the same.
    private mutating func countLost(before words: TextWords) {
        // Voice and notes have a number, too.
        guard words.type != nil || words.number != nil else { return }
        guard let last = numbers[controller] else {
            if let number = words.number, numbers.count < Self.linkLimit { numbers[controller] = number }
            return
        }
        let number = words.number ?? last + 1
        if number > last + 1 { lost = UInt32(clamping: number - last - 1) }
        numbers[controller] = number
    }

    /// Forgets octets that are no packet, such as an address in words about the packet that follows: the time is its.
    mutating func giveUp() {
        let time = context.time
        reset()
        context.time = time
    }

    /// Forgets the packet's octets and its time.
    mutating func reset() {
        if shape != nil || !octets.isEmpty { context = PacketContext() }
        shape = nil
        export.reset()
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
        dialect.isRebuilt || dialect == .wireshark || kind != nil
            || hasOctets && (dialect == .dump || dialect == .hcidump ? missing == 0 : length != nil)
    }

    /// On an LE link the first fragment that a host sends has the flag 0, and the one it receives the flag 2 (Vol 4, Part E, 5.4.2); a dump
    /// has no other sign of the direction.
    private mutating func findDirection(_ boundary: UInt8) {
        if direction == .unknown { direction = boundary == 0 ? .tx : boundary == 2 ? .rx : lastDirection }
        lastDirection = direction
    }

    /// Whether the octets are one packet as PacketLogger writes it, and in no other way.
    private var isOfPacketLogger: Bool {
        guard octets.count >= 4, let type = PacketLoggerType(rawValue: octets[0]).packet?.type else { return false }
        return type.isDumped(Bytes(octets.span).dropFirst(1))
    }

    /// The indicator that a dump lacks, 0 if it has one; nil if it is not an HCI packet.
    private var dumpedType: UInt8? {
        if let kind { return kind.missingType(octets) }
        guard octets.count >= 4, !isPacketLogger else { return nil }
        let whole = Bytes(octets.span)
        if let type = HCIPacketType(rawValue: octets[0]), type.isDumped(whole.dropFirst(1)) { return 0 }
        for type in [HCIPacketType.acl, .event, .command] where type.isDumped(whole) { return type.rawValue }
        return nil
    }
}

extension HCIPacketType {
    /// Whether octets after an indicator may be a packet of this type. Voice has nothing to be checked by.
    func isPlausible(_ bytes: borrowing Bytes) -> Bool {
        self == .synchronous || self == .isochronous || isDumped(bytes)
    }

    /// Whether octets that nothing marks are most likely a packet of this type: they fill it, and its header makes sense.
    func isDumped(_ bytes: borrowing Bytes) -> Bool {
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
