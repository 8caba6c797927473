import AttlasText
import AttlasWire

/// A column of one of the tables.
package struct TableColumn: Sendable {
    package enum Kind: String, Sendable {
        case integer, real, boolean, text, octets
        /// A text of a few that many rows share.
        case word
        /// Nanoseconds since 1970-01-01 UTC.
        case time
        /// Nanoseconds.
        case duration
    }

    package let name: String
    package let kind: Kind
    /// Whether a row may have nothing here.
    package let isOptional: Bool
    /// nil for counts, names and codes.
    package let unit: String?
    package let meaning: String

    private init(_ name: String, _ kind: Kind, isOptional: Bool, unit: String?, _ meaning: String) {
        self.name = name
        self.kind = kind
        self.isOptional = isOptional
        self.unit = unit
        self.meaning = meaning
    }

    static func always(_ name: String, _ kind: Kind, unit: String? = nil, _ meaning: String) -> TableColumn {
        TableColumn(name, kind, isOptional: false, unit: unit, meaning)
    }

    static func maybe(_ name: String, _ kind: Kind, unit: String? = nil, _ meaning: String) -> TableColumn {
        TableColumn(name, kind, isOptional: true, unit: unit, meaning)
    }
}

/// Where the rows of tables go: a database, a stream of columns.
///
/// A row is begun, gets one value for each column of its table, in their order, and is ended.
public protocol TableSink: SendableMetatype {
    /// Whether it takes the rows of this table; if not, they are not made.
    func wants(_ table: Table) -> Bool
    mutating func begin(_ table: Table)
    /// Adds an integer, a time or a duration.
    mutating func add(_ number: Int64)
    mutating func add(_ number: Double)
    mutating func add(_ isTrue: Bool)
    /// UTF-8 without characters that steer a terminal.
    mutating func add(text: borrowing TextBuffer)
    mutating func add(octets: Bytes)
    mutating func addNull()
    /// A word that was added to this column with this number before.
    ///
    /// - Returns: false if the sink does not know it any more; then its text comes again.
    mutating func add(known number: Int) -> Bool
    /// A word, and the number with which it comes again. Several numbers may have one text.
    mutating func add(text: borrowing TextBuffer, as number: Int)
    mutating func end()
    /// All rows of the capture were written.
    mutating func finish()
}

extension TableSink {
    /// Nothing to do.
    public mutating func finish() {}
    /// Always false: the sink keeps no words.
    public mutating func add(known number: Int) -> Bool { false }
    /// Adds the text without its number.
    public mutating func add(text: borrowing TextBuffer, as number: Int) { add(text: text) }
}
