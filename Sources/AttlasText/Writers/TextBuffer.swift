import AttlasWire

/// UTF-8 text under construction, in one buffer that every line uses again.
///
/// Outputs append octets, numbers and literals; they never build a `String` for a line. The array is longer than the text:
/// to append is then one check for room and one copy, 70 instructions for a literal where an array's own `append` took 115.
public struct TextBuffer: Sendable {
    @usableFromInline
    var storage: [UInt8] = []
    /// Octets of it that are used.
    @usableFromInline
    var end = 0

    /// Octets so far.
    @inlinable
    public var count: Int { end }

    /// An empty text.
    public init() {}

    /// UTF-8 so far.
    public var bytes: ArraySlice<UInt8> { storage[..<end] }

    /// Empties the buffer and keeps its memory.
    public mutating func removeAll() {
        end = 0
    }

    /// Removes the octets after the first `count`.
    public mutating func truncate(to count: Int) {
        end = min(end, max(0, count))
    }

    @inlinable @inline(__always)
    mutating func makeRoom(_ length: Int) {
        if storage.count &- end < length { grow(length) }
    }

    @usableFromInline @inline(never)
    mutating func grow(_ length: Int) {
        storage.append(contentsOf: repeatElement(0, count: max(length, storage.count, 64)))
    }

    /// Copies `length` octets.
    @inlinable @inline(__always)
    mutating func append(_ octets: UnsafeRawPointer, _ length: Int) {
        makeRoom(length)
        let start = end
        unsafe storage.withUnsafeMutableBytes { storage in
            // There is at least the room that was made.
            guard length > 0, storage.count - start >= length, let base = storage.baseAddress else { return }
            unsafe (base + start).copyMemory(from: octets, byteCount: length)
        }
        end = start + length
    }

    /// Lets `write` set the `length` octets that are appended; it gets the place of the first.
    @inline(__always)
    mutating func append(_ length: Int, _ write: (inout MutableSpan<UInt8>, Int) -> Void) {
        makeRoom(length)
        let start = end
        end = start + length
        var room = storage.mutableSpan
        write(&room, start)
    }
}

extension TextBuffer {
    /// The number of characters, and whether some of them may not take one column. The characters of the outputs' own drawing take one:
    /// Latin-1, and among those that begin with 0xE2 a few rows of General Punctuation, Arrows, Mathematical Operators, Box Drawing and
    /// Block Elements.
    func characters() -> (count: Int, mayBeWide: Bool) {
        unsafe storage.withUnsafeBytes { octets in
            let end = min(count, octets.count)
            var characters = 0
            var previous: UInt8 = 0
            var place = 0
            while place < end {
                // Eight octets of ASCII at once: almost all text.
                if end - place >= 8,
                    unsafe octets.loadUnaligned(fromByteOffset: place, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
                {
                    characters += 8
                    previous = 0
                    place += 8
                    continue
                }
                let octet = unsafe octets[place]
                if octet & 0xC0 != 0x80 { characters += 1 }
                if octet >= 0x80 {
                    if octet >= 0xCC, octet != 0xE2 { return (0, true) }
                    if previous == 0xE2, ![0x80, 0x86, 0x87, 0x89, 0x94, 0x95, 0x96].contains(octet) {
                        return (0, true)
                    }
                }
                previous = octet
                place += 1
            }
            return (characters, false)
        }
    }

    /// All of it, copied.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Appends a literal.
    @inlinable @inline(__always)
    public mutating func append(_ text: StaticString) {
        unsafe append(text.utf8Start, text.utf8CodeUnitCount)
    }

    /// Appends a text as it is: see `append(display:)` for text from a capture.
    public mutating func append(string text: String) {
        unsafe withOctets(of: text) { unsafe $0.append(octets: UnsafeRawBufferPointer($1)) }
    }

    /// Hands `body` the UTF-8 of `text`. A copy, which `withUTF8` needs, is retained, and the span that `utf8Span` gives is made
    /// out of line: each costs as much as a short text itself.
    @inline(__always)
    private mutating func withOctets<Value>(
        of text: String, _ body: (inout TextBuffer, UnsafeBufferPointer<UInt8>) -> Value
    ) -> Value {
        if let value = unsafe text.utf8.withContiguousStorageIfAvailable({ unsafe body(&self, $0) }) { return value }
        var copy = text
        return copy.withUTF8 { unsafe body(&self, $0) }
    }

    /// Not for octets from the air, which have `append(octets:limit:)`.
    mutating func append(octets: UnsafeRawBufferPointer) {
        if let base = octets.baseAddress { unsafe append(base, octets.count) }
    }

    /// Octets from the air that were found to be printable ASCII.
    mutating func append(ascii bytes: Bytes) {
        unsafe bytes.withUnsafeOctets { unsafe append(octets: $0) }
    }

    /// Appends one octet of UTF-8.
    public mutating func append(byte: UInt8) {
        makeRoom(1)
        storage[end] = byte
        end += 1
    }

    /// Appends UTF-8.
    public mutating func append(contentsOf text: TextBuffer) {
        unsafe text.storage.withUnsafeBytes {
            unsafe append(octets: UnsafeRawBufferPointer(rebasing: $0[..<text.count]))
        }
    }

    /// Appends UTF-8.
    public mutating func append(contentsOf octets: [UInt8]) {
        unsafe octets.withUnsafeBytes { unsafe append(octets: $0) }
    }

    /// Appends elements as they are in memory, for binary formats.
    public mutating func append(memoryOf elements: Span<some BitwiseCopyable>) {
        unsafe elements.withUnsafeBytes { unsafe append(octets: $0) }
    }

    /// Appends an octet `count` times.
    public mutating func append(repeating byte: UInt8, count: Int) {
        let length = max(0, count)
        makeRoom(length)
        let start = end
        unsafe storage.withUnsafeMutableBytes { storage in
            guard length > 0, storage.count - start >= length, let base = storage.baseAddress else { return }
            unsafe (base + start).initializeMemory(as: UInt8.self, repeating: byte, count: length)
        }
        end = start + length
    }

    /// `"text":`, of a text that needs no escape, and a comma before it when it is not the first.
    @inlinable @inline(__always)
    mutating func append(jsonKey text: StaticString, isFirst: Bool) {
        let before = isFirst ? 1 : 2
        let length = text.utf8CodeUnitCount
        makeRoom(before + length + 2)
        let start = end
        unsafe storage.withUnsafeMutableBytes { storage in
            guard storage.count - start >= before + length + 2, let base = storage.baseAddress else { return }
            let room = unsafe base + start
            unsafe room.storeBytes(of: UInt8(ascii: ","), as: UInt8.self)
            unsafe room.storeBytes(of: UInt8(ascii: "\""), toByteOffset: before - 1, as: UInt8.self)
            unsafe (room + before).copyMemory(from: text.utf8Start, byteCount: length)
            unsafe room.storeBytes(of: UInt8(ascii: "\""), toByteOffset: before + length, as: UInt8.self)
            unsafe room.storeBytes(of: UInt8(ascii: ":"), toByteOffset: before + length + 1, as: UInt8.self)
        }
        end = start + before + length + 2
    }
}

// MARK: Numbers

extension TextBuffer {
    /// Appends an integer in decimal.
    @inlinable
    public mutating func append(decimal value: some FixedWidthInteger) {
        append(decimal: value, minimumDigits: 1)
    }

    /// `value` with at least `minimumDigits` digits, and at most 19 zeros before it.
    @inlinable @inline(__always)
    public mutating func append<Value: FixedWidthInteger>(decimal value: Value, minimumDigits: Int) {
        if value < 0 { append(byte: UInt8(ascii: "-")) }
        let magnitude = value.magnitude
        guard let small = UInt64(exactly: magnitude) else {
            let (high, low) = UInt128(magnitude).quotientAndRemainder(dividingBy: 10_000_000_000_000_000_000)
            append(decimal: high, minimumDigits: 1)
            return append(digitsOf: UInt64(low), atLeast: 19)
        }
        append(digitsOf: small, atLeast: minimumDigits)
    }

    /// A number after blanks, so that both have at least `width` octets, which are eight at most.
    mutating func append(_ number: Int, width: Int) {
        guard 0..<100_000_000 ~= number else { return append(decimal: number) }
        let digits = EightDigits(decimal: UInt32(number))
        append(repeating: UInt8(ascii: " "), count: width - digits.significantCount)
        append(digits, count: digits.significantCount)
    }

    @usableFromInline
    mutating func append(digitsOf magnitude: UInt64, atLeast minimum: Int) {
        if magnitude < 10, minimum <= 1 {
            return append(byte: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: magnitude))
        }
        guard magnitude < 100_000_000, minimum <= 8 else {
            append(digitsOf: magnitude / 100_000_000, atLeast: minimum - 8)
            return append(digitsOf: magnitude % 100_000_000, atLeast: 8)
        }
        let digits = EightDigits(decimal: UInt32(magnitude))
        append(digits, count: max(digits.significantCount, minimum))
    }

    /// `mark`, then a number below 100.
    mutating func append(_ mark: UInt8, twoDigits number: Int64) {
        append(3) { room, start in
            room[start] = mark
            room[start + 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10)
            room[start + 2] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10)
        }
    }

    /// Lower- or upper-case hexadecimal with exactly `digits` digits.
    @inlinable @inline(__always)
    public mutating func append(hex value: some FixedWidthInteger, digits: Int, uppercase: Bool = false) {
        append(hexDigitsOf: UInt64(truncatingIfNeeded: value), digits, uppercase)
    }

    @usableFromInline
    mutating func append(hexDigitsOf value: UInt64, _ digits: Int, _ uppercase: Bool) {
        if digits > 8 { append(hexDigitsOf: value >> 32, digits - 8, uppercase) }
        append(EightDigits(hex: UInt32(truncatingIfNeeded: value), uppercase: uppercase), count: min(digits, 8))
    }

    @inline(__always)
    private static func hexDigit(_ nibble: UInt64, _ uppercase: Bool) -> UInt8 {
        let digit = UInt8(truncatingIfNeeded: nibble)
        return digit < 10 ? digit &+ UInt8(ascii: "0") : digit &+ UInt8(ascii: uppercase ? "A" : "a") &- 10
    }

    /// The last `length` of the digits, of which there are eight at most.
    @inline(__always)
    private mutating func append(_ digits: EightDigits, count length: Int) {
        makeRoom(8)
        let start = end
        let text = digits.last(length)
        unsafe storage.withUnsafeMutableBytes { storage in
            // There is at least the room that was made.
            guard storage.count - start >= 8 else { return }
            unsafe storage.storeBytes(of: text.littleEndian, toByteOffset: start, as: UInt64.self)
        }
        end = start + length
    }

    /// Two digits an octet.
    public mutating func append(hexOf bytes: Bytes, uppercase: Bool = false) {
        var offset = 0
        while bytes.count - offset >= 4 {
            append(EightDigits(hex: bytes.bigEndianUInt32(at: offset), uppercase: uppercase), count: 8)
            offset += 4
        }
        while offset < bytes.count {
            append(hex: bytes[offset], digits: 2, uppercase: uppercase)
            offset += 1
        }
    }

    /// Two digits an octet, with `separator` between octets.
    mutating func append(hexOf bytes: Bytes, uppercase: Bool, separator: UInt8) {
        guard !bytes.isEmpty else { return }
        append(bytes.count * 3 - 1) { room, start in
            for offset in 0..<bytes.count {
                let place = start + offset * 3
                if offset > 0 { room[place - 1] = separator }
                room[place] = Self.hexDigit(UInt64(bytes[offset] >> 4), uppercase)
                room[place + 1] = Self.hexDigit(UInt64(bytes[offset] & 0xF), uppercase)
            }
        }
    }

    /// `F2:F2:F2:F2:F2:F2`
    public mutating func append(_ address: BluetoothAddress) {
        append(17) { room, start in
            for octet in 0..<6 {
                let value = address.value >> UInt64((5 - octet) * 8)
                let place = start + octet * 3
                room[place] = Self.hexDigit(value >> 4 & 0xF, true)
                room[place + 1] = Self.hexDigit(value & 0xF, true)
                if octet > 0 { room[place - 1] = UInt8(ascii: ":") }
            }
        }
    }

    /// Four upper-case digits, or the canonical upper-case 128-bit form.
    public mutating func append(_ uuid: BluetoothUUID) {
        if let uint16 = uuid.uint16 { return append(hex: uint16, digits: 4, uppercase: true) }
        let (upper, lower) = (UInt64(truncatingIfNeeded: uuid.value >> 64), UInt64(truncatingIfNeeded: uuid.value))
        append(hex: upper >> 32, digits: 8, uppercase: true)
        append(byte: UInt8(ascii: "-"))
        append(hex: upper >> 16, digits: 4, uppercase: true)
        append(byte: UInt8(ascii: "-"))
        append(hex: upper, digits: 4, uppercase: true)
        append(byte: UInt8(ascii: "-"))
        append(hex: lower >> 48, digits: 4, uppercase: true)
        append(byte: UInt8(ascii: "-"))
        append(hex: lower, digits: 12, uppercase: true)
    }
}

// MARK: Text that is ASCII and holds nothing to escape

extension TextBuffer {
    /// Appends `text` and returns true, when all of it is printable ASCII without `except`.
    mutating func append(plain text: String, except: (UInt8, UInt8)) -> Bool {
        unsafe withOctets(of: text) { buffer, octets in
            let octets = UnsafeRawBufferPointer(octets)
            guard unsafe octets.allSatisfy({ 0x20...0x7E ~= $0 && $0 != except.0 && $0 != except.1 }) else {
                return false
            }
            unsafe buffer.append(octets: octets)
            return true
        }
    }
}

extension TextBuffer {
    /// A copy of a text.
    public init(_ text: String) {
        self.init()
        append(string: text)
    }
}
