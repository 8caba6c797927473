import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// The GATT tree of each peer, and of the recorded host itself, as text.
package struct TreeText {
    var line: LineWriter
    private var piece = TextBuffer()
    /// The prefix of a line that continues the branch.
    private var guide: [StaticString] = []
    private let model: TreeModel

    package init(_ model: TreeModel, width: Int?, isColoured: Bool) {
        self.model = model
        line = LineWriter(width: width, isColoured: isColoured)
    }

    /// `file` is named where there are several.
    package mutating func write(file: String?, into output: inout Output) {
        write(file: file)
        output.write(&line.text)
    }

    mutating func write(file: String?) {
        if let file {
            line.put("\(display: file)", .name)
            line.endLine()
            line.endLine()
        }
        line.putDamage(model.integrity)
        for server in model.peers {
            writeTitle(ofPeer: server)
            writeTree(of: server)
        }
        for server in model.local {
            writeTitle(ofHost: server)
            writeTree(of: server)
        }
        if model.leftOut > 0 {
            line.put("✗ limit of \(TreeCollector.limit) attributes with traffic reached: ", .bad)
            line.put("\(model.leftOut) operations on others are not counted", .bad)
            line.endLine()
        }
        guard model.peers.isEmpty else { return line.put(model.integrity) }
        line.put("No connection in this capture, so no GATT server was seen.")
        line.endLine()
        line.putPart(model.integrity)
    }

    private mutating func writeTitle(ofPeer server: TreeModel.Server) {
        let name = server.name ?? (server.address == nil ? unknownPeer : nil)
        if let name { line.put("\(display: name)", .name) }
        if name != nil { line.put("  ") }
        if let address = server.address {
            line.put("\(address) \(own: address.kind.rawValue)")
        } else {
            line.put("address unknown: its connection was not captured")
        }
        if let mtu = server.mtu {
            if server.isMTUKnown {
                line.put(" · MTU \({ $0.append(mtu: mtu) })")
            } else {
                line.put(" · MTU at least \(mtu), its exchange was not captured")
            }
        }
        guide = []
        putLearned(server.tree)
        line.endLine()
    }

    private mutating func writeTitle(ofHost server: TreeModel.Server) {
        line.put(server.isHeard ? "Central" : "This host", .name)
        if let address = server.address { line.put("  \(address)", .faint) }
        if !server.isHeard, let controller = server.controller { line.put("  controller \(controller)", .faint) }
        guide = []
        putLearned(server.tree)
        line.endLine()
    }

    private mutating func putLearned(_ tree: TableTree) {
        piece.removeAll()
        piece.append(learned: tree)
        putBelow(.faint)
    }

    private mutating func writeTree(of server: TreeModel.Server) {
        let tree = server.tree
        let branches = tree.services.count + (tree.unknownHandles.isEmpty ? 0 : 1)
        for (index, node) in tree.services.enumerated() { write(node, isLast: index == branches - 1, server) }
        if !tree.unknownHandles.isEmpty { writeUnknown(tree.unknownHandles, server) }
        if branches == 0 {
            line.put(
                server.former.isEmpty
                    ? "└─ nothing discovered and nothing accessed" : "└─ nothing discovered since then", .faint)
            line.endLine()
        }
        for former in server.former {
            line.put("until frame \(former.until), then \(own: former.reason.rawValue):", .name)
            line.endLine()
            let then = server.with(former)
            for (index, node) in former.tree.services.enumerated() {
                write(node, isLast: index == former.tree.services.count - 1, then)
            }
        }
        line.endLine()
    }

    private mutating func write(
        _ node: TableTree.ServiceNode, isLast: Bool, _ server: TreeModel.Server
    ) {
        line.put(isLast ? "└─ " : "├─ ")
        piece.removeAll()
        if let service = node.service {
            piece.append(service.handle, service.endHandle)
            line.put(piece, .faint)
            piece.removeAll()
            piece.append("  ")
            append(service.uuid, .service)
            if service.isPrimary == false { piece.append("  secondary") }
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
                append(uuid, .service)
            }
            line.put(piece)
            line.endLine()
        }
        for characteristic in node.characteristics {
            done += 1
            write(characteristic, trunk, isLast: done == count, server)
        }
        for attribute in node.others {
            done += 1
            branch(trunk, isLast: done == count, attribute.handle)
            piece.removeAll()
            append(attribute.uuid, attribute.isValue ? .characteristic : .descriptor)
            line.put(piece, .name)
            put(attribute.learned)
            putActivity(of: attribute.handle, server)
            line.endLine()
        }
    }

    private mutating func write(
        _ node: TableTree.CharacteristicNode, _ trunk: StaticString, isLast: Bool, _ server: TreeModel.Server
    ) {
        let characteristic = node.characteristic
        branch(trunk, isLast: isLast, characteristic.valueHandle)
        piece.removeAll()
        append(characteristic.uuid, .characteristic)
        line.put(piece, .name)
        line.put("  \({ $0.append(characteristic.properties) })", .faint)
        put(characteristic.learned)
        putActivity(of: characteristic.valueHandle, server)
        putEndpointStates(of: characteristic.valueHandle, server)
        line.endLine()

        for (index, descriptor) in node.descriptors.enumerated() {
            line.put(trunk)
            line.put(isLast ? "   " : "│  ")
            branch("", isLast: index == node.descriptors.count - 1, descriptor.handle)
            guide = [trunk, isLast ? "   " : "│  "] + guide
            piece.removeAll()
            append(descriptor.uuid, .descriptor)
            line.put(piece)
            put(descriptor.learned)
            putActivity(of: descriptor.handle, server)
            if let activity = server.activities[descriptor.handle], let frame = activity.subscribedFrame {
                let change: StaticString = activity.configuration == 0 ? "unsubscribed" : "subscribed"
                piece = TextBuffer(" · \(change) in frame \(frame)")
                putBelow(.good)
            }
            line.endLine()
        }
    }

    private mutating func writeUnknown(
        _ handles: [AttributeHandle], _ server: TreeModel.Server
    ) {
        line.put("└─ ")
        line.put("unknown: used, and not explained by this capture", .bad)
        line.endLine()
        for (index, handle) in handles.enumerated() {
            branch("   ", isLast: index == handles.count - 1, handle)
            if let activity = server.activities[handle] {
                line.put("\({ $0.append(countsOf: activity) })", .faint)
                if let value = server.values[handle] {
                    piece = TextBuffer(" · last \({ $0.append(value, limit: 16) })")
                    putBelow()
                }
            }
            line.endLine()
        }
    }

    // MARK: Pieces

    private mutating func branch(_ trunk: StaticString, isLast: Bool, _ handle: AttributeHandle) {
        line.put(trunk)
        line.put(isLast ? "└─ " : "├─ ")
        guide = [trunk, isLast ? "   " : "│  "]
        line.put("\(hex: handle)  ", .faint)
    }

    /// The name with its UUID after it; the UUID alone when it has none.
    private mutating func append(_ uuid: UUIDIndex, _ kind: NameKind) {
        if let name = model.names.knownName(uuid, kind) { piece.append("\(display: name)  ") }
        piece.append(model.names[uuid])
        if kind == .service, let assignee = model.names.assignee(uuid) {
            piece.append("  assigned to \(display: assignee)")
        }
    }

    /// Where it is known from, when that is not discovery.
    private mutating func put(_ learned: AttributeTable.Learned) {
        if learned.isImported { line.put(" (imported)", .faint) }
        if let inference = learned.inference { line.put(" (inferred: \(own: inference.rawValue))", .faint) }
    }

    /// The last value, decoded, and how often values passed.
    private mutating func putActivity(of handle: AttributeHandle, _ server: TreeModel.Server) {
        guard let activity = server.activities[handle] else { return }
        if let value = server.values[handle] {
            piece.removeAll()
            piece.append("  ")
            piece.append(value, limit: 20)
            piece.append(activity.lastEnding)
            putBelow()
        }
        guard activity.isAccessed else { return }
        piece = TextBuffer(" · \({ $0.append(countsOf: activity) })")
        putBelow(.faint)
    }

    /// `Idle 2.733751 → Codec Configured 2.992134 → …`, in separate lines.
    private mutating func putEndpointStates(of handle: AttributeHandle, _ server: TreeModel.Server) {
        guard let activity = server.activities[handle], activity.endpointStates.count > 1 else { return }
        let start = model.integrity.start
        for (index, known) in activity.endpointStates.enumerated() {
            piece.removeAll()
            piece.append(index == 0 ? " · " : " → ")
            piece.append(stateOf: known.state)
            if let start { piece.append(" \(secondsOf: known.moment.time.nanoseconds(since: start))") }
            putBelow(.faint)
        }
        guard activity.endpointStatesLeftOut > 0 else { return }
        piece = TextBuffer(" and \(activity.endpointStatesLeftOut) more")
        putBelow(.faint)
    }

    /// The piece; below the beginning of its branch where the line has no room for it.
    private mutating func putBelow(_ style: LineWriter.Style = .plain) {
        if !line.hasRoom(for: piece) {
            line.endLine()
            for part in guide { line.put(part) }
            line.put("   ")
        }
        line.put(piece, style)
    }
}

extension TextBuffer {
    /// ` · discovered in frames 74–118 · imported`
    package mutating func append(learned tree: TableTree) {
        if let frames = tree.learnedFrames {
            append(
                frames.count == 1
                    ? " · discovered in frame \(frames.lowerBound)"
                    : " · discovered in frames \(frames.lowerBound)–\(frames.upperBound)")
        }
        if tree.hasImported { append(" · imported") }
    }

    /// `3 reads, 1 write, 128 notifications, 2.4/s`
    package mutating func append(countsOf activity: TreeCollector.Activity) {
        let counts: [(Int, StaticString)] = [
            (activity.reads, "read"), (activity.writes, "write"), (activity.notifications, "notification"),
            (activity.indications, "indication"), (activity.errors, "error"),
        ]
        for (index, (count, noun)) in counts.filter({ $0.0 > 0 }).enumerated() {
            append(index > 0 ? ", \(count, noun)" : "\(count, noun)")
        }
        if activity.sentInARow > 1, activity.sentTime > 0 {
            append(", \(tenths: UInt64(Double(activity.sentInARow) * 10e9 / Double(activity.sentTime) + 0.5))/s")
        }
    }
}
