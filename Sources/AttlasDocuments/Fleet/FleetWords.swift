import AttlasMetrics
import AttlasText

extension FleetComparison {
    /// `B is worse in 2 of 14 figures`
    package var headline: String {
        let compared = differences.count { $0.verdict != .few }
        guard compared > 0 else { return "Too few figures to compare" }
        let counts = [(Verdict.worse, "worse"), (.better, "better"), (.different, "different")].compactMap {
            verdict, word in
            let count = differences.count { $0.verdict == verdict }
            return count > 0 ? "\(word) in \(count)" : nil
        }
        let figures = compared == 1 ? "figure" : "figures"
        return counts.isEmpty
            ? "No difference in \(compared) \(figures)"
            : "B is \(counts.joined(separator: ", ")) of \(compared) \(figures)"
    }

    /// Sentences about measures that are not in the lists.
    package var sentences: [String] {
        func names(_ verdict: Verdict) -> String? {
            let names = differences.filter { $0.verdict == verdict }.map(\.measure.name)
            return names.isEmpty ? nil : names.joined(separator: ", ")
        }
        return [
            differences.contains { $0.verdict != .few }
                ? "Differences are listed if chance makes any of them in fewer than 1 of 20 comparisons." : nil,
            names(.none).map { "No difference: \($0)." },
            names(.few).map {
                """
                Too few to compare, with fewer than \(Significance.leastCount) measurements or \(Significance.leastCaptures) captures in each \
                group, or \(Significance.leastEvents) events: \($0).
                """
            },
        ].compactMap(\.self)
    }
}

extension TextBuffer {
    /// `124 captures · 61.2 h · 58.0 h connected · 210 connections`
    package mutating func append(extentOf group: FleetGroup) {
        append("\(group.captures, "capture") · ")
        append(hours: group.hours)
        append(" · ")
        append(hours: group.connectedHours)
        append(" connected · \(group.connections, "connection")")
    }

    private mutating func append(hours: Double) {
        if hours < 1 { return append(duration: Int64((hours * 3.6e12).rounded())) }
        append(rounded: hours)
        append(" h")
    }

    /// `connections lost: 2.1/h (1.8 … 2.5; 128 in 61 h), in A 1.0/h (…): 2.1 times, p < 0.001`
    mutating func append(_ difference: FleetComparison.Difference) {
        append("\(own: difference.measure.name): ")
        append(difference.subject, difference.measure)
        append(", in A ")
        append(difference.base, difference.measure)
        append(" · ")
        append(changeOf: difference)
        append(", p ")
        append(probability: difference.probability ?? 1)
    }

    package mutating func append(_ figure: FleetComparison.Figure, _ measure: FleetMeasure) {
        guard let value = figure.value else { return append("none") }
        append(value, measure.unit)
        append(" (")
        if let interval = figure.interval {
            append(interval.lowerBound, measure.unit)
            append(" … ")
            append(interval.upperBound, measure.unit)
            append("; ")
        }
        append("\(figure.count)")
        switch (measure.unit, figure.exposure) {
        case (.perHour, let hours?):
            append(" in ")
            append(hours: hours)
        case (_, let tries?): append(" of \(Int(tries))")
        default: break
        }
        append(")")
    }

    private mutating func append(_ value: Double, _ unit: FleetMeasure.Unit) {
        switch unit {
        case .seconds: append(duration: Int64((value * 1e9).rounded()))
        case .dBm: append("\(Int(value.rounded())) dBm")
        case .perHour:
            append(rounded: value)
            append("/h")
        case .share:
            append(rounded: value * 100)
            append(" %")
        }
    }

    package mutating func append(changeOf difference: FleetComparison.Difference) {
        guard let change = difference.change else { return append("new") }
        if difference.measure.unit == .dBm { return append("\(Int(change.rounded())) dB") }
        append(rounded: change)
        append(" times")
    }

    package mutating func append(probability: Double) {
        if probability < 0.001 { return append("< 0.001") }
        append(rounded: probability)
    }

    /// `pairing failed: 7 in 5 captures: a.btsnoop frame 12, b.btsnoop frame 3, c.btsnoop frame 88`
    package mutating func append(_ incidents: FleetIncidents) {
        append("\(own: incidents.kind.rawValue): \(incidents.count) in \(incidents.places.count, "capture")")
        for (index, place) in incidents.places.prefix(FleetIncidents.shownPlaces).enumerated() {
            append(index == 0 ? ": " : ", ")
            append("\(display: place.file) frame \(place.frame)")
        }
    }
}

extension FleetIncidents {
    /// Captures to open.
    static let shownPlaces = 3
}
