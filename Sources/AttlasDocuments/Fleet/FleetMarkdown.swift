import AttlasMetrics
import AttlasText

/// Groups of captures compared, as tables of GitHub Flavored Markdown, for a ticket.
package struct FleetMarkdown {
    private var text = TextBuffer()

    package init() {}

    package mutating func write(_ comparisons: [FleetComparison], into output: inout Output) {
        for (index, comparison) in comparisons.enumerated() {
            if index > 0 { text.append("\n") }
            write(comparison)
        }
        output.write(&text)
    }

    private mutating func write(_ comparison: FleetComparison) {
        text.append("## ")
        text.append(string: comparison.headline)
        text.append("\n")
        for (name, group) in [("A", comparison.base), ("B", comparison.subject)] {
            text.append("\n- \(own: name): ")
            text.append(markdownCode: group.name, isCell: false)
            text.append(", \({ $0.append(extentOf: group) })")
        }
        text.append("\n")
        let holding = comparison.differences.filter(\.verdict.isDifference)
        if !holding.isEmpty { text.append("\n| | figure | A | B | change | p |\n|---|---|--:|--:|--:|--:|\n") }
        for difference in holding {
            text.append("| \(own: difference.verdict.rawValue) | \(own: difference.measure.name) | ")
            text.append(difference.base, difference.measure)
            text.append(" | ")
            text.append(difference.subject, difference.measure)
            text.append(" | ")
            text.append(changeOf: difference)
            text.append(" | ")
            text.append(probability: difference.probability ?? 1)
            text.append(" |\n")
        }
        for incidents in comparison.newIncidents {
            text.append(
                "\n- only in B: \(own: incidents.kind.rawValue), \(incidents.count) in \(incidents.places.count, "capture")"
            )
            for place in incidents.places.prefix(FleetIncidents.shownPlaces) {
                text.append(", ")
                text.append(markdownCode: place.file, isCell: false)
                text.append(" frame \(place.frame)")
            }
        }
        if !comparison.newIncidents.isEmpty { text.append("\n") }
        for sentence in comparison.sentences { text.append("\n\(own: sentence)\n") }
    }
}
