/// A table of FlatBuffers, as it is written. https://flatbuffers.dev/internals
///
/// Implements only what Arrow's messages need: no table is read, and nothing is shared.
struct FlatTable {
    enum Value {
        case bool(Bool)
        case byte(UInt8)
        case short(Int16)
        case int(Int32)
        case long(Int64)
        case text(String)
        case table(FlatTable)
        case tables([FlatTable])
        /// Structures of two 64-bit integers.
        case pairs([(Int64, Int64)])
    }

    /// Values by the number of the field; nil for one that has its default.
    let fields: [Value?]

    init(_ fields: Value?...) {
        self.fields = fields
    }

    /// A buffer with this table as its root.
    func encoded() -> [UInt8] {
        var buffer = FlatBuffer()
        let root = buffer.reserveOffset()
        buffer.append(self, from: root)
        return buffer.octets
    }
}

/// A referenced object follows its reference, because offsets are not negative; a table of the places of fields before its table.
private struct FlatBuffer {
    private(set) var octets: [UInt8] = []

    mutating func reserveOffset() -> Int {
        align(to: 4)
        append(UInt32(0))
        return octets.count - 4
    }

    /// - Parameter reference: the place of the offset to the table.
    mutating func append(_ table: FlatTable, from reference: Int) {
        // Where each field is in the table, after the offset to the table of places. The largest come first, so that each is aligned.
        var places = [UInt16](repeating: 0, count: table.fields.count)
        var size = 4
        var hasLong = false
        for width in [8, 4, 2, 1] {
            for (index, field) in table.fields.enumerated() where field?.width == width {
                if width == 8, !hasLong {
                    // The table begins where 8 octets do, and its first four are the offset.
                    hasLong = true
                    size = 8
                }
                places[index] = UInt16(size)
                size += width
            }
        }
        align(to: 2)
        let placesStart = octets.count
        append(UInt16(4 + 2 * places.count))
        append(UInt16(size))
        for place in places { append(place) }
        align(to: hasLong ? 8 : 4)
        let start = octets.count
        append(UInt32(start - placesStart))
        octets.append(contentsOf: repeatElement(0, count: size - 4))
        patch(reference, to: start)
        for (field, place) in zip(table.fields, places) {
            if let field { write(field, at: start + Int(place)) }
        }
    }

    private mutating func write(_ field: FlatTable.Value, at place: Int) {
        switch field {
        case .bool(let value): set(UInt8(value ? 1 : 0), at: place)
        case .byte(let value): set(value, at: place)
        case .short(let value): set(value, at: place)
        case .int(let value): set(value, at: place)
        case .long(let value): set(value, at: place)
        case .table(let table): append(table, from: place)
        case .text(let text):
            let start = beginVector(text.utf8.count, from: place)
            octets.append(contentsOf: text.utf8)
            octets.append(0)
            patch(place, to: start)
        case .tables(let tables):
            patch(place, to: beginVector(tables.count, from: place))
            let first = octets.count
            octets.append(contentsOf: repeatElement(0, count: 4 * tables.count))
            for (index, table) in tables.enumerated() { append(table, from: first + 4 * index) }
        case .pairs(let pairs):
            // The elements begin where 8 octets do; before them is their number.
            while octets.count % 8 != 4 { octets.append(0) }
            patch(place, to: beginVector(pairs.count, from: place))
            for (first, second) in pairs {
                append(first)
                append(second)
            }
        }
    }

    /// - Returns: its place.
    private mutating func beginVector(_ count: Int, from reference: Int) -> Int {
        align(to: 4)
        append(UInt32(count))
        return octets.count - 4
    }

    private mutating func align(to width: Int) {
        while octets.count % width != 0 { octets.append(0) }
    }

    private mutating func patch(_ reference: Int, to place: Int) { set(UInt32(place - reference), at: reference) }

    private mutating func append(_ value: some FixedWidthInteger) {
        octets.append(littleEndian: value)
    }

    private mutating func set(_ value: some FixedWidthInteger, at place: Int) {
        octets.replace(at: place, littleEndian: value)
    }
}

extension FlatTable.Value {
    fileprivate var width: Int {
        switch self {
        case .bool, .byte: 1
        case .short: 2
        case .int, .text, .table, .tables, .pairs: 4
        case .long: 8
        }
    }
}
