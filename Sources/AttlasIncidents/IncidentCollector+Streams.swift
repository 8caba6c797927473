import AttlasTrace
import AttlasValues
import AttlasWire

/// The Connected Isochronous Streams of one connection. Bounded.
struct StreamStates {
    struct Lost {
        let stream: IsochronousStream
        let established: Moment
        let moment: Moment
        let reason: HCIErrorCode
    }

    private var established: [ConnectionHandle: Moment] = [:]
    /// Where one was established that has not ended.
    var living: Int? { established.values.map(\.frame).min() }
    /// Those that neither side ended.
    private(set) var lost: [Lost] = []

    private static let limit = 64

    mutating func establish(_ stream: IsochronousStream, _ moment: Moment) {
        guard established.count < Self.limit else { return }
        established[stream.handle] = moment
    }

    mutating func end(_ stream: IsochronousStream, _ reason: HCIErrorCode?, _ moment: Moment) {
        guard let began = established.removeValue(forKey: stream.handle), let reason else { return }
        guard !reason.isEndByHost, lost.count < Self.limit else { return }
        lost.append(Lost(stream: stream, established: began, moment: moment, reason: reason))
    }
}

/// Incidents on Connected Isochronous Streams. Core Specification, Vol 4, Part E, 7.7.5 and 7.7.65.25.
extension IncidentCollector {
    mutating func follow(_ change: StreamChange, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace) {
        let moment = Moment(event)
        links[slot].audio.note(change, event.frame)
        switch change {
        case .established(let stream):
            if let controller = place(ofController: event.controller) { controllers[controller].noteStream() }
            links[slot].streamStates.establish(stream, moment)
        case .ended(let stream, let reason): links[slot].streamStates.end(stream, reason, moment)
        case .failed(let kind, let status):
            if let controller = self.place(ofController: event.controller) { controllers[controller].noteStream() }
            var incident = Incident(
                .streamNotEstablished, .broke, moment, place(slot, in: trace), detail: kind.detail,
                title: "isochronous stream not established",
                "\(kind.name) was not established: \(status.name).",
                kind.cause(of: status),
                next:
                    "Compare the parameters of the stream with those that the endpoint offers, and end other streams of both devices first."
            )
            incident.add(moment.frame, "LE CIS Established: \(status.name)")
            if status == .failedToBeEstablished, let frame = links[slot].streamStates.living {
                incident.cause = .likely(
                    "A controller could not serve this stream and the one that is up (frame \(frame)): that one is heard, so that range is unlikely."
                )
                incident.next = "Create the streams with one LE Create CIS, and update the firmware of the controllers."
                incident.add(frame, "another stream was established")
            }
            report(incident)
        }
    }

    /// Values of endpoints and of PACs.
    mutating func noteEndpoints(_ slot: Int, _ event: borrowing Event, in trace: borrowing Trace) {
        for endpoint in links[slot].audio.note(event, in: trace) {
            noteStart(of: endpoint, slot, Moment(event), in: trace)
        }
    }

    /// An endpoint was enabled, and is not streaming at `moment`. Audio Stream Control Service, 5.4.
    private mutating func noteStart(
        of endpoint: AudioServers.Enabled, _ slot: Int, _ moment: Moment, in trace: borrowing Trace
    ) {
        guard let delay = endpoint.delay(until: moment.time), endpoint.isClear, trace.hasEveryPacket,
            !hasGap(slot, in: trace), !links[slot].hasFault
        else { return }
        let (name, sender) = (endpoint.state.words, endpoint.server == .peer ? Direction.rx : .tx)
        let (server, client) = (party(sender, slot, in: trace), party(sender.opposite, slot, in: trace))
        let (cause, next): (Incident.Cause, String)
        if endpoint.established == nil {
            cause = .likely("Its CIS was not established.")
            next = "Look in the central at why it does not establish the CIS (LE Create CIS)."
        } else if !endpoint.state.isSource {
            cause = .likely(
                "\(server.capitalizedFirst) starts a Sink ASE by itself when its data path is set up, and did not.")
            next = "Look in \(server) at what the data path of the ASE waits for."
        } else if let ready = endpoint.ready {
            cause = .likely("\(server.capitalizedFirst) did not start it after Receiver Start Ready (frame \(ready)).")
            next = "Look in \(server) at what the ASE waits for."
        } else {
            cause = .proved("\(client.capitalizedFirst) wrote no Receiver Start Ready, which starts a Source ASE.")
            next = "Write Receiver Start Ready when the CIS is established."
        }
        var incident = Incident(
            .streamNotEstablished, .broke, Moment(frame: endpoint.frame, time: endpoint.time),
            place(
                slot, server: endpoint.server, endpoint.handle,
                trace.attribute(endpoint.handle, server: endpoint.server, connection: slot), in: trace),
            detail: 1 << 24,
            title: "\(name) did not start", "\(name) stayed in Enabling for \(seconds(delay)).", cause, next: next)
        incident.add(endpoint.frame, "\(name): Enabling")
        if let established = endpoint.established { incident.add(established, "its CIS was established") }
        report(incident)
    }

    /// The streams that were lost, and not with the link.
    mutating func closeStreams(_ slot: Int, isLost: Bool, _ moment: Moment, in trace: borrowing Trace) {
        for endpoint in links[slot].audio.enabled { noteStart(of: endpoint, slot, moment, in: trace) }
        for lost in links[slot].streamStates.lost {
            let isContinued = moment.since(lost.moment) > Self.endOfLink
            guard isContinued || !isLost else { continue }
            var incident = Incident(
                .streamLost, .broke, lost.moment, place(slot, in: trace), detail: lost.stream.kind.detail,
                title: "isochronous stream lost",
                "\(lost.stream.kind.name) was lost \(seconds(lost.moment.since(lost.established))) after it was established: \(lost.reason.name)."
                    + (isContinued ? " The connection continued." : ""),
                .unknown("The log of the peer, or a capture from the air, would show whether it heard the packets."),
                next: "Repeat with both devices within 1 m; if it stays, record the air.")
            incident.add(lost.established.frame, "\(lost.stream.kind.name) established")
            incident.add(lost.moment.frame, lost.reason.name)
            report(incident)
        }
    }
}

/// Incidents of broadcasts. Core Specification, Vol 4, Part E, 7.7.65.14 to 7.7.65.16 and 7.7.65.27 to 7.7.65.30.
extension IncidentCollector {
    private static let nearer =
        "Go nearer to the broadcaster, and keep the radio of this host free of scans and of other links meanwhile."
    /// In which a controller notices that the Broadcast_Code is wrong: the streams may be established before.
    private static let firstPackets: Int64 = 2_000_000_000

    mutating func followBroadcast(_ hci: HCIEvent, _ event: borrowing Event) {
        guard let place = place(ofController: event.controller) ?? addController(event.controller),
            let parameters = try? HCIEventParameters(hci)
        else {
            return
        }
        let moment = Moment(event)
        switch parameters {
        case .lePeriodicSync(let sync):
            guard !sync.status.isSuccess else {
                return controllers[place].broadcasts.hear(sync.syncHandle, sync.address, moment)
            }
            guard sync.status != .operationCancelledByHost else { return }
            report(
                broadcast(
                    .streamNotEstablished, .broke, moment, sync.address, "periodic advertising not received",
                    "The periodic advertising of the broadcaster was not received: \(sync.status.words).",
                    sync.status == .failedToBeEstablished
                        ? .likely(
                            "Its first packets were not heard: it is too far, or has another interval or SID by now.")
                        : .proved(sync.status.meaning),
                    Self.nearer, sync.status, isGroup: false))
        case .lePeriodicSyncLost(let lost):
            guard let train = controllers[place].broadcasts.trains.first(where: { $0.handle == lost.syncHandle }) else {
                return
            }
            var incident = broadcast(
                .streamLost, .hindered, moment, train.address, "periodic advertising lost",
                "The periodic advertising was lost \(seconds(moment.since(train.moment))) after it was first received.",
                .likely("No packet of it was heard for the Sync_Timeout: the broadcaster stopped, or is too far."),
                Self.nearer, .connectionTimeout, isGroup: false)
            incident.add(train.moment.frame, "the periodic advertising was received")
            incident.add(moment.frame, "it was lost")
            report(incident)
        case .leBIGEstablished(let group): followGroup(group, place, moment)
        case .leBIGEnded(let ended):
            guard let began = controllers[place].broadcasts.groups.removeValue(forKey: ended.bigHandle),
                !ended.isOwn, ended.reason != .terminatedByLocalHost
            else { return }
            let isEnd = ended.reason == .remoteUserTerminatedConnection
            let wanted = controllers[place].broadcasts.wanted(ended.bigHandle)
            let duration = moment.since(began)
            var incident = broadcast(
                .streamLost, isEnd ? .noted : .broke, moment,
                wanted.flatMap { controllers[place].broadcasts.address($0.sync) },
                isEnd ? "broadcast ended by the broadcaster" : "broadcast lost: \(ended.reason.name)",
                "The streams of the broadcast ended \(seconds(duration)) after they were first received: \(ended.reason.words).",
                ended.reason == .connectionTimeout
                    ? .likely(
                        "No packet of them was heard for the BIG_Sync_Timeout: the broadcaster stopped, or is too far.")
                    : .proved(ended.reason.meaning),
                isEnd ? "Nothing: the broadcaster ended it." : Self.nearer, ended.reason, isGroup: true)
            if ended.reason == .micFailure, let wanted, duration < Self.firstPackets {
                (incident.cause, incident.next) = (wanted.wrongCode(isProved: false), BroadcastStates.Wanted.advice)
                incident.add(wanted.frame, wanted.words)
            }
            incident.add(began.frame, "the streams were received")
            incident.add(moment.frame, ended.reason.name)
            report(incident)
        default: break
        }
    }

    private mutating func followGroup(_ group: borrowing LEBIGEstablishedEvent, _ place: Int, _ moment: Moment) {
        let status = group.status
        let broadcasts = controllers[place].broadcasts
        guard !status.isSuccess else {
            if broadcasts.groups.count < ControllerState.limit {
                controllers[place].broadcasts.groups[group.bigHandle] = moment
            }
            return
        }
        guard !group.isOwn else {
            return report(
                broadcast(
                    .streamNotEstablished, .broke, moment, nil, "broadcast not started: \(status.name)",
                    "The controller did not start the streams of the broadcast: \(status.words).",
                    .proved(status.meaning),
                    "Compare the parameters of the group with what the controller has room for.", status, isGroup: true)
            )
        }
        guard status != .operationCancelledByHost else { return }
        let wanted = broadcasts.wanted(group.bigHandle)
        var incident = broadcast(
            .streamNotEstablished, .broke, moment, wanted.flatMap { broadcasts.address($0.sync) },
            "broadcast not received: \(status.name)",
            "The streams of the broadcast were not received: \(status.words).", .proved(status.meaning), Self.nearer,
            status, isGroup: true)
        if let wanted {
            incident.add(wanted.frame, wanted.words)
        }
        incident.add(moment.frame, status.name)
        switch status {
        case .micFailure:
            guard let wanted else { break }
            (incident.cause, incident.next) = (wanted.wrongCode(isProved: true), BroadcastStates.Wanted.advice)
        case .encryptionModeNotAcceptable:
            guard let account = wanted?.wrongEncryption else { break }
            (incident.cause, incident.next) = (.proved(account.text), account.next)
        case .failedToBeEstablished, .connectionTimeout:
            incident.cause = .likely("No packet of the streams was heard: the broadcaster is too far, or ended them.")
        default: break
        }
        report(incident)
    }

    private func broadcast(
        _ kind: Incident.Kind, _ weight: Incident.Weight, _ moment: Moment, _ address: BluetoothAddress?,
        _ title: String, _ what: String, _ cause: Incident.Cause, _ next: String, _ status: HCIErrorCode,
        isGroup: Bool
    ) -> Incident {
        var place = Incident.Place()
        place.peer = address
        // Above the numbers of the streams of a connection.
        return Incident(
            kind, weight, moment, place, detail: (isGroup ? 2 : 1) << 16 | Int(status.rawValue), title: title, what,
            cause,
            next: next)
    }
}

extension IsochronousStream.Kind {
    package var name: String {
        switch self {
        case .connected(let group?, let stream?): "CIS \(stream) of CIG \(group)"
        case .connected: "A Connected Isochronous Stream"
        case .broadcast(let big, let index, _, _): index.map { "BIS \($0) of BIG \(big)" } ?? "BIS of BIG \(big)"
        }
    }

    /// Tells incidents of several streams apart.
    fileprivate var detail: Int {
        guard case .connected(let group?, let stream?) = self else { return 0 }
        return Int(group) << 8 | Int(stream)
    }

    /// Codes of LE Reject CIS Request: it was rejected. Vol 4, Part E, 7.8.102.
    fileprivate func cause(of status: HCIErrorCode) -> Incident.Cause {
        switch status {
        case .rejectedLimitedResources, .rejectedSecurityReasons, .rejectedUnacceptableAddress:
            .likely("The host or the controller of the peripheral rejected it.")
        default: .unknown("The log of the peer, or a capture from the air, would show whether it heard the packets.")
        }
    }
}
