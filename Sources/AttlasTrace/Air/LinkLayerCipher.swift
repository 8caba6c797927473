import AttlasWire

/// AES-CCM as LE links use it: 13 octets of nonce, a MIC of four. Core Specification, Vol 6, Part E; RFC 3610.
struct LinkLayerCipher: Sendable {
    private let cipher: CCM
    /// The IVs of both sides, the central's in the low half. Vol 6, Part B, 5.1.3.1.
    private let iv: UInt64

    /// - Parameters:
    ///   - longTermKey: The most significant octet is the first one printed.
    ///   - skd: The session key diversifier of both sides, the peripheral's in the high half.
    init(longTermKey: UInt128, skd: UInt128, iv: UInt64) {
        self.init(sessionKey: AddressHash.e(longTermKey, skd), iv: iv)
    }

    init(sessionKey: UInt128, iv: UInt64) {
        self.iv = iv
        cipher = CCM(key: sessionKey)
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
        // Flags, then the counter with the direction as its 40th bit, then the IV: all least significant octet first.
        let sequence = counter & 0x7F_FFFF_FFFF | (fromCentral ? 0x80_0000_0000 : 0)
        let nonce = UInt128(sequence.byteSwapped >> 24) << 80 | UInt128(iv.byteSwapped) << 16

        // NESN, SN and MD may change when the PDU is sent again.
        return cipher.decrypt(
            payload, nonce: nonce, header: header & 0xE3, micLength: DataPDU.micLength, into: &output)
    }
}
