import AttlasCapture
import AttlasTrace
import AttlasValues

/// From the selected line to another one.
extension RecordingView {
    mutating func goToTrouble(isForward: Bool, _ recording: Recording) {
        var record = moment?.line.record ?? 0
        // A filter may leave it out.
        while let next = recording.trouble(isForward: isForward, from: record) {
            record = next
            if let line = recording.line(ofRecord: record), let found = recording.line(line), found.record == record {
                var line = line
                while let other = recording.line(line), other.record == record, !other.isTrouble { line += 1 }
                return select(recording.line(line)?.record == record ? line : found.number, recording)
            }
        }
        let isKnown = recording.isComplete || !isForward
        say(
            (isForward ? "no error behind this line" : "no error before this line")
                + (isKnown ? "" : ", as far as the capture was read"), isBad: true)
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
                "no \(what) \(isForward ? "behind" : "before") this line" + (isKnown ? "" : ", as far as is known"),
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
            Hunt(what: search, isForward: isForward, line: selected + (isForward ? 1 : -1)) { line in
                line.rows.contains { FoldedText(String(decoding: $0.text, as: UTF8.self)).contains(wanted) }
            })
    }

    mutating func start(_ hunt: Hunt) {
        self.hunt = hunt
    }

    /// Goes on with what is looked for, chunk by chunk. To be called again as long as `isBusy`.
    public mutating func advance(_ recording: Recording) {
        guard var hunt else { return }
        for _ in 0..<256 {
            guard let line = recording.line(hunt.line) else {
                // The index may not be there yet.
                if hunt.isForward, hunt.line >= recording.lineCount, !recording.isComplete {
                    self.hunt = hunt
                    return
                }
                self.hunt = nil
                return say("not found: \(hunt.what)", isBad: true)
            }
            if hunt.isFound(line) {
                self.hunt = nil
                return select(line.number, recording)
            }
            hunt.line += hunt.isForward ? 1 : -1
        }
        self.hunt = hunt
    }
}
