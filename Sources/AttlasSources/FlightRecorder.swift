import AttlasCapture
import AttlasRecords
import Glibc

/// Keeps the last records in memory. After a trigger, it writes them, and further records for the same time.
///
/// Its records are bounded in time and in memory. If the process is killed, all that was written is on the disk, up to a whole record.
package struct FlightRecorder {
    /// The amount kept before an incident, and recorded after it.
    package struct Window: Sendable {
        let seconds: Int64
        let octets: Int

        /// - Parameter octets: of memory.
        package init(seconds: Int64, octets: Int) {
            self.seconds = seconds
            self.octets = octets
        }
    }

    /// Something that happened.
    struct Trigger: Sendable {
        /// Frame of the record that shows it.
        let frame: Int
        /// `link lost`
        let name: String
    }

    /// Records of a short time. Times are nanoseconds of `clock`.
    private struct Part {
        var batch = RecordBatch()
        let firstFrame: Int
        let start: Int64
        var end: Int64
    }

    private struct Piece {
        var name = ""
        var records = 0
        var triggers = 0
        /// When it ends.
        var end: Int64 = 0
    }

    private let window: Window
    private let length: Int64
    /// Parts that are kept, from `head` on.
    private var parts: [Part] = []
    private var head = 0
    private var size = 0
    /// The end of the last part dropped for lack of memory.
    private var cut: Int64?
    private var clock = ElapsedTime()
    /// Triggers whose records have not come.
    private var waiting: [Trigger] = []
    /// The piece being written; nil if there is none.
    private var piece: Piece?
    private(set) var pieces = 0

    init(_ window: Window) {
        self.window = window
        length = window.seconds * 1_000_000_000
    }

    /// - Parameters:
    ///   - now: Time of their arrival, in nanoseconds of a monotonic clock.
    ///   - triggers: Events since the last call.
    ///   - report: Gets messages about a piece.
    mutating func add(
        _ batch: RecordBatch, at now: Int64, _ triggers: [Trigger], to writer: RecordWriter,
        _ report: (CaptureError) -> Void
    ) {
        waiting += triggers
        batch.visit { record in
            let time = clock.advance(to: record.time, at: now, gap: length)
            if let piece, time > piece.end { end(writer, report) }
            if piece != nil { write(record, writer) }
            keep(record, time)
            if !waiting.isEmpty { settle(upTo: record.frame, writer, report) }
            return true
        }
        if batch.count == 0, let last = parts.last { settle(upTo: last.batch.lastFrame ?? 0, writer, report) }
    }

    /// No record comes any more.
    mutating func finish(_ triggers: [Trigger], _ writer: RecordWriter, _ report: (CaptureError) -> Void) {
        waiting += triggers
        settle(upTo: .max, writer, report)
        if piece != nil { end(writer, report) }
    }

    private mutating func write(_ record: borrowing Record, _ writer: RecordWriter) {
        if writer.write(record) { piece?.records += 1 }
    }

    private mutating func keep(_ record: Record, _ time: Int64) {
        // A part covers at most 1 s, or a sixtieth of the time.
        let isNew =
            parts.count == head || time - parts[parts.count - 1].start > min(1_000_000_000, length / 60)
            || parts[parts.count - 1].batch.size >= 1 << 16
        if isNew { parts.append(Part(firstFrame: record.frame, start: time, end: time)) }
        let last = parts.count - 1
        size -= parts[last].batch.size
        parts[last].batch.append(record)
        parts[last].end = time
        size += parts[last].batch.size
        while head < last {
            let isOld = parts[head].end < time - length
            guard isOld || size > window.octets else { break }
            if !isOld { cut = parts[head].end }
            size -= parts[head].batch.size
            parts[head].batch = RecordBatch()
            head += 1
        }
        if head >= 1_024 {
            parts.removeFirst(head)
            head = 0
        }
    }

    private mutating func settle(upTo frame: Int, _ writer: RecordWriter, _ report: (CaptureError) -> Void) {
        for trigger in waiting where trigger.frame <= frame { record(trigger, writer, report) }
        waiting.removeAll { $0.frame <= frame }
    }

    /// Begins a piece with the kept records, or extends the current one.
    private mutating func record(_ trigger: Trigger, _ writer: RecordWriter, _ report: (CaptureError) -> Void) {
        guard writer.failure == nil, parts.count > head else { return }
        let end = parts[parts.count - 1].end + length
        if piece != nil {
            piece?.triggers += 1
            piece?.end = end
            return
        }
        guard let name = writer.beginPiece() else { return }
        pieces += 1
        piece = Piece(name: name, triggers: 1, end: end)
        for part in parts[head...] {
            part.batch.visit { record in
                write(record, writer)
                return true
            }
        }
        // Before the message that it is on the disk.
        writer.flush()
        guard writer.failure == nil else { return }
        var text = "\(trigger.name) in frame \(trigger.frame): "
        if let moment = parts[head...].last(where: { $0.firstFrame <= trigger.frame })?.end {
            if let cut, cut > moment - length {
                text += "recorded with the \(Self.seconds(moment - parts[head].start)) before it, "
                text += "not \(Self.seconds(length)): --keep-memory is \(window.octets) octets"
            } else {
                // The clock begins with the first record.
                text += "recorded with the \(Self.seconds(min(moment, length))) before it"
            }
        } else {
            text += "recorded without the records before it, which are no longer in memory"
        }
        report(CaptureError(.unsupported, file: name, text))
    }

    private mutating func end(_ writer: RecordWriter, _ report: (CaptureError) -> Void) {
        guard let piece else { return }
        self.piece = nil
        writer.endPiece()
        guard writer.failure == nil else { return }
        let incidents = piece.triggers == 1 ? "1 incident" : "\(piece.triggers) incidents"
        let records = piece.records == 1 ? "1 record" : "\(piece.records) records"
        report(CaptureError(.unsupported, file: piece.name, "complete: \(records), \(incidents)"))
    }

    /// `9 min 12 s`, `3.2 s`
    private static func seconds(_ time: Int64) -> String {
        let tenths = (max(0, time) + 50_000_000) / 100_000_000
        if tenths < 600 { return tenths.isMultiple(of: 10) ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s" }
        let seconds = tenths / 10
        return seconds.isMultiple(of: 60) ? "\(seconds / 60) min" : "\(seconds / 60) min \(seconds % 60) s"
    }
}

/// The time that has passed between records: by their own clock where that may be, and otherwise by that of their arrival.
///
/// A clock that is set back, or ahead by more than `gap`, does not make the records before it old.
private struct ElapsedTime {
    private var elapsed: Int64 = 0
    private var last: (time: Timestamp, arrival: Int64)?

    mutating func advance(to time: Timestamp, at now: Int64, gap: Int64) -> Int64 {
        defer { last = (time, now) }
        guard let last else { return 0 }
        let step = time.nanoseconds(since: last.time)
        // A century is far below the limits of the type.
        elapsed = min(elapsed + (0...gap ~= step ? step : min(max(0, now - last.arrival), 1 << 60)), 1 << 61)
        return elapsed
    }
}
