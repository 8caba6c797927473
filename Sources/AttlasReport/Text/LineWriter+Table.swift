/// Tables: a title, a line of headings, and numbers that end in the same column.
extension LineWriter {
    mutating func putTitle(_ text: StaticString) {
        endLine()
        advance(to: 2)
        put(text, .name)
        endLine()
    }

    /// Right-aligned: the last column is the one before `end`.
    mutating func put(_ cell: TextBuffer, before end: Int, _ style: Style = .plain) {
        advance(to: end - cell.columns)
        put(cell, style)
    }

    mutating func putHeading(_ text: StaticString, before end: Int) {
        var cell = TextBuffer()
        cell.append(text)
        put(cell, before: end, .faint)
    }
}
