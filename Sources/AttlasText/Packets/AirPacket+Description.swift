import AttlasCapture
import AttlasTrace
import AttlasWire

extension AirPacket {
    /// The PDU by the specification's name, as far as it has one.
    package var name: String {
        switch kind {
        case .advertising(let pdu):
            radio.name(of: pdu.type)
        case .control(let pdu):
            pdu.opcode.name ?? "LL control PDU \(pdu.opcode.rawValue)"
        case .data(let pdu):
            if pdu.isEmpty {
                "empty PDU"
            } else {
                switch pdu.llid {
                case .start: "LL data, start of a frame"
                case .continuing: "LL data, continued"
                case .control: "LL control PDU"
                case .reserved: "data PDU of LLID 0b00"
                }
            }
        case .other(.unknown): "packet of an unknown Access Address"
        case .other(.periodicAdvertising):
            radio.auxiliaryPDU == nil ? "periodic advertising" : radio.name(of: .extended)
        case .other(.connectedIsochronous):
            (try? ConnectedIsochronousPDU(pdu))?.isNull == true ? "CIS Null PDU" : "CIS Data PDU"
        case .other(.broadcastIsochronous(let stream)): broadcastName(stream)
        case .unreadable: "unreadable packet"
        }
    }

    package var fields: [PacketField] {
        // With a wrong CRC, the fields are not those that were sent.
        guard disposition != .badCRC else { return [] }
        switch kind {
        case .advertising(let pdu): return pdu.fields
        case .control(let pdu): return pdu.fields
        case .other(.connectedIsochronous(let stream)):
            return (stream?.fields ?? []) + ((try? ConnectedIsochronousPDU(pdu))?.fields ?? [])
        case .other(.broadcastIsochronous(let stream)):
            return (stream?.fields ?? []) + ((try? BroadcastIsochronousPDU(pdu))?.fields(stream) ?? [])
        case .data, .other, .unreadable: return []
        }
    }

    /// - Parameter stream: nil if it is unknown, also whether it is encrypted.
    private func broadcastName(_ stream: BroadcastStream?) -> String {
        guard let pdu = try? BroadcastIsochronousPDU(pdu), pdu.part == .control else { return "BIS Data PDU" }
        return switch stream?.isEncrypted == false ? pdu.control : nil {
        case .channelMapInd: "BIG_CHANNEL_MAP_IND"
        case .terminateInd: "BIG_TERMINATE_IND"
        case .other, nil: "BIG Control PDU"
        }
    }

    /// Reported as advertising, too.
    package var holdsAdvertisement: Bool {
        guard case .advertising(let pdu) = kind, disposition == .taken else { return false }
        switch pdu.type {
        case .advInd, .advDirectInd, .advNonconnInd, .scanRsp, .advScanInd: return true
        default: return false
        }
    }
}

extension RadioInfo {
    /// The PDU by the specification's name.
    package func name(of type: AdvertisingPDUType) -> String {
        if type == .extended, isPrimary == false {
            switch auxiliaryPDU {
            case .auxChainInd: return "AUX_CHAIN_IND"
            case .auxSyncInd: return "AUX_SYNC_IND"
            case .auxScanRsp: return "AUX_SCAN_RSP"
            case .auxAdvInd, nil: break
            }
        }
        return type.name(isPrimary: isPrimary) ?? "advertising PDU of type \(type.rawValue)"
    }

    /// Whether it came on one of the three primary advertising channels; nil if the channel is not known.
    private var isPrimary: Bool? {
        if kind == .auxiliaryAdvertising { return false }
        return channel.map { $0 >= 37 }
    }
}

extension RadioInfo.Check {
    package var word: StaticString {
        switch self {
        case .ok: "ok"
        case .bad: "bad"
        case .unchecked: "unchecked"
        }
    }
}

extension Decryption {
    /// A description of the state, with advice.
    package var sentence: StaticString {
        switch self {
        case .active(.given): "decrypted with a key that was given"
        case .active(.distributed): "decrypted with a key that this capture holds"
        case .active(.pairing): "decrypted with the key of its pairing"
        case .noKey: "encrypted, and no key is known: give the Long Term Key with --ltk, or capture the pairing"
        case .noTemporaryKey:
            "encrypted with the key of the pairing, of which only the passkey is missing: give it with --tk"
        case .wrongTemporaryKey:
            "encrypted with the key of the pairing, and the passkey that was given is wrong: the pairing's confirm value differs"
        case .secureConnections:
            "encrypted after LE Secure Connections pairing, which no capture holds the key of: give it with --ltk"
        case .noSessionKey: "encrypted, and LL_ENC_REQ or LL_ENC_RSP was missed: no key can help"
        case .wrongKey: "encrypted, and no key that was given or seen is the right one"
        case .begunBefore: "encrypted since before it was heard: no key can help without LL_ENC_REQ and LL_ENC_RSP"
        case .plainText: "captured as plain text after encryption began"
        }
    }

    /// One word for JSON.
    package var word: StaticString {
        switch self {
        case .active(.given): "given key"
        case .active(.distributed): "distributed key"
        case .active(.pairing): "pairing"
        case .noKey: "no key"
        case .noTemporaryKey: "no Temporary Key"
        case .wrongTemporaryKey: "wrong Temporary Key"
        case .secureConnections: "LE Secure Connections"
        case .noSessionKey: "encryption request missed"
        case .wrongKey: "wrong key"
        case .begunBefore: "encrypted before the capture"
        case .plainText: "plain text"
        }
    }
}
