import AttlasTrace
import AttlasValues
import AttlasWire

/// A mesh PDU as the member `mesh`.
extension JSONWriter {
    package mutating func write(_ reading: MeshReading) {
        key("mesh")
        beginObject()
        member("pdu", literal: reading.word)
        switch reading {
        case .network(let pdu, let networkID): write(pdu, networkID: networkID)
        case .sealed(let nid, let obstacle):
            member("nid", nid)
            member("not_decrypted", obstacle.rawValue)
        case .unprovisionedDevice(let uuid, let oobInformation, let uriHash):
            member("device_uuid", hex: Bytes(uuid.span))
            member("oob_information", code: oobInformation, digits: 4)
            if let uriHash { member("uri_hash", code: uriHash, digits: 8) }
        case .secureNetworkBeacon(let flags, let networkID, let ivIndex, let authentication):
            write(flags, networkID: networkID, ivIndex)
            member("authentication", authentication.rawValue)
        case .privateBeacon(let opened):
            if let opened { write(opened.flags, networkID: opened.networkID, opened.ivIndex) }
            member("authentication", (opened == nil ? MeshReading.Authentication.noKey : .valid).rawValue)
        case .unknownBeacon(let type): member("beacon_type", type)
        case .provisioning(let linkID, let transaction, let kind, let payload):
            member("link_id", code: linkID, digits: 8)
            member("transaction", transaction)
            write(kind)
            member("payload", hex: Bytes(payload.span))
        case .incomplete(let error): write(error)
        }
        endObject()
    }

    private mutating func write(networkID: UInt64) { member("network_id", code: networkID, digits: 16) }

    private mutating func write(_ flags: MeshBeaconFlags, networkID: UInt64, _ ivIndex: UInt32) {
        write(networkID: networkID)
        member("iv_index", ivIndex)
        member("iv_update", flags.isIVUpdate)
        member("key_refresh", flags.isKeyRefresh)
    }

    private mutating func write(_ pdu: MeshNetworkPDU, networkID: UInt64) {
        write(networkID: networkID)
        member("iv_index", pdu.ivIndex)
        member("ctl", pdu.isControl)
        member("ttl", pdu.ttl)
        member("seq", pdu.sequence)
        member("src", code: pdu.source, digits: 4)
        member("dst", code: pdu.destination, digits: 4)
        let octets = Bytes(pdu.transport.span)
        if pdu.isProxyConfiguration {
            member("proxy_configuration", true)
            return member("payload", hex: octets)
        }
        do throws(WireError) {
            let transport = try MeshTransportPDU(octets, isControl: pdu.isControl)
            member("seg", transport.isSegmented)
            if let opcode = transport.opcode { member("opcode", code: opcode, digits: 2) }
            if let name = transport.opcodeName { member("opcode_name", literal: name) }
            if let usesApplicationKey = transport.usesApplicationKey { member("akf", usesApplicationKey) }
            member("aid", transport.applicationKeyIdentifier)
            if let segment = transport.segment {
                if let hasLongMIC = segment.hasLongMIC { member("szmic", hasLongMIC) }
                member("seq_zero", segment.seqZero)
                member("seg_o", segment.number)
                member("seg_n", segment.last)
            }
            if let acknowledgment = transport.acknowledgment {
                member("obo", acknowledgment.isOnBehalfOfAnother)
                member("seq_zero", acknowledgment.seqZero)
                member("block_ack", code: acknowledgment.blockAck, digits: 8)
            }
            member("payload", hex: transport.payload)
        } catch {
            member("payload", hex: octets)
            write(error)
        }
    }

    private mutating func write(_ kind: GenericProvisioningPDU.Kind) {
        switch kind {
        case .transactionStart(let last, let length):
            member("control", literal: "transaction start")
            member("seg_n", last)
            member("total_octets", length)
        case .transactionAcknowledgment: member("control", literal: "transaction acknowledgment")
        case .transactionContinuation(let segment):
            member("control", literal: "transaction continuation")
            member("seg_o", segment)
        case .linkOpen: member("control", literal: "link open")
        case .linkAcknowledgment: member("control", literal: "link ack")
        case .linkClose(let reason):
            member("control", literal: "link close")
            member("reason", reason)
        case .unknownBearerControl(let opcode):
            member("control", literal: "unknown")
            member("opcode", code: opcode, digits: 2)
        }
    }
}

extension MeshReading {
    fileprivate var word: StaticString {
        switch self {
        case .network, .sealed: "network"
        case .unprovisionedDevice: "unprovisioned device beacon"
        case .secureNetworkBeacon: "secure network beacon"
        case .privateBeacon: "private beacon"
        case .unknownBeacon: "beacon"
        case .provisioning: "pb-adv"
        case .incomplete: "incomplete"
        }
    }
}
