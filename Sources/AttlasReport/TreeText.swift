import AttlasTrace
import AttlasWire

/// The GATT tree of each peer, and of the recorded host itself, as text.
public struct TreeText {
    var line: LineWriter
    private var piece = TextBuffer()
    private var values: ValueReader
    private let collector: TreeCollector

    public init(collector: TreeCollector, values: ValueReader, width: Int?, isColoured: Bool) {
        self.collector = collector
        self.values = values
        line = LineWriter(width: width, isColoured: isColoured)
    }

    /// `file` is named where there are several.
    public mutating func write(_ trace: borrowing Trace, file: String?) {
        if let file {
            piece.removeAll()
            piece.append(display: file)
            line.put(piece, .name)
            line.endLine()
            line.endLine()
        }
        let peers = trace.peers
        for (index, peer) in peers.enumerated() where peer.mergedInto == nil {
            writeTitle(peer)
            writeTree(peer.table, .peer(index), in: trace)
        }
        for (index, controller) in trace.controllers.enumerated() {
            let owner = TableOwner.local(index)
            if controller.table.isEmpty && collector.activities[owner] == nil { continue }
            line.put(controller.isHeard ? "Central" : "This host", .name)
            piece.removeAll()
            if let address = controller.address {
                piece.append("  ")
                piece.append(address)
            }
            if !controller.isHeard {
                piece.append("  controller ")
                piece.append(decimal: controller.index)
            }
            line.put(piece, .faint)
            putLearned(controller.table, owner)
            line.endLine()
            writeTree(controller.table, owner, in: trace)
        }
        if collector.leftOut > 0 {
            piece.removeAll()
            piece.append("✗ limit of ")
            piece.append(decimal: TreeCollector.limit)
            piece.append(" attributes with traffic reached: ")
            piece.append(decimal: collector.leftOut)
            piece.append(" operations on others are not counted")
            line.put(piece, .bad)
            line.endLine()
        }
        if peers.isEmpty {
            line.put("No connection in this capture, so no GATT server was seen.")
            line.endLine()
        }
    }

    public mutating func drain(into output: inout Output) {
        output.write(&line.text)
    }

    private mutating func writeTitle(_ peer: Peer) {
        piece.removeAll()
        if let name = peer.name { piece.append(display: name) } else { piece.append("Unnamed peer") }
        line.put(piece, .name)
        piece.removeAll()
        if let address = peer.address {
            piece.append("  ")
            piece.append(address)
            piece.append(" ")
            piece.append(string: address.kind.rawValue)
        } else {
            piece.append("  address unknown: connected before the capture began")
        }
        piece.append(" · MTU ")
        piece.append(decimal: peer.mtu)
        line.put(piece)
    }

    private mutating func putLearned(_ table: AttributeTable, _ owner: TableOwner) {
        let model = TreeModel(table, used: [])
        piece.removeAll()
        if let frames = model.learnedFrames {
            piece.append(" · discovered in frames ")
            piece.append(decimal: frames.lowerBound)
            piece.append("–")
            piece.append(decimal: frames.upperBound)
        }
        if model.hasImported { piece.append(" · imported") }
        line.put(piece, .faint)
    }

    private mutating func writeTree(_ table: AttributeTable, _ owner: TableOwner, in trace: borrowing Trace) {
        values.memory.owner = owner
        let activities = collector.activities[owner] ?? [:]
        let model = TreeModel(table, used: activities.keys)
        if case .peer = owner {
            putLearned(table, owner)
            line.endLine()
        }
        let branches = model.services.count + (model.unknownHandles.isEmpty ? 0 : 1)
        for (index, node) in model.services.enumerated() {
            write(node, isLast: index == branches - 1, activities, in: trace)
        }
        if !model.unknownHandles.isEmpty { writeUnknown(model.unknownHandles, activities) }
        if branches == 0 {
            line.put("└─ nothing discovered and nothing accessed", .faint)
            line.endLine()
        }
        line.endLine()
    }

    private mutating func write(
        _ node: TreeModel.ServiceNode, isLast: Bool, _ activities: [AttributeHandle: TreeCollector.Activity],
        in trace: borrowing Trace
    ) {
        line.put(isLast ? "└─ " : "├─ ")
        piece.removeAll()
        if let service = node.service {
            piece.append(service.handle, service.endHandle)
            line.put(piece, .faint)
            piece.removeAll()
            piece.append("  ")
            append(service.uuid, .service, in: trace)
            if !service.isPrimary { piece.append("  secondary") }
            line.put(piece, .name)
        } else {
            line.put("service not discovered", .faint)
        }
        line.endLine()

        let trunk: StaticString = isLast ? "   " : "│  "
        let count = node.includes.count + node.characteristics.count + node.others.count
        var done = 0
        for include in node.includes {
            done += 1
            branch(trunk, isLast: done == count, include.handle)
            piece.removeAll()
            piece.append("includes ")
            piece.append(include.includedHandle, include.endHandle)
            if let uuid = include.uuid {
                piece.append("  ")
                append(uuid, .service, in: trace)
            }
            line.put(piece)
            line.endLine()
        }
        for characteristic in node.characteristics {
            done += 1
            write(characteristic, node.service, trunk, isLast: done == count, activities, in: trace)
        }
        for attribute in node.others {
            done += 1
            branch(trunk, isLast: done == count, attribute.handle)
            piece.removeAll()
            append(attribute.uuid, attribute.isDescriptor ? .descriptor : .characteristic, in: trace)
            line.put(piece, .name)
            put(attribute.learned)
            put(activities[attribute.handle], attribute.uuid, nil, in: trace)
            line.endLine()
        }
    }

    private mutating func write(
        _ node: TreeModel.CharacteristicNode, _ service: AttributeTable.Service?, _ trunk: StaticString, isLast: Bool,
        _ activities: [AttributeHandle: TreeCollector.Activity], in trace: borrowing Trace
    ) {
        let characteristic = node.characteristic
        branch(trunk, isLast: isLast, characteristic.valueHandle)
        piece.removeAll()
        append(characteristic.uuid, .characteristic, in: trace)
        line.put(piece, .name)
        piece.removeAll()
        piece.append("  ")
        var isFirst = true
        for (property, name) in CharacteristicProperties.names where characteristic.properties.contains(property) {
            if !isFirst { piece.append(", ") }
            piece.append(name)
            isFirst = false
        }
        line.put(piece, .faint)
        put(characteristic.learned)
        put(
            activities[characteristic.valueHandle], characteristic.uuid,
            ValuePlace(characteristic, of: service, isValue: true), in: trace)
        line.endLine()

        for (index, descriptor) in node.descriptors.enumerated() {
            line.put(trunk)
            line.put(isLast ? "   " : "│  ")
            branch("", isLast: index == node.descriptors.count - 1, descriptor.handle)
            piece.removeAll()
            append(descriptor.uuid, .descriptor, in: trace)
            line.put(piece)
            put(descriptor.learned)
            let activity = activities[descriptor.handle]
            put(
                activity, descriptor.uuid, ValuePlace(characteristic, of: service, isValue: false), in: trace)
            if let frame = activity?.subscribedFrame {
                piece.removeAll()
                piece.append(activity?.configuration == 0 ? " · unsubscribed in frame " : " · subscribed in frame ")
                piece.append(decimal: frame)
                line.put(piece, .good)
            }
            line.endLine()
        }
    }

    private mutating func writeUnknown(
        _ handles: [AttributeHandle], _ activities: [AttributeHandle: TreeCollector.Activity]
    ) {
        line.put("└─ ")
        line.put("unknown: used, and not explained by this capture", .bad)
        line.endLine()
        for (index, handle) in handles.enumerated() {
            branch("   ", isLast: index == handles.count - 1, handle)
            if let activity = activities[handle] {
                put(counts: activity)
                if let value = activity.lastValue {
                    piece.removeAll()
                    piece.append(" · last ")
                    piece.append(octets: Bytes(value.span), limit: 16)
                    line.put(piece)
                }
            }
            line.endLine()
        }
    }

    // MARK: Pieces

    private mutating func branch(_ trunk: StaticString, isLast: Bool, _ handle: AttributeHandle) {
        line.put(trunk)
        line.put(isLast ? "└─ " : "├─ ")
        piece.removeAll()
        piece.append("0x")
        piece.append(hex: handle, digits: 4, uppercase: true)
        piece.append("  ")
        line.put(piece, .faint)
    }

    /// The name with its UUID behind it; the UUID alone when it has none.
    private mutating func append(_ uuid: UUIDIndex, _ kind: NameKind, in trace: borrowing Trace) {
        if let name = values.knownName(uuid, kind, in: trace) {
            piece.append(display: name)
            piece.append("  ")
        }
        piece.append(trace.uuids[uuid])
    }

    /// Where it is known from, when that is not discovery.
    private mutating func put(_ learned: AttributeTable.Learned) {
        if learned.isImported { line.put(" (imported)", .faint) }
        guard let inference = learned.inference else { return }
        piece.removeAll()
        piece.append(" (inferred: ")
        piece.append(string: inference.rawValue)
        piece.append(")")
        line.put(piece, .faint)
    }

    /// The last value, decoded, and how often values passed.
    private mutating func put(
        _ activity: TreeCollector.Activity?, _ type: UUIDIndex, _ place: ValuePlace?, in trace: borrowing Trace
    ) {
        guard let activity else { return }
        if let value = activity.lastValue {
            let bytes = Bytes(value.span)
            piece.removeAll()
            piece.append("  ")
            if !values.append(bytes, type, activity.lastAccess, at: place, in: trace, to: &piece) {
                piece.append(octets: bytes, limit: 20)
            }
            line.put(piece)
        }
        line.put(" · ", .faint)
        put(counts: activity)
    }

    private mutating func put(counts activity: TreeCollector.Activity) {
        piece.removeAll()
        var isFirst = true
        func count(_ count: Int, _ one: StaticString, _ many: StaticString, _ piece: inout TextBuffer) {
            guard count > 0 else { return }
            if !isFirst { piece.append(", ") }
            isFirst = false
            piece.append(decimal: count)
            piece.append(count == 1 ? one : many)
        }
        count(activity.reads, " read", " reads", &piece)
        count(activity.writes, " write", " writes", &piece)
        count(activity.notifications, " notification", " notifications", &piece)
        count(activity.indications, " indication", " indications", &piece)
        count(activity.errors, " error", " errors", &piece)
        let values = activity.notifications + activity.indications
        if values > 2, let first = activity.firstValue, let last = activity.lastValueTime {
            let span = last.nanoseconds(since: first)
            if span > 0 {
                piece.append(", ")
                piece.append(tenths: UInt64(Double(values - 1) * 10e9 / Double(span) + 0.5))
                piece.append("/s")
            }
        }
        line.put(piece, .faint)
    }
}
