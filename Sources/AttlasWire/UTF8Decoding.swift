/// Reads Unicode scalars from octets that may be anything.
package enum UTF8Decoding {
    /// The scalar at `offset` and its length; nil and how many octets to step over when there is none.
    package static func scalar(_ bytes: Bytes, at offset: Int) -> (scalar: Unicode.Scalar?, length: Int) {
        let first = bytes[offset]
        if first < 0x80 { return (Unicode.Scalar(first), 1) }
        // The first continuation octet has a narrower range where overlong forms and surrogates would begin.
        let length: Int
        var value: UInt32
        var low: UInt8 = 0x80
        var high: UInt8 = 0xBF
        switch first {
        case 0xC2...0xDF: (length, value) = (2, UInt32(first & 0x1F))
        case 0xE0...0xEF:
            (length, value) = (3, UInt32(first & 0x0F))
            if first == 0xE0 { low = 0xA0 }
            if first == 0xED { high = 0x9F }
        case 0xF0...0xF4:
            (length, value) = (4, UInt32(first & 0x07))
            if first == 0xF0 { low = 0x90 }
            if first == 0xF4 { high = 0x8F }
        default: return (nil, 1)
        }
        for index in 1..<length {
            guard offset + index < bytes.count, low <= bytes[offset + index], bytes[offset + index] <= high else {
                return (nil, index)
            }
            value = value << 6 | UInt32(bytes[offset + index] & 0x3F)
            (low, high) = (0x80, 0xBF)
        }
        return (Unicode.Scalar(value), length)
    }

    package static func isValid(_ bytes: Bytes) -> Bool {
        var offset = 0
        while offset < bytes.count {
            let (scalar, length) = scalar(bytes, at: offset)
            if scalar == nil { return false }
            offset += length
        }
        return true
    }
}
