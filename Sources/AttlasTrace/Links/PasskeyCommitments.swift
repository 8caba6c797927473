import AttlasWire

/// The passkey of a pairing, which every receiver of its commitments can find.
///
/// Passkey Entry of LE Secure Connections takes twenty rounds. In each of them both sides commit themselves to one bit of the passkey, and
/// then reveal the commitment's nonce. Core Specification, Vol 3, Part H, 2.3.5.6.3.
package struct PasskeyCommitments: Sendable {
    private static let rounds = 20

    private struct Side {
        /// The X coordinate of the public key, in two halves.
        var key: (high: UInt128, low: UInt128)?
        var confirm: UInt128?
        var passkey: UInt32 = 0
        var bits = 0
    }

    private var transmitter = Side()
    private var receiver = Side()

    package init() {}

    /// - Returns: the passkey, when this PDU reveals its last bit; once in a pairing, although both sides reveal it.
    package mutating func note(_ pdu: borrowing SMPPDU, from direction: Direction) -> UInt32? {
        let passkey: UInt32? =
            switch direction {
            case .tx: Self.note(pdu, of: &transmitter, receiver.key)
            case .rx: Self.note(pdu, of: &receiver, transmitter.key)
            case .unknown: nil
            }
        if passkey != nil { self = PasskeyCommitments() }
        return passkey
    }

    private static func note(
        _ pdu: borrowing SMPPDU, of side: inout Side, _ other: (high: UInt128, low: UInt128)?
    ) -> UInt32? {
        switch pdu {
        case .pairingPublicKey(let key):
            side = Side(key: (key.x.uint128(at: 16), key.x.uint128(at: 0)))
        case .pairingConfirm(let pdu): side.confirm = pdu.confirmValue
        case .pairingRandom(let pdu):
            guard let own = side.key, let other, let confirm = side.confirm else { return nil }
            side.confirm = nil
            let bit = (0...1 as ClosedRange<UInt8>).first {
                confirm == Self.f4(own, other, pdu.randomValue, 0x80 | $0)
            }
            // Another association model.
            guard let bit else {
                side.key = nil
                return nil
            }
            side.passkey |= UInt32(bit) << UInt32(side.bits)
            side.bits += 1
            return side.bits == Self.rounds ? side.passkey : nil
        default: break
        }
        return nil
    }

    /// Vol 3, Part H, 2.2.6: AES-CMAC (RFC 4493) of U, V and Z with the key X.
    static func f4(
        _ u: (high: UInt128, low: UInt128), _ v: (high: UInt128, low: UInt128), _ x: UInt128, _ z: UInt8
    ) -> UInt128 {
        let cipher = AES128(key: x)
        func doubled(_ key: UInt128) -> UInt128 { key << 1 ^ (key >> 127) * 0x87 }
        var code: UInt128 = 0
        for block in [u.high, u.low, v.high, v.low] { code = cipher.encrypt(code ^ block) }
        // One octet is left, and the padding begins after it.
        let last = UInt128(z) << 120 | 0x80 << 112
        return cipher.encrypt(code ^ last ^ doubled(doubled(cipher.encrypt(0))))
    }
}
