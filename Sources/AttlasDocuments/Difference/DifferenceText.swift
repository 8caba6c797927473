import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// Differences between two captures, as lines and tables.
package struct DifferenceText {
    private var line: LineWriter
    private var piece = TextBuffer()
    private let values: ValueInterpreter

    package init(values: ValueInterpreter, width: Int?, isColoured: Bool) {
        self.values = values
        line = LineWriter(width: width, isColoured: isColoured)
    }

    package mutating func write(
        _ difference: CaptureDifference, _ verdict: DifferenceVerdict, into output: inout Output
    ) {
        let snapshots: [(StaticString, CaptureSnapshot)] = [("A", difference.first), ("B", difference.second)]
        for (letter, snapshot) in snapshots { line.putDamage(snapshot.integrity, of: letter) }
        for (letter, snapshot) in snapshots {
            line.put(letter, .name)
            line.putFolded("  \(display: snapshot.file)", margin: 3)
        }
        writeIncidents(of: difference)
        for server in difference.servers { write(server) }
        if difference.servers.isEmpty {
            line.endLine()
            line.put("No GATT tree of a peer in either capture.", .faint)
            line.endLine()
        }
        write("Procedures", difference.procedures, FigureColumn.all) { text, pair, _ in
            text.line.put("\(own: pair.key.rawValue)", .name)
            for (letter, row) in [("A", pair.first), ("B", pair.second)] as [(StaticString, ProcedureRow?)] {
                guard let row, row.outcomes.count > 0 else { continue }
                text.line.put("  \(letter): \({ $0.append(contentsOf: row.outcomes) })", row.hasFailed ? .bad : .faint)
            }
            text.line.endLine()
        }
        write("Round trips", difference.exchanges, FigureColumn.all) { $0.putName($1.key, isShort: $2) }
        write("Values", difference.values, FigureColumn.all) { $0.putName($1.key, isShort: $2) }
        write(difference.fields)
        line.putPart(difference.first.integrity, of: "A")
        line.putPart(difference.second.integrity, of: "B")
        write(verdict)
        output.write(&line.text)
    }

    // MARK: Incidents

    private mutating func writeIncidents(of difference: CaptureDifference) {
        let pairs = difference.incidents
        guard !pairs.isEmpty else { return }
        line.putTitle("Incidents")
        let changed = pairs.filter { $0.change != .same }
        if !changed.isEmpty { heading([("count A", 9), ("B", 16)]) }
        for pair in changed {
            line.put(.count(pair.first?.count), before: 9)
            line.put(.count(pair.second?.count), before: 16)
            line.advance(to: 18)
            piece = TextBuffer("\({ $0.append(pair) }) · \(own: pair.change.rawValue)")
            if let before = pair.rates.first.rate, let after = pair.rates.second.rate, pair.first != nil,
                pair.second != nil
            {
                piece.append(": \({ $0.append(rounded: after) }) an hour, \({ $0.append(rounded: before) }) in A")
            }
            for (letter, incidents, capture) in [
                ("A", pair.first, difference.first), ("B", pair.second, difference.second),
            ] {
                guard let incidents else { continue }
                piece.append(", frame \(incidents.frame) of \(own: letter)")
                if let clock = capture.integrity.clock(of: incidents.time) { piece.append(" (\(own: clock))") }
            }
            putLine(.name, margin: 20)
        }
        let same = pairs.count - changed.count
        guard same > 0 else { return }
        line.putFolded("  \(same) \(same == 1 ? "is" : "are") the same in both.", .faint, margin: 3)
    }

    // MARK: Trees

    private mutating func write(_ difference: CaptureDifference.ServerDifference) {
        line.endLine()
        line.put("\({ $0.append(difference) })", .name)
        guard let first = difference.first, difference.second != nil else {
            line.put(difference.first == nil ? " · only in B" : " · only in A", .faint)
            line.endLine()
            return
        }
        if difference.changes.isEmpty {
            line.put(
                difference.isCompared
                    ? " · the same tree of \(first.attributes.count, "attribute")"
                    : " · not discovered in either capture", .faint)
        }
        line.endLine()
        for change in difference.changes { write(change) }
    }

    private mutating func write(_ change: CaptureDifference.AttributeChange) {
        let isChange = change.first != nil && change.second != nil
        line.put(isChange ? "  ~ " : change.first == nil ? "  + " : "  − ", change.first == nil ? .good : .bad)
        piece.removeAll()
        if let first = change.first { piece.append("\(hex: first.handle)") }
        if let second = change.second, change.isMoved || change.first == nil {
            if change.isMoved { piece.append(" → ") }
            piece.append("\(hex: second.handle)")
        }
        line.put(piece)
        line.advance(to: 22)
        piece.removeAll()
        piece.append(change.path, values)
        line.put(piece, .name)
        piece.removeAll()
        if let properties = change.first?.properties ?? change.second?.properties {
            piece.append("  ")
            piece.append(properties)
            if change.hasOtherProperties, let properties = change.second?.properties {
                piece.append(" → ")
                piece.append(properties)
            }
        }
        putLine(.faint, margin: 24)
    }

    // MARK: Tables

    private mutating func write<Key, Row: SampledRow>(
        _ title: StaticString, _ pairs: [CaptureDifference.Pair<Key, Row>], _ columns: [FigureColumn<Row>],
        _ putName: (inout DifferenceText, CaptureDifference.Pair<Key, Row>, _ isShort: Bool) -> Void
    ) {
        guard !pairs.isEmpty else { return }
        line.putTitle(title)
        let columns = columns.filter { $0.pair != nil }
        // A, B, and the change, which has no room where it is not needed.
        let table = ColumnLayout(
            columns.flatMap { column -> [ColumnLayout.Column] in
                guard let pair = column.pair else { return [] }
                return [.init("", pair.first, rank: pair.rank), .init("B", pair.second, rank: pair.rank)]
                    + (column.hasChange ? [.init("change", 8, rank: 1)] : [])
            }, width: line.width)
        var place = 0
        func next() -> Int? {
            defer { place += 1 }
            return table[place]
        }
        for column in columns {
            if let end = next(), let title = column.text?.title {
                line.put(TextBuffer("\(title) A"), before: end, .faint)
            }
            if let end = next() { line.putHeading("B", before: end) }
            if column.hasChange, let end = next() { line.putHeading("change", before: end) }
        }
        line.endLine()
        for pair in pairs {
            place = 0
            for column in columns {
                for figure in pair.figures(column) { line.put(figure, before: next()) }
                if column.hasChange, let end = next() { line.put(pair.change(column), before: end) }
            }
            line.advance(to: table.name)
            putName(&self, pair, line.isShort(from: table.name))
        }
    }

    private mutating func write(_ fields: [CaptureDifference.FieldDifference]) {
        guard !fields.isEmpty else { return }
        line.putTitle("Fields in other ranges")
        heading([("count A", 9), ("B", 16)])
        for field in fields {
            line.put(.count(field.first?.count), before: 9)
            line.put(.count(field.second?.count), before: 16)
            line.advance(to: 18)
            line.put(
                "\(display: values.name(field.key.uuid, .characteristic)) › \(display: field.key.field)", .name)
            let (first, second, unit) = (field.first, field.second, field.key.unit)
            line.putFolded("  \({ $0.append(first, unit) }) → \({ $0.append(second, unit) })", margin: 20)
        }
    }

    private mutating func heading(_ headings: [(StaticString, Int)]) {
        for (text, end) in headings { line.putHeading(text, before: end) }
        line.endLine()
    }

    // MARK: Verdict

    private mutating func write(_ verdict: DifferenceVerdict) {
        if !verdict.failures.isEmpty { line.putTitle("Failed") }
        for failure in verdict.failures {
            line.put("  ✗ ", .bad)
            switch failure {
            case .tree(let server):
                line.put("tree  \(server.changes.count, "difference") of ")
                line.putFolded("\({ if let first = server.first { $0.append(first) } })", margin: 3)
            case .slower(let key, let percentile, let before, let after):
                line.put("slower  p\(percentile) \(duration: Int64(before) * 1_000)")
                line.put(" → \(duration: Int64(after) * 1_000)  ")
                putName(key)
            case .incidents(let pair):
                line.put("incidents  \(pair.first?.count ?? 0) → \(pair.second?.count ?? 0)  ")
                line.putFolded("\({ $0.append(pair) })", margin: 3)
            case .incomplete(let snapshot):
                line.putFolded("incomplete  \(display: snapshot.file)", margin: 3)
            }
        }
        guard !verdict.notCompared.isEmpty else { return }
        line.putTitle("Not compared: fewer than 20 round trips")
        heading([("count A", 9), ("B", 16)])
        for pair in verdict.notCompared {
            line.put(.count(pair.first?.roundTrips.count ?? 0), before: 9)
            line.put(.count(pair.second?.roundTrips.count ?? 0), before: 16)
            line.advance(to: 18)
            putName(pair.key)
        }
    }

    private mutating func putName(_ key: CaptureSnapshot.MeasureKey, isShort: Bool = false) {
        line.put(key.opcode, key.direction)
        let path = key.path(values, isShort: isShort)
        if !path.isEmpty { line.put("  \(display: path)", .name) }
        line.endLine()
    }

    /// - Parameter margin: where it continues when it is longer than the terminal's line.
    private mutating func putLine(_ style: LineWriter.Style = .plain, margin: Int = 3) {
        line.putFolded(piece, style, margin: margin)
    }
}
