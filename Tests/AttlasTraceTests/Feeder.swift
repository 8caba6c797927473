import AttlasCapture
import AttlasWire

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
    private var frame = 0

    init(limits: TraceLimits = .standard) {
        trace = Trace(limits: limits)
    }

    mutating func feed(
        _ type: HCIPacketType, _ direction: Direction, _ octets: [UInt8], controller: UInt16 = 0, missing: Int = 0
    ) {
        frame += 1
        let header = CollectionOfOne(
            RecordHeader(
                frame: frame,
                time: Timestamp(seconds: Int64(frame / 1000), nanoseconds: 0, precision: 6), content: .packet(type),
                direction: direction, controller: controller, length: octets.count, missing: missing, lost: 0))
        let record = Record(header, bytes: Bytes(octets.span))
        trace.decode(record, into: &sink)
    }

    mutating func feed(_ packet: Packet) {
        guard case .packet(let type) = packet.content else { return }
        feed(type, packet.direction, packet.octets, controller: packet.controller, missing: packet.missing)
    }

    /// LE Connection Complete with a device whose address is `number`.
    mutating func connect(handle: Int, number: Int, controller: UInt16 = 0) {
        feed(
            .event, .rx,
            hex("3E 13 01 00") + little(handle) + [0, 0] + little(number & 0xFFFF) + little(number >> 16)
                + [0, 0x1A, 0x18, 0, 0, 0, 0x48, 0, 0], controller: controller)
    }
}
