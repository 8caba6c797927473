import AttlasTrace
import AttlasWire

/// Why a host does not encrypt or pair.
extension Hypothesis {
    static let ofSecurity = [zeroIdentityKey, unusedBond]

    /// An Identity Resolving Key of zeros identifies nothing.
    private static let zeroIdentityKey = Hypothesis([.securityRequestIgnored], .likely) { evidence in
        guard let frame = evidence.device.zeroIdentityKey else { return nil }
        return Account(
            text:
                "The peer's Identity Resolving Key is all zero (frame \(frame)): the host may not recognize the bonded peer.",
            next: "Give the device a random Identity Resolving Key, or do not distribute one.",
            steps: [Incident.Step(frame: frame, text: "the peer distributed an Identity Resolving Key of zeros")])
    }

    /// They were bonded before.
    private static let unusedBond = Hypothesis([.securityRequestIgnored], .likely) { evidence in
        guard let bonded = evidence.device.bonded, evidence.device.zeroIdentityKey == nil else { return nil }
        return Account(
            text: "The two were bonded (frame \(bonded)), and the central did not start encryption with that bond.",
            next: "Compare the bond lists of both devices.",
            steps: [Incident.Step(frame: bonded, text: "the pairing with this peer began")])
    }
}
