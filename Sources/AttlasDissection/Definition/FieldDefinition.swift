import AttlasWire

/// The type of a field.
public enum FieldType: Hashable, Sendable {
    /// Little-endian, of 1 to 64 bits. Integers that do not fill octets share them with adjacent fields, the first in the
    /// least significant bits.
    case unsigned(bits: Int)
    /// Two's complement; otherwise as `unsigned`.
    case signed(bits: Int)
    /// Seven bits an octet, the least significant first; the top bit means that another octet follows. At most ten octets, as Protocol
    /// Buffers have them.
    case varint
    /// IEEE 11073-20601 SFLOAT-Type and FLOAT-Type.
    case medfloat16, medfloat32
    /// IEEE 754.
    case float32, float64
    /// UTF-8 to the end of the field.
    case utf8
    /// UTF-8 up to a zero octet, which belongs to it.
    case utf8z
    /// Octets, shown in hexadecimal.
    case bytes
    /// AD structures: octets, which a packet also shows decoded. Core Specification Supplement, Part A.
    case advertisingData
    /// 2, 4 or 16 octets, whatever is left.
    case uuid
    /// 2 octets.
    case uuid16
    /// Six octets, least significant first.
    case address
    /// An attribute handle.
    case handle
    /// Two octets of HCI: 12 bits of a handle under 4 reserved ones.
    case connectionHandle
    /// The shown type of a withheld field, whatever it is read as.
    case secret
    /// One octet N: 1.1^(N − 64).
    case timeExponential8
    /// One octet v with sign: 2^(v / 64).
    case powerOfTwo64
    /// An integer in another code.
    case coded(NumberCode)
    /// Fields of the definition.
    case structure
    /// The layout of another characteristic or descriptor.
    case use(BluetoothUUID)

    /// The size, if the type alone determines it.
    package var octets: Int? {
        switch self {
        case .unsigned(let bits), .signed(let bits): bits.isMultiple(of: 8) ? bits / 8 : nil
        case .coded(.decimalDigits(let bits)), .coded(.signMagnitude(let bits)): bits / 8
        case .timeExponential8, .powerOfTwo64: 1
        case .medfloat16, .uuid16, .handle, .connectionHandle: 2
        case .medfloat32, .float32: 4
        case .address: 6
        case .float64: 8
        case .varint, .utf8, .utf8z, .bytes, .advertisingData, .secret, .uuid, .structure, .use, .coded: nil
        }
    }

    /// Whether it is an integer, which expressions may use.
    package var isInteger: Bool {
        switch self {
        case .unsigned, .signed, .varint, .handle, .connectionHandle, .uuid16, .address, .timeExponential8,
            .powerOfTwo64, .coded:
            true
        default: false
        }
    }

    /// Whether expressions may compare it with a text.
    package var isText: Bool { [.utf8, .utf8z, .bytes].contains(self) }

    /// The number is written in characters.
    public var isNumberInText: Bool { [.coded(.decimalText), .coded(.hexadecimalText)].contains(self) }

    /// Whether it has several octets, or shares them, in either byte order.
    package var hasOrder: Bool {
        switch self {
        case .unsigned, .signed, .float32, .float64, .coded(.decimalDigits), .coded(.signMagnitude): true
        default: false
        }
    }

    /// The width of integers; nil for other types.
    package var bitWidth: Int? {
        switch self {
        case .unsigned(let bits), .signed(let bits): bits
        default: nil
        }
    }

    /// An integer that does not fill its octets.
    package var isPartOfOctet: Bool { bitWidth.map { !$0.isMultiple(of: 8) } ?? false }
}

/// A way to write an integer other than two's complement.
public enum NumberCode: Hashable, Sendable {
    /// Binary coded decimal: a digit in four bits.
    case decimalDigits(bits: Int)
    /// The most significant bit is the sign.
    case signMagnitude(bits: Int)
    /// A `varint` with the sign in its lowest bit, as the sint types of Protocol Buffers.
    case zigzag
    /// Characters: a sign, digits, and decimals after a point. The raw number is that of all digits.
    case decimalText
    /// Hexadecimal digits as characters.
    case hexadecimalText
}

/// The repetition of a field.
package enum Repetition: Sendable {
    case once
    case toEnd
    /// Up to these octets, or the end.
    case toMarker([UInt8])
    case count(SourceText)
}

/// The role of a report's field for a person.
public enum FieldRole: Sendable {
    /// A number, a text or octets.
    case plain
    /// A key that is pressed, or a lamp that is on, while the number is not 0: its label, or else its name, identifies it.
    case key, lamp
    /// Fills octets; summaries leave it out.
    case padding
}

/// One field: its name, its type and its presentation.
///
/// To add a key: its meaning here, a line in `AttributeDefinition+Archive.swift`, its parser in
/// AttlasDefinitionFiles, its mistakes in `ReaderTests`, and the key in Documentation/schemas/dissector.schema.json.
package struct FieldDefinition: Sendable {
    package var name: String
    package var type: FieldType
    package var unit: String?
    package var scale: Scale?
    package var labels: Labels
    package var bits: [BitField]
    /// Raw values that are not numbers: "value is not known".
    package var specials: [LabelledRange]
    /// The raw values that the specification permits, besides the special ones.
    package var permitted: ClosedRange<Int64>?
    /// The number is a time: so much of its unit since then.
    package var epoch: Epoch?
    /// The most significant octet comes first.
    package var isBigEndian = false
    /// The checksum that the number has to be.
    package var check: Checksum?
    /// No octets: the number that this expression of earlier fields gives.
    package var computed: SourceText?
    /// The number of octets, for types without a fixed size. A structure with a size has exactly this number.
    package var size: SourceText?
    /// The octets that end a text or octets.
    package var marker: Marker?
    /// The octet that fills a text or octets up to their size.
    package var padding: UInt8?
    /// The octets that it has to be.
    package var constant: [UInt8]?
    /// An explanation of the field, for people.
    package var note: String?
    package var repetition: Repetition
    /// The fields of a structure.
    package var elements: [Element]
    package var summary: SourceText?
    /// Octets that may be text: shown as such as well, when all of them are printable.
    package var mayBeText = false
    /// A key, a passkey or a code that users have to know: withheld unless keys are requested.
    package var isSecret = false
    /// Not of a file: of a report, whose layout the device describes.
    var role = FieldRole.plain
    /// The name under which its number stays known in the rounds of a repetition that follow.
    package var keptName: String?
    /// The numbers that report a failure or announce a restart; nil if none does.
    package var outcome: FieldOutcome?
    package var position: SourcePosition

    package init(
        name: String, type: FieldType, labels: Labels, bits: [BitField], specials: [LabelledRange],
        repetition: Repetition, elements: [Element], position: SourcePosition
    ) {
        self.name = name
        self.type = type
        self.labels = labels
        self.bits = bits
        self.specials = specials
        self.repetition = repetition
        self.elements = elements
        self.position = position
    }

    var isRepeated: Bool {
        if case .once = repetition { false } else { true }
    }
}

/// The octets that end something.
package struct Marker: Hashable, Sendable {
    package var octets: [UInt8]
    /// The end of the value may take its place.
    package var isOptional = false

    package init(_ octets: [UInt8], isOptional: Bool = false) {
        self.octets = octets
        self.isOptional = isOptional
    }
}

/// The source of the names of an enumerated field.
public enum Labels: Sendable {
    case none
    case ranges([LabelledRange])
    case assigned(AssignedNumbers.Table)
}

/// A name for raw values from `first` to `last`, both included.
public struct LabelledRange: Hashable, Sendable {
    /// Lowest raw value.
    public var first: Int64
    /// Highest raw value, inclusive.
    public var last: Int64
    /// Name of these values.
    public var label: String

    package init(first: Int64, last: Int64, label: String) {
        self.first = first
        self.last = last
        self.label = label
    }

    /// Whether a raw value is in the range.
    public func contains(_ raw: Int64) -> Bool { first <= raw && raw <= last }
}

/// A named bit, or a few bits that are a small number together.
public struct BitField: Hashable, Sendable {
    /// Lowest bit, from 0.
    public var first: Int
    /// Highest bit, inclusive.
    public var last: Int
    /// Name in the definition.
    public var name: String
    /// Names of numbers of these bits.
    public var labels: [LabelledRange]

    package init(first: Int, last: Int, name: String, labels: [LabelledRange]) {
        self.first = first
        self.last = last
        self.name = name
        self.labels = labels
    }

    /// Number of bits.
    public var width: Int { last - first + 1 }
    /// A flag is shown by its name when it is set; anything else by its value.
    public var isFlag: Bool { width == 1 && labels.isEmpty }

    /// These bits, in place.
    public var mask: UInt64 { (UInt64.max >> UInt64(64 - width)) << UInt64(first) }

    /// Number of these bits in a raw value, shifted down.
    public func value(in raw: Int64) -> Int64 {
        Int64(truncatingIfNeeded: (UInt64(bitPattern: raw) & mask) >> UInt64(first))
    }

    /// The name of a number of these bits.
    public func label(of number: Int64) -> String? { labels.first { $0.contains(number) }?.label }
}

extension FieldType: CustomStringConvertible {
    /// The word of the format.
    public var description: String {
        switch self {
        case .unsigned(let bits): "uint\(bits)"
        case .signed(let bits): "sint\(bits)"
        case .varint: "varint"
        case .medfloat16: "medfloat16"
        case .medfloat32: "medfloat32"
        case .float32: "float32"
        case .float64: "float64"
        case .utf8: "utf8"
        case .utf8z: "utf8z"
        case .bytes: "bytes"
        case .advertisingData: "advertising-data"
        case .uuid: "uuid"
        case .uuid16: "uuid16"
        case .address: "address"
        case .handle: "handle"
        case .connectionHandle: "connection-handle"
        case .secret: "secret"
        case .timeExponential8: "time-exponential-8"
        case .powerOfTwo64: "power-of-two-64"
        case .coded(.decimalDigits(let bits)): "bcd\(bits)"
        case .coded(.signMagnitude(let bits)): "sign-magnitude-\(bits)"
        case .coded(.zigzag): "zigzag"
        case .coded(.decimalText): "decimal-text"
        case .coded(.hexadecimalText): "hex-text"
        case .structure: "fields"
        case .use(let uuid): "as \(uuid)"
        }
    }
}
