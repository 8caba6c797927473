import AttlasTestSupport

@testable import AttlasTrace

/// A sink that only counts.
struct Counter: EventSink {
    /// The limits that were told, in their order.
    var limits: [TraceLimit] = []
    var events = 0
    var faults = 0
    var lastFrame = 0

    mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        events += 1
        lastFrame = event.frame
        if case .fault = event.detail { faults += 1 }
        if case .limit(let limit, _) = event.detail { limits.append(limit) }
    }
}

/// Feeds records one by one without keeping them.
struct Feeder: ~Copyable {
    var trace: Trace
    var sink = Counter()
    private var maker = RecordMaker()

    init(limits: TraceLimits = .standard) {
        trace = Trace(limits: limits)
    }

    mutating func feed(_ packet: Packet) {
        maker.make(packet) { trace.decode($0, into: &sink) }
    }

    /// LE Connection Complete with a device whose address is `number`.
    mutating func connect(handle: Int, number: Int, controller: UInt16 = 0) {
        feed(
            Packet(
                .packet(.event), .rx,
                hex("3E 13 01 00") + little(handle) + [0, 0] + little(number, 4) + hex("001A 1800 0000 4800 00"),
                controller: controller))
    }
}
