import AttlasTrace
import AttlasWire

/// The GATT trees as one JSON document, described by Documentation/schemas/tree.schema.json.
public struct TreeJSON {
    private var json = JSONWriter()
    private var values: ValueReader
    private let collector: TreeCollector

    public init(collector: TreeCollector, values: ValueReader) {
        self.collector = collector
        self.values = values
    }

    public mutating func write(_ trace: borrowing Trace, file: String, into output: inout Output) {
        json.beginObject()
        json.key("file")
        json.string(file)
        json.key("peers")
        json.beginArray()
        for (index, peer) in trace.peers.enumerated() where peer.mergedInto == nil {
            json.beginObject()
            if let address = peer.address {
                write("address", address.description)
                write("address_type", address.kind.rawValue)
            }
            if let name = peer.name { write("name", name) }
            write("mtu", peer.mtu)
            write(peer.table, .peer(index), in: trace)
            json.endObject()
        }
        json.endArray()
        json.key("local")
        json.beginArray()
        for (index, controller) in trace.controllers.enumerated() {
            let owner = TableOwner.local(index)
            if controller.table.isEmpty && collector.activities[owner] == nil { continue }
            json.beginObject()
            write("controller", controller.index)
            if let address = controller.address { write("address", address.description) }
            write(controller.table, owner, in: trace)
            json.endObject()
        }
        json.endArray()
        json.endObject()
        json.endLine()
        output.write(&json.text)
    }

    private mutating func write(_ table: AttributeTable, _ owner: TableOwner, in trace: borrowing Trace) {
        values.memory.owner = owner
        let activities = collector.activities[owner] ?? [:]
        let model = TreeModel(table, used: activities.keys)
        if let hash = table.databaseHash {
            json.key("database_hash")
            json.hex(databaseHash: hash.value)
        }
        json.key("services")
        json.beginArray()
        for node in model.services { write(node, activities, in: trace) }
        json.endArray()
        json.key("unknown_handles")
        json.beginArray()
        for handle in model.unknownHandles {
            json.beginObject()
            write("handle", handle)
            write(activities[handle], nil, nil, in: trace)
            json.endObject()
        }
        json.endArray()
    }

    private mutating func write(
        _ node: TreeModel.ServiceNode, _ activities: [AttributeHandle: TreeCollector.Activity],
        in trace: borrowing Trace
    ) {
        json.beginObject()
        if let service = node.service {
            write("handle", service.handle)
            write("end_handle", service.endHandle)
            write(service.uuid, .service, in: trace)
            json.key("primary")
            json.boolean(service.isPrimary)
            write(service.learned)
        }
        json.key("includes")
        json.beginArray()
        for include in node.includes {
            json.beginObject()
            write("handle", include.handle)
            write("included_handle", include.includedHandle)
            write("included_end_handle", include.endHandle)
            if let uuid = include.uuid { write(uuid, .service, in: trace) }
            write(include.learned)
            json.endObject()
        }
        json.endArray()
        json.key("characteristics")
        json.beginArray()
        for characteristic in node.characteristics {
            write(characteristic, node.service, activities, in: trace)
        }
        json.endArray()
        if !node.others.isEmpty {
            json.key("attributes")
            json.beginArray()
            for attribute in node.others { write(attribute, nil, activities, in: trace) }
            json.endArray()
        }
        json.endObject()
    }

    private mutating func write(
        _ node: TreeModel.CharacteristicNode, _ service: AttributeTable.Service?,
        _ activities: [AttributeHandle: TreeCollector.Activity], in trace: borrowing Trace
    ) {
        let characteristic = node.characteristic
        json.beginObject()
        write("handle", characteristic.handle)
        write("value_handle", characteristic.valueHandle)
        write(characteristic.uuid, .characteristic, in: trace)
        json.key("properties")
        json.beginArray()
        for (property, name) in CharacteristicProperties.names where characteristic.properties.contains(property) {
            json.literal(name)
        }
        json.endArray()
        write(characteristic.learned)
        write(
            activities[characteristic.valueHandle], characteristic.uuid,
            ValuePlace(characteristic, of: service, isValue: true), in: trace)
        json.key("descriptors")
        json.beginArray()
        for descriptor in node.descriptors {
            write(descriptor, ValuePlace(characteristic, of: service, isValue: false), activities, in: trace)
        }
        json.endArray()
        json.endObject()
    }

    private mutating func write(
        _ attribute: AttributeTable.TypedAttribute, _ place: ValuePlace?,
        _ activities: [AttributeHandle: TreeCollector.Activity], in trace: borrowing Trace
    ) {
        json.beginObject()
        write("handle", attribute.handle)
        write(attribute.uuid, attribute.isDescriptor ? .descriptor : .characteristic, in: trace)
        write(attribute.learned)
        write(activities[attribute.handle], attribute.uuid, place, in: trace)
        json.endObject()
    }

    // MARK: Pieces

    private mutating func write(_ uuid: UUIDIndex, _ kind: NameKind, in trace: borrowing Trace) {
        write("uuid", trace.uuids[uuid].description)
        if let name = values.knownName(uuid, kind, in: trace) { write("name", name) }
    }

    private mutating func write(_ learned: AttributeTable.Learned) {
        if learned.isImported { return write("known_from", KnownFrom.imported.rawValue) }
        write("known_from", (learned.inference == nil ? KnownFrom.discovery : .inferred).rawValue)
        if let inference = learned.inference { write("reason", inference.rawValue) }
        write("frame", learned.frame)
        write("connection", learned.connection)
    }

    private mutating func write(
        _ activity: TreeCollector.Activity?, _ type: UUIDIndex?, _ place: ValuePlace?, in trace: borrowing Trace
    ) {
        guard let activity else { return }
        json.key("counts")
        json.beginObject()
        write("reads", activity.reads)
        write("writes", activity.writes)
        write("notifications", activity.notifications)
        write("indications", activity.indications)
        write("errors", activity.errors)
        json.endObject()
        if let frame = activity.subscribedFrame {
            json.key("subscription")
            json.beginObject()
            write("frame", frame)
            json.key("notifications")
            json.boolean(activity.configuration & 0x0001 != 0)
            json.key("indications")
            json.boolean(activity.configuration & 0x0002 != 0)
            json.endObject()
        }
        guard let value = activity.lastValue else { return }
        let bytes = Bytes(value.span)
        json.key("value")
        json.hex(bytes)
        if let type {
            values.write(bytes, type, activity.lastAccess, at: place, isPartial: false, in: trace, to: &json)
        }
    }

    private mutating func write(_ key: StaticString, _ value: String) {
        json.key(key)
        json.string(value)
    }

    private mutating func write(_ key: StaticString, _ value: some FixedWidthInteger) {
        json.key(key)
        json.number(value)
    }
}
