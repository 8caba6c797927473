import AttlasConversation
import AttlasDocuments
import AttlasIncidents
import AttlasText

/// A capture's line in the index of a page.
struct IndexLine {
    let heading: String
    /// `2 things broke: connection lost, System ID cannot be read`
    let headline: String
    let begin: String
    let length: String
    /// `id` of its section; nil if it has none.
    let id: String?
    /// Whether its section has all parts.
    let isWhole: Bool

    init(_ heading: String, _ model: ReportModel, id: String?, isWhole: Bool) {
        self.heading = heading
        let broken = model.incidents.incidents(of: .broke)
        let named = broken.prefix(2).map(\.headline) + (broken.count > 2 ? ["…"] : [])
        headline = model.incidents.headline + (named.isEmpty ? "" : ": \(named.joined(separator: ", "))")
        let facts = ReportSummary(model: model)
        (begin, length) = (facts.begin ?? "", facts.length ?? "")
        (self.id, self.isWhole) = (id, isWhole)
    }
}

extension ReportPage {
    mutating func writeIndex(_ lines: [IndexLine]) {
        html.markup("<section id=\"index\">")
        putTable(
            "Captures", [.text("Capture"), .text("What went wrong"), .text("Begin"), .number("Length")], lines
        ) { page, line in
            page.html.markup("<tr><th scope=\"row\">")
            if let id = line.id {
                page.putLink(id) { $0.put(line.heading) }
            } else {
                page.html.put(line.heading)
            }
            page.html.markup("</th>")
            page.html.element("td", "w") { $0.put(line.headline) }
            page.html.element("td", "k") { $0.put(line.begin) }
            page.html.element("td", "n") { $0.put(line.length) }
        }
        let (brief, absent) = (lines.count { $0.id != nil && !$0.isWhole }, lines.count { $0.id == nil })
        if brief > 0 {
            putNote("The page is full: the last \(counted(brief + absent, "capture")) have their incidents alone.")
        }
        if absent > 0 { putNote("\(counted(absent, "capture")) of them have their line here alone.") }
        if brief + absent > 0 { putNote("attlas report CAPTURE makes a page of one; attlas fleet compares many.") }
        html.markup("</section>\n")
    }
}
