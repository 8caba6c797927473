import AttlasWire

/// AES-CCM as LE links use it: 13 octets of nonce, a MIC of four. Core Specification, Vol 6, Part E; RFC 3610.
struct LinkLayerCipher: Sendable {
    private let key: AES128
    /// Of both sides, the central's in the low half. Vol 6, Part B, 5.1.3.1.
    private let iv: UInt64

    /// - Parameters:
    ///   - longTermKey: The most significant octet is the first one printed.
    ///   - skd: The session key diversifier of both sides, the peripheral's in the high half.
    init(longTermKey: UInt128, skd: UInt128, iv: UInt64) {
        self.init(sessionKey: AddressHash.e(longTermKey, skd), iv: iv)
    }

    init(sessionKey: UInt128, iv: UInt64) {
        self.iv = iv
        key = AES128(key: sessionKey)
    }

    /// Decrypts the payload of a data PDU. False, and `output` means nothing, when its MIC is wrong.
    ///
    /// - Parameters:
    ///   - payload: With the MIC at its end: at least its four octets.
    ///   - header: The first octet of the PDU.
    ///   - counter: How many PDUs with a payload this side has encrypted before, 39 bits.
    func decrypt(
        _ payload: borrowing Bytes, header: UInt8, counter: UInt64, fromCentral: Bool, into output: inout [UInt8]
    ) -> Bool {
        let length = payload.count - DataPDU.micLength
        guard length >= 0 else { return false }
        // Flags, then the counter with the direction as its 40th bit, then the IV: all least significant octet first.
        let sequence = counter & 0x7F_FFFF_FFFF | (fromCentral ? 0x80_0000_0000 : 0)
        let nonce = UInt128(sequence.byteSwapped >> 24) << 80 | UInt128(iv.byteSwapped) << 16

        // The MIC of the whole: B0, the header without NESN, SN and MD, then the payload.
        var mac = key.encrypt(0x49 << 120 | nonce | UInt128(UInt16(truncatingIfNeeded: length)))
        mac = key.encrypt(mac ^ UInt128(0x0100 | UInt16(header & 0xE3)) << 104)

        let counterBlock = 0x01 << 120 | nonce
        output.removeAll(keepingCapacity: true)
        var offset = 0
        var index: UInt16 = 1
        while offset < length {
            var stream = key.encrypt(counterBlock | UInt128(index))
            let count = min(16, length - offset)
            var block: UInt128 = 0
            for place in offset..<offset + count {
                let octet = payload[place] ^ UInt8(truncatingIfNeeded: stream >> 120)
                stream <<= 8
                output.append(octet)
                block = block << 8 | UInt128(octet)
            }
            mac = key.encrypt(mac ^ block << UInt128(128 - 8 * count))
            offset += count
            index &+= 1
        }
        let mask = mac ^ key.encrypt(counterBlock)
        return payload.bigEndianUInt32(at: length) == UInt32(truncatingIfNeeded: mask >> 96)
    }
}
