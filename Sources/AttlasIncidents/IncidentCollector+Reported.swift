import AttlasTrace
import AttlasWire

/// Statuses that an app's log has instead of codes: `ApplicationStatus` has their usual causes.
extension IncidentCollector {
    /// After a silence this long, the app was not waiting for anything.
    private static let idle: Int64 = 5_000_000_000
    /// In which no app connects, uses nothing and disconnects.
    private static let unwanted: Int64 = 2_000_000_000

    /// The end of a connection.
    mutating func noteReported(_ status: ApplicationStatus, _ slot: Int, _ moment: Moment, in trace: borrowing Trace) {
        let isByPeer = status == .peripheralDisconnected
        if isByPeer, noteRestart(.remoteUserTerminatedConnection, slot, moment, in: trace) { return }
        if addEnd("the connection ended with \(status.words)", slot, moment, within: Self.idle) { return }
        if status == .noReason { return noteUnexplainedEnd(slot, moment, in: trace) }
        if status == .terminatedByPhone { return noteUnwantedEnd(slot, moment, in: trace) }
        let silence = moment.since(links[slot].last)
        let cause: Incident.Cause =
            if isByPeer, silence >= Self.idle, links[slot].lastOpcode.rawValue != 0 {
                .likely(
                    "The device closed the connection after \(seconds(silence)) without a request: devices end idle connections."
                )
            } else if isByPeer {
                .proved("The device closed the connection; the app had not asked for it.")
            } else {
                status.incidentCause
            }
        let isLost = status == .connectionTimeout
        report(
            Incident(
                isLost ? .linkLost : .endedWithError, .broke, moment, place(slot, in: trace),
                detail: status.detail,
                title: isByPeer
                    ? "the device closed the connection"
                    : "connection \(isLost ? "lost" : "ended"): \(status.words)",
                "The connection ended\(status.phrase).", before: before(slot, moment, in: trace), cause,
                next: isByPeer && silence >= Self.idle
                    ? "Continue before the device's time is over; its log has the reason." : status.advice))
    }

    /// The phone closed the connection: without a call of the app in the log, and before the app could use it.
    private mutating func noteUnwantedEnd(_ slot: Int, _ moment: Moment, in trace: borrowing Trace) {
        let link = links[slot]
        let lasted = moment.since(link.begun)
        guard trace.connections[slot].hasBeginning, lasted <= Self.unwanted, link.lastOpcode.rawValue == 0 else {
            return
        }
        let status = ApplicationStatus.terminatedByPhone
        report(
            Incident(
                .endedWithError, .broke, moment, place(slot, in: trace), detail: status.detail,
                title: "the phone closed the connection",
                "The phone closed the connection after \(seconds(lasted)); the log does not show that the app asked for it: "
                    + "\(status.words).",
                .unknown(status.cause ?? ""), next: status.advice))
    }

    /// The log has the end alone: any side may have closed the connection, and it may be meant.
    private mutating func noteUnexplainedEnd(_ slot: Int, _ moment: Moment, in trace: borrowing Trace) {
        report(
            Incident(
                .endedWithError, .noted, moment, place(slot, in: trace), detail: ApplicationStatus.noReason.detail,
                title: "connection ended, without a reason in the log", "The connection ended; the log has no reason.",
                before: before(slot, moment, in: trace), .unknown("The HCI log would tell who closed it, and why."),
                next: ApplicationStatus.noReason.advice))
    }

    /// An attempt to connect.
    mutating func noteReported(
        _ status: ApplicationStatus, _ attempt: FailedAttempt, _ place: Incident.Place, _ moment: Moment
    ) {
        let duration = attempt.duration.map { " after \(seconds($0))" } ?? ""
        report(
            Incident(
                .attemptFailed, .broke, moment, place, detail: status.detail,
                title: "connection attempt failed: \(status.words)",
                "The connection attempt failed\(duration)\(status.phrase).", status.incidentCause,
                next: status.advice))
    }
}

extension ApplicationStatus {
    /// After "failed": ` with status 133 of Android (GATT_ERROR)`, `: timed out`.
    fileprivate var phrase: String { system == .words ? ": \(words)" : " with \(words)" }

    var incidentCause: Incident.Cause { Self.cause(cause) }
    /// The cause where a request failed.
    var requestCause: Incident.Cause { Self.cause(causeOnRequest) }

    private static func cause(_ text: String?) -> Incident.Cause {
        text.map { .likely($0) } ?? .unknown("The HCI log would tell: the app's log names no cause.")
    }

    /// Apart from codes of HCI.
    var detail: Int { (Int(system.rawValue) + 1) << 16 | Int(code) }
}
