import AttlasCapture
import AttlasConversation
import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// The statistics of one capture as tables.
///
/// Numbers come before names, so that a name of any length fits. A narrow terminal has fewer numbers.
package struct StatisticsText {
    /// Columns of a sparkline, and parts of a histogram.
    package static let parts = 12

    var line: LineWriter
    var piece = TextBuffer()
    let model: StatisticsModel
    let names: UUIDNames
    private let grouping: StatisticsGrouping
    private var rowNames = RenderedTextCache<RowTextKey>()
    /// The reference of times.
    var origin: Timestamp?

    package init(_ model: StatisticsModel, grouping: StatisticsGrouping, width: Int?, isColoured: Bool) {
        self.model = model
        names = model.names
        self.grouping = grouping
        line = LineWriter(width: width, isColoured: isColoured)
    }

    /// An empty line before the next capture.
    package mutating func separate() {
        line.endLine()
    }

    /// `file` is named where there are several.
    package mutating func write(file: String?, into output: inout Output) {
        origin = model.origin
        if let file {
            line.putFolded("\(display: file)", .name, margin: 2)
            line.endLine()
        }
        line.putDamage(model.integrity)
        let groups = model.groups(by: grouping)
        for (index, group) in groups.enumerated() {
            if index > 0 { line.endLine() }
            for (place, connection) in group.connections.enumerated() {
                if place > 0 { line.endLine() }
                write(model.connections[connection])
                output.drain(&line.text)
            }
            write("Procedures", group.procedures)
            write(exchanges: group.exchanges)
            write(slowest: group.slowest)
            write(values: group.values)
            output.drain(&line.text)
        }
        if groups.isEmpty {
            line.put(
                model.connections.isEmpty
                    ? "No connection in this capture." : "Nothing in this capture is what was asked for.")
            line.endLine()
        }
        write("Attempts without a connection", model.attempts)
        write("Streams of no connection", model.streams(ofConnection: nil))
        writeOthers()
        line.putPart(model.integrity)
        output.write(&line.text)
    }

    /// Writes the rows beyond the limits, together.
    private mutating func writeOthers() {
        guard
            model.connectionsLeftOut + model.operationsLeftOut + model.streamsLeftOut + model.channelPacketsLeftOut > 0
        else { return }
        line.endLine()
        piece = TextBuffer("Beyond the limits")
        if model.connectionsLeftOut > 0 { piece.append(" · \(model.connectionsLeftOut, "connection")") }
        if model.operationsLeftOut > 0 { piece.append(" · \(model.operationsLeftOut, "ATT PDU")") }
        if model.streamsLeftOut > 0 { piece.append(" · \(model.streamsLeftOut, "stream")") }
        if model.channelPacketsLeftOut > 0 { piece.append(" · \(model.channelPacketsLeftOut, "packet") of channels") }
        putLine(.name)
        let others = model.others
        writeLinks(others.directions.compactMap { direction in others.links[direction].map { (direction, $0) } })
        write(exchanges: others.exchanges)
        write(values: others.values)
    }

    // MARK: Procedures

    private mutating func write(_ title: StaticString, _ procedures: [ProcedureRow]) {
        write(title, procedures, FigureColumn.all) { text, row, table in
            text.line.advance(to: table.name)
            text.line.put("\(own: row.kind.rawValue)")
            let outcomes = row.outcomes
            guard outcomes.count > 0 else { return }
            text.line.put(row.hasFailed ? "  ✗ " : "  · ", row.hasFailed ? .bad : .faint)
            text.line.put(outcomes, row.hasFailed ? .bad : .faint)
        }
    }

    // MARK: Round trips

    private mutating func write(exchanges: [ExchangeRow]) {
        let histogram = ColumnLayout.Column("min … max", 2 + Self.parts, rank: 6, overhang: Self.parts - 9)
        write("Round trips", exchanges, FigureColumn.all, [histogram]) { text, row, table in
            if let last = table.ends.last, let end = last {
                text.line.advance(to: end - Self.parts)
                text.piece.removeAll()
                text.piece.append(sparkline: row.roundTrips.parts(Self.parts))
                text.line.put(text.piece)
            }
            text.line.advance(to: table.name)
            text.putName(row.key, isShort: text.line.isShort(from: table.name))
            text.complain(row.unanswered, "unanswered")
            text.complain(row.answerMissed, "whose answer may have been missed", .faint)
            text.complain(row.open, "open at the end", .faint)
            text.complain(row.timedOut, "over 30 s")
            text.complain(row.overlapping, "before the last was answered")
            text.complain(row.untimed, "not timed", .faint)
        }
    }

    /// A line for each row: its figures, and the output of `write` after them.
    private mutating func write<Row>(
        _ title: StaticString, _ rows: [Row], _ columns: [FigureColumn<Row>], _ others: [ColumnLayout.Column] = [],
        _ write: (inout StatisticsText, Row, ColumnLayout) -> Void
    ) {
        guard !rows.isEmpty else { return }
        line.putTitle(title)
        let table = ColumnLayout(columns.compactMap(\.text) + others, width: line.width)
        line.putHeadings(table)
        let columns = columns.filter { $0.text != nil }
        for row in rows {
            putFigures(of: row, columns, table)
            write(&self, row, table)
            line.endLine()
        }
    }

    private mutating func complain(_ count: Int, _ text: StaticString, _ style: LineWriter.Style = .bad) {
        if count > 0 { line.put("  \(style == .bad ? "✗" : "·") \(count) \(text)", style) }
    }

    private mutating func write(slowest: [SlowExchange]) {
        guard !slowest.isEmpty else { return }
        line.putTitle("Slowest")
        let (time, frames, name) = (9, 11, 28)
        line.putHeading("time", before: time)
        line.advance(to: frames)
        line.put("frames", .faint)
        line.endLine()
        for exchange in slowest {
            cell(time) { $0.append(duration: exchange.nanoseconds) }
            line.advance(to: frames)
            line.put("\(exchange.requestFrame) → \(exchange.frame)")
            line.advance(to: name)
            putName(exchange.key, isShort: line.isShort(from: name))
            line.endLine()
        }
    }

    // MARK: Values

    private mutating func write(values: [ValueRow]) {
        write("Values", values, FigureColumn.all) { text, row, table in
            text.line.advance(to: table.name)
            text.putName(row.key, isShort: text.line.isShort(from: table.name))
        }
    }

    // MARK: Pieces

    /// Right-aligned: the last column is the one before `end`; nil if there is no room.
    mutating func cell(_ end: Int?, _ write: (inout TextBuffer) -> Void) {
        guard let end else { return }
        piece.removeAll()
        write(&piece)
        line.put(piece, before: end)
    }

    /// Each in its column, if there is a number and room.
    mutating func putFigures<Row>(of row: Row, _ columns: [FigureColumn<Row>], _ table: ColumnLayout) {
        for place in columns.indices {
            let figure = columns[place].figure(row)
            if figure.number != nil { cell(table.ends[place]) { $0.append(figure) } }
        }
    }

    /// - Parameter margin: where it continues when it is longer than the terminal's line.
    mutating func putLine(_ style: LineWriter.Style = .plain, margin: Int = 2) {
        line.putFolded(piece, style, margin: margin)
    }

    /// Devices of one kind have the same rows.
    private mutating func putName(_ key: RowKey, isShort: Bool) {
        let start = line.place
        let text = RowTextKey(key: key, column: start.column, isShort: isShort)
        if line.put(text, keptIn: rowNames) { return }
        line.put(key.opcode, key.direction)
        if let attribute = key.attribute {
            piece.removeAll()
            piece.append("  ")
            piece.append(attribute, names, isShort: isShort)
            line.put(piece, attribute.isKnown ? .name : .faint)
        }
        line.keep(text, from: start, in: &rowNames)
    }
}

extension LineWriter {
    /// Right-aligned; nothing without a number or without room.
    mutating func put(_ figure: Figure, before end: Int?) {
        if figure.number != nil, let end { put("\({ $0.append(figure) })", before: end) }
    }

    /// `→ Write`
    mutating func put(_ opcode: ATTOpcode, _ direction: Direction) {
        let (arrow, style) = ConversationText.arrow(direction)
        put(arrow, style)
        put(" \(opcode.shortName)")
    }
}

extension TextBuffer {
    /// `9.6 B/s`, `97.6 kB/s`, `1.2 MB/s`: one decimal place below 100.
    package mutating func append(rate: Double, _ unit: StaticString) {
        let (scaled, prefix): (Double, StaticString) =
            switch rate {
            case ..<10_000: (rate, "")
            case ..<10_000_000: (rate / 1_000, "k")
            default: (rate / 1_000_000, "M")
            }
        if scaled < 100 {
            append(tenths: UInt64((scaled * 10).rounded()))
        } else {
            append(decimal: UInt64(scaled.rounded()))
        }
        append(" ")
        append(prefix)
        append(unit)
    }

    /// A block for each part, as high as its share of the greatest.
    mutating func append(sparkline parts: [Distribution.Part]) {
        let blocks: [StaticString] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
        guard let most = parts.map(\.count).max(), most > 0 else { return }
        for part in parts {
            if part.count == 0 { append(" ") } else { append(blocks[(part.count * 8 + most - 1) / most - 1]) }
        }
    }
}

/// The text of a table's row: its method, its direction and its attribute.
struct RowTextKey: RenderedTextKey {
    let key: RowKey
    /// From which it is written.
    let column: Int
    let isShort: Bool

    /// Devices number their attributes alike, but for different types.
    var place: Int {
        let uuids =
            Int(key.attribute?.characteristic?.value ?? 0) &* 37 &+ Int(key.attribute?.service?.value ?? 0) &* 211
        return Int(key.attribute?.handle ?? 0) &* 5 &+ Int(key.opcode.rawValue) &+ column &* 67 &+ uuids
    }
}
