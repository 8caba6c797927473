import AttlasWire

/// A sentence with its values: `"SID \(sid) · every \(duration: interval)"`. Not for what is written for each record.
///
/// Text from a capture says `display`, and attlas's own `own`; a string that says neither does not compile.
struct Phrase: ExpressibleByStringInterpolation {
    fileprivate let text: TextBuffer

    init(stringLiteral literal: String) {
        text = TextBuffer(literal)
    }

    init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
    }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = TextBuffer()

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ literal: String) { text.append(string: literal) }

        mutating func appendInterpolation(_ number: some FixedWidthInteger) { text.append(decimal: number) }

        /// `1 report`, `2 reports`
        mutating func appendInterpolation(_ count: some FixedWidthInteger, _ noun: StaticString) {
            text.append(decimal: count)
            text.append(" ")
            text.append(noun)
            if count != 1 { text.append("s") }
        }

        mutating func appendInterpolation(_ text: StaticString) { self.text.append(text) }
        mutating func appendInterpolation(own text: String) { self.text.append(string: text) }
        mutating func appendInterpolation(display text: String) { self.text.append(display: text) }

        /// `0x0012`
        mutating func appendInterpolation(hex number: some FixedWidthInteger, digits: Int = 4) {
            text.append("0x")
            text.append(hex: number, digits: digits, uppercase: true)
        }

        mutating func appendInterpolation(duration nanoseconds: Int64) { text.append(duration: nanoseconds) }
        mutating func appendInterpolation(secondsOf nanoseconds: Int64) { text.append(secondsOf: nanoseconds) }
        mutating func appendInterpolation(tenths: UInt64) { text.append(tenths: tenths) }
        mutating func appendInterpolation(phy: UInt8?) { text.append(phy: phy) }
        mutating func appendInterpolation(rssi: ClosedRange<Int8>) { text.append(rssi: rssi) }
        mutating func appendInterpolation(_ address: BluetoothAddress) { text.append(address) }

        /// What has its own words.
        mutating func appendInterpolation(_ write: (inout TextBuffer) -> Void) { write(&text) }
    }
}

// A literal alone is a StaticString.
extension TextBuffer {
    init(_ phrase: Phrase) { self = phrase.text }

    @_disfavoredOverload
    mutating func append(_ phrase: Phrase) { append(contentsOf: phrase.text) }

    /// After ` · `, if there is something before it.
    mutating func append(part phrase: Phrase) {
        if count > 0 { append(" · ") }
        append(contentsOf: phrase.text)
    }
}

extension LineWriter {
    @_disfavoredOverload
    mutating func put(_ phrase: Phrase, _ style: Style = .plain) { put(phrase.text, style) }

    @_disfavoredOverload
    mutating func putFolded(_ phrase: Phrase, _ style: Style = .plain, margin: Int) {
        putFolded(phrase.text, style, margin: margin)
    }

    /// The last column is the one before `end`.
    @_disfavoredOverload
    mutating func put(_ phrase: Phrase, before end: Int) { put(phrase.text, before: end) }
}
