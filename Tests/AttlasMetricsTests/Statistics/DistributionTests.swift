import AttlasTestSupport
import Testing

@testable import AttlasMetrics

@Suite struct DistributionTests {
    private func distribution(_ values: some Sequence<Int64>) -> Distribution {
        var distribution = Distribution()
        for value in values { distribution.record(value) }
        return distribution
    }

    @Test func nothingHasNoFigures() {
        let empty = Distribution()
        #expect(empty.percentile(50) == nil)
        #expect(empty.minimum == nil)
        #expect(empty.maximum == nil)
        #expect(empty.mean == nil)
        #expect(empty.parts(12).isEmpty)
    }

    @Test func percentilesAreTheNearestRank() {
        // Of ten values the 5th, the 9th and the ⌈9.9⌉th.
        let ten = distribution([7, 1, 9, 3, 5, 10, 2, 8, 4, 6])
        expect(ten.percentile(50), equals: 5)
        expect(ten.percentile(90), equals: 9)
        expect(ten.percentile(99), equals: 10)
        expect(ten.percentile(0), equals: 1)
        expect(ten.percentile(100), equals: 10)
        expect(ten.minimum, equals: 1)
        expect(ten.maximum, equals: 10)
        expect(ten.mean, equals: 5.5)
    }

    @Test func oneSlowOfAHundredIsTheMaximumOnly() {
        let values = distribution(Array(repeating: 10_000, count: 99) + [1_000_000])
        expect(values.percentile(50), equals: 10_000)
        expect(values.percentile(99), equals: 10_000)
        expect(values.maximum, equals: 1_000_000)
        expect(values.mean, equals: 19_900)
    }

    @Test func manyValuesKeepThreeDigits() throws {
        let values = distribution((1...100_000).map { $0 * 10 })
        expect(values.count, equals: 100_000)
        expect(values.minimum, equals: 10)
        expect(values.maximum, equals: 1_000_000)
        expect(values.mean, equals: 500_005)
        for (percent, exact) in [(50.0, 500_000), (90, 900_000), (99, 990_000)] {
            #expect(abs(try #require(values.percentile(percent)) - exact) <= exact / 1_000)
        }
        expect(values.parts(10).map(\.count).reduce(0, +), equals: 100_000)
    }

    @Test func whatIsKeptHasALimit() {
        let values = distribution([-5, .max])
        expect(values.minimum, equals: 0)
        expect(values.maximum, equals: 3_600_000_000)
    }

    @Test func partsAreEquallyWide() {
        // From 10 to 21 in three parts: 10–13, 14–17, 18–21.
        let parts = distribution([10, 13, 14, 21]).parts(3)
        expect(parts.map(\.from), equals: [10, 14, 18])
        expect(parts.map(\.to), equals: [14, 18, 22])
        expect(parts.map(\.count), equals: [2, 1, 1])
        expect(distribution([5, 5, 5]).parts(12), equals: [Distribution.Part(from: 5, to: 6, count: 3)])
    }

    @Test(arguments: [(10, 20), (10, 5_000), (5_000, 10), (3_000, 5_000), (1_000, 1_000)])
    func mergedIsAsIfRecordedTogether(first: Int, second: Int) throws {
        var merged = distribution((1...Int64(first)).map { $0 * 100 })
        merged.merge(distribution((1...Int64(second)).map { $0 * 300 }))
        let together = distribution((1...Int64(first)).map { $0 * 100 } + (1...Int64(second)).map { $0 * 300 })
        expect(merged.count, equals: together.count)
        expect(merged.minimum, equals: 100)
        expect(merged.maximum, equals: together.maximum)
        expect(merged.mean, equals: together.mean)
        let (median, exact) = (try #require(merged.percentile(50)), try #require(together.percentile(50)))
        #expect(abs(median - exact) <= exact / 500)
    }
}
