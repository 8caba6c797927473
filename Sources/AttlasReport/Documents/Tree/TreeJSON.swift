import AttlasMetrics
import AttlasTrace
import AttlasValues
import AttlasWire

/// The GATT trees as one JSON document, described by Documentation/schemas/tree.schema.json.
public struct TreeJSON {
    private var json = JSONWriter()
    private let model: TreeModel

    public init(_ model: TreeModel) {
        self.model = model
    }

    public mutating func write(file: String, into output: inout Output) {
        json.beginObject()
        json.key("file")
        json.string(file)
        json.key("peers")
        json.beginArray()
        for server in model.peers {
            json.beginObject()
            if let address = server.address { json.write(address) }
            if let name = server.name { write("name", name) }
            if let mtu = server.mtu { write("mtu", mtu) }
            write(server)
            json.endObject()
        }
        json.endArray()
        json.key("local")
        json.beginArray()
        for server in model.local {
            json.beginObject()
            if let controller = server.controller { write("controller", controller) }
            if let address = server.address { write("address", address.description) }
            write(server)
            json.endObject()
        }
        json.endArray()
        write("operations_left_out", model.leftOut)
        json.endObject()
        json.endLine()
        output.write(&json.text)
    }

    private mutating func write(_ server: TreeModel.Server) {
        if let hash = server.databaseHash {
            json.key("database_hash")
            json.hex(databaseHash: hash)
        }
        json.key("services")
        json.beginArray()
        for node in server.tree.services { write(node, server) }
        json.endArray()
        json.key("unknown_handles")
        json.beginArray()
        for handle in server.tree.unknownHandles {
            json.beginObject()
            write("handle", handle)
            writeActivity(of: handle, server)
            json.endObject()
        }
        json.endArray()
    }

    private mutating func write(
        _ node: TableTree.ServiceNode, _ server: TreeModel.Server
    ) {
        json.beginObject()
        if let service = node.service {
            write("handle", service.handle)
            write("end_handle", service.endHandle)
            write(service.uuid, .service)
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
            if let uuid = include.uuid { write(uuid, .service) }
            write(include.learned)
            json.endObject()
        }
        json.endArray()
        json.key("characteristics")
        json.beginArray()
        for characteristic in node.characteristics { write(characteristic, server) }
        json.endArray()
        if !node.others.isEmpty {
            json.key("attributes")
            json.beginArray()
            for attribute in node.others { write(attribute, server) }
            json.endArray()
        }
        json.endObject()
    }

    private mutating func write(
        _ node: TableTree.CharacteristicNode, _ server: TreeModel.Server
    ) {
        let characteristic = node.characteristic
        json.beginObject()
        write("handle", characteristic.handle)
        write("value_handle", characteristic.valueHandle)
        write(characteristic.uuid, .characteristic)
        json.write(characteristic.properties)
        write(characteristic.learned)
        writeActivity(of: characteristic.valueHandle, server)
        json.key("descriptors")
        json.beginArray()
        for descriptor in node.descriptors { write(descriptor, server) }
        json.endArray()
        json.endObject()
    }

    private mutating func write(
        _ attribute: AttributeTable.TypedAttribute, _ server: TreeModel.Server
    ) {
        json.beginObject()
        write("handle", attribute.handle)
        write(attribute.uuid, attribute.isDescriptor ? .descriptor : .characteristic)
        write(attribute.learned)
        writeActivity(of: attribute.handle, server)
        json.endObject()
    }

    // MARK: Pieces

    private mutating func write(_ uuid: UUIDIndex, _ kind: NameKind) {
        json.write(model.names[uuid], name: model.names.knownName(uuid, kind))
    }

    private mutating func write(_ learned: AttributeTable.Learned) {
        if learned.isImported { return write("known_from", KnownFrom.imported.rawValue) }
        write("known_from", (learned.inference == nil ? KnownFrom.discovery : .inferred).rawValue)
        if let inference = learned.inference { write("reason", inference.rawValue) }
        write("frame", learned.frame)
        write("connection", learned.connection)
    }

    private mutating func writeActivity(of handle: AttributeHandle, _ server: TreeModel.Server) {
        guard let activity = server.activities[handle] else { return }
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
        json.key("value")
        json.hex(Bytes(value.span))
        if let reading = server.readings[handle] { json.write(reading) }
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
