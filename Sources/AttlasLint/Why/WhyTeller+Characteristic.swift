import AttlasIncidents
import AttlasMetrics
import AttlasTrace
import AttlasValues
import AttlasWire

/// The story of one characteristic: discovered, subscribed to, sent, silent.
extension WhyTeller {
    struct Subject {
        let server: TreeModel.Server
        let side: ServerSide
        let service: AttributeTable.Service?
        let node: TableTree.CharacteristicNode

        var characteristic: AttributeTable.Characteristic { node.characteristic }
        var canSend: Bool { !characteristic.properties.isDisjoint(with: [.notify, .indicate]) }
        var owner: String { side == .peer ? "peer" : "host" }
        var client: String { side == .peer ? "host" : "peer" }
    }

    func answer(_ subject: Subject) -> WhyModel.Answer {
        let connections = connections(of: subject.server, subject.side)
        let configuration = subject.node.descriptors.first { tree.names[$0.uuid] == BluetoothUUID(0x2902 as UInt16) }?
            .handle
        let handles = [subject.characteristic.valueHandle, configuration].compactMap(\.self)
        let found = findings(on: connections) { place in
            guard place.server == nil || place.server == subject.side else { return false }
            return place.handle.map(handles.contains)
                ?? (place.attribute?.characteristic == subject.characteristic.uuid)
        }
        let (subscribed, isSubscribed) = subscriptions(subject, configuration, connections)
        let (sent, last) = values(subject, connections)
        // In the order of their records; after them what no record shows.
        let told = (subscribed + sent).enumerated().sorted {
            ($0.element.frame ?? .max, $0.offset) < ($1.element.frame ?? .max, $1.offset)
        }.map(\.element)
        var sentences = discovery(subject, configuration) + told
        if let last { sentences.append(last.connection.ending(last.moment, tree.integrity.extent.last)) }
        let otherwise: String? =
            if !subject.canSend {
                "Read it: its properties permit neither notifications nor indications."
            } else if !isSubscribed {
                configuration.map {
                    "Write 0x0001 for notifications or 0x0002 for indications to handle 0x\(hexadecimal($0)) after each connection."
                }
                    ?? "Discover its descriptors: without the handle of the Client Characteristic Configuration nobody can subscribe."
            } else {
                sent.first?.frame == nil ? "Look at the \(subject.owner): it was subscribed to, and sent nothing." : nil
            }
        return WhyModel.Answer(
            address: subject.server.address, name: subject.server.name, server: subject.side,
            service: subject.service?.uuid, characteristic: subject.characteristic.uuid,
            handle: subject.characteristic.valueHandle, sentences: sentences, findings: found,
            advice: advice(found, otherwise: otherwise), untold: untold(connections))
    }

    private func discovery(_ subject: Subject, _ configuration: AttributeHandle?) -> [WhyModel.Sentence] {
        let learned = subject.characteristic.learned
        let properties = "it declares \(subject.characteristic.properties.words)."
        var sentences = [
            learned.isImported
                ? WhyModel.Sentence("It is known from an imported table: \(properties)")
                : WhyModel.Sentence(
                    "It was discovered in frame \(learned.frame), on connection \(learned.connection): \(properties)",
                    learned.frame)
        ]
        guard subject.canSend, configuration == nil else { return sentences }
        sentences.append(WhyModel.Sentence("The handle of its Client Characteristic Configuration was not found out."))
        return sentences
    }

    private func subscriptions(
        _ subject: Subject, _ configuration: AttributeHandle?, _ connections: [WhyConnection]
    ) -> ([WhyModel.Sentence], Bool) {
        var sentences: [WhyModel.Sentence] = []
        var isSubscribed = false
        for connection in connections {
            for step in connection.life.steps {
                guard case .subscription(let attribute, let bits) = step.kind, attribute.server == subject.side,
                    attribute.handle.map({ $0 == configuration })
                        ?? (attribute.characteristic == subject.characteristic.uuid)
                else { continue }
                isSubscribed = isSubscribed || bits != 0
                let what =
                    bits == 0
                    ? "ended the subscription"
                    : "subscribed to \(bits == 1 ? "notifications" : bits == 2 ? "indications" : "notifications and indications")"
                sentences.append(
                    WhyModel.Sentence(
                        "\(connection.name): the \(subject.client) \(what), and the \(subject.owner) accepted that in frame \(step.moment.frame).",
                        step.moment.frame))
            }
        }
        let left = sentences.count - Self.most
        if left > 0 {
            sentences = sentences.prefix(Self.most) + [WhyModel.Sentence("It was written \(left) times more.")]
        }
        if let activity = configuration.flatMap({ subject.server.activities[$0] }), activity.errors > 0 {
            let first = activity.firstError?.frame
            sentences.append(
                WhyModel.Sentence(
                    "The \(subject.owner) refused \(times(activity.errors)) what was asked of its Client Characteristic Configuration"
                        + "\(first.map { ", first in frame \($0)" } ?? "").", first))
        } else if sentences.isEmpty, subject.canSend {
            sentences.append(WhyModel.Sentence("Nobody subscribed to it in this capture."))
        }
        return (sentences, isSubscribed)
    }

    private func values(
        _ subject: Subject, _ connections: [WhyConnection]
    ) -> ([WhyModel.Sentence], (connection: WhyConnection, moment: ConnectionLife.Moment)?) {
        var sentences: [WhyModel.Sentence] = []
        var last: (WhyConnection, ConnectionLife.Moment)?
        for connection in connections {
            for row in connection.values {
                guard let attribute = row.key.attribute, attribute.server == subject.side,
                    attribute.handle == subject.characteristic.valueHandle,
                    let kind = row.key.opcode.sentValues(row.count)
                else { continue }
                let rate = row.perSecond.map { ", \(($0 * 10).rounded() / 10) a second" } ?? ""
                let gap = row.gaps.maximum.map { ", the longest pause \(seconds(Int64($0) * 1_000))" } ?? ""
                let range =
                    row.count == 1
                    ? "in frame \(row.first.frame)" : "from frame \(row.first.frame) to frame \(row.last.frame)"
                sentences.append(
                    WhyModel.Sentence("\(connection.name): \(kind) came \(range)\(rate)\(gap).", row.first.frame))
                if row.last.frame > last?.1.frame ?? 0 { last = (connection, row.last) }
            }
        }
        let left = sentences.count - Self.most
        if left > 0 {
            sentences = sentences.prefix(Self.most) + [WhyModel.Sentence("So it went on \(left) times more.")]
        }
        if sentences.isEmpty, subject.canSend {
            sentences.append(WhyModel.Sentence("No notification and no indication of it came."))
        }
        if let activity = subject.server.activities[subject.characteristic.valueHandle] {
            if activity.reads > 0 { sentences.append(WhyModel.Sentence("It was read \(times(activity.reads)).")) }
            if activity.writes > 0 { sentences.append(WhyModel.Sentence("It was written \(times(activity.writes)).")) }
            if activity.errors > 0 {
                let first = activity.firstError?.frame
                sentences.append(
                    WhyModel.Sentence(
                        "The \(subject.owner) refused \(times(activity.errors)) what was asked of it"
                            + "\(first.map { ", first in frame \($0)" } ?? "").", first))
            }
        }
        return (sentences, last)
    }
}

/// `once`, `3 times`
func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

extension ATTOpcode {
    /// `212 notifications`, for what a server sends by itself.
    fileprivate func sentValues(_ count: Int) -> String? {
        switch definition?.kind {
        case .notification: count == 1 ? "one notification" : "\(count) notifications"
        case .indication: count == 1 ? "one indication" : "\(count) indications"
        case .request, .response, .command, .confirmation, nil: nil
        }
    }
}
