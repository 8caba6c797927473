import AttlasDissection

/// A page of the documentation, for a terminal: paragraphs folded, tables in columns or, where a row has no room, one cell below the other.
package struct PageText {
    private let width: Int
    private var writer: LineWriter
    private var paragraph = ""
    private var rows: [[String]] = []
    private var isBelowHeading = false

    /// - Parameter markdown: A page of Documentation/: headings, paragraphs, lists of one level, tables, blocks of code.
    package static func render(_ markdown: String, width: Int, isColoured: Bool) -> TextBuffer {
        var page = PageText(width: width, writer: LineWriter(width: width, isColoured: isColoured))
        var isCode = false
        for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                page.endBlock()
                if page.isBelowHeading { page.writer.endLine() }
                page.isBelowHeading = false
                isCode.toggle()
            } else if isCode {
                page.writer.text.append("    ")
                page.writer.text.append(string: String(line))
                page.writer.endLine()
            } else {
                page.take(line)
            }
        }
        page.endBlock()
        return page.writer.text
    }

    private mutating func take(_ line: Substring) {
        if line.hasPrefix("|") {
            if isBelowHeading { writer.endLine() }
            isBelowHeading = false
            rows.append(Self.cells(line))
            return
        }
        let isItem = line.hasPrefix("- ") || line.drop { $0.isNumber }.hasPrefix(". ")
        if isItem || line.isEmpty || line.hasPrefix("#") { endBlock() }
        if isBelowHeading, !line.isEmpty { writer.endLine() }
        isBelowHeading = line.hasPrefix("#")
        if isBelowHeading {
            writer.putFolded(Self.plain(line.drop { $0 == "#" || $0 == " " }), .name)
        } else if line.isEmpty {
            writer.endLine()
        } else {
            paragraph += (paragraph.isEmpty ? "" : " ") + line.drop { $0 == " " }
        }
    }

    private mutating func endBlock() {
        let text = Self.plain(paragraph[...])
        if !text.isEmpty {
            let isItem = text.hasPrefix("- ") || text.first?.isNumber == true
            writer.putFolded(text, .plain, indent: isItem ? 2 : 0)
        }
        paragraph = ""
        if let header = rows.first { put(Array(rows.dropFirst(2)), below: header) }
        rows = []
    }

    private mutating func put(_ rows: [[String]], below header: [String]) {
        func columns(_ text: String) -> Int {
            var piece = TextBuffer()
            piece.append(display: text)
            return piece.columns
        }
        let widths = header.indices.map { index in
            ([header] + rows).reduce(0) { max($0, index < $1.count ? columns($1[index]) : 0) }
        }
        guard widths.reduce(0, { $0 + $1 + 2 }) <= width else {
            for row in rows {
                writer.putFolded(row[0], .name, indent: 2)
                for (title, cell) in zip(header, row).dropFirst() where !cell.isEmpty {
                    writer.putFolded(title.isEmpty || header.count == 2 ? cell : "\(title): \(cell)", .plain, indent: 4)
                }
            }
            return
        }
        for (number, row) in ([header] + rows).enumerated() where number > 0 || header.contains(where: { !$0.isEmpty })
        {
            var column = 2
            for (cell, width) in zip(row, widths) {
                var piece = TextBuffer()
                piece.append(display: cell)
                if !cell.isEmpty {
                    writer.advance(to: column)
                    writer.put(piece, number == 0 ? .faint : .plain)
                }
                column += width + 2
            }
            writer.endLine()
        }
    }

    private static func cells(_ line: Substring) -> [String] {
        line.dropFirst().replacing("\\|", with: "\0").split(separator: "|", omittingEmptySubsequences: false).dropLast()
            .map { plain($0).replacing("\0", with: "|").trimmingSpaces }
    }

    /// Without the marks of links, pictures and bold words.
    private static func plain(_ text: Substring) -> String {
        String(text).replacing(#/!\[[^\]]*\]\([^)]*\)/#, with: "").replacing(#/\[([^\]]*)\]\([^)]*\)/#) { $0.1 }
            .replacing("**", with: "")
    }
}
