import AttlasWire

extension SMPPDU {
    /// Fields that explain a pairing. Keys, and data that only a key explains, have no field.
    package var fields: [PacketField] {
        switch self {
        case .pairingRequest(let pdu), .pairingResponse(let pdu):
            [
                PacketField("io_capability", .text(pdu.ioCapability.name ?? "reserved")),
                PacketField("auth_req", .flags(pdu.authReq.names)),
                PacketField("oob", .text(pdu.oobDataFlag == 1 ? "present" : "not present")),
                PacketField("max_key_size", .number(Int(pdu.maximumEncryptionKeySize))),
                PacketField("initiator_keys", .flags(pdu.initiatorKeyDistribution.names)),
                PacketField("responder_keys", .flags(pdu.responderKeyDistribution.names)),
            ]
        case .pairingFailed(let pdu): [PacketField("reason", .text(pdu.reason.name))]
        case .securityRequest(let pdu): [PacketField("auth_req", .flags(pdu.authReq.names))]
        case .identityAddressInformation(let pdu):
            [
                PacketField("identity_address", .text(pdu.address.description)),
                PacketField("identity_address_type", .text(pdu.address.kind.rawValue)),
            ]
        case .keypressNotification(let pdu): [PacketField("key", .text(pdu.notificationTypeName ?? "reserved"))]
        default: []
        }
    }
}

extension SMPAuthReq {
    var names: [String] {
        var names: [String] = []
        if bonding { names.append("bonding") }
        if mitm { names.append("MITM") }
        if secureConnections { names.append("secure connections") }
        if keypress { names.append("keypress") }
        if ct2 { names.append("CT2") }
        return names
    }
}

extension SMPKeyDistribution {
    var names: [String] {
        var names: [String] = []
        if contains(.encKey) { names.append("EncKey") }
        if contains(.idKey) { names.append("IdKey") }
        if contains(.signKey) { names.append("SignKey") }
        if contains(.linkKey) { names.append("LinkKey") }
        return names
    }
}
