import AttlasMetrics
import AttlasText

/// Groups of captures compared, as sentences: significant differences come first.
package struct FleetText {
    private var line: LineWriter

    package init(width: Int?, isColoured: Bool) { line = LineWriter(width: width, isColoured: isColoured) }

    package mutating func write(_ comparisons: [FleetComparison], into output: inout Output) {
        for (index, comparison) in comparisons.enumerated() {
            if index > 0 { line.endLine() }
            write(comparison)
            output.write(&line.text)
        }
    }

    private mutating func write(_ comparison: FleetComparison) {
        line.putFolded(TextBuffer("\(own: comparison.headline)."), comparison.isWorse ? .bad : .name, margin: 0)
        for (name, group) in [("A", comparison.base), ("B", comparison.subject)] {
            line.put("\(own: name)  \(display: group.name)", .name)
            line.putFolded(" · \({ $0.append(extentOf: group) })", margin: 3)
        }
        for verdict in [FleetComparison.Verdict.worse, .better, .different] {
            let differences = comparison.differences.filter { $0.verdict == verdict }
            guard !differences.isEmpty else { continue }
            put(title: verdict == .different ? "Different in B" : verdict == .worse ? "Worse in B" : "Better in B")
            for difference in differences {
                line.putFolded(
                    TextBuffer("  \({ $0.append(difference) })"), verdict == .worse ? .bad : .plain, margin: 4)
            }
        }
        if !comparison.newIncidents.isEmpty {
            put(title: "Incidents only in B")
            for incidents in comparison.newIncidents {
                line.putFolded(TextBuffer("  \({ $0.append(incidents) })"), margin: 4)
            }
        }
        line.endLine()
        for sentence in comparison.sentences { line.putFolded(sentence, .plain) }
    }

    private mutating func put(title: StaticString) {
        line.endLine()
        line.put(title, .name)
        line.endLine()
    }
}
