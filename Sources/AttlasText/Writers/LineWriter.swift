/// The role of a piece of text, for colours.
public enum TextStyle: Sendable {
    case plain, faint, name, sent, received, bad, good

    /// Select Graphic Rendition parameters, ECMA-48 8.3.117.
    var parameters: StaticString? {
        switch self {
        case .plain: nil
        case .faint: "2"
        case .name: "1"
        case .sent: "36"
        case .received: "32"
        case .bad: "31;1"
        case .good: "32;1"
        }
    }
}

/// Octets of a text that have a style.
public struct StyledRun {
    /// How they are shown.
    public let style: TextStyle
    /// The first.
    public let start: Int
    /// The one after the last.
    public var end: Int

    /// Octets from `start` until `end`.
    public init(style: TextStyle, start: Int, end: Int) {
        self.style = style
        self.start = start
        self.end = end
    }
}

/// Lines of aligned, coloured text that do not pass the edge of a terminal.
public struct LineWriter {
    /// How a piece is shown.
    public typealias Style = TextStyle

    /// The lines.
    public var text = TextBuffer()
    /// The styles of `text`, for output other than a terminal's escapes; nil if they are not needed.
    public var runs: [StyledRun]?
    /// Columns of a line; nil without a terminal.
    public let width: Int?
    let isColoured: Bool
    /// Columns before the one that counts as the first.
    public let indent: Int
    private var column = 0
    private var isTruncated = false

    /// Without a width, no line is cut.
    public init(width: Int?, isColoured: Bool, indent: Int = 0) {
        self.width = width
        self.isColoured = isColoured
        self.indent = indent
    }

    /// Writes the text that `texts` has for `key`; false if it has none.
    public mutating func put<Key>(_ key: Key, keptIn texts: borrowing RenderedTextCache<Key>) -> Bool {
        guard let columns = texts.append(key, to: &text) else { return false }
        column += columns
        return true
    }

    /// Lets `texts` keep the text after `start`, unless it depends on more than that: on the edge, or on neighbouring styles.
    public func keep<Key>(_ key: Key, from start: Place, in texts: inout RenderedTextCache<Key>) {
        guard runs == nil, !isTruncated else { return }
        texts.keep(text.bytes[start.octet...], columns: column - start.column, of: key)
    }

    /// Whether all of it fits this line.
    public func hasRoom(for piece: TextBuffer) -> Bool { width.map { column + piece.columns <= $0 } ?? true }

    /// Where the line is.
    public var place: Place { Place(octet: text.count, column: column) }

    /// Where the writer is.
    public struct Place {
        let octet: Int
        /// Columns before it.
        public let column: Int
    }

    /// Forgets the lines that were ended.
    public mutating func removeAll() {
        text.removeAll()
        runs?.removeAll(keepingCapacity: true)
    }

    /// Ends the line, and its style.
    public mutating func endLine() {
        text.append(byte: UInt8(ascii: "\n"))
        column = 0
        isTruncated = false
    }

    /// Blanks up to `column`, and at least one when the line is already there; one alone where that is beyond the edge.
    public mutating func advance(to target: Int) {
        let least = column == 0 ? 0 : 1
        var blanks = max(least, target + indent - column)
        guard !isTruncated else { return }
        if let width, column + blanks >= width {
            guard column + least < width else {
                isTruncated = true
                return
            }
            blanks = least
        }
        text.append(repeating: UInt8(ascii: " "), count: blanks)
        column += blanks
    }

    /// `piece`, cut to `limit` columns and to the rest of the line.
    public mutating func put(_ piece: TextBuffer, _ style: Style = .plain, limit: Int = .max) {
        put(piece, piece.columns, style, limit: limit)
    }

    /// The same for a piece whose columns were counted.
    mutating func put(_ piece: TextBuffer, _ length: Int, _ style: Style, limit: Int = .max) {
        guard !isTruncated, piece.count > 0 else { return }
        if let width, column >= width {
            isTruncated = true
            return
        }
        begin(style)
        let room = width.map { max(0, $0 - column) } ?? .max
        if length <= min(room, limit) {
            text.append(contentsOf: piece)
            column += length
        } else {
            let kept = max(0, min(room, limit) - 1)
            column += text.append(piece, columns: kept) + 1
            text.append("…")
            isTruncated = room <= limit
        }
        end(style)
    }

    /// `piece`, and the end of the line. The rest is folded into further lines, from the column `margin` on.
    public mutating func putFolded(_ piece: TextBuffer, _ style: Style = .plain, margin: Int) {
        guard let width, column + piece.columns > width else {
            put(piece, style)
            return endLine()
        }
        var part = TextBuffer()
        let words = piece.bytes.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        for (index, word) in words.enumerated() {
            var next = TextBuffer()
            next.append(string: String(decoding: word, as: UTF8.self))
            if index > 0, column + part.columns + 1 + next.columns > width {
                put(part, style)
                endLine()
                advance(to: margin)
                part.removeAll()
            } else if index > 0 {
                part.append(" ")
            }
            part.append(contentsOf: next)
        }
        put(part, style)
        endLine()
    }

    /// Begins a line with a number that ends in the column `width`, in place; false where it has a style or may pass the edge.
    public mutating func begin(with number: Int, width columns: Int) -> Bool {
        guard width == nil, !isColoured, runs == nil else { return false }
        let start = text.count
        text.append(number, width: columns)
        column = text.count - start
        return true
    }

    /// A command to be copied: it may pass the edge.
    public mutating func putWhole(_ piece: TextBuffer, _ style: Style) {
        begin(style)
        text.append(contentsOf: piece)
        column += piece.columns
        end(style)
    }

    private mutating func begin(_ style: Style) {
        if runs != nil, style != .plain { runs?.append(StyledRun(style: style, start: text.count, end: text.count)) }
        guard isColoured, let parameters = style.parameters else { return }
        text.append("\u{1B}[")
        text.append(parameters)
        text.append("m")
    }

    private mutating func end(_ style: Style) {
        if let last = runs?.indices.last, style != .plain { runs?[last].end = text.count }
        if isColoured, style.parameters != nil { text.append("\u{1B}[0m") }
    }

    /// A text of ours.
    public mutating func put(_ literal: StaticString, _ style: Style = .plain) {
        let length = literal.characterCount
        // Straight into the line, which nearly always has room.
        guard !isTruncated, length > 0, width.map({ column + length <= $0 }) ?? true else {
            var piece = TextBuffer()
            piece.append(literal)
            return put(piece, style)
        }
        begin(style)
        text.append(literal)
        column += length
        end(style)
    }
}

extension StaticString {
    /// Number of characters. In the text that outputs draw with, each takes one column.
    var characterCount: Int {
        let octets = octets
        var count = 0
        for index in octets.indices where octets[index] & 0xC0 != 0x80 { count += 1 }
        return count
    }
}
