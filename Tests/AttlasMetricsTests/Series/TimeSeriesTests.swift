import AttlasMetrics
import AttlasTestSupport
import Testing

@Suite struct TimeSeriesTests {
    @Test func aLongTimeKeepsTheExtremesAndTheMean() {
        var series = TimeSeries(name: "x", unit: nil)
        // 100 s, every 10 ms: 0, 1, … 9 999.
        for number in 0..<10_000 { series.note(Double(number), at: Int64(number) * 10_000_000) }
        #expect(series.pieces.count <= TimeSeries.pieceLimit)
        // 100 000 pieces of 1 ms are halved six times.
        expect(series.pieceLength, equals: 64_000_000)
        expect(series.total.count, equals: 10_000)
        expect(series.bounds, equals: 0...9_999)
        expect(series.mean, equals: 4_999.5)
        #expect(series.gaps.isEmpty)
        // 64 ms have the numbers 0 to 6.
        expect(series.bounds(ofPiece: 0), equals: 0...6)
        expect(series.time(ofPiece: 1), equals: 64_000_000)
    }

    @Test func aGapIsThreeTimesTheMeanTimeBetweenTwoNumbers() {
        var series = TimeSeries(name: "x", unit: nil)
        for second in [1, 2, 3, 4, 5, 6, 7, 8, 30, 31] as [Int64] { series.note(1, at: second * 1_000_000_000) }
        expect(series.gaps.map(\.start), equals: [8_000_000_000])
        expect(series.gaps.map(\.length), equals: [22_000_000_000])
    }

    /// Long silences do not make each other usual: three values a second apart, far from two others.
    @Test func aLongSilenceIsComparedWithTheShorterOnes() {
        var series = TimeSeries(name: "x", unit: nil)
        for second in [1, 2, 3, 4, 500, 501, 502, 503, 1_000] as [Int64] { series.note(1, at: second * 1_000_000_000) }
        expect(series.gaps.map(\.length), equals: [497_000_000_000, 496_000_000_000])
    }

    /// A notification has up to nine RR-Intervals: the time between two notifications is the usual one.
    @Test func severalNumbersOfOneTimeMakeNoGap() {
        var series = TimeSeries(name: "x", unit: nil)
        for second in 1...6 as ClosedRange<Int64> {
            for _ in 0..<9 { series.note(1, at: second * 1_000_000_000) }
        }
        #expect(series.gaps.isEmpty)
        for _ in 0..<9 { series.note(1, at: 20_000_000_000) }
        expect(series.gaps.map(\.length), equals: [14_000_000_000])
    }

    @Test func aRateCountsTheAmountsOfEachSecond() {
        var series = TimeSeries(name: "x", unit: "B/s", isRate: true)
        for (octets, milliseconds) in [(20, 5_000), (20, 5_400), (4, 8_100)] as [(Double, Int64)] {
            series.note(octets, at: milliseconds * 1_000_000)
        }
        expect(series.pieces.indices.map { series.bounds(ofPiece: $0) }, equals: [40...40, 0...0, 0...0, 4...4])
        expect(series.bounds, equals: 0...40)
        expect(series.mean, equals: 11)
    }

    @Test func aHostileClockNamesAnyTime() {
        for isRate in [false, true] {
            var series = TimeSeries(name: "x", unit: nil, isRate: isRate)
            for time: Int64 in [0, .max, .min, -1, 5, .max, .min] { series.note(.greatestFiniteMagnitude, at: time) }
            #expect(series.pieces.count <= TimeSeries.pieceLimit)
            expect(series.total.count, equals: 7)
            _ = (series.gaps, series.bounds, series.mean)
            var late = TimeSeries(name: "x", unit: nil, isRate: isRate)
            for time: Int64 in [.min, .max, 0] { late.note(1, at: time) }
            #expect(late.pieces.count <= TimeSeries.pieceLimit)
        }
    }
}
