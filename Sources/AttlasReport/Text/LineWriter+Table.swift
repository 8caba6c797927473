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
        let columns = cell.columns
        advance(to: end - columns)
        put(cell, columns, style)
    }

    /// The same of ASCII.
    mutating func putHeading(_ text: StaticString, before end: Int) {
        advance(to: end - text.utf8CodeUnitCount)
        put(text, .faint)
    }
}
