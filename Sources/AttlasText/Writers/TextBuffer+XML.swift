extension TextBuffer {
    /// Text of an element or an attribute of XML 1.0, in which nothing is left that could steer a terminal either.
    package mutating func append(xml text: String) {
        var escaped = TextBuffer()
        escaped.append(display: text)
        for scalar in escaped.text.unicodeScalars {
            switch scalar {
            case "&": append("&amp;")
            case "<": append("&lt;")
            case ">": append("&gt;")
            case "\"": append("&quot;")
            // The only other characters that XML does not allow. XML 1.0, 2.2.
            case "\u{FFFE}", "\u{FFFF}": append("\u{FFFD}")
            default: append(scalar: scalar)
            }
        }
    }
}
