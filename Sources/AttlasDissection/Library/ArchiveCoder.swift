import AttlasWire

/// Definitions as ASCII, for a string literal in the binary.
///
/// One function per type codes in both directions, so reading cannot drift from writing. Integers are groups of six bits, lowest first,
/// with bit 6 set on all but the last: every octet is ASCII, and a string literal can hold it. It only reads its own output.
struct ArchiveCoder {
    private(set) var output: [UInt8] = []
    private let input: StaticString
    private var position: Int
    let isReading: Bool

    init() {
        input = ""
        position = 0
        isReading = false
    }

    init(reading input: StaticString, at position: Int) {
        self.input = input
        self.position = position
        isReading = true
    }

    mutating func code(_ value: inout UInt128) {
        if isReading {
            value = 0
            var shift: UInt128 = 0
            while true {
                let octet = next()
                value |= UInt128(octet & 0x3F) << shift
                shift += 6
                if octet & 0x40 == 0 { return }
            }
        }
        var rest = value
        while rest > 0x3F {
            output.append(UInt8(truncatingIfNeeded: rest & 0x3F) | 0x40)
            rest >>= 6
        }
        output.append(UInt8(rest))
    }

    mutating func code(_ value: inout Int64) {
        // The sign goes to the lowest bit, so that small negative numbers stay short.
        var folded = UInt128(UInt64(bitPattern: value << 1 ^ value >> 63))
        code(&folded)
        let bits = UInt64(truncatingIfNeeded: folded)
        value = Int64(bitPattern: bits >> 1) ^ -Int64(bitPattern: bits & 1)
    }

    mutating func code(_ value: inout Int) {
        var wide = Int64(value)
        code(&wide)
        value = Int(wide)
    }

    mutating func code(_ value: inout Bool) {
        var number = value ? 1 : 0
        code(&number)
        value = number != 0
    }

    mutating func code(_ value: inout BluetoothUUID) {
        var short = value.uint16.map { Int($0) } ?? -1
        code(&short)
        if short >= 0 {
            value = BluetoothUUID(UInt16(truncatingIfNeeded: short))
        } else {
            var number = value.value
            code(&number)
            value = BluetoothUUID(number)
        }
    }

    /// Text outside ASCII goes as numbers too.
    mutating func code(_ value: inout String) {
        if isReading {
            var count = 0
            code(&count)
            var octets: [UInt8] = []
            octets.reserveCapacity(count)
            for _ in 0..<count {
                var octet = next()
                if octet == 0x7F { octet = next() << 4 | next() }
                octets.append(octet)
            }
            value = String(decoding: octets, as: UTF8.self)
        } else {
            var count = value.utf8.count
            code(&count)
            for octet in value.utf8 {
                if octet < 0x7F { output.append(octet) } else { output += [0x7F, octet >> 4, octet & 0xF] }
            }
        }
    }

    mutating func code<Element>(
        _ values: inout [Element], empty: @autoclosure () -> Element,
        _ body: (inout ArchiveCoder, inout Element) -> Void
    ) {
        var count = values.count
        code(&count)
        if isReading { values = (0..<count).map { _ in empty() } }
        for index in values.indices { body(&self, &values[index]) }
    }

    mutating func code<Value>(
        _ value: inout Value?, empty: @autoclosure () -> Value, _ body: (inout ArchiveCoder, inout Value) -> Void
    ) {
        var isThere = value != nil
        code(&isThere)
        guard isThere else {
            value = nil
            return
        }
        var wrapped = value ?? empty()
        body(&self, &wrapped)
        value = wrapped
    }

    private mutating func next() -> UInt8 {
        precondition(position < input.utf8CodeUnitCount, "the embedded definitions end early")
        defer { position += 1 }
        return input.octets[position]
    }
}
