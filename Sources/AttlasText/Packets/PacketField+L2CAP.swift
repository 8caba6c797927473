import AttlasDissection
import AttlasWire

extension L2CAPSignal {
    package func fields(_ library: DissectorLibrary) -> [PacketField] {
        func psm(_ name: StaticString, _ number: UInt16) -> PacketField {
            PacketField(name, .psm(number, library.dissector(for: .l2capSDU(psm: number))?.name))
        }
        guard let parameters = try? L2CAPSignalParameters(self) else { return [] }
        switch parameters {
        case .commandReject(let pdu):
            return [PacketField("reason", .text(pdu.reasonName ?? "reserved"))]
        case .connectionRequest(let pdu):
            return [psm("psm", pdu.psm), PacketField("source_cid", .code(pdu.sourceCID.rawValue))]
        case .connectionResponse(let pdu):
            return [
                PacketField("destination_cid", .code(pdu.destinationCID.rawValue)),
                PacketField("source_cid", .code(pdu.sourceCID.rawValue)),
                PacketField("result", .text(pdu.resultName ?? "reserved")),
            ]
        case .configurationRequest(let pdu):
            return [PacketField("destination_cid", .code(pdu.destinationCID.rawValue))] + pdu.options.fields
        case .configurationResponse(let pdu):
            return [
                PacketField("source_cid", .code(pdu.sourceCID.rawValue)),
                PacketField("result", .text(pdu.resultName ?? "reserved")),
            ] + pdu.options.fields
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
                psm("spsm", pdu.spsm), PacketField("source_cid", .code(pdu.sourceCID.rawValue)),
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
                psm("spsm", pdu.spsm), PacketField("mtu", .number(Int(pdu.mtu))),
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

extension L2CAPConfigurationOptions {
    /// The first option of each type, and how many others there are.
    fileprivate var fields: [PacketField] {
        var options = self
        var fields: [PacketField] = []
        var seen: Set<UInt8> = []
        var others = 0
        while let value = options.next() {
            let type = options.type & 0x7F
            guard let option = Self.fields(of: type, value), seen.insert(type).inserted else {
                others += 1
                continue
            }
            fields += option
        }
        if others > 0 { fields.append(PacketField("other_options", .number(others))) }
        return fields
    }

    /// nil for a type that the specification does not define, and for an option that is too short.
    private static func fields(of type: UInt8, _ value: Bytes) -> [PacketField]? {
        func number(_ name: StaticString, at offset: Int) -> PacketField {
            PacketField(name, .number(Int(value.uint32(at: offset))))
        }
        func microseconds(_ name: StaticString, at offset: Int) -> PacketField {
            PacketField(name, .microseconds(Int(value.uint32(at: offset))))
        }
        func milliseconds(_ name: StaticString, at offset: Int) -> PacketField {
            PacketField(name, .microseconds(Int(value.uint16(at: offset)) * 1_000))
        }
        func text(_ name: StaticString, _ names: [String], at offset: Int) -> PacketField {
            let index = Int(value[offset])
            return PacketField(name, .text(index < names.count ? names[index] : "reserved"))
        }
        let services = ["no traffic", "best effort", "guaranteed"]
        switch (L2CAPOptionType(rawValue: type), value.count) {
        case (.mtu, 2...): return [PacketField("mtu", .number(Int(value.uint16(at: 0))))]
        case (.flushTimeout, 2...) where value.uint16(at: 0) == .max:
            return [PacketField("flush_timeout", .text("infinite"))]
        case (.flushTimeout, 2...): return [milliseconds("flush_timeout_us", at: 0)]
        case (.qualityOfService, 22...):
            return [
                text("service_type", services, at: 1), number("token_rate", at: 2), number("token_bucket_size", at: 6),
                number("peak_bandwidth", at: 10), microseconds("access_latency_us", at: 14),
                microseconds("delay_variation_us", at: 18),
            ]
        case (.retransmissionAndFlowControl, 9...):
            return [
                text(
                    "mode",
                    [
                        "basic L2CAP", "retransmission", "flow control", "enhanced retransmission", "streaming",
                    ], at: 0),
                PacketField("tx_window_size", .number(Int(value[1]))),
                PacketField("max_transmit", .number(Int(value[2]))),
                milliseconds("retransmission_timeout_us", at: 3), milliseconds("monitor_timeout_us", at: 5),
                PacketField("mps", .number(Int(value.uint16(at: 7)))),
            ]
        case (.frameCheckSequence, 1...): return [text("fcs", ["none", "16-bit"], at: 0)]
        case (.extendedFlowSpecification, 16...):
            return [
                PacketField("flow_identifier", .number(Int(value[0]))), text("flow_service_type", services, at: 1),
                PacketField("max_sdu_size", .number(Int(value.uint16(at: 2)))),
                microseconds("sdu_inter_arrival_time_us", at: 4), microseconds("flow_access_latency_us", at: 8),
                microseconds("flow_flush_timeout_us", at: 12),
            ]
        case (.extendedWindowSize, 2...): return [PacketField("max_window_size", .number(Int(value.uint16(at: 0))))]
        default: return nil
        }
    }
}

extension L2CAPChannelList {
    fileprivate var names: [String] {
        (0..<count).map { TextBuffer("\(hex: self[$0].rawValue)").text }
    }
}
