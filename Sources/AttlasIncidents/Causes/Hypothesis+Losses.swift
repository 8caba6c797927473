import AttlasCapture
import AttlasTrace
import AttlasWire

/// Why links are lost.
extension Hypothesis {
    static let ofLosses = [
        hostBuffersFull, neverHeard, left, notFollowed, weakSignal, shortTimeout, fullScan, failedProcedure,
        foreignProcedure,
        runningProcedure, collision, parameters,
    ]

    private static let weak: Int8 = -85
    private static let longUnderScan: Int64 = 120_000_000_000
    private static let fall = 15

    /// Core Specification, Vol 4, Part E, 4.2.
    private static let hostBuffersFull = Hypothesis([.linkLost, .requestUnanswered], .likely) { evidence in
        guard let buffers = evidence.hostBuffers, !evidence.hasGap else { return nil }
        let frames = buffers.frames.map { "\($0)" }.joined(separator: " and ")
        return Account(
            text:
                "This host has room for \(counted(buffers.count, "packet")) and limited its controller to them (frames \(frames)); \(buffers.count) came, and "
                + "it gave none of the buffers back: the controller may deliver nothing more (Vol 4, Part E, 4.2).",
            next:
                "Send Host Number Of Completed Packets for each packet that was read, or leave the flow control off.",
            steps: zip(buffers.frames, ["Host Buffer Size", "Set Controller To Host Flow Control"]).map {
                Incident.Step(frame: $0, text: $1)
            })
    }

    /// The controller reported a connection on which the peer never sent anything.
    private static let neverHeard = Hypothesis([.linkLost, .noLinkLayerResponse], .likely) { evidence in
        let link = evidence.link
        guard link.isWhole, !link.hasHeardPeer, link.lastOpcode.rawValue == 0, link.pairing == nil, !evidence.hasGap,
            let procedure = link.linkProcedures.last.first(where: { $0.ended == nil || !$0.status.isSuccess })
        else { return nil }
        let age = seconds((procedure.ended ?? evidence.moment).since(procedure.began))
        return Account(
            text:
                "No packet of \(evidence.peer) was received on this connection: it may have existed on this side only.",
            next: "See in the device's log, or in a capture from the air, whether it received the connection request.",
            steps: [
                Incident.Step(
                    frame: procedure.began.frame,
                    text: "\(procedure.kind.name) began, without an answer in \(age)")
            ])
    }

    /// The device advertised as connectable before the link was lost.
    private static let left = Hypothesis([.linkLost], .likely) { evidence in
        guard let advertised = evidence.link.left else { return nil }
        let before = evidence.moment.time.duration(since: advertised.time).map { "\(seconds($0)) " } ?? ""
        return Account(
            text:
                "The device advertised again \(before)before (frame \(advertised.frame)): it had left the connection, or restarted.",
            next: "Look at the log of the device.", isOfDevice: true)
    }

    /// Nothing was heard since an update of the connection, and the link was lost one supervision timeout later.
    private static let notFollowed = Hypothesis([.linkLost], .likely) { evidence in
        guard let updated = evidence.link.updated, let parameters = evidence.parameters, !evidence.hasGap,
            evidence.link.lastReceived < updated.frame
        else { return nil }
        let timeout = Int64(parameters.supervisionTimeout) * 10_000_000
        let age = evidence.moment.since(updated)
        // Six connection events may pass before the update is in use.
        guard age >= timeout, age <= timeout * 5 / 4 + 1_000_000_000 else { return nil }
        // The last write of the host may be why.
        let link = evidence.link
        let isWritten = link.lastDirection == .tx && link.lastFrame < updated.frame && link.lastOpcode.rawValue != 0
        let busy =
            isWritten
            ? " Also possible: it was busy with \(link.lastOpcode.name) of frame \(link.lastFrame), which it did not answer, or restarted."
            : ""
        return Account(
            text:
                "\(evidence.peer.capitalizedFirst) did not follow the connection update of frame \(updated.frame): nothing was heard since, "
                + "and the link was lost \(seconds(age)) later.\(busy)",
            next: isWritten
                ? "Look in the firmware of the device at what it does then, for example whether it erases flash, and for how long."
                : "Look in the firmware of the device at how it takes over an update of the connection.",
            steps: [Incident.Step(frame: updated.frame, text: "the connection was updated")], isOfDevice: true)
    }

    private static let weakSignal = Hypothesis([.linkLost], .likely) { evidence in
        guard let rssi = evidence.signal,
            rssi.last.dBm <= weak || Int(rssi.first.dBm) - Int(rssi.last.dBm) >= fall
        else { return nil }
        return Account(
            text: "Out of range or interference: the last RSSI is \(rssi.last.dBm) dBm.", next: nearby)
    }

    /// Fewer connection events in a supervision timeout than this make a link fragile.
    private static let fewEvents = 6
    /// Units of 10 ms: a shorter supervision timeout does not outlast a pause of a radio.
    private static let shortest: UInt16 = 50

    /// Too few connection events fit into the supervision timeout, or it is short.
    private static let shortTimeout = Hypothesis([.linkLost], .likely) { evidence in
        guard let parameters = evidence.parameters, parameters.supervisionTimeout > 0 else { return nil }
        let effective = parameters.effectiveIntervalMicroseconds
        let timeout = Int(parameters.supervisionTimeout) * 10_000
        let isShort = parameters.supervisionTimeout < shortest
        guard effective > 0, timeout < effective * fewEvents || isShort else { return nil }
        let (times, rest) = (timeout / effective, timeout % effective * 10 / effective)
        let length = "\(Int(parameters.supervisionTimeout) * 10) ms"
        let subrate = parameters.subrateFactor > 1 ? " × subrate factor \(parameters.subrateFactor)" : ""
        var text =
            timeout < effective * fewEvents
            ? "The supervision timeout of \(length) is only \(times).\(rest) times the effective interval of "
                + "(latency \(parameters.latency) + 1) × \(milliseconds(parameters.interval))\(subrate): a few missed packets end the link."
            : "The supervision timeout is only \(length): a short pause of a radio ends the link."
        guard let asked = evidence.link.granted, asked.wanted.timeout == parameters.supervisionTimeout else {
            if evidence.link.isWhole, evidence.link.updated == nil, let isCentral = evidence.isCentral {
                let central = evidence.name(of: isCentral ? .tx : .rx)
                text +=
                    " \(central.capitalizedFirst) chose it with the connection (frame \(evidence.link.begun.frame))."
            }
            return Account(text: text, next: "Use a supervision timeout of several seconds.")
        }
        let asker = evidence.name(of: asked.asker)
        return Account(
            text: "\(text) \(asker.capitalizedFirst) asked for these \(length) (frame \(asked.moment.frame)).",
            next: asked.asker == .rx
                ? "Change the firmware of the device: ask for a supervision timeout of several seconds."
                : "Ask for a supervision timeout of several seconds.",
            steps: [
                Incident.Step(
                    frame: asked.moment.frame, text: "\(asker) asked for \(asked.wanted.words)")
            ])
    }

    /// Vol 4, Part E, 7.8.10: with equal window and interval the controller scans all the time.
    private static let fullScan = Hypothesis([.linkLost, .neverEstablished], .likely) { evidence in
        // A link that lived with it for long was lost for another reason.
        guard let frame = evidence.fullScan,
            frame > evidence.link.begun.frame || evidence.moment.since(evidence.link.begun) < longUnderScan
        else { return nil }
        return Account(
            text:
                "This host scanned all the time (since frame \(frame), the window as long as the interval), which leaves its radio little time for "
                + "the connection.",
            next: "Scan less while connected: with a window much shorter than the interval, or not at all.",
            steps: [Incident.Step(frame: frame, text: "the scan was switched on")])
    }

    /// An HCI event names the procedure without a response.
    private static let failedProcedure = Hypothesis([.noLinkLayerResponse], .proved) { evidence in
        guard let reason = evidence.reason, let procedure = evidence.link.linkProcedures.ended(with: reason),
            let ended = procedure.ended
        else { return nil }
        return Account(
            text: "\(procedure.kind.name) (frame \(procedure.began.frame)) ended without an answer of "
                + "\(evidence.peer) (frame \(ended.frame)).",
            next: procedure.kind.advice,
            steps: [Incident.Step(frame: procedure.began.frame, text: "\(procedure.kind.name) began")])
    }

    /// The same of a procedure that this host did not begin.
    private static let foreignProcedure = Hypothesis([.noLinkLayerResponse], .likely) { evidence in
        guard let foreign = evidence.link.linkProcedures.foreign, foreign.status == evidence.reason, !evidence.hasGap
        else { return nil }
        let received = evidence.link.lastReceived
        let alive =
            received == 0 ? "" : " \(evidence.peer.capitalizedFirst) was alive: its last PDU is in frame \(received)."
        return Account(
            text:
                "The event of \(foreign.kind.name) has the same code (frame \(foreign.moment.frame)), and this host had not asked for it: a controller "
                + "began a procedure by itself."
                + alive,
            next:
                "Update the firmware of the controllers on both sides; a capture from the air shows which of them did not answer."
        )
    }

    /// A procedure was accepted and was still running.
    private static let runningProcedure = Hypothesis([.noLinkLayerResponse, .instantPassed], .likely) { evidence in
        guard let procedure = evidence.link.linkProcedures.running.first, !evidence.hasGap else {
            return nil
        }
        let age = seconds(evidence.moment.since(procedure.began))
        return Account(
            text:
                "\(procedure.kind.name) (frame \(procedure.began.frame)) had been accepted \(age) before and never "
                + "completed: \(evidence.peer) did not answer \(procedure.kind.request).",
            next: procedure.kind.advice,
            steps: [
                Incident.Step(
                    frame: procedure.began.frame, text: "\(procedure.kind.name) began and never completed")
            ])
    }

    /// A procedure of this host was running when the link ended for a collision. Vol 6, Part B, 5.3.
    private static let collision = Hypothesis([.endedWithError], .likely) { evidence in
        guard evidence.reason == .llProcedureCollision || evidence.reason == .differentTransactionCollision,
            let procedure = evidence.link.linkProcedures.running.first, !evidence.hasGap
        else { return nil }
        return Account(
            text:
                "\(procedure.kind.name) of \(evidence.host) (frame \(procedure.began.frame)) was running, and the controller of \(evidence.peer) "
                + "began another one.",
            next:
                "Use \(procedure.kind.name) later, or let \(evidence.peer) begin it; update the firmware of the device.",
            steps: [Incident.Step(frame: procedure.began.frame, text: "\(procedure.kind.name) began")])
    }

    /// A side closed the connection because of the parameters in force.
    private static let parameters = Hypothesis([.endedWithError], .proved) { evidence in
        guard evidence.reason == .unacceptableConnectionParameters, let inForce = evidence.parameters else {
            return nil
        }
        let update = evidence.link.update
        let closer = evidence.closer == .unknown ? "the side that closed" : evidence.name(of: evidence.closer)
        var text =
            "\(closer.capitalizedFirst) does not accept the parameters in force: \(WantedParameters(inForce).words)."
        var steps: [Incident.Step] = []
        if let asked = update.asked, let wanted = update.wanted {
            let asker = evidence.name(of: update.asker)
            text += " \(asker.capitalizedFirst) had asked for \(wanted.words) (frame \(asked.frame)), in vain."
            steps = [Incident.Step(frame: asked.frame, text: "\(asker) asked for \(wanted.words)")]
        }
        return Account(
            text: text, next: "Answer the request with parameters that both sides accept.", steps: steps)
    }

    /// Advice where the radio may be the cause.
    static let nearby = "Repeat with both devices within 1 m; if it stays, record the air."
}
