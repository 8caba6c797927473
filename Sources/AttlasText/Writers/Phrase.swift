import AttlasWire

/// A sentence with its values: `"SID \(sid) · every \(duration: interval)"`. Not for text of every record.
///
/// Text from a capture is labelled `display`, and attlas's own `own`; a string without a label does not compile.
package struct Phrase: ExpressibleByStringInterpolation {
    fileprivate let text: TextBuffer

    package init(stringLiteral literal: String) {
        text = TextBuffer(literal)
    }

    package init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        @usableFromInline
        package var text = TextBuffer()

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) { text.append(string: literal) }

        @inlinable
        package mutating func appendInterpolation(_ number: some FixedWidthInteger) { text.append(decimal: number) }

        /// `1 report`, `2 reports`
        @inlinable
        package mutating func appendInterpolation(_ count: some FixedWidthInteger, _ noun: StaticString) {
            text.append(decimal: count)
            text.append(" ")
            text.append(noun)
            if count != 1 { text.append("s") }
        }

        package mutating func appendInterpolation(_ text: StaticString) { self.text.append(text) }
        package mutating func appendInterpolation(own text: String) { self.text.append(string: text) }
        package mutating func appendInterpolation(display text: String) { self.text.append(display: text) }

        /// `0x0012`
        @inlinable
        package mutating func appendInterpolation(hex number: some FixedWidthInteger, digits: Int = 4) {
            text.append(code: number, digits: digits)
        }

        package mutating func appendInterpolation(duration nanoseconds: Int64) { text.append(duration: nanoseconds) }
        package mutating func appendInterpolation(exact microseconds: Int) { text.append(exact: microseconds) }
        package mutating func appendInterpolation(secondsOf nanoseconds: Int64) { text.append(secondsOf: nanoseconds) }
        package mutating func appendInterpolation(tenths: UInt64) { text.append(tenths: tenths) }
        package mutating func appendInterpolation(phy: UInt8?) { text.append(phy: phy) }
        package mutating func appendInterpolation(rssi: ClosedRange<Int8>) { text.append(rssi: rssi) }
        package mutating func appendInterpolation(_ address: BluetoothAddress) { text.append(address) }

        /// Appends a part that writes itself.
        package mutating func appendInterpolation(_ write: (inout TextBuffer) -> Void) { write(&text) }
    }
}

// A literal alone is a StaticString.
extension TextBuffer {
    package init(_ phrase: Phrase) { self = phrase.text }

    @_disfavoredOverload
    package mutating func append(_ phrase: Phrase) { append(contentsOf: phrase.text) }

    /// After ` · `, if there is something before it.
    package mutating func append(part phrase: Phrase) {
        if count > 0 { append(" · ") }
        append(contentsOf: phrase.text)
    }
}

extension LineWriter {
    @_disfavoredOverload
    package mutating func put(_ phrase: Phrase, _ style: Style = .plain) { put(phrase.text, style) }

    @_disfavoredOverload
    package mutating func putFolded(_ phrase: Phrase, _ style: Style = .plain, margin: Int) {
        putFolded(phrase.text, style, margin: margin)
    }

    /// The last column is the one before `end`.
    @_disfavoredOverload
    package mutating func put(_ phrase: Phrase, before end: Int) { put(phrase.text, before: end) }
}
