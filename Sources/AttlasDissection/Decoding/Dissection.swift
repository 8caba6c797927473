/// The result of reading one field of a value.
///
/// Records are in preorder: a structure, then its fields one `depth` deeper, then the fields after it. A repeated field has a record for
/// each occurrence.
public struct DissectedField: BitwiseCopyable, Sendable {
    /// Index into `Dissector.fields`, or `unexplainedOctets`.
    public var field: UInt16
    /// Number of structures around it.
    public var depth: UInt8
    /// `none` for an ordinary number.
    public var special: SpecialValue
    /// A bit is set that the definition does not name.
    public var hasReservedBits: Bool
    /// The number does not match the checksum of the octets that it covers.
    public var hasWrongCheck: Bool
    /// The number is not in the range that its definition permits.
    public var isOutOfRange: Bool
    /// Where the field begins in its first octet; not 0 only for fields that share octets. For a decimal number in text, the number of its
    /// digits after the point.
    public var bitOffset: UInt8
    /// Octets from the start of the value, and how many; of a structure, all its fields.
    public var offset: Int32
    /// Number of octets; of a structure, all its fields.
    public var length: Int32
    /// The integer before scaling, sign-extended when the type has a sign; for floating-point types the octets as an
    /// integer. 0 for types that are shown from their octets.
    public var raw: Int64

    /// Octets at the end of a structure that its definition does not explain.
    public static let unexplainedOctets: UInt16 = .max

    /// Octets of the field within the value.
    public var range: Range<Int> { Int(offset)..<Int(offset) + Int(length) }
}

/// The reason why a value could not be read to its end. The fields before were read.
public struct DissectionFault: Hashable, Sendable {
    /// Kind of fault.
    public enum Reason: UInt8, Sendable {
        case truncated, uuidLength, size, fieldLimit, varintLength

        /// The reason as a phrase.
        public var text: StaticString {
            switch self {
            case .truncated: "the value ends within the field"
            case .uuidLength: "a UUID has 2, 4 or 16 octets"
            case .size: "the size of the field cannot be computed"
            case .varintLength: "a number has at most 10 octets"
            case .fieldLimit: "the value has more than 8192 fields"
            }
        }
    }

    /// Kind of fault.
    public var reason: Reason
    /// Index into `Dissector.fields`: the field that is not complete.
    public var field: Int
    /// That field's depth, as in a record.
    public var depth: Int
    /// Where that field begins.
    public var offset: Int
    /// The needed number of octets of the value, and the available number.
    public var need: Int
    /// Octets that the value has.
    public var have: Int
}

/// The fields of one value, in a buffer that every value uses again: once it has grown, nothing is allocated.
public struct Dissection: Sendable {
    /// The number of records.
    public internal(set) var count = 0
    /// nil if the value was read to its end.
    public internal(set) var fault: DissectionFault?
    /// Octets after the last field, which the definition does not explain. Empty after a fault.
    public internal(set) var unexplained: Range<Int> = 0..<0
    /// A field of flags has a bit set that its definition does not name.
    public internal(set) var hasReservedBits = false
    /// A CRC or another checksum is wrong.
    public internal(set) var hasWrongCheck = false
    /// A number is not in the range that its definition permits.
    public internal(set) var hasOutOfRange = false
    /// The octets have the format: none is missing, left, or has a bit that the definition does not name.
    public var fits: Bool { fault == nil && unexplained.isEmpty && !hasReservedBits }
    /// The next value's context, in the order of `Dissector.context`; nil for an unknown number. Empty: all are unknown.
    public var context: [Int64?] = []
    /// The layout that was used: operations differ. Index into the dissector's programs.
    var program = 0
    /// That of the case that was read, from 1; 0: none.
    var caseSummary = 0
    /// Room for records; those from `count` on are left over from other values.
    var records: [DissectedField]
    var registers: [Int64] = []
    var frames: [Frame]

    /// A structure or a loop that is being read.
    struct Frame: BitwiseCopyable, Sendable {
        /// The structure's record; -1 of a loop.
        var record: Int
        /// The end of the octets of the enclosing structure.
        var outerEnd: Int
        /// Where it began; of a loop, the current round.
        var start: Int
        /// Rounds of a loop still to come; `Int.max` to the end.
        var remaining: Int
        /// The structure contains its own length.
        var isSized: Bool
    }

    /// No fields yet. Use it again for the next value.
    public init() {
        records = [DissectedField](repeating: .none, count: 32)
        // Each level may be a loop and a structure.
        frames = [Frame](
            repeating: Frame(record: -1, outerEnd: 0, start: 0, remaining: 0, isSized: false),
            count: Compiler.depthLimit * 2 + 2)
    }

    /// The record at `index`, below `count`.
    public subscript(index: Int) -> DissectedField {
        precondition(index < count, "no such record")
        return records[index]
    }

    @inline(__always)
    mutating func reset(registerCount: Int) {
        // A field that is not read is 0 in expressions.
        if registers.count < registerCount {
            registers = [Int64](repeating: 0, count: registerCount)
        } else {
            var span = registers.mutableSpan
            for index in 0..<registerCount { span[index] = 0 }
        }
    }
}

extension DissectedField {
    static let none = DissectedField(
        field: 0, depth: 0, special: .none, hasReservedBits: false, hasWrongCheck: false, isOutOfRange: false,
        bitOffset: 0,
        offset: 0, length: 0, raw: 0)
}
