import AttlasCapture
import AttlasIncidents
import AttlasLint
import AttlasMetrics
import AttlasTrace
import AttlasValues
import AttlasWire

/// Makes answers from the models of `tree`, `stats` and `lint`.
struct WhyAnswer {
    let tree: TreeModel
    let statistics: StatisticsModel
    let lint: LintModel
    let incidents: IncidentsModel

    /// Connections that are listed one by one; and pieces of advice.
    static let most = 6

    /// A whole name, UUID or address comes before a part of one.
    func answers(to subject: String) -> [WhyModel.Answer] {
        let digits = BluetoothUUID.digits(typed: subject).uppercased()
        let exact = characteristics { uuid, name in
            BluetoothUUID(digits) == uuid || FoldedText(name) == FoldedText(subject)
        }
        if !exact.isEmpty { return exact }
        let wanted = FoldedText(subject)
        let peers = tree.peers.filter { peer in
            [peer.name, peer.address?.description].compactMap(\.self).contains { FoldedText($0).contains(wanted) }
        }.map(answer)
        if !peers.isEmpty { return peers }
        return characteristics { uuid, name in
            uuid.description.hasPrefix(digits) || FoldedText(name).contains(wanted)
        }
    }

    private func characteristics(_ isMeant: (BluetoothUUID, String) -> Bool) -> [WhyModel.Answer] {
        servers.flatMap { server, side in
            ([nil] + server.former).flatMap { former in
                (former?.tree ?? server.tree).services.flatMap { node in
                    node.characteristics.filter { item in
                        let uuid = item.characteristic.uuid
                        return isMeant(tree.names[uuid], tree.names.name(uuid, .characteristic))
                    }.map {
                        answer(Subject(server: server, former: former, side: side, service: node.service, node: $0))
                    }
                }
            }
        }
    }

    /// Possible subjects of a question.
    var known: [String] {
        var known: [String] = []
        for peer in tree.peers {
            if let name = peer.name ?? peer.address?.description, !known.contains(name) { known.append(name) }
        }
        for (server, _) in servers {
            for item in ([server.tree] + server.former.map(\.tree)).flatMap(\.services).flatMap(\.characteristics) {
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
        var values: [Int: [ValueRow]] = [:]
        for group in statistics.groups(by: .connection) {
            if let index = group.connections.first { values[index] = group.values }
        }
        return statistics.connections.enumerated().compactMap { index, life in
            let isHost = side == .local && life.controller == server.controller ?? life.controller
            guard isHost || side == .peer && server.isPeer(life.peer) else { return nil }
            return WhyConnection(life: life, values: values[index] ?? [])
        }
    }

    /// The incidents of these connections, and those of a peer.
    ///
    /// - Parameters:
    ///   - frames: for incidents of an attribute.
    ///   - isAbout: whether an incident of an attribute concerns the question.
    func incidents(
        of connections: [WhyConnection], _ address: BluetoothAddress?, _ frames: ClosedRange<Int> = 0...Int.max,
        _ isAbout: (Incident.Place) -> Bool
    ) -> [Incident] {
        let numbers = Set(connections.map(\.life.number))
        return incidents.incidents.filter { incident in
            let place = incident.place
            guard place.connection.map(numbers.contains) ?? (place.peer != nil && place.peer == address) else {
                return false
            }
            // An incident about no server concerns all traffic of the link.
            return place.server == nil && incident.weight > .noted || isAbout(place) && frames.contains(incident.frame)
        }
    }

    /// Each incident where it became true, with its course; the equal ones in a few words.
    func told(_ incidents: [Incident]) -> [WhyModel.Sentence] {
        var sentences: [WhyModel.Sentence] = []
        for incident in incidents {
            sentences.append(WhyModel.Sentence(incident.what, incident.frame, incident: incident.kind))
            for frame in incident.occurrences.dropFirst() {
                sentences.append(WhyModel.Sentence("Again: \(incident.title).", frame, incident: incident.kind))
            }
        }
        return sentences
    }

    /// In the order of their records; after them the sentences without a record.
    func ordered(_ sentences: [WhyModel.Sentence]) -> [WhyModel.Sentence] {
        sentences.enumerated().sorted {
            ($0.element.frame ?? .max, $0.offset) < ($1.element.frame ?? .max, $1.offset)
        }.map(\.element)
    }

    /// - Parameters:
    ///   - frames: for findings of an attribute.
    ///   - isAbout: whether a finding of an attribute concerns the question.
    func findings(
        on connections: [WhyConnection], _ frames: ClosedRange<Int> = 0...Int.max,
        _ isAbout: (LintFinding.Place) -> Bool
    ) -> [LintFinding] {
        let numbers = Set(connections.map(\.life.number))
        return lint.findings.filter { finding in
            let place = finding.place
            if let number = place.connection, !numbers.contains(number) { return false }
            guard place.handle == nil, place.attribute == nil else {
                return isAbout(place) && frames.contains(finding.frame)
            }
            // A finding about the link concerns all of its traffic.
            return place.connection != nil && finding.rule.severity != .info
        }.sorted { ($1.rule.severity, $0.frame) < ($0.rule.severity, $1.frame) }
    }

    /// Advice of the incidents, then of the rules; properties alone are no reason to try something.
    func advice(_ incidents: [Incident], _ findings: [LintFinding], otherwise: String?) -> [String] {
        var advice: [String] = []
        for next in incidents.filter({ $0.weight > .noted }).map(\.next) + findings.map(\.rule.advice)
        where !next.isEmpty && !advice.contains(next) {
            advice.append(next)
        }
        if advice.isEmpty, let otherwise { advice = [otherwise] }
        return Array(advice.prefix(Self.most))
    }

    /// Data of these connections that the capture lacks.
    func untold(_ connections: [WhyConnection]) -> [String] {
        var untold: [String] = []
        let presumed = connections.filter { !$0.life.hasBeginning }.map { "\($0.life.number)" }
        if !presumed.isEmpty {
            let subject =
                presumed.count == 1
                ? "Connection \(presumed[0]) was" : "Connections \(presumed.joined(separator: ", ")) were"
            untold.append(
                "\(subject) made before the capture began: earlier discovery, subscriptions and pairing are unknown."
            )
        }
        let integrity = tree.integrity
        if integrity.onlySide != nil { untold.append("One direction was not captured.") }
        if integrity.lost > 0 { untold.append("\(integrity.lost) records were lost while it was recorded.") }
        if integrity.missed > 0 { untold.append("The sniffer missed at least \(integrity.missed) packets.") }
        if integrity.extent.cut > 0 {
            untold.append("\(integrity.extent.cut) packets were recorded without all of their octets.")
        }
        if integrity.error != nil { untold.append("The capture could not be read to its end.") }
        return untold
    }
}

/// A connection with its traffic.
struct WhyConnection {
    let life: ConnectionLife
    let values: [ValueRow]

    /// The records of which it may be: to the last one, if it did not end.
    var frames: ClosedRange<Int> {
        life.begun.frame...max(life.begun.frame, life.end?.moment.frame ?? .max)
    }

    var name: String { "Connection \(life.number)" }

    /// How it ended.
    ///
    /// - Parameter last: the last moment of the question's subject.
    func ending(_ last: Moment?, _ end: Timestamp?) -> WhyModel.Sentence {
        func delay(_ time: Timestamp) -> String {
            guard let nanoseconds = last.flatMap({ time.duration(since: $0.time) }) else { return "" }
            return ", \(seconds(nanoseconds)) after that"
        }
        guard let ended = life.end else {
            return WhyModel.Sentence("\(name) was still open at the end\(end.map(delay) ?? "").")
        }
        let reason =
            switch ended.end {
            case .disconnected(let code, let party):
                "\(code.name) (0x\(hexadecimal(UInt16(code.rawValue), digits: 2)))\(party.words)"
            case .reported(let status): status.words
            case .superseded: "its handle was given to another connection"
            case .controller(let end): end.rawValue
            }
        return WhyModel.Sentence(
            "\(name) ended in frame \(ended.moment.frame)\(delay(ended.moment.time)): \(reason).", ended.moment.frame)
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

extension TreeModel.Server {
    /// Whether a connection was with it. Several devices without an address are distinguished by their place in the trace.
    fileprivate func isPeer(_ peer: ConnectionLife.PeerName) -> Bool {
        address == nil ? peer.address == nil && peer.index == index : peer.address == address
    }
}
