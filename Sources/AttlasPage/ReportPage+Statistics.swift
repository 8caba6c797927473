import AttlasDocuments
import AttlasIncidents
import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasWire

/// The figures of `stats`, for each connection. A cell's `value` is the same as in the JSON.
extension ReportPage {
    /// Connections that are written out, and changes of each.
    private static let connectionLimit = 50
    private static let stepLimit = 40

    mutating func writeStatistics(_ model: ReportModel) {
        beginPart("statistics")
        let groups = model.groups
        if groups.isEmpty { html.markup("<p>No connection in this part of the capture.</p>") }
        if !groups.isEmpty {
            html.markup("<details class=\"folded\"><summary>")
            html.put("Figures of \(counted(groups.count, "connection"))")
            html.markup("</summary>")
            putRangeNote(
                of: "article",
                " connections were open within the range. What they had only before or after it is left out; the figures of the rest are not of the range alone."
            )
        }
        for group in groups.prefix(Self.connectionLimit) {
            for index in group.connections { write(model.statistics.connections[index], model) }
            write(group.procedures)
            write(exchanges: group.exchanges, model)
            write(slowest: group.slowest, model)
            write(values: group.values, model)
            html.markup("</article>\n")
        }
        if groups.count > Self.connectionLimit {
            putNote(
                "\(groups.count - Self.connectionLimit) more connections are not on this page; attlas stats has them.")
        }
        if !groups.isEmpty { html.markup("</details>\n") }
        endPart()
    }

    private mutating func write(_ life: ConnectionLife, _ model: ReportModel) {
        html.markup("<article class=\"connection\"")
        let end = life.end?.moment.time ?? model.integrity.extent.last ?? life.begun.time
        putTimes(SeenTimes(life.begun.time).joined(with: SeenTimes(end)), model)
        html.markup("><h4><bdi>")
        html.put(model.title(of: life))
        html.markup("</bdi> · connection ")
        html.put(life.number)
        html.markup("</h4><ol class=\"steps\">")
        writeStep(life.begun, model) { piece in
            piece.append(life.beginning)
            switch life.isCentral {
            case true where life.accessAddress == nil: piece.append(", this host is central")
            case false where life.accessAddress == nil: piece.append(", this host is peripheral")
            default: break
            }
        }
        for step in life.steps.prefix(Self.stepLimit) {
            writeStep(step.moment, isBad: step.isBad, model) { $0.append(step.kind, model.names) }
        }
        if let end = life.end {
            writeStep(end.moment, isBad: end.kind != .expected, model) { $0.append(end, of: life) }
        }
        html.markup("</ol>")
        let rest = max(0, life.steps.count - Self.stepLimit) + life.stepsLeftOut
        if rest > 0 { putNote("and \(rest) more changes") }
        for facts in [life.facts, life.controllers(model.names)] where facts.count > 0 { putNote(facts.text) }
        writeLinks(life)
        write(model.statistics.streams(ofConnection: life.number), model)
        if let radio = life.radio { write(radio) }
    }

    private mutating func writeStep(
        _ moment: Moment, isBad: Bool = false, _ model: ReportModel, _ write: (inout TextBuffer) -> Void
    ) {
        html.markup(isBad ? "<li class=\"bad\"" : "<li")
        putTime(model.offset(of: moment.time))
        html.markup("><span class=\"at\">")
        html.put { $0.append(secondsOf: model.offset(of: moment.time)) }
        html.markup("</span> ")
        html.put(write)
        html.markup(" <span class=\"faint\">frame ")
        putFrame(moment.frame)
        html.markup("</span></li>")
    }

    private mutating func writeLinks(_ life: ConnectionLife) {
        guard !life.directions.isEmpty else { return }
        let hasConditions = life.directions.contains { life[$0].conditions != nil }
        let all = FigureColumn<LinkTraffic>.all
        let columns = hasConditions ? all : all.dropLast(2)
        putTable(
            "Link of connection \(life.number)", caption: "Link",
            [.text("Direction")] + columns.map { .number($0.title) } + (hasConditions ? [.text("Under")] : []),
            life.directions
        ) { page, direction in
            let traffic = life[direction]
            page.putHead(direction.title)
            for column in columns { page.html.figure(column.figure(traffic)) }
            guard hasConditions else { return }
            page.html.element("td") { $0.put { if let conditions = traffic.conditions { $0.append(conditions) } } }
        }
    }

    /// Isochronous streams, their data and the states of the endpoints that are bound to them.
    private mutating func write(_ streams: [StreamFigures], _ model: ReportModel) {
        guard !streams.isEmpty else { return }
        putTable("Streams", [.text("Stream"), .text("→ sent"), .text("← received"), .text("States")], streams) {
            page, stream in
            page.html.markup("<tr><th scope=\"row\">")
            page.html.put { $0.append(stream, origin: model.integrity.start) }
            page.html.markup("</th>")
            page.html.element("td") { $0.put { $0.append(stream.sent, stream.timing) } }
            page.html.element("td") { $0.put { $0.append(stream.received, nil) } }
            page.html.element("td") {
                $0.put { piece in
                    for endpoint in stream.endpoints {
                        piece.append("\({ $0.append(endpoint, origin: model.integrity.start) }) ")
                    }
                }
            }
        }
    }

    private mutating func write(_ radio: RadioFigures) {
        let sides = [("central", radio.central), ("peripheral", radio.peripheral), ("unknown", radio.unknown)]
        putTable(
            "Radio", caption: "Radio, as the sniffer heard it",
            [
                .text("From"), .number("Packets"), .number("Empty"), .number("Sent again"), .number("Wrong CRC"),
                .number("Missed"), .number("RSSI"),
            ], sides.filter { $1.packets > 0 }
        ) { page, side in
            let (name, side) = side
            page.putHead(name)
            for count in [side.packets, side.empty, side.retransmissions, side.badCRC, side.missed] {
                page.html.figure(count)
            }
            page.html.figure(side.mean) {
                $0.append(number: .float64(($1 * 10).rounded() / 10))
                $0.append(" dBm")
            }
        }
        let used = radio.channels.indices.filter { radio.channels[$0].packets > 0 }
        putNote(
            "\(radio.missedEvents) connection events were not heard, \(radio.unread) packets are encrypted and could not be read; "
                + "\(used.count) channels were used.")
        let most = radio.channels.map(\.packets).max() ?? 0
        guard most > 0 else { return }
        html.markup("<svg class=\"channels\" viewBox=\"0 0 37 10\" preserveAspectRatio=\"none\" role=\"img\"")
        html.attribute("aria-label", "Packets on each of the channels 0 to 36; at most \(most)")
        html.markup(">")
        for channel in used {
            let count = radio.channels[channel].packets
            putBar(at: channel, "0.8", height: 10 * Double(count) / Double(most))
            html.markup("><title>")
            html.put("channel \(channel): \(count) packets, \(radio.channels[channel].badCRC) with a wrong CRC")
            html.markup("</title></rect>")
        }
        html.markup("</svg>")
    }

    // MARK: Procedures

    private mutating func write(_ procedures: [ProcedureRow]) {
        guard !procedures.isEmpty else { return }
        putTable(
            "Procedures",
            [.text("Procedure")] + FigureColumn<ProcedureRow>.all.map { .number($0.title) } + [.text("Not done")],
            procedures
        ) { page, row in
            page.putHead(row.kind.rawValue)
            for column in FigureColumn<ProcedureRow>.all { page.html.figure(column.figure(row)) }
            page.html.element("td") { $0.put(row.outcomes) }
        }
    }

    // MARK: Round trips and values

    /// Outcomes of requests, other than an answer in time.
    private static let troubles: [(name: String, count: @Sendable (ExchangeRow) -> Int)] = [
        ("Unanswered", { $0.unanswered }), ("Answer missed", { $0.answerMissed }), ("Open", { $0.open }),
        ("Over 30 s", { $0.timedOut }),
        ("Overlapping", { $0.overlapping }), ("Not timed", { $0.untimed }),
    ]

    private mutating func write(exchanges rows: [ExchangeRow], _ model: ReportModel) {
        guard !rows.isEmpty else { return }
        // Columns that would be nothing but 0 are not there.
        let troubles = Self.troubles.filter { trouble in rows.contains { trouble.count($0) > 0 } }
        putTable(
            "Round trips",
            [.text("Request")] + FigureColumn<ExchangeRow>.all.map { .number($0.title) } + [.text("Distribution")]
                + troubles.map { .number($0.name) }, rows
        ) { page, row in
            page.putHead(row.key, row.seen, model)
            for column in FigureColumn<ExchangeRow>.all { page.html.figure(column.figure(row)) }
            page.html.markup("<td>")
            page.writeHistogram(row.roundTrips)
            page.html.markup("</td>")
            for trouble in troubles { page.html.figure(trouble.count(row)) }
        }
    }

    private mutating func writeHistogram(_ times: Distribution) {
        let parts = times.parts(StatisticsText.parts)
        guard let most = parts.map(\.count).max(), most > 0 else { return }
        html.markup("<svg class=\"histogram\" viewBox=\"0 0 12 10\" preserveAspectRatio=\"none\" role=\"img\"")
        html.attribute("aria-label") { piece in
            piece.append("from \(duration: Int64(times.minimum ?? 0) * 1_000) to ")
            piece.append("\(duration: Int64(times.maximum ?? 0) * 1_000): ")
            piece.append(string: parts.map { "\($0.count)" }.joined(separator: ", "))
        }
        html.markup(">")
        for (index, part) in parts.enumerated() where part.count > 0 {
            putBar(at: index, "0.9", height: max(0.5, 10 * Double(part.count) / Double(most)))
            html.markup("/>")
        }
        html.markup("</svg>")
    }

    /// The beginning of a bar in a drawing that is 10 high.
    private mutating func putBar(at place: Int, _ width: StaticString, height: Double) {
        html.markup("<rect width=\"")
        html.markup(width)
        html.markup("\" x=\"")
        html.put(place)
        html.markup("\" y=\"")
        html.put(coordinate: 10 - height)
        html.markup("\" height=\"")
        html.put(coordinate: height)
        html.markup("\"")
    }

    private mutating func write(slowest: [SlowExchange], _ model: ReportModel) {
        guard !slowest.isEmpty else { return }
        putTable(
            "Slowest round trips", caption: "Slowest",
            [.text("Request"), .number("Round trip"), .number("Request frame"), .number("Answer frame")], slowest
        ) { page, exchange in
            page.putHead(exchange.key, SeenTimes(exchange.time), model)
            page.html.figure(.microseconds(Double(exchange.nanoseconds) / 1_000))
            for frame in [exchange.requestFrame, exchange.frame] {
                page.html.markup("<td class=\"n\">")
                page.putFrame(frame)
                page.html.markup("</td>")
            }
        }
    }

    private mutating func write(values rows: [ValueRow], _ model: ReportModel) {
        guard !rows.isEmpty else { return }
        putTable("Values", [.text("PDU")] + FigureColumn<ValueRow>.all.map { .number($0.title) }, rows) { page, row in
            page.putHead(row.key, row.seen, model)
            for column in FigureColumn<ValueRow>.all { page.html.figure(column.figure(row)) }
        }
    }

    private mutating func putHead(_ key: RowKey, _ seen: SeenTimes, _ model: ReportModel) {
        html.markup("<tr")
        putTimes(seen, model)
        html.markup("><th scope=\"row\">")
        html.put { $0.append(key, model.names) }
        html.markup("</th>")
    }

    mutating func putHead(_ text: String) {
        html.markup("<tr><th scope=\"row\">")
        html.put(text)
        html.markup("</th>")
    }
}

extension Direction {
    /// For a table.
    var title: String {
        switch self {
        case .tx: "→ sent"
        case .rx: "← received"
        case .unknown: "unknown"
        }
    }
}
