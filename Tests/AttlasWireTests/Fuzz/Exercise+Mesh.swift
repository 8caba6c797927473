@testable import AttlasWire

extension Exercise {
    mutating func mesh(_ bytes: Bytes) {
        switch try? MeshBeacon(bytes) {
        case .unprovisionedDevice(let beacon)?:
            use(beacon.deviceUUID)
            use(beacon.oobInformation)
            use(beacon.uriHash ?? 0)
        case .secureNetwork(let beacon)?:
            use(beacon.flags.isKeyRefresh)
            use(beacon.flags.isIVUpdate)
            use(beacon.networkID)
            use(beacon.ivIndex)
            use(beacon.authenticationValue)
            use(beacon.authenticated)
        case .meshPrivate(let beacon)?:
            use(beacon.random)
            use(beacon.sealed)
        case .unknown(let type)?: use(type)
        case nil: break
        }
        for isControl in [false, true] {
            guard let pdu = try? MeshTransportPDU(bytes, isControl: isControl) else { continue }
            use(pdu.isSegmented)
            use(pdu.usesApplicationKey ?? false)
            use(pdu.applicationKeyIdentifier ?? 0)
            use(pdu.opcode ?? 0)
            use(pdu.opcodeName?.utf8CodeUnitCount ?? 0)
            if let segment = pdu.segment {
                use(segment.hasLongMIC ?? false)
                use(segment.seqZero)
                use(segment.number)
                use(segment.last)
            }
            if let acknowledgment = pdu.acknowledgment {
                use(acknowledgment.isOnBehalfOfAnother)
                use(acknowledgment.seqZero)
                use(acknowledgment.blockAck)
            }
            use(pdu.payload)
        }
        if let pdu = try? GenericProvisioningPDU(bytes) {
            use(pdu.linkID)
            use(pdu.transactionNumber)
            if case .transactionStart(_, let length) = pdu.kind { use(length) }
            use(pdu.payload)
        }
    }
}
