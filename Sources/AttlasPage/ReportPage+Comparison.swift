import AttlasDocuments
import AttlasMetrics
import AttlasText

/// Two captures of the same devices side by side, before each of them.
extension ReportPage {
    /// Rows of a table.
    private static let rowLimit = 500

    /// The comparison, and both captures.
    package mutating func write(_ comparison: ReportComparison) {
        let letters = ["A", "B"]
        let captures = [comparison.first, comparison.second]
        capture = 0
        isComparison = true
        html.markup("<section class=\"comparison\" id=\"c0\"><h2>A and B compared</h2>\n")
        html.markup("<nav aria-label=\"Comparison\">")
        for (id, name) in Self.comparedParts { putLink("c0-\(id)") { $0.markup(name) } }
        for (index, letter) in letters.enumerated() {
            putLink("c\(index + 1)") { $0.put("\(letter): \(captures[index].file)") }
        }
        html.markup("</nav>\n")
        write(summaryOf: comparison)
        let frames = captures.map { Set(PageEntry.all(of: $0.model).map(\.frame)) }
        write(comparison.difference.incidents, frames)
        write(findingsOf: comparison, frames)
        write(comparison.difference.servers)
        write(
            "procedures", "Procedure", "Procedures", none: "No procedure in either capture.",
            comparison.difference.procedures, FigureColumn.all, \.rawValue)
        let values = values
        write(
            "round-trips", "Request", "Round trips", none: "No request with its answer in either capture.",
            comparison.difference.exchanges, FigureColumn.all
        ) { $0.words(values) }
        write(
            "values", "PDU", "Values", none: "No value in either capture.", comparison.difference.values,
            FigureColumn.all
        ) { $0.words(values) }
        if options.showsValues { write(comparison.difference.fields) }
        write(plotsOf: comparison)
        html.markup("</section>\n")
        for (index, capture) in captures.enumerated() {
            write(
                capture.model, file: capture.file, number: index + 1, heading: "\(letters[index]): \(capture.file)")
        }
    }

    private static let comparedParts: [(id: String, name: StaticString)] = [
        ("summary", "Summary"), ("incidents", "Incidents"), ("findings", "Findings"), ("trees", "GATT trees"),
        ("procedures", "Procedures"), ("round-trips", "Round trips"), ("values", "Values"),
        ("ranges", "Ranges of values"), ("plots", "Plots"),
    ]

    private mutating func beginComparedPart(_ id: String) {
        beginPart(id, Self.comparedParts.first { $0.id == id }?.name ?? "")
    }

    /// A part with a table, or with the reason for its absence.
    private mutating func write<Row>(
        _ id: String, _ rows: [Row], none: StaticString, caption: String, _ headings: [HTMLWriter.Heading],
        _ write: (inout ReportPage, Row) -> Void
    ) {
        beginComparedPart(id)
        if rows.isEmpty {
            html.element("p", "\(none)")
        } else {
            putTable(rows, caption: caption, headings, write)
        }
        endPart()
    }

    private mutating func putTable<Row>(
        _ rows: [Row], caption: String, _ headings: [HTMLWriter.Heading],
        _ write: (inout ReportPage, Row) -> Void
    ) {
        putTable(caption, headings, rows.prefix(Self.rowLimit), write)
        let rest = rows.count - Self.rowLimit
        if rest > 0 { putNote("\(rest) more rows are not on this page; attlas diff has them.") }
    }

    private mutating func write(summaryOf comparison: ReportComparison) {
        beginComparedPart("summary")
        html.markup("<div class=\"wrong\"><h4>What changed</h4>")
        for sentence in comparison.sentences(values, showsValues: options.showsValues) { html.element("p", sentence) }
        html.markup("</div>\n")
        putTable(
            comparison.facts, caption: "Both captures", [.text("What"), .text("A"), .text("B")]
        ) { page, fact in
            page.putHead(fact.name)
            page.html.element("td", fact.first)
            page.html.element("td", fact.second)
        }
        endPart()
    }

    /// - Parameter frames: of the operations that the page shows of each capture.
    private mutating func write(_ incidents: [CaptureDifference.IncidentDifference], _ frames: [Set<Int>]) {
        write(
            "incidents", incidents, none: "No incidents in either capture.",
            caption: "Incidents, by kind, device and attribute",
            [
                .text("Incident"), .text("Change"), .number("Count A"), .number("B"), .number("First frame A"),
                .number("B"),
            ]
        ) { page, pair in
            page.putHead(pair.words)
            page.html.element("td", pair.change.rawValue)
            page.html.figure(pair.first?.count ?? 0)
            page.html.figure(pair.second?.count ?? 0)
            page.putFrames([pair.first?.frame, pair.second?.frame], frames)
        }
        capture = 0
    }

    /// A cell for each capture, with a link to the record.
    private mutating func putFrames(_ numbers: [Int?], _ frames: [Set<Int>]) {
        for (index, number) in numbers.enumerated() {
            html.markup("<td class=\"n\">")
            (capture, shown) = (index + 1, frames[index])
            if let number { putFrame(number) }
            html.markup("</td>")
        }
    }

    private mutating func write(findingsOf comparison: ReportComparison, _ frames: [Set<Int>]) {
        write(
            "findings", comparison.findings, none: "No finding in either capture.",
            caption: "Findings, by rule, device and attribute",
            [
                .text("Finding"), .text("Change"), .text("Where"), .number("Count A"), .number("B"),
                .number("First frame A"), .number("B"),
            ]
        ) { page, pair in
            guard let (finding, model) = comparison.words(of: pair) else { return }
            page.html.markup("<tr><th scope=\"row\">")
            page.putBadge(finding.rule.severity.rawValue)
            page.html.put(finding.rule.title)
            page.html.markup(" <code>")
            page.html.put(finding.rule.id)
            page.html.markup("</code></th>")
            page.html.element("td", pair.change.rawValue)
            page.html.element("td") { $0.put { $0.append(finding.place, in: model) } }
            page.html.figure(pair.firstCount)
            page.html.figure(pair.secondCount)
            page.putFrames([pair.first?.frame, pair.second?.frame], frames)
        }
        capture = 0
    }

    private mutating func write(_ servers: [CaptureDifference.ServerDifference]) {
        beginComparedPart("trees")
        if servers.isEmpty { html.markup("<p>No GATT tree of a peer in either capture.</p>") }
        for server in servers {
            html.markup("<h4><bdi>")
            html.put { $0.append(server) }
            html.markup("</bdi></h4>")
            guard let first = server.first, server.second != nil, !server.changes.isEmpty else {
                putNote(
                    server.first == nil
                        ? "Only in B."
                        : server.second == nil
                            ? "Only in A."
                            : server.isCompared
                                ? "The same tree of \(server.first?.attributes.count ?? 0) attributes."
                                : "Not discovered in either capture.")
                continue
            }
            putTable(
                server.changes,
                caption:
                    "Changes of the tree: \(first.attributes.count) attributes in A, \(server.second?.attributes.count ?? 0) in B",
                [.text("Attribute"), .text("Change"), .text("Handle A"), .text("B"), .text("Properties A"), .text("B")]
            ) { page, change in
                let values = page.values
                page.html.markup("<tr><th scope=\"row\">")
                page.html.put { $0.append(change.path, values) }
                page.html.markup("</th>")
                page.html.element("td", change.word)
                for attribute in [change.first, change.second] {
                    page.html.element("td", "k") {
                        $0.put { if let attribute { $0.append("\(hex: attribute.handle)") } }
                    }
                }
                for attribute in [change.first, change.second] {
                    page.html.element("td") { html in
                        html.put { if let properties = attribute?.properties { $0.append(properties) } }
                    }
                }
            }
        }
        endPart()
    }

    private mutating func write<Key, Row: SampledRow>(
        _ id: String, _ subject: String, _ name: String, none: StaticString,
        _ pairs: [CaptureDifference.Pair<Key, Row>], _ columns: [FigureColumn<Row>], _ words: (Key) -> String
    ) {
        let columns = columns.filter { $0.pair != nil }
        write(
            id, pairs, none: none, caption: "\(name) of both captures",
            [.text(subject)]
                + columns.flatMap { column -> [HTMLWriter.Heading] in
                    [.number("\(column.title) A"), .number("B")] + (column.hasChange ? [.number("Change")] : [])
                }
        ) { page, pair in
            page.putHead(words(pair.key))
            for column in columns {
                for figure in pair.figures(column) { page.html.figure(figure) }
                guard column.hasChange else { continue }
                page.html.element("td", "n") { $0.put(pair.change(column)) }
            }
        }
    }

    private mutating func write(_ fields: [CaptureDifference.FieldDifference]) {
        write(
            "ranges", fields, none: "No field has other values than before.",
            caption: "Fields in other ranges",
            [.text("Field"), .number("Count A"), .number("B"), .text("Values A"), .text("B")]
        ) { page, field in
            page.putHead("\(page.values.name(field.key.uuid, .characteristic)) › \(field.key.field)")
            let ranges = [field.first, field.second]
            for range in ranges { page.html.figure(range?.count) }
            for range in ranges {
                page.html.element("td") { html in html.put { $0.append(range, field.key.unit) } }
            }
        }
    }

    private mutating func write(plotsOf comparison: ReportComparison) {
        let pairs = comparison.plots.filter { pair in
            [pair.first, pair.second].allSatisfy { $0.count > 2 && (options.showsValues || $0.subject != .field) }
        }
        beginComparedPart("plots")
        if pairs.isEmpty {
            html.markup("<p>No numbers over time in both captures.</p>")
        } else {
            let span = max(comparison.first.model.span, comparison.second.model.span)
            html.markup("<div")
            html.attribute("data-span") { $0.append(secondsOf: span) }
            html.markup(">\n")
            writeControls("Drag over a plot to choose a range of all of them. With the plots in focus,")
            html.markup("<div class=\"plots\" role=\"group\" aria-label=\"Plots of A and B\">")
            for pair in pairs { write(Figure(pair.first, over: pair.second), TimeAxis(span: span)) }
            html.markup("</div></div>\n")
        }
        endPart()
    }
}
