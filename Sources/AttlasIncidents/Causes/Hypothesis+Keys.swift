import AttlasTrace
import AttlasWire

/// Why encryption fails.
extension Hypothesis {
    static let ofKeys = [
        wrongKey, unfinished, peerHasNoKey, neverEncrypted, keyWorked, sentDuringSetup, keyAgreed, keyDiffers,
    ]

    private static let pairAgain = PlatformAdvice.deleteBonds.rawValue

    /// Each side encrypts with the key that the peripheral distributed. Core Specification, Vol 3, Part H, 2.4.4.
    private static let wrongKey = Hypothesis([.integrityFailed, .encryptionFailed], .proved) { evidence in
        guard let used = evidence.link.keyUsed, let isCentral = evidence.isCentral else { return nil }
        let distributor: Direction = isCentral ? .rx : .tx
        guard let right = evidence.device.keys.first(where: { $0.sender == distributor }), right.key != used.key,
            let wrong = evidence.device.keys.first(where: { $0.sender != distributor && $0.key == used.key })
        else { return nil }
        let (own, other) = isCentral ? ("the peer's", "its own") : ("its own", "the peer's")
        return Account(
            text:
                "\(evidence.host.capitalizedFirst) encrypts with the wrong Long Term Key of the bond: \(other) (distributed in frame "
                + "\(wrong.frame)) instead of \(own) (frame \(right.frame)).",
            next:
                "Correct the key storage of this host: as \(isCentral ? "central" : "peripheral") it uses \(own) Long Term Key.",
            steps: [
                Incident.Step(frame: right.frame, text: "the Long Term Key for this link was distributed"),
                Incident.Step(frame: used.frame, text: "the host used the Long Term Key of frame \(wrong.frame)"),
            ])
    }

    /// Values were decrypted with the key that was reported as wrong.
    private static let keyWorked = Hypothesis([.integrityFailed], .likely) { evidence in
        guard let last = evidence.decrypted, let encryption = evidence.link.encryption else { return nil }
        let count = evidence.valuesSinceEncryption
        let decrypted =
            count == 0
            ? "PDUs of \(evidence.peer) were" : "\(counted(count, "value")) \(count == 1 ? "was" : "were")"
        return Account(
            text:
                "The key was right: \(decrypted) decrypted with it since frame \(encryption.moment.frame), the last in frame \(last). "
                + "Then one packet failed: the packet counter or the controller of one side is at fault.",
            next:
                "Keep the bond. Update the firmware of both controllers; a capture from the air shows the packet that failed.",
            steps: [Incident.Step(frame: encryption.moment.frame, text: "the link was encrypted; the key worked")])
    }

    /// The bond was never complete.
    private static let unfinished = Hypothesis([.encryptionFailed], .likely) { evidence in
        guard evidence.reason == .pinOrKeyMissing, let (frame, side) = evidence.device.unfinished else { return nil }
        return Account(
            text:
                "The pairing of frame \(frame) was not complete: the connection ended before \(evidence.name(of: side)) had sent its identity "
                + "(Identity Address Information), and there may be no bond to use.",
            next: "Keep the connection until all keys are distributed (Vol 3, Part H, 3.6.1).",
            steps: [Incident.Step(frame: frame, text: "pairing began, and was not complete")])
    }

    /// The host requested encryption with its key.
    private static let peerHasNoKey = Hypothesis([.encryptionFailed], .proved) { evidence in
        guard evidence.reason == .pinOrKeyMissing, evidence.isCentral == true, evidence.device.unfinished == nil,
            let used = evidence.link.keyUsed
        else { return nil }
        return Account(
            text:
                "\(evidence.peer.capitalizedFirst) has no key for \(evidence.host), which had one (frame \(used.frame)): "
                + "\(evidence.peer) lost the bond, or never kept it.",
            next: PlatformAdvice.deleteOwnBond.rawValue)
    }

    /// Only packets that are encrypted have an integrity check. Vol 6, Part B, 2.4.
    private static let neverEncrypted = Hypothesis([.integrityFailed], .likely) { evidence in
        guard evidence.isPlain else { return nil }
        return Account(
            text:
                "The link was not encrypted from its beginning on (frame \(evidence.link.begun.frame)), and without encryption there is no integrity "
                + "check: the reason is wrong, or the log lacks the encryption.",
            next:
                "Look at the firmware of the controller that gave the reason; a capture from the air shows whether the link was encrypted."
        )
    }

    /// Data that is not encrypted, in the middle of the start of encryption. Vol 6, Part B, 5.1.3.1.
    private static let sentDuringSetup = Hypothesis([.integrityFailed], .likely) { evidence in
        guard let sent = evidence.link.sentDuringSetup, evidence.decrypted == nil else { return nil }
        return Account(
            text:
                "\(evidence.host.capitalizedFirst) sent an ATT PDU (frame \(sent.frame)) while encryption was being started (frame "
                + "\(sent.command)): a controller may send it unencrypted, and the link ends (Vol 6, Part B, 5.1.3.1).",
            next: "Send nothing between LE Enable Encryption and Encryption Change; update the controller of the host.",
            steps: [Incident.Step(frame: sent.frame, text: "an ATT PDU was sent while encryption was being started")])
    }

    /// The two sides proved the key to each other. Vol 3, Part H, 2.3.5.6.5.
    private static let keyAgreed = Hypothesis([.integrityFailed], .likely) { evidence in
        guard evidence.decrypted == nil, let checks = evidence.link.pairing?.checks, checks.count == 2,
            let frame = checks.values.max()
        else { return nil }
        return Account(
            text:
                "The keys are equal: both sides had sent DHKey Check (the second in frame \(frame)). A controller encrypts wrongly, or not at all.",
            next: "Look at the firmware and the configuration of the controllers; the bond is not at fault.",
            steps: [Incident.Step(frame: frame, text: "both sides had proved the key (DHKey Check)")])
    }

    /// The first packet after the start of encryption failed.
    private static let keyDiffers = Hypothesis([.integrityFailed], .likely) { evidence in
        guard evidence.decrypted == nil, !evidence.isPlain, evidence.link.pairing?.checks.count != 2 else { return nil }
        let differ = "One side has another key than the other: no ATT PDU of \(evidence.peer) was decrypted with it."
        guard let used = evidence.link.keyUsed, let worked = evidence.device.workedKey else {
            return Account(text: differ, next: pairAgain)
        }
        return used.key == worked
            ? Account(
                text:
                    "\(evidence.peer.capitalizedFirst) has another key, or its controller is at fault: \(evidence.host) uses the key that "
                    + "worked on an earlier connection (frame \(used.frame)).",
                next: "See in the log of \(evidence.peer) whether it lost or changed the bond before you pair again.")
            : Account(
                text:
                    "\(evidence.host.capitalizedFirst) uses another key (frame \(used.frame)) than the one that worked on an earlier "
                    + "connection.",
                next:
                    "Find out why \(evidence.host) changed its key; then delete the bond on both devices and pair again."
            )
    }
}
