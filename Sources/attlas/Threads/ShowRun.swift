import AttlasConversation
import AttlasIncidents
import AttlasInput
import AttlasMetrics
import AttlasText
import AttlasThreads
import AttlasTrace
import AttlasValues
import Glibc

/// How a capture becomes lines.
struct ShowRun<Sink: ShownLines>: Sendable {
    /// A file below this size is shown before a second thread has begun.
    private static var sharingSize: Int { 1 << 20 }
    /// Threads for one capture by default: with more, nearly all of their time is spent on decoding the same.
    private static var usualThreads: Int { 4 }

    /// Lines, and incidents for the summary, which read the same values.
    typealias Lines = SinkPair<Selected<Sink>, OptionalSink<IncidentCollector>>

    /// Called with whether incidents are collected.
    let makeSink: @Sendable (Bool) -> Interpreted<Lines>
    /// Whether the summary has incidents. Only the first thread collects them.
    let hasIncidents: Bool
    let makeTrace: @Sendable () -> Trace
    /// The number of the last record to show.
    let recordLimit: Int
    /// Whether a line may depend on the lines before it, and not only on the decoded state.
    let isOneThread: Bool
    /// As requested.
    let threads: Int?

    /// Shows all of a capture, on several threads when it is a large file; returns its trace.
    /// - Parameter finish: called with the trace when all is written, also before an error is thrown; and, if a selection found
    ///   nothing, with the number of ATT operations of the whole capture.
    func show(
        _ reader: inout CaptureReader, _ output: inout Output,
        finish: (borrowing Trace, CaptureInfo, CaptureIntegrity, _ unselected: Int?) -> Void
    ) throws(CaptureError) {
        let path = reader.info.file
        let helpers = makeHelpers(path, output)
        let turn = helpers.flatMap { $0.workers.isEmpty ? nil : $0.output.begin(threads: $0.workers.count + 1) }
        var pass = DecodePass(
            sink: SinkPair(first: makeSink(hasIncidents), second: ConversationTotals()), trace: makeTrace())
        var failure: CaptureError?
        do throws(CaptureError) {
            try pass.run(&reader, self, turn, &output)
        } catch {
            failure = error
        }
        let info = reader.info
        if let turn, let helpers {
            turn.finish(after: pass.extent.records)
            for worker in helpers.workers { worker.join() }
            output = turn.output.output
        }
        let integrity = complete(&pass, info, endedBy: failure, &output)
        finish(pass.trace, info, integrity, pass.shown.foundNothing ? pass.totals.operations : nil)
        if let failure { throw failure }
        let isChanged = turn.map { !$0.output.agree && !output.isClosed } ?? false
        if isChanged { throw CaptureError(changed: path) }
    }

    private func complete(
        _ pass: inout DecodePass<Sink>, _ info: CaptureInfo, endedBy failure: CaptureError?, _ output: inout Output
    ) -> CaptureIntegrity {
        pass.finish()
        let integrity = CaptureIntegrity(pass.extent, info, in: pass.trace, endedBy: failure)
        let totals = ShownTotals(
            all: pass.totals, selected: pass.shown.totals,
            incidents: pass.finishIncidents(integrity))
        pass.end(totals, integrity, info)
        pass.shown.sink.drain(into: &output, isForced: true)
        return integrity
    }

    /// The threads besides this one; fewer when the system gives no more.
    private func makeHelpers(_ path: String, _ output: Output) -> (output: AlternatingOutput, workers: [Worker])? {
        let count = threads ?? min(Parallel.processors, Self.usualThreads)
        guard !isOneThread, count > 1, (SystemCalls.regularFileSize(path) ?? 0) >= Self.sharingSize else { return nil }
        let shared = AlternatingOutput(output, limit: count)
        var workers: [Worker] = []
        while workers.count + 1 < count {
            let number = workers.count + 1
            guard let worker = Worker({ help(shared.join(as: number), path) }) else { break }
            workers.append(worker)
        }
        return (shared, workers)
    }

    /// Another thread: its own reader, trace and sink.
    private func help(_ turn: AlternatingOutput.Turn, _ path: String) {
        var pass = DecodePass(
            sink: SinkPair(first: makeSink(false), second: ConversationTotals()), trace: makeTrace())
        var output = turn.output.output
        do throws(CaptureError) {
            var reader = try CaptureReader(path: path)
            try pass.run(&reader, self, turn, &output)
        } catch {
            // The first thread has the same one.
        }
        turn.finish(after: pass.extent.records)
    }
}

/// One thread's way through a capture.
private struct DecodePass<Sink: ShownLines>: ~Copyable {
    var sink: SinkPair<Interpreted<ShowRun<Sink>.Lines>, ConversationTotals>
    var trace: Trace
    var extent = CaptureExtent()
    private var hasBegun = false

    /// The shown part.
    var shown: Selected<Sink> {
        @inline(__always) _read { yield sink.first.sink.first }
        @inline(__always) _modify { yield &sink.first.sink.first }
    }

    var totals: ConversationTotals { sink.second }

    init(sink: SinkPair<Interpreted<ShowRun<Sink>.Lines>, ConversationTotals>, trace: consuming Trace) {
        self.sink = sink
        self.trace = trace
    }

    /// To be called once, after `finish`.
    mutating func finishIncidents(_ integrity: CaptureIntegrity) -> IncidentsModel? {
        sink.first.sink.second.sink?.finish(in: trace, integrity)
    }

    mutating func run(
        _ reader: inout CaptureReader, _ showing: ShowRun<Sink>, _ turn: AlternatingOutput.Turn?, _ output: inout Output
    ) throws(CaptureError) {
        let isFirst = turn?.thread ?? 0 == 0
        shown.isMuted = !isFirst
        try trace.settleOrigin(&reader)
        defer {
            if let turn, !shown.isMuted {
                begin(reader.info, isFirst: isFirst)
                turn.write(&shown.sink.lines, after: extent.records)
            }
        }
        repeat {
            if let turn, shown.isMuted == turn.isOwn(after: extent.records) {
                begin(reader.info, isFirst: isFirst)
                if !shown.isMuted { turn.write(&shown.sink.lines, after: extent.records) }
                shown.isMuted.toggle()
                if turn.output.output.isClosed { return }
            }
            let left = min(showing.recordLimit - extent.records, turn?.left(after: extent.records) ?? .max)
            guard try decode(&reader, limit: max(1, left)) else { return }
            if turn == nil {
                // As late as possible, when more of the capture is known.
                let isForced = reader.isDrained
                if isForced || shown.sink.lines.count >= Output.chunk { begin(reader.info, isFirst: true) }
                shown.sink.drain(into: &output, isForced: isForced)
            }
        } while !output.isClosed && extent.records < showing.recordLimit
    }

    /// The events and the findings of the end.
    mutating func finish() {
        shown.isMuted = false
        trace.finish(into: &sink)
        sink.first.sink.first.finishFindings(in: trace)
    }

    mutating func end(_ totals: ShownTotals, _ integrity: CaptureIntegrity, _ info: CaptureInfo) {
        sink.first.sink.first.sink.end(totals, integrity, info, in: trace)
    }

    /// Only the first thread shows it.
    private mutating func begin(_ info: CaptureInfo, isFirst: Bool) {
        guard !hasBegun, extent.records > 0 else { return }
        hasBegun = true
        sink.first.sink.first.sink.begin(info, extent, in: trace)
        if !isFirst { shown.sink.lines.removeAll() }
    }

    /// Decodes records in a row, `limit` at most; false at the end.
    private mutating func decode(_ reader: inout CaptureReader, limit: Int) throws(CaptureError) -> Bool {
        guard let row = try reader.nextRow(limit: limit) else { return false }
        extent.note(row)
        // Rows of several records have no comments.
        if row.count == 1 {
            let comments = row[0].comments
            if !comments.isEmpty { shown.sink.note(comments, of: row[0].frame) }
        }
        trace.decode(row, into: &sink)
        return true
    }
}
