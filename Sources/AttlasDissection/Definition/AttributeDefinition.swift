import AttlasWire

/// A position in a definition file. Lines and columns count from 1; a column is a Unicode scalar.
package struct SourcePosition: Hashable, Sendable {
    package var line: Int
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// For definitions without a file: those in the binary.
    package static let none = SourcePosition(line: 0, column: 0)
}

/// An expression or a template as it was written, parsed when its definition is compiled: only then are the names it may
/// use known.
package struct SourceText: Hashable, Sendable {
    package var text: String
    package var position: SourcePosition

    package init(text: String, position: SourcePosition) {
        self.text = text
        self.position = position
    }
}

/// A service's UUID and name.
package struct ServiceDefinition: Sendable {
    package var uuid: BluetoothUUID
    var name: String
    package var position: SourcePosition

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

/// The information that others would learn by reading a value.
public struct Sensitivity: Sendable {
    /// The subject of a sensitive value.
    public enum Subject: String, CaseIterable, Sendable {
        case health, location, identity, input, messages
    }

    /// The subject of the value.
    public var subject: Subject
    /// The profile of the service demands it.
    public var isEncryptionDemanded = false

    package init(_ subject: Subject) { self.subject = subject }
}

/// The kind of a definition. The same number may be a service whose data is advertised, a company and a characteristic.
public struct DefinitionKey: Hashable, Sendable {
    /// The kind of number.
    public enum Space: UInt8, Sendable {
        case attribute, serviceData, manufacturerData, adStructure
        case hciCommand, hciResult, hciEvent, leEvent, linkLayerControl, monitorRecord, l2capSDU
        /// Manufacturer data of devices that are recognized by their other advertised data.
        case recognizedData
        /// Data on channels: a Server Channel of RFCOMM, a PSM or SPSM, or the UUID of a service that has the channel.
        case rfcommChannel, l2capChannel, serviceChannel

        /// Not of a value but of the parameters of an HCI packet, of a record next to them, of an LL control PDU or of an SDU.
        public var isPacket: Bool {
            switch self {
            case .attribute, .serviceData, .manufacturerData, .adStructure, .recognizedData, .rfcommChannel,
                .l2capChannel, .serviceChannel:
                false
            case .hciCommand, .hciResult, .hciEvent, .leEvent, .linkLayerControl, .monitorRecord, .l2capSDU: true
            }
        }
    }

    /// The kind of number.
    public var space: Space
    /// The number: for manufacturer data, the company identifier in 16 bits; for a packet, its opcode or its code.
    var uuid: BluetoothUUID

    /// A characteristic, a descriptor or a declaration.
    public static func attribute(_ uuid: BluetoothUUID) -> DefinitionKey { .init(space: .attribute, uuid: uuid) }
    /// Service data of a UUID.
    public static func serviceData(_ uuid: BluetoothUUID) -> DefinitionKey { .init(space: .serviceData, uuid: uuid) }
    /// Manufacturer data of a Company Identifier.
    public static func manufacturerData(_ company: UInt16) -> DefinitionKey {
        .init(space: .manufacturerData, uuid: BluetoothUUID(company))
    }
    /// An AD structure of another type.
    public static func adStructure(_ type: ADType) -> DefinitionKey {
        .init(space: .adStructure, uuid: BluetoothUUID(UInt16(type.rawValue)))
    }
    /// Parameters of a command.
    public static func hciCommand(_ opcode: HCIOpcode) -> DefinitionKey {
        .init(space: .hciCommand, uuid: BluetoothUUID(opcode.rawValue))
    }
    /// Key of the parameters after the opcode in a Command Complete event.
    public static func hciResult(_ opcode: HCIOpcode) -> DefinitionKey {
        .init(space: .hciResult, uuid: BluetoothUUID(opcode.rawValue))
    }
    /// Parameters of an event.
    public static func hciEvent(_ code: HCIEventCode) -> DefinitionKey {
        .init(space: .hciEvent, uuid: BluetoothUUID(UInt16(code.rawValue)))
    }
    /// Parameters of an LE event, after the subevent code.
    public static func leEvent(_ code: LESubeventCode) -> DefinitionKey {
        .init(space: .leEvent, uuid: BluetoothUUID(UInt16(code.rawValue)))
    }
    /// CtrData of an LL control PDU.
    public static func linkLayerControl(_ opcode: LLControlOpcode) -> DefinitionKey {
        .init(space: .linkLayerControl, uuid: BluetoothUUID(UInt16(opcode.rawValue)))
    }
    /// A record of the Linux monitor that is not an HCI packet.
    public static func monitorRecord(_ opcode: UInt16) -> DefinitionKey {
        .init(space: .monitorRecord, uuid: BluetoothUUID(opcode))
    }
    /// An SDU of a channel that was opened with this PSM or SPSM.
    public static func l2capSDU(psm: UInt16) -> DefinitionKey { .init(space: .l2capSDU, uuid: BluetoothUUID(psm)) }
    /// Key of data on a Server Channel of RFCOMM.
    public static func rfcommChannel(_ number: UInt8) -> DefinitionKey {
        .init(space: .rfcommChannel, uuid: BluetoothUUID(UInt16(number)))
    }
    /// Key of data on a channel that was opened with this dynamic PSM or SPSM.
    public static func l2capChannel(psm: UInt16) -> DefinitionKey {
        .init(space: .l2capChannel, uuid: BluetoothUUID(psm))
    }
    /// Key of data on the channel of a service of BR/EDR.
    public static func serviceChannel(_ service: BluetoothUUID) -> DefinitionKey {
        .init(space: .serviceChannel, uuid: service)
    }
}

extension DefinitionKey: CustomStringConvertible {
    /// A UUID as its digits, a code of HCI as `0x200D`.
    public var description: String {
        switch space {
        case .attribute, .serviceData, .manufacturerData, .serviceChannel: uuid.description
        case .recognizedData: "data with this condition"
        case .rfcommChannel: "RFCOMM channel \(uuid.uint16 ?? 0)"
        case .l2capChannel: "PSM 0x\(uuid)"
        case .hciCommand, .hciResult, .monitorRecord, .l2capSDU: "0x\(uuid)"
        case .hciEvent, .leEvent, .linkLayerControl, .adStructure: "0x\(uuid.description.suffix(2))"
        }
    }
}

/// A characteristic, a descriptor, a declaration, advertised data or an HCI packet: its number, its name and its layout.
public struct AttributeDefinition: Sendable {
    /// The kind of data that the definition describes.
    public enum Kind: UInt8, Sendable {
        case characteristic, descriptor, declaration, serviceData, manufacturerData, adStructure
        case hciCommand, hciResult, hciEvent, leEvent, linkLayerControl, monitorRecord, l2capSDU
        case recognizedData
        case rfcommChannel, l2capChannel, serviceChannel

        /// Whether it describes advertised data.
        package var isAdvertised: Bool {
            [.serviceData, .manufacturerData, .adStructure, .recognizedData].contains(self)
        }
    }

    package var kind: Kind
    package var uuid: BluetoothUUID
    package var name: String
    /// Services of the file that a characteristic belongs to; none where the file names none.
    package var services: [BluetoothUUID] = []
    package var confidence = Confidence.a
    package var sensitivity: Sensitivity?
    /// The condition of recognized data.
    package var condition: AdvertisedCondition?
    /// The numbers that its layouts take from other attributes.
    package var context: [ContextDefinition] = []
    package var assembly: AssemblyDefinition?
    package var decoder: NamedDecoder?
    /// Empty when only the name is known.
    package var layouts: [Layout]
    package var derived: [DerivedDefinition] = []
    package var examples: [Example]
    package var position: SourcePosition

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

    package var key: DefinitionKey { kind.key(uuid) }

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
        case .adStructure: .adStructure
        case .hciCommand: .hciCommand
        case .hciResult: .hciResult
        case .hciEvent: .hciEvent
        case .leEvent: .leEvent
        case .linkLayerControl: .linkLayerControl
        case .monitorRecord: .monitorRecord
        case .l2capSDU: .l2capSDU
        case .recognizedData: .recognizedData
        case .rfcommChannel: .rfcommChannel
        case .l2capChannel: .l2capChannel
        case .serviceChannel: .serviceChannel
        }
    }

    package var isChannel: Bool { Self.channels.contains(self) }

    /// The kinds of data on channels.
    package static let channels: [AttributeDefinition.Kind] = [.rfcommChannel, .l2capChannel, .serviceChannel]

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
        case .adStructure: "AD structure"
        case .hciCommand: "HCI command"
        case .hciResult: "HCI result"
        case .hciEvent: "HCI event"
        case .leEvent: "LE event"
        case .linkLayerControl: "LL control PDU"
        case .monitorRecord: "monitor record"
        case .l2capSDU: "L2CAP SDU"
        case .recognizedData: "recognized manufacturer data"
        case .rfcommChannel, .l2capChannel, .serviceChannel: "channel"
        }
    }
}

/// The elements of a value, for some ATT operations or for all of them.
package struct Layout: Sendable {
    package var operations: [AttributeAccess]
    package var elements: [Element]
    var summary: SourceText?

    package init(operations: [AttributeAccess], elements: [Element], summary: SourceText? = nil) {
        self.operations = operations
        self.elements = elements
        self.summary = summary
    }
}

/// One step of a layout.
package indirect enum Element: Sendable {
    case field(FieldDefinition)
    /// The first branch whose condition holds; none when there is no such branch.
    case choice([Branch])

    var isPartOfOctet: Bool {
        if case .field(let field) = self { field.type.isPartOfOctet } else { false }
    }
}

package struct Branch: Sendable {
    /// nil: otherwise.
    package var condition: SourceText?
    package var elements: [Element]
    /// Summary of the whole value if this branch is taken.
    package var summary: SourceText?

    package init(condition: SourceText?, elements: [Element], summary: SourceText? = nil) {
        self.condition = condition
        self.elements = elements
        self.summary = summary
    }
}

/// A value with the expected result.
package struct Example: Sendable {
    package var octets: [UInt8]
    /// The values that the message was split over; empty when `octets` is one value or the whole message.
    package var parts: [[UInt8]]
    package var operation: AttributeAccess
    package var context: [Context]
    /// Field name → its contents: a number, a label, the names of set flags, a list of these for a repeated field.
    package var shows: [Named]
    /// The summary line, if the example has one.
    package var text: String?
    package var isFault: Bool
    package var unexplained: Int
    package var hasReservedBits: Bool
    package var hasOutOfRange: Bool
    package var hasWrongCheck: Bool
    package var position: SourcePosition

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

    package indirect enum Expectation: Sendable, Equatable {
        case text(String)
        case list([Expectation])
        case fields([Named])
    }

    /// A number from another attribute.
    package struct Context: Sendable {
        package var name: String
        package var value: Int64
        package var position: SourcePosition

        package init(name: String, value: Int64, position: SourcePosition) {
            self.name = name
            self.value = value
            self.position = position
        }
    }

    package struct Named: Sendable, Equatable {
        package var name: String
        package var expectation: Expectation
        package var position: SourcePosition

        package init(name: String, expectation: Expectation, position: SourcePosition) {
            self.name = name
            self.expectation = expectation
            self.position = position
        }
    }
}
