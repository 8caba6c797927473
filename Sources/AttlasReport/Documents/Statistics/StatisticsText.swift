import AttlasCapture
import AttlasMetrics
import AttlasTrace
import AttlasValues
import AttlasWire

/// The statistics of one capture as tables.
///
/// The numbers stand before the names, so that a name of any length fits and a narrow terminal cuts nothing else.
public struct StatisticsText {
    /// Columns of a sparkline, and parts of a histogram.
    static let parts = 12

    var line: LineWriter
    var piece = TextBuffer()
    private let model: StatisticsModel
    private let names: UUIDNames
    private let grouping: StatisticsGrouping
    private var rowNames = RenderedTextCache<RowTextKey>()
    /// The reference of times.
    var origin: Timestamp?

    public init(_ model: StatisticsModel, grouping: StatisticsGrouping, width: Int?, isColoured: Bool) {
        self.model = model
        names = model.names
        self.grouping = grouping
        line = LineWriter(width: width, isColoured: isColoured)
    }

    /// An empty line before the next capture.
    public mutating func separate() {
        line.endLine()
    }

    /// `file` is named where there are several.
    public mutating func write(file: String?, into output: inout Output) {
        origin = model.origin
        if let file {
            piece.removeAll()
            piece.append(display: file)
            putLine(.name)
            line.endLine()
        }
        let groups = model.groups(by: grouping)
        for (index, group) in groups.enumerated() {
            if index > 0 { line.endLine() }
            for (place, connection) in group.connections.enumerated() {
                if place > 0 { line.endLine() }
                write(model.connections[connection])
                output.drain(&line.text)
            }
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
        warn(model.connectionsLeftOut, "connections more than attlas keeps are left out")
        warn(model.operationsLeftOut, "ATT PDUs of which attlas keeps no figures are left out")
        line.putPart(model.integrity)
        output.write(&line.text)
    }

    private mutating func warn(_ count: Int, _ text: StaticString) {
        guard count > 0 else { return }
        piece.removeAll()
        piece.append("✗ ")
        piece.append(decimal: count)
        piece.append(" ")
        piece.append(text)
        putLine(.bad)
    }

    // MARK: Round trips

    private enum ExchangeColumn {
        static let count = 9
        static let p50 = 18
        static let p90 = 27
        static let p99 = 36
        static let maximum = 45
        static let intervals = 57
        static let histogram = 59
        static let name = histogram + parts + 2
    }

    private mutating func write(exchanges: [ExchangeRow]) {
        guard !exchanges.isEmpty else { return }
        line.putTitle("Round trips")
        line.putHeading("count", before: ExchangeColumn.count)
        line.putHeading("p50", before: ExchangeColumn.p50)
        line.putHeading("p90", before: ExchangeColumn.p90)
        line.putHeading("p99", before: ExchangeColumn.p99)
        line.putHeading("max", before: ExchangeColumn.maximum)
        line.putHeading("intervals", before: ExchangeColumn.intervals)
        line.advance(to: ExchangeColumn.histogram)
        line.put("min … max", .faint)
        line.endLine()
        for row in exchanges { write(row) }
    }

    private mutating func write(_ row: ExchangeRow) {
        cell(ExchangeColumn.count) { $0.append(decimal: row.roundTrips.count) }
        cell(duration: row.roundTrips.percentile(50), ExchangeColumn.p50)
        cell(duration: row.roundTrips.percentile(90), ExchangeColumn.p90)
        cell(duration: row.roundTrips.percentile(99), ExchangeColumn.p99)
        cell(duration: row.roundTrips.maximum, ExchangeColumn.maximum)
        if let intervals = row.intervals.percentile(50) {
            cell(ExchangeColumn.intervals) { $0.append(tenths: UInt64((intervals + 5) / 10)) }
        }
        line.advance(to: ExchangeColumn.histogram)
        piece.removeAll()
        piece.append(sparkline: row.roundTrips.parts(Self.parts))
        line.put(piece)
        line.advance(to: ExchangeColumn.name)
        putName(row.key)
        complain(row.unanswered, "unanswered")
        complain(row.answerMissed, "whose answer may have been missed", .faint)
        complain(row.timedOut, "over 30 s")
        complain(row.overlapping, "before the last was answered")
        complain(row.untimed, "across a jump of the clock, not timed")
        line.endLine()
    }

    private mutating func complain(_ count: Int, _ text: StaticString, _ style: LineWriter.Style = .bad) {
        guard count > 0 else { return }
        piece.removeAll()
        piece.append(style == .bad ? "  ✗ " : "  · ")
        piece.append(decimal: count)
        piece.append(" ")
        piece.append(text)
        line.put(piece, style)
    }

    private mutating func write(slowest: [SlowExchange]) {
        guard !slowest.isEmpty else { return }
        line.putTitle("Slowest")
        line.putHeading("time", before: ExchangeColumn.count)
        line.advance(to: ExchangeColumn.count + 2)
        line.put("frames", .faint)
        line.endLine()
        for exchange in slowest {
            cell(ExchangeColumn.count) { $0.append(duration: exchange.nanoseconds) }
            line.advance(to: ExchangeColumn.count + 2)
            piece.removeAll()
            piece.append(decimal: exchange.requestFrame)
            piece.append(" → ")
            piece.append(decimal: exchange.frame)
            line.put(piece)
            line.advance(to: 28)
            putName(exchange.key)
            line.endLine()
        }
    }

    // MARK: Values

    private enum ValueColumn {
        static let count = 9
        static let value = 19
        static let l2cap = 28
        static let hci = 37
        static let rate = 48
        static let mean = 59
        static let best = 70
        static let p50 = 79
        static let p99 = 88
        static let maximum = 97
        static let jitter = 106
        static let name = 108
    }

    private mutating func write(values rows: [ValueRow]) {
        guard !rows.isEmpty else { return }
        line.putTitle("Values")
        line.putHeading("count", before: ValueColumn.count)
        line.putHeading("octets", before: ValueColumn.value)
        line.putHeading("L2CAP", before: ValueColumn.l2cap)
        line.putHeading("HCI", before: ValueColumn.hci)
        line.putHeading("rate", before: ValueColumn.rate)
        line.putHeading("mean", before: ValueColumn.mean)
        line.putHeading("best 1 s", before: ValueColumn.best)
        line.putHeading("gap p50", before: ValueColumn.p50)
        line.putHeading("p99", before: ValueColumn.p99)
        line.putHeading("max", before: ValueColumn.maximum)
        line.putHeading("jitter", before: ValueColumn.jitter)
        line.endLine()
        for row in rows {
            cell(ValueColumn.count) { $0.append(decimal: row.count) }
            cell(ValueColumn.value) { $0.append(decimal: row.octets.value) }
            cell(ValueColumn.l2cap) { $0.append(decimal: row.octets.l2cap) }
            cell(ValueColumn.hci) { $0.append(decimal: row.octets.hci) }
            if let rate = row.perSecond {
                cell(ValueColumn.rate) { $0.append(rate: rate, "/s") }
            }
            if let mean = row.octetsPerSecond {
                cell(ValueColumn.mean) { $0.append(rate: mean, "B/s") }
            }
            cell(ValueColumn.best) { $0.append(rate: Double(row.bestSecond), "B") }
            cell(duration: row.gaps.percentile(50), ValueColumn.p50)
            cell(duration: row.gaps.percentile(99), ValueColumn.p99)
            cell(duration: row.gaps.maximum, ValueColumn.maximum)
            if let jitter = row.jitter {
                cell(ValueColumn.jitter) { $0.append(duration: Int64(jitter * 1_000)) }
            }
            line.advance(to: ValueColumn.name)
            putName(row.key)
            line.endLine()
        }
    }

    // MARK: Pieces

    /// Right-aligned: the last column is the one before `end`.
    mutating func cell(_ end: Int, _ write: (inout TextBuffer) -> Void) {
        piece.removeAll()
        write(&piece)
        line.put(piece, before: end)
    }

    private mutating func cell(duration microseconds: Int?, _ end: Int) {
        guard let microseconds else { return }
        cell(end) { $0.append(duration: Int64(microseconds) * 1_000) }
    }

    mutating func putLine(_ style: LineWriter.Style = .plain) {
        line.put(piece, style)
        line.endLine()
    }

    /// Devices of one kind have the same rows.
    private mutating func putName(_ key: RowKey) {
        let start = line.place
        let text = RowTextKey(key: key, column: start.column)
        if line.put(text, keptIn: rowNames) { return }
        line.put(key.opcode, key.direction)
        if let attribute = key.attribute {
            piece.removeAll()
            piece.append("  ")
            append(attribute)
            line.put(piece, attribute.isKnown ? .name : .faint)
        }
        line.keep(text, from: start, in: &rowNames)
    }

    /// `Heart Rate › Heart Rate Measurement`, `Battery Level › Client Characteristic Configuration`, `handle 0x0019`.
    mutating func append(_ attribute: RowAttribute) {
        guard attribute.isKnown else {
            guard let handle = attribute.handle else { return piece.append("unknown handles") }
            piece.append("handle 0x")
            piece.append(hex: handle, digits: 4, uppercase: true)
            return
        }
        var path: [String] = []
        if let service = attribute.service, attribute.descriptor == nil || attribute.characteristic == nil {
            path.append(names.name(service, .service))
        }
        if let characteristic = attribute.characteristic {
            path.append(names.name(characteristic, .characteristic))
        }
        if let descriptor = attribute.descriptor { path.append(names.name(descriptor, .descriptor)) }
        piece.append(display: path.joined(separator: " › "))
    }
}

extension LineWriter {
    /// `→ Write`
    mutating func put(_ opcode: ATTOpcode, _ direction: Direction) {
        let (arrow, style) = ConversationText.arrow(direction)
        put(arrow, style)
        var piece = TextBuffer()
        piece.append(" ")
        piece.append(string: opcode.shortName)
        put(piece)
    }
}

extension TextBuffer {
    /// `9.6 B/s`, `97.6 kB/s`, `1.2 MB/s`: one decimal place below 100.
    mutating func append(rate: Double, _ unit: StaticString) {
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
