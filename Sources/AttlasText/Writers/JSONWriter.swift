import AttlasWire

/// JSON under construction in a `TextBuffer`: knows where a comma belongs, and nothing else.
public struct JSONWriter {
    /// The text so far.
    public var text = TextBuffer()
    @usableFromInline
    var needsComma = false

    /// Nothing is written.
    public init() {}

    /// `{`
    public mutating func beginObject() { open(UInt8(ascii: "{")) }
    /// `}`
    public mutating func endObject() { close(UInt8(ascii: "}")) }
    /// `[`
    public mutating func beginArray() { open(UInt8(ascii: "[")) }
    /// `]`
    public mutating func endArray() { close(UInt8(ascii: "]")) }

    /// A document is a line.
    public mutating func endLine() {
        text.append(byte: UInt8(ascii: "\n"))
        needsComma = false
    }

    /// A key of ours: a literal that needs no escape.
    @inlinable @inline(__always)
    public mutating func key(_ key: StaticString) {
        text.append(jsonKey: key, isFirst: !needsComma)
        needsComma = false
    }

    /// A key that is not a literal: literals have a faster way.
    package mutating func key(named key: String) {
        string(key)
        text.append(byte: UInt8(ascii: ":"))
        needsComma = false
    }

    /// A text, escaped.
    public mutating func string(_ value: String) {
        separate()
        text.append(jsonString: value)
    }

    /// A literal of ours that needs no escape.
    public mutating func literal(_ value: StaticString) {
        separate()
        text.append(byte: UInt8(ascii: "\""))
        text.append(value)
        text.append(byte: UInt8(ascii: "\""))
    }

    /// An integer.
    @inlinable
    public mutating func number(_ value: some FixedWidthInteger) {
        separate()
        text.append(decimal: value)
    }

    /// A number that is not infinite.
    public mutating func number(_ value: Double) {
        separate()
        text.append(number: .float64(value))
    }

    mutating func uuid(_ value: BluetoothUUID) {
        separate()
        text.append(byte: UInt8(ascii: "\""))
        text.append(value)
        text.append(byte: UInt8(ascii: "\""))
    }

    mutating func null() {
        separate()
        text.append("null")
    }

    mutating func boolean(_ value: Bool) {
        separate()
        text.append(value ? "true" : "false")
    }

    /// Lower-case hexadecimal digits, two an octet.
    mutating func hex(_ bytes: borrowing Bytes) {
        separate()
        text.append(byte: UInt8(ascii: "\""))
        text.append(hexOf: bytes)
        text.append(byte: UInt8(ascii: "\""))
    }

    /// A code as the specification writes it: `"0x1b"`.
    @inlinable
    public mutating func code(_ value: some FixedWidthInteger, digits: Int) {
        separate()
        text.append("\"0x")
        text.append(hex: value, digits: digits)
        text.append(byte: UInt8(ascii: "\""))
    }

    /// A value that `write` appends unchanged.
    @inlinable @inline(__always)
    public mutating func value(_ write: (inout TextBuffer) -> Void) {
        separate()
        write(&text)
    }

    /// Whole members that `write` appends unchanged.
    mutating func members(_ write: (inout TextBuffer) -> Void) {
        value(write)
    }

    /// `"key":{…}`, of which `write` writes the members.
    package mutating func object(_ key: StaticString, _ write: (inout JSONWriter) -> Void) {
        self.key(key)
        beginObject()
        write(&self)
        endObject()
    }

    /// `"key":[…]`, of which `write` writes each element.
    public mutating func array<Elements: Sequence>(
        _ key: StaticString, _ elements: Elements, _ write: (inout JSONWriter, Elements.Element) -> Void
    ) {
        self.key(key)
        beginArray()
        for element in elements { write(&self, element) }
        endArray()
    }

    /// `"key":[{…}]`, of which `write` writes the members of each object.
    public mutating func objects<Elements: Sequence>(
        _ key: StaticString, _ elements: Elements, _ write: (inout JSONWriter, Elements.Element) -> Void
    ) {
        array(key, elements) { json, element in
            json.beginObject()
            write(&json, element)
            json.endObject()
        }
    }

    @inlinable @inline(__always)
    mutating func separate() {
        if needsComma { text.append(byte: UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func open(_ byte: UInt8) {
        separate()
        text.append(byte: byte)
        needsComma = false
    }

    private mutating func close(_ byte: UInt8) {
        text.append(byte: byte)
        needsComma = true
    }
}
