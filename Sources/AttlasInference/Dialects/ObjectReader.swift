/// Reads formats of nested objects, and notes their structure: kinds, sizes and numbers of fields, without contents.
struct ObjectReader {
    private var rest: ArraySlice<UInt8>
    private var structure: [UInt8] = []
    private var depth = 0

    private static let deepest = 16

    /// nil unless the message is one whole object.
    static func structure(_ message: ArraySlice<UInt8>, _ read: (inout ObjectReader) -> Bool) -> [UInt8]? {
        var reader = ObjectReader(rest: message)
        guard message.count >= 2, read(&reader), reader.rest.isEmpty else { return nil }
        return reader.structure
    }

    private mutating func skip(_ count: Int) -> Bool {
        guard count >= 0, count <= rest.count else { return false }
        rest = rest.dropFirst(count)
        return true
    }

    private mutating func number(_ octets: Int) -> Int? {
        guard rest.count >= octets else { return nil }
        let number = rest.prefix(octets).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        rest = rest.dropFirst(octets)
        return Int(exactly: number)
    }

    private mutating func skipText(_ count: Int) -> Bool {
        guard count <= rest.count, String(validating: rest.prefix(max(0, count)), as: UTF8.self) != nil else {
            return false
        }
        return skip(count)
    }

    private mutating func nested(_ count: Int, _ read: (inout ObjectReader) -> Bool) -> Bool {
        guard depth < Self.deepest, count <= rest.count else { return false }
        depth += 1
        defer { depth -= 1 }
        for _ in 0..<count { guard read(&self) else { return false } }
        return true
    }

    // MARK: CBOR (RFC 8949)

    /// A map or an array.
    mutating func readCBOR() -> Bool {
        guard let first = rest.first, first >> 5 == 4 || first >> 5 == 5 else { return false }
        return readCBORItem()
    }

    private mutating func readCBORItem() -> Bool {
        guard let first = rest.popFirst() else { return false }
        structure.append(first >> 5 < 2 ? first & 0xE0 : first)
        let (kind, extra) = (first >> 5, first & 0x1F)
        if kind == 7 { return extra >= 20 && extra <= 23 || 25...27 ~= extra && skip(1 << (Int(extra) - 24)) }
        if extra == 31 {
            guard kind == 4 || kind == 5, depth < Self.deepest else { return false }
            depth += 1
            defer { depth -= 1 }
            while let next = rest.first {
                if next == 0xFF { return skip(1) }
                guard readCBORItem() && (kind == 4 || readCBORItem()) else { return false }
            }
            return false
        }
        guard let count = extra < 24 ? Int(extra) : extra < 28 ? number(1 << (Int(extra) - 24)) : nil else {
            return false
        }
        switch kind {
        case 0, 1: return true
        case 2: return skip(count)
        case 3: return skipText(count)
        case 4: return nested(count) { $0.readCBORItem() }
        case 5: return nested(count) { $0.readCBORItem() && $0.readCBORItem() }
        default: return nested(1) { $0.readCBORItem() }
        }
    }

    // MARK: MessagePack

    /// A map or an array.
    mutating func readMessagePack() -> Bool {
        guard let first = rest.first, 0x80...0x9F ~= first || 0xDC...0xDF ~= first else { return false }
        return readMessagePackItem()
    }

    private mutating func readMessagePackItem() -> Bool {
        guard let first = rest.popFirst() else { return false }
        structure.append(first < 0x80 || first >= 0xE0 ? 0 : first)
        func pairs(_ reader: inout ObjectReader) -> Bool {
            reader.readMessagePackItem() && reader.readMessagePackItem()
        }
        switch first {
        case 0x00...0x7F, 0xE0...0xFF, 0xC0, 0xC2, 0xC3: return true
        case 0x80...0x8F: return nested(Int(first & 0xF), pairs)
        case 0x90...0x9F: return nested(Int(first & 0xF)) { $0.readMessagePackItem() }
        case 0xA0...0xBF: return skipText(Int(first & 0x1F))
        case 0xC4...0xC6: return number(1 << (Int(first) - 0xC4)).map { skip($0) } ?? false
        case 0xC7...0xC9: return number(1 << (Int(first) - 0xC7)).map { skip($0 + 1) } ?? false
        case 0xCA, 0xCB: return skip(first == 0xCA ? 4 : 8)
        case 0xCC...0xCF: return skip(1 << (Int(first) - 0xCC))
        case 0xD0...0xD3: return skip(1 << (Int(first) - 0xD0))
        case 0xD4...0xD8: return skip(1 << (Int(first) - 0xD4) + 1)
        case 0xD9...0xDB: return number(1 << (Int(first) - 0xD9)).map { skipText($0) } ?? false
        case 0xDC, 0xDD:
            return number(first == 0xDC ? 2 : 4).map { count in nested(count) { $0.readMessagePackItem() } } ?? false
        case 0xDE, 0xDF: return number(first == 0xDE ? 2 : 4).map { nested($0, pairs) } ?? false
        default: return false
        }
    }

    // MARK: Protocol Buffers

    /// Fields with numbers from 1 to 63, of which several are different.
    mutating func readProtobuf() -> Bool {
        var numbers: Set<UInt64> = []
        while !rest.isEmpty {
            guard let tag = varint(), 1...63 ~= tag >> 3 else { return false }
            numbers.insert(tag >> 3)
            structure.append(UInt8(truncatingIfNeeded: tag))
            switch tag & 7 {
            case 0: guard varint() != nil else { return false }
            case 1: guard skip(8) else { return false }
            case 2:
                guard let count = varint(), let count = Int(exactly: count), skip(count) else { return false }
                structure.append(UInt8(truncatingIfNeeded: count))
            case 5: guard skip(4) else { return false }
            default: return false
            }
        }
        return numbers.count >= 2
    }

    private mutating func varint() -> UInt64? {
        var number: UInt64 = 0
        for index in 0..<9 {
            guard let octet = rest.popFirst() else { return nil }
            number |= UInt64(octet & 0x7F) << UInt64(7 * index)
            // The last octet of a longer number is not 0.
            if octet < 0x80 { return index > 0 && octet == 0 ? nil : number }
        }
        return nil
    }
}
