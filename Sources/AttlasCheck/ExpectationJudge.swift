import AttlasCapture
import AttlasDissection
import AttlasIncidents
import AttlasLint
import AttlasMetrics
import AttlasTrace
import AttlasValues
import AttlasWire

/// Checks expectations against the models of one capture.
struct ExpectationJudge {
    enum Verdict {
        /// The findings that fail the expectation.
        case judged([LintFinding])
        /// The capture has no evidence: a clause with the reason.
        case unknown(String)
    }

    let tree: TreeModel
    let statistics: StatisticsModel
    let fields: [FieldRanges.Range]
    let lint: LintModel
    let incidents: IncidentsModel
    let library: DissectorLibrary

    func judge(_ expectation: Expectation) -> Verdict {
        switch expectation.check {
        case .exists(let isThere): exists(expectation, isThere)
        case .properties(let properties): self.properties(expectation, properties)
        case .notifiesWithin(let limit): notifies(expectation, within: limit)
        case .rateAtLeast(let rate): self.rate(expectation, atLeast: rate)
        case .errorsAtMost(let count): errors(expectation, atMost: count)
        case .roundTrip(let method, let percentile, let limit):
            roundTrips(expectation, method, percentile, below: limit)
        case .range(let field, let range): self.range(expectation, field, range)
        case .reconnectsWithin(let limit): reconnects(expectation, within: limit)
        case .lint(let rules): findings(expectation, rules)
        case .incidents(let limits): incidents(expectation, atMost: limits)
        }
    }

    /// - Parameter moment: nil for findings that only the end of the capture shows.
    func finding(
        _ expectation: Expectation, _ moment: Moment?, peer: BluetoothAddress? = nil,
        connection: Int? = nil, _ sentence: String
    ) -> LintFinding {
        var place = LintFinding.Place()
        place.peer = peer
        place.connection = connection
        let extent = lint.integrity.extent
        return LintFinding(
            expectation.rule, frame: moment?.frame ?? extent.records, moment?.time ?? extent.last ?? .epoch, place,
            sentence)
    }

    // MARK: Trees

    private func matches(_ name: Expectation.AttributeName?, _ uuid: UUIDIndex?, _ kind: NameKind) -> Bool {
        matches(name, uuid.map { lint.names[$0] }, kind)
    }

    private func matches(_ name: Expectation.AttributeName?, _ uuid: BluetoothUUID?, _ kind: NameKind) -> Bool {
        guard let name else { return true }
        return uuid.map { name.matches($0, named: lint.names.knownName($0, kind)) } ?? false
    }

    private struct Found {
        let server: TreeModel.Server
        /// nil for a service.
        let characteristic: TableTree.CharacteristicNode?
    }

    /// The attributes that the subject names in the trees of peers; nil where no tree was discovered.
    private func attributes(of subject: Expectation.Subject) -> [Found]? {
        let servers = tree.peers.filter { subject.includes($0.address, $0.name) && !$0.tree.services.isEmpty }
        guard !servers.isEmpty else { return nil }
        return servers.flatMap { server in
            server.tree.services.filter { matches(subject.service, $0.service?.uuid, .service) }.flatMap { service in
                guard subject.characteristic != nil else { return [Found(server: server, characteristic: nil)] }
                return service.characteristics
                    .filter { matches(subject.characteristic, $0.characteristic.uuid, .characteristic) }
                    .map { Found(server: server, characteristic: $0) }
            }
        }
    }

    private static let noTree = "the capture has no discovery of the peer"

    private func exists(_ expectation: Expectation, _ isThere: Bool) -> Verdict {
        guard let found = attributes(of: expectation.subject) else { return .unknown(Self.noTree) }
        if isThere { return .judged(found.isEmpty ? [finding(expectation, nil, "No peer has it.")] : []) }
        return .judged(found.map { finding(expectation, nil, peer: $0.server.address, "The peer has it.") })
    }

    private func properties(_ expectation: Expectation, _ wanted: CharacteristicProperties) -> Verdict {
        guard let found = attributes(of: expectation.subject) else { return .unknown(Self.noTree) }
        guard !found.isEmpty else { return .judged([finding(expectation, nil, "No peer has it.")]) }
        return .judged(
            found.compactMap { item in
                guard let properties = item.characteristic?.characteristic.properties,
                    !properties.isSuperset(of: wanted)
                else { return nil }
                return finding(
                    expectation, nil, peer: item.server.address,
                    "It declares \(properties.words); expected \(wanted.words).")
            })
    }

    private func errors(_ expectation: Expectation, atMost limit: Int) -> Verdict {
        let subject = expectation.subject
        let isEverything = subject.service == nil && subject.characteristic == nil
        guard isEverything || attributes(of: subject)?.isEmpty == false else { return .unknown("no peer has it") }
        var found: [LintFinding] = []
        for server in tree.peers where subject.includes(server.address, server.name) {
            var handles = Set(server.activities.keys)
            if !isEverything {
                handles = Set(
                    server.tree.services.filter { matches(subject.service, $0.service?.uuid, .service) }
                        .flatMap(\.characteristics)
                        .filter { matches(subject.characteristic, $0.characteristic.uuid, .characteristic) }
                        .flatMap { [$0.characteristic.valueHandle] + $0.descriptors.map(\.handle) })
            }
            let failed = handles.compactMap { server.activities[$0] }.filter { $0.errors > 0 }
            let count = failed.reduce(0) { $0 + $1.errors }
            guard count > limit else { continue }
            let first = failed.compactMap(\.firstError).min { $0.frame < $1.frame }
            found.append(
                finding(
                    expectation, first, peer: server.address,
                    "\(count) Error Response\(count == 1 ? "" : "s"); expected at most \(limit)."))
        }
        return .judged(found)
    }

    // MARK: Statistics

    private func matches(_ subject: Expectation.Subject, _ attribute: RowAttribute?) -> Bool {
        guard subject.service != nil || subject.characteristic != nil else { return true }
        guard let attribute, attribute.descriptor == nil else { return false }
        return matches(subject.service, attribute.service, .service)
            && matches(subject.characteristic, attribute.characteristic, .characteristic)
    }

    /// The notifications and indications of each connection of a subject.
    private func sent(
        of subject: Expectation.Subject
    ) -> [(life: ConnectionLife, rows: [ValueRow])] {
        statistics.groups(by: .connection).compactMap { group in
            guard let index = group.connections.first else { return nil }
            let life = statistics.connections[index]
            guard subject.includes(life.peer.address, life.peer.name) else { return nil }
            let rows = group.values.filter { row in
                switch row.key.opcode.definition?.kind {
                case .notification, .indication: matches(subject, row.key.attribute)
                case .request, .response, .command, .confirmation, nil: false
                }
            }
            return (life, rows)
        }
    }

    private func notifies(_ expectation: Expectation, within limit: Int64) -> Verdict {
        var found: [LintFinding] = []
        var isKnown = false
        for (life, rows) in sent(of: expectation.subject) {
            var subscribed: Set<UUIDIndex?> = []
            for step in life.steps {
                guard case .subscription(let attribute, let configuration) = step.kind, configuration != 0,
                    matches(expectation.subject.service, attribute.service, .service),
                    matches(expectation.subject.characteristic, attribute.characteristic, .characteristic),
                    subscribed.insert(attribute.characteristic).inserted
                else { continue }
                let first = rows.filter { $0.key.attribute?.characteristic == attribute.characteristic }.map(\.first)
                    .min { $0.frame < $1.frame }
                // It was subscribed to before.
                if let first, first.frame < step.moment.frame { continue }
                let end = first?.time ?? life.end?.moment.time ?? lint.integrity.extent.last ?? step.moment.time
                guard let passed = end.duration(since: step.moment.time), passed > limit else {
                    isKnown = isKnown || first != nil
                    continue
                }
                isKnown = true
                found.append(
                    finding(
                        expectation, first ?? step.moment, peer: life.peer.address, connection: life.number,
                        first == nil
                            ? "No value within \(Self.text(passed)) after the subscription of frame \(step.moment.frame)."
                            : "The first value came \(Self.text(passed)) after the subscription of frame \(step.moment.frame)."
                    ))
            }
        }
        return isKnown ? .judged(found) : .unknown("nobody subscribes to it for so long")
    }

    private func rate(_ expectation: Expectation, atLeast limit: Double) -> Verdict {
        var found: [LintFinding] = []
        var isKnown = false
        for (life, rows) in sent(of: expectation.subject) {
            for row in rows {
                guard let rate = row.perSecond else { continue }
                isKnown = true
                guard rate < limit else { continue }
                found.append(
                    finding(
                        expectation, row.first, peer: life.peer.address, connection: life.number,
                        "\(Self.text(rate)) values a second; expected at least \(Self.text(limit))."))
            }
        }
        return isKnown ? .judged(found) : .unknown("it has no two values in one connection")
    }

    private func roundTrips(
        _ expectation: Expectation, _ method: FoldedText?, _ percentile: Double?, below limit: Int
    ) -> Verdict {
        var found: [LintFinding] = []
        var isKnown = false
        for group in statistics.groups(by: .peer) {
            guard let peer = group.connections.first.map({ statistics.connections[$0].peer }),
                expectation.subject.includes(peer.address, peer.name)
            else { continue }
            for row in group.exchanges where matches(expectation.subject, row.key.attribute) {
                let names = row.key.opcode.filterNames
                guard method.map({ method in names.contains { FoldedText($0) == method } }) ?? true,
                    let time = percentile.map(row.roundTrips.percentile) ?? row.roundTrips.maximum
                else { continue }
                isKnown = true
                guard time >= limit else { continue }
                let slowest = group.slowest.first { $0.key == row.key }
                found.append(
                    finding(
                        expectation, slowest.map { Moment(frame: $0.frame, time: $0.time) },
                        peer: peer.address,
                        "\(names.first ?? "Request")\(name(of: row.key.attribute)): \(percentile.map { "p\(Int($0))" } ?? "the slowest") of "
                            + "\(row.roundTrips.count) took \(Self.text(Int64(time) * 1_000)); expected below "
                            + "\(Self.text(Int64(limit) * 1_000))."))
            }
        }
        return isKnown ? .judged(found) : .unknown("no request was answered")
    }

    /// ` of Battery Level`
    private func name(of attribute: RowAttribute?) -> String {
        guard let uuid = attribute?.descriptor ?? attribute?.characteristic else { return "" }
        return " of \(lint.names.name(uuid, .characteristic))"
    }

    private func reconnects(_ expectation: Expectation, within limit: Int64) -> Verdict {
        var found: [LintFinding] = []
        var isKnown = false
        for life in statistics.connections where expectation.subject.includes(life.peer.address, life.peer.name) {
            guard let passed = life.previousEnd.flatMap({ life.begun.time.duration(since: $0) }) else { continue }
            isKnown = true
            guard passed > limit else { continue }
            found.append(
                finding(
                    expectation, life.begun, peer: life.peer.address, connection: life.number,
                    "Connected \(Self.text(passed)) after the end of the connection before."))
        }
        return isKnown ? .judged(found) : .unknown("no peer connects again")
    }

    // MARK: Values and rules

    private func range(_ expectation: Expectation, _ field: FoldedText, _ range: ClosedRange<Double>) -> Verdict {
        let seen = fields.filter { seen in
            guard FoldedText(seen.key.field) == field, let name = expectation.subject.characteristic else {
                return false
            }
            return name.matches(seen.key.uuid, named: library.attributeName(of: seen.key.uuid))
        }
        guard !seen.isEmpty else { return .unknown("no value has the field") }
        var found: [LintFinding] = []
        for seen in seen {
            func note(_ number: ExactNumber, _ moment: Moment) {
                let unit = seen.key.unit.map { " \($0)" } ?? ""
                found.append(finding(expectation, moment, "\(seen.key.field) was \(Self.text(number.double))\(unit)."))
            }
            if seen.least.double < range.lowerBound { note(seen.least, seen.leastAt) }
            if seen.greatest.double > range.upperBound { note(seen.greatest, seen.greatestAt) }
        }
        return .judged(found)
    }

    private func findings(_ expectation: Expectation, _ rules: Glob) -> Verdict {
        .judged(
            lint.findings.filter { finding in
                rules.matches(finding.rule.id)
                    && expectation.subject.includes(finding.place.peer, finding.place.peer.flatMap(lint.peerName))
                    && matches(expectation.subject.service, finding.place.attribute?.service, .service)
                    && matches(
                        expectation.subject.characteristic, finding.place.attribute?.characteristic, .characteristic)
            }.map { finding in
                LintFinding(
                    expectation.rule, frame: finding.frame, finding.time, finding.place,
                    "\(finding.rule.id): \(finding.sentence)")
            })
    }

    private func incidents(_ expectation: Expectation, atMost limits: [Incident.Kind: Int]) -> Verdict {
        let subject = expectation.subject
        guard lint.integrity.extent.records > 0 else { return .unknown("the capture has no records") }
        let found = incidents.incidents.filter { incident in
            let place = incident.place
            return (incident.weight > .noted || limits[incident.kind] != nil)
                && subject.includes(place.peer, place.peer.flatMap(incidents.peerName))
                && matches(subject.service, place.attribute?.service, .service)
                && matches(subject.characteristic, place.attribute?.characteristic, .characteristic)
        }
        guard
            !found.isEmpty || subject.peer == nil
                || statistics.connections.contains(where: { subject.includes($0.peer.address, $0.peer.name) })
        else { return .unknown("the capture has no connection with the peer") }
        var counts: [Incident.Kind: Int] = [:]
        for incident in found { counts[incident.kind, default: 0] += incident.count }
        return .judged(
            found.compactMap { incident in
                let (count, limit) = (counts[incident.kind] ?? 0, limits[incident.kind] ?? 0)
                guard count > limit else { return nil }
                let excess = " Found \(incident.kind.rawValue) \(count) times; expected at most \(limit)."
                return LintFinding(expectation.rule, incident, incident.what + (limit > 0 ? excess : ""))
            })
    }

    // MARK: Numbers

    /// `350 ms`, `12.3 s`: nanoseconds.
    private static func text(_ nanoseconds: Int64) -> String {
        nanoseconds < 10_000_000_000
            ? "\(text(Double(nanoseconds) / 1e6)) ms" : "\(text(Double(nanoseconds) / 1e9)) s"
    }

    /// With at most three decimals.
    private static func text(_ number: Double) -> String {
        let rounded = (number * 1_000).rounded() / 1_000
        return rounded == rounded.rounded() && abs(rounded) < 1e15 ? "\(Int64(rounded))" : "\(rounded)"
    }
}
