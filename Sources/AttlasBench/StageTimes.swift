import AttlasDissection
import AttlasInput
import AttlasMetrics
import AttlasTrace

/// The time of each stage of the decode path.
///
/// The same batch of records goes through pipelines of which each is one stage longer than the one before; the clock is read only between
/// batches. A stage's time is the difference between two pipelines.
struct StageTimes: Sendable {
    enum Stage: Int, Sendable, CaseIterable {
        case read, frames, operations, attributes, dissection, sink
    }

    static let batch = 1_024
    private static let rounds = 5
    /// Records of a round.
    private static let most = 1_000_000

    /// Nanoseconds a record, by stage. A difference of two measurements may be a little below 0.
    let nanoseconds: [Double]

    init(_ bytes: [UInt8], name: String, library: DissectorLibrary) throws(CaptureError) {
        var rounds: [[Double]] = []
        for _ in 0..<Self.rounds { rounds.append(try Self.round(bytes, name, library)) }
        let pipelines = Stage.allCases.indices.map { stage in
            Sample(rounds.map { Int64($0[stage] * 1_000) }).median / 1_000
        }
        nanoseconds = pipelines.indices.map { pipelines[$0] - ($0 > 0 ? pipelines[$0 - 1] : 0) }
    }

    /// Nanoseconds a record of each pipeline.
    private static func round(
        _ bytes: [UInt8], _ name: String, _ library: DissectorLibrary
    ) throws(CaptureError) -> [Double] {
        var read = try CaptureReader(bytes: bytes, name: name)
        var frames = try Pipeline(bytes, name, FrameSink())
        var operations = try Pipeline(bytes, name, OperationSink())
        var attributes = try Pipeline(bytes, name, AttributeSink())
        var dissection = try Pipeline(bytes, name, DissectingSink(library: library))
        var sink = try Pipeline(
            bytes, name, FullSink(first: DissectingSink(library: library), second: ConversationTotals()))
        var times = [Int64](repeating: 0, count: Stage.allCases.count)
        var records = 0
        while records < most {
            var clock = Clock.now()
            func lap(_ stage: Stage) {
                let now = Clock.now()
                times[stage.rawValue] += now - clock
                clock = now
            }
            var count = 0
            while count < batch, try read.next() != nil { count += 1 }
            lap(.read)
            try frames.run(count)
            lap(.frames)
            try operations.run(count)
            lap(.operations)
            try attributes.run(count)
            lap(.attributes)
            try dissection.run(count)
            lap(.dissection)
            try sink.run(count)
            lap(.sink)
            records += count
            if count < batch { break }
        }
        return times.map { Double($0) / Double(max(1, records)) }
    }
}

/// A reader, a trace and a sink that take up work where they left it.
private struct Pipeline<Sink: EventSink>: ~Copyable {
    var reader: CaptureReader
    var trace = Trace()
    var sink: Sink

    init(_ bytes: [UInt8], _ name: String, _ sink: Sink) throws(CaptureError) {
        reader = try CaptureReader(bytes: bytes, name: name)
        self.sink = sink
    }

    mutating func run(_ records: Int) throws(CaptureError) {
        for _ in 0..<records {
            guard let record = try reader.next() else { return }
            trace.decode(record, into: &sink)
        }
    }
}
