import AttlasIncidents
import AttlasLint
import AttlasMetrics
import AttlasTrace
import AttlasValues
import AttlasWire

/// The story of one peer: connected, discovered, paired, ended.
extension WhyAnswer {
    func answer(_ peer: TreeModel.Server) -> WhyModel.Answer {
        let connections = connections(of: peer, .peer)
        let found = findings(on: connections) { $0.peer == nil || $0.peer == peer.address }
        let incidents = incidents(of: connections, peer.address) { _ in true }
        var sentences = grouped(connections, incidents) + told(incidents)
        sentences.append(discovery(of: peer))
        return WhyModel.Answer(
            address: peer.address, name: peer.name, server: nil, service: nil, characteristic: nil, handle: nil,
            sentences: ordered(sentences), findings: found, advice: advice(incidents, found, otherwise: nil),
            untold: untold(connections))
    }

    /// Each connection; where there are many, those in a row on which nothing happened in one sentence.
    private func grouped(_ connections: [WhyConnection], _ incidents: [Incident]) -> [WhyModel.Sentence] {
        guard connections.count > Self.most else { return connections.flatMap(story) }
        let frames = incidents.flatMap(\.frames).sorted()
        var sentences: [WhyModel.Sentence] = []
        var quiet: [WhyConnection] = []
        func endRow() {
            guard let first = quiet.first, let last = quiet.last else { return }
            defer { quiet = [] }
            guard quiet.count > 1 else {
                sentences += story(of: first)
                return
            }
            sentences.append(
                WhyModel.Sentence(
                    "Connections \(first.life.number) to \(last.life.number), \(quiet.count) with this device: nothing broke "
                        + "(attlas show --filter 'connection == \(first.life.number)' shows one).",
                    first.life.begun.frame))
        }
        for connection in connections {
            let range = connection.frames
            if frames.contains(where: range.contains) {
                endRow()
                sentences += story(of: connection)
            } else {
                quiet.append(connection)
            }
        }
        endRow()
        return sentences
    }

    private func story(of connection: WhyConnection) -> [WhyModel.Sentence] {
        let life = connection.life
        var sentences = [
            WhyModel.Sentence(
                life.hasBeginning
                    ? "\(connection.name) began in frame \(life.begun.frame)."
                    : "\(connection.name) was already open at frame \(life.begun.frame).",
                life.begun.frame)
        ]
        for step in life.steps {
            switch step.kind {
            case .encryption(let isOn, let status):
                let what =
                    status.rawValue != 0
                    ? "Encryption failed: \(status.name)" : isOn ? "It was encrypted" : "Encryption was switched off"
                sentences.append(WhyModel.Sentence("\(what), in frame \(step.moment.frame).", step.moment.frame))
            case .pairingFailed(let reason):
                sentences.append(
                    WhyModel.Sentence(
                        "Pairing failed in frame \(step.moment.frame): \(reason.name).", step.moment.frame))
            case .pairing(let method):
                sentences.append(
                    WhyModel.Sentence(
                        "They paired (\(method.association.rawValue)\(method.isBonding ? ", with bonding" : "")), in frame \(step.moment.frame).",
                        step.moment.frame)
                )
            case .parameters, .mtu, .phy, .dataLength, .subscription, .endpoint: break
            }
        }
        if let silence = life.longestSilence, silence.nanoseconds >= 5_000_000_000 {
            sentences.append(
                WhyModel.Sentence(
                    "Longest gap: \(seconds(silence.nanoseconds)) (frames \(silence.from.frame)–\(silence.to.frame)).",
                    silence.from.frame))
        }
        sentences.append(connection.ending(nil, nil))
        return sentences
    }

    private func discovery(of peer: TreeModel.Server) -> WhyModel.Sentence {
        let services = peer.tree.services.filter { $0.service != nil }
        guard !services.isEmpty else { return WhyModel.Sentence("Its services were not discovered in this capture.") }
        let characteristics = services.reduce(0) { $0 + $1.characteristics.count }
        let subscribed = peer.activities.values.count { $0.configuration != 0 }
        let sending = peer.activities.values.count { $0.notifications + $0.indications > 0 }
        let count =
            "\(services.count) service\(services.count == 1 ? "" : "s") and \(characteristics) characteristic\(characteristics == 1 ? "" : "s")"
        let frames = peer.tree.learnedFrames
        let values =
            sending == 0
            ? subscribed == 0
                ? "no subscription, and no values came" : "\(subscribed) subscribed to, and no values came"
            : "values of \(sending) came"
        return WhyModel.Sentence(
            "Known: \(count)\(frames.map { " (frames \($0.lowerBound)–\($0.upperBound))" } ?? ""); \(values).",
            frames?.lowerBound)
    }
}
