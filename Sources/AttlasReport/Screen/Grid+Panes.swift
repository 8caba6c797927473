import AttlasTrace

/// What all panes of a screen look like.
extension Grid {
    /// The style of a pane's heading: reversed where the keys are.
    static func headingStyle(isFocused: Bool) -> Style { Style(.faint, isReversed: isFocused) }

    /// A line above a pane; its titles are put into it.
    mutating func paintHeading(row: Int, from start: Int = 0, to end: Int? = nil, isFocused: Bool) {
        for column in start..<min(end ?? size.columns, size.columns) {
            put("─", row: row, column: column, style: Self.headingStyle(isFocused: isFocused))
        }
    }

    /// The row that the keys move, or, where they are in another pane, a mark.
    mutating func markCursor(row: Int, from start: Int = 0, to end: Int? = nil, isFocused: Bool) {
        put("›", row: row, column: start, style: Style(.name))
        if isFocused { reverse(row: row, from: start, to: end) }
    }

    mutating func paintHelp(_ bindings: [ScreenBinding]) {
        let width = min(72, size.columns)
        let left = (size.columns - width) / 2
        let lines = bindings.flatMap { binding in
            binding.help.enumerated().map { ($0.offset == 0 ? binding.label : "", $0.element) }
        }
        let shown = min(lines.count, size.rows - 5)
        let rows = shown + 4
        let top = max(1, (size.rows - rows) / 2)
        for row in top..<top + rows {
            clear(row: row, from: left, to: left + width)
            put("│", row: row, column: left)
            put("│", row: row, column: left + width - 1)
        }
        for row in [top, top + rows - 1] {
            for column in left..<left + width { put("─", row: row, column: column) }
        }
        put(" Keys ", row: top, column: left + 2, style: Style(.name))
        for (index, (label, help)) in lines.prefix(shown).enumerated() {
            var text = TextBuffer()
            text.append(string: label)
            put(text, row: top + 1 + index, column: left + 3, style: Style(.name))
            text.removeAll()
            text.append(string: help)
            put(text, row: top + 1 + index, column: left + 23, end: left + width - 1)
        }
        put("any key closes this", row: top + rows - 2, column: left + 3, style: Style(.faint))
    }

    /// What is being typed, in the last line; what is wrong with it, above.
    mutating func paintPrompt(_ title: StaticString, _ typed: String, mistake: String?) {
        let row = size.rows - 1
        var text = TextBuffer()
        text.append(title)
        text.append(display: typed)
        // The end is what is being typed.
        let excess = max(0, text.columns - size.columns + 2)
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
