extension SMPPairingOffer {
    /// The same, if protection against a man in the middle was requested. Core Specification, Vol 3, Part H, 2.3.5.1.
    public var askingForProtection: SMPPairingOffer {
        SMPPairingOffer(self, authReq: SMPAuthReq(rawValue: authReq.rawValue | 1 << 2))
    }

    private init(_ offer: SMPPairingOffer, authReq: SMPAuthReq) {
        ioCapability = offer.ioCapability
        hasOOBData = offer.hasOOBData
        self.authReq = authReq
        maximumEncryptionKeySize = offer.maximumEncryptionKeySize
    }
}
