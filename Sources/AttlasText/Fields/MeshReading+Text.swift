import AttlasTrace
import AttlasValues
import AttlasWire

/// A mesh PDU in one line.
extension TextBuffer {
    package mutating func append(_ reading: MeshReading) {
        switch reading {
        case .network(let pdu, let networkID): append(pdu, networkID: networkID)
        case .sealed(let nid, let obstacle):
            append("NID 0x")
            append(hex: nid, digits: 2, uppercase: true)
            append(" · not decrypted: ")
            append(string: obstacle.rawValue)
        case .unprovisionedDevice(let uuid, let oobInformation, let uriHash):
            append("Unprovisioned Device beacon · Device UUID ")
            append(hexOf: Bytes(uuid.span))
            append(" · OOB Information 0x")
            append(hex: oobInformation, digits: 4, uppercase: true)
            if let uriHash {
                append(" · URI Hash 0x")
                append(hex: uriHash, digits: 8, uppercase: true)
            }
        case .secureNetworkBeacon(let flags, let networkID, let ivIndex, let authentication):
            append("Secure Network beacon")
            append(networkID: networkID)
            append(flags, ivIndex)
            switch authentication {
            case .valid: append(" · authentication right")
            case .wrong: append(" · ✗ Authentication Value wrong")
            case .noKey: append(" · not checked: no NetKey of this network was given")
            }
        case .privateBeacon(let opened):
            append("Mesh Private beacon")
            guard let opened else { return append(" · not opened: of none of the NetKeys that were given") }
            append(networkID: opened.networkID)
            append(opened.flags, opened.ivIndex)
        case .unknownBeacon(let type):
            append("beacon of type 0x")
            append(hex: type, digits: 2, uppercase: true)
        case .provisioning(let linkID, let transaction, let kind, let payload):
            append("link 0x")
            append(hex: linkID, digits: 8, uppercase: true)
            append(" · transaction ")
            append(decimal: transaction)
            append(" · ")
            append(kind)
            if !payload.isEmpty {
                append(" · ")
                append(octets: Bytes(payload.span), limit: 32)
            }
        case .incomplete(let error):
            append("✗ ")
            append(error.reason)
            append(", needs ")
            append(decimal: error.need)
            append(" octets, has ")
            append(decimal: error.have)
        }
    }

    private mutating func append(networkID: UInt64) {
        append(" · network ")
        append(hex: networkID, digits: 16, uppercase: true)
    }

    private mutating func append(ivIndex: UInt32) {
        append(" · IV Index 0x")
        append(hex: ivIndex, digits: 8, uppercase: true)
    }

    private mutating func append(_ flags: MeshBeaconFlags, _ ivIndex: UInt32) {
        append(ivIndex: ivIndex)
        if flags.isIVUpdate { append(" · IV Update") }
        if flags.isKeyRefresh { append(" · Key Refresh") }
    }

    /// `0x1201 → 0xFFFD · TTL 0 · SEQ 1 · Friend Request · 4b 50 … · network 3ECAFF672F673370 · IV Index 0x12345678`
    private mutating func append(_ pdu: MeshNetworkPDU, networkID: UInt64) {
        append(code: pdu.source, digits: 4)
        append(" → 0x")
        append(hex: pdu.destination, digits: 4, uppercase: true)
        append(" · TTL ")
        append(decimal: pdu.ttl)
        append(" · SEQ ")
        append(decimal: pdu.sequence)
        append(" · ")
        append(transportOf: pdu)
        append(networkID: networkID)
        append(ivIndex: pdu.ivIndex)
    }

    private mutating func append(transportOf pdu: MeshNetworkPDU) {
        if pdu.isProxyConfiguration {
            append("proxy configuration")
            if !pdu.transport.isEmpty {
                append(" · ")
                append(octets: Bytes(pdu.transport.span), limit: 32)
            }
            return
        }
        do throws(WireError) {
            let transport = try MeshTransportPDU(Bytes(pdu.transport.span), isControl: pdu.isControl)
            if pdu.isControl {
                if let name = transport.opcodeName {
                    append(name)
                } else {
                    append("control opcode 0x")
                    append(hex: transport.opcode ?? 0, digits: 2, uppercase: true)
                }
            } else if transport.usesApplicationKey == true {
                append("access · application key, AID 0x")
                append(hex: transport.applicationKeyIdentifier ?? 0, digits: 2, uppercase: true)
            } else {
                append("access · device key")
            }
            if let segment = transport.segment {
                append(" · segment ")
                append(decimal: segment.number)
                append(" of 0 to ")
                append(decimal: segment.last)
                append(", SeqZero ")
                append(decimal: segment.seqZero)
                if segment.hasLongMIC == true { append(", TransMIC of 64 bits") }
            }
            if let acknowledgment = transport.acknowledgment {
                append(" · SeqZero ")
                append(decimal: acknowledgment.seqZero)
                append(", segments 0x")
                append(hex: acknowledgment.blockAck, digits: 8, uppercase: true)
                if acknowledgment.isOnBehalfOfAnother { append(", on behalf of a low-power node") }
            }
            if !transport.payload.isEmpty {
                append(" · ")
                append(octets: transport.payload, limit: 32)
            }
        } catch {
            append("✗ ")
            append(error.reason)
        }
    }

    private mutating func append(_ kind: GenericProvisioningPDU.Kind) {
        switch kind {
        case .transactionStart(let last, let length):
            append("Transaction Start · ")
            append(decimal: length)
            append(" octets in segments 0 to ")
            append(decimal: last)
        case .transactionAcknowledgment: append("Transaction Acknowledgment")
        case .transactionContinuation(let segment):
            append("Transaction Continuation · segment ")
            append(decimal: segment)
        case .linkOpen: append("Link Open")
        case .linkAcknowledgment: append("Link ACK")
        case .linkClose(let reason):
            append("Link Close")
            switch reason {
            case 0: append(" · Success")
            case 1: append(" · Timeout")
            case 2: append(" · Fail")
            case let reason?:
                append(" · reason 0x")
                append(hex: reason, digits: 2, uppercase: true)
            case nil: break
            }
        case .unknownBearerControl(let opcode):
            append("Provisioning Bearer Control opcode 0x")
            append(hex: opcode, digits: 2, uppercase: true)
        }
    }
}

extension MeshReading {
    /// The kind of PDU.
    package var name: StaticString {
        switch self {
        case .network, .sealed: "Mesh Network PDU"
        case .unprovisionedDevice, .secureNetworkBeacon, .privateBeacon, .unknownBeacon: "Mesh Beacon"
        case .provisioning: "PB-ADV"
        case .incomplete: "Mesh PDU"
        }
    }
}
