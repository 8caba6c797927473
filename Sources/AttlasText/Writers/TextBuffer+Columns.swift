import AttlasWire

/// How wide a text is on a terminal: most characters take one column, those of East Asian scripts and emoji two, combining
/// marks none.
extension TextBuffer {
    package var columns: Int {
        let (count, mayBeWide) = characters()
        return mayBeWide ? measuredColumns : count
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
            // Nearly all text.
            if 0x20...0x7E ~= octets[offset] {
                guard body(1, 1) else { return }
                offset += 1
                continue
            }
            let (scalar, length) = UTF8Decoding.scalar(octets, at: offset)
            let width = scalar.map { max(0, CharacterWidth.width(of: $0)) } ?? 1
            guard body(length, width) else { return }
            offset += length
        }
    }
}
