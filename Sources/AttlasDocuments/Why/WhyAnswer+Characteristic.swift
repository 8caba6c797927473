import AttlasIncidents
import AttlasLint
import AttlasMetrics
import AttlasTrace
import AttlasValues
import AttlasWire

/// The story of one characteristic: discovered, subscribed to, sent, silent.
extension WhyAnswer {
    struct Subject {
        let server: TreeModel.Server
        let side: ServerSide
        let service: AttributeTable.Service?
        let node: TableTree.CharacteristicNode
        /// The version of the table that has it; nil for the last one.
        let former: TreeModel.FormerTree?
        /// The frames in which its handle was not another characteristic's, as far as the versions of the table show.
        let frames: ClosedRange<Int>

        init(
            server: TreeModel.Server, former: TreeModel.FormerTree?, side: ServerSide,
            service: AttributeTable.Service?, node: TableTree.CharacteristicNode
        ) {
            self.server = former.map(server.with) ?? server
            self.former = former
            self.side = side
            self.service = service
            self.node = node
            let until = former?.until ?? .max
            let versions =
                [(until: Int.max, tree: server.tree)] + server.former.map { (until: $0.until, tree: $0.tree) }
            let others = versions.flatMap { version in
                version.tree.services.flatMap(\.characteristics).map(\.characteristic)
                    .filter { $0.valueHandle == node.characteristic.valueHandle && version.until != until }
                    .map { (until: version.until, frame: $0.learned.frame) }
            }
            let end = others.filter { $0.until > until }.map(\.frame).min() ?? .max
            let begin = others.contains { $0.until < until } ? node.characteristic.learned.frame : 0
            frames = min(begin, end)...end
        }

        var characteristic: AttributeTable.Characteristic { node.characteristic }
        var canSend: Bool { !characteristic.properties.isDisjoint(with: [.notify, .indicate]) }
        var owner: String { side == .peer ? "peer" : "host" }
        var client: String { side == .peer ? "host" : "peer" }
    }

    func answer(_ subject: Subject) -> WhyModel.Answer {
        let connections = connections(of: subject.server, subject.side)
        let configuration = subject.node.descriptors.first {
            tree.names[$0.uuid] == .clientCharacteristicConfiguration
        }?
        .handle
        let handles = [subject.characteristic.valueHandle, configuration].compactMap(\.self)
        let found = findings(on: connections, subject.frames) { place in
            guard place.server == nil || place.server == subject.side else { return false }
            return place.handle.map(handles.contains)
                ?? (place.attribute?.characteristic == tree.names[subject.characteristic.uuid])
        }
        let incidents = incidents(of: connections, subject.server.address, subject.frames) { place in
            (place.server == nil || place.server == subject.side) && place.handle.map(handles.contains) ?? false
        }
        let (subscribed, isSubscribed) = subscriptions(subject, configuration, connections)
        let (sent, last) = values(subject, connections)
        var sentences = ordered(discovery(subject, configuration) + subscribed + sent + told(incidents))
        if let last { sentences.append(last.connection.ending(last.moment, tree.integrity.extent.last)) }
        let hasValues = last != nil
        let otherwise: String? =
            if !subject.canSend || hasValues {
                nil
            } else if isSubscribed {
                "Look at the log of the \(subject.owner): it accepted the subscription and sent nothing."
            } else {
                configuration.map {
                    "Subscribe: write 0x0001 (notifications) or 0x0002 (indications) to handle 0x\(hexadecimal($0)) on each connection."
                }
                    ?? "Discover its descriptors first: a subscription needs the handle of the Client Characteristic Configuration."
            }
        return WhyModel.Answer(
            address: subject.server.address, name: subject.server.name, server: subject.side,
            service: subject.service?.uuid, characteristic: subject.characteristic.uuid,
            handle: subject.characteristic.valueHandle, sentences: sentences, findings: found,
            advice: advice(incidents, found, otherwise: otherwise), untold: untold(connections))
    }

    private func discovery(_ subject: Subject, _ configuration: AttributeHandle?) -> [WhyModel.Sentence] {
        let learned = subject.characteristic.learned
        let properties = "it declares \(subject.characteristic.properties.words)."
        var sentences = [
            learned.isImported
                ? WhyModel.Sentence("Known from an imported table: \(properties)")
                : WhyModel.Sentence(
                    "Discovered in frame \(learned.frame) (connection \(learned.connection)): \(properties)",
                    learned.frame)
        ]
        if let former = subject.former {
            sentences.append(
                WhyModel.Sentence(
                    "The table that has it held until frame \(former.until), then \(former.reason.rawValue).",
                    former.until))
        }
        guard subject.canSend, configuration == nil else { return sentences }
        sentences.append(WhyModel.Sentence("The handle of its Client Characteristic Configuration was not discovered."))
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
                        ?? (attribute.characteristic == subject.characteristic.uuid),
                    subject.frames.contains(step.moment.frame)
                else { continue }
                isSubscribed = isSubscribed || bits != 0
                let what =
                    bits == 0
                    ? "ended the subscription"
                    : "subscribed to \(bits == 1 ? "notifications" : bits == 2 ? "indications" : "notifications and indications")"
                sentences.append(
                    WhyModel.Sentence(
                        "\(connection.name): the \(subject.client) \(what); accepted in frame \(step.moment.frame).",
                        step.moment.frame))
            }
        }
        if sentences.isEmpty, subject.canSend,
            configuration.flatMap({ subject.server.activities[$0]?.errors }) ?? 0 == 0
        {
            sentences.append(WhyModel.Sentence("Nobody subscribed to it in this capture."))
        }
        return (sentences, isSubscribed)
    }

    private func values(
        _ subject: Subject, _ connections: [WhyConnection]
    ) -> ([WhyModel.Sentence], (connection: WhyConnection, moment: Moment)?) {
        var sentences: [WhyModel.Sentence] = []
        var last: (WhyConnection, Moment)?
        for connection in connections {
            for row in connection.values {
                guard let attribute = row.key.attribute, attribute.server == subject.side,
                    attribute.handle == subject.characteristic.valueHandle, subject.frames.contains(row.first.frame),
                    let kind = row.key.opcode.sentValues(row.count)
                else { continue }
                let rate = row.perSecond.map { ", \(($0 * 10).rounded() / 10) a second" } ?? ""
                let gap = row.gaps.maximum.map { ", longest gap \(seconds(Int64($0) * 1_000))" } ?? ""
                let range =
                    row.count == 1
                    ? "in frame \(row.first.frame)" : "from frame \(row.first.frame) to frame \(row.last.frame)"
                sentences.append(
                    WhyModel.Sentence("\(connection.name): \(kind) came \(range)\(rate)\(gap).", row.first.frame))
                if row.last.frame > last?.1.frame ?? 0 { last = (connection, row.last) }
            }
        }
        if sentences.isEmpty, subject.canSend {
            sentences.append(WhyModel.Sentence("No values came."))
        }
        if let activity = subject.server.activities[subject.characteristic.valueHandle] {
            if activity.reads > 0 { sentences.append(WhyModel.Sentence("It was read \(times(activity.reads)).")) }
            if activity.writes > 0 { sentences.append(WhyModel.Sentence("It was written \(times(activity.writes)).")) }
        }
        return (sentences, last)
    }
}

/// `once`, `3 times`
func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

extension ATTOpcode {
    /// `212 notifications`, for values that a server sends unasked.
    fileprivate func sentValues(_ count: Int) -> String? {
        switch definition?.kind {
        case .notification: count == 1 ? "one notification" : "\(count) notifications"
        case .indication: count == 1 ? "one indication" : "\(count) indications"
        case .request, .response, .command, .confirmation, nil: nil
        }
    }
}
