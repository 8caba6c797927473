import AttlasWire

/// UTF-8 text under construction, in one buffer that every line uses again.
///
/// Outputs append octets, numbers and literals; they never build a `String` for a line.
public struct TextBuffer {
    public private(set) var bytes: [UInt8] = []

    public init() {}

    public var count: Int { bytes.count }

    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    public mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    public mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { bytes.append(contentsOf: $0) }
    }

    public mutating func append(byte: UInt8) {
        bytes.append(byte)
    }

    public mutating func append(contentsOf text: TextBuffer) {
        bytes.append(contentsOf: text.bytes)
    }

    public mutating func append(contentsOf octets: [UInt8]) {
        bytes.append(contentsOf: octets)
    }

    public mutating func append(repeating byte: UInt8, count: Int) {
        for _ in 0..<max(0, count) { bytes.append(byte) }
    }

    /// Removes what was appended since the buffer had `count` octets.
    public mutating func truncate(to count: Int) {
        bytes.removeLast(max(0, bytes.count - count))
    }

    public mutating func append(decimal value: some FixedWidthInteger) {
        append(decimal: value.magnitude, minimumDigits: 1, isNegative: value < 0)
    }

    /// `value` with at least `minimumDigits` digits.
    public mutating func append(decimal value: some FixedWidthInteger, minimumDigits: Int) {
        append(decimal: value.magnitude, minimumDigits: minimumDigits, isNegative: value < 0)
    }

    private mutating func append<Value: FixedWidthInteger>(
        decimal magnitude: Value, minimumDigits: Int, isNegative: Bool
    ) {
        if isNegative { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        var rest = magnitude
        repeat {
            let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: 10)
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: remainder))
            rest = quotient
        } while rest != 0
        while bytes.count - start < minimumDigits { bytes.append(UInt8(ascii: "0")) }
        bytes[start...].reverse()
    }

    /// Lower- or upper-case hexadecimal with exactly `digits` digits.
    public mutating func append(hex value: some FixedWidthInteger, digits: Int, uppercase: Bool = false) {
        let alphabet: StaticString = uppercase ? "0123456789ABCDEF" : "0123456789abcdef"
        for digit in (0..<digits).reversed() {
            let nibble = Int(truncatingIfNeeded: value >> (digit * 4)) & 0xF
            bytes.append(alphabet.utf8Start[nibble])
        }
    }

    /// `F2:F2:F2:F2:F2:F2`
    public mutating func append(_ address: BluetoothAddress) {
        for octet in (0..<6).reversed() {
            append(hex: UInt8(truncatingIfNeeded: address.value >> (octet * 8)), digits: 2, uppercase: true)
            if octet > 0 { append(byte: UInt8(ascii: ":")) }
        }
    }
}
