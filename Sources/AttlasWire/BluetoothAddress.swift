/// A device address with its type. Core Specification, Vol 6, Part B, 1.3.
public struct BluetoothAddress: Hashable, Sendable {
    /// The 48 bits; the most significant octet is the first one printed.
    public let value: UInt64
    /// Whether it is a random address; otherwise public.
    public let isRandom: Bool

    /// Public, or the sub-type of a random address (Vol 6, Part B, 1.3).
    public enum Kind: String, Sendable {
        case `public`
        case randomStatic = "random-static"
        case resolvable = "random-resolvable"
        case nonResolvable = "random-non-resolvable"
        case randomReserved = "random-reserved"
    }

    /// Keeps the low 48 bits of `value`.
    public init(_ value: UInt64, isRandom: Bool) {
        self.value = value & 0xFFFF_FFFF_FFFF
        self.isRandom = isRandom
    }

    /// The two most significant bits of a random address show its kind.
    public var kind: Kind {
        guard isRandom else { return .public }
        switch value >> 46 {
        case 0b11: return .randomStatic
        case 0b01: return .resolvable
        case 0b00: return .nonResolvable
        default: return .randomReserved
        }
    }
}

extension Bytes {
    /// The six octets of an address and the Address_Type that HCI stores separately: 0x00 public, 0x01 random, 0x02
    /// and 0x03 the public and the random identity address of a peer that the controller resolved, 0xFE a random
    /// address that it could not resolve.
    public func address(at offset: Int, type: UInt8) -> BluetoothAddress {
        BluetoothAddress(uint48(at: offset), isRandom: type & 1 == 1 || type == 0xFE)
    }
}

extension BluetoothAddress: CustomStringConvertible {
    public var description: String {
        let digits = hexadecimal(UInt128(value), digits: 12)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0 && index.isMultiple(of: 2) { text.append(":") }
            text.append(digit)
        }
        return text
    }
}
