import AttlasTables

/// The messages of Arrow's streaming format, but for the bodies of batches.
/// https://arrow.apache.org/docs/format/Columnar.html#serialization-and-interprocess-communication-ipc
///
/// The numbers of fields, of the members of unions and of enumerations are those in Arrow's Message.fbs and Schema.fbs.
enum ArrowMessage {
    /// The start of each message; alone with a length of 0, the end of the stream.
    private static let mark = [UInt8](repeating: 0xFF, count: 4)
    static let end = mark + [0, 0, 0, 0]

    private enum Header: UInt8 {
        case schema = 1
        case dictionary = 2
        case batch = 3
    }

    static func schema(_ table: Table) -> [UInt8] {
        let fields = table.columns.enumerated().map { field($1, dictionary: $0) }
        #if _endian(little)
            let order: Int16 = 0
        #else
            let order: Int16 = 1
        #endif
        return message(.schema, FlatTable(.short(order), .tables(fields)), bodyLength: 0)
    }

    /// The words of the column with this number. They take the place of those before.
    static func dictionary(_ number: Int, _ body: BodyLayout) -> [UInt8] {
        message(
            .dictionary, FlatTable(.long(Int64(number)), .table(batch(body)), .bool(false)), bodyLength: body.length)
    }

    static func rows(_ body: BodyLayout) -> [UInt8] { message(.batch, batch(body), bodyLength: body.length) }

    private static func batch(_ body: BodyLayout) -> FlatTable {
        FlatTable(.long(Int64(body.rows)), .pairs(body.nodes), .pairs(body.buffers))
    }

    private static func message(_ header: Header, _ content: FlatTable, bodyLength: Int) -> [UInt8] {
        let version: Int16 = 4  // V5
        let octets = FlatTable(.short(version), .byte(header.rawValue), .table(content), .long(Int64(bodyLength)))
            .encoded()
        let padding = BodyLayout.padding(octets.count)
        let length = UInt32(octets.count + padding)
        return mark + (0..<4).map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) } + octets
            + [UInt8](repeating: 0, count: padding)
    }

    // MARK: Columns

    private static func field(_ column: TableColumn, dictionary number: Int) -> FlatTable {
        let (type, content) = type(column.kind)
        var dictionary: FlatTable?
        if column.kind == .word {
            dictionary = FlatTable(.long(Int64(number)), .table(integer(bits: 32)), .bool(false))
        }
        let unit = column.unit.map { FlatTable(.text("unit"), .text($0)) }
        return FlatTable(
            .text(column.name), .bool(column.isOptional), .byte(type), .table(content), dictionary.map { .table($0) },
            .tables([]), unit.map { .tables([$0]) })
    }

    /// The member of the union Type, and its table.
    private static func type(_ kind: TableColumn.Kind) -> (UInt8, FlatTable) {
        let nanoseconds: Int16 = 3
        let double: Int16 = 2
        return switch kind {
        case .integer: (2, integer(bits: 64))
        case .real: (3, FlatTable(.short(double)))
        case .octets: (4, FlatTable())
        // A word has the type of its dictionary's entries.
        case .text, .word: (5, FlatTable())
        case .boolean: (6, FlatTable())
        case .time: (10, FlatTable(.short(nanoseconds), .text("UTC")))
        case .duration: (18, FlatTable(.short(nanoseconds)))
        }
    }

    private static func integer(bits: Int32) -> FlatTable { FlatTable(.int(bits), .bool(true)) }
}

/// Where the buffers of some columns lie in the body of their message.
struct BodyLayout {
    let rows: Int
    /// For each column: its number of rows, and of empty cells.
    private(set) var nodes: [(Int64, Int64)] = []
    /// For each buffer: its offset and its length in octets.
    private(set) var buffers: [(Int64, Int64)] = []
    private(set) var length = 0

    init(rows: Int) {
        self.rows = rows
    }

    mutating func addColumn(missing: Int) { nodes.append((Int64(rows), Int64(missing))) }

    mutating func addBuffer(_ octets: Int) {
        buffers.append((Int64(length), Int64(octets)))
        length += octets + Self.padding(octets)
    }

    /// A buffer, and a message, begins where eight octets do.
    static func padding(_ octets: Int) -> Int { -octets & 7 }
}
