import AttlasWire

/// A position in a definition file. Lines and columns count from 1; a column is a Unicode scalar.
public struct SourcePosition: Hashable, Sendable {
    public var line: Int
    public var column: Int

    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// For definitions without a file: those in the binary.
    package static let none = SourcePosition(line: 0, column: 0)
}

/// An expression or a template as it was written, parsed when its definition is compiled: only then are the names it may
/// use known.
public struct SourceText: Hashable, Sendable {
    public var text: String
    public var position: SourcePosition

    package init(text: String, position: SourcePosition) {
        self.text = text
        self.position = position
    }
}

/// A service's UUID and name.
public struct ServiceDefinition: Sendable {
    public var uuid: BluetoothUUID
    public var name: String
    public var position: SourcePosition

    package init(uuid: BluetoothUUID, name: String, position: SourcePosition) {
        self.uuid = uuid
        self.name = name
        self.position = position
    }
}

/// The confidence that a layout is correct.
public enum Confidence: String, CaseIterable, Sendable {
    /// The specification's, or confirmed by several independent implementations.
    case a = "A"
    /// One source.
    case b = "B"
    /// In part; the rest is octets.
    case c = "C"
}

/// What others would learn from a value that they read.
public struct Sensitivity: Sendable {
    public enum Subject: String, CaseIterable, Sendable {
        case health, location, identity, input, messages
    }

    public var subject: Subject
    /// The profile of the service demands it.
    public var isEncryptionDemanded = false

    package init(_ subject: Subject) { self.subject = subject }
}

/// The kind of a definition. The same number may be a service whose data is advertised, a company and a characteristic.
public struct DefinitionKey: Hashable, Sendable {
    public enum Space: UInt8, Sendable {
        case attribute, serviceData, manufacturerData, hciCommand, hciResult, hciEvent, leEvent, monitorRecord, l2capSDU
        /// Manufacturer data of devices that are recognized by what else they advertise.
        case recognizedData

        /// Not of a value but of the parameters of an HCI packet, of a record next to them, or of an SDU.
        public var isPacket: Bool {
            switch self {
            case .attribute, .serviceData, .manufacturerData, .recognizedData: false
            case .hciCommand, .hciResult, .hciEvent, .leEvent, .monitorRecord, .l2capSDU: true
            }
        }
    }

    public var space: Space
    /// Of manufacturer data, the company identifier as a number of 16 bits; of a packet, its opcode or its code.
    public var uuid: BluetoothUUID

    public static func attribute(_ uuid: BluetoothUUID) -> DefinitionKey { .init(space: .attribute, uuid: uuid) }
    public static func serviceData(_ uuid: BluetoothUUID) -> DefinitionKey { .init(space: .serviceData, uuid: uuid) }
    public static func manufacturerData(_ company: UInt16) -> DefinitionKey {
        .init(space: .manufacturerData, uuid: BluetoothUUID(company))
    }
    public static func hciCommand(_ opcode: HCIOpcode) -> DefinitionKey {
        .init(space: .hciCommand, uuid: BluetoothUUID(opcode.rawValue))
    }
    /// What follows the opcode in a Command Complete event.
    public static func hciResult(_ opcode: HCIOpcode) -> DefinitionKey {
        .init(space: .hciResult, uuid: BluetoothUUID(opcode.rawValue))
    }
    public static func hciEvent(_ code: HCIEventCode) -> DefinitionKey {
        .init(space: .hciEvent, uuid: BluetoothUUID(UInt16(code.rawValue)))
    }
    public static func leEvent(_ code: LESubeventCode) -> DefinitionKey {
        .init(space: .leEvent, uuid: BluetoothUUID(UInt16(code.rawValue)))
    }
    /// A record of the Linux monitor that is no HCI packet.
    public static func monitorRecord(_ opcode: UInt16) -> DefinitionKey {
        .init(space: .monitorRecord, uuid: BluetoothUUID(opcode))
    }
    /// An SDU of a channel that was opened with this PSM or SPSM.
    public static func l2capSDU(psm: UInt16) -> DefinitionKey { .init(space: .l2capSDU, uuid: BluetoothUUID(psm)) }
}

extension DefinitionKey: CustomStringConvertible {
    /// A UUID as its digits, a code of HCI as `0x200D`.
    public var description: String {
        switch space {
        case .attribute, .serviceData, .manufacturerData: uuid.description
        case .recognizedData: "data with this condition"
        case .hciCommand, .hciResult, .monitorRecord, .l2capSDU: "0x\(uuid)"
        case .hciEvent, .leEvent: "0x\(uuid.description.suffix(2))"
        }
    }
}

/// A characteristic, a descriptor, a declaration, advertised data or an HCI packet: its number, its name and its layout.
public struct AttributeDefinition: Sendable {
    public enum Kind: UInt8, Sendable {
        case characteristic, descriptor, declaration, serviceData, manufacturerData
        case hciCommand, hciResult, hciEvent, leEvent, monitorRecord, l2capSDU
        case recognizedData
    }

    public var kind: Kind
    public var uuid: BluetoothUUID
    public var name: String
    /// Of a characteristic, the services of its file; none where the file names none.
    public var services: [BluetoothUUID] = []
    public var confidence = Confidence.a
    public var sensitivity: Sensitivity?
    /// Of recognized data.
    public var condition: AdvertisedCondition?
    /// The numbers that its layouts take from other attributes.
    public var context: [ContextDefinition] = []
    public var assembly: AssemblyDefinition?
    public var decoder: NamedDecoder?
    /// Empty when only the name is known.
    public var layouts: [Layout]
    public var derived: [DerivedDefinition] = []
    public var examples: [Example]
    public var position: SourcePosition

    package init(
        kind: Kind, uuid: BluetoothUUID, name: String, layouts: [Layout], examples: [Example], position: SourcePosition
    ) {
        self.kind = kind
        self.uuid = uuid
        self.name = name
        self.layouts = layouts
        self.examples = examples
        self.position = position
    }

    public var key: DefinitionKey { kind.key(uuid) }

    /// The attributes whose values its layouts take numbers from.
    var contextSources: [BluetoothUUID] {
        context.compactMap { if case .attribute(let uuid, _) = $0.source { uuid } else { nil } }
    }
}

extension AttributeDefinition.Kind {
    package var space: DefinitionKey.Space {
        switch self {
        case .characteristic, .descriptor, .declaration: .attribute
        case .serviceData: .serviceData
        case .manufacturerData: .manufacturerData
        case .hciCommand: .hciCommand
        case .hciResult: .hciResult
        case .hciEvent: .hciEvent
        case .leEvent: .leEvent
        case .monitorRecord: .monitorRecord
        case .l2capSDU: .l2capSDU
        case .recognizedData: .recognizedData
        }
    }

    func key(_ uuid: BluetoothUUID) -> DefinitionKey { DefinitionKey(space: space, uuid: uuid) }
}

extension AttributeDefinition.Kind: CustomStringConvertible {
    public var description: String {
        switch self {
        case .characteristic: "characteristic"
        case .descriptor: "descriptor"
        case .declaration: "declaration"
        case .serviceData: "service data"
        case .manufacturerData: "manufacturer data"
        case .hciCommand: "HCI command"
        case .hciResult: "HCI result"
        case .hciEvent: "HCI event"
        case .leEvent: "LE event"
        case .monitorRecord: "monitor record"
        case .l2capSDU: "L2CAP SDU"
        case .recognizedData: "recognized manufacturer data"
        }
    }
}

/// The elements of a value, for some ATT operations or for all of them.
public struct Layout: Sendable {
    public var operations: [AttributeAccess]
    public var elements: [Element]
    public var summary: SourceText?

    package init(operations: [AttributeAccess], elements: [Element], summary: SourceText? = nil) {
        self.operations = operations
        self.elements = elements
        self.summary = summary
    }
}

/// One step of a layout.
public indirect enum Element: Sendable {
    case field(FieldDefinition)
    /// The first branch whose condition holds; none when there is no such branch.
    case choice([Branch])
}

public struct Branch: Sendable {
    /// nil: otherwise.
    public var condition: SourceText?
    public var elements: [Element]

    package init(condition: SourceText?, elements: [Element]) {
        self.condition = condition
        self.elements = elements
    }
}

/// A value with the expected result.
public struct Example: Sendable {
    public var octets: [UInt8]
    /// The values that the message was split over; empty when `octets` is one value or the whole message.
    public var parts: [[UInt8]]
    public var operation: AttributeAccess
    public var context: [Context]
    /// Field name → its contents: a number, a label, the names of set flags, a list of these for a repeated field.
    public var shows: [Named]
    /// The summary line, if the example has one.
    public var text: String?
    public var isFault: Bool
    public var unexplained: Int
    public var hasReservedBits: Bool
    public var hasOutOfRange: Bool
    public var hasWrongCheck: Bool
    public var position: SourcePosition

    package init(
        octets: [UInt8], parts: [[UInt8]], operation: AttributeAccess, context: [Context], shows: [Named],
        text: String?, isFault: Bool, unexplained: Int, hasReservedBits: Bool, hasOutOfRange: Bool,
        hasWrongCheck: Bool, position: SourcePosition
    ) {
        self.octets = octets
        self.parts = parts
        self.operation = operation
        self.context = context
        self.shows = shows
        self.text = text
        self.isFault = isFault
        self.unexplained = unexplained
        self.hasReservedBits = hasReservedBits
        self.hasOutOfRange = hasOutOfRange
        self.hasWrongCheck = hasWrongCheck
        self.position = position
    }

    public indirect enum Expectation: Sendable, Equatable {
        case text(String)
        case list([Expectation])
        case fields([Named])
    }

    /// A number from another attribute.
    public struct Context: Sendable {
        public var name: String
        public var value: Int64
        public var position: SourcePosition

        package init(name: String, value: Int64, position: SourcePosition) {
            self.name = name
            self.value = value
            self.position = position
        }
    }

    public struct Named: Sendable, Equatable {
        public var name: String
        public var expectation: Expectation
        public var position: SourcePosition

        package init(name: String, expectation: Expectation, position: SourcePosition) {
            self.name = name
            self.expectation = expectation
            self.position = position
        }
    }
}
