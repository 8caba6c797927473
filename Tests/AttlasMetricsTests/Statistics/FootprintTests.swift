import AttlasTestSupport
import Testing

@testable import AttlasMetrics

/// What is measured takes a bounded amount of memory, whatever the values are.
@Suite struct FootprintTests {
    /// Values that are spread over an hour, as far as a histogram reaches.
    private func spread(_ count: Int) -> [Int64] {
        (0..<count).map { Int64($0 * 2_654_435_761 % 3_600_000_000) }
    }

    @Test func aTightDistributionTakesLittle() {
        var tight = Distribution()
        for value in spread(20_000) { tight.record(value, isTight: true) }
        expect(tight.count, equals: 20_000)
        #expect(tight.footprint < 4_096)
        // Of values that are spread evenly, half lie below the middle. One significant digit: within 7 %.
        let middle = 1_800_000_000.0
        #expect(abs(Double(tight.percentile(50) ?? 0) - middle) < 0.07 * middle + 3_600_000_000 / 20_000)
        expect(tight.minimum, equals: 0)
        #expect(tight.mean.map { abs($0 - middle) < 0.01 * middle } == true)
    }

    /// Not by what the allocator had left, which is another number in every run.
    @Test func roomIsToldByWhatIsHeld() {
        var values = Distribution()
        expect(values.footprint, equals: 0)
        for value in 0..<100 { values.record(Int64(value)) }
        // Room for 128 values of four octets.
        expect(values.footprint, equals: 512)
        // Three digits: 1 024 counts for each doubling of the values, and as many for those below.
        for value in 0..<1_025 { values.record(Int64(value) % 4_000) }
        expect(values.footprint, equals: 512 + 2_048 * 4)
        values.record(4_000)
        expect(values.footprint, equals: 512 + 4_096 * 4)
    }

    /// A histogram that was begun with room for more does not grow any more.
    @Test func aDistributionThatBecomesTightDoesNotGrow() {
        var distribution = Distribution()
        for value in 0..<2_000 { distribution.record(Int64(value)) }
        let before = distribution.footprint
        for value in spread(5_000) { distribution.record(value, isTight: true) }
        expect(distribution.count, equals: 7_000)
        #expect(distribution.footprint <= before)
        expect(distribution.maximum, equals: spread(5_000).max().map { Int($0) })
        let p99: Int? = distribution.percentile(99)
        #expect(p99.map { $0 > 3_000_000_000 } == true)
    }

    /// Rows of different precision are put together for a peer.
    @Test(arguments: [(false, true), (true, false), (true, true), (false, false)])
    func distributionsOfAnyPrecisionMerge(_ first: Bool, _ second: Bool) {
        var (one, other) = (Distribution(), Distribution())
        for value in 0..<3_000 { one.record(Int64(value), isTight: first) }
        for value in 0..<3_000 { other.record(Int64(value) * 1_000, isTight: second) }
        one.merge(other)
        expect(one.count, equals: 6_000)
        expect(one.minimum, equals: 0)
        expect(one.maximum, equals: 2_999_000)
        // Half of the values are those below 3 000.
        #expect((2_700...4_000).contains(one.percentile(50) ?? 0))
    }

    /// A window holds what came in the last second, and not what came in the one before.
    @Test func aWindowForgetsWhatIsBehindIt() {
        var window = BestSecond()
        for millisecond in 0..<100_000 {
            _ = window.record(1, at: Int64(millisecond) * 100_000_000)
        }
        expect(window.best, equals: 10)
        #expect(window.footprint < 2_048)
    }
}
