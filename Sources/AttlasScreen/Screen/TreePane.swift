import AttlasConversation
import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// The attribute table of a peer, or of the host itself, with its values.
struct TreePane {
    enum Order: String, CaseIterable {
        case handle = "by handle"
        case count = "by count"
        case age = "by age"
    }

    /// The table whose rows are shown.
    private(set) var owner: TableOwner?
    var rows = ScreenView.Cursor<AttributeHandle>()
    private var tree = ScreenTree()
    /// Its visible rows.
    private(set) var shown: [ScreenTree.Row] = []
    var order = Order.handle
    var hidesIdle = false
    /// The last values of the rows that are in sight.
    private var values: [AttributeHandle: KeptValue] = [:]

    /// The attribute at the cursor, unless it is a service.
    var selected: (place: AttributePlace, name: String)? {
        guard let owner, shown.indices.contains(rows.index), shown[rows.index].kind != .service else {
            return nil
        }
        let row = shown[rows.index]
        return (AttributePlace(owner: owner, handle: row.handle), row.name)
    }

    /// Where the columns of the tree are. A narrow screen has fewer of them; on a wide one the value and the curve are wider.
    struct TreeColumns {
        let handle = 1
        let name = 8
        let value: Int
        let valueEnd: Int
        private(set) var count: Range<Int>?
        private(set) var rate: Range<Int>?
        private(set) var age: Range<Int>?
        private(set) var curve: Range<Int>?

        /// Columns that the name and the value have before there are others.
        private static let least = 30

        /// - Parameter names: columns of the longest name.
        init(width: Int, names: Int) {
            var room = width.room(without: name)
            func take(_ columns: Int) -> Int {
                guard room.room(without: columns) >= Self.least else { return 0 }
                room -= columns
                return columns
            }
            // The most useful first.
            let widths = (age: take(10), count: take(7), rate: take(8), curve: take(7))
            let more = room.room(without: Self.least + 11) / 4
            let curveWidth = widths.curve == 0 ? 0 : widths.curve + min(more, ValueSeries.sampleLimit - widths.curve)
            room -= curveWidth - widths.curve
            valueEnd = name + room
            // At least as wide as before there are names: the title is above them.
            value = name + min(max(20, names + 3), room / 2)
            var column = valueEnd
            func place(_ columns: Int) -> Range<Int>? {
                defer { column += columns }
                return columns == 0 ? nil : column..<column + columns
            }
            count = place(widths.count)
            rate = place(widths.rate)
            age = place(widths.age)
            curve = place(curveWidth)
        }
    }

    /// The columns on a screen of this width.
    private func columns(_ grid: Grid) -> TreeColumns { TreeColumns(width: grid.size.columns, names: tree.nameWidth) }

    /// The rows of a table, and the values of those that are in sight.
    mutating func layOut(_ owner: TableOwner?, height: Int, _ model: inout ScreenModel, in trace: borrowing Trace) {
        values = [:]
        if owner != self.owner { rows = ScreenView.Cursor() }
        self.owner = owner
        guard let owner else { return }
        tree.update(owner, &model, in: trace)
        choose(owner, model)
        rows.settle(shown.map(\.handle), height: height, isPinned: true)
        for row in shown.dropFirst(rows.top).prefix(height) {
            values[row.handle] = model.tree.activities[owner, row.handle]?.value(
                row.type, at: row.place, &model.values, in: trace)
        }
    }

    /// The rows of the table in their order.
    private mutating func choose(_ owner: TableOwner, _ model: ScreenModel) {
        shown = tree.rows
        guard hidesIdle || order != .handle else { return }
        func activity(_ row: ScreenTree.Row) -> TreeCollector.Activity? { model.tree.activities[owner, row.handle] }
        if hidesIdle {
            // A service whose characteristics are all hidden is not shown.
            var isUsed = false
            shown = shown.reversed().filter { row in
                if row.kind == .service {
                    defer { isUsed = false }
                    return isUsed
                }
                let isShown = (activity(row)?.lastValueTime) != nil || (activity(row)?.errors ?? 0) > 0
                isUsed = isUsed || isShown
                return isShown
            }.reversed()
        }
        guard order != .handle else { return }
        shown.removeAll { $0.kind == .service }
        let keys = shown.enumerated().map { place, row in
            (
                row, place,
                order == .count
                    ? Int64(activity(row)?.values ?? 0)
                    : activity(row)?.lastValueTime.map { model.time($0) } ?? .min
            )
        }
        shown = keys.sorted { $0.2 != $1.2 ? $0.2 > $1.2 : $0.1 < $1.1 }.map(\.0)
    }

    /// - Parameters:
    ///   - lines: the rows of the screen below the titles.
    ///   - followed: the attribute to highlight.
    func paint(
        _ grid: inout Grid, lines: Range<Int>, isFocused: Bool, followed: AttributePlace?, _ model: ScreenModel,
        _ now: Int64
    ) {
        guard let owner else { return }
        if shown.isEmpty {
            grid.put(
                tree.rows.isEmpty ? "nothing discovered and nothing accessed" : "nothing has a value",
                row: lines.lowerBound,
                column: 8, style: Grid.Style(.faint))
        }
        for line in lines {
            let index = rows.top + line - lines.lowerBound
            guard index < shown.count else { break }
            let row = shown[index]
            let place = AttributePlace(owner: owner, handle: row.handle)
            paint(row, isFollowed: followed == place, &grid, line, model, now)
            if index == rows.index { grid.markCursor(row: line, isFocused: isFocused) }
        }
    }

    /// - Parameter name: whose table it is.
    func paintTitles(_ grid: inout Grid, _ heading: Int, _ name: String?, isFocused: Bool) {
        let columns = columns(grid)
        let style = Grid.headingStyle(isFocused: isFocused)
        grid.paintHeading(row: heading, isFocused: isFocused)
        var title = TextBuffer()
        title.append(" GATT")
        if hidesIdle { title.append(" in use") }
        if order != .handle { title.append(string: " \(order.rawValue)") }
        if let name {
            title.append(" of \(display: name)")
        }
        title.append(" ")
        grid.put(title, row: heading, column: 1, end: columns.value - 1, style: style)
        grid.put(" Value ", row: heading, column: columns.value - 1, style: style)
        for (title, place) in [
            ("Count" as StaticString, columns.count), ("Rate", columns.rate), ("Age", columns.age),
        ] {
            guard let place else { continue }
            var text = TextBuffer()
            text.append(title)
            grid.put(text, row: heading, before: place.upperBound - 1, from: place.lowerBound, style: style)
        }
        if let curve = columns.curve { grid.put("Curve", row: heading, column: curve.lowerBound + 1, style: style) }
    }

    private func paint(
        _ row: ScreenTree.Row, isFollowed: Bool, _ grid: inout Grid, _ line: Int, _ model: ScreenModel, _ now: Int64
    ) {
        guard let owner else { return }
        let columns = columns(grid)
        var text = TextBuffer()
        text.append("\(hex: row.handle)")
        grid.put(text, row: line, column: columns.handle, style: Grid.Style(.faint))
        text.removeAll()
        text.append(display: row.name)
        guard row.kind != .service else {
            grid.put(text, row: line, column: columns.name, style: Grid.Style(.name))
            return
        }
        if let known = model.findings[AttributePlace(owner: owner, handle: row.handle)] {
            grid.put("!", row: line, column: columns.name - 1, style: Grid.Style(known.last.rule.severity.style))
        }
        let isSubscribed = row.descriptors.contains { (model.tree.activities[owner, $0]?.configuration ?? 0) != 0 }
        if isSubscribed { grid.put("•", row: line, column: columns.name, style: Grid.Style(.good)) }
        grid.put(
            text, row: line, column: columns.name + 2, end: columns.value - 1,
            style: Grid.Style(isFollowed ? .good : row.kind == .unknown ? .bad : .plain))
        guard let activity = model.tree.activities[owner, row.handle] else { return }
        paintValue(activity, row, &grid, line, columns)

        func put(_ place: Range<Int>?, _ style: TextStyle = .plain, _ write: (inout TextBuffer) -> Void) {
            guard let place else { return }
            var text = TextBuffer()
            write(&text)
            grid.put(
                text, row: line, before: place.upperBound - 1, from: place.lowerBound, style: Grid.Style(style))
        }
        put(columns.count) { $0.append(count: activity.values) }
        let series = model.series[AttributePlace(owner: owner, handle: row.handle)]
        if let rate = series?.perSecond(at: now) {
            put(columns.rate) {
                $0.append("\(tenths: UInt64(min(rate, 1e9) * 10 + 0.5))/s")
            }
        }
        if let last = activity.lastValueTime {
            put(columns.age, .faint) { $0.append(duration: max(0, now &- model.time(last))) }
        }
        if let place = columns.curve, let samples = series?.samples, samples.count > 1 {
            grid.put(
                Self.curve(samples.suffix(place.count)), row: line, column: place.lowerBound,
                style: Grid.Style(.received))
        }
    }

    /// The last value of an attribute that is in sight.
    func appendValue(of handle: AttributeHandle, to text: inout TextBuffer) {
        if let value = values[handle] { text.append(value, limit: 512) }
    }

    private func paintValue(
        _ activity: TreeCollector.Activity, _ row: ScreenTree.Row, _ grid: inout Grid, _ line: Int,
        _ columns: TreeColumns
    ) {
        var text = TextBuffer()
        if activity.errors > 0 {
            text.append("✗ \(activity.errors)")
            text.append(activity.errors == 1 ? " error " : " errors ")
        }
        let column = grid.put(
            text, row: line, column: columns.value, end: columns.valueEnd - 1, style: Grid.Style(.bad))
        guard let value = values[row.handle] else { return }
        text.removeAll()
        text.append(value, limit: 32)
        text.append(activity.lastEnding)
        grid.put(text, row: line, column: column, end: columns.valueEnd - 1)
    }

    /// A character for each number, as high as it lies between the least and the greatest of them.
    static func curve(_ samples: some Collection<Double>) -> TextBuffer {
        let steps: [StaticString] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
        var text = TextBuffer()
        guard let least = samples.min(), let greatest = samples.max() else { return text }
        let range = greatest - least
        for sample in samples {
            // All the same, or too far apart for a number.
            let height = range > 0 && range.isFinite ? (sample - least) / range : 0.5
            text.append(steps[min(steps.count - 1, max(0, Int(height * Double(steps.count))))])
        }
        return text
    }
}

extension TextBuffer {
    /// In six columns: `123456`, `1.2 M`, `1234 M`.
    fileprivate mutating func append(count: Int) {
        guard count >= 1_000_000 else { return append(decimal: count) }
        if count < 100_000_000 { append(tenths: UInt64(count) / 100_000) } else { append(decimal: count / 1_000_000) }
        append(" M")
    }
}

extension TreeCollector.Activity {
    /// How many values passed.
    fileprivate var values: Int { reads + writes + notifications + indications }
}
