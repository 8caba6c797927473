import AttlasWire

/// CSV under construction: RFC 4180, with lines that end in a line feed alone, which spreadsheets take as well and which the
/// tools of a Unix shell need.
///
/// A spreadsheet computes a cell that begins with `=`, `+`, `-` or `@`, and a device chooses its own name and texts. A text
/// that begins so gets an apostrophe before it: spreadsheets take that for the mark of a text, and other readers see one
/// character more in a place where a name does not normally begin so. Numbers that attlas wrote keep their sign. Control
/// characters are escaped as in the conversation, so that no line break or tab makes another beginning.
package struct CSVWriter {
    /// Who chose how the cell begins.
    package enum Origin {
        /// attlas: a sign with a digit after it begins a number.
        case own
        /// A device, a capture or a definition.
        case foreign
    }

    package var text = TextBuffer()
    private var cell = TextBuffer()
    private var isFirst = true

    package init() {}

    package mutating func endLine() {
        text.append(byte: UInt8(ascii: "\n"))
        isFirst = true
    }

    /// A cell without anything.
    package mutating func empty() {
        separate()
    }

    package mutating func number(_ value: some FixedWidthInteger) {
        separate()
        text.append(decimal: value)
    }

    /// A text that comes from elsewhere.
    package mutating func string(_ value: String) {
        write(.foreign) { $0.append(display: value) }
    }

    /// A cell that `body` appends, without quotes, to an empty buffer.
    package mutating func write(_ origin: Origin = .own, _ body: (inout TextBuffer) -> Void) {
        separate()
        cell.removeAll()
        body(&cell)
        let isFormula = cell.bytes.span.beginsFormula(origin)
        guard isFormula || cell.bytes.contains(where: \.needsQuotes) else { return text.append(contentsOf: cell) }
        text.append("\"")
        if isFormula { text.append("'") }
        for octet in cell.bytes {
            if octet == UInt8(ascii: "\"") { text.append("\"") }
            text.append(byte: octet)
        }
        text.append("\"")
    }

    private mutating func separate() {
        if !isFirst { text.append(",") }
        isFirst = false
    }
}

extension UInt8 {
    fileprivate var needsQuotes: Bool {
        [UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains(self)
    }
}

extension Span where Element == UInt8 {
    fileprivate func beginsFormula(_ origin: CSVWriter.Origin) -> Bool {
        guard count > 0 else { return false }
        switch self[0] {
        case UInt8(ascii: "="), UInt8(ascii: "@"): return true
        case UInt8(ascii: "+"), UInt8(ascii: "-"):
            return origin == .foreign || count == 1 || !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= self[1])
        // The wide forms of the four (U+FF1D, FF0B, FF0D, FF20), which some spreadsheets take for them.
        case 0xEF:
            guard count > 2, self[1] == 0xBC else { return false }
            return [0x9D, 0x8B, 0x8D, 0xA0].contains(self[2])
        default: return false
        }
    }
}
