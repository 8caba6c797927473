import AttlasWire
internal import CCrypto

/// AES-CCM as LE links use it: 13 octets of nonce, a MIC of four. Core Specification, Vol 6, Part E; RFC 3610.
struct LinkLayerCipher: Sendable {
    private var schedule = AES_KEY()
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
        withUnsafeBytes(of: sessionKey.bigEndian) {
            attlas_aes128_schedule($0.assumingMemoryBound(to: UInt8.self).baseAddress, &schedule)
        }
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
        var nonce = Block()
        // Flags, then the counter with the direction as its 40th bit, then the IV: all least significant octet first.
        nonce.set(1, counter & 0x7F_FFFF_FFFF | (fromCentral ? 0x80_0000_0000 : 0), octets: 5)
        nonce.set(6, iv, octets: 8)

        // The MIC of the whole: B0, the header without NESN, SN and MD, then the payload.
        var first = nonce
        first[0] = 0x49
        first[14] = UInt8(truncatingIfNeeded: length >> 8)
        first[15] = UInt8(truncatingIfNeeded: length)
        var mac = encrypt(first)
        mac[1] ^= 1
        mac[2] ^= header & 0xE3
        mac = encrypt(mac)

        var key = nonce
        key[0] = 0x01
        output.removeAll(keepingCapacity: true)
        var offset = 0
        var index = 1
        while offset < length {
            key[14] = UInt8(truncatingIfNeeded: index >> 8)
            key[15] = UInt8(truncatingIfNeeded: index)
            let stream = encrypt(key)
            let count = min(16, length - offset)
            for place in 0..<count {
                let octet = payload[offset + place] ^ stream[place]
                output.append(octet)
                mac[place] ^= octet
            }
            mac = encrypt(mac)
            offset += count
            index += 1
        }
        key[14] = 0
        key[15] = 0
        let stream = encrypt(key)
        for place in 0..<DataPDU.micLength where payload[length + place] != mac[place] ^ stream[place] { return false }
        return true
    }

    private func encrypt(_ block: Block) -> Block {
        var output = Block()
        withUnsafeBytes(of: block.octets) { block in
            withUnsafeMutableBytes(of: &output.octets) { output in
                withUnsafePointer(to: schedule) {
                    attlas_aes128_encrypt_with(
                        $0, block.assumingMemoryBound(to: UInt8.self).baseAddress,
                        output.assumingMemoryBound(to: UInt8.self).baseAddress)
                }
            }
        }
        return output
    }

    /// 16 octets, the first one first.
    private struct Block {
        var octets: (UInt64, UInt64) = (0, 0)

        subscript(_ place: Int) -> UInt8 {
            get {
                let word = place < 8 ? octets.0 : octets.1
                return UInt8(truncatingIfNeeded: word.littleEndian >> UInt64(8 * (place & 7)))
            }
            set {
                let shift = UInt64(8 * (place & 7))
                let mask = ~(0xFF as UInt64) << shift | (1 << shift) - 1
                if place < 8 {
                    octets.0 = (octets.0.littleEndian & mask | UInt64(newValue) << shift).littleEndian
                } else {
                    octets.1 = (octets.1.littleEndian & mask | UInt64(newValue) << shift).littleEndian
                }
            }
        }

        mutating func set(_ place: Int, _ value: UInt64, octets count: Int) {
            for index in 0..<count { self[place + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index)) }
        }
    }
}
