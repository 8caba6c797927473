/// The check sequence of the LE link layer: x²⁴ + x¹⁰ + x⁹ + x⁶ + x⁴ + x³ + x + 1, least significant bit of the data first.
/// Core Specification, Vol 6, Part B, 3.1.1.
///
/// The register is kept mirrored, so that its lowest octet is the one that is sent first.
public enum LinkLayerCRC {
    /// CRC initial value of advertising packets.
    public static let advertisingInit: UInt32 = 0x55_5555

    private static let polynomial: UInt32 = 0xDA_6000

    /// The effect of one octet on a register whose lowest octet it is combined with.
    private static let table: [UInt32] = (0..<256).map { octet in
        (0..<8).reduce(UInt32(octet)) { register, _ in register >> 1 ^ (register & 1 == 1 ? polynomial : 0) }
    }

    /// The CRC of a PDU, as `LinkLayerPacket.crc` has it.
    ///
    /// - Parameter initial: CRCInit as CONNECT_IND gives it.
    public static func crc(of pdu: borrowing Bytes, initial: UInt32) -> UInt32 {
        var register = mirrored(initial)
        let table = table
        for offset in 0..<pdu.count {
            register = register >> 8 ^ table[Int(UInt8(truncatingIfNeeded: register) ^ pdu[offset])]
        }
        return register
    }

    /// The CRCInit with which a PDU has this CRC: of an intact packet, that of its connection.
    public static func initial(of pdu: borrowing Bytes, crc: UInt32) -> UInt32 {
        var register = crc & 0xFF_FFFF
        for offset in stride(from: pdu.count - 1, through: 0, by: -1) {
            for bit in stride(from: 7, through: 0, by: -1) {
                // The highest bit of the polynomial shows whether it was added.
                let wasAdded = register & 0x80_0000 != 0
                if wasAdded { register ^= polynomial }
                register = register << 1 & 0xFF_FFFF
                let input = UInt32(pdu[offset] >> UInt8(bit) & 1)
                register |= (wasAdded ? 1 : 0) ^ input
            }
        }
        return mirrored(register)
    }

    /// 24 bits in the opposite order.
    private static func mirrored(_ value: UInt32) -> UInt32 {
        var result: UInt32 = 0
        for bit in UInt32(0)..<24 where value >> bit & 1 == 1 { result |= 1 << (23 - bit) }
        return result
    }
}
