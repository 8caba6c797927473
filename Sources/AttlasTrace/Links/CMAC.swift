import AttlasWire

/// AES-CMAC. RFC 4493.
struct CMAC: Sendable {
    private let key: AES128
    /// For a last block that is whole, and for another.
    private let subkeys: (whole: UInt128, padded: UInt128)

    init(key: UInt128) {
        let cipher = AES128(key: key)
        self.key = cipher
        let whole = Self.doubled(cipher.encrypt(0))
        subkeys = (whole, Self.doubled(whole))
    }

    /// Section 2.3: times x, modulo x¹²⁸ + x⁷ + x² + x + 1.
    private static func doubled(_ value: UInt128) -> UInt128 { value << 1 ^ (value >> 127) &* 0x87 }

    func code(of message: borrowing Bytes) -> UInt128 {
        var code: UInt128 = 0
        var block: UInt128 = 0
        var count = 0
        for place in 0..<message.count {
            if count == 16 {
                code = key.encrypt(code ^ block)
                (block, count) = (0, 0)
            }
            block = block << 8 | UInt128(message[place])
            count += 1
        }
        if count == 16 { return key.encrypt(code ^ block ^ subkeys.whole) }
        block = (block << 8 | 0x80) << UInt128(120 - 8 * count)
        return key.encrypt(code ^ block ^ subkeys.padded)
    }
}

extension SignedWriteCommand {
    /// Whether its Authentication Signature is made with this Connection Signature Resolving Key: by the PDU and SignCounter, most
    /// significant octet first. Core Specification, Vol 3, Part H, 2.4.5.
    package func isSigned(with key: UInt128) -> Bool {
        let message = (0..<bytes.count - 8).reversed().map { bytes[$0] }
        return UInt64(CMAC(key: key).code(of: Bytes(message.span)) >> 64) == messageAuthenticationCode
    }
}
