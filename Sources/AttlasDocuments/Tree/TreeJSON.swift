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
        json.objects("peers", model.peers) { json, server in
            if let address = server.address { json.write(address) }
            json.member("name", server.name)
            json.member(server.isMTUKnown ? "mtu" : "mtu_at_least", server.mtu)
            json.write(server, model.names)
        }
        json.objects("local", model.local) { json, server in
            json.member("controller", server.controller)
            json.member("address", server.address?.description)
            json.write(server, model.names)
        }
        json.member("operations_left_out", model.leftOut)
        json.endDocument(model.integrity, into: &output)
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ server: TreeModel.Server, _ names: UUIDNames) {
        if let hash = server.databaseHash { member("database_hash", databaseHash: hash) }
        objects("services", server.tree.services) { $0.write($1, server, names) }
        objects("unknown_handles", server.tree.unknownHandles) { json, handle in
            json.member("handle", handle)
            json.writeActivity(of: handle, server)
        }
        guard !server.former.isEmpty else { return }
        objects("former", server.former) { json, former in
            json.member("until_frame", former.until)
            json.member("reason", former.reason.rawValue)
            let then = server.with(former)
            json.objects("services", former.tree.services) { $0.write($1, then, names) }
        }
    }

    private mutating func write(_ node: TableTree.ServiceNode, _ server: TreeModel.Server, _ names: UUIDNames) {
        if let service = node.service {
            member("handle", service.handle)
            member("end_handle", service.endHandle)
            write(service.uuid, .service, names)
            if let isPrimary = service.isPrimary { member("primary", isPrimary) }
            write(service.learned)
        }
        objects("includes", node.includes) { json, include in
            json.member("handle", include.handle)
            json.member("included_handle", include.includedHandle)
            json.member("included_end_handle", include.endHandle)
            if let uuid = include.uuid { json.write(uuid, .service, names) }
            json.write(include.learned)
        }
        objects("characteristics", node.characteristics) { json, node in
            let characteristic = node.characteristic
            json.member("handle", characteristic.handle)
            json.member("value_handle", characteristic.valueHandle)
            json.write(characteristic.uuid, .characteristic, names)
            json.write(characteristic.properties)
            json.write(characteristic.learned)
            json.writeActivity(of: characteristic.valueHandle, server)
            json.write("descriptors", node.descriptors, server, names)
        }
        if !node.others.isEmpty { write("attributes", node.others, server, names) }
    }

    private mutating func write(
        _ key: StaticString, _ attributes: [AttributeTable.TypedAttribute], _ server: TreeModel.Server,
        _ names: UUIDNames
    ) {
        objects(key, attributes) { json, attribute in
            json.member("handle", attribute.handle)
            json.write(attribute.uuid, attribute.isValue ? .characteristic : .descriptor, names)
            json.write(attribute.learned)
            json.writeActivity(of: attribute.handle, server)
        }
    }

    private mutating func write(_ uuid: UUIDIndex, _ kind: NameKind, _ names: UUIDNames) {
        write(
            names[uuid], name: names.knownName(uuid, kind), assignee: kind == .service ? names.assignee(uuid) : nil)
    }

    private mutating func write(_ learned: AttributeTable.Learned) {
        if learned.isImported { return member("known_from", KnownFrom.imported.rawValue) }
        member("known_from", (learned.inference == nil ? KnownFrom.discovery : .inferred).rawValue)
        member("reason", learned.inference?.rawValue)
        member("frame", learned.frame)
        member("connection", learned.connection)
    }

    private mutating func writeActivity(of handle: AttributeHandle, _ server: TreeModel.Server) {
        guard let activity = server.activities[handle] else { return }
        object("counts") { json in
            json.member("reads", activity.reads)
            json.member("writes", activity.writes)
            json.member("notifications", activity.notifications)
            json.member("indications", activity.indications)
            json.member("errors", activity.errors)
        }
        if let frame = activity.subscribedFrame {
            object("subscription") { json in
                json.member("frame", frame)
                json.write(configuration: activity.configuration)
            }
        }
        if !activity.endpointStates.isEmpty {
            objects("endpoint_states", activity.endpointStates) { json, known in
                json.write(known.moment)
                json.write(known.state)
            }
            member("endpoint_states_left_out", activity.endpointStatesLeftOut)
        }
        guard let value = server.values[handle] else { return }
        write(value.octets)
        write(activity.lastEnding)
        write(fieldsOf: value)
    }
}
