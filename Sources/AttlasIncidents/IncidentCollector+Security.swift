import AttlasCapture
import AttlasTrace
import AttlasWire

/// Pairing and encryption. Core Specification, Vol 3, Part H, 2.3 and 3.5.
extension IncidentCollector {
    /// After which a pairing has failed. Vol 3, Part H, 3.4.
    private static let pairingTimeout: Int64 = 30_000_000_000
    /// In which a side that asked for security gives up, with a reserve.
    private static let securityTime: Int64 = 35_000_000_000
    private static let patience: Int64 = 5_000_000_000
    private static let reaction: Int64 = 1_000_000_000

    mutating func follow(_ pdu: SMPPDU, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace) {
        let moment = Moment(event)
        if event.direction == .rx { links[slot].hasHeardPeer = true }
        noteKeys(pdu, slot, event, in: trace)
        switch pdu.code {
        case .pairingFailed:
            if case .pairingFailed(let failed) = pdu { failPairing(failed.reason, slot, event, in: trace) }
        case .securityRequest:
            if links[slot].securityRequest == nil { links[slot].securityRequest = (moment, event.direction) }
        case .pairingRequest:
            links[slot].pairing = PairingState(
                begun: moment, asker: event.direction, last: moment, step: .featureExchange, sender: event.direction,
                isBonding: true)
            if case .pairingRequest(let features) = pdu {
                links[slot].pairing?.note(features, of: event.direction, event.frame)
            }
            links[slot].securityRequest = nil
            noteSecurity(moment, "\(party(event.direction, slot, in: trace)) started pairing", slot)
            if let address = trace.peerAddress(trace.connections[slot].peer) {
                links[slot].pairing?.bonded = devices[address]?.bonded
            }
        default:
            guard links[slot].pairing != nil else { return }
            links[slot].pairing?.last = moment
            links[slot].pairing?.sender = event.direction
            if case .pairingResponse(let features) = pdu {
                links[slot].pairing?.note(features, of: event.direction, event.frame)
            }
            links[slot].pairing?.note(pdu, from: event.direction, event.frame)
            if pdu.code == .pairingDHKeyCheck { links[slot].pairing?.checks[event.direction] = event.frame }
            if let step = pdu.step { links[slot].pairing?.step = step }
        }
    }

    /// Keys that the two sides distribute.
    private mutating func noteKeys(_ pdu: SMPPDU, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace) {
        guard let address = trace.peerAddress(trace.connections[slot].peer) else { return }
        let (sender, frame) = (event.direction, event.frame)
        switch pdu {
        case .encryptionInformation(let information):
            let key = DeviceStates.DistributedKey(sender: sender, key: information.longTermKey, frame: frame)
            devices.change(address) { state in
                state.keys.removeAll { $0.sender == sender }
                state.keys.append(key)
            }
        case .identityInformation(let information) where sender == .rx:
            let isZero = information.identityResolvingKey == 0
            devices.change(address) { $0.zeroIdentityKey = isZero ? frame : nil }
        case .pairingRequest: devices.change(address) { $0.keys = [] }
        default: break
        }
    }

    private mutating func failPairing(
        _ reason: SMPReason, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        let pairing = links[slot].pairing
        defer { links[slot].pairing = nil }
        let frame = event.frame
        // The other side reports it, too.
        if pairing == nil, let known = links[slot].open.lastIndex(where: { $0.kind == .pairingFailed }) {
            let other = party(event.direction, slot, in: trace)
            return links[slot].open[known].add(frame, "\(other) reported \(reason.name), too")
        }
        noteFailedPairing(frame, slot, in: trace)
        let code = "\(reason.name) (0x\(hexadecimal(UInt16(reason.rawValue), digits: 2)))"
        let said = party(event.direction, slot, in: trace)
        let step = pairing.map { ", in the step \($0.step.rawValue)" } ?? ""
        var incident = Incident(
            .pairingFailed, .broke, Moment(event), place(slot, in: trace), detail: Int(reason.rawValue),
            title: "pairing failed: \(reason.name)", "Pairing failed: \(code), reported by \(said)\(step).",
            reason.cause(of: said), next: reason.advice(of: said))
        if let pairing {
            var evidence = evidence(slot, Moment(event), in: trace)
            evidence.pairing = Evidence.PairingFacts(reason: reason, reporter: event.direction, state: pairing)
            incident.explain(with: evidence)
            incident.add(pairing.begun.frame, "pairing began")
            if pairing.last.frame != pairing.begun.frame {
                incident.add(
                    pairing.last.frame,
                    "\(party(pairing.sender, slot, in: trace)) sent the last PDU of the step \(pairing.step.rawValue)")
            }
        }
        incident.add(event.frame, "\(said) reported \(code)")
        incident.follows = links[slot].open.last { $0.isSecurityRefusal }?.frame
        // The request waits for the pairing.
        for index in links[slot].open.indices where links[slot].open[index].isSecurityRefusal {
            links[slot].open[index].weight = min(links[slot].open[index].weight, .hindered)
        }
        open(incident, slot, in: trace)
    }

    private mutating func noteFailedPairing(_ frame: Int, _ slot: Int, in trace: borrowing Trace) {
        guard let address = trace.peerAddress(trace.connections[slot].peer) else { return }
        devices.change(address) {
            if $0.failedPairings.count < DeviceStates.attemptLimit { $0.failedPairings.append(frame) }
        }
    }

    /// The new pairing succeeded.
    private mutating func notePairedAgain(
        _ pairing: PairingState, _ address: BluetoothAddress, _ slot: Int, in trace: borrowing Trace
    ) {
        guard let bonded = pairing.bonded else { return }
        devices.change(address) { $0.bonded = nil }
        var incident = Incident(
            .pairedAgain, .noted, pairing.begun, place(slot, in: trace), title: "paired again although bonded",
            "\(party(pairing.asker, slot, in: trace).capitalizedFirst) started pairing again; the bond of frame \(bonded) was not used.",
            .unknown("The lists of bonds of both devices would show which of them lost the key."),
            next: "Find out which device lost its bond.")
        incident.note(bonded)
        report(incident)
    }

    /// - Parameter isOn: whether the link is encrypted now.
    mutating func encrypt(
        _ isOn: Bool, _ status: HCIErrorCode, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        let moment = Moment(event)
        let asked = links[slot].encryptionAsked
        links[slot].encryptionAsked = nil
        links[slot].securityRequest = nil
        if isOn {
            links[slot].wasEncrypted = true
            links[slot].encryption = (moment, links[slot].valueCount)
            links[slot].sentDuringSetup = nil
            links[slot].pairing?.isEncrypted = true
            noteSecurity(moment, "the link was encrypted", slot)
            guard let pairing = links[slot].pairing, let address = trace.peerAddress(trace.connections[slot].peer)
            else { return }
            notePairedAgain(pairing, address, slot, in: trace)
            guard pairing.isBonding else { return }
            devices.change(address) { $0.bonded = $0.bonded ?? pairing.begun.frame }
            lastBonding = (address, moment)
        } else if !status.isSuccess {
            links[slot].pairing = nil
            failEncryption(status, event.reported, asked, slot, moment, in: trace)
        }
    }

    private mutating func failEncryption(
        _ status: HCIErrorCode, _ reported: ApplicationStatus?, _ asked: Moment?, _ slot: Int, _ moment: Moment,
        in trace: borrowing Trace
    ) {
        let code = reported?.detail ?? Int(status.rawValue)
        let words = reported?.words ?? status.words
        if let known = openIncident(.encryptionFailed, detail: code, slot) {
            return happenAgain(known, moment, slot)
        }
        var incident = Incident(
            .encryptionFailed, .broke, moment, place(slot, in: trace), detail: code,
            title: "encryption failed: \(reported?.words ?? status.name)", "Encryption failed: \(words).",
            reported?.incidentCause
                ?? (status.isOfKeys && status != .pinOrKeyMissing
                    ? .likely("One side has lost or changed its key.") : .proved(status.meaning)),
            next: reported?.advice
                ?? (status.isOfKeys
                    ? PlatformAdvice.deleteBonds.rawValue : "Look at the link: encryption did not complete."))
        if reported == nil { incident.explain(with: evidence(slot, moment, reason: status, in: trace)) }
        if let asked { incident.add(asked.frame, "encryption was started") }
        incident.add(moment.frame, "it failed: \(words)")
        incident.follows = links[slot].open.last { $0.isSecurityRefusal || $0.kind == .keyMissing }?.frame
        open(incident, slot, in: trace)
    }

    /// The link layer refused a procedure.
    mutating func reject(
        _ procedure: LLControlOpcode?, _ error: HCIErrorCode, _ slot: Int, _ event: borrowing Event,
        in trace: borrowing Trace
    ) {
        if error == .pinOrKeyMissing || error == .authenticationFailure {
            failEncryption(error, nil, nil, slot, Moment(event), in: trace)
        } else if procedure == .connectionParamReq {
            refuseUpdate(error, slot, Moment(event), in: trace)
        }
    }

    /// LE Long Term Key Request Negative Reply. Vol 4, Part E, 7.8.26.
    mutating func noteMissingKey(_ slot: Int, _ event: borrowing Event, in trace: borrowing Trace) {
        var incident = Incident(
            .keyMissing, .broke, Moment(event), place(slot, in: trace), title: "no key on this host",
            "The peer started encryption, and this host has no key for it.",
            .proved("The host answers LE Long Term Key Request Negative Reply."),
            next: "Delete the bond on the peer and pair again.")
        if let unresolved = controller(of: event)?.unresolved, links[slot].pairing == nil {
            incident.cause = .likely(
                "The controller may not recognize the peer's private address: LE Add Device To Resolving List failed in frame \(unresolved), and "
                    + "the host has no key for an address that it does not know.")
            incident.next = "Correct that first: pairing again has the same result."
            incident.add(unresolved, "an identity was not added to the resolving list")
        } else if let (identity, bonded) = unrecognized(slot, event, in: trace) {
            incident.cause = .likely(
                "The host did not recognize the private address: it bonded with \(identity) in frame \(bonded), and that identity is not in its "
                    + "resolving list.")
            incident.next =
                "Keep the bonds. Add the identity to the resolving list, or resolve the address in the host."
            incident.add(bonded, "the pairing that bonded the two")
        } else if let bonded = evidence(slot, Moment(event), in: trace).device.bonded, links[slot].pairing == nil {
            noteLostKey(bonded, slot, &incident, in: trace)
        } else if let pairing = links[slot].pairing, pairing.step != .featureExchange {
            incident.cause = .likely(
                "The peer encrypts with the key of the pairing that began in frame \(pairing.begun.frame), and this host has not finished it "
                    + "(last step: \(pairing.step.rawValue)).")
            incident.next = "Look at the log of this host: why did it not finish the pairing?"
            noteFailedPairing(event.frame, slot, in: trace)
        }
        incident.add(event.frame, "the host has no key for the peer")
        open(incident, slot, in: trace)
    }

    /// The identity whose private address the peer has, and the frame of its bond, if the controller does not know it.
    private func unrecognized(
        _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) -> (identity: BluetoothAddress, bonded: Int)? {
        guard links[slot].pairing == nil, trace.connections[slot].privateAddress != nil,
            let identity = trace.peerAddress(trace.connections[slot].peer), let bonded = devices[identity]?.bonded,
            controller(of: event)?.resolving[identity] == nil
        else { return nil }
        return (identity, bonded)
    }

    /// A PDU of the host between LE Enable Encryption and its end.
    mutating func noteSent(
        _ operation: borrowing ATTOperation, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        guard let asked = links[slot].encryptionAsked, event.direction == .tx else { return }
        links[slot].sentDuringSetup = (event.frame, asked.frame)
        links[slot].encryptionAsked = nil
        var incident = Incident(
            .sentDuringEncryptionSetup, .noted, Moment(event), place(slot, in: trace),
            title: "sent while encryption was being started",
            "\(operation.opcode.name) by the host before encryption was on.",
            .proved("LE Enable Encryption is in frame \(asked.frame), and its end comes later."),
            next: "Wait for Encryption Change before the next request.")
        incident.note(asked.frame)
        report(incident)
    }

    /// Notes the reaction of the two sides to a refusal for lack of security.
    private mutating func noteSecurity(_ moment: Moment, _ text: String, _ slot: Int) {
        for index in links[slot].open.indices where links[slot].open[index].isSecurityRefusal {
            links[slot].open[index].add(moment.frame, text)
        }
    }

    /// - Parameter closer: the side that ended the connection.
    mutating func closeSecurity(
        _ slot: Int, isEnded: Bool, isLost: Bool, by closer: Direction, _ moment: Moment, in trace: borrowing Trace
    ) {
        guard !hasGap(slot, in: trace), links[slot].isWhole || links[slot].pairing != nil else { return }
        if let pairing = links[slot].pairing, let address = trace.peerAddress(trace.connections[slot].peer),
            !trace.isOfApp
        {
            // The responder distributes first.
            let side = [pairing.asker.opposite, pairing.asker].first { pairing.promised[$0] != nil }
            devices.change(address) { $0.unfinished = side.map { (pairing.begun.frame, $0) } }
        }
        if let pairing = links[slot].pairing, pairing.isEncrypted { noteUnidentified(pairing, slot, in: trace) }
        if let pairing = links[slot].pairing, !pairing.isEncrypted, !isLost {
            let silence = moment.since(pairing.last)
            let isTimedOut = silence >= Self.pairingTimeout
            if isEnded || isTimedOut {
                let answerer = party(pairing.owing, slot, in: trace)
                noteFailedPairing(moment.frame, slot, in: trace)
                var incident = Incident(
                    .pairingUnfinished, .broke, moment, place(slot, in: trace), title: "pairing never finished",
                    "Pairing stopped in the step \(pairing.step.rawValue)"
                        + (isTimedOut
                            ? ": no PDU for \(seconds(silence)) (30 s at most)."
                            : "; the connection ended \(seconds(silence)) later."),
                    .unknown("The log of \(answerer) would tell: it had to answer."),
                    next: pairing.step == .publicKeys && pairing.sender == pairing.asker
                        ? "Look at \(answerer): a public key has 65 octets, for which its SMP needs an MTU of 65 (Vol 3, Part H, 3.2)."
                        : "Look at \(answerer): did it ask its user, or has it no one to ask?")
                incident.add(pairing.begun.frame, "pairing began")
                if pairing.last.frame != pairing.begun.frame {
                    incident.add(
                        pairing.last.frame,
                        "\(party(pairing.sender, slot, in: trace)) sent the last PDU (\(pairing.step.rawValue))")
                }
                if pairing.offers.count == 1, let bonded = pairing.bonded {
                    incident.cause = .likely(
                        "The two were bonded (frame \(bonded)), and \(answerer) does not answer a new Pairing Request: it may keep to the old bond."
                    )
                    incident.next = "Delete the bond on \(answerer), then pair again."
                    incident.add(bonded, "the two paired with bonding")
                } else if isEnded, !isTimedOut, closer != .unknown {
                    let closing = party(closer, slot, in: trace)
                    incident.add(moment.frame, "\(closing) closed the connection")
                    incident.cause = .likely(
                        closer == pairing.owing
                            ? "\(closing.capitalizedFirst) closed the connection when it had to continue."
                            : "\(closing.capitalizedFirst) did not wait for \(answerer): it closed the connection after \(seconds(silence))."
                    )
                    incident.next =
                        closer == pairing.owing
                        ? "Look at the log of \(closing): why did it give up?"
                        : "Wait for up to 30 s: the user of \(answerer) may have to enter or to confirm something (Vol 3, Part H, 3.4)."
                }
                if let missing = links[slot].open.last(where: {
                    $0.kind == .keyMissing && $0.frame > pairing.begun.frame
                }) {
                    incident.cause = .likely(
                        "The peer had finished it: it started encryption (frame \(missing.frame)).")
                    incident.next = missing.next
                    incident.follows = missing.frame
                    incident.weight = .hindered
                }
                report(incident)
            }
        }
        guard let (request, asker) = links[slot].securityRequest, links[slot].isWhole, !isLost else { return }
        let age = moment.since(request)
        if closer == asker.opposite, age < Self.reaction {
            // A host that was served in the meantime may have been done.
            guard links[slot].lastFrame < request.frame else { return }
            return noteClosing(at: request, asker, slot, moment, in: trace)
        }
        // The side that requested security times out sooner than attlas.
        let isQuiet = links[slot].lastFrame < request.frame || age <= Self.securityTime
        let isClosed = closer == asker && age >= Self.reaction && isQuiet
        guard isClosed || age >= Self.patience else { return }
        var incident = Incident(
            .securityRequestIgnored, isClosed ? .broke : .hindered, request, place(slot, in: trace),
            title: "Security Request ignored",
            "The peripheral asked for security; no pairing and no encryption followed in \(seconds(age))"
                + (isClosed ? ", and it closed the connection." : "."),
            .unknown("The log of the central would tell whether its user was asked."),
            next: "Let the central pair or encrypt when it is asked to.")
        incident.add(request.frame, "\(party(asker, slot, in: trace)) sent Security Request")
        if isClosed { incident.add(moment.frame, "\(party(asker, slot, in: trace)) closed the connection") }
        incident.explain(with: evidence(slot, moment, in: trace))
        report(incident)
    }
}

extension IncidentCollector {
    /// A bond with a private address whose owner distributed no Identity Resolving Key: of no use when the address changes. Vol 3, Part H,
    /// 2.4.2.
    private mutating func noteUnidentified(_ pairing: PairingState, _ slot: Int, in trace: borrowing Trace) {
        guard pairing.isBonding, !pairing.isIdentified, links[slot].isWhole, !trace.isOfApp,
            let address = trace.peerAddress(trace.connections[slot].peer), address.kind == .resolvable,
            let name = trace.name(of: address)
        else { return }
        guard let first = unidentified.first(where: { $0.name == name && $0.address != address }) else {
            if unidentified.count < DeviceStates.watchLimit {
                unidentified.append((name, address, pairing.begun.frame))
            }
            return
        }
        // Two devices of one model.
        let isOther = links.indices.contains {
            links[$0].isOpen && trace.peerAddress(trace.connections[$0].peer) == first.address
        }
        if isOther { return }
        var incident = Incident(
            .pairedAgain, .hindered, pairing.begun, Incident.Place(),
            title: "two bonds of devices named \(name)",
            "\(name) paired, and a device of this name had bonded as \(first.address) in frame \(first.frame).",
            .likely(
                "It is the same device: it uses private addresses and distributed no Identity Resolving Key, so that this host cannot recognize "
                    + "it when its address changes."),
            next:
                "Distribute Identity Information in the pairing of the device (IdKey), or use an address that does not change."
        )
        incident.add(first.frame, "it paired as \(first.address)")
        incident.add(pairing.begun.frame, "it paired as \(address)")
        report(incident)
    }

    /// This host had bonded with the peer.
    private func noteLostKey(_ bonded: Int, _ slot: Int, _ incident: inout Incident, in trace: borrowing Trace) {
        incident.cause = .likely(
            "This host bonded with the peer (frame \(bonded)), and did not keep the key or deleted it.")
        incident.next = "Look at how this host stores bonds; delete the bond on the peer and pair again."
        incident.add(bonded, "the pairing that bonded the two")
        // It gave up the connection of one peer when another one had bonded.
        guard let address = trace.peerAddress(trace.connections[slot].peer), let other = lastBonding,
            other.peer != address, let closed = devices[address]?.lifetimes.last, closed.party == .host,
            case let age = closed.moment.since(other.moment), 0...Self.patience ~= age
        else { return }
        incident.cause = .likely(
            "This host bonded with \(other.peer) (frame \(other.moment.frame)), closed the connection of this peer right after that (frame "
                + "\(closed.moment.frame)), and has no key for it now: its storage of bonds may be full, and the oldest one was deleted."
        )
        incident.next = "Give this host room for more bonds; delete the bond on the peer and pair again."
        incident.add(other.moment.frame, "the host bonded with \(other.peer)")
        incident.add(closed.moment.frame, "the host closed the connection of this peer")
    }

    /// The central closed the connection as soon as the peripheral asked for security: reported if it does so again.
    fileprivate mutating func noteClosing(
        at request: Moment, _ asker: Direction, _ slot: Int, _ moment: Moment, in trace: borrowing Trace
    ) {
        guard let address = trace.peerAddress(trace.connections[slot].peer) else { return }
        let first = devices[address]?.closedAtRequest
        devices.change(address) { $0.closedAtRequest = request }
        guard let first else { return }
        let closer = party(asker.opposite, slot, in: trace)
        var incident = Incident(
            .securityRequestIgnored, .broke, request, place(slot, in: trace), title: "closed at Security Request",
            "\(closer.capitalizedFirst) closed the connection \(seconds(moment.since(request))) after Security Request, as before (frame \(first.frame)).",
            .likely(
                "\(closer.capitalizedFirst) does not pair with this device, and closes the connection when it is asked to."
            ),
            next:
                "Look at the log of \(closer): it may have to be told to pair, or to encrypt with the bond that it has."
        )
        incident.note(first.frame)
        incident.add(request.frame, "\(party(asker, slot, in: trace)) sent Security Request")
        incident.add(moment.frame, "\(closer) closed the connection")
        report(incident)
    }
}

extension HCIErrorCode {
    /// PIN or Key Missing, Authentication Failure and Connection Terminated due to MIC Failure.
    var isOfKeys: Bool { self == .pinOrKeyMissing || self == .authenticationFailure || self == .micFailure }
}

extension Incident {
    /// A refusal that requires pairing or encryption.
    var isSecurityRefusal: Bool {
        (kind == .requestRefused || kind == .subscriptionRefused)
            && ATTErrorCode(rawValue: UInt8(truncatingIfNeeded: detail)).wantsSecurity
    }
}

extension ATTErrorCode {
    /// Insufficient Authentication, Authorization and Encryption, and a key that is too short.
    package var wantsSecurity: Bool {
        [.insufficientAuthentication, .insufficientAuthorization, .encryptionKeySizeTooShort, .insufficientEncryption]
            .contains(self)
    }
}

extension SMPPDU {
    /// The step that it belongs to; nil for a PDU that may come in any.
    fileprivate var step: PairingState.Step? {
        switch code {
        case .pairingRequest, .pairingResponse: .featureExchange
        case .pairingConfirm, .pairingRandom: .confirmAndRandom
        case .pairingPublicKey: .publicKeys
        case .pairingDHKeyCheck: .dhKeyCheck
        case .encryptionInformation, .centralIdentification, .identityInformation, .identityAddressInformation,
            .signingInformation:
            .keyDistribution
        default: nil
        }
    }
}

/// Meanings of the reasons. Core Specification, Vol 3, Part H, 3.5.5.
extension SMPReason {
    /// - Parameter reporter: the side that reported it.
    fileprivate func cause(of reporter: String) -> Incident.Cause {
        switch self {
        case .passkeyEntryFailed: .proved("The user did not enter the passkey, or cancelled.")
        case .oobNotAvailable: .proved("One side has no OOB data of the other.")
        case .authenticationRequirements:
            .proved("The IO capabilities of the two do not allow the protection that one of them demands.")
        case .confirmValueFailed:
            .likely(
                "The confirm values differ: a wrong passkey, if one was entered, or one side calculated wrong values. The log does not show how they "
                    + "paired.")
        case .pairingNotSupported: .proved("The device does not pair, or not now.")
        case .encryptionKeySize: .proved("The encryption key would be too short for one side.")
        case .unspecifiedReason: .unknown("The log of \(reporter) would tell.")
        case .repeatedAttempts: .proved("Too many attempts in a short time.")
        case .dhKeyCheckFailed:
            .proved(
                "The DHKey checks differ: one side calculated with another key, random number, IO capability or address (Vol 3, Part H, 2.2.8)."
            )
        case .numericComparisonFailed:
            .likely("The user says that the two numbers differ, cancelled, or did not confirm in time.")
        default: .unknown("The log of \(reporter) would tell: \(name) is all that it says.")
        }
    }

    fileprivate func advice(of reporter: String) -> String {
        switch self {
        case .passkeyEntryFailed: "Pair again and compare the passkey on both sides."
        case .confirmValueFailed: "Compare the passkey on both sides, if there was one."
        case .numericComparisonFailed: "Pair again and confirm the number on both sides."
        case .authenticationRequirements:
            "Ask for less protection, or give the device a way to show or enter a passkey."
        case .pairingNotSupported: "Put the device into its pairing mode."
        case .repeatedAttempts: "Wait, then pair again."
        default: "Look at the log of \(reporter), which reported it."
        }
    }
}
