import AttlasWire

/// Layouts that other attributes of the same device describe: a Presentation Format, a HID Report Map, the characteristic
/// that a range belongs to; or that depend on how its controller was configured.
public enum ValueShape {
    private static let presentationFormat = BluetoothUUID(0x2904 as UInt16)
    private static let reportMap = HIDReportMap.uuid
    private static let reportReference = BluetoothUUID(0x2908 as UInt16)

    /// The attributes whose values describe others.
    public static let sources: Set<BluetoothUUID> = [presentationFormat, reportMap, reportReference]

    /// Whether its values are followed because ranging data depends on them.
    public static func controlsRanging(_ uuid: BluetoothUUID) -> Bool { uuid == RangingData.controlPoint }

    /// Names of the fields of these layouts, without the number that distinguishes several of one name.
    static func fieldNames(_ numbers: AssignedNumbers) -> Set<String> {
        HIDReportMap.fieldNames(numbers).union([PresentationFormat.fieldName])
    }

    /// Whether a field of a layout like this may have this name, in any letter case: names that only a capture shows are in no definition.
    public static func mayName(_ name: String, in numbers: AssignedNumbers) -> Bool {
        let name = name.lowercased()
        let words = name.split(separator: " ")
        if words.count == 2, words[0] == "usage", words[1].count == 9 { return true }
        let base = words.last.map { Int($0) != nil } ?? false ? words.dropLast().joined(separator: " ") : name
        return fieldNames(numbers).contains { $0.lowercased() == base }
    }

    /// The inputs of a layout: equal inputs give an equal layout.
    public struct Sources: Equatable, Sendable {
        var octets: [[UInt8]] = []
        var owner: BluetoothUUID?
        var ranging: RangingData.Conditions?
    }

    /// nil when nothing describes the attribute.
    /// - Parameters:
    ///   - decoder: of its definition; nil for an attribute without one.
    ///   - characteristic: that it belongs to; nil for a characteristic's value.
    ///   - value: the last value of another attribute of the same service.
    ///   - ranging: how distances are measured over the connection.
    public static func sources(
        for decoder: NamedDecoder?, descriptorOf characteristic: BluetoothUUID?, value: (BluetoothUUID) -> [UInt8]?,
        ranging: () -> RangingData.Conditions? = { nil }
    ) -> Sources? {
        switch decoder {
        case .rangingData: return ranging().map { Sources(ranging: $0) }
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

    static func elements(
        for decoder: NamedDecoder?, of layout: Layout?, _ sources: Sources, _ numbers: AssignedNumbers,
        definition: (BluetoothUUID) -> AttributeDefinition?
    ) -> [Element]? {
        switch decoder {
        case .rangingData:
            guard let conditions = sources.ranging, let layout else { return nil }
            return RangingData.elements(of: layout.elements, conditions, definition: definition)
        case .characteristicValue:
            guard let owner = sources.owner, let layout else { return nil }
            return layout.elements.compactMap { element in
                guard case .field(let field) = element else { return nil }
                return .field(.named(field.name, .use(owner)))
            }
        case .hidReport:
            guard sources.octets.count == 2, sources.octets[1].count == 2,
                let kind = HIDReportMap.ReportType(rawValue: sources.octets[1][1])
            else { return nil }
            return HIDReportMap(HIDUsage(numbers: numbers))
                .fields(of: sources.octets[0], report: sources.octets[1][0], kind)?.map(Element.field)
        case nil: return sources.octets.first.flatMap(PresentationFormat.field).map { [.field($0)] }
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
    /// The dissector for an attribute whose values other attributes describe.
    public func dissector(
        for type: BluetoothUUID, name: String, decoder: NamedDecoder?, _ sources: ValueShape.Sources
    ) -> Dissector? {
        // Without a decoder, no definition applies here.
        let defined = decoder == nil ? nil : definition(of: type)
        let layout = defined?.layouts.first
        let elements = ValueShape.elements(
            for: decoder, of: layout, sources, assignedNumbers, definition: self.definition)
        guard let elements, !elements.isEmpty else { return nil }
        // Summaries of other layouts have other fields.
        let summary = decoder == .rangingData ? layout?.summary : nil
        var shaped = AttributeDefinition(
            kind: defined?.kind ?? .characteristic, uuid: type, name: name,
            layouts: [Layout(operations: AttributeAccess.allCases, elements: elements, summary: summary)],
            examples: [], position: .none)
        shaped.assembly = defined?.assembly
        return try? Dissector(
            shaped, assignedNumbers: assignedNumbers, withholdsKeys: withholdsKeys, resolve: self.definition)
    }
}
