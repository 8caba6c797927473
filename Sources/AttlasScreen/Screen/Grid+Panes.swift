import AttlasText
import AttlasTrace

/// The common look of all panes.
extension Grid {
    /// The style of a pane's heading: reversed where the keys are.
    static func headingStyle(isFocused: Bool) -> Style { Style(.faint, isReversed: isFocused) }

    /// A line above a pane; its titles are put into it.
    mutating func paintHeading(row: Int, from start: Int = 0, to end: Int? = nil, isFocused: Bool) {
        for column in columns(of: row, from: start, to: end) {
            put("─", row: row, column: column, style: Self.headingStyle(isFocused: isFocused))
        }
    }

    /// The row that the keys move, or, where they are in another pane, a mark.
    mutating func markCursor(row: Int, from start: Int = 0, to end: Int? = nil, isFocused: Bool) {
        put("›", row: row, column: start, style: Style(.name))
        if isFocused { reverse(row: row, from: start, to: end) }
    }

    /// Instead of everything, when the screen is smaller than the smallest that has room for it.
    mutating func paintTooSmall(_ smallest: Size) {
        put(TextBuffer("too small: \(size.columns) x \(size.rows)"), row: 0, column: 0, style: Style(.bad))
        put(TextBuffer("attlas needs \(smallest.columns) x \(smallest.rows)"), row: 1, column: 0)
        put("q quits", row: 2, column: 0)
    }

    mutating func paintHelp(_ bindings: [ScreenBinding], _ title: String = "Keys", from first: Int = 0) {
        let room = Self.listWidth(size).room(without: 25)
        let lines = bindings.flatMap { binding in
            binding.help.flatMap { Self.rows($0, room) }.enumerated().map {
                ($0.offset == 0 ? binding.label : "", $0.element)
            }
        }
        let shown = min(lines.count, size.rows.room(without: 5))
        let top = max(1, size.rows.room(without: shown + 4) / 2)
        let isAll = shown == lines.count
        paintList(
            Array(lines.dropFirst(min(first, lines.count.room(without: shown))).prefix(shown)), title, row: top,
            footer: isAll ? "any key closes this" : "↓ ↑ move; any other key closes this")
    }

    private static func listWidth(_ size: Size) -> Int { min(72, size.columns) }

    /// A text in as many rows as it needs.
    private static func rows(_ text: String, _ room: Int) -> [String] {
        var rows = [""]
        for word in text.split(separator: " ") {
            let isFirst = rows[rows.count - 1].isEmpty
            if !isFirst, rows[rows.count - 1].count + 1 + word.count > room {
                rows.append(String(word))
            } else {
                rows[rows.count - 1] += isFirst ? word : " \(word)"
            }
        }
        return rows
    }

    /// A box with a list: the left and the right part of its rows.
    mutating func paintList(
        _ lines: [(label: String, text: String)], _ title: String, row top: Int, selected: Int? = nil,
        footer: StaticString? = nil
    ) {
        let width = Self.listWidth(size)
        let left = size.columns.room(without: width) / 2
        let rows = lines.count + (footer == nil ? 2 : 4)
        for row in top..<top + rows {
            clear(row: row, from: left, to: left + width)
            put("│", row: row, column: left)
            put("│", row: row, column: left + width - 1)
        }
        for row in [top, top + rows - 1] {
            for column in left..<left + width { put("─", row: row, column: column) }
        }
        var text = TextBuffer()
        text.append(string: " \(title) ")
        put(text, row: top, column: left + 2, style: Style(.name))
        let column = left + (lines.allSatisfy(\.label.isEmpty) ? 3 : 24)
        for (index, (label, help)) in lines.enumerated() {
            text.removeAll()
            text.append(display: label)
            put(text, row: top + 1 + index, column: left + 3, end: left + 23, style: Style(.name))
            text.removeAll()
            text.append(display: help)
            put(text, row: top + 1 + index, column: column, end: left + width - 1)
            if index == selected { reverse(row: top + 1 + index, from: left + 1, to: left + width - 1) }
        }
        if let footer { put(footer, row: top + rows - 2, column: left + 3, style: Style(.faint)) }
    }

    /// Paints the text that is being typed in the last line, and its mistake above.
    mutating func paintPrompt(_ title: StaticString, _ typed: String, mistake: String?) {
        let row = size.rows.room(without: 1)
        var text = TextBuffer()
        text.append(title)
        text.append(display: typed)
        // The end is the part being typed.
        let excess = (text.columns + 2).room(without: size.columns)
        let column = put(text, row: row, column: 0, style: Style(.name), skipping: excess)
        put(" ", row: row, column: column, style: Style(isReversed: true))
        guard let mistake else { return }
        text.removeAll()
        text.append(display: mistake)
        clear(row: row - 1)
        put(text, row: row - 1, column: 0, style: Style(.bad))
    }
}

extension Trace {
    /// Its name and its address.
    func title(ofPeer index: Int) -> String {
        guard index < peers.count else { return "" }
        return [peerName(index), peerAddress(index).map { "\($0)" }].compactMap(\.self).joined(separator: " ")
    }
}
