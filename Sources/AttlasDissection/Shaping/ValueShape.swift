import AttlasWire

/// Layouts that other attributes of the same device describe: a Presentation Format, a HID Report Map, the characteristic
/// that a range belongs to.
public enum ValueShape {
    private static let presentationFormat = BluetoothUUID(0x2904 as UInt16)
    private static let reportMap = BluetoothUUID(0x2A4B as UInt16)
    private static let report = BluetoothUUID(0x2A4D as UInt16)
    private static let reportReference = BluetoothUUID(0x2908 as UInt16)

    /// The attributes whose values describe others.
    public static let sources: Set<BluetoothUUID> = [presentationFormat, reportMap, reportReference]

    /// Descriptors whose numbers are laid out as the characteristic's value is.
    private static let ranges: [BluetoothUUID: [String]] = [
        BluetoothUUID(0x2906 as UInt16): ["Lower Inclusive Value", "Upper Inclusive Value"],
        BluetoothUUID(0x2911 as UInt16): ["Lower Inclusive Value", "Upper Inclusive Value", "Accuracy"],
        BluetoothUUID(0x2913 as UInt16): ["Lower Limit", "Upper Limit"],
        BluetoothUUID(0x2914 as UInt16): ["Lower Tolerance", "Upper Tolerance"],
    ]

    /// What a layout was made of: as long as it is the same, the layout is.
    public struct Sources: Equatable, Sendable {
        var octets: [[UInt8]] = []
        var owner: BluetoothUUID?

        /// They describe the characteristic's value, not a descriptor.
        public var isOfValue: Bool { owner == nil }
    }

    /// nil when nothing describes the attribute.
    /// - Parameters:
    ///   - type: of the attribute.
    ///   - characteristic: that it belongs to, or is the value of.
    ///   - value: the last value of another attribute beside it.
    public static func sources(
        of type: BluetoothUUID, characteristic: BluetoothUUID?, value: (BluetoothUUID) -> [UInt8]?
    ) -> Sources? {
        if ranges[type] != nil { return characteristic.map { Sources(owner: $0) } }
        if type == report {
            guard let map = value(reportMap), let reference = value(reportReference) else { return nil }
            return Sources(octets: [map, reference])
        }
        return value(presentationFormat).map { Sources(octets: [$0]) }
    }

    static func definition(of type: BluetoothUUID, name: String, _ sources: Sources) -> AttributeDefinition? {
        var fields: [FieldDefinition] = []
        if let names = ranges[type], let owner = sources.owner {
            fields = names.map { FieldDefinition.named($0, .use(owner)) }
        } else if type == report {
            guard sources.octets.count == 2, sources.octets[1].count == 2,
                let kind = HIDReportMap.ReportType(rawValue: sources.octets[1][1]),
                let found = HIDReportMap.fields(of: sources.octets[0], report: sources.octets[1][0], kind)
            else { return nil }
            fields = found
        } else if let field = sources.octets.first.flatMap(PresentationFormat.field) {
            fields = [field]
        }
        guard !fields.isEmpty else { return nil }
        return AttributeDefinition(
            kind: .characteristic, uuid: type, name: name,
            layouts: [Layout(operations: AttributeAccess.allCases, elements: fields.map(Element.field))],
            examples: [], position: .none)
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
    public func dissector(for type: BluetoothUUID, name: String, _ sources: ValueShape.Sources) -> Dissector? {
        guard let definition = ValueShape.definition(of: type, name: name, sources) else { return nil }
        return try? Dissector(definition, assignedNumbers: assignedNumbers, resolve: self.definition)
    }
}
