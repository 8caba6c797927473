import AttlasIncidents
import AttlasMetrics
import AttlasTrace
import AttlasValues
import AttlasWire

/// The story of one peer: connected, discovered, paired, ended.
extension WhyTeller {
    func answer(_ peer: TreeModel.Server) -> WhyModel.Answer {
        let connections = connections(of: peer, .peer)
        let found = findings(on: connections) { $0.peer == nil || $0.peer == peer.address }
        var sentences: [WhyModel.Sentence] = []
        for connection in connections.prefix(Self.most) { sentences += story(of: connection) }
        if connections.count > Self.most {
            sentences.append(WhyModel.Sentence("There were \(connections.count - Self.most) connections more."))
        }
        sentences.append(discovery(of: peer))
        return WhyModel.Answer(
            address: peer.address, name: peer.name, server: nil, service: nil, characteristic: nil, handle: nil,
            sentences: sentences, findings: found, advice: advice(found, otherwise: nil), untold: untold(connections))
    }

    private func story(of connection: WhyConnection) -> [WhyModel.Sentence] {
        let life = connection.life
        var sentences = [
            WhyModel.Sentence(
                "\(connection.name) \(life.isWhole ? "began" : "was there") in frame \(life.begun.frame).",
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
                    "The longest silence was \(seconds(silence.nanoseconds)), between the frames \(silence.from.frame) and \(silence.to.frame).",
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
        let count =
            "\(services.count) service\(services.count == 1 ? "" : "s") and \(characteristics) characteristic\(characteristics == 1 ? "" : "s")"
        let frames = peer.tree.learnedFrames
        return WhyModel.Sentence(
            "\(count) are known\(frames.map { ", from the frames \($0.lowerBound) to \($0.upperBound)" } ?? ""); "
                + "\(subscribed == 0 ? "none" : "\(subscribed)") of them \(subscribed == 1 ? "is" : "are") subscribed to.",
            frames?.lowerBound)
    }
}
