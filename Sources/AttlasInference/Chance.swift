import AttlasSystem

/// Probabilities as bits: a coincidence of probability 2⁻ⁿ has n bits of evidence against it.
enum Chance {
    /// The least evidence of a check, after the number of hypotheses is subtracted: a probability of 10⁻⁶.
    static let limit = 20.0
    /// That of a field: a probability of 10⁻⁴.
    static let fieldLimit = 13.3

    /// Evidence that a search of many hypotheses costs (Bonferroni).
    static func cost(of hypotheses: Int) -> Double { log2(Double(max(1, hypotheses))) }

    /// Evidence in a normal variable that is `sigma` standard deviations above its mean.
    static func bits(sigma: Double) -> Double {
        sigma <= 0 ? 0 : sigma * sigma / 2 / ln(2) + log2(max(1, sigma * 2.5))
    }

    /// Entropy in bits of a distribution.
    static func entropy(_ counts: some Sequence<Int>) -> Double {
        var (total, sum) = (0.0, 0.0)
        for count in counts where count > 0 {
            total += Double(count)
            sum += Double(count) * log2(Double(count))
        }
        // The difference of two roundings may be less than 0.
        return total == 0 ? 0 : max(0, log2(total) - sum / total)
    }

    /// Evidence in `hits` successes among `trials`, each of the probability 2^−`bits`.
    static func bits(hits: Int, of trials: Int, each bits: Double) -> Double {
        guard hits > 0 else { return 0 }
        return max(0, Double(hits) * bits - Double(trials) * entropy([hits, trials - hits]))
    }

    /// Evidence in independent probabilities, given as the sum of their −ln (Fisher's method).
    static func bits(fisher sum: Double, of count: Int) -> Double {
        guard count > 0 else { return 0 }
        guard count <= 48 else { return bits(sigma: (sum - Double(count)) / Double(count).squareRoot()) }
        var (term, tail) = (1.0, 1.0)
        for index in 1..<max(2, count) where index < count {
            term *= sum / Double(index)
            tail += term
        }
        return max(0, (sum - ln(tail)) / ln(2))
    }

    static func log2(_ number: Double) -> Double { Mathematics.log2(number) }
    static func exp(_ number: Double) -> Double { Mathematics.exp(number) }
    static func ln(_ number: Double) -> Double { Mathematics.ln(number) }

    /// The greatest n for which a coincidence is less probable than 10⁻ⁿ.
    static func decimalExponent(_ bits: Double) -> Int { Int((bits * 0.30103).rounded(.down)) }
}
