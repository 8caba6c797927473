import AttlasDissection
import AttlasTrace
import AttlasValues
import AttlasWire

/// The GATT trees of one capture: those of the peers, and those of the recorded host or of centrals captured from the air.
public struct TreeModel: CaptureDocument {
    package struct Server: Sendable {
        /// Index into `Trace.peers`, or `Trace.controllers`.
        package let index: Int
        package let address: BluetoothAddress?
        package let name: String?
        /// The last MTU in force; for a peer. At least so much if it is not known.
        package let mtu: Int?
        package let isMTUKnown: Bool
        /// Linux's index of the recorded host's controller; nil for a peer.
        package let controller: UInt16?
        /// A central in a capture from the air.
        package let isHeard: Bool
        package let databaseHash: UInt128?
        package let tree: TableTree
        /// Parts of earlier versions of the table that the next one lacked; the latest first.
        package let former: [FormerTree]
        /// The traffic of each attribute.
        package let activities: [AttributeHandle: TreeCollector.Activity]
        /// The last values.
        package let values: [AttributeHandle: KeptValue]

        /// The server as it was.
        package func with(_ former: FormerTree) -> Server {
            Server(
                index: index, address: address, name: name, mtu: mtu, isMTUKnown: isMTUKnown, controller: controller,
                isHeard: isHeard, databaseHash: databaseHash, tree: former.tree, former: [],
                activities: former.activities, values: former.values)
        }
    }

    /// The differing part of an earlier table.
    package struct FormerTree: Sendable {
        /// The frame up to which it held.
        package let until: Int
        package let reason: AttributeTable.Former.Reason
        package let tree: TableTree
        /// The traffic while it held, of attributes whose handles have another type now.
        package let activities: [AttributeHandle: TreeCollector.Activity]
        package let values: [AttributeHandle: KeptValue]
    }

    public let integrity: CaptureIntegrity
    package let peers: [Server]
    package let local: [Server]
    /// Operations on attributes over `TreeCollector.limit`.
    package let leftOut: Int
    /// Servers over the limit that was given to the collector.
    package let serversLeftOut: Int
    /// The UUIDs that the trees name by their numbers.
    package let names: UUIDNames

    init(
        _ collector: TreeCollector, _ values: ValueInterpreter, _ integrity: CaptureIntegrity, serverLimit: Int,
        in trace: borrowing Trace
    ) {
        self.integrity = integrity
        var reader = TreeReader(interpreter: values)
        var peers: [Server] = []
        var count = 0
        for (index, peer) in trace.peers.enumerated() where peer.mergedInto == nil {
            count += 1
            guard count <= serverLimit else { continue }
            let activities = collector.activities[.peer(index)] ?? [:]
            let tree = TableTree(peer.table, used: activities.keys)
            peers.append(
                Server(
                    index: index, address: peer.address, name: peer.name, mtu: peer.mtu, isMTUKnown: peer.isMTUKnown,
                    controller: nil, isHeard: false,
                    databaseHash: peer.table.databaseHash?.value, tree: tree,
                    former: reader.former(peer.table, activities, collector, .peer(index), in: trace),
                    activities: activities,
                    values: reader.values(tree, activities, .peer(index), in: trace)))
        }
        var local: [Server] = []
        for (index, controller) in trace.controllers.enumerated() {
            let activities = collector.activities[.local(index)]
            if controller.table.isEmpty && activities == nil { continue }
            count += 1
            guard count <= serverLimit else { continue }
            let tree = TableTree(controller.table, used: (activities ?? [:]).keys)
            local.append(
                Server(
                    index: index, address: controller.address, name: nil, mtu: nil, isMTUKnown: false,
                    controller: controller.index,
                    isHeard: controller.isHeard, databaseHash: controller.table.databaseHash?.value, tree: tree,
                    former: reader.former(controller.table, activities ?? [:], collector, .local(index), in: trace),
                    activities: activities ?? [:],
                    values: reader.values(tree, activities ?? [:], .local(index), in: trace)))
        }
        self.peers = peers
        self.local = local
        leftOut = collector.leftOut
        serversLeftOut = max(0, count - serverLimit)
        names = UUIDNames(trace, values.library)
    }
}

/// Reads the last values of a tree.
private struct TreeReader {
    var interpreter: ValueInterpreter

    mutating func former(
        _ table: AttributeTable, _ now: [AttributeHandle: TreeCollector.Activity], _ collector: TreeCollector,
        _ owner: TableOwner, in trace: borrowing Trace
    ) -> [TreeModel.FormerTree] {
        var trees: [TreeModel.FormerTree] = []
        var newer = table
        for version in table.former.reversed() {
            let tree = TableTree(version.table, used: []).without(newer)
            newer = version.table
            guard !tree.services.isEmpty else { continue }
            var activities: [AttributeHandle: TreeCollector.Activity] = [:]
            tree.forEachAttribute(of: owner) { handle, type, _ in
                let activity = now[handle].flatMap { ($0.type ?? type) == type ? $0 : nil }
                activities[handle] = activity ?? collector.formerActivity(owner, handle, type)
            }
            trees.append(
                TreeModel.FormerTree(
                    until: version.until, reason: version.reason, tree: tree, activities: activities,
                    values: values(tree, activities, owner, in: trace)))
        }
        return trees
    }

    mutating func values(
        _ tree: TableTree, _ activities: [AttributeHandle: TreeCollector.Activity], _ owner: TableOwner,
        in trace: borrowing Trace
    ) -> [AttributeHandle: KeptValue] {
        var values: [AttributeHandle: KeptValue] = [:]
        tree.forEachAttribute(of: owner) { handle, type, place in
            values[handle] = activities[handle]?.value(type, at: place, &interpreter, in: trace)
        }
        for (handle, activity) in activities where values[handle] == nil {
            values[handle] = activity.value(nil, at: nil, &interpreter, in: trace)
        }
        return values
    }
}

extension TreeCollector.Activity {
    /// The last value, read; nil if there is none.
    /// - Parameter type: of the attribute in the tree.
    package func value(
        _ type: UUIDIndex?, at place: ValuePlace?, _ values: inout ValueInterpreter, in trace: borrowing Trace
    ) -> KeptValue? {
        guard let lastValue else { return nil }
        return values.read(
            kept: lastValue, type, former: self.type, lastAccess, at: place, ending: lastEnding, isMessage: isMessage,
            in: trace)
    }
}

extension TableTree {
    /// Calls `body` with every attribute that has a type, and its place.
    func forEachAttribute(of owner: TableOwner, _ body: (AttributeHandle, UUIDIndex, ValuePlace?) -> Void) {
        for node in services {
            for item in node.characteristics {
                let characteristic = item.characteristic
                body(
                    characteristic.valueHandle, characteristic.uuid,
                    ValuePlace(characteristic, of: node.service, isValue: true, owner: owner))
                for descriptor in item.descriptors {
                    let place = ValuePlace(characteristic, of: node.service, isValue: false, owner: owner)
                    body(descriptor.handle, descriptor.uuid, place)
                }
            }
            for attribute in node.others { body(attribute.handle, attribute.uuid, nil) }
        }
    }
}
