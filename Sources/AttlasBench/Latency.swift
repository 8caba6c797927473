import AttlasDissection
import AttlasInput
import AttlasMetrics
import AttlasTrace
import Histogram

/// How long a whole record takes, from the octets in memory to the last sink.
struct Latency: Sendable {
    /// One record in this number is timed: a prime, so that it does not keep step with a conversation.
    static let interval = 17
    /// Ten seconds.
    private static let highest: UInt64 = 10_000_000_000

    /// Nanoseconds that were subtracted from each measurement: the clock's own cost.
    let clockCost: Int64
    private(set) var samples = 0
    private var histogram = Histogram<UInt32>(highestTrackableValue: highest, numberOfSignificantValueDigits: .three)

    init(_ bytes: [UInt8], name: String, library: DissectorLibrary) throws(CaptureError) {
        clockCost = Clock.cost()
        var reader = try CaptureReader(bytes: bytes, name: name)
        var trace = Trace()
        var sink = FullSink(first: DissectingSink(library: library), second: ConversationTotals())
        while true {
            for _ in 1..<Self.interval {
                guard let record = try reader.next() else { return }
                trace.decode(record, into: &sink)
            }
            let start = Clock.now()
            guard let record = try reader.next() else { return }
            trace.decode(record, into: &sink)
            let time = Clock.now() - start
            histogram.record(min(UInt64(clamping: time - clockCost), Self.highest))
            samples += 1
        }
    }

    /// Nanoseconds that `percent` of the records did not exceed.
    func percentile(_ percent: Double) -> Int {
        samples == 0 ? 0 : Int(histogram.valueAtPercentile(percent))
    }

    var max: Int { samples == 0 ? 0 : Int(histogram.max) }
}
