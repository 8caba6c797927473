import AttlasDocuments
import AttlasMetrics
import AttlasText
import AttlasValues

/// Groups of captures compared, as a page in the style of the report.
package struct FleetPage {
    private var page: ReportPage

    package init(_ options: ReportOptions, values: ValueInterpreter) { page = ReportPage(options, values: values) }

    package mutating func write(_ comparisons: [FleetComparison], into output: inout Output) {
        for (index, comparison) in comparisons.enumerated() { write(comparison, number: index + 1) }
        page.finish(into: &output)
    }

    private mutating func write(_ comparison: FleetComparison, number: Int) {
        page.html.markup("<section class=\"comparison\"")
        page.html.attribute("id", "c\(number)")
        page.html.markup("><h2>")
        page.html.put(comparison.subject.name)
        page.html.markup("</h2>")
        page.html.element("p", "headline") { $0.put("\(comparison.headline).") }
        page.html.markup("<dl class=\"facts\">")
        for (name, group) in [("A", comparison.base), ("B", comparison.subject)] {
            page.html.markup("<div class=\"wide\">")
            page.html.element("dt", "\(name): \(group.name)")
            page.html.element("dd") { $0.put { $0.append(extentOf: group) } }
            page.html.markup("</div>")
        }
        page.html.markup("</dl>\n")
        let holding = comparison.differences.filter(\.verdict.isDifference)
        if !holding.isEmpty {
            page.putTable(
                "Differences of \(comparison.subject.name)", caption: "Differences that chance does not explain",
                [.text("Figure"), .text("B is"), .number("A"), .number("B"), .number("Change"), .number("p")], holding
            ) { page, difference in
                page.putHead(difference.measure.name)
                page.html.element("td") {
                    $0.element("span", difference.verdict == .worse ? "bad" : "known") {
                        $0.put(difference.verdict.rawValue)
                    }
                }
                for figure in [difference.base, difference.subject] {
                    page.html.element("td", "n") { $0.put { $0.append(figure, difference.measure) } }
                }
                page.html.element("td", "n") { $0.put { $0.append(changeOf: difference) } }
                page.html.element("td", "n") { $0.put { $0.append(probability: difference.probability ?? 1) } }
            }
        }
        if !comparison.newIncidents.isEmpty {
            page.html.markup("<h3>Incidents only in B</h3><ul class=\"places\">")
            for incidents in comparison.newIncidents { page.html.element("li") { $0.put { $0.append(incidents) } } }
            page.html.markup("</ul>")
        }
        for sentence in comparison.sentences { page.html.element("p", sentence) }
        page.html.markup("</section>\n")
    }
}
