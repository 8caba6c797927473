/// RFC 4648, section 4, with white space anywhere.
package struct Base64Decoder {
    package private(set) var octets: [UInt8] = []
    private var bits: UInt32 = 0
    private var bitCount = 0

    package init() {}

    /// False when the octet is not in base64's alphabet.
    package mutating func take(_ octet: UInt8) -> Bool {
        let value: UInt8
        switch octet {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = octet - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): value = octet - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): value = octet - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): value = 62
        case UInt8(ascii: "/"): value = 63
        case UInt8(ascii: "="), 0x09...0x0D, 0x20: return true
        default: return false
        }
        bits = bits << 6 | UInt32(value)
        bitCount += 6
        if bitCount >= 8 {
            bitCount -= 8
            octets.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
        }
        return true
    }
}
