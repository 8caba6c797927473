/// The CRC of a Link Layer PDU, as it goes over the air: the shift register of Vol 6, Part B, Figure 3.5, with its highest position
/// first.
public func linkLayerCRC(_ pdu: [UInt8], initial: UInt32) -> [UInt8] {
    var register = initial
    for octet in pdu {
        for bit in 0..<8 {
            let feedback = register >> 23 & 1 ^ UInt32(octet >> UInt8(bit) & 1)
            register = register << 1 & 0xFF_FFFF ^ (feedback == 1 ? 0x00_065B : 0)
        }
    }
    return (0..<3).map { place in
        (0..<8).reduce(0) {
            $0 | UInt8(truncatingIfNeeded: register >> UInt32(23 - 8 * place - $1) & 1) << UInt8($1)
        }
    }
}
