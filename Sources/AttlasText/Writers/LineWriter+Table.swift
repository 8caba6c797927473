/// The columns of a table that a line has room for. The subject of each row follows them.
///
/// A column has a rank: a narrow terminal leaves out the columns with the highest rank first. `NarrowTests` tries 60
/// and 80 columns.
package struct ColumnLayout {
    package struct Column {
        package let title: StaticString
        /// With the blanks before it.
        let width: Int
        /// Those of the highest rank are left out first, those of rank 0 never.
        let rank: Int
        /// Columns of its cells after the end of the title.
        let overhang: Int

        package init(_ title: StaticString, _ width: Int, rank: Int, overhang: Int = 0) {
            self.title = title
            self.width = width
            self.rank = rank
            self.overhang = overhang
        }
    }

    /// For each column its end; nil without room.
    package let ends: [Int?]
    private let columns: [Column]
    /// Where names begin.
    package let name: Int

    package init(_ columns: [Column], width: Int?) {
        // Columns that make a name distinguishable.
        let nameWidth = min(40, (width ?? 0) / 2)
        var highest = columns.map(\.rank).max() ?? 0
        func total() -> Int { columns.reduce(0) { $0 + ($1.rank <= highest ? $1.width : 0) } }
        while let width, highest > 0, total() + 2 + nameWidth > width { highest -= 1 }
        var end = 0
        ends = columns.map { column in
            guard column.rank <= highest else { return nil }
            end += column.width
            return end
        }
        name = end + 2
        self.columns = columns
    }

    package subscript(_ index: Int) -> Int? { ends[index] }

    /// The titles of the columns with room, and their ends.
    package var headings: [(title: StaticString, end: Int)] {
        zip(columns, ends).compactMap { column, end in end.map { (column.title, $0 - column.overhang) } }
    }
}

/// Tables: a title, a line of headings, and numbers that end in the same column.
extension LineWriter {
    package mutating func putTitle(_ text: StaticString) {
        endLine()
        advance(to: 2)
        put(text, .name)
        endLine()
    }

    /// Right-aligned: the last column is the one before `end`.
    package mutating func put(_ cell: TextBuffer, before end: Int, _ style: Style = .plain) {
        let columns = cell.columns
        advance(to: end - columns)
        put(cell, columns, style)
    }

    package mutating func putHeading(_ text: StaticString, before end: Int) {
        advance(to: end - text.characterCount)
        put(text, .faint)
    }

    package mutating func putHeadings(_ table: ColumnLayout) {
        for heading in table.headings { putHeading(heading.title, before: heading.end) }
        endLine()
    }

    /// Whether the rest of the line from a column on has to use short names.
    package func isShort(from column: Int) -> Bool { width.map { $0 - column < 50 } ?? false }
}
