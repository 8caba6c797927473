import AttlasMetrics

/// Two captures of the same devices side by side, before each of them.
extension ReportPage {
    /// Rows of a table.
    private static let rowLimit = 500

    /// - Parameter output: gets what stands between `begin` and `end`: the comparison, and both captures.
    public mutating func write(_ comparison: ReportComparison, into output: inout Output) {
        let letters = ["A", "B"]
        let captures = [comparison.first, comparison.second]
        capture = 0
        html.markup("<section class=\"comparison\" id=\"c0\"><h2>A and B compared</h2>\n")
        html.markup("<nav aria-label=\"Comparison\">")
        for (id, name) in Self.comparedParts { putLink("c0-\(id)") { $0.markup(name) } }
        for (index, letter) in letters.enumerated() {
            putLink("c\(index + 1)") { $0.put("\(letter): \(captures[index].file)") }
        }
        html.markup("</nav>\n")
        write(summaryOf: comparison)
        write(findingsOf: comparison)
        write(comparison.difference.servers)
        output.drain(&html.text)
        write(comparison.difference.exchanges)
        write(comparison.difference.values)
        if options.showsValues { write(comparison.difference.fields) }
        output.drain(&html.text)
        write(plotsOf: comparison)
        html.markup("</section>\n")
        for (index, capture) in captures.enumerated() {
            write(
                capture.model, file: capture.file, number: index + 1, heading: "\(letters[index]): \(capture.file)",
                into: &output)
        }
    }

    private static let comparedParts: [(id: String, name: StaticString)] = [
        ("summary", "Summary"), ("findings", "Findings"), ("trees", "GATT trees"), ("round-trips", "Round trips"),
        ("values", "Values"), ("ranges", "Ranges of values"), ("plots", "Plots"),
    ]

    private mutating func beginComparedPart(_ id: String) {
        beginPart(id, Self.comparedParts.first { $0.id == id }?.name ?? "")
    }

    private mutating func endTable(_ rest: Int) {
        html.markup("</tbody></table>")
        endScrolling()
        if rest > 0 { putNote("\(rest) more rows are not on this page; attlas diff has them.") }
        endPart()
    }

    private mutating func write(summaryOf comparison: ReportComparison) {
        beginComparedPart("summary")
        html.markup("<div class=\"wrong\"><h4>What changed</h4>")
        for sentence in comparison.sentences(values, showsValues: options.showsValues) { html.element("p", sentence) }
        html.markup("</div>\n")
        beginScrolling("Both captures")
        html.headings("Both captures", [.text("What"), .text("A"), .text("B")])
        for (name, first, second) in comparison.facts {
            putHead(name)
            html.element("td", first)
            html.element("td", second)
            html.markup("</tr>\n")
        }
        endTable(0)
    }

    private mutating func write(findingsOf comparison: ReportComparison) {
        beginComparedPart("findings")
        guard !comparison.findings.isEmpty else {
            html.markup("<p>No finding in either capture.</p>")
            return endPart()
        }
        let frames = [comparison.first, comparison.second].map { Set(PageEntry.all(of: $0.model).map(\.frame)) }
        beginScrolling("Findings of both captures")
        html.headings(
            "Findings, by rule, device and attribute",
            [
                .text("Finding"), .text("Change"), .text("Where"), .number("Count A"), .number("B"),
                .number("First frame A"), .number("B"),
            ])
        for pair in comparison.findings.prefix(Self.rowLimit) {
            guard let (finding, model) = comparison.words(of: pair) else { continue }
            html.markup("<tr><th scope=\"row\">")
            putBadge(finding.rule.severity)
            html.put(finding.rule.title)
            html.markup(" <code>")
            html.put(finding.rule.id)
            html.markup("</code></th><td>")
            html.put(pair.change.rawValue)
            html.markup("</td><td>")
            html.put { $0.append(finding.place, in: model) }
            html.markup("</td>")
            html.figure(pair.firstCount)
            html.figure(pair.secondCount)
            for (index, finding) in [pair.first, pair.second].enumerated() {
                html.markup("<td class=\"n\">")
                (capture, shown) = (index + 1, frames[index])
                if let finding { putFrame(finding.frame) }
                html.markup("</td>")
            }
            html.markup("</tr>\n")
        }
        capture = 0
        endTable(comparison.findings.count - Self.rowLimit)
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
                            ? "Only in A." : "The same tree of \(server.first?.attributes.count ?? 0) attributes.")
                continue
            }
            beginScrolling("Changes of the tree")
            html.headings(
                "\(first.attributes.count) attributes in A, \(server.second?.attributes.count ?? 0) in B",
                [.text("Attribute"), .text("Change"), .text("Handle A"), .text("B"), .text("Properties A"), .text("B")])
            for change in server.changes.prefix(Self.rowLimit) {
                html.markup("<tr><th scope=\"row\">")
                html.put { $0.append(change.path, values) }
                html.markup("</th>")
                html.element("td", change.word)
                for attribute in [change.first, change.second] {
                    html.markup("<td class=\"k\">")
                    html.put { if let attribute { $0.append(handle: attribute.handle) } }
                    html.markup("</td>")
                }
                for attribute in [change.first, change.second] {
                    html.element("td") { html in
                        html.put { if let properties = attribute?.properties { $0.append(properties) } }
                    }
                }
                html.markup("</tr>\n")
            }
            html.markup("</tbody></table>")
            endScrolling()
            if server.changes.count > Self.rowLimit {
                putNote("\(server.changes.count - Self.rowLimit) more rows are not on this page; attlas diff has them.")
            }
        }
        endPart()
    }

    private mutating func write(_ pairs: [CaptureDifference.Pair<ExchangeRow>]) {
        beginComparedPart("round-trips")
        guard !pairs.isEmpty else {
            html.markup("<p>No request with its answer in either capture.</p>")
            return endPart()
        }
        beginScrolling("Round trips of both captures")
        html.headings(
            "Round trips of both",
            [
                .text("Request"), .number("Count A"), .number("B"), .number("p50 A"), .number("B"), .number("Change"),
                .number("p99 A"), .number("B"), .number("max A"), .number("B"),
            ])
        for pair in pairs.prefix(Self.rowLimit) {
            putHead(pair.key.words(values))
            let times = [pair.first?.roundTrips, pair.second?.roundTrips]
            for time in times { html.figure(time?.count) }
            let medians = times.map { $0?.percentile(50) }
            for time in medians { html.figure(microseconds: time.map(Double.init)) }
            html.markup("<td class=\"n\">")
            html.put { $0.append(changeFrom: medians[0], to: medians[1]) }
            html.markup("</td>")
            for time in times.map({ $0?.percentile(99) }) + times.map({ $0?.maximum }) {
                html.figure(microseconds: time.map(Double.init))
            }
            html.markup("</tr>\n")
        }
        endTable(pairs.count - Self.rowLimit)
    }

    private mutating func write(_ pairs: [CaptureDifference.Pair<ValueRow>]) {
        beginComparedPart("values")
        guard !pairs.isEmpty else {
            html.markup("<p>No value in either capture.</p>")
            return endPart()
        }
        beginScrolling("Values of both captures")
        html.headings(
            "Values of both",
            [
                .text("PDU"), .number("Count A"), .number("B"), .number("Rate A"), .number("B"), .number("Mean A"),
                .number("B"), .number("Best 1 s A"), .number("B"), .number("Gap p50 A"), .number("B"),
                .number("Gap p99 A"), .number("B"),
            ])
        for pair in pairs.prefix(Self.rowLimit) {
            putHead(pair.key.words(values))
            let rows = [pair.first, pair.second]
            for row in rows { html.figure(row?.count) }
            for row in rows { html.figure(row?.perSecond) { $0.append(rate: $1, "/s") } }
            for row in rows { html.figure(row?.octetsPerSecond) { $0.append(rate: $1, "B/s") } }
            for row in rows { html.figure(row.map { Double($0.bestSecond) }) { $0.append(rate: $1, "B") } }
            for percentile in [50.0, 99] {
                for row in rows { html.figure(microseconds: row?.gaps.percentile(percentile).map(Double.init)) }
            }
            html.markup("</tr>\n")
        }
        endTable(pairs.count - Self.rowLimit)
    }

    private mutating func write(_ fields: [CaptureDifference.FieldDifference]) {
        beginComparedPart("ranges")
        guard !fields.isEmpty else {
            html.markup("<p>No field has other values than before.</p>")
            return endPart()
        }
        beginScrolling("Fields in other ranges")
        html.headings(
            "Fields in other ranges", [.text("Field"), .number("Count A"), .number("B"), .text("Values A"), .text("B")])
        for field in fields.prefix(Self.rowLimit) {
            putHead("\(values.name(field.key.uuid, .characteristic)) › \(field.key.field)")
            let ranges = [field.first, field.second]
            for range in ranges { html.figure(range?.count) }
            for range in ranges {
                html.element("td") { html in html.put { $0.append(range, field.key.unit) } }
            }
            html.markup("</tr>\n")
        }
        endTable(fields.count - Self.rowLimit)
    }

    private mutating func write(plotsOf comparison: ReportComparison) {
        let pairs = comparison.plots.filter { isPlotted($0.first) && isPlotted($0.second) }
        beginComparedPart("plots")
        if pairs.isEmpty { html.markup("<p>No numbers over time in both captures.</p>") }
        html.markup("<div class=\"plots\">")
        for pair in pairs {
            write(
                pair.first, over: pair.second, span: max(comparison.first.model.span, comparison.second.model.span))
        }
        html.markup("</div>\n")
        endPart()
    }

    private mutating func putHead(_ text: String) {
        html.markup("<tr><th scope=\"row\">")
        html.put(text)
        html.markup("</th>")
    }
}
