import AttlasWire

extension TextBuffer {
    /// A JSON string with its quotes.
    public mutating func append(jsonString text: String) {
        append("\"")
        // Almost every name.
        if !append(plain: text, except: (UInt8(ascii: "\""), UInt8(ascii: "\\"))) {
            for scalar in text.unicodeScalars { append(jsonScalar: scalar) }
        }
        append("\"")
    }

    /// UTF-8 from the air as a JSON string with its quotes; invalid UTF-8 becomes U+FFFD.
    public mutating func append(jsonString bytes: Bytes) {
        append("\"")
        var offset = 0
        while offset < bytes.count {
            if bytes[offset] < 0x80 {
                append(jsonScalar: Unicode.Scalar(bytes[offset]))
                offset += 1
                continue
            }
            let (scalar, length) = UTF8Decoding.scalar(bytes, at: offset)
            append(jsonScalar: scalar ?? "\u{FFFD}")
            offset += length
        }
        append("\"")
    }

    private mutating func append(jsonScalar scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": append("\\\"")
        case "\\": append("\\\\")
        case "\n": append("\\n")
        case "\r": append("\\r")
        case "\t": append("\\t")
        // A terminal may print the line.
        case _ where scalar.steersDisplay:
            for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                append("\\u")
                append(hex: unit, digits: 4)
            }
        default: append(scalar: scalar)
        }
    }

    mutating func append(scalar: Unicode.Scalar) {
        if scalar.isASCII { return append(byte: UInt8(scalar.value)) }
        for octet in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { append(byte: octet) }
    }
}
