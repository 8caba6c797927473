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
        var nonce = AES128.Block(repeating: 0)
        // Flags, then the counter with the direction as its 40th bit, then the IV: all least significant octet first.
        nonce.set(1, counter & 0x7F_FFFF_FFFF | (fromCentral ? 0x80_0000_0000 : 0), octets: 5)
        nonce.set(6, iv, octets: 8)

        // The MIC of the whole: B0, the header without NESN, SN and MD, then the payload.
        var first = nonce
        first[0] = 0x49
        first[14] = UInt8(truncatingIfNeeded: length >> 8)
        first[15] = UInt8(truncatingIfNeeded: length)
        var mac = key.encrypt(first)
        mac[1] ^= 1
        mac[2] ^= header & 0xE3
        mac = key.encrypt(mac)

        var counterBlock = nonce
        counterBlock[0] = 0x01
        output.removeAll(keepingCapacity: true)
        var offset = 0
        var index = 1
        while offset < length {
            counterBlock[14] = UInt8(truncatingIfNeeded: index >> 8)
            counterBlock[15] = UInt8(truncatingIfNeeded: index)
            let stream = key.encrypt(counterBlock)
            let count = min(16, length - offset)
            for place in 0..<count {
                let octet = payload[offset + place] ^ stream[place]
                output.append(octet)
                mac[place] ^= octet
            }
            mac = key.encrypt(mac)
            offset += count
            index += 1
        }
        counterBlock[14] = 0
        counterBlock[15] = 0
        let stream = key.encrypt(counterBlock)
        for place in 0..<DataPDU.micLength where payload[length + place] != mac[place] ^ stream[place] { return false }
        return true
    }
}

extension AES128.Block {
    /// The lowest octets of `value` from `place` on, the least significant one first.
    fileprivate mutating func set(_ place: Int, _ value: UInt64, octets count: Int) {
        for index in 0..<count { self[place + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index)) }
    }
}
