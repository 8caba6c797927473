import AttlasCapture
import AttlasIncidents
import AttlasMetrics
import AttlasTrace
import AttlasValues
import AttlasWire

/// Makes answers of what `tree`, `stats` and `lint` know.
struct WhyTeller {
    let tree: TreeModel
    let statistics: StatisticsModel
    let lint: LintModel

    /// Sentences about the connections with one peer, and pieces of advice, that are written out.
    static let most = 6

    func answers(to subject: String?) -> [WhyModel.Answer] {
        guard let subject else { return tree.peers.map(answer) }
        let wanted = FoldedText(subject)
        let characteristics = servers.flatMap { server, side in
            server.tree.services.flatMap { node in
                node.characteristics.filter { item in
                    let uuid = item.characteristic.uuid
                    return BluetoothUUID(subject) == tree.names[uuid]
                        || FoldedText(tree.names.name(uuid, .characteristic)) == wanted
                }.map { answer(Subject(server: server, side: side, service: node.service, node: $0)) }
            }
        }
        guard characteristics.isEmpty else { return characteristics }
        return tree.peers.filter { peer in
            [peer.name, peer.address?.description].compactMap(\.self).contains { FoldedText($0).contains(wanted) }
        }.map(answer)
    }

    /// What there is to ask for.
    var known: [String] {
        var known: [String] = []
        for peer in tree.peers {
            if let name = peer.name ?? peer.address?.description, !known.contains(name) { known.append(name) }
        }
        for (server, _) in servers {
            for item in server.tree.services.flatMap(\.characteristics) {
                let name = tree.names.name(item.characteristic.uuid, .characteristic)
                if !known.contains(name) { known.append(name) }
            }
        }
        return known
    }

    private var servers: [(TreeModel.Server, ServerSide)] {
        tree.peers.map { ($0, .peer) } + tree.local.map { ($0, .local) }
    }

    /// The connections with a peer, and their rows; all connections for the recorded host's own server.
    func connections(of server: TreeModel.Server, _ side: ServerSide) -> [WhyConnection] {
        statistics.groups(by: .connection).compactMap { group in
            guard let index = group.connections.first else { return nil }
            let life = statistics.connections[index]
            let isHost = side == .local && life.controller == server.controller ?? life.controller
            guard isHost || side == .peer && life.peer.address == server.address && life.peer.name == server.name else {
                return nil
            }
            return WhyConnection(life: life, values: group.values)
        }
    }

    /// - Parameter isAbout: whether a finding of an attribute is about what was asked for.
    func findings(on connections: [WhyConnection], _ isAbout: (LintFinding.Place) -> Bool) -> [LintFinding] {
        let numbers = Set(connections.map(\.life.number))
        return lint.findings.filter { finding in
            let place = finding.place
            if let number = place.connection, !numbers.contains(number) { return false }
            guard place.handle == nil, place.attribute == nil else { return isAbout(place) }
            // What is about the link concerns all that it carries.
            return place.connection != nil && finding.rule.severity != .info
        }.sorted { ($1.rule.severity, $0.frame) < ($0.rule.severity, $1.frame) }
    }

    func advice(_ findings: [LintFinding], otherwise: String?) -> [String] {
        var advice: [String] = []
        for finding in findings where !finding.rule.advice.isEmpty && !advice.contains(finding.rule.advice) {
            advice.append(finding.rule.advice)
        }
        if advice.isEmpty, let otherwise { advice = [otherwise] }
        return Array(advice.prefix(Self.most))
    }

    /// What is not in the capture, of these connections.
    func untold(_ connections: [WhyConnection]) -> [String] {
        var untold: [String] = []
        let presumed = connections.filter { !$0.life.isWhole }.map { "\($0.life.number)" }
        if !presumed.isEmpty {
            let subject =
                presumed.count == 1
                ? "Connection \(presumed[0]) was" : "Connections \(presumed.joined(separator: ", ")) were"
            untold.append(
                "\(subject) made before the capture began: what was discovered, subscribed to and paired before is not known."
            )
        }
        let integrity = tree.integrity
        if integrity.onlySide != nil { untold.append("The capture has the PDUs of one side only.") }
        if integrity.lost > 0 { untold.append("\(integrity.lost) records were lost while it was recorded.") }
        if integrity.missed > 0 { untold.append("The sniffer missed at least \(integrity.missed) packets.") }
        if integrity.extent.cut > 0 {
            untold.append("\(integrity.extent.cut) packets were recorded without all of their octets.")
        }
        if integrity.error != nil { untold.append("The capture could not be read to its end.") }
        return untold
    }
}

/// A connection with what went over it.
struct WhyConnection {
    let life: ConnectionLife
    let values: [ValueRow]

    var name: String { "Connection \(life.number)" }

    /// How it ended.
    ///
    /// - Parameter last: the last moment of what was asked for.
    func ending(_ last: ConnectionLife.Moment?, _ end: Timestamp?) -> WhyModel.Sentence {
        func behind(_ time: Timestamp) -> String {
            guard let nanoseconds = last.flatMap({ time.duration(since: $0.time) }) else { return "" }
            return ", \(seconds(nanoseconds)) after that"
        }
        guard let ended = life.end else {
            return WhyModel.Sentence("\(name) was still there when the capture ended\(end.map(behind) ?? "").")
        }
        let reason =
            switch ended.end {
            case .disconnected(let code, let party):
                "\(code.name) (0x\(hexadecimal(UInt16(code.rawValue), digits: 2)))\(party.words)"
            case .superseded: "its handle was given to another connection"
            case .controller(let end): end.rawValue
            }
        return WhyModel.Sentence(
            "\(name) ended in frame \(ended.moment.frame)\(behind(ended.moment.time)): \(reason).", ended.moment.frame)
    }
}

extension ConnectionChange.Party {
    fileprivate var words: String {
        switch self {
        case .host: ", by the host"
        case .peer: ", by the peer"
        case .link, .unknown: ""
        }
    }
}
