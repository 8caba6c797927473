import AttlasDissection
import AttlasTrace
import AttlasValues
import AttlasWire

/// Counts the values of a capture that definitions read, and those that they do not.
public struct DefinitionScoreCollector: DocumentCollector {
    private struct Key: Hashable {
        /// nil for characteristics and descriptors.
        let kind: AttributeDefinition.Kind?
        let uuid: BluetoothUUID
        let services: [BluetoothUUID]

        init(_ kind: AttributeDefinition.Kind, _ uuid: BluetoothUUID, _ services: [BluetoothUUID]) {
            self.kind = kind.space == .attribute ? nil : kind
            self.uuid = uuid
            self.services = services
        }
    }

    private var dissection = Dissection()
    private var values: ValueInterpreter
    private var definitions: [DefinitionScore.Definition]
    private var places: [Key: Int] = [:]
    /// Types of the attributes.
    private let types: Set<BluetoothUUID>
    private let hasAdvertised: Bool
    private let hasChannels: Bool

    /// - Parameters:
    ///   - definitions: of attributes and of advertised data, in the order of their files.
    ///   - values: of the `Interpreted` that hands on the events.
    package init(_ definitions: [AttributeDefinition], values: ValueInterpreter) {
        self.values = values
        self.definitions = definitions.map { .init(uuid: $0.uuid, name: $0.name, services: $0.services) }
        for (index, definition) in definitions.enumerated() {
            places[Key(definition.kind, definition.uuid, definition.services)] = index
        }
        hasAdvertised = definitions.contains { $0.kind.isAdvertised }
        hasChannels = definitions.contains { $0.kind.isChannel }
        types = Set(definitions.filter { $0.kind.space == .attribute }.map(\.uuid))
    }

    @inlinable public var wantsPackets: Bool { false }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        let frame = event.frame
        if case .advertising(let report) = event.detail {
            if hasAdvertised { note(AdvertisedData(report.data, isTruncated: report.isTruncated), frame) }
            return
        }
        if case .sdu(let sdu) = event.detail {
            guard hasChannels, let data = sdu.serialData, let slot = event.connection,
                let reading = values.read(data, event.direction, slot, in: trace)
            else { return }
            _ = note(reading, frame)
            return
        }
        event.forEachAttribute(in: trace) { value in
            guard let type = value.type, types.contains(trace.uuids[type]) else { return true }
            note(value, frame, in: trace)
            return true
        }
    }

    private mutating func note(_ data: AdvertisedData, _ frame: Int) {
        for service in data.serviceData {
            guard let dissector = values.serviceDataDissector(service.uuid) else { continue }
            note(service.data, isCut: service.isCut, dissector, frame)
        }
        for structure in data.others {
            guard let dissector = values.structureDissector(structure.type) else { continue }
            note(structure.data, isCut: structure.isCut, dissector, frame)
        }
        for manufacturer in data.manufacturerData {
            let reading = values.reading(of: manufacturer, in: data)
            guard let dissector = reading.dissector else { continue }
            note(reading.octets, isCut: manufacturer.isCut, dissector, frame)
        }
    }

    private mutating func note(_ octets: [UInt8], isCut: Bool, _ dissector: Dissector, _ frame: Int) {
        guard let place = places[Key(dissector.kind, dissector.uuid, dissector.services)] else { return }
        guard !isCut else {
            definitions[place].partial += 1
            return
        }
        dissector.dissect(Bytes(octets.span), into: &dissection)
        note(dissection, dissector, place, frame)
    }

    private mutating func note(_ dissection: Dissection, _ dissector: Dissector, _ place: Int, _ frame: Int) {
        definitions[place].note(dissection, dissector)
        let problems = Self.problems(of: dissection, dissector)
        if problems.isEmpty { definitions[place].whole += 1 }
        for problem in problems { definitions[place].note(problem, frame: frame) }
    }

    private mutating func note(_ value: borrowing AttributeValue, _ frame: Int, in trace: borrowing Trace) {
        guard let reading = values.read(value, in: trace), note(reading, frame) else {
            return noteElsewhere(value, frame, in: trace)
        }
    }

    /// - Returns: whether it is by one of the definitions.
    private mutating func note(_ reading: borrowing ValueReading, _ frame: Int) -> Bool {
        let dissector = reading.dissector
        guard let place = places[Key(dissector.kind, dissector.uuid, dissector.services)] else { return false }
        if let loss = reading.loss {
            definitions[place].note(
                .init(.message, "the message before was not completed: \(loss.rawValue)"), frame: frame)
        }
        switch reading.message {
        case .part: definitions[place].parts += 1
        case .stray:
            definitions[place].parts += 1
            definitions[place].note(.init(.message, "continues a message whose beginning is not there"), frame: frame)
        case .complete, nil:
            guard !reading.isPartial else {
                definitions[place].partial += 1
                return true
            }
            note(values.dissection, dissector, place, frame)
        }
        return true
    }

    /// A definition of this type is not for the service that has the value.
    private mutating func noteElsewhere(_ value: borrowing AttributeValue, _ frame: Int, in trace: borrowing Trace) {
        guard let type = value.type, let service = value.attribute?.service else { return }
        let uuid = trace.uuids[service]
        for place in definitions.indices where definitions[place].uuid == trace.uuids[type] {
            let services = definitions[place].services
            guard !services.isEmpty, !services.contains(uuid) else { continue }
            definitions[place].note(
                .init(.service, "in the service \(uuid), which the file does not list"), frame: frame)
        }
    }

    /// Each once, however often the value has it.
    private static func problems(of dissection: Dissection, _ dissector: Dissector) -> [DefinitionScore.Problem] {
        var problems: [DefinitionScore.Problem] = []
        func add(_ kind: DefinitionScore.Problem.Kind, _ text: String, _ octets: Range<Int>? = nil) {
            guard !problems.contains(where: { $0.kind == kind && $0.text == text }) else { return }
            problems.append(.init(kind, text, octets: octets))
        }
        func addUnexplained(_ octets: Range<Int>) {
            let text =
                octets.count == 1
                ? "octet \(octets.lowerBound)" : "octets \(octets.lowerBound) to \(octets.upperBound - 1)"
            add(.unexplained, "\(text) unexplained", octets)
        }
        if let fault = dissection.fault {
            add(.fault, "\(dissector.fields[fault.field].name): \(fault.reason.text)")
        }
        if !dissection.unexplained.isEmpty { addUnexplained(dissection.unexplained) }
        for index in 0..<dissection.count {
            let record = dissection[index]
            guard record.field != DissectedField.unexplainedOctets else {
                addUnexplained(record.range)
                continue
            }
            let field = dissector.fields[Int(record.field)]
            if record.hasWrongCheck { add(.check, field.contradiction) }
            if record.isOutOfRange { add(.outOfRange, "\(field.name) out of range") }
            if record.hasReservedBits { add(.reserved, "\(field.name): reserved bits set") }
            let isUndefined =
                dissector.isUndefined(record)
                || field.hasEnumeratedBits
                    && field.bits.contains { dissector.isUndefined($0, $0.value(in: record.raw)) }
            if isUndefined { add(.undefined, "\(field.name): undefined number") }
        }
        return problems
    }

    public mutating func finish(in trace: borrowing Trace, _ integrity: CaptureIntegrity) -> DefinitionScore {
        for index in definitions.indices {
            definitions[index].problems.sort { ($1.values, $0.text) < ($0.values, $1.text) }
        }
        return DefinitionScore(integrity: integrity, definitions: definitions)
    }
}
