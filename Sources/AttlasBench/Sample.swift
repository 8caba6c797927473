/// Times of the same work done again and again, in nanoseconds.
public struct Sample: Sendable {
    /// Sorted.
    let times: [Int64]

    package init(_ times: [Int64]) {
        self.times = times.sorted()
    }

    package var median: Double { quantile(0.5) }

    /// How noisy the runs were: the middle half of them lies within this part of the median.
    package var spread: Double {
        median > 0 ? (quantile(0.75) - quantile(0.25)) / median : 0
    }

    private func quantile(_ fraction: Double) -> Double {
        guard let last = times.last else { return 0 }
        let place = fraction * Double(times.count - 1)
        let index = Int(place)
        guard index + 1 < times.count else { return Double(last) }
        let (low, high) = (Double(times[index]), Double(times[index + 1]))
        return low + (high - low) * (place - Double(index))
    }
}

extension Sample {
    /// A median is taken for stable when the middle half of the runs lies within this part of it.
    private static let stableSpread = 0.01
    private static let fewestRuns = 5
    private static let mostRuns = 201
    /// Nanoseconds that a run lasts at least, so that the clock and the scheduler matter little, and that all may last.
    private static let shortestRun: Int64 = 20_000_000
    private static let longest: Int64 = 5_000_000_000

    /// Does `work` until the median of its times is stable, or time is up.
    public static func repeating<Failure: Error>(_ work: () throws(Failure) -> Void) throws(Failure) -> Sample {
        // The first time warms caches, and its duration determines the repetitions of a run.
        let start = Clock.now()
        try work()
        let first = max(1, Clock.now() - start)
        let rounds = max(1, shortestRun / first)
        var times: [Int64] = []
        while times.count < mostRuns {
            let begin = Clock.now()
            for _ in 0..<rounds { try work() }
            times.append((Clock.now() - begin) / rounds)
            guard times.count >= fewestRuns else { continue }
            if Sample(times).spread <= stableSpread || Clock.now() - start > longest { break }
        }
        return Sample(times)
    }
}
