import AttlasCapture
import AttlasTrace
import AttlasWire

extension LLControlPDU {
    /// Fields that explain a link. The parts of session keys are octets.
    var fields: [PacketField] {
        switch self {
        case .connectionUpdateInd(let pdu):
            [
                .interval("interval_us", pdu.interval), PacketField("latency", .number(Int(pdu.latency))),
                .timeout(pdu.timeout), PacketField("instant", .number(Int(pdu.instant))),
            ]
        case .channelMapInd(let pdu):
            [
                PacketField("channels", .number(pdu.channelMap.count)),
                PacketField("channel_map", .text(pdu.channelMap.text)),
                PacketField("instant", .number(Int(pdu.instant))),
            ]
        case .terminateInd(let reason), .rejectInd(let reason): [.error(reason)]
        case .unknownRsp(let opcode): [.opcode(opcode)]
        case .features(_, let features): [PacketField("features", .flags(LinkLayerFeature.names(features)))]
        case .versionInd(let pdu):
            [
                PacketField("version", .text(pdu.versionName ?? String(pdu.version))),
                PacketField("company_identifier", .code(pdu.companyIdentifier)),
                PacketField("subversion", .number(Int(pdu.subversion))),
            ]
        case .connectionParam(_, let pdu):
            [
                .interval("interval_min_us", pdu.intervalMin), .interval("interval_max_us", pdu.intervalMax),
                PacketField("latency", .number(Int(pdu.latency))), .timeout(pdu.timeout),
            ]
        case .rejectExtInd(let opcode, let error): [.opcode(opcode), .error(error)]
        case .length(_, let pdu):
            [
                PacketField("max_rx_octets", .number(Int(pdu.maxRxOctets))),
                PacketField("max_rx_time_us", .microseconds(Int(pdu.maxRxTime))),
                PacketField("max_tx_octets", .number(Int(pdu.maxTxOctets))),
                PacketField("max_tx_time_us", .microseconds(Int(pdu.maxTxTime))),
            ]
        case .phy(_, let tx, let rx):
            [PacketField("tx_phys", .flags(tx.phyNames)), PacketField("rx_phys", .flags(rx.phyNames))]
        case .phyUpdateInd(let pdu):
            [
                PacketField("central_to_peripheral", .text(pdu.centralToPeripheral?.name ?? "unchanged")),
                PacketField("peripheral_to_central", .text(pdu.peripheralToCentral?.name ?? "unchanged")),
                PacketField("instant", .number(Int(pdu.instant))),
            ]
        case .minUsedChannelsInd(let phys, let channels):
            [PacketField("phys", .flags(phys.phyNames)), PacketField("min_used_channels", .number(Int(channels)))]
        case .cisReq(let pdu):
            [
                PacketField("cig_id", .number(Int(pdu.cigID))), PacketField("cis_id", .number(Int(pdu.cisID))),
                .interval("iso_interval_us", pdu.isoInterval),
            ]
        case .cisTerminateInd(let cig, let cis, let reason):
            [
                PacketField("cig_id", .number(Int(cig))), PacketField("cis_id", .number(Int(cis))), .error(reason),
            ]
        case .powerControlReq(let phy, let delta, let txPower), .powerChangeInd(let phy, let delta, let txPower):
            [
                PacketField("phys", .flags(phy.phyNames)), PacketField("delta_db", .number(Int(delta))),
                PacketField("tx_power_dbm", .number(Int(txPower))),
            ]
        case .powerControlRsp(let delta, let txPower, let reduction):
            [
                PacketField("delta_db", .number(Int(delta))), PacketField("tx_power_dbm", .number(Int(txPower))),
                PacketField("acceptable_reduction_db", .number(Int(reduction))),
            ]
        case .subrateReq(let pdu):
            [
                PacketField("subrate_factor_min", .number(Int(pdu.subrateFactorMin))),
                PacketField("subrate_factor_max", .number(Int(pdu.subrateFactorMax))),
                PacketField("max_latency", .number(Int(pdu.maxLatency))), .timeout(pdu.timeout),
            ]
        case .subrateInd(let pdu):
            [
                PacketField("subrate_factor", .number(Int(pdu.subrateFactor))),
                PacketField("latency", .number(Int(pdu.latency))), .timeout(pdu.timeout),
            ]
        case .connectionRateInd(let pdu):
            [
                PacketField("interval_us", .microseconds(Int(pdu.interval) * 125)),
                PacketField("instant", .number(Int(pdu.instant))),
                PacketField("subrate_factor", .number(Int(pdu.subrateFactor))),
                PacketField("latency", .number(Int(pdu.latency))),
                PacketField("continuation_number", .number(Int(pdu.continuationNumber))), .timeout(pdu.timeout),
            ]
        case .encReq, .encRsp, .cisInd, .other: []
        }
    }
}

extension AdvertisingPDU {
    /// Fields of advertising PDUs that are not reported as advertising.
    var fields: [PacketField] {
        switch type {
        case .scanReq:
            guard let request = try? AddressPairPDU(self) else { return [] }
            return PacketField.address("scanner", request.sender) + PacketField.address("advertiser", request.target)
        case .advDirectInd:
            guard let pair = try? AddressPairPDU(self) else { return [] }
            return PacketField.address("advertiser", pair.sender) + PacketField.address("target", pair.target)
        case .connectInd:
            guard let request = try? ConnectIndication(self) else { return [] }
            return PacketField.address("initiator", request.initA) + PacketField.address("advertiser", request.advA) + [
                PacketField("connection_access_address", .text(accessAddressText(request.accessAddress))),
                .interval("interval_us", request.interval), PacketField("latency", .number(Int(request.latency))),
                .timeout(request.timeout), PacketField("win_size_us", .microseconds(Int(request.winSize) * 1_250)),
                PacketField("win_offset_us", .microseconds(Int(request.winOffset) * 1_250)),
                PacketField("channels", .number(request.channelMap.count)),
                PacketField("channel_map", .text(request.channelMap.text)),
                PacketField("hop_increment", .number(Int(request.hopIncrement))),
                PacketField("channel_selection_algorithm", .number(request.chSel ? 2 : 1)),
                PacketField("sleep_clock_accuracy_ppm", .number(request.scaPPM)),
            ]
        case .extended, .auxConnectRsp:
            guard let advertisement = try? ExtendedAdvertisement(self) else { return [] }
            return advertisement.fields
        default: return []
        }
    }
}

extension ExtendedAdvertisement {
    fileprivate var fields: [PacketField] {
        var fields: [PacketField] = []
        if let advA { fields += PacketField.address("advertiser", advA) }
        if let targetA { fields += PacketField.address("target", targetA) }
        if let adi {
            fields.append(PacketField("advertising_set", .number(Int(adi >> 12))))
            fields.append(PacketField("data_id", .number(Int(adi & 0x0FFF))))
        }
        if let auxPtr {
            fields.append(PacketField("aux_channel", .number(Int(auxPtr.channel))))
            fields.append(PacketField("aux_offset_us", .microseconds(auxPtr.offsetMicroseconds)))
            fields.append(PacketField("aux_phy", .text(auxPtr.phy.name ?? "reserved")))
        }
        if let syncInfo {
            fields.append(PacketField("periodic_access_address", .text(accessAddressText(syncInfo.accessAddress))))
            fields.append(.interval("periodic_interval_us", syncInfo.interval))
        }
        if let txPower { fields.append(PacketField("tx_power_dbm", .number(Int(txPower)))) }
        return fields
    }
}

extension ConnectIndication {
    /// The worst that the central's clock may be off by. Core Specification, Vol 6, Part B, 2.3.3.1, Table 2.11.
    fileprivate var scaPPM: Int { [500, 250, 150, 100, 75, 50, 30, 20][Int(sca)] }
}

/// `0x8E89BED6`.
package func accessAddressText(_ accessAddress: UInt32) -> String {
    let digits = String(accessAddress, radix: 16, uppercase: true)
    return "0x" + String(repeating: "0", count: 8 - digits.utf8.count) + digits
}

extension PacketField {
    /// Units of 1.25 ms.
    fileprivate static func interval(_ name: StaticString, _ interval: UInt16) -> PacketField {
        PacketField(name, .microseconds(Int(interval) * 1_250))
    }

    /// Units of 10 ms.
    fileprivate static func timeout(_ timeout: UInt16) -> PacketField {
        PacketField("supervision_timeout_us", .microseconds(Int(timeout) * 10_000))
    }

    fileprivate static func error(_ error: HCIErrorCode) -> PacketField {
        PacketField("reason", .named(UInt16(error.rawValue), digits: 2, error.name))
    }

    fileprivate static func opcode(_ opcode: LLControlOpcode) -> PacketField {
        PacketField("procedure", .named(UInt16(opcode.rawValue), digits: 2, opcode.name ?? "Unknown"))
    }

    fileprivate static func address(_ name: StaticString, _ address: BluetoothAddress) -> [PacketField] {
        [PacketField(name, .text("\(address) \(address.kind.rawValue)"))]
    }
}

extension ConnectedStream {
    var fields: [PacketField] {
        [
            PacketField("of_connection", .number(connection)), PacketField("cig_id", .number(Int(group))),
            PacketField("cis_id", .number(Int(stream))),
        ]
    }
}

extension BroadcastStream {
    var fields: [PacketField] {
        [PacketField("train", .number(train)), PacketField("bis", .number(Int(number)))]
    }
}

extension IsochronousPart {
    fileprivate var words: String {
        switch self {
        case .end: "end or whole"
        case .start: "start or continuation"
        case .framed: "framed"
        case .control: "reserved"
        }
    }
}

extension ConnectedIsochronousPDU {
    var fields: [PacketField] {
        var fields = [PacketField("sn", .number(sn ? 1 : 0)), PacketField("nesn", .number(nesn ? 1 : 0))]
        if closesEvent { fields.append(PacketField("cie", .number(1))) }
        guard !isNull else { return fields }
        return fields + [PacketField("sdu", .text(part.words)), PacketField("payload_octets", .number(length))]
    }
}

extension BroadcastIsochronousPDU {
    /// - Parameter stream: nil if it is unknown, also whether it is encrypted.
    func fields(_ stream: BroadcastStream?) -> [PacketField] {
        var fields = [PacketField("cssn", .number(Int(controlSequence)))]
        if hasControlSubevent { fields.append(PacketField("cstf", .number(1))) }
        if part != .control {
            return fields + [PacketField("sdu", .text(part.words)), PacketField("payload_octets", .number(length))]
        }
        guard let stream, !stream.isEncrypted else { return fields }
        switch control {
        case .channelMapInd(let map, let instant):
            fields += [
                PacketField("channels", .number(map.count)), PacketField("channel_map", .text(map.text)),
                PacketField("instant", .number(Int(instant))),
            ]
        case .terminateInd(let reason, let instant):
            fields += [.error(reason), PacketField("instant", .number(Int(instant)))]
        case .other, nil: break
        }
        return fields
    }
}

extension ChannelMap {
    /// "0–8, 21, 30–36".
    package var text: String {
        var ranges: [String] = []
        var start: Int?
        for channel in 0...37 {
            if contains(channel) {
                if start == nil { start = channel }
            } else if let first = start {
                ranges.append(first == channel - 1 ? "\(first)" : "\(first)–\(channel - 1)")
                start = nil
            }
        }
        return ranges.joined(separator: ", ")
    }
}

extension UInt8 {
    /// A set of PHYs. Core Specification, Vol 4, Part E, 7.8.49; Vol 6, Part B, 2.4.2.22.
    var phyNames: [String] {
        ["LE 1M", "LE 2M", "LE Coded"].enumerated().filter { self & 1 << UInt8($0.offset) != 0 }.map(\.element)
    }
}
