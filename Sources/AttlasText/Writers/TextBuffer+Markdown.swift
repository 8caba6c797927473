extension TextBuffer {
    /// Text in which nothing is markup: a backslash takes the meaning of any punctuation. CommonMark 0.31, 2.4.
    package mutating func append(markdown foreign: String) {
        var shown = TextBuffer()
        shown.append(display: foreign)
        let text = MarkdownText(octets: Array(shown.bytes))
        for (place, octet) in text.octets.enumerated() {
            if text.isMarkup(at: place) { append("\\") }
            append(byte: octet)
            // A backslash does not stop a mention, or a link to a mail address; an empty comment does.
            if octet == UInt8(ascii: "@") { append("<!-- -->") }
        }
    }

    /// In a code span nothing is markup, and nothing is a mention. Its fence is longer than any in the text; the cell of a table needs its
    /// bars escaped all the same.
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

/// Text of which each part that would be markup in GitHub Flavored Markdown has to be escaped, and nothing else.
private struct MarkdownText {
    let octets: [UInt8]

    private subscript(place: Int) -> UInt8? { octets.indices.contains(place) ? octets[place] : nil }

    private func isWord(at place: Int) -> Bool { self[place].map(isWord) ?? false }

    /// Octets outside ASCII count as words.
    private func isWord(_ octet: UInt8) -> Bool { octet >= 0x80 || isPlainWord(octet) }

    private func isPlainWord(_ octet: UInt8) -> Bool {
        isSmall(octet) || isDigit(octet) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(octet)
    }

    private func isSmall(_ octet: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(octet) }
    private func isDigit(_ octet: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(octet) }
    private func isBlank(_ place: Int) -> Bool { self[place] == nil || self[place] == UInt8(ascii: " ") }

    func isMarkup(at place: Int) -> Bool {
        switch octets[place] {
        case UInt8(ascii: "\\"), UInt8(ascii: "`"), UInt8(ascii: "*"), UInt8(ascii: "["), UInt8(ascii: "]"),
            UInt8(ascii: "<"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        // An entity.
        case UInt8(ascii: "&"):
            octets[(place + 1)...].first { !isWord($0) && $0 != UInt8(ascii: "#") } == UInt8(ascii: ";")
        // Within a word, one or several are not emphasis. A neighbor outside of ASCII may be a quotation mark.
        case UInt8(ascii: "_"):
            !(octets[..<place].last { $0 != UInt8(ascii: "_") }.map(isPlainWord) ?? false
                && octets[place...].first { $0 != UInt8(ascii: "_") }.map(isPlainWord) ?? false)
        // The number of an issue, or a heading.
        case UInt8(ascii: "#"): self[place + 1].map(isDigit) ?? true || isFirst(place)
        // A list, a line, a quotation.
        case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "="): isFirst(place) && !isWord(at: place + 1)
        case UInt8(ascii: ">"): isFirst(place)
        // A numbered list; the dot of an address that would become a link.
        case UInt8(ascii: "."): isBlank(place + 1) && isNumber(before: place) || isAddress(before: place)
        case UInt8(ascii: ")"): isBlank(place + 1) && isNumber(before: place)
        case UInt8(ascii: ":"): self[place + 1] == UInt8(ascii: "/") || isPicture(from: place)
        default: false
        }
    }

    /// Whether nothing but blanks precedes it.
    private func isFirst(_ place: Int) -> Bool { octets[..<place].allSatisfy { $0 == UInt8(ascii: " ") } }

    /// Whether digits alone precede it.
    private func isNumber(before place: Int) -> Bool { place > 0 && octets[..<place].allSatisfy(isDigit) }

    private func isAddress(before place: Int) -> Bool {
        place >= 3 && octets[(place - 3)..<place].allSatisfy { $0 | 0x20 == UInt8(ascii: "w") }
    }

    /// `:100:` and `:tada:` become pictures; the minutes of a time do not.
    private func isPicture(from place: Int) -> Bool {
        let name = octets[(place + 1)...].prefix {
            isSmall($0) || isDigit($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-")
        }
        return self[place + 1 + name.count] == UInt8(ascii: ":") && !name.isEmpty
            && !(name.count < 3 && name.allSatisfy(isDigit))
    }
}
