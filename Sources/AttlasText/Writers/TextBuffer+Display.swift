import AttlasWire

// A device's name goes to the engineer's terminal: nothing in it may steer that.

extension TextBuffer {
    /// Text for a terminal: control characters, changes of the writing direction, and invisible characters are escaped. So are the prefixes
    /// of commands in the log of a job: `::` as on GitHub, and `##` as on Azure.
    public mutating func append(display text: String) {
        // Almost every name.
        if append(plain: text, except: (UInt8(ascii: ":"), UInt8(ascii: "#"))) { return }
        append(display: Bytes(text.utf8.span))
    }

    /// The same for UTF-8 from the air; invalid UTF-8 becomes U+FFFD.
    public mutating func append(display bytes: Bytes) {
        var offset = 0
        while offset < bytes.count {
            // Nearly all of it.
            if 0x20...0x7E ~= bytes[offset] {
                if Self.isJobCommand(bytes, at: offset) {
                    append(escaped: Unicode.Scalar(bytes[offset]))
                } else {
                    append(byte: bytes[offset])
                }
                offset += 1
                continue
            }
            let (scalar, length) = UTF8Decoding.scalar(bytes, at: offset)
            append(displayScalar: scalar ?? "\u{FFFD}")
            offset += length
        }
    }

    /// Whether it is the second of `##`, or of `::` that may begin a line.
    private static func isJobCommand(_ bytes: borrowing Bytes, at offset: Int) -> Bool {
        let octet = bytes[offset]
        guard octet == UInt8(ascii: ":") || octet == UInt8(ascii: "#"), offset > 0, bytes[offset - 1] == octet else {
            return false
        }
        return octet == UInt8(ascii: "#") || offset == 1 || bytes[offset - 2] == UInt8(ascii: " ")
    }

    /// Upper-case hexadecimal with a space between octets, as a person reads it.
    public mutating func append(spacedHexOf bytes: Bytes) {
        append(hexOf: bytes, uppercase: true, separator: UInt8(ascii: " "))
    }

    private mutating func append(displayScalar scalar: Unicode.Scalar) {
        switch scalar {
        case " "..."~": append(byte: UInt8(scalar.value))
        case "\0": append("\\0")
        case "\n": append("\\n")
        case "\r": append("\\r")
        case "\t": append("\\t")
        case _ where scalar.steersDisplay: append(escaped: scalar)
        default: append(scalar: scalar)
        }
    }

    private mutating func append(escaped scalar: Unicode.Scalar) {
        append("\\u{")
        append(string: String(scalar.value, radix: 16, uppercase: true))
        append("}")
    }
}

extension Unicode.Scalar {
    /// Controls, line and paragraph separators, and invisible characters, which change how the rest looks, or make two names look the same.
    /// Variation selectors of emoji stay.
    var steersDisplay: Bool {
        switch self {
        case " "..."~": false
        case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}"..."\u{202E}", "\u{FFF9}"..."\u{FFFB}": true
        case "\u{FE00}"..."\u{FE0F}": false
        // Latin letters, and punctuation: of them the property need not be looked up.
        case "\u{AE}"..."\u{2FF}", "\u{2010}"..."\u{2027}": false
        default: properties.isDefaultIgnorableCodePoint
        }
    }
}

/// Every document's name for a peer without a name and without an address.
public let unknownPeer = "Unknown peer"

extension TextBuffer {
    /// `HRM-7 F2:F2:F2:F2:F2:F2`, or the known part of it.
    public mutating func append(name: String?, _ address: BluetoothAddress?) {
        if let name { append(display: name) }
        if name != nil, address != nil { append(" ") }
        if let address { append(address) }
        if name == nil, address == nil { append(string: unknownPeer) }
    }
}
