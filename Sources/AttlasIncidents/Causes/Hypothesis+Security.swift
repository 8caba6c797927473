import AttlasTrace
import AttlasWire

/// Why a host does not encrypt or pair.
extension Hypothesis {
    static let ofSecurity = [
        zeroIdentityKey, unusedBond, promisedIdentity, twoOffers, nothingEntered, otherData, wrongPasskey, noData,
        keySizes,
        equalKeySizes, noInputOrOutput, noSecureConnections, ownSettings, bondKept,
    ]

    /// An Identity Resolving Key of zeros identifies nothing.
    private static let zeroIdentityKey = Hypothesis([.securityRequestIgnored], .likely) { evidence in
        guard let frame = evidence.device.zeroIdentityKey else { return nil }
        return Account(
            text:
                "The peer's Identity Resolving Key is all zero (frame \(frame)): the host may not recognize the bonded peer.",
            next: "Give the device a random Identity Resolving Key, or do not distribute one.",
            steps: [Incident.Step(frame: frame, text: "the peer distributed an Identity Resolving Key of zeros")])
    }

    /// Keys that Pairing Response promised did not come. Core Specification, Vol 3, Part H, 3.6.1.
    private static let promisedIdentity = Hypothesis([.pairingFailed], .likely) { evidence in
        guard let pairing = evidence.pairing, pairing.state.isEncrypted,
            let promise = pairing.state.promised[pairing.other]
        else { return nil }
        let sender = evidence.name(of: pairing.other)
        return Account(
            text:
                "\(sender.capitalizedFirst) had agreed to send its identity (IdKey in frame \(promise)), and did not: the other side waited for it.",
            next: "Send Identity Information and Identity Address Information in \(sender), or do not agree to IdKey.",
            steps: [Incident.Step(frame: promise, text: "the keys to send were agreed")])
    }

    /// They were bonded before.
    private static let unusedBond = Hypothesis([.securityRequestIgnored], .likely) { evidence in
        guard let bonded = evidence.device.bonded, evidence.device.zeroIdentityKey == nil else { return nil }
        return Account(
            text: "The two were bonded (frame \(bonded)), and the central did not start encryption with that bond.",
            next: "Compare the bond lists of both devices.",
            steps: [Incident.Step(frame: bonded, text: "the pairing with this peer began")])
    }

    // MARK: Pairing

    /// Vol 3, Part H, 2.3.5.2: in Just Works the value that the user enters is 0.
    private static let nothingEntered = Hypothesis([.pairingFailed], .likely) { evidence in
        guard let pairing = evidence.pairing, let association = pairing.state.method?.association,
            association == .justWorks || association == .numericComparison,
            pairing.reason == .confirmValueFailed || pairing.reason == .dhKeyCheckFailed
        else { return nil }
        return Account(
            text:
                "Pairing was \(association.rawValue), and nobody entered anything: one side calculated wrong values, or a third device is between them.",
            next: "Compare the cryptography of the two: public keys, random numbers, the order of octets.")
    }

    /// Vol 3, Part H, 2.3.5.4: the Temporary Key is the out-of-band data.
    private static let otherData = Hypothesis([.pairingFailed], .likely) { evidence in
        guard let pairing = evidence.pairing, pairing.state.method?.association == .outOfBand,
            pairing.reason == .confirmValueFailed || pairing.reason == .dhKeyCheckFailed
        else { return nil }
        return Account(
            text: "Pairing was by out-of-band data, and those of the two sides differ.",
            next: "Hand over the out-of-band data again, and compare them on both sides.")
    }

    /// Vol 3, Part H, 2.3.5.3 and 2.3.5.6.3.
    private static let wrongPasskey = Hypothesis([.pairingFailed], .likely) { evidence in
        guard let pairing = evidence.pairing, pairing.state.method?.association == .passkeyEntry,
            pairing.reason == .confirmValueFailed
        else { return nil }
        return Account(
            text: "The confirm values differ: the passkey entered was wrong, or the two sides use different ones.",
            next: "Pair again and compare the passkey on both sides.")
    }

    /// Vol 3, Part H, 2.3.5.1.
    private static let noData = Hypothesis([.pairingFailed], .proved) { evidence in
        guard let pairing = evidence.pairing, pairing.reason == .oobNotAvailable, let refused = pairing.refused,
            !refused.offer.hasOOBData
        else { return nil }
        let (other, reporter) = (evidence.name(of: pairing.other), evidence.name(of: pairing.reporter))
        return Account(
            text:
                "\(other.capitalizedFirst) has no out-of-band data (frame \(refused.frame)), and \(reporter) demands them.",
            next: "Give \(other) the out-of-band data of \(reporter), or allow another way of pairing.")
    }

    private static let fullKey: UInt8 = 16

    /// One side has one offer in a pairing. Vol 3, Part H, 2.4.1.
    private static let twoOffers = Hypothesis([.pairingFailed], .likely) { evidence in
        guard let (side, first, second) = evidence.pairing?.state.twice, !evidence.hasGap else { return nil }
        let name = evidence.name(of: side)
        return Account(
            text:
                "\(name.capitalizedFirst) made two offers in one pairing (frames \(first) and \(second)): two programs speak SMP there, and "
                + "their PDUs mix.",
            next: "Let one program on \(name) do the pairing, for example the kernel or a user's program, not both.",
            steps: [Incident.Step(frame: second, text: "the second offer of \(name)")])
    }

    /// Vol 3, Part H, 2.3.4: the shorter one of both sizes.
    private static let keySizes = Hypothesis([.pairingFailed], .proved) { evidence in
        guard let pairing = evidence.pairing, pairing.reason == .encryptionKeySize, let refused = pairing.refused,
            refused.offer.maximumEncryptionKeySize < fullKey
        else { return nil }
        return Account(
            text:
                "\(evidence.name(of: pairing.other).capitalizedFirst) allows keys of \(refused.offer.maximumEncryptionKeySize) octets (frame "
                + "\(refused.frame)), and \(evidence.name(of: pairing.reporter)) demands longer ones.",
            next: "Let \(evidence.name(of: pairing.other)) offer keys of \(fullKey) octets.")
    }

    private static let equalKeySizes = Hypothesis([.pairingFailed], .likely) { evidence in
        guard let pairing = evidence.pairing, pairing.reason == .encryptionKeySize, let refused = pairing.refused,
            refused.offer.maximumEncryptionKeySize >= fullKey
        else { return nil }
        return Account(
            text:
                "Not the size: \(evidence.name(of: pairing.other)) allows keys of \(fullKey) octets (frame \(refused.frame)), the longest there are.",
            next: "Look at the log of \(evidence.name(of: pairing.reporter)), which reported it.")
    }

    /// Vol 3, Part H, 2.3.5.1: only Just Works is left.
    private static let noInputOrOutput = Hypothesis([.pairingFailed], .likely) { evidence in
        guard let pairing = evidence.pairing, pairing.reason == .authenticationRequirements,
            let refused = pairing.refused, refused.offer.ioCapability == .noInputNoOutput, !refused.offer.hasOOBData,
            pairing.reporter({ $0.ioCapability != .noInputNoOutput })
        else { return nil }
        return Account(
            text:
                "\(evidence.name(of: pairing.other).capitalizedFirst) has no input and no output (frame \(refused.frame)): only Just Works is left, "
                + "and \(evidence.name(of: pairing.reporter)) demands protection against a man in the middle.",
            next:
                "Ask for less protection, or give \(evidence.name(of: pairing.other)) a way to show or enter a passkey, or out-of-band data."
        )
    }

    /// Vol 3, Part H, 2.3.5.1: LE legacy pairing, if one side does not set SC.
    private static let noSecureConnections = Hypothesis([.pairingFailed], .likely) { evidence in
        guard let pairing = evidence.pairing, let refused = pairing.refused,
            !refused.offer.authReq.secureConnections, pairing.reporter({ $0.authReq.secureConnections }),
            // Without a reason, only right after the offers.
            pairing.reason == .authenticationRequirements
                || pairing.reason == .unspecifiedReason && pairing.state.step == .featureExchange
                    && pairing.state.offers.count == 2
        else { return nil }
        return Account(
            text:
                "\(evidence.name(of: pairing.other).capitalizedFirst) does not offer LE Secure Connections (frame \(refused.frame)), which "
                + "\(evidence.name(of: pairing.reporter)) \(pairing.reason == .authenticationRequirements ? "demands" : "offers and may demand").",
            next:
                "Enable LE Secure Connections in \(evidence.name(of: pairing.other)), or allow LE legacy pairing in \(evidence.name(of: pairing.reporter))."
        )
    }

    /// The other side can show and enter a passkey. Vol 3, Part H, 2.3.5.1, Table 2.8.
    private static let ownSettings = Hypothesis([.pairingFailed], .likely) { evidence in
        guard let pairing = evidence.pairing, pairing.reason == .authenticationRequirements,
            let refused = pairing.refused, refused.offer.ioCapability == .keyboardDisplay,
            pairing.state.offers.count == 1
        else { return nil }
        let reporter = evidence.name(of: pairing.reporter)
        return Account(
            text:
                "\(evidence.name(of: pairing.other).capitalizedFirst) has a keyboard and a display (frame \(refused.frame)), with which every way of "
                + "pairing is possible: the settings of \(reporter) decide. It may demand protection against a man in the middle and have "
                + "neither display nor keyboard, or not be ready to pair.",
            next:
                "Look at the pairing settings of \(reporter): its IO capability, what it demands, whether it is ready to pair."
        )
    }

    /// The side that refuses may have the key of the bond, which it does not replace.
    private static let bondKept = Hypothesis([.pairingFailed], .likely) { evidence in
        guard let pairing = evidence.pairing, let bonded = pairing.state.bonded, pairing.state.offers.count == 1,
            pairing.reason != .repeatedAttempts
        else { return nil }
        let (reporter, other) = (evidence.name(of: pairing.reporter), evidence.name(of: pairing.other))
        return Account(
            text:
                "The two were bonded (frame \(bonded)). \(other.capitalizedFirst) did not use that key and asks for a new one; "
                + "\(reporter), which may still have the old one, refuses.",
            next: "Delete the bond on \(reporter), then pair again; find out why \(other) lost its key.",
            steps: [Incident.Step(frame: bonded, text: "the two paired with bonding")])
    }
}
