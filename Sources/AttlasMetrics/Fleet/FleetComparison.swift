import AttlasIncidents

/// A group of captures compared with another one.
package struct FleetComparison: Sendable {
    package let base: FleetGroup
    package let subject: FleetGroup
    /// Differences of all measures that one of the groups has, in the order of the page.
    package let differences: [Difference]
    /// Incidents of kinds that the base does not have.
    package let newIncidents: [FleetIncidents]

    /// A measure in both groups.
    package struct Difference: Sendable {
        package let measure: FleetMeasure
        package let base: Figure
        package let subject: Figure
        /// Probability of a difference this large by chance; nil if there are too few figures.
        package let probability: Double?
        package let verdict: Verdict

        /// The subject's figure divided by the base's; of dBm, the difference.
        package var change: Double? { Self.change(measure, base, subject) }

        fileprivate static func change(_ measure: FleetMeasure, _ base: Figure, _ subject: Figure) -> Double? {
            guard let first = base.value, let second = subject.value else { return nil }
            if measure.unit == .dBm { return second - first }
            return first > 0 ? second / first : nil
        }
    }

    package enum Verdict: String, CaseIterable, Sendable {
        case worse, better
        /// It holds, and is neither.
        case different
        case none = "no difference"
        case few = "too few"

        /// Whether it holds.
        package var isDifference: Bool { self != .none && self != .few }
    }

    /// A median or a rate, with its 95 % confidence interval.
    package struct Figure: Sendable {
        /// Measurements, or events.
        package let count: Int
        /// Hours, or tries; nil for a median.
        package let exposure: Double?
        package let value: Double?
        package let interval: ClosedRange<Double>?

        init(_ sample: Sample) {
            (count, exposure, value, interval) = (sample.values.count, nil, sample.median, sample.interval)
        }

        /// - Parameter unit: A share is at most all.
        init(_ rate: Rate, _ unit: FleetMeasure.Unit) {
            (count, exposure, value) = (rate.count, rate.exposure, rate.rate)
            interval = unit == .share ? rate.interval?.clamped(to: 0...1) : rate.interval
        }
    }

    package init(_ subject: FleetGroup, against base: FleetGroup) {
        self.base = base
        self.subject = subject
        var found: [(measure: FleetMeasure, base: Figure, subject: Figure, probability: Double?)] = []
        for measure in FleetMeasure.rates {
            let (first, second) = (base.rate(measure), subject.rate(measure))
            guard first.count + second.count > 0 else { continue }
            found.append(
                (
                    measure, Figure(first, measure.unit), Figure(second, measure.unit),
                    Significance.probability(first, second)
                ))
        }
        for measure in FleetMeasure.samples {
            let (first, second) = (base.sample(measure), subject.sample(measure))
            guard !first.values.isEmpty || !second.values.isEmpty else { continue }
            found.append((measure, Figure(first), Figure(second), Significance.probability(first, second)))
        }
        let tested = found.indices.filter { found[$0].probability != nil }
        let holding = Set(Significance.holding(tested.map { found[$0].probability ?? 1 }).map { tested[$0] })
        differences = found.indices.map { index in
            let (measure, base, subject, probability) = found[index]
            return Difference(
                measure: measure, base: base, subject: subject, probability: probability,
                verdict: probability == nil
                    ? .few : holding.contains(index) ? Self.verdict(measure, base, subject) : .none)
        }
        newIncidents = Incident.Kind.allCases.compactMap { kind in
            base.incidents(kind) == nil ? subject.incidents(kind) : nil
        }
    }

    /// The verdict on a significant difference.
    private static func verdict(_ measure: FleetMeasure, _ base: Figure, _ subject: Figure) -> Verdict {
        guard let first = base.value, let second = subject.value else { return .none }
        if measure.unit == .dBm { return abs(second - first) < 1 ? .none : .different }
        guard abs(second - first) >= Significance.leastChange * first else { return .none }
        return second > first ? .worse : .better
    }

    /// Whether any difference is a change for the worse.
    package var isWorse: Bool { differences.contains { $0.verdict == .worse } }
}
