import AttlasTestSupport
import AttlasTrace
import AttlasWire
import Testing

@testable import AttlasMetrics

/// A conversation whose packets have known times, measured.
struct Talk {
    private var packets: [Packet] = []

    /// The frame that the next packet will be.
    var nextFrame: Int { packets.count + 1 }

    mutating func add(_ packet: Packet, at milliseconds: Double, lost: UInt32 = 0) {
        packets.append(packet.at(milliseconds: milliseconds).losing(lost))
    }

    mutating func event(_ octets: String, at milliseconds: Double) {
        add(.event(octets), at: milliseconds)
    }

    mutating func connect(
        at milliseconds: Double, interval: Int = 24, address: String = Address.strap, handle: Int = 0x40,
        role: UInt8 = 0
    ) {
        add(.connected(address, handle: handle, role: role, interval: interval), at: milliseconds)
    }

    mutating func disconnect(at milliseconds: Double, reason: UInt8 = 0x13, handle: Int = 0x40) {
        add(.disconnected(handle: handle, reason: reason), at: milliseconds)
    }

    mutating func att(
        _ direction: Direction, _ pdu: String, at milliseconds: Double, handle: Int = 0x40, lost: UInt32 = 0
    ) {
        add(.att(direction, pdu, handle: handle), at: milliseconds, lost: lost)
    }

    /// A Read Request of 0x0003 and its response with one octet.
    mutating func read(at milliseconds: Double, answeredAfter roundTrip: Double) {
        att(.tx, "0A 0300", at: milliseconds)
        att(.rx, "0B 57", at: milliseconds + roundTrip)
    }

    /// - Parameter prepare: called before each record, with its frame.
    func measure(
        limits: TraceLimits = .standard, _ prepare: (inout StatisticsCollector, Int) -> Void = { _, _ in }
    ) -> StatisticsCollector {
        var trace = Trace(limits: limits)
        var collector = StatisticsCollector()
        var maker = RecordMaker()
        for packet in packets {
            prepare(&collector, maker.frame + 1)
            maker.make(packet) { trace.decode($0, into: &collector) }
        }
        trace.finish(into: &collector)
        collector.finish(in: trace)
        return collector
    }

    /// The only row of round trips, and of values.
    func exchange() throws -> ExchangeRow { try #require(measure().groups(by: .connection).first?.exchanges.first) }
    func values() throws -> ValueRow { try #require(measure().groups(by: .connection).first?.values.first) }
}
