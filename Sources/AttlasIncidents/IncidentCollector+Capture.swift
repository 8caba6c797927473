import AttlasCapture
import AttlasTrace
import AttlasWire

/// Missing data in the capture, and incidents that the end of a connection settles.
extension IncidentCollector {
    /// In which a client repeats what was refused before the link was encrypted.
    private static let repetition: Int64 = 5_000_000_000

    mutating func noteLoss(_ records: Int, _ event: borrowing Event, in trace: borrowing Trace) {
        if trace.losses.areLeftOut {
            return report(
                Incident(
                    .recordsLost, .noted, Moment(event), Incident.Place(), title: "packets not in the text",
                    "\(counted(records, "packet")) before this one \(records == 1 ? "is" : "are") not in the text.",
                    .proved("The text numbers its packets, and numbers are left out."), next: "Copy the whole text."))
        }
        report(
            Incident(
                .recordsLost, .noted, Moment(event), Incident.Place(), title: "records lost",
                "\(records == 1 ? "1 record was" : "\(records) records were") lost before this one.",
                .proved("The capture counts them."), next: "Record with a larger buffer, or less."))
    }

    mutating func noteClockStep(_ step: Int64, _ event: borrowing Event, in trace: borrowing Trace) {
        report(
            Incident(
                .clockStep, .noted, Moment(event), Incident.Place(), title: "the capture's clock jumped",
                "The clock went \(step < 0 ? "back" : "ahead") by \(seconds(ofMicroseconds: step.magnitude)).",
                .proved("The times of two records in a row say so."), next: "Do not compare times across this frame."))
    }

    mutating func noteIntegrity(_ integrity: CaptureIntegrity, _ moment: Moment) {
        guard integrity.onlySide != nil else { return }
        report(
            Incident(
                .oneDirection, .noted, Moment(frame: 1, time: integrity.extent.first ?? moment.time), Incident.Place(),
                title: "one direction only",
                "The capture has the PDUs of one side only: refusals and missing answers cannot be recognized.",
                .proved("Every PDU has the same direction."), next: "Record both directions."))
    }

    /// Settles the open incidents on a connection.
    ///
    /// - Parameter end: nil if the capture ended first.
    mutating func close(_ slot: Int, _ end: ConnectionEnd?, _ moment: Moment, in trace: borrowing Trace) {
        var isLost = false
        var isEnded = false
        var closer = Direction.unknown
        switch end {
        case .disconnected(let reason, let party):
            isLost = party == .link || reason == .connectionTimeout
            isEnded = !isLost
            closer = party == .host ? .tx : party == .peer ? .rx : .unknown
        case .reported: isEnded = true
        case .superseded, .controller, nil: break
        }
        if let key = links[slot].keyUsed?.key, let encryption = links[slot].encryption,
            links[slot].lastReceived > encryption.moment.frame,
            let address = trace.peerAddress(trace.connections[slot].peer)
        {
            devices.change(address) { $0.workedKey = key }
        }
        // Without HCI events it is unknown how long a connection lived after its last packet.
        let alive = end == nil && !links[slot].isWhole ? links[slot].last : moment
        closeRequests(slot, isEnded: isEnded, isLost: isLost, by: closer, moment, in: trace)
        closeSecurity(slot, isEnded: isEnded, isLost: isLost, by: closer, alive, in: trace)
        closeUpdate(slot, alive, in: trace)
        closeValues(slot, isLost: isLost, alive, in: trace)
        closeTransfers(slot, isLost: isLost, alive, in: trace)
        closeChannels(slot, alive, in: trace)
        closeStreams(slot, isLost: isLost, alive, in: trace)
        let isDropped = isEnded && links[slot].isWhole
        let isKnown = trace.hasEveryPacket && !hasGap(slot, in: trace)
        let encrypted = isKnown ? links[slot].encryption?.moment : nil
        let securing = end == nil ? securing(slot, until: alive) : nil
        for incident in links[slot].open {
            settle(incident, slot, in: trace) {
                guard $0.isSecurityRefusal, $0.weight > .noted else { return }
                if let securing, securing > $0.occurrences.last ?? .max {
                    $0.weight = .noted
                    $0.add(nil, "the capture ends before the request could be repeated")
                    $0.next = "Record for longer."
                } else if isDropped, $0.steps.last?.frame == $0.frame {
                    $0.add(nil, "no pairing and no encryption followed")
                } else if let encrypted, encrypted.frame > $0.occurrences.last ?? .max,
                    alive.since(encrypted) >= Self.repetition
                {
                    $0.add(nil, "the request was not repeated after that")
                    $0.next = "Repeat the request once the link is encrypted."
                }
            }
        }
        links[slot].open = []
    }

    /// Where pairing or encryption began that is not over, or that the client may have had no time to use.
    private func securing(_ slot: Int, until moment: Moment) -> Int? {
        let link = links[slot]
        if let pairing = link.pairing, !pairing.isEncrypted { return pairing.begun.frame }
        if let asked = link.encryptionAsked { return asked.frame }
        return link.encryption.flatMap { moment.since($0.moment) < Self.repetition ? $0.moment.frame : nil }
    }
}
