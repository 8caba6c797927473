extension LineWriter {
    /// A sentence, broken at its blanks where the terminal ends.
    ///
    /// - Parameter indent: Columns before its first line; two more before the others.
    package mutating func putFolded(_ sentence: String, _ style: Style = .faint, indent: Int = 0) {
        var piece = TextBuffer()
        var margin = indent
        for word in sentence.split(separator: " ", omittingEmptySubsequences: false) {
            var next = TextBuffer()
            next.append(display: String(word))
            if piece.count > 0 {
                if margin + piece.columns + 1 + next.columns <= width ?? .max {
                    piece.append(" ")
                } else {
                    if margin > 0 { advance(to: margin) }
                    put(piece, style)
                    endLine()
                    piece.removeAll()
                    if indent > 0 { margin = indent + 2 }
                }
            }
            piece.append(contentsOf: next)
        }
        if margin > 0 { advance(to: margin) }
        put(piece, style)
        endLine()
    }
}
