import AttlasCapture

/// Where relative times are counted from in a capture that begins with records that are days older than its conversation.
public struct TimeOrigin: Sendable, Equatable {
    /// The first frame after the leap of the clock.
    let frame: Int
    let time: Timestamp
    /// Microseconds by which the record before is older.
    let age: Int64

    /// `Times count from frame 57: the 56 records before it are 3 days older.`
    public var sentence: String {
        let days = age / 86_400_000_000
        let records = frame == 2 ? "record before it is" : "\(frame - 1) records before it are"
        return "Times count from frame \(frame): the \(records) \(days) \(days == 1 ? "day" : "days") older."
    }
}

/// A jump of the clock ahead.
public struct ClockLeap: Sendable, Equatable {
    /// Time of the record after it.
    public let time: Timestamp
    /// In nanoseconds.
    public let length: Int64
}

extension Trace {
    /// Whether a connection or an advertising report was decoded.
    var hasConversation: Bool { hasDiscovery || connectionCount > 0 }

    /// Looks for the origin in the first octets of the capture, so that times before it are negative. Call it before the first
    /// record is decoded; no later leap moves the origin then.
    public mutating func settleOrigin(_ reader: inout CaptureReader) throws(CaptureError) {
        var ahead = try reader.lookahead()
        var trace = Trace()
        var sink = NoEvents()
        while !trace.hasConversation, let record = try? ahead.next() {
            if case .broken = record.content { continue }
            trace.decodeUnspecialized(record, into: &sink)
        }
        settle(trace.origin)
    }
}

private struct NoEvents: EventSink {
    mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {}
}
