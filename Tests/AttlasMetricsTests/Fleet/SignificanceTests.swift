import Testing

@testable import AttlasMetrics

/// The tests of Documentation/fleet.md, compared with figures of SciPy 1.10.
@Suite struct SignificanceTests {
    private func sample(_ values: [Double], ofCapture capture: Int = 0) -> Sample {
        var sample = Sample()
        for value in values { sample.add(value, ofCapture: capture) }
        return sample
    }

    private func rate(_ captures: [(Int, Double)]) -> Rate {
        var rate = Rate()
        for (count, exposure) in captures { rate.add(count, in: exposure) }
        return rate
    }

    private func isClose(_ number: Double?, _ other: Double) -> Bool { number.map { abs($0 - other) < 1e-9 } ?? false }

    /// scipy.stats.beta.cdf; the last is Student's t of 2.228138852 with 10 degrees of freedom.
    @Test func incompleteBetaFunction() {
        #expect(isClose(Significance.beta(0.5, 2, 3), 0.6875))
        #expect(isClose(Significance.beta(0.01, 0.5, 4), 0.21657559374999993))
        #expect(isClose(Significance.beta(0.3, 120, 250), 0.1587108460654624))
        #expect(isClose(Significance.beta(10 / (10 + 2.228138852 * 2.228138852), 5, 0.5), 0.04999999999883647))
        #expect(Significance.beta(0, 1, 1) == 0 && Significance.beta(1, 1, 1) == 1)
    }

    /// scipy.stats.mannwhitneyu(method='asymptotic'), without and with ties.
    @Test func mannWhitney() {
        let probability = Significance.probability(sample((1...20).map(Double.init)), sample((8...27).map(Double.init)))
        #expect(isClose(probability, 0.0018541024752447139))
        let tied = Significance.probability(
            sample((0..<40).map { Double($0 / 2) }), sample((0..<30).map { Double($0 / 2 + 5) }))
        #expect(isClose(tied, 0.07562596162769085))
        // 19 say nothing, and equal values have no difference.
        #expect(Significance.probability(sample((1...19).map(Double.init)), sample((8...27).map(Double.init))) == nil)
        let equal = sample([Double](repeating: 1, count: 20))
        #expect(Significance.probability(equal, equal) == 1)
    }

    /// Of 15 events in equal times, 3 or fewer are on one side: 2 × 576 ÷ 32,768.
    @Test func exactTestOfRates() {
        #expect(isClose(Significance.probability(rate([(3, 1)]), rate([(12, 1)])), 0.03515625))
        // Three times the events in three times the time.
        #expect(Significance.probability(rate([(10, 1)]), rate([(30, 3)])).map { $0 > 0.9 } == true)
        #expect(Significance.probability(rate([(3, 1)]), rate([(1, 1)])) == nil)
        #expect(Significance.probability(rate([(30, 1)]), rate([])) == nil)
    }

    /// 40 losses of one device are one bad device, and 4 of each of ten are not.
    @Test func captureThatDiffersAlone() throws {
        let quiet = rate([(Int, Double)](repeating: (1, 1), count: 10))
        let one = rate([(40, 1)] + [(Int, Double)](repeating: (0, 1), count: 9))
        let all = rate([(Int, Double)](repeating: (4, 1), count: 10))
        #expect(try #require(Significance.probability(quiet, one)) > 0.05)
        #expect(try #require(Significance.probability(quiet, all)) < 0.01)
        // The same of durations: one slow capture of three.
        func sample(_ captures: [Double]) -> Sample {
            var sample = Sample()
            for (capture, value) in captures.enumerated() {
                for index in 0..<20 { sample.add(value + Double(index) / 100, ofCapture: capture) }
            }
            return sample
        }
        #expect(try #require(Significance.probability(sample([1, 1, 1]), sample([1, 1, 9]))) > 0.05)
        #expect(Significance.probability(sample([1, 1]), sample([1, 9])) == nil)
    }

    /// Holm, 1979: 0.005 ≤ 0.05 ÷ 4 and 0.01 ≤ 0.05 ÷ 3, but 0.03 > 0.05 ÷ 2.
    @Test func holm() { #expect(Significance.holding([0.01, 0.04, 0.03, 0.005]) == [0, 3]) }

    /// Of 1 to 100: the ranks 50 ± 0.98 × 10.
    @Test func intervalOfAMedian() {
        let sample = sample((1...100).map(Double.init))
        #expect(sample.median == 50)
        #expect(sample.interval == 41...61)
        #expect(Sample().median == nil && Sample().interval == nil)
        #expect(rate([(0, 6)]).interval == 0...0.5)
    }
}
