import AttlasTrace
import AttlasWire

/// Why encryption fails.
extension Hypothesis {
    static let ofKeys = [wrongKey, keyWorked, keyDiffers]

    private static let pairAgain = "Delete the bond on both devices and pair again."

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

    /// Values were decrypted with the key that is said to be wrong.
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

    /// The first packet after the start of encryption failed.
    private static let keyDiffers = Hypothesis([.integrityFailed], .likely) { evidence in
        guard evidence.decrypted == nil else { return nil }
        return Account(
            text: "One side has another key than the other: no ATT PDU of \(evidence.peer) was decrypted with it.",
            next: pairAgain)
    }
}
