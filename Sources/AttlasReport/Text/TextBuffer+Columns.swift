import AttlasWire

/// How wide a text is on a terminal: most characters take one column, those of East Asian scripts and emoji two, combining
/// marks none.
extension TextBuffer {
    var columns: Int {
        var columns = 0
        var previous: UInt8 = 0
        for byte in bytes {
            // Almost every text ends this loop.
            if byte >= 0x80, Self.mayBeWide(byte, after: previous) { return measuredColumns }
            if byte & 0xC0 != 0x80 { columns += 1 }
            previous = byte
        }
        return columns
    }

    /// Whether this octet, after the one before, may be part of a character that does not take one column. What outputs
    /// themselves draw with is in a few rows of General Punctuation, Arrows, Mathematical Operators, Box Drawing and Block
    /// Elements, and in Latin-1.
    private static func mayBeWide(_ byte: UInt8, after previous: UInt8) -> Bool {
        switch byte {
        case 0xC2...0xCB, 0xE2: false
        case 0xC0...: true
        default: previous == 0xE2 && ![0x80, 0x86, 0x87, 0x89, 0x94, 0x95, 0x96].contains(byte)
        }
    }

    private var measuredColumns: Int {
        var columns = 0
        Self.forEachScalar(of: bytes) { _, width in
            columns += width
            return true
        }
        return columns
    }

    /// As much of `piece` as `limit` columns have room for.
    ///
    /// - Returns: how many columns it takes.
    mutating func append(_ piece: TextBuffer, columns limit: Int) -> Int {
        var columns = 0
        var end = 0
        Self.forEachScalar(of: piece.bytes) { length, width in
            guard columns + width <= limit else { return false }
            columns += width
            end += length
            return true
        }
        append(contentsOf: Array(piece.bytes.prefix(end)))
        return columns
    }

    /// Calls `body` with the octets and the columns of each character, as long as it returns true.
    private static func forEachScalar(of text: ArraySlice<UInt8>, _ body: (_ length: Int, _ width: Int) -> Bool) {
        let octets = Bytes(text.span)
        var offset = 0
        while offset < octets.count {
            let (scalar, length) = UTF8Decoding.scalar(octets, at: offset)
            let width = scalar.map { max(0, CharacterWidth.width(of: $0)) } ?? 1
            guard body(length, width) else { return }
            offset += length
        }
    }
}
