import AttlasCapture
import AttlasText
import AttlasTrace
import AttlasValues

/// From the selected line to another one.
extension RecordingView {
    mutating func goToTrouble(isForward: Bool, _ recording: Recording) {
        let error = lineOfTrouble(isForward: isForward, recording)
        let incident = lineOfIncident(isForward: isForward, recording)
        // The error itself, where it is the incident.
        let isSame = error.flatMap { recording.line($0)?.frame } == incident?.frame
        let lines = [error, isSame ? nil : incident?.line].compactMap(\.self)
        guard let line = isForward ? lines.min() : lines.max() else {
            let isKnown = !recording.isBusy || !isForward
            return say(
                "No \(isForward ? "later" : "earlier") errors or incidents"
                    + (isKnown ? "" : ", as far as the capture was read"), isBad: true)
        }
        select(line, recording)
        if let incident, isSame || incident.line == line { sayIncident(incident.index, incident.frame, recording) }
    }

    private func lineOfTrouble(isForward: Bool, _ recording: Recording) -> Int? {
        var record = moment?.line.record ?? 0
        // A filter may leave it out.
        while let next = recording.trouble(isForward: isForward, from: record) {
            record = next
            if let line = recording.line(ofRecord: record), let found = recording.line(line), found.record == record {
                var line = line
                while let other = recording.line(line), other.record == record, !other.isTrouble { line += 1 }
                return recording.line(line)?.record == record ? line : found.number
            }
        }
        return nil
    }

    /// The line of the next incident, or where it would be; of lines that a filter leaves, the incident's own.
    private func lineOfIncident(
        isForward: Bool, _ recording: Recording
    ) -> (line: Int, frame: Int, index: Int)? {
        guard let overview = recording.overview, let frame = moment?.line.frame else { return nil }
        let bound = overview.firstOccurrence(from: frame + 1)
        var place = isForward ? bound : bound - 1
        while overview.occurrences.indices.contains(place) {
            let occurrence = overview.occurrences[place]
            place += isForward ? 1 : -1
            guard let line = recording.line(atFrame: occurrence.frame), let found = recording.line(line)?.frame,
                isForward ? line > selected : line < selected,
                found == occurrence.frame || recording.filterExpression.isEmpty
            else { continue }
            let index = overview.incident(atFrame: occurrence.frame) ?? occurrence.incident
            return (line, occurrence.frame, index)
        }
        return nil
    }

    private mutating func sayIncident(_ index: Int, _ frame: Int, _ recording: Recording) {
        guard let overview = recording.overview else { return }
        let hasLine = recording.line(selected)?.frame == frame
        say((hasLine ? "" : "No line for frame \(frame): ") + overview.sentence(index, atFrame: frame))
    }

    /// Jumps to the line of the overview's selection.
    mutating func goToSelected(_ recording: Recording) {
        guard let overview = recording.overview else { return }
        let (index, finding) = (self.overview.incident(of: overview), self.overview.finding(of: overview))
        guard let frame = index.map({ overview.incidents.incidents[$0].frame }) ?? finding?.frame else { return }
        select(recording.line(atFrame: frame) ?? 0, recording)
        // A filter is looking for its lines.
        if !recording.isComplete { wantedFrame = frame }
        if let index { sayIncident(index, frame, recording) }
        if let finding { say(finding.sentence) }
    }

    mutating func goToFinding(isForward: Bool, _ recording: Recording) {
        go(
            toFrameAmong: recording.findingFrames, "finding", isForward: isForward, isKnown: !recording.isBusy,
            recording)
    }

    /// - Parameter isKnown: whether there are no other ones.
    mutating func go(
        toFrameAmong frames: [Int], _ what: String, isForward: Bool, isKnown: Bool, _ recording: Recording
    ) {
        let frame = moment?.line.frame ?? 0
        let next = isForward ? frames.first { $0 > frame } : frames.last { $0 < frame }
        guard let next, let line = recording.line(atFrame: next) else {
            return say(
                "No \(isForward ? "later" : "earlier") \(what)s" + (isKnown ? "" : " so far"),
                isBad: true)
        }
        select(line, recording)
    }

    mutating func findAlike(isForward: Bool) {
        guard let place = moment?.line.place else { return say("this line is about no characteristic", isBad: true) }
        start(
            Hunt(what: "the same characteristic", isForward: isForward, line: selected + (isForward ? 1 : -1)) {
                $0.place == place
            })
    }

    mutating func findOtherPeer(isForward: Bool) {
        guard let peer = moment?.line.peer else { return say("this line is about no peer", isBad: true) }
        start(
            Hunt(what: "a line of another peer", isForward: isForward, line: selected + (isForward ? 1 : -1)) {
                $0.peer != nil && $0.peer != peer
            })
    }

    mutating func goToCounterpart(_ recording: Recording) {
        guard let line = moment?.line else { return }
        if let request = line.request {
            if let number = recording.line(atFrame: request), recording.line(number)?.frame == request {
                return select(number, recording)
            }
            return say("the request, frame \(request), is not among these lines", isBad: true)
        }
        let frame = line.frame
        start(Hunt(what: "an answer to frame \(frame)", isForward: true, line: selected + 1) { $0.request == frame })
    }

    mutating func findAgain(isForward: Bool) {
        guard !search.isEmpty else { return say("nothing was searched for; / searches", isBad: true) }
        let wanted = FoldedText(search)
        start(
            Hunt(what: search, isForward: isForward, line: selected + (isForward ? 1 : -1), wraps: true) { line in
                line.rows.contains { FoldedText(String(decoding: $0.text, as: UTF8.self)).contains(wanted) }
            })
    }

    mutating func start(_ hunt: Hunt) {
        self.hunt = hunt
    }

    /// Continues a search, some records at a time. To be called again as long as `isBusy`.
    package mutating func advance(_ recording: Recording) {
        guard let hunt else { return }
        let search = hunt.search
        switch search.advance(in: recording, records: 2_000) {
        case .goesOn: return
        case .found(let line):
            self.hunt = nil
            select(line.number, recording)
        // The index may not be there yet.
        case .ended where search.isForward && search.next >= recording.lineCount && !recording.isComplete: return
        case .ended where hunt.wraps && recording.lineCount > 0:
            let start = search.isForward ? 0 : recording.lineCount - 1
            self.hunt = Hunt(what: hunt.what, isForward: search.isForward, line: start, isFound: search.isFound)
            say(search.isForward ? "found from the beginning on" : "found from the end on")
        case .ended:
            self.hunt = nil
            say("not found: \(hunt.what)", isBad: true)
        }
    }

    // MARK: What was typed

    /// - Returns: the line of a frame, of a time since the first record, of a time of day or of a date; nil for other text.
    mutating func line(at text: String, _ recording: Recording) -> Int? {
        if let frame = Int(text) {
            wantedFrame = recording.isComplete ? nil : frame
            return recording.line(atFrame: frame)
        }
        guard let moment, let start = moment.playback.trace.start else { return nil }
        if text.hasSuffix("s"), let seconds = Double(text.dropLast()), abs(seconds) < 1e9 {
            return recording.line(at: Int64(seconds * 1e9), since: start)
        }
        let (date, clock) = text.contains("-") ? Self.split(text) : (nil, text)
        guard let ofDay = Self.nanosecondsOfDay(clock), date != nil || !text.contains("-") else { return nil }
        // In the zone of the lines' times.
        let offset = recording.showsUTC ? 0 : LocalTime(at: moment.line.time).offset
        let day = date ?? (moment.line.time.seconds &+ offset).flooredQuotient(86_400)
        var time = Timestamp(
            seconds: day &* 86_400 &- offset &+ ofDay / 1_000_000_000, nanoseconds: UInt32(ofDay % 1_000_000_000),
            precision: 9)
        // A capture that goes past midnight.
        if date == nil, time.nanoseconds(since: start) < 0 {
            let next = Timestamp(seconds: time.seconds &+ 86_400, nanoseconds: time.nanoseconds, precision: 9)
            if let last = recording.line(recording.lineCount - 1)?.time, next.nanoseconds(since: last) <= 0 {
                time = next
            }
        }
        return recording.line(at: time.nanoseconds(since: start), since: start)
    }

    /// `2026-11-21 14:03:22`: the days since 1970, and the time.
    private static func split(_ text: String) -> (days: Int64?, clock: String) {
        let parts = text.split { $0 == " " || $0 == "T" }
        let date = parts.first?.split(separator: "-").map { Int64($0) } ?? []
        guard parts.count == 2, date.count == 3, let year = date[0], let month = date[1], let day = date[2],
            1...9_999 ~= year, 1...12 ~= month, 1...31 ~= day
        else { return (nil, "") }
        return (CivilDate(year: year, month: month, day: day).daysSince1970, String(parts[1]))
    }

    /// `14:03`, `14:03:22` or `14:03:22.5`.
    private static func nanosecondsOfDay(_ text: String) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard 2...3 ~= parts.count, let hour = Int64(parts[0]), let minute = Int64(parts[1]), 0..<24 ~= hour,
            0..<60 ~= minute, let second = parts.count == 3 ? Double(parts[2]) : 0, 0..<60 ~= second
        else { return nil }
        return (hour * 3_600 + minute * 60) * 1_000_000_000 + Int64(second * 1e9)
    }
}
