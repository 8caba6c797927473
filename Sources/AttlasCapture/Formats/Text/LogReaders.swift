import AttlasLocks
import AttlasWire

/// Readers, with the lines of all by the first octet of their text.
package final class LogReaders: Sendable {
    package let all: [LogReader]
    private let table: [[Entry]]
    private let blocks: [LogTemplate]
    /// The first octets of these.
    private let blockOctets: Set<UInt8>

    /// A class, because each line is compared with many.
    private final class Entry: Sendable {
        let first: [UInt8]
        /// Whether an address follows.
        let namesPeer: Bool
        let reader: Int
        let line: Int
        let content: LogLine
        let words: [LogReader.Word]

        private static let ofLibraries = ApplicationStatus.inWords.map {
            LogReader.Word(text: Array($0.words.utf8), code: Int($0.code))
        }
        private static let ofSpecification = (UInt8(0x01)...0x48).map {
            LogReader.Word(text: Array(HCIErrorCode(rawValue: $0).name.utf8), code: Int($0))
        }

        init(_ readers: [LogReader], _ reader: Int, _ line: Int) {
            (self.reader, self.line) = (reader, line)
            content = readers[reader].lines[line]
            first = content.template.first
            namesPeer = content.template.parts.dropFirst().first == .field(.peer) && content.template.styles[1] == .any
            let words =
                switch content.system {
                case .words: Self.ofLibraries
                case .android, .bluedroid: Self.ofSpecification
                default: [LogReader.Word]()
                }
            self.words = readers[reader].words + words
        }
    }

    /// Whether a line begins with these two octets.
    private let pairs: [Bool]

    /// Octets of a line that are looked at, and lines of readers that it may be like.
    private static let limit = (octets: 8192, tries: 256)

    /// Whether every text is a log of these.
    let isForced: Bool

    /// In the order in which they are tried.
    package init(_ readers: [LogReader], isForced: Bool = false) {
        all = readers
        self.isForced = isForced
        var table = [[Entry]](repeating: [], count: 256)
        var pairs = [Bool](repeating: false, count: 1 << 16)
        for reader in readers.indices {
            for line in readers[reader].lines.indices {
                let entry = Entry(readers, reader, line)
                let first = Int(entry.first[0])
                table[first].append(entry)
                // One blank matches several characters, and a field any.
                if entry.first.count > 1, entry.first[1] != 0x20 {
                    pairs[first << 8 | Int(entry.first[1])] = true
                } else {
                    for second in 0..<256 { pairs[first << 8 | second] = true }
                }
            }
        }
        (self.table, self.pairs) = (table, pairs)
        var blocks: [LogTemplate] = []
        for line in readers.flatMap(\.lines) where line.isBlock {
            if !blocks.contains(where: { $0.parts == line.template.parts }) { blocks.append(line.template) }
        }
        self.blocks = blocks
        blockOctets = Set(blocks.map { $0.first[0] })
    }

    /// Those of attlas.
    package static let shipped: LogReaders = {
        LogReaders(
            embeddedFiles.map { file in
                do throws(LogReaderMistake) {
                    return try LogReaderFile.read(file.text, name: file.name)
                } catch {
                    preconditionFailure("Sources/AttlasCapture/Readers/\(error)")
                }
            })
    }()

    private struct Use {
        var readers: LogReaders?
        var kind: TextKind?
    }

    private static let used = Locked(Use())

    /// Those that texts are opened with: the shipped ones, until a process sets others.
    package static var inUse: LogReaders { used.withLock { $0.readers } ?? shipped }
    /// The kind of hex dumps.
    package static var kindInUse: TextKind? { used.withLock { $0.kind } }

    /// For the captures that are opened from now on.
    package static func use(_ readers: LogReaders? = nil, kind: TextKind? = nil) {
        used.withLock { $0 = Use(readers: readers, kind: kind) }
    }

    /// The template that begins a block of lines, if the line begins with it.
    func blockStart(_ line: borrowing Bytes, at start: Int) -> LogTemplate? {
        guard start < line.count, blockOctets.contains(line[start]) else { return nil }
        return blocks.first { Self.begins(line, at: start, $0) }
    }

    static func begins(_ line: borrowing Bytes, at start: Int, _ template: LogTemplate) -> Bool {
        guard let end = line.end(of: template.first, at: start) else { return false }
        var fields = LogFields()
        return template.match(line, from: end, [], &fields) != nil
    }

    /// The meaning of a line; nil if no template matches.
    func match(_ full: borrowing Bytes) -> AppLine? {
        let line = full.prefix(min(full.count, Self.limit.octets))
        var isWordStart = true
        var tries = 0
        var placeWithoutPeer = -1
        for index in 0..<line.count {
            let octet = line[index]
            if isWordStart, pairs[Int(octet) << 8 | (index + 1 < line.count ? Int(line[index + 1]) : 0)] {
                for entry in table[Int(octet)] {
                    guard let end = line.end(of: entry.first, at: index), !entry.namesPeer || end != placeWithoutPeer
                    else { continue }
                    if entry.namesPeer, line.dropFirst(end).writtenPeer == nil {
                        placeWithoutPeer = end
                        continue
                    }
                    guard tries < Self.limit.tries else { return nil }
                    tries += 1
                    guard let found = match(line, index, end, entry) else { continue }
                    // An app that is a server, too, has lines of that.
                    return line.prefix(index).offset(of: "[Server") == nil ? found : nil
                }
            }
            isWordStart = !octet.isLetterOrDigit
        }
        return nil
    }

    private func match(_ line: borrowing Bytes, _ start: Int, _ end: Int, _ entry: Entry) -> AppLine? {
        let template = entry.content
        if let has = template.has, line.place(of: has, from: end) == nil { return nil }
        if let lacks = template.lacks, line.place(of: lacks, from: end) != nil { return nil }
        if let until = template.until, line.place(of: until, from: end) == nil {
            var fields = template.constants
            guard template.template.match(line, from: end, entry.words, &fields, isCut: true) != nil else { return nil }
            return AppLine(step: .unfinished(from: start), reader: entry.reader, line: entry.line, peer: nil, time: nil)
        }
        var fields = template.constants
        guard template.template.match(line, from: end, entry.words, &fields) != nil else { return nil }
        for with in template.with where !with.search(line, from: end, entry.words, &fields) { return nil }
        for maybe in template.maybe {
            var more = fields
            if maybe.search(line, from: end, entry.words, &more) { fields = more }
        }
        // bleak prints "6e400003-… (Handle: 17)".
        if fields.path != nil, fields.uuid == nil, start >= 37 { fields.uuid = line.dropFirst(start - 37).uuid?.octets }
        guard let step = template.step(fields) else { return nil }
        let times = all[entry.reader].times
        return AppLine(
            step: step, reader: entry.reader, line: entry.line,
            peer: fields.peer.map { $0.random(fields.isRandom) }
                ?? line.dropFirst(end).namedPeer
                ?? (template.until == nil
                    ? line.peer(before: start)
                    : line.firstPeer.map { $0.random(fields.isRandom) }),
            time: fields.time.map { TextTime($0) }
                ?? TextTime(line, end: start, takesUptime: times == .uptime)
                ?? line.prefix(start).elapsed(times), isWeak: template.isWeak, isEarly: template.isEarly)
    }
}

/// A line of an app's log with its time.
struct AppLine {
    var step: AppStep
    /// In the list of readers.
    let reader: Int
    /// In its lines.
    let line: Int
    /// The device that it names.
    var peer: AppPeer?
    var time: TextTime?
    /// Whether packets in the same text have more.
    var isWeak = false
    /// Whether the next line may have.
    var isEarly = false

    /// Whether no other lines belong to it.
    var isWhole: Bool { if case .unfinished = step { false } else { true } }
}

/// The lines of a log, where some programs write a call in several ones.
struct AppLines {
    private static let limit = (lines: 6, octets: 4096)
    private static let blockLimit = 8192

    let readers: LogReaders
    /// The lines of a call that is not complete.
    private var call: [UInt8] = []
    private var count = 0
    /// The text that ends it.
    private var callEnd: [UInt8] = []
    /// Octets before its text: a time, and what else the program begins its lines with.
    private var prefix = 0
    private var hasTime = false
    /// The lines of a block, and the beginning of the next.
    private var block: [UInt8] = []
    private var blockStart: LogTemplate?

    init(_ readers: LogReaders) { self.readers = readers }

    var isInCall: Bool { !call.isEmpty || blockStart != nil }

    /// The last block.
    mutating func end() -> AppLine? {
        guard blockStart != nil else { return nil }
        blockStart = nil
        return readers.match(Bytes(block.span))
    }

    mutating func take(_ line: borrowing Bytes) -> AppLine? {
        let start = line.endOfBlanks(from: 0)
        if let next = blockStart, !LogReaders.begins(line, at: start, next) {
            if block.count + line.count < Self.blockLimit {
                block.append(0x20)
                line.append(to: &block)
            }
            return nil
        }
        let ended = end()
        if let next = readers.blockStart(line, at: start) {
            (blockStart, block) = (next, line.copy())
            return ended
        }
        return takeLine(line)
    }

    private mutating func takeLine(_ line: borrowing Bytes) -> AppLine? {
        let found = readers.match(line)
        if !call.isEmpty, count < Self.limit.lines, call.count + line.count < Self.limit.octets,
            isRest(line, found)
        {
            call.append(0x20)
            line.dropFirst(line.hasPrefix(like: call[..<prefix]) ? prefix : 0).append(to: &call)
            count += 1
            let joined = readers.match(Bytes(call.span))
            if case .unfinished? = joined?.step { return nil }
            call = []
            return joined
        }
        call = []
        guard case .unfinished(let start)? = found?.step else { return found }
        (call, count, prefix) = (line.prefix(min(line.count, Self.limit.octets)).copy(), 1, start)
        callEnd = found.flatMap { readers.all[$0.reader].lines[$0.line].until } ?? []
        hasTime = TextTime(line, end: start, takesUptime: false) != nil
        return nil
    }

    /// Whether the line belongs to the call. One with a meaning does not: where lines have times, if it has a time, and else if it is whole.
    private func isRest(_ line: borrowing Bytes, _ found: AppLine?) -> Bool {
        guard let found, line.place(of: callEnd, from: 0) == nil else { return true }
        return hasTime ? TextTime(line, end: .max, takesUptime: false) == nil : !found.isWhole
    }
}

extension Bytes {
    /// Whether it begins with the same text but for digits.
    fileprivate func hasPrefix(like other: ArraySlice<UInt8>) -> Bool {
        guard count >= other.count else { return false }
        return other.indices.allSatisfy { self[$0] == other[$0] || self[$0].isDigit && other[$0].isDigit }
    }

    /// The first number with a fraction, "7696  86.003418  localhost", or the first whole one.
    fileprivate func elapsed(_ times: LogReader.Times) -> TextTime? {
        if times == .milliseconds, let value = number(at: endOfBlanks(from: 0), radix: 10) {
            return TextTime(seconds: Int64(value / 1000), (UInt32(value % 1000) * 1_000_000, 3))
        }
        guard times == .seconds, let point = offset(of: ".") else { return nil }
        var start = point
        while start > 0, self[start - 1].isDigit { start -= 1 }
        return Timestamp(epoch: dropFirst(start)).map { TextTime(seconds: $0.seconds, ($0.nanoseconds, $0.precision)) }
    }
}
