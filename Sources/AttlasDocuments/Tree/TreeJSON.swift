import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// The GATT trees as one JSON document, described by Documentation/schemas/tree.schema.json.
package struct TreeJSON {
    private var json = JSONWriter()
    private let model: TreeModel

    package init(_ model: TreeModel) {
        self.model = model
    }

    package mutating func write(file: String, into output: inout Output) {
        json.beginDocument("attlas/tree/1")
        json.member("file", file)
        json.key("peers")
        json.beginArray()
        for server in model.peers {
            json.beginObject()
            if let address = server.address { json.write(address) }
            json.member("name", server.name)
            if let mtu = server.mtu {
                json.key(server.isMTUKnown ? "mtu" : "mtu_at_least")
                json.number(mtu)
            }
            write(server)
            json.endObject()
        }
        json.endArray()
        json.key("local")
        json.beginArray()
        for server in model.local {
            json.beginObject()
            json.member("controller", server.controller)
            json.member("address", server.address?.description)
            write(server)
            json.endObject()
        }
        json.endArray()
        json.member("operations_left_out", model.leftOut)
        json.write(model.integrity)
        json.endObject()
        json.endLine()
        output.write(&json.text)
    }

    private mutating func write(_ server: TreeModel.Server) {
        if let hash = server.databaseHash {
            json.member("database_hash", databaseHash: hash)
        }
        json.key("services")
        json.beginArray()
        for node in server.tree.services { write(node, server) }
        json.endArray()
        json.key("unknown_handles")
        json.beginArray()
        for handle in server.tree.unknownHandles {
            json.beginObject()
            json.member("handle", handle)
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
            json.member("handle", service.handle)
            json.member("end_handle", service.endHandle)
            write(service.uuid, .service)
            if let isPrimary = service.isPrimary { json.member("primary", isPrimary) }
            write(service.learned)
        }
        json.key("includes")
        json.beginArray()
        for include in node.includes {
            json.beginObject()
            json.member("handle", include.handle)
            json.member("included_handle", include.includedHandle)
            json.member("included_end_handle", include.endHandle)
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
        json.member("handle", characteristic.handle)
        json.member("value_handle", characteristic.valueHandle)
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
        json.member("handle", attribute.handle)
        write(attribute.uuid, attribute.isValue ? .characteristic : .descriptor)
        write(attribute.learned)
        writeActivity(of: attribute.handle, server)
        json.endObject()
    }

    // MARK: Pieces

    private mutating func write(_ uuid: UUIDIndex, _ kind: NameKind) {
        json.write(
            model.names[uuid], name: model.names.knownName(uuid, kind),
            assignee: kind == .service ? model.names.assignee(uuid) : nil)
    }

    private mutating func write(_ learned: AttributeTable.Learned) {
        if learned.isImported { return json.member("known_from", KnownFrom.imported.rawValue) }
        json.member("known_from", (learned.inference == nil ? KnownFrom.discovery : .inferred).rawValue)
        json.member("reason", learned.inference?.rawValue)
        json.member("frame", learned.frame)
        json.member("connection", learned.connection)
    }

    private mutating func writeActivity(of handle: AttributeHandle, _ server: TreeModel.Server) {
        guard let activity = server.activities[handle] else { return }
        json.key("counts")
        json.beginObject()
        json.member("reads", activity.reads)
        json.member("writes", activity.writes)
        json.member("notifications", activity.notifications)
        json.member("indications", activity.indications)
        json.member("errors", activity.errors)
        json.endObject()
        if let frame = activity.subscribedFrame {
            json.key("subscription")
            json.beginObject()
            json.member("frame", frame)
            json.member("notifications", activity.configuration & 0x0001 != 0)
            json.member("indications", activity.configuration & 0x0002 != 0)
            json.endObject()
        }
        if !activity.endpointStates.isEmpty {
            json.key("endpoint_states")
            json.beginArray()
            for known in activity.endpointStates {
                json.beginObject()
                json.key("time")
                json.value { text in
                    text.append("\"")
                    text.append(utc: known.moment.time)
                    text.append("\"")
                }
                json.member("frame", known.moment.frame)
                json.write(known.state)
                json.endObject()
            }
            json.endArray()
            json.member("endpoint_states_left_out", activity.endpointStatesLeftOut)
        }
        guard let value = server.values[handle] else { return }
        json.write(value.octets)
        json.write(activity.lastEnding)
        json.write(fieldsOf: value)
    }
}
