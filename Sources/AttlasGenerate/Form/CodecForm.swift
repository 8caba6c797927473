import AttlasDissection
import AttlasWire

/// Codecs as the printers of all languages need them: types with members, and the steps that read and write them.
package struct CodecForm {
    /// The prefix of what is not in a type.
    package let name: CodeName
    package internal(set) var codecs: [Codec] = []
    /// What no code is generated for.
    package internal(set) var refusals: [Refusal] = []

    /// A definition that no code is generated for.
    package struct Refusal: CustomStringConvertible {
        let name: String
        /// Empty for a definition of the library.
        package let path: String
        let position: SourcePosition
        let message: String

        package var description: String {
            let place = path.isEmpty ? "" : "\(path):\(position.line):\(position.column): "
            return "\(place)\(name) cannot be generated: \(message)"
        }
    }
}

/// The codec of one layout.
package struct Codec {
    package let name: CodeName
    package let definition: AttributeDefinition
    package let operations: [AttributeAccess]
    /// The types inside come before their owners; the last is that of the whole value.
    package let records: [CodecRecord]
    let steps: [CodecStep]
    /// The checksums of the whole value.
    let checks: [CodecCheck]
    /// The registers that expressions read.
    let registers: Set<Int>
    package let context: [CodecContext]
    /// Whether written octets have to be read again to find out whether they mean the same.
    let isVerified: Bool

    package var root: CodecRecord { records[records.count - 1] }
    var examples: [Example] { definition.examples.filter { operations.contains($0.operation) } }
}

/// A number of another attribute, which the value keeps.
package struct CodecContext {
    package let member: CodecMember
    let register: Int
    let otherwise: LayoutTree.Expression
}

/// A type: the whole value or a structure in it.
package final class CodecRecord {
    package let name: CodeName
    package internal(set) var members: [CodecMember] = []
    /// Whether it is a part of something repeated.
    let isRepeated: Bool
    var scope: NameScope

    init(name: CodeName, isRepeated: Bool = false) {
        self.name = name
        self.isRepeated = isRepeated
        scope = NameScope(reserved: ["unexplained"])
    }

    package var stored: [CodecMember] { members.filter { !$0.isDerived } }
}

/// A member of a type.
package final class CodecMember {
    package enum Kind {
        /// A number of this many bits; of floating-point types their octets.
        case number(bits: Int, isSigned: Bool)
        case octets
        case record(CodecRecord)
        /// Octets that the definition does not explain.
        case unexplained
        /// Not written: its number follows from other members.
        case computed
        /// A checksum: written as a special value if it has one, or else computed.
        case check(bits: Int)
        case context
    }

    /// How often it occurs.
    package enum Presence { case required, optional, repeated }

    package let name: CodeName
    package let field: FieldDefinition?
    /// Those of the fields in `Dissector.fields`.
    package internal(set) var fieldIndexes: [Int] = []
    package let kind: Kind
    package let presence: Presence
    /// Of the type of its named values or bits.
    var typeName: CodeName?
    /// The names of its labels or bits, in their order, and of the special values.
    var labelNames: [CodeName] = []
    var specialNames: [CodeName] = []
    /// The branches of choices that it is in.
    var branches: [[Int: Int]] = []
    /// Bits that follow from which other members are set.
    package internal(set) var bits: [DerivedBit] = []
    /// Only octets that follow tell whether it is present.
    package internal(set) var isGuessed = false
    /// Computed from the octets of another member, or completely from presence: nothing is stored.
    package internal(set) var isDerived = false

    init(name: CodeName, field: FieldDefinition?, kind: Kind, presence: Presence) {
        self.name = name
        self.field = field
        self.kind = kind
        self.presence = presence
    }

    /// The bits that are not stored.
    package var derivedMask: UInt64 { bits.reduce(0) { $1.isStored ? $0 : $0 | $1.mask } }

    /// Of numbers that have another form than their raw one.
    enum Presentation {
        case scaled(Scale)
        case medfloat16, medfloat32, float32, float64, text
    }

    var presentation: Presentation? {
        guard let field else { return nil }
        if presence == .repeated {
            // Of repeated fields only numbers with a scale.
            guard case .number = kind, field.bits.isEmpty, let scale = field.scale, scale.parts != nil else {
                return nil
            }
            return .scaled(scale)
        }
        switch (kind, field.type) {
        case (.number, .medfloat16): return .medfloat16
        case (.number, .medfloat32): return .medfloat32
        case (.number, .float32): return .float32
        case (.number, .float64): return .float64
        case (.number, .unsigned), (.number, .signed), (.number, .varint), (.number, .coded):
            return field.bits.isEmpty ? field.scale.flatMap { $0.parts == nil ? nil : .scaled($0) } : nil
        case (.octets, .utf8), (.octets, .utf8z), (.octets, .coded): return .text
        default: return nil
        }
    }

    /// Whether two values differ that differ in it.
    var isCompared: Bool {
        switch kind {
        case .computed, .check: false
        default: true
        }
    }
}

/// A bit of flags, and the members that show whether it is set.
package struct DerivedBit {
    package let mask: UInt64
    /// Set if one of these is.
    let setting: [CodecMember]
    /// Not set if one of these is.
    let clearing: [CodecMember]
    /// Whether it keeps its value if none is set.
    let isStored: Bool
    /// Set unless one of `clearing` is.
    let isSetByDefault: Bool
}

/// A step of reading and writing.
indirect enum CodecStep {
    case number(CodecNumber)
    case varint(CodecNumber)
    case shared([CodecNumber], octets: Int, isBigEndian: Bool)
    case octets(CodecOctets)
    /// Octets that are always the same, which no member has.
    case constant([UInt8], field: String)
    /// Nothing to read: here begins or ends what a checksum covers, without this number of octets.
    case edge(ofCheck: Int, isStart: Bool, without: Int)
    case compute(CodecMember, register: Int, LayoutTree.Expression)
    case structure(CodecStructure)
    case loop(CodecLoop)
    case choice(CodecChoice)
}

struct CodecNumber {
    var member: CodecMember?
    var fieldIndex: Int
    var field: FieldDefinition
    var octets: Int
    var bits: Int
    var shift = 0
    var isSigned: Bool
    /// nil if no expression reads it.
    var register: Int?
    var patch: Int?
    var check: CodecCheck?

    /// Of numbers in another form than two's complement.
    var code: NumberCode? { if case .coded(let code) = field.type { code } else { nil } }
}

/// The number of octets or rounds.
enum CodecSize {
    case rest
    case constant(Int)
    /// Compared with what is written.
    case stored(LayoutTree.Expression)
    /// Not known before all is written.
    case unknown(LayoutTree.Expression)
    /// A number that was read before, plus `plus`; the number is written here.
    case patched(LayoutTree.Expression, CodecPatch)
    /// Rounds up to these octets, or the end.
    case marker([UInt8])

    var expression: LayoutTree.Expression? {
        switch self {
        case .rest, .marker: nil
        case .constant(let octets): .constant(Int64(octets))
        case .stored(let expression), .unknown(let expression), .patched(let expression, _): expression
        }
    }
}

/// A number that is known after what it counts.
struct CodecPatch {
    var number: Int
    var plus: Int64
    var octets: Int
    var isSigned: Bool
    var isBigEndian: Bool
    var fieldName: String
}

struct CodecOctets {
    var member: CodecMember
    var size: CodecSize
    /// The octets after them, instead of a size.
    var marker: Marker?
    /// nil if no expression reads the number in these characters.
    var register: Int?

    var field: FieldDefinition? { member.field }
    var isUUID: Bool { field?.type == .uuid }
    /// The base of a number in characters.
    var base: Int? {
        switch field?.type {
        case .coded(.decimalText): 10
        case .coded(.hexadecimalText): 16
        default: nil
        }
    }
}

struct CodecStructure {
    var member: CodecMember
    var record: CodecRecord
    /// nil: it ends with its fields.
    var size: CodecSize?
    var steps: [CodecStep]
    var checks: [CodecCheck]
}

struct CodecCheck {
    var number: Int
    var check: Checksum
    var octets: Int
    var isBigEndian: Bool
    /// Hexadecimal digits as characters.
    var isText: Bool
    /// Whether it covers only the octets between its edges.
    var hasEdges: Bool { check.fields != nil }
}

struct CodecLoop {
    var member: CodecMember
    var count: CodecSize
    var cleared: [Int]
    var step: CodecStep
    /// A round may have no octets.
    var mayBeEmpty: Bool
}

struct CodecChoice {
    struct Branch {
        var condition: LayoutTree.Expression?
        /// The condition depends on octets that are not written yet.
        var isGuessed: Bool
        var steps: [CodecStep]
        /// All its members, including those of nested choices.
        var members: [CodecMember]
    }

    var branches: [Branch]
}

extension Codec {
    /// Whether equal values may have different octets, of which one form is written.
    package var hasSeveralForms: Bool {
        records.contains { record in
            record.members.contains { member in
                switch (member.field?.type, member.kind) {
                case (.varint, _), (.coded(.zigzag), _), (.coded(.signMagnitude), _), (.coded, .check): true
                default: member.field?.marker?.isOptional ?? false
                }
            }
        }
    }
}

extension Scale {
    /// value = (raw · factor + addend) / divisor
    var parts: (factor: Int64, addend: Int64, divisor: Int64)? {
        let divisor = denominator.multipliedReportingOverflow(by: offset.denominator)
        let factor = numerator.multipliedReportingOverflow(by: offset.denominator)
        let addend = offset.numerator.multipliedReportingOverflow(by: denominator)
        guard !divisor.overflow, !factor.overflow, !addend.overflow else { return nil }
        return (factor.partialValue, addend.partialValue, divisor.partialValue)
    }
}
