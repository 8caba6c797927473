/// A UUID as Bluetooth uses it: 128 bits, of which 16- and 32-bit UUIDs are short forms on the Bluetooth Base UUID.
///
/// A short UUID equals its 128-bit form. Core Specification, Vol 3, Part B, 2.5.1.
public struct BluetoothUUID: Hashable, Sendable {
    /// The 128-bit form, also of a short UUID.
    public let value: UInt128

    /// 00000000-0000-1000-8000-00805F9B34FB
    @inlinable static var base: UInt128 { 0x0000_0000_0000_1000_8000_0080_5F9B_34FB }

    /// A 128-bit UUID, or the long form of a short one.
    @inlinable
    public init(_ value: UInt128) {
        self.value = value
    }

    /// A 16-bit UUID on the Bluetooth Base UUID.
    @inlinable
    public init(_ short: UInt16) {
        value = Self.base | UInt128(short) << 96
    }

    init(_ short: UInt32) {
        value = Self.base | UInt128(short) << 96
    }

    /// The 16-bit form, when there is one.
    public var uint16: UInt16? {
        guard value & (UInt128.max >> 32) == Self.base, value >> 96 <= 0xFFFF else { return nil }
        return UInt16(truncatingIfNeeded: value >> 96)
    }

    /// A UUID of 2, 4 or 16 octets as an ATT PDU or an AD structure carries it; nil at any other length.
    public init?(_ bytes: borrowing Bytes) {
        switch bytes.count {
        case 2: self.init(bytes.uint16(at: 0))
        case 4: self.init(bytes.uint32(at: 0))
        case 16: self.init(bytes.uint128(at: 0))
        default: return nil
        }
    }

    /// The digits of a UUID, or of its beginning, that a user may type with `0x`.
    package static func digits(typed text: String) -> String {
        text.hasPrefix("0x") || text.hasPrefix("0X") ? String(text.dropFirst(2)) : text
    }

    /// Four or eight hexadecimal digits, or the 128-bit form with its hyphens at 8-4-4-4-12 or without any.
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.count == 1 || parts.map(\.count) == [8, 4, 4, 4, 12] else { return nil }
        var number: UInt128 = 0
        var digits = 0
        for digit in parts.joined() {
            guard let value = Character(UnicodeScalar(digit)).hexDigitValue, digits < 32 else { return nil }
            number = number << 4 | UInt128(value)
            digits += 1
        }
        switch digits {
        case 4, 8: self.init(UInt32(truncatingIfNeeded: number))
        case 32: self.init(number)
        default: return nil
        }
    }
}

extension BluetoothUUID: ExpressibleByIntegerLiteral {
    /// `0x2A37`: up to 16 and up to 32 bits a short UUID, otherwise all 128.
    public init(integerLiteral value: StaticBigInt) {
        precondition(value.signum() >= 0 && value.bitWidth <= 129, "a UUID has at most 128 bits")
        let number = UInt128(value[0]) | UInt128(value[1]) << 64
        self = UInt32(exactly: number).map { BluetoothUUID($0) } ?? BluetoothUUID(number)
    }
}

extension BluetoothUUID: CustomStringConvertible {
    /// Four upper-case digits, or the canonical upper-case 128-bit form.
    public var description: String {
        var digits: [UInt8] = []
        digits.reserveCapacity(36)
        if let uint16 {
            digits.append(hexadecimal: UInt64(uint16), digits: 4)
        } else {
            let (upper, lower) = (UInt64(truncatingIfNeeded: value >> 64), UInt64(truncatingIfNeeded: value))
            for (part, count) in [(upper >> 32, 8), (upper >> 16, 4), (upper, 4), (lower >> 48, 4), (lower, 12)] {
                if !digits.isEmpty { digits.append(UInt8(ascii: "-")) }
                digits.append(hexadecimal: part, digits: count)
            }
        }
        return String(decoding: digits, as: UTF8.self)
    }
}

extension [UInt8] {
    /// The lowest `digits` digits of `value`.
    fileprivate mutating func append(hexadecimal value: UInt64, digits: Int) {
        let alphabet = ("0123456789ABCDEF" as StaticString).octets
        for digit in (0..<digits).reversed() {
            append(alphabet[Int(truncatingIfNeeded: value >> (digit * 4)) & 0xF])
        }
    }
}

func hexadecimal(_ value: UInt128, digits: Int) -> String {
    let text = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
}
