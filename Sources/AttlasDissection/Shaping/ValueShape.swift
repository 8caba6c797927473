import AttlasWire

/// Layouts that other attributes of the same device describe: a Presentation Format, a HID Report Map, the characteristic
/// that a range belongs to.
public enum ValueShape {
    private static let presentationFormat = BluetoothUUID(0x2904 as UInt16)
    private static let reportMap = BluetoothUUID(0x2A4B as UInt16)
    private static let reportReference = BluetoothUUID(0x2908 as UInt16)

    /// The attributes whose values describe others.
    public static let sources: Set<BluetoothUUID> = [presentationFormat, reportMap, reportReference]

    /// What a layout was made of: as long as it is the same, the layout is.
    public struct Sources: Equatable, Sendable {
        var octets: [[UInt8]] = []
        var owner: BluetoothUUID?
    }

    /// nil when nothing describes the attribute.
    /// - Parameters:
    ///   - decoder: of its definition; nil for an attribute without one.
    ///   - characteristic: that it belongs to; nil for a characteristic's value.
    ///   - value: the last value of another attribute beside it.
    public static func sources(
        for decoder: NamedDecoder?, descriptorOf characteristic: BluetoothUUID?, value: (BluetoothUUID) -> [UInt8]?
    ) -> Sources? {
        switch decoder {
        case .characteristicValue: return characteristic.map { Sources(owner: $0) }
        case .hidReport:
            guard let map = value(reportMap), let reference = value(reportReference) else { return nil }
            return Sources(octets: [map, reference])
        case nil:
            // A Presentation Format is for the value, not for the other descriptors.
            guard characteristic == nil else { return nil }
            return value(presentationFormat).map { Sources(octets: [$0]) }
        }
    }

    static func fields(
        for decoder: NamedDecoder?, of definition: AttributeDefinition?, _ sources: Sources
    ) -> [FieldDefinition]? {
        switch decoder {
        case .characteristicValue:
            guard let owner = sources.owner, let layout = definition?.layouts.first else { return nil }
            return layout.elements.compactMap { element in
                guard case .field(let field) = element else { return nil }
                return FieldDefinition.named(field.name, .use(owner))
            }
        case .hidReport:
            guard sources.octets.count == 2, sources.octets[1].count == 2,
                let kind = HIDReportMap.ReportType(rawValue: sources.octets[1][1])
            else { return nil }
            return HIDReportMap.fields(of: sources.octets[0], report: sources.octets[1][0], kind)
        case nil: return sources.octets.first.flatMap(PresentationFormat.field).map { [$0] }
        }
    }
}

extension FieldDefinition {
    static func named(_ name: String, _ type: FieldType) -> FieldDefinition {
        FieldDefinition(
            name: name, type: type, labels: .none, bits: [], specials: [], repetition: .once, elements: [],
            position: .none)
    }
}

extension DissectorLibrary {
    /// What reads the values of an attribute that other attributes describe.
    public func dissector(
        for type: BluetoothUUID, name: String, decoder: NamedDecoder?, _ sources: ValueShape.Sources
    ) -> Dissector? {
        guard let fields = ValueShape.fields(for: decoder, of: definition(of: type), sources), !fields.isEmpty else {
            return nil
        }
        let definition = AttributeDefinition(
            kind: .characteristic, uuid: type, name: name,
            layouts: [Layout(operations: AttributeAccess.allCases, elements: fields.map(Element.field))],
            examples: [], position: .none)
        return try? Dissector(definition, assignedNumbers: assignedNumbers, resolve: self.definition)
    }
}
