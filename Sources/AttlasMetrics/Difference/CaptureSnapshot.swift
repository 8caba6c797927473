import AttlasFilter
import AttlasIncidents
import AttlasProcedures
import AttlasTrace
import AttlasValues
import AttlasWire

/// The data of a capture that can be compared with another one. Nothing in it belongs to the trace: its numbers of UUIDs mean nothing in
/// another.
public struct CaptureSnapshot: CaptureDocument {
    public let integrity: CaptureIntegrity
    package let file: String
    /// Why a selection found nothing; nil if it found something.
    package let whyNothing: String?
    let servers: [Server]
    let procedures: [(key: Procedure.Kind, row: ProcedureRow)]
    let exchanges: [(key: MeasureKey, row: ExchangeRow)]
    let values: [(key: MeasureKey, row: ValueRow)]
    let fields: [FieldRanges.Range]
    /// Incidents that broke or hindered something, the most important first.
    let incidents: [Incidents]

    /// The GATT server of a peer.
    package struct Server: Sendable {
        package let address: BluetoothAddress?
        package let name: String?
        package let attributes: [Attribute]
    }

    package struct Attribute: Sendable {
        let path: [Step]
        package let handle: AttributeHandle
        /// nil when it is not a characteristic.
        package let properties: CharacteristicProperties?
    }

    /// One step on the way to an attribute: the which one of its UUID, counted from 0, below the step before.
    package struct Step: Hashable, Sendable {
        package let kind: NameKind
        /// nil outside discovered services.
        package let uuid: BluetoothUUID?
        package let occurrence: Int
    }

    /// The key of a measure in two captures.
    package struct MeasureKey: Hashable, Sendable {
        package let opcode: ATTOpcode
        package let direction: Direction
        package let server: ServerSide?
        package let service: BluetoothUUID?
        package let characteristic: BluetoothUUID?
        package let descriptor: BluetoothUUID?

        init(_ key: RowKey, in trace: borrowing Trace) {
            opcode = key.opcode
            direction = key.direction
            server = key.attribute?.server
            service = key.attribute?.service.map { trace.uuids[$0] }
            characteristic = key.attribute?.characteristic.map { trace.uuids[$0] }
            descriptor = key.attribute?.descriptor.map { trace.uuids[$0] }
        }
    }

    package init(
        _ statistics: StatisticsModel, _ fields: FieldRanges, _ incidents: IncidentsModel, in trace: borrowing Trace,
        file: String
    ) {
        self.file = file
        integrity = statistics.integrity
        whyNothing = statistics.whyNothing
        self.fields = fields.ranges
        self.incidents = Incidents.all(of: incidents, in: trace)
        var servers: [Server] = []
        for peer in trace.peers where peer.mergedInto == nil && !peer.table.isEmpty {
            servers.append(
                Server(address: peer.address, name: peer.name, attributes: Self.attributes(peer.table, in: trace)))
        }
        self.servers = servers
        let group = statistics.groups(by: .characteristic).first
        procedures = (group?.procedures ?? []).map { ($0.kind, $0) }
        var exchanges: [(MeasureKey, ExchangeRow)] = []
        for row in group?.exchanges ?? [] { exchanges.append((MeasureKey(row.key, in: trace), row)) }
        self.exchanges = exchanges
        var values: [(MeasureKey, ValueRow)] = []
        for row in group?.values ?? [] { values.append((MeasureKey(row.key, in: trace), row)) }
        self.values = values
    }

    private static func attributes(_ table: AttributeTable, in trace: borrowing Trace) -> [Attribute] {
        var attributes: [Attribute] = []
        var counts: [[Step]: Int] = [:]
        func path(_ parent: [Step], _ kind: NameKind, _ uuid: BluetoothUUID?) -> [Step] {
            let first = parent + [Step(kind: kind, uuid: uuid, occurrence: 0)]
            let occurrence = counts[first, default: 0]
            counts[first] = occurrence + 1
            return parent + [Step(kind: kind, uuid: uuid, occurrence: occurrence)]
        }
        for node in TableTree(table, used: []).services {
            let service = path([], .service, node.service.map { trace.uuids[$0.uuid] })
            if let declared = node.service {
                attributes.append(Attribute(path: service, handle: declared.handle, properties: nil))
            }
            for item in node.characteristics {
                let characteristic = path(service, .characteristic, trace.uuids[item.characteristic.uuid])
                attributes.append(
                    Attribute(
                        path: characteristic, handle: item.characteristic.valueHandle,
                        properties: item.characteristic.properties))
                for descriptor in item.descriptors {
                    let path = path(characteristic, .descriptor, trace.uuids[descriptor.uuid])
                    attributes.append(Attribute(path: path, handle: descriptor.handle, properties: nil))
                }
            }
        }
        return attributes
    }
}

/// Collects the data of a capture that can be compared with another one.
public struct SnapshotCollector: DocumentCollector {
    private let file: String
    private var statistics: SelectedStatistics
    private var fields: FieldRanges
    private var incidents: IncidentCollector
    private let isSelection: Bool

    /// - Parameter values: of the `Interpreted` that hands on the events.
    package init(file: String, selection: Selection, values: ValueInterpreter) {
        self.file = file
        statistics = SelectedStatistics(selection: selection, values: values)
        fields = FieldRanges(values: values)
        incidents = IncidentCollector(values: values)
        isSelection = !selection.isEverything
    }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        statistics.receive(event, in: trace)
        incidents.receive(event, in: trace)
        if statistics.collector.isSelected { fields.receive(event, in: trace) }
    }

    public mutating func finish(in trace: borrowing Trace, _ integrity: CaptureIntegrity) -> CaptureSnapshot {
        let frames = statistics.frames ?? 0...0
        let statistics = statistics.finish(in: trace, integrity)
        var incidents = incidents.finish(in: trace, integrity)
        if isSelection { incidents.select(frames, statistics) }
        return CaptureSnapshot(statistics, fields, incidents, in: trace, file: file)
    }
}
