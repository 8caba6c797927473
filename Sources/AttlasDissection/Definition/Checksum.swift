import AttlasWire

/// A checksum over other octets.
public enum Checksum: String, CaseIterable, Sendable {
    /// CRC-16/MCRF4XX: polynomial 0x1021 reflected, first value 0xFFFF. The E2E-CRC of the health services.
    case e2eCRC = "e2e-crc"
    /// CRC-16/MODBUS: polynomial 0x8005 reflected, first value 0xFFFF.
    case modbus
    /// The sum of the octets, modulo 256.
    case sum8
    /// The exclusive or of the octets.
    case xor8

    package var bits: Int {
        switch self {
        case .e2eCRC, .modbus: 16
        case .sum8, .xor8: 8
        }
    }

    /// Of `value`, without the octets in `gap`, which hold the result.
    func of(_ value: Bytes, from start: Int, to end: Int, without gap: Range<Int>) -> UInt64 {
        var register: UInt16 = bits == 16 ? 0xFFFF : 0
        for index in start..<end where !gap.contains(index) {
            let octet = UInt16(value[index])
            switch self {
            case .e2eCRC: Self.shift(octet, into: &register, polynomial: 0x8408)
            case .modbus: Self.shift(octet, into: &register, polynomial: 0xA001)
            case .sum8: register = (register + octet) & 0xFF
            case .xor8: register ^= octet
            }
        }
        return UInt64(register)
    }

    private static func shift(_ octet: UInt16, into register: inout UInt16, polynomial: UInt16) {
        register ^= octet
        for _ in 0..<8 { register = register & 1 == 0 ? register >> 1 : register >> 1 ^ polynomial }
    }
}
