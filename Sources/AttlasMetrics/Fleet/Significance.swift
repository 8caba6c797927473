import RealModule

/// Measurements of one kind, each with the number of its capture.
package struct Sample: Sendable {
    package private(set) var values: [(value: Double, capture: Int)] = []

    mutating func add(_ value: Double, ofCapture capture: Int) { values.append((value, capture)) }

    var captures: Int { Set(values.map(\.capture)).count }
    package var median: Double? { rank(0.5 * Double(values.count)) }

    /// Confidence interval of the median, without an assumption about the values: the ranks n ÷ 2 ± 0.98 √n.
    var interval: ClosedRange<Double>? {
        let count = Double(values.count)
        guard let low = rank(count / 2 - 0.98 * count.squareRoot()),
            let high = rank(count / 2 + 1 + 0.98 * count.squareRoot())
        else { return nil }
        return low...max(low, high)
    }

    /// The nearest rank.
    private func rank(_ rank: Double) -> Double? {
        guard !values.isEmpty else { return nil }
        return values.map(\.value).sorted()[min(max(Int(rank.rounded(.up)), 1), values.count) - 1]
    }
}

/// How often something happened in a time, or of a number of tries, in each capture.
package struct Rate: Sendable {
    package private(set) var captures: [(count: Int, exposure: Double)] = []

    mutating func add(_ count: Int, in exposure: Double) { captures.append((count, exposure)) }

    package var count: Int { captures.reduce(0) { $0 + $1.count } }
    /// Hours, or tries.
    package var exposure: Double { captures.reduce(0) { $0 + $1.exposure } }
    package var rate: Double? { exposure > 0 ? Double(count) / exposure : nil }

    /// The variance of the rate's logarithm: that of a Poisson process, or that between captures, if it is larger.
    var logVariance: Double {
        let poisson = 1 / (Double(count) + 0.5)
        guard count > 0, captures.count > 1, let rate else { return poisson }
        let squares = captures.reduce(0) { sum, capture in
            let rest = Double(capture.count) - rate * capture.exposure
            return sum + rest * rest
        }
        let number = Double(captures.count)
        return max(poisson, number / (number - 1) * squares / Double(count) / Double(count))
    }

    /// Confidence interval of the rate; without events, up to three in the same time.
    var interval: ClosedRange<Double>? {
        guard let rate else { return nil }
        if count == 0 { return 0...3 / exposure }
        let width = Double.exp(1.96 * logVariance.squareRoot())
        return rate / width...rate * width
    }
}

/// Whether a difference between two groups is more than chance. Documentation/fleet.md has the rules and their tests.
package enum Significance {
    /// The probability of any wrong difference in a whole comparison.
    package static let level = 0.05
    /// The minimum number of measurements in each group.
    package static let leastCount = 20
    /// The minimum number of captures in each group of several.
    package static let leastCaptures = 3
    /// The minimum number of events in both groups together.
    package static let leastEvents = 10
    /// A smaller change is not reported.
    package static let leastChange = 0.05

    /// The greater of two probabilities of so large a difference by chance: of the Mann-Whitney test over all values, and of Welch's test
    /// of their ranks with captures as clusters. nil for too few.
    static func probability(_ first: Sample, _ second: Sample) -> Double? {
        let counts = [first.values.count, second.values.count].map(Double.init)
        let captures = [first.captures, second.captures]
        guard counts.allSatisfy({ $0 >= Double(leastCount) }), areEnough(captures) else { return nil }
        let all = (first.values.map { ($0.value, 0, $0.capture) } + second.values.map { ($0.value, 1, $0.capture) })
            .sorted { $0.0 < $1.0 }
        var ranks: [(rank: Double, group: Int, capture: Int)] = []
        var ties = 0.0
        var start = 0
        while start < all.count {
            var end = start
            while end < all.count, all[end].0 == all[start].0 { end += 1 }
            let size = Double(end - start)
            ties += size * size * size - size
            for place in start..<end { ranks.append((Double(start + end + 1) / 2, all[place].1, all[place].2)) }
            start = end
        }
        let total = counts[0] + counts[1]
        let sums = [0, 1].map { group in ranks.reduce(0) { $1.group == group ? $0 + $1.rank : $0 } }
        let variance = counts[0] * counts[1] / 12 * (total + 1 - ties / (total * (total - 1)))
        guard variance > 0 else { return 1 }
        let distance = abs(sums[0] - counts[0] * (total + 1) / 2)
        let mannWhitney = Double.erfc(max(0, distance - 0.5) / (2 * variance).squareRoot())
        guard captures[0] > 1 else { return mannWhitney }
        let means = [sums[0] / counts[0], sums[1] / counts[1]]
        var rests = [[Int: Double]](repeating: [:], count: 2)
        for (rank, group, capture) in ranks { rests[group][capture, default: 0] += rank - means[group] }
        let variances = [0, 1].map { group in
            let number = Double(captures[group])
            return number / (number - 1) * rests[group].values.reduce(0) { $0 + $1 * $1 } / counts[group]
                / counts[group]
        }
        return max(mannWhitney, welch(means[0] - means[1], variances, captures))
    }

    /// The greater of two: of the exact test of two Poisson rates, and of Welch's test of their logarithms with captures as clusters.
    static func probability(_ first: Rate, _ second: Rate) -> Double? {
        let captures = [first.captures.count, second.captures.count]
        guard let (one, other) = first.rate.flatMap({ one in second.rate.map { (one, $0) } }), areEnough(captures)
        else {
            return nil
        }
        let (count, total) = (first.count, first.count + second.count)
        guard total >= leastEvents else { return nil }
        // Given all events, the first group's number is binomial with its share of the time.
        let share = first.exposure / (first.exposure + second.exposure)
        let (most, least) = (atLeast(count, of: total, share), 1 - atLeast(count + 1, of: total, share))
        let exact = min(1, 2 * min(most, least))
        guard captures[0] > 1 else { return exact }
        let logarithms = [(one, first), (other, second)].map { rate, group in
            Double.log(group.count == 0 ? 0.5 / group.exposure : rate)
        }
        return max(exact, welch(logarithms[0] - logarithms[1], [first.logVariance, second.logVariance], captures))
    }

    /// Which of the probabilities hold together: Holm's procedure.
    static func holding(_ probabilities: [Double]) -> Set<Int> {
        var holding: Set<Int> = []
        for (place, index) in probabilities.indices.sorted(by: { probabilities[$0] < probabilities[$1] }).enumerated() {
            guard probabilities[index] <= level / Double(probabilities.count - place) else { break }
            holding.insert(index)
        }
        return holding
    }

    /// One capture each is compared as such; otherwise a group's captures vary.
    private static func areEnough(_ captures: [Int]) -> Bool {
        captures.allSatisfy { $0 == 1 } || captures.allSatisfy { $0 >= leastCaptures }
    }

    private static func welch(_ difference: Double, _ variances: [Double], _ captures: [Int]) -> Double {
        let sum = variances[0] + variances[1]
        guard sum > 0 else { return difference == 0 ? 1 : 0 }
        let freedom =
            sum * sum / zip(variances, captures).reduce(0) { $0 + $1.0 * $1.0 / Double($1.1 - 1) }
        let square = difference * difference / sum
        return beta(freedom / (freedom + square), freedom / 2, 0.5)
    }

    /// The probability of `count` or more of `total`, each with this probability.
    private static func atLeast(_ count: Int, of total: Int, _ probability: Double) -> Double {
        if count <= 0 { return 1 }
        return count > total ? 0 : beta(probability, Double(count), Double(total - count + 1))
    }

    /// The regularized incomplete beta function, by its continued fraction: DLMF 8.17.22.
    static func beta(_ x: Double, _ a: Double, _ b: Double) -> Double {
        if x <= 0 { return 0 }
        if x >= 1 { return 1 }
        if x > (a + 1) / (a + b + 2) { return 1 - beta(1 - x, b, a) }
        let scale = Double.exp(
            .logGamma(a + b) - .logGamma(a) - .logGamma(b) + a * .log(x) + b * .log(onePlus: -x))
        var (numerator, denominator) = (1.0, 1 / (1 - (a + b) * x / (a + 1)))
        var result = denominator
        for step in 1...10_000 {
            let m = Double(step)
            for term in [
                m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
            ] {
                denominator = 1 / (1 + term * denominator)
                numerator = 1 + term / numerator
                result *= numerator * denominator
            }
            if abs(numerator * denominator - 1) < 1e-12 { break }
        }
        return min(1, max(0, scale * result / a))
    }
}
