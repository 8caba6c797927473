import AttlasDissection

/// The axis of numbers: it ends at multiples of its step, which is 1, 2 or 5 × 10ⁿ.
struct RoundScale {
    let range: ClosedRange<Double>
    /// From the least to the greatest, at equal distances.
    let ticks: [ExactNumber]

    /// - Parameter steps: about how many.
    init(_ bounds: ClosedRange<Double>, steps: Double = 4) {
        let step = Step(least: (bounds.upperBound - bounds.lowerBound) / steps)
        let (low, high) = ((bounds.lowerBound / step.size).rounded(.down), (bounds.upperBound / step.size).rounded(.up))
        // Near the limits of Double, only the ends are marked.
        guard low.magnitude < 1e15, high.magnitude < 1e15, low < high, high - low < 4 * steps else {
            range = bounds
            ticks = [.float64(bounds.lowerBound), .float64(bounds.upperBound)]
            return
        }
        range = low * step.size...high * step.size
        ticks = (Int64(low)...Int64(high)).map { step.times($0) }
    }

    struct Step {
        private var mantissa: Int64 = 1
        private var exponent = 0
        private(set) var size = 1.0

        /// - Parameter least: the minimum of the step.
        init(least: Double) {
            guard least.isFinite, least > 0 else { return }
            var power = 1.0
            while power * 10 <= least { (power, exponent) = (power * 10, exponent + 1) }
            while power > least { (power, exponent) = (power / 10, exponent - 1) }
            mantissa = [1, 2, 5].first { Double($0) * power >= least * (1 - 1e-9) } ?? 10
            size = Double(mantissa) * power
        }

        func times(_ count: Int64) -> ExactNumber {
            exponent.magnitude < 12
                ? .decimal(mantissa: count * mantissa, exponent: exponent) : .float64(Double(count) * size)
        }
    }
}

extension TimeAxis {
    /// About five round times, with their places from 0 to 1.
    var ticks: [(place: Double, seconds: ExactNumber)] {
        let step = RoundScale.Step(least: length / 5e9)
        var ticks: [(place: Double, seconds: ExactNumber)] = []
        // From one leap to the next.
        for (start, end) in zip([0] + leaps.map(\.end), leaps.map(\.start) + [span]) {
            var count = (Double(start) / 1e9 / step.size).rounded(.up)
            while count * step.size * 1e9 <= Double(end) {
                let place = share(of: Int64(min(count * step.size * 1e9, 9e18)))
                if place >= (ticks.last?.place ?? -1) + 1 / 12 { ticks.append((place, step.times(Int64(count)))) }
                count += 1
            }
        }
        return ticks
    }
}
