import AttlasWire

/// Integers in other codes than two's complement.
extension Decoder {
    mutating func readCoded(_ step: Operation) {
        guard let octets = load(step) else { return }
        let bits = UInt64(step.octets) * 8
        if step.code == .signMagnitude {
            let sign = UInt64(1) << (bits - 1)
            let magnitude = Int64(octets & (sign - 1))
            return finish(step, octets & sign == 0 ? magnitude : -magnitude, octets: Int(step.octets))
        }
        var number: Int64 = 0
        var shift = bits
        while shift > 0 {
            shift -= 4
            let digit = octets >> shift & 0xF
            guard digit < 10 else { return finishUnreadable(step, length: Int(step.octets)) }
            number = number * 10 + Int64(digit)
        }
        finish(step, number, octets: Int(step.octets))
    }

    mutating func readNumberInText(_ step: Operation) {
        let length: Int
        let whole: Int
        if dissector.fields[Int(step.field)].marker != nil {
            guard let marked = markedLength(step) else { return }
            (length, whole) = marked
        } else {
            guard let size = size(step.b) else { return fail(.size, step, need: 0) }
            guard size <= state.left else { return fail(.truncated, step, need: size) }
            (length, whole) = (size, size)
        }
        let text = NumberInText.trimmed(value.slice(state.offset..<state.offset + length))
        guard text.count > 0 else { return append(step, raw: 0, special: .empty, length: whole) }
        guard let number = step.code == .decimalText ? NumberInText(decimal: text) : NumberInText(hexadecimal: text)
        else { return finishUnreadable(step, length: whole) }
        finish(step, number.digits, octets: whole, bitOffset: UInt8(number.decimals))
        // Expressions have integers.
        if number.decimals > 0 { registers[Int(step.register)] = number.whole }
    }

    /// Appends a field that is not a number; reading continues after it.
    private mutating func finishUnreadable(_ step: Operation, length: Int) {
        append(step, raw: 0, special: .unreadable, length: length)
        markWrong()
    }
}

/// A number in characters, without spaces around it.
struct NumberInText {
    /// All digits as one number.
    var digits: Int64 = 0
    /// Digits after the point.
    var decimals = 0

    /// The number without its decimals.
    var whole: Int64 {
        var whole = digits
        for _ in 0..<decimals { whole /= 10 }
        return whole
    }

    /// `-12.50`; nil for something else, and for more than 18 digits.
    init?(decimal text: Bytes) {
        var text = text
        var isNegative = false
        if text.count > 0, text[0] == UInt8(ascii: "-") || text[0] == UInt8(ascii: "+") {
            isNegative = text[0] == UInt8(ascii: "-")
            text = text.dropFirst(1)
        }
        var hasPoint = false
        var count = 0
        for index in 0..<text.count {
            if text[index] == UInt8(ascii: "."), !hasPoint {
                hasPoint = true
                continue
            }
            guard case let digit = Int64(text[index]) - 0x30, 0...9 ~= digit, count < 18 else { return nil }
            digits = digits * 10 + digit
            count += 1
            if hasPoint { decimals += 1 }
        }
        guard count > 0 else { return nil }
        if isNegative { digits = -digits }
    }

    /// Up to 16 digits in either case.
    init?(hexadecimal text: Bytes) {
        guard 1...16 ~= text.count else { return nil }
        var number: UInt64 = 0
        for index in 0..<text.count {
            let digit: UInt8
            switch text[index] {
            case 0x30...0x39: digit = text[index] - 0x30
            case 0x41...0x46: digit = text[index] - 0x41 + 10
            case 0x61...0x66: digit = text[index] - 0x61 + 10
            default: return nil
            }
            number = number << 4 | UInt64(digit)
        }
        digits = Int64(bitPattern: number)
    }

    @_lifetime(copy text)
    static func trimmed(_ text: Bytes) -> Bytes {
        var (start, end) = (0, text.count)
        while start < end, text[start] == 0x20 { start += 1 }
        while end > start, text[end - 1] == 0x20 || text[end - 1] == 0 { end -= 1 }
        return text.slice(start..<end)
    }
}
