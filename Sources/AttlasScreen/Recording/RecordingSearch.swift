import AttlasCapture

/// Looks for a line of a recording, from one line on in one direction, some records at a time.
///
/// Forwards, the conversation is decoded once. Backwards, it is decoded piece by piece: each begins at a checkpoint and ends where the
/// one before it began, and its last match is the nearest. Lines are looked at as they are made, and none is kept.
final class RecordingSearch {
    /// The piece that is being decoded.
    final class Piece {
        var playback: Playback
        let lines: Range<Int>

        /// - Parameter playback: before the first of these lines.
        init(_ playback: consuming Playback, _ lines: Range<Int>) {
            self.playback = playback
            self.lines = lines
            self.playback.sink.sink.collector.wanted = lines
        }
    }

    enum Outcome {
        case goesOn
        case found(RecordedLine)
        /// There is no line to look at, or none yet.
        case ended
    }

    let isForward: Bool
    let isFound: (RecordedLine) -> Bool
    /// The next line to look at.
    private(set) var next: Int
    private var piece: Piece?
    /// The last match in the piece.
    private var found: RecordedLine?

    init(from line: Int, isForward: Bool, isFound: @escaping (RecordedLine) -> Bool) {
        next = line
        self.isForward = isForward
        self.isFound = isFound
    }

    /// - Parameter records: how many are decoded at most.
    func advance(in recording: Recording, records: Int) -> Outcome {
        guard 0..<recording.lineCount ~= next else { return .ended }
        if piece == nil, let lines = recording.keptLines(with: next) { return look(at: lines) }
        piece = piece ?? recording.piece(from: next, isForward: isForward)
        guard let piece else { return .ended }
        for _ in 0..<records {
            let isOn = piece.playback.step()
            // Also at the end there may be lines.
            for line in piece.playback.sink.sink.collector.takeLines() where isFound(line) {
                if isForward { return .found(line) }
                found = line
            }
            let count = piece.playback.sink.sink.collector.count
            if isForward { next = isOn ? count : recording.lineCount }
            guard isOn, count < (isForward ? recording.lineCount : piece.lines.upperBound) else {
                if !isForward { next = piece.lines.lowerBound - 1 }
                if !isOn || !isForward { self.piece = nil }
                return found.map { .found($0) } ?? .goesOn
            }
        }
        return .goesOn
    }

    private func look(at lines: [RecordedLine]) -> Outcome {
        let ahead = isForward ? lines.filter { $0.number >= next } : lines.filter { $0.number <= next }.reversed()
        if let line = ahead.first(where: isFound) { return .found(line) }
        next = isForward ? lines[lines.count - 1].number + 1 : lines[0].number - 1
        return .goesOn
    }
}
