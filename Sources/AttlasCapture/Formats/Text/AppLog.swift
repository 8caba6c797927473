import AttlasWire

/// A log of an app: operations by UUID, as a conversation. `LogReaders` has the programs.
///
/// It begins with the first line of a conversation, and ends at a code fence.
package final class AppLog: FormatReader {
    /// Octets of a value that lines of a dump give: more than an attribute has.
    private static let dumpLimit = 1024

    private let name: String
    package private(set) var frame = 0
    private var line = TextLine()
    private var lines: AppLines
    private var clock = TextClock()
    private var time = Timestamp.epoch
    private var conversation = AppConversation()
    /// Those with values, and lines that others may have, too.
    private var programs: [String] = []
    private var uncertain: [(name: String, parts: [LogTemplate.Part])] = []
    /// The next of the conversation's packets.
    private var next = 0
    private var isListing = false
    /// Whether the line before was the first of nRF Connect's.
    private var isHeading = false
    /// With the places where its lines begin.
    private var dump: (peer: AppPeer?, attribute: AppAttribute, octets: [UInt8], lines: [Int])?
    private var isOver = false
    private var unused = (count: 0, examples: [String]())
    /// The last line about the end of a connection or of an attempt.
    private typealias End = (line: AppLine, status: AppStatus, time: Timestamp, number: Int)
    private var lastEnd: End?
    private var lastMTU: (mtu: UInt16, reader: Int)?
    private var number = 0
    /// A line that the next one may complete.
    private var early: AppLine?
    /// Lines that were read before one with a time.
    private var waited = 0
    private static let waitLimit = 64
    /// Packets of lines before the first time have that time.
    private var isWaiting: Bool { !isOver && !clock.hasTimes && waited < Self.waitLimit }

    /// A text has no signature: `InputBuffer.findText` looks through it.
    package static func recognizes(_ bytes: borrowing Bytes) -> Bool { false }

    package init(_ input: inout InputBuffer) throws(CaptureError) {
        name = input.name
        lines = AppLines(.inUse)
    }

    /// A log that is read with other readers.
    init(name: String, _ readers: LogReaders) {
        self.name = name
        lines = AppLines(readers)
    }

    private init(continuing other: AppLog, after frame: Int) {
        name = other.name
        self.frame = frame
        lines = other.lines
        clock = other.clock
        time = other.time
        conversation = other.conversation
        programs = other.programs
        uncertain = other.uncertain
        next = other.next
        isListing = other.isListing
        isHeading = other.isHeading
        dump = other.dump
        isOver = other.isOver
        unused = other.unused
        (lastEnd, lastMTU) = (other.lastEnd, other.lastMTU)
        (number, early, waited) = (other.number, other.early, other.waited)
    }

    package func copy(after frame: Int) -> any RecordSource { AppLog(continuing: self, after: frame) }

    package var info: CaptureInfo {
        let shared = uncertain.map(\.name)
        let likely = shared.max { first, second in
            shared.count { $0 == first } < shared.count { $0 == second }
        }
        let names = ((programs.isEmpty ? likely.map { [$0] } ?? [] : programs) + ["rebuilt"]).joined(separator: ", ")
        var info = CaptureInfo(file: name, format: "text (\(names))", linkTypes: [])
        (info.isText, info.isRebuilt, info.isAppLog) = (true, true, true)
        info.lacksZone = clock.lacksZone
        info.numbersHandles = conversation.numbersHandles
        (info.unusedLines, info.unusedExamples) = unused
        return info
    }

    package func next(_ input: inout InputBuffer, into header: inout RecordHeader) throws(CaptureError) -> Bool {
        while next == conversation.packets.count || isWaiting {
            if next == conversation.packets.count {
                guard !isOver else { return false }
                next = 0
                conversation.removeAll()
            }
            waited += 1
            switch try input.line(at: 0) {
            case .octets(let length):
                line.set(input.bytes(at: input.place(0, length)))
                isOver = line.bytes.isTextBoundary
                if isOver {
                    end()
                } else {
                    takeLine()
                }
                input.consume(length)
            case .beyondLimit: _ = try input.skip(after: "\n")
            case .end:
                isOver = true
                end()
                conversation.end()
            }
        }
        let packet = conversation.packets[next]
        let time = packet.time ?? self.time
        next += 1
        frame += 1
        if let fault = packet.fault {
            header = RecordHeader(frame: frame, offset: input.offset, time: time, broken: fault)
            return true
        }
        var options: [UInt8] = []
        if let reported = packet.reported { PacketOptions.append(comment: reported.comment, to: &options) }
        let place = input.put(packet.octets + options)
        let end = place.upperBound - options.count
        header = RecordHeader(
            frame: frame, offset: input.offset, time: time,
            head: PacketHead(.packet(packet.type), packet.direction), place: place.lowerBound..<end,
            missing: UInt32(packet.missing), lost: 0)
        header.options = end..<place.upperBound
        header.making = .reported
        header.reported = packet.reported
        return true
    }

    private func end() {
        endLines()
        if let line = lines.end() { take(line) }
        takeEarly()
    }

    private func takeLine() {
        number += 1
        if isHeading {
            isHeading = false
            if let peer = line.bytes.peerInParentheses { return conversation.take(.heading, of: peer) }
        }
        let found = lines.take(line.bytes)
        // "Services discovered" is the end of the discovery of some libraries, without a list.
        if isListing, found == nil, let item = AppListing(line.bytes) { return conversation.take(item) }
        if dump != nil, takeDump() { return }
        endLines()
        guard let found else {
            if !lines.isInCall, line.bytes.isOfOperation { noteUnused() }
            return
        }
        take(found)
    }

    /// Keeps the names of readers. A line that several readers share names one only if it is certain.
    private func note(_ line: AppLine, _ reader: LogReader) {
        guard !programs.contains(reader.name) else { return }
        let text = reader.lines[line.line].template.parts
        guard line.step.isCertain else {
            if uncertain.count < 16 { uncertain.append((reader.name, text)) }
            return
        }
        for (name, parts) in uncertain where name != reader.name && !programs.contains(name) {
            if !reader.lines.contains(where: { $0.template.parts == parts }) { programs.append(name) }
        }
        uncertain = []
        programs.append(reader.name)
    }

    private func noteUnused() {
        unused.count += 1
        guard unused.examples.count < 3 else { return }
        let start = line.bytes.endOfBlanks(from: 0)
        var octets = line.bytes.dropFirst(start).copy()
        if octets.count > 80 { octets = octets[..<77] + Array("...".utf8) }
        let text = String(decoding: octets.map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
        unused.examples.append("“\(text)”")
    }

    private func take(_ found: AppLine) {
        var line = found
        if let early, line.step.completes(early.step) {
            (line.time, line.peer) = (early.time ?? line.time, line.peer ?? early.peer)
            // The first line may have the length.
            if case .pdu(let part) = early.step, case .pdu(var pdu) = line.step {
                pdu.missing = max(pdu.missing, part.octets.count + part.missing - pdu.octets.count)
                line.step = .pdu(pdu)
            }
            self.early = nil
        }
        takeEarly()
        if line.isEarly { early = line } else { takeStep(line) }
    }

    private func takeEarly() {
        guard let line = early else { return }
        early = nil
        takeStep(line)
    }

    private func takeStep(_ line: AppLine) {
        let reader = lines.readers.all[line.reader]
        // The library below it has logged the same value.
        guard !reader.unless.contains(where: programs.contains) else { return }
        if let time = line.time { self.time = clock.moment(time) }
        conversation.time = clock.hasTimes ? time : nil
        note(line, reader)
        conversation.isRoleUnknown = reader.isRoleUnknown
        guard !isRepeatedEnd(line) else { return }
        switch line.step {
        case .date(let day):
            clock.begin(on: day)
            isHeading = true
        case .listing: isListing = true
        case .octets(let attribute): dump = (line.peer, attribute, [], [])
        // A library and the stack below it report the same exchange.
        case .mtu(let mtu) where lastMTU.map { $0.mtu == mtu && $0.reader != line.reader } ?? false: break
        // The request was pending when the connection ended.
        case .refused where !conversation.isConnected && recentEnd(of: line) != nil: noteUnused()
        case let step:
            if case .mtu(let mtu) = step { lastMTU = (mtu, line.reader) }
            let (hadRequest, count) = (conversation.hasRequest, conversation.packets.count)
            conversation.take(step, of: line.peer)
            // A connection ended whose beginning is not in the log.
            if case .disconnected(let status) = step, status.hasReason, conversation.packets.count == count {
                noteUnused()
            }
            // There is no packet that the error could answer.
            let unanswering: AppStatus? =
                switch step {
                case .error(let status, _) where !conversation.isConnected: status
                case .requestFailed(let status) where !hadRequest: status
                default: nil
                }
            if let unanswering, unanswering != conversation.lastError, unanswering != lastEnd?.status { noteUnused() }
        }
    }

    /// Whether another line has reported the same failure of the same device within a second: stacks do below each library, and Bluedroid
    /// once for each of its clients.
    private func isRepeatedEnd(_ line: AppLine) -> Bool {
        guard line.step.isOfConnection else { return false }
        let last = recentEnd(of: line)
        guard let status = line.step.failure else {
            // A library reports a short connection after the stack below it has reported its end.
            if line.step.isBeginning, let last, last.line.reader != line.reader { return true }
            lastEnd = nil
            return false
        }
        if let last {
            let isOther = last.line.reader != line.reader || last.line.line != line.line || number == last.number + 1
            // One without a reason follows the one that has it.
            if isOther, last.status == status || status.isWithoutReason {
                lastEnd?.number = number
                return true
            }
            // Another status of the attempt that has failed.
            if isOther, last.line.step.isOfAttempt, line.step.isOfAttempt {
                noteUnused()
                return true
            }
        }
        lastEnd = (line, status, time, number)
        return false
    }

    /// The last end, if it was within a second, and not of another device.
    private func recentEnd(of line: AppLine) -> End? {
        guard let last = lastEnd, last.line.peer.flatMap({ line.peer?.isLike($0) }) ?? true else { return nil }
        return -1_000_000_000...1_000_000_000 ~= time.nanoseconds(since: last.time) ? last : nil
    }

    private func takeDump() -> Bool {
        var octets: [UInt8] = []
        let start = line.bytes.endOfBlanks(from: 0)
        guard start > 0 else { return false }
        _ = line.readHexWords(from: start, hasColumns: true, into: &octets)
        let place = dump?.octets.count ?? 0
        guard !octets.isEmpty, place + octets.count <= Self.dumpLimit else { return false }
        dump?.lines.append(place)
        dump?.octets += octets
        return true
    }

    /// Ends a list and a dump.
    private func endLines() {
        if isListing { conversation.endList() }
        isListing = false
        if let dump, !dump.octets.isEmpty {
            let half = dump.octets.count / 2
            // bluetoothctl prints the property of a value that was read, and then the reply.
            let isTwice = dump.lines.contains(half) && dump.octets[..<half] == dump.octets[half...]
            conversation.take(
                .operation(
                    isTwice ? .receivedTwice : .received, dump.attribute,
                    value: isTwice ? Array(dump.octets[half...]) : dump.octets), of: dump.peer)
        }
        dump = nil
    }
}

extension Bytes {
    /// Whether a line is about an attribute or its value.
    fileprivate var isOfOperation: Bool {
        mentions("haracteristic", or: "escriptor", "otification")
    }
}
