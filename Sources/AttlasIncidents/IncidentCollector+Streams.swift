import AttlasTrace
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
        switch change {
        case .established(let stream): links[slot].streamStates.establish(stream, moment)
        case .ended(let stream, let reason): links[slot].streamStates.end(stream, reason, moment)
        case .failed(let kind, let status):
            var incident = Incident(
                .streamNotEstablished, .broke, moment, place(slot, in: trace), detail: kind.detail,
                title: "isochronous stream not established",
                "\(kind.name) was not established: \(status.name).",
                kind.cause(of: status),
                next:
                    "Compare the parameters of the stream with those that the endpoint offers, and end other streams of both devices first."
            )
            incident.add(moment.frame, "LE CIS Established: \(status.name)")
            report(incident)
        }
    }

    /// The streams that were lost while the link continued.
    mutating func closeStreams(_ slot: Int, _ moment: Moment, in trace: borrowing Trace) {
        for lost in links[slot].streamStates.lost where moment.since(lost.moment) > Self.endOfLink {
            var incident = Incident(
                .streamLost, .broke, lost.moment, place(slot, in: trace), detail: lost.stream.kind.detail,
                title: "isochronous stream lost",
                "\(lost.stream.kind.name) was lost \(seconds(lost.moment.since(lost.established))) after it was established: \(lost.reason.name). The connection continued.",
                .unknown("The log of the peer, or a capture from the air, would show whether it heard the packets."),
                next: "Repeat with both devices within 1 m; if it stays, record the air.")
            incident.add(lost.established.frame, "\(lost.stream.kind.name) established")
            incident.add(lost.moment.frame, lost.reason.name)
            report(incident)
        }
    }
}

extension IsochronousStream.Kind {
    fileprivate var name: String {
        guard case .connected(let group?, let stream?) = self else { return "A Connected Isochronous Stream" }
        return "CIS \(stream) of CIG \(group)"
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
