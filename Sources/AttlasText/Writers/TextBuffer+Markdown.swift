extension TextBuffer {
    /// Text in which nothing is markup: a backslash takes the meaning of any punctuation. CommonMark 0.31, 2.4.
    package mutating func append(markdown foreign: String) {
        var escaped = TextBuffer()
        escaped.append(display: foreign)
        for octet in escaped.bytes {
            if "\\`*_{}[]<>()#+-!|~&:@".utf8.contains(octet) { append("\\") }
            append(byte: octet)
        }
    }

    /// In a code span nothing is markup, and nothing is a mention of somebody. Its fence is longer than any in the text; the cell
    /// of a table needs its bars escaped all the same.
    package mutating func append(markdownCode foreign: String, isCell: Bool) {
        guard !foreign.isEmpty else { return }
        var escaped = TextBuffer()
        escaped.append(display: foreign)
        var (longest, current) = (0, 0)
        for octet in escaped.bytes {
            current = octet == UInt8(ascii: "`") ? current + 1 : 0
            longest = max(longest, current)
        }
        let fence = longest + 1
        append(repeating: UInt8(ascii: "`"), count: fence)
        if longest > 0 { append(" ") }
        for octet in escaped.bytes {
            if isCell, octet == UInt8(ascii: "|") { append("\\") }
            append(byte: octet)
        }
        if longest > 0 { append(" ") }
        append(repeating: UInt8(ascii: "`"), count: fence)
    }
}
