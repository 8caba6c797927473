import AttlasWire

extension L2CAPSignal {
    /// L2CAP_FLOW_CONTROL_CREDIT_IND.
    var grantsCredits: Bool { code.rawValue == 0x16 }

    var fields: [PacketField] {
        guard let parameters = try? L2CAPSignalParameters(self) else { return [] }
        switch parameters {
        case .commandReject(let pdu):
            return [PacketField("reason", .text(pdu.reasonName ?? "reserved"))]
        case .connectionRequest(let pdu):
            return [PacketField("psm", .code(pdu.psm)), PacketField("source_cid", .code(pdu.sourceCID.rawValue))]
        case .connectionResponse(let pdu):
            return [
                PacketField("destination_cid", .code(pdu.destinationCID.rawValue)),
                PacketField("source_cid", .code(pdu.sourceCID.rawValue)),
                PacketField("result", .text(pdu.resultName ?? "reserved")),
            ]
        case .disconnectionRequest(let pdu):
            return [
                PacketField("destination_cid", .code(pdu.destinationCID.rawValue)),
                PacketField("source_cid", .code(pdu.sourceCID.rawValue)),
            ]
        case .disconnectionResponse(let pdu):
            return [
                PacketField("destination_cid", .code(pdu.destinationCID.rawValue)),
                PacketField("source_cid", .code(pdu.sourceCID.rawValue)),
            ]
        case .informationRequest(let pdu): return [PacketField("info_type", .code(pdu.infoType))]
        case .informationResponse(let pdu):
            return [
                PacketField("info_type", .code(pdu.infoType)),
                PacketField("result", .text(pdu.result == 0 ? "success" : "not supported")),
            ]
        case .creditBasedReconfigureRequest(let pdu):
            return [
                PacketField("mtu", .number(Int(pdu.mtu))), PacketField("mps", .number(Int(pdu.mps))),
                PacketField("channels", .flags(pdu.destinationCIDs.names)),
            ]
        case .creditBasedReconfigureResponse(let pdu):
            return [PacketField("result", .text(pdu.resultName ?? "reserved"))]
        case .connectionParameterUpdateRequest(let pdu):
            return [
                PacketField("interval_min_us", .microseconds(Int(pdu.intervalMin) * 1_250)),
                PacketField("interval_max_us", .microseconds(Int(pdu.intervalMax) * 1_250)),
                PacketField("latency", .number(Int(pdu.latency))),
                PacketField("timeout_us", .microseconds(Int(pdu.timeout) * 10_000)),
            ]
        case .connectionParameterUpdateResponse(let pdu):
            return [PacketField("result", .text(pdu.result == 0 ? "accepted" : "rejected"))]
        case .leCreditBasedConnectionRequest(let pdu):
            return [
                PacketField("spsm", .code(pdu.spsm)), PacketField("source_cid", .code(pdu.sourceCID.rawValue)),
                PacketField("mtu", .number(Int(pdu.mtu))), PacketField("mps", .number(Int(pdu.mps))),
                PacketField("initial_credits", .number(Int(pdu.initialCredits))),
            ]
        case .leCreditBasedConnectionResponse(let pdu):
            return [
                PacketField("destination_cid", .code(pdu.destinationCID.rawValue)),
                PacketField("mtu", .number(Int(pdu.mtu))), PacketField("mps", .number(Int(pdu.mps))),
                PacketField("initial_credits", .number(Int(pdu.initialCredits))),
                PacketField("result", .text(pdu.result.name ?? "reserved")),
            ]
        case .flowControlCredit(let pdu):
            return [
                PacketField("cid", .code(pdu.cid.rawValue)), PacketField("credits", .number(Int(pdu.credits))),
            ]
        case .creditBasedConnectionRequest(let pdu):
            return [
                PacketField("spsm", .code(pdu.spsm)), PacketField("mtu", .number(Int(pdu.mtu))),
                PacketField("mps", .number(Int(pdu.mps))),
                PacketField("initial_credits", .number(Int(pdu.initialCredits))),
                PacketField("channels", .flags(pdu.sourceCIDs.names)),
            ]
        case .creditBasedConnectionResponse(let pdu):
            return [
                PacketField("mtu", .number(Int(pdu.mtu))), PacketField("mps", .number(Int(pdu.mps))),
                PacketField("initial_credits", .number(Int(pdu.initialCredits))),
                PacketField("result", .text(pdu.result.name ?? "reserved")),
                PacketField("channels", .flags(pdu.destinationCIDs.names)),
            ]
        default: return []
        }
    }
}

extension L2CAPChannelList {
    fileprivate var names: [String] {
        (0..<count).map { index in
            var text = TextBuffer()
            text.append("0x")
            text.append(hex: self[index].rawValue, digits: 4, uppercase: true)
            return String(decoding: text.bytes, as: UTF8.self)
        }
    }
}
