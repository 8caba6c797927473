@testable import AttlasWire

extension Exercise {
    mutating func smp(_ bytes: Bytes) {
        guard let pdu = try? SMPPDU(bytes) else { return }
        use(pdu.name)
        switch pdu {
        case .pairingRequest(let view), .pairingResponse(let view):
            use(view.ioCapability.name)
            use(view.oobDataFlag)
            use(view.authReq.bonding)
            use(view.authReq.mitm)
            use(view.authReq.secureConnections)
            use(view.authReq.keypress)
            use(view.authReq.ct2)
            use(view.maximumEncryptionKeySize)
            use(view.initiatorKeyDistribution.rawValue)
            use(view.responderKeyDistribution.rawValue)
        case .pairingConfirm(let view): use(view.confirmValue)
        case .pairingRandom(let view): use(view.randomValue)
        case .pairingFailed(let view): use(view.reason.name)
        case .encryptionInformation(let view): use(view.longTermKey)
        case .centralIdentification(let view):
            use(view.ediv)
            use(view.rand)
        case .identityInformation(let view): use(view.identityResolvingKey)
        case .identityAddressInformation(let view): use(view.address)
        case .signingInformation(let view): use(view.signatureKey)
        case .securityRequest(let view): use(view.authReq)
        case .pairingPublicKey(let view):
            use(view.x)
            use(view.y)
        case .pairingDHKeyCheck(let view): use(view.dhKeyCheck)
        case .keypressNotification(let view): use(view.notificationTypeName)
        case .unknown(let bytes): use(bytes)
        }
    }
}
