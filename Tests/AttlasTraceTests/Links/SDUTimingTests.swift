import AttlasCapture
import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasTrace

/// SDUs of 10 ms on a stream with a transport latency of 20 ms. Core Specification, Vol 4, Part E, 5.4.5, 7.7.65.25 and 7.8.97.
@Suite struct SDUTimingTests {
    private static func stream(_ interval: UInt32?, _ latency: UInt32) -> IsochronousStream {
        IsochronousStream(
            kind: .connected(group: 1, stream: 7), controller: 0, handle: 0x60, isoInterval: 8,
            transmit: .init(phy: nil, maxPDU: 40, sduInterval: interval, transportLatency: latency), receive: nil)
    }

    /// Numbers, and milliseconds from the first.
    private func timing(
        _ sdus: [(number: Int, milliseconds: Double)], inFlight: Int? = 0, disruptedFrom disruption: Int = .max
    ) throws -> SDUTiming {
        var timing = try #require(SDUTiming(Self.stream(10_000, 20_000)))
        for (index, sdu) in sdus.enumerated() {
            let octets =
                hex("6020 0600") + [UInt8(sdu.number & 0xFF), UInt8(sdu.number >> 8 & 0xFF)] + hex("0200 AABB")
            let time = Timestamp(microseconds: 1_000_000 + Int(sdu.milliseconds * 1_000))
            timing.note(
                try ISOPacket(Bytes(octets.span)), Moment(frame: index + 1, time: time), inFlight: inFlight,
                disruptions: index < disruption ? 0 : 1)
        }
        return timing
    }

    private func steady(_ numbers: Range<Int>, from: Double = 0) -> [(number: Int, milliseconds: Double)] {
        numbers.map { ($0, from + Double($0) * 10) }
    }

    @Test func onlyWhatIsKnownIsMeasured() {
        #expect(SDUTiming(Self.stream(10_000, 20_000)) != nil)
        #expect(SDUTiming(Self.stream(nil, 20_000)) == nil)
        // A virtual controller has no latency.
        #expect(SDUTiming(Self.stream(10_000, 0)) == nil)
        #expect(SDUTiming(Self.stream(0, 20_000)) == nil)
    }

    @Test func aSteadyHostIsNeverLate() throws {
        let timing = try timing(steady(65_500..<65_600).map { ($0.number, $0.milliseconds - 655_000) })
        #expect(timing.late == 0 && timing.gaps == 0 && !timing.isEmpty)
    }

    /// Number 30 comes 50 ms late, and the next ones 1 ms apart: 41, 32, 23 and 14 ms late.
    @Test func aHostThatCatchesUp() throws {
        let burst = (30..<35).map { (number: $0, milliseconds: 350 + Double($0 - 30)) }
        let sdus = steady(0..<30) + burst + steady(35..<60)
        let timing = try timing(sdus)
        expect(timing.late, equals: 4)
        expect(timing.largestLateness, equals: 50_000_000)
        expect(timing.lastLate?.frame, equals: 31)
        expect(timing.gaps, equals: 1)
        expect(timing.longestGap, equals: 60_000_000)
        // The controller has other SDUs to send, or it is not known.
        for inFlight in [1, nil] { expect(try self.timing(sdus, inFlight: inFlight).late, equals: 0) }
    }

    /// All that follow number 30 are 100 ms late: the first is late, then the rhythm is another one.
    @Test func aHostThatDoesNotCatchUp() throws {
        let timing = try timing(steady(0..<30) + steady(30..<200, from: 100))
        expect(timing.late, equals: 1)
        expect(timing.largestLateness, equals: 100_000_000)
        expect(timing.gaps, equals: 1)
    }

    /// Numbers continue while nothing is sent: a gap, and no SDU is late.
    @Test func aHostThatLeavesOutNumbers() throws {
        let timing = try timing(steady(0..<30) + steady(60..<90))
        expect(timing.late, equals: 0)
        expect(timing.gaps, equals: 1)
        expect(timing.longestGap, equals: 310_000_000)
    }

    @Test func lossesAndPausesEndTheMeasurement() throws {
        let late = steady(0..<30) + (30..<60).map { ($0, max(Double($0) * 10, 320 + Double($0))) }
        expect(try timing(late).late, equals: 4)
        expect(try timing(late, disruptedFrom: 30).late, equals: 0)
        expect(try timing(late, disruptedFrom: 30).gaps, equals: 0)
        expect(try timing(steady(0..<30) + steady(30..<90, from: 2_000)).late, equals: 0)
        expect(try timing((0..<200).map { (7, Double($0 * 10)) }).late, equals: 0)
    }

    /// A clock that is slower by 500 ppm: 50 ms after 10,000 SDUs.
    @Test func aDriftIsNotLate() throws {
        expect(try timing((0..<10_000).map { ($0, Double($0) * 10.005) }).late, equals: 0)
    }

    /// A host fills its controller with five SDUs, then lets it empty once.
    @Test func theFirstOnesAreNeverLate() throws {
        let timing = try timing((0..<5).map { ($0, Double($0)) } + steady(5..<200, from: 60))
        expect(timing.late, equals: 0)
    }
}
