import AttlasDissection
import AttlasMetrics
import AttlasText

/// Numbers over time on the screen: one series as a curve, and another one as points above it, each on a separate axis.
struct PlotPane {
    /// The subject of the numbers.
    let title: String
    /// The chosen series, by their names: there are more of them while the capture is read.
    private var curveName: String?
    private var pointsName: String?
    /// Columns from the beginning of the time axis.
    private var cursor: Int?
    private var series: [TimeSeries] = []
    private var curve: TimeSeries?
    private var points: TimeSeries?
    /// Where the graph is, and which times it has.
    private var columns = 0..<0
    private var times: ClosedRange<Int64> = 0...0

    init(title: String) {
        self.title = title
    }

    // MARK: Keys

    /// Another series as the curve.
    mutating func move(by steps: Int) {
        guard !series.isEmpty else { return }
        let place = series.firstIndex { $0.name == curve?.name } ?? 0
        curveName = series[max(0, min(series.count - 1, place + max(-1, min(1, steps))))].name
        if pointsName == curveName { pointsName = nil }
    }

    /// Another series as the points: each of them, and then none.
    mutating func cover() {
        let others = series.map(\.name).filter { $0 != curve?.name }
        let place = others.firstIndex { $0 == points?.name }.map { $0 + 1 } ?? 0
        pointsName = place < others.count ? others[place] : nil
    }

    /// To the next value of the curve in a direction, or the one before.
    mutating func moveCursor(by step: Int) {
        guard let curve else { return }
        let values = bounds(of: curve).columns
        var column = cursor ?? (step > 0 ? -1 : columns.count)
        repeat { column += step } while values.indices.contains(column) && values[column] == nil
        if values.indices.contains(column) { cursor = column }
    }

    /// To the first value of the curve, or to the last one.
    mutating func moveCursor(toEnd isEnd: Bool) {
        cursor = nil
        moveCursor(by: isEnd ? -1 : 1)
    }

    /// Puts the cursor on a column of the screen.
    mutating func select(column: Int) {
        if columns.contains(column) { cursor = column - columns.lowerBound }
    }

    /// Nanoseconds since the first record where the cursor is.
    var time: Int64? { cursor.map { time(ofColumn: $0) } }

    // MARK: Layout

    mutating func layOut(_ series: [TimeSeries], columns all: Range<Int>) {
        self.series = series
        curve = series.first { $0.name == curveName } ?? series.first
        points = series.first { $0.name == pointsName && $0.name != curve?.name }
        let shown = [curve, points].compactMap(\.self)
        times = (shown.map(\.start).min() ?? 0)...(shown.map(\.end).max() ?? 0)
        let left = all.lowerBound + 2 + (curve.map { Self.labelWidth($0) } ?? 0)
        let right = all.upperBound.room(without: 1 + (points.map { Self.labelWidth($0) + 1 } ?? 0))
        columns = left..<max(left + 1, right)
        if let cursor { self.cursor = min(cursor, columns.count - 1) }
    }

    private static func labelWidth(_ series: TimeSeries) -> Int {
        guard let bounds = series.bounds else { return 0 }
        return max(label(bounds.lowerBound).columns, label(bounds.upperBound).columns)
    }

    private static func label(_ number: Double) -> TextBuffer {
        var text = TextBuffer()
        text.append(rounded: number)
        return text
    }

    /// - Parameter count: into how many parts the time is divided.
    private func place(of time: Int64, in count: Int) -> Int {
        let span = Double(times.upperBound) - Double(times.lowerBound)
        guard span > 0 else { return 0 }
        return max(0, min(count - 1, Int((Double(time) - Double(times.lowerBound)) / span * Double(count))))
    }

    /// When a column begins. In whole numbers: the time between two hostile clocks fits no other way.
    private func time(ofColumn column: Int) -> Int64 {
        let span = times.upperBound.subtracting(times.lowerBound)
        let (count, column) = (Int64(columns.count), Int64(column))
        return times.lowerBound &+ span / count * column &+ span % count * column / count
    }

    // MARK: Painting

    /// - Parameter heading: the row above the pane.
    func paint(_ grid: inout Grid, heading: Int, height: Int, isFocused: Bool, isASCII: Bool) {
        grid.paintHeading(row: heading, isFocused: isFocused)
        var text = TextBuffer()
        text.append(" Plot of \(display: title) ")
        grid.put(text, row: heading, column: 1, style: Grid.headingStyle(isFocused: isFocused))
        guard let curve else {
            grid.put("no number yet", row: heading + 1, column: 1, style: Grid.Style(.faint))
            return
        }
        var row = heading + 1
        paintSummary(&grid, row, curve, "— ", .received)
        row += 1
        if let points, height > 3 {
            paintSummary(&grid, row, points, "o ", .sent)
            row += 1
        }
        let axis = heading + height
        guard row < axis else { return }
        let rows = row..<axis
        paintLabels(&grid, rows, curve, before: columns.lowerBound - 1, .received)
        paint(&grid, rows, curve, isASCII ? .ascii : .braille, .received)
        if let points {
            paintLabels(&grid, rows, points, before: nil, .sent)
            paint(&grid, rows, points, .points, .sent)
        }
        if let cursor {
            for row in rows {
                grid.reverse(row: row, from: columns.lowerBound + cursor, to: columns.lowerBound + cursor + 1)
            }
        }
        paintTimes(&grid, axis, curve)
    }

    private func paintSummary(
        _ grid: inout Grid, _ row: Int, _ series: TimeSeries, _ mark: StaticString, _ style: TextStyle
    ) {
        let column = grid.put(mark, row: row, column: 1, style: Grid.Style(style))
        var text = TextBuffer()
        text.append(display: series.name)
        if let bounds = series.bounds {
            text.append(": ")
            text.append(bounds, isExact: !series.isRate)
            text.append(unit: series.unit)
            text.append(" · mean ")
            text.append(rounded: series.mean)
        }
        text.append(" · \(series.total.count, "value")")
        let gaps = series.gaps
        if let longest = gaps.first {
            text.append(" · \(gaps.count)")
            text.append(gaps.count == 1 ? " gap, " : " gaps, the longest ")
            text.append("\(duration: longest.length) from \(secondsOf: longest.start) s")
        }
        grid.put(text, row: row, column: column)
    }

    /// - Parameter end: the column after them; nil: at the edge of the screen.
    private func paintLabels(
        _ grid: inout Grid, _ rows: Range<Int>, _ series: TimeSeries, before end: Int?, _ style: TextStyle
    ) {
        guard let bounds = series.bounds else { return }
        let places = [(rows.upperBound - 1, bounds.lowerBound), (rows.lowerBound, bounds.upperBound)]
        let middle = (rows.lowerBound + (rows.count - 1) / 2, bounds.lowerBound)
        for (row, number) in rows.count > 1 && bounds.lowerBound < bounds.upperBound ? places : [middle] {
            let text = Self.label(number)
            if let end {
                grid.put(text, row: row, before: end, from: 0, style: Grid.Style(style))
            } else {
                grid.put(text, row: row, column: columns.upperBound + 1, style: Grid.Style(style))
            }
        }
    }

    private func paintTimes(_ grid: inout Grid, _ row: Int, _ curve: TimeSeries) {
        var text = TextBuffer()
        text.append("\(secondsOf: times.lowerBound) s")
        let left = grid.put(text, row: row, column: columns.lowerBound, style: Grid.Style(.faint))
        text.removeAll()
        text.append("\(secondsOf: times.upperBound) s")
        let right = grid.size.columns.room(without: text.columns)
        grid.put(text, row: row, before: grid.size.columns, from: left + 1, style: Grid.Style(.faint))
        guard let cursor else { return }
        text.removeAll()
        text.append("at \(secondsOf: time(ofColumn: cursor)) s: ")
        if let here = bounds(of: curve).columns[cursor] {
            text.append(here.bounds, isExact: !curve.isRate)
            text.append(unit: curve.unit)
        } else {
            text.append("no value")
        }
        guard right.room(without: left) > text.columns + 4 else { return }
        grid.put(text, row: row, column: left + 2, style: Grid.Style(.name))
    }

    private func bounds(of series: TimeSeries) -> ColumnBounds {
        ColumnBounds(series, columns.count) { place(of: $0, in: columns.count) }
    }

    private enum Strokes {
        case braille, ascii, points

        /// Dots in a character, in columns and rows.
        var dots: (columns: Int, rows: Int) { self == .braille ? (2, 4) : (1, 1) }
    }

    private func paint(
        _ grid: inout Grid, _ rows: Range<Int>, _ series: TimeSeries, _ strokes: Strokes, _ style: TextStyle
    ) {
        guard let bounds = series.bounds else { return }
        var canvas = DotCanvas(columns: columns.count * strokes.dots.columns, rows: rows.count * strokes.dots.rows)
        let range = bounds.upperBound - bounds.lowerBound
        func height(_ number: Double) -> Int {
            // All the same, or too far apart for a number.
            let part = range > 0 && range.isFinite ? (number - bounds.lowerBound) / range : 0.5
            return canvas.rows - 1 - max(0, min(canvas.rows - 1, Int(part * Double(canvas.rows))))
        }
        let gap = Double(series.gaps.last?.length ?? .max)
        let perColumn = Double(times.upperBound.subtracting(times.lowerBound)) / Double(canvas.columns)
        let all = ColumnBounds(series, canvas.columns) { place(of: $0, in: canvas.columns) }
        var former: (column: Int, row: Int)?
        for (column, here) in all.columns.enumerated() {
            guard let here else { continue }
            canvas.draw(column, height(here.bounds.upperBound), column, height(here.bounds.lowerBound))
            if let former, strokes != .points, Double(column - former.column) * perColumn < gap {
                canvas.draw(former.column, former.row, column, height(here.first))
            }
            former = (column, height(here.last))
        }
        for row in rows {
            for column in columns {
                let (x, y) = (column - columns.lowerBound, row - rows.lowerBound)
                guard let scalar = canvas.scalar(x, y, strokes.dots, strokes == .points ? "o" : "*") else { continue }
                grid.put(String(scalar).utf8, row: row, column: column, style: Grid.Style(style))
            }
        }
    }
}

/// A series in as many columns as there is room for.
private struct ColumnBounds {
    struct Column {
        var bounds: ClosedRange<Double>
        let first: Double
        var last: Double
    }

    private(set) var columns: [Column?]

    init(_ series: TimeSeries, _ count: Int, _ place: (Int64) -> Int) {
        columns = [Column?](repeating: nil, count: count)
        for index in series.pieces.indices {
            guard let bounds = series.bounds(ofPiece: index) else { continue }
            let place = place(series.time(ofPiece: index))
            let piece = series.pieces[index]
            let (first, last) = series.isRate ? (bounds.lowerBound, bounds.upperBound) : (piece.first, piece.last)
            if let former = columns[place] {
                columns[place]?.bounds =
                    min(former.bounds.lowerBound, bounds.lowerBound)...max(former.bounds.upperBound, bounds.upperBound)
                columns[place]?.last = last
            } else {
                columns[place] = Column(bounds: bounds, first: first, last: last)
            }
        }
    }
}

/// Dots of which characters are made.
private struct DotCanvas {
    let columns: Int
    let rows: Int
    private var dots: [Bool]

    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        dots = [Bool](repeating: false, count: columns * rows)
    }

    /// A line from one dot to another.
    mutating func draw(_ column: Int, _ row: Int, _ endColumn: Int, _ endRow: Int) {
        let steps = max(abs(endColumn - column), abs(endRow - row))
        for step in 0...steps {
            let x = column + (endColumn - column) * step / max(1, steps)
            let y = row + (endRow - row) * step / max(1, steps)
            dots[y * columns + x] = true
        }
    }

    /// The character of the dots at a place: braille, or `mark` where a character is one dot; nil for none.
    func scalar(
        _ column: Int, _ row: Int, _ size: (columns: Int, rows: Int), _ mark: Unicode.Scalar
    ) -> Unicode.Scalar? {
        // U+2800: the dots of a column one below the other are the bits 0, 1, 2, 6 and 3, 4, 5, 7.
        let bits: [[UInt32]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]
        var pattern: UInt32 = 0
        for x in 0..<size.columns {
            for y in 0..<size.rows where dots[(row * size.rows + y) * columns + column * size.columns + x] {
                pattern |= bits[x][y]
            }
        }
        guard pattern != 0 else { return nil }
        return size.columns == 1 ? mark : Unicode.Scalar(0x2800 + pattern)
    }
}

extension TextBuffer {
    /// `60–93`.
    fileprivate mutating func append(_ bounds: ClosedRange<Double>, isExact: Bool) {
        func append(_ number: Double) {
            if isExact { self.append(number: .float64(number)) } else { self.append(rounded: number) }
        }
        append(bounds.lowerBound)
        guard bounds.lowerBound < bounds.upperBound else { return }
        self.append("–")
        append(bounds.upperBound)
    }
}
