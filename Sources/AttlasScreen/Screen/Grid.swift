import AttlasText
import AttlasWire

/// A screen of characters: painted without a terminal, and shown by the owner of the terminal.
///
/// A character cell holds a printable character, or the right half of a wide one. Nothing in it can steer a terminal.
package struct Grid: Sendable {
    package struct Size: Sendable, Equatable {
        package let columns: Int
        package let rows: Int

        package init(columns: Int, rows: Int) {
            self.columns = max(0, columns)
            self.rows = max(0, rows)
        }
    }

    package struct Style: Sendable, Equatable {
        package var text = TextStyle.plain
        package var isReversed = false
        /// It matches the search.
        package var isFound = false

        init(_ text: TextStyle = .plain, isReversed: Bool = false) {
            self.text = text
            self.isReversed = isReversed
        }
    }

    package struct Cell: Sendable, Equatable {
        /// The character, and up to two marks that combine with it; 0 for none. All 0: the right half of a wide character.
        package fileprivate(set) var scalars: (UInt32, UInt32, UInt32) = (0x20, 0, 0)
        package fileprivate(set) var style = Style()

        package static func == (one: Cell, other: Cell) -> Bool {
            one.scalars == other.scalars && one.style == other.style
        }
    }

    package let size: Size
    private var cells: [Cell]
    /// Whether non-ASCII characters are replaced by similar ones.
    private let isASCII: Bool

    init(size: Size, isASCII: Bool) {
        self.size = size
        self.isASCII = isASCII
        cells = [Cell](repeating: Cell(), count: size.columns * size.rows)
    }

    package subscript(row: Int, column: Int) -> Cell { cells[row * size.columns + column] }

    /// The characters of a row, without the blanks at its end.
    package func text(row: Int) -> String {
        var text = String.UnicodeScalarView()
        for column in 0..<size.columns {
            let scalars = self[row, column].scalars
            for value in [scalars.0, scalars.1, scalars.2] where value != 0 {
                if let scalar = Unicode.Scalar(value) { text.append(scalar) }
            }
        }
        while text.last == " " { text.removeLast() }
        return String(text)
    }

    // MARK: Writing

    /// Puts `octets`, which are UTF-8, at a place, up to the column `end`; text that does not fit is cut, which the last column shows.
    /// - Parameter skipping: columns of the text that are left out at its beginning.
    /// - Returns: the column after it.
    @discardableResult
    mutating func put(
        _ octets: some Collection<UInt8>, row: Int, column: Int, end: Int? = nil, style: Style = Style(),
        skipping skipped: Int = 0
    ) -> Int {
        let end = max(0, min(end ?? size.columns, size.columns))
        return put(octets, [], style, row, Writer(column: column, start: column, end: end, skipped: skipped))
    }

    /// Puts a line of the log, whose parts have styles, up to the end of the row.
    mutating func put(_ entry: ScreenLog.Entry, row: Int, column: Int, skipping skipped: Int = 0) {
        let writer = Writer(column: column, start: column, end: size.columns, skipped: skipped)
        _ = put(entry.text, entry.runs, Style(), row, writer)
    }

    /// - Parameter runs: styles of parts of the text, by its octets.
    private mutating func put(
        _ octets: some Collection<UInt8>, _ runs: [StyledRun], _ style: Style, _ row: Int, _ place: Writer
    ) -> Int {
        var writer = place
        guard 0..<size.rows ~= row, 0..<writer.end ~= writer.column else {
            return max(0, min(writer.column, writer.end))
        }
        let octets = Array(octets)
        let bytes = Bytes(octets.span)
        var offset = 0
        var run = 0
        while offset < bytes.count {
            let (scalar, length) = UTF8Decoding.scalar(bytes, at: offset)
            while run < runs.count, runs[run].end <= offset { run += 1 }
            var style = style
            if run < runs.count, runs[run].start <= offset { style.text = runs[run].style }
            if !put(scalar ?? "\u{FFFD}", style, row, &writer) { break }
            offset += length
        }
        return writer.column
    }

    @discardableResult
    mutating func put(
        _ literal: StaticString, row: Int, column: Int, end: Int? = nil, style: Style = Style()
    ) -> Int {
        var text = TextBuffer()
        text.append(literal)
        return put(text, row: row, column: column, end: end, style: style)
    }

    @discardableResult
    mutating func put(
        _ text: TextBuffer, row: Int, column: Int, end: Int? = nil, style: Style = Style(), skipping: Int = 0
    ) -> Int {
        put(text.bytes, row: row, column: column, end: end, style: style, skipping: skipping)
    }

    /// Up against the column `end`; nothing when there is no room for it.
    mutating func put(_ text: TextBuffer, row: Int, before end: Int, from start: Int, style: Style = Style()) {
        let column = end.room(without: text.columns)
        guard column >= start, column + text.columns == end else { return }
        put(text.bytes, row: row, column: column, end: end, style: style)
    }

    private struct Writer {
        var column: Int
        let start: Int
        let end: Int
        var skipped: Int
    }

    /// - Returns: whether there is room for more.
    private mutating func put(_ scalar: Unicode.Scalar, _ style: Style, _ row: Int, _ writer: inout Writer) -> Bool {
        if isASCII, scalar.value > 0x7E {
            for octet in Self.replacement(of: scalar).unicodeScalars where !put(octet, style, row, &writer) {
                return false
            }
            return true
        }
        var value = scalar.value
        var width = CharacterWidth.width(of: scalar)
        // A control character, or something that no font has.
        if width < 0 { (value, width) = (isASCII ? 0x3F : 0xFFFD, 1) }
        if width == 0 {
            if writer.column > writer.start { combine(value, row, writer.column - 1) }
            return true
        }
        if writer.skipped > 0 {
            writer.skipped -= width
            return true
        }
        guard writer.column + width <= writer.end else {
            // Cut: the last column shows it.
            let last = writer.end - 1
            if last >= writer.start {
                if last > writer.start, self[row, last].scalars.0 == 0 { set(" ", style, row, last - 1) }
                set(isASCII ? "~" : "…", style, row, last)
            }
            writer.column = writer.end
            return false
        }
        cells[row * size.columns + writer.column].scalars = (value, 0, 0)
        cells[row * size.columns + writer.column].style = style
        if width == 2 {
            cells[row * size.columns + writer.column + 1].scalars = (0, 0, 0)
            cells[row * size.columns + writer.column + 1].style = style
        }
        writer.column += width
        return true
    }

    private mutating func set(_ scalar: Unicode.Scalar, _ style: Style, _ row: Int, _ column: Int) {
        cells[row * size.columns + column].scalars = (scalar.value, 0, 0)
        cells[row * size.columns + column].style = style
    }

    private mutating func combine(_ mark: UInt32, _ row: Int, _ column: Int) {
        let index = row * size.columns + column
        let base = cells[index].scalars.0 == 0 && column > 0 ? index - 1 : index
        if cells[base].scalars.1 == 0 { cells[base].scalars.1 = mark } else { cells[base].scalars.2 = mark }
    }

    // MARK: Marking

    mutating func clear(row: Int, from column: Int = 0, to end: Int? = nil) {
        for column in columns(of: row, from: column, to: end) { cells[row * size.columns + column] = Cell() }
    }

    mutating func reverse(row: Int, from start: Int = 0, to end: Int? = nil) {
        for column in columns(of: row, from: start, to: end) {
            cells[row * size.columns + column].style.isReversed = true
        }
    }

    /// The part of these columns of a row that the grid has.
    func columns(of row: Int, from start: Int = 0, to end: Int? = nil) -> Range<Int> {
        guard 0..<size.rows ~= row, start >= 0 else { return 0..<0 }
        return start..<max(start, min(end ?? size.columns, size.columns))
    }

    /// Marks text like `text`, in any letter case.
    mutating func mark(_ text: String, row: Int) {
        let wanted = Array(text.unicodeScalars)
        guard !wanted.isEmpty else { return }
        for start in columns(of: row) {
            guard let end = end(of: wanted, row: row, at: start) else { continue }
            for column in start..<end { cells[row * size.columns + column].style.isFound = true }
        }
    }

    /// The column after the text, if it is at this place.
    private func end(of wanted: [Unicode.Scalar], row: Int, at start: Int) -> Int? {
        var column = start
        for scalar in wanted {
            guard column < size.columns, let here = Unicode.Scalar(self[row, column].scalars.0) else { return nil }
            guard here == scalar || here.properties.lowercaseMapping == scalar.properties.lowercaseMapping else {
                return nil
            }
            column += column + 1 < size.columns && self[row, column + 1].scalars.0 == 0 ? 2 : 1
        }
        return column
    }

    // MARK: Characters

    private static func replacement(of scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "─", "–", "—", "▁": "-"
        case "│", "├": "|"
        case "└": "`"
        case "←", "‹": "<"
        case "→", "›", "⇒": ">"
        case "↑": "^"
        case "↓": "v"
        case "⇄": "="
        case "✗", "×": "x"
        case "·": "-"
        case "…": "..."
        case "“", "”": "\""
        case "µ": "u"
        case "≈": "~"
        case "°": "deg "
        case "•": "*"
        case "⏎": "enter"
        case "▂", "░": "."
        case "▃", "▒": ":"
        case "▄": "="
        case "▅": "+"
        case "▆", "▓": "*"
        case "▇": "#"
        case "█": "@"
        default: "?"
        }
    }
}

extension Int {
    /// The columns or rows that are left of these; 0 where more are taken than there are. Any screen can be too small: every
    /// difference of lengths is made here.
    func room(without taken: Int) -> Int { Swift.max(0, self - taken) }
}
