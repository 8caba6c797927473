import CAES

/// AES-128 of one block, with the key ready for as many blocks as there are. FIPS 197.
///
/// Its time depends on the key and the block, which does not matter here: it decrypts captures, with keys that their readers have. The
/// first octet of keys, blocks and columns is the most significant one.
///
/// Written here because OpenSSL's block function took the same time (2023 instructions for a key and a block, this
/// one 1898) for another dependency. With the processor's instructions, 256 keys and 100 000 private addresses take a
/// fifth of the time. Tested with FIPS 197, SP 800-38A and the Core Specification's sample data.
package struct AES128: Sendable {
    /// Four columns for each of eleven AddRoundKey.
    private var schedule = InlineArray<44, UInt32>(repeating: 0)

    package init(key: UInt128) {
        var (a, b, c, d) = Self.columns(key)
        var constant: UInt32 = 0x0100_0000
        for round in 0...10 {
            schedule[4 * round] = a
            schedule[4 * round + 1] = b
            schedule[4 * round + 2] = c
            schedule[4 * round + 3] = d
            let rotated = d << 8 | d >> 24
            a ^= Self.substituted(rotated, rotated, rotated, rotated) ^ constant
            b ^= a
            c ^= b
            d ^= c
            constant = Self.doubled(constant)
        }
    }

    /// With the processor's own instructions if available. For 100 000 private addresses and 256 keys `devices` takes 0.8 s instead of 3.7.
    private static let isInHardware = aes_is_available()

    @inline(__always)
    package func encrypt(_ block: UInt128) -> UInt128 {
        Self.isInHardware ? encryptInHardware(block) : encryptInSoftware(block)
    }

    private func encryptInHardware(_ block: UInt128) -> UInt128 {
        let halves = aes_block(
            high: UInt64(truncatingIfNeeded: block >> 64), low: UInt64(truncatingIfNeeded: block))
        let encrypted = unsafe schedule.span.withUnsafeBufferPointer { unsafe aes_encrypt($0.baseAddress, halves) }
        return UInt128(encrypted.high) << 64 | UInt128(encrypted.low)
    }

    func encryptInSoftware(_ block: UInt128) -> UInt128 {
        let key = schedule.span
        var (a, b, c, d) = Self.columns(block)
        for round in 0..<9 {
            (a, b, c, d) = (a ^ key[4 * round], b ^ key[4 * round + 1], c ^ key[4 * round + 2], d ^ key[4 * round + 3])
            (a, b, c, d) = (
                Self.mixed(Self.substituted(a, b, c, d)), Self.mixed(Self.substituted(b, c, d, a)),
                Self.mixed(Self.substituted(c, d, a, b)), Self.mixed(Self.substituted(d, a, b, c))
            )
        }
        (a, b, c, d) = (a ^ key[36], b ^ key[37], c ^ key[38], d ^ key[39])
        (a, b, c, d) = (
            Self.substituted(a, b, c, d) ^ key[40], Self.substituted(b, c, d, a) ^ key[41],
            Self.substituted(c, d, a, b) ^ key[42], Self.substituted(d, a, b, c) ^ key[43]
        )
        return UInt128(a) << 96 | UInt128(b) << 64 | UInt128(c) << 32 | UInt128(d)
    }

    /// Section 5.3. Octet by octet for SubBytes: messages that are decrypted are few.
    package func decrypt(_ block: UInt128) -> UInt128 {
        func roundKey(_ round: Int) -> UInt128 {
            (0..<4).reduce(0) { $0 << 32 | UInt128(schedule[4 * round + $1]) }
        }
        var state = block ^ roundKey(10)
        for round in (0..<10).reversed() {
            state = Self.unsubstituted(state) ^ roundKey(round)
            if round > 0 { state = Self.unmixed(state) }
        }
        return state
    }

    /// InvShiftRows and InvSubBytes: each row goes to the right by its number.
    private static func unsubstituted(_ state: UInt128) -> UInt128 {
        (0..<16).reduce(0) { result, place in
            let (column, row) = (place / 4, place % 4)
            let from = (column + 4 - row) % 4 * 4 + row
            return result << 8 | UInt128(inverseBox[Int(UInt8(truncatingIfNeeded: state >> UInt128(120 - 8 * from)))])
        }
    }

    /// InvMixColumns is MixColumns after a column that has four times the octet two further added to five times itself.
    private static func unmixed(_ state: UInt128) -> UInt128 {
        let (a, b, c, d) = columns(state)
        return [a, b, c, d].reduce(0) { result, column in
            let opposite = column ^ (column << 16 | column >> 16)
            return result << 32 | UInt128(mixed(column ^ doubled(doubled(opposite))))
        }
    }

    private static let inverseBox: [UInt8] = {
        var box = [UInt8](repeating: 0, count: 256)
        for octet in UInt8.min...UInt8.max { box[Int(sBox[Int(octet)])] = octet }
        return box
    }()

    @inline(__always)
    private static func columns(_ block: UInt128) -> (UInt32, UInt32, UInt32, UInt32) {
        (
            UInt32(truncatingIfNeeded: block >> 96), UInt32(truncatingIfNeeded: block >> 64),
            UInt32(truncatingIfNeeded: block >> 32), UInt32(truncatingIfNeeded: block)
        )
    }

    /// SubBytes and ShiftRows: the new column takes each of its octets from another one, the first from `a`.
    @inline(__always)
    private static func substituted(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> UInt32 {
        UInt32(sBox[Int(a >> 24)]) << 24 | UInt32(sBox[Int(b >> 16 & 0xFF)]) << 16
            | UInt32(sBox[Int(c >> 8 & 0xFF)]) << 8 | UInt32(sBox[Int(d & 0xFF)])
    }

    /// MixColumns: of each octet twice itself, three times the next one, and the two after that.
    @inline(__always)
    private static func mixed(_ column: UInt32) -> UInt32 {
        let next = column << 8 | column >> 24
        return doubled(column ^ next) ^ next ^ (column << 16 | column >> 16) ^ (column << 24 | column >> 8)
    }

    /// Four octets, each as a polynomial times x, modulo x⁸ + x⁴ + x³ + x + 1. Section 4.2.1.
    @inline(__always)
    private static func doubled(_ octets: UInt32) -> UInt32 {
        (octets & 0x7F7F_7F7F) << 1 ^ (octets >> 7 & 0x0101_0101) &* 0x1B
    }

    /// Section 5.1.1, Figure 7.
    static let sBox: InlineArray<256, UInt8> = [
        0x63, 0x7C, 0x77, 0x7B, 0xF2, 0x6B, 0x6F, 0xC5, 0x30, 0x01, 0x67, 0x2B, 0xFE, 0xD7, 0xAB, 0x76,
        0xCA, 0x82, 0xC9, 0x7D, 0xFA, 0x59, 0x47, 0xF0, 0xAD, 0xD4, 0xA2, 0xAF, 0x9C, 0xA4, 0x72, 0xC0,
        0xB7, 0xFD, 0x93, 0x26, 0x36, 0x3F, 0xF7, 0xCC, 0x34, 0xA5, 0xE5, 0xF1, 0x71, 0xD8, 0x31, 0x15,
        0x04, 0xC7, 0x23, 0xC3, 0x18, 0x96, 0x05, 0x9A, 0x07, 0x12, 0x80, 0xE2, 0xEB, 0x27, 0xB2, 0x75,
        0x09, 0x83, 0x2C, 0x1A, 0x1B, 0x6E, 0x5A, 0xA0, 0x52, 0x3B, 0xD6, 0xB3, 0x29, 0xE3, 0x2F, 0x84,
        0x53, 0xD1, 0x00, 0xED, 0x20, 0xFC, 0xB1, 0x5B, 0x6A, 0xCB, 0xBE, 0x39, 0x4A, 0x4C, 0x58, 0xCF,
        0xD0, 0xEF, 0xAA, 0xFB, 0x43, 0x4D, 0x33, 0x85, 0x45, 0xF9, 0x02, 0x7F, 0x50, 0x3C, 0x9F, 0xA8,
        0x51, 0xA3, 0x40, 0x8F, 0x92, 0x9D, 0x38, 0xF5, 0xBC, 0xB6, 0xDA, 0x21, 0x10, 0xFF, 0xF3, 0xD2,
        0xCD, 0x0C, 0x13, 0xEC, 0x5F, 0x97, 0x44, 0x17, 0xC4, 0xA7, 0x7E, 0x3D, 0x64, 0x5D, 0x19, 0x73,
        0x60, 0x81, 0x4F, 0xDC, 0x22, 0x2A, 0x90, 0x88, 0x46, 0xEE, 0xB8, 0x14, 0xDE, 0x5E, 0x0B, 0xDB,
        0xE0, 0x32, 0x3A, 0x0A, 0x49, 0x06, 0x24, 0x5C, 0xC2, 0xD3, 0xAC, 0x62, 0x91, 0x95, 0xE4, 0x79,
        0xE7, 0xC8, 0x37, 0x6D, 0x8D, 0xD5, 0x4E, 0xA9, 0x6C, 0x56, 0xF4, 0xEA, 0x65, 0x7A, 0xAE, 0x08,
        0xBA, 0x78, 0x25, 0x2E, 0x1C, 0xA6, 0xB4, 0xC6, 0xE8, 0xDD, 0x74, 0x1F, 0x4B, 0xBD, 0x8B, 0x8A,
        0x70, 0x3E, 0xB5, 0x66, 0x48, 0x03, 0xF6, 0x0E, 0x61, 0x35, 0x57, 0xB9, 0x86, 0xC1, 0x1D, 0x9E,
        0xE1, 0xF8, 0x98, 0x11, 0x69, 0xD9, 0x8E, 0x94, 0x9B, 0x1E, 0x87, 0xE9, 0xCE, 0x55, 0x28, 0xDF,
        0x8C, 0xA1, 0x89, 0x0D, 0xBF, 0xE6, 0x42, 0x68, 0x41, 0x99, 0x2D, 0x0F, 0xB0, 0x54, 0xBB, 0x16,
    ]
}
