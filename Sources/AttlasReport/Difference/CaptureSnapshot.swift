import AttlasMetrics
import AttlasTrace
import AttlasWire

/// What of a capture can be held against another one. Nothing in it belongs to the trace: its numbers of UUIDs mean nothing in
/// another.
public struct CaptureSnapshot: Sendable {
    public let file: String
    let servers: [Server]
    let exchanges: [(key: MeasureKey, row: ExchangeRow)]
    let values: [(key: MeasureKey, row: ValueRow)]
    let fields: [FieldRanges.Range]

    /// The GATT server of a peer.
    struct Server: Sendable {
        let address: BluetoothAddress?
        let name: String?
        let attributes: [Attribute]
    }

    struct Attribute: Sendable {
        let path: [Step]
        let handle: AttributeHandle
        /// nil when it is no characteristic.
        let properties: CharacteristicProperties?
    }

    /// One step on the way to an attribute: the which one of its UUID, counted from 0, below the step before.
    struct Step: Hashable, Sendable {
        let kind: NameKind
        /// nil for what belongs to no service that was discovered.
        let uuid: BluetoothUUID?
        let occurrence: Int
    }

    /// What measures of two captures have in common.
    struct MeasureKey: Hashable, Sendable {
        let opcode: ATTOpcode
        let direction: Direction
        let server: ServerSide?
        let service: BluetoothUUID?
        let characteristic: BluetoothUUID?
        let descriptor: BluetoothUUID?

        init(_ key: RowKey, in trace: borrowing Trace) {
            opcode = key.opcode
            direction = key.direction
            server = key.subject?.server
            service = key.subject?.service.map { trace.uuids[$0] }
            characteristic = key.subject?.characteristic.map { trace.uuids[$0] }
            descriptor = key.subject?.descriptor.map { trace.uuids[$0] }
        }
    }

    public init(_ statistics: SelectedStatistics, _ trace: borrowing Trace, file: String) {
        self.file = file
        fields = statistics.fields?.ranges ?? []
        let collector = statistics.collector
        var servers: [Server] = []
        for peer in trace.peers where peer.mergedInto == nil && !peer.table.isEmpty {
            servers.append(
                Server(address: peer.address, name: peer.name, attributes: Self.attributes(peer.table, in: trace)))
        }
        self.servers = servers
        let group = collector.groups(by: .characteristic).first
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
        for node in TreeModel(table, used: []).services {
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
