import AttlasCapture
import AttlasDissection
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// Packets from the air. Core Specification, Vol 6, Part B, 2.
extension PacketLayers {
    /// Fields in a row, and their octets.
    private typealias Layout = [(name: StaticString, length: Int)]

    mutating func addAir(
        _ octets: Bytes, _ radio: RadioInfo, _ event: borrowing Event, _ values: inout ValueInterpreter,
        in trace: borrowing Trace
    ) {
        guard let packet = try? LinkLayerPacket(octets, hasCodingIndicator: radio.hasCodingIndicator) else {
            return add(0, "Link Layer", 0..<octets.count)
        }
        let start = radio.hasCodingIndicator ? 5 : 4
        let end = start + packet.pdu.count
        add(0, "Link Layer", 0..<octets.count)
        add(1, "Access Address", 0..<4) { $0.append(code: packet.accessAddress, digits: 8) }
        if let coding = packet.codingIndicator { add(1, "Coding Indicator", 4..<5) { $0.append(decimal: coding) } }
        let isPeriodic = event.isPeriodicAdvertising
        if packet.isAdvertising || isPeriodic {
            addAdvertising(octets, start..<end, radio, isPeriodic: isPeriodic)
        } else {
            addData(octets, start..<end, isEncrypted: isEncrypted(radio, event, in: trace), values.library)
        }
        if let crc = packet.crc { add(1, "CRC", end..<end + 3) { $0.append(code: crc, digits: 6) } }
        guard !packet.isAdvertising, !isPeriodic, let pdu = try? DataPDU(octets.slice(start..<end)),
            pdu.llid != .control,
            !pdu.payload.isEmpty
        else { return }
        if isEncrypted(radio, event, in: trace) {
            // The octets of the record have no meaning: only those of the PDU are shown.
            addPDU(of: event, octets, end..<end, &values, in: trace)
            return
        }
        addL2CAP(
            octets, end - pdu.payload.count..<end, isStart: pdu.llid == .start, event, &values, in: trace)
    }

    /// Adds the sniffer's data about the packet.
    mutating func addRadio(_ radio: RadioInfo) {
        if let channel = radio.channel { add(1, "Channel") { $0.append(decimal: channel) } }
        if let phy = radio.phy?.name { add(1, "PHY") { $0.append(string: phy) } }
        if let rssi = radio.rssi {
            add(1, "RSSI") {
                $0.append(decimal: rssi)
                $0.append(" dBm")
            }
        }
    }

    private func isEncrypted(_ radio: RadioInfo, _ event: borrowing Event, in trace: borrowing Trace) -> Bool {
        !radio.isDecrypted && event.connection.map { trace.connections[$0].isEncrypted } ?? false
    }

    private mutating func add(_ flags: [(StaticString, Bool)], _ octet: Range<Int>) {
        for (name, isSet) in flags { add(2, "\(name)", octet) { $0.append(isSet ? "1" : "0") } }
    }

    // MARK: Advertising

    private mutating func addAdvertising(
        _ octets: Bytes, _ place: Range<Int>, _ radio: RadioInfo, isPeriodic: Bool
    ) {
        guard let pdu = try? AdvertisingPDU(octets.slice(place)) else { return }
        let first = place.lowerBound..<place.lowerBound + 1
        let isPrimary = radio.channel.map { $0 >= 37 }
        add(1, "Header", place.lowerBound..<place.lowerBound + 2)
        add(2, "PDU Type", first) {
            $0.append(
                string: isPeriodic ? "AUX_SYNC_IND or AUX_CHAIN_IND" : pdu.type.name(isPrimary: isPrimary) ?? "reserved"
            )
            $0.append(" (")
            $0.append(code: UInt16(pdu.type.rawValue), digits: 1)
            $0.append(")")
        }
        add([("ChSel", pdu.chSel), ("TxAdd", pdu.txAdd), ("RxAdd", pdu.rxAdd)], first)
        add(2, "Length", first.upperBound..<first.upperBound + 1) { $0.append(decimal: pdu.length) }
        let payload = first.upperBound + 1..<place.upperBound
        add(1, "Payload", payload)
        switch pdu.type {
        case .advInd, .advNonconnInd, .advScanInd, .scanRsp:
            let data = add([("AdvA", 6)], payload, octets)
            addStructures(octets, data..<payload.upperBound)
        case .advDirectInd: _ = add([("AdvA", 6), ("TargetA", 6)], payload, octets)
        case .scanReq: _ = add([("ScanA", 6), ("AdvA", 6)], payload, octets)
        case .connectInd:
            let last = add(
                [
                    ("InitA", 6), ("AdvA", 6), ("AA", 4), ("CRCInit", 3), ("WinSize", 1), ("WinOffset", 2),
                    ("Interval", 2), ("Latency", 2), ("Timeout", 2), ("ChM", 5),
                ], payload, octets)
            guard last < payload.upperBound else { return }
            add(2, "Hop", last..<last + 1) { $0.append(decimal: octets[last] & 0x1F) }
            add(2, "SCA", last..<last + 1) { $0.append(decimal: octets[last] >> 5) }
        case .extended, .auxConnectRsp: addExtended(octets, payload)
        default: break
        }
    }

    /// The common extended advertising payload. Vol 6, Part B, 2.3.4.
    private mutating func addExtended(_ octets: Bytes, _ payload: Range<Int>) {
        guard let first = payload.first else { return }
        let length = Int(octets[first] & 0x3F)
        add(2, "Extended Header Length", first..<first + 1) { $0.append(decimal: length) }
        add(2, "AdvMode", first..<first + 1) { $0.append(decimal: octets[first] >> 6) }
        let header = first + 1..<min(payload.upperBound, first + 1 + length)
        var acad = header.lowerBound
        if let flags = header.first.map({ octets[$0] }) {
            let layouts: [Layout] = [
                [("AdvA", 6)], [("TargetA", 6)], [("CTEInfo", 1)], [("AdvDataInfo", 2)],
                [("AuxPtr: Channel Index, CA, Offset Units", 1), ("AuxPtr: AUX Offset, AUX PHY", 2)],
                [("SyncInfo", 18)], [("TxPower", 1)],
            ]
            let present = layouts.enumerated().filter { flags & 1 << UInt8($0.offset) != 0 }.flatMap(\.element)
            acad = add([("Extended Header Flags", 1)] + present, header, octets)
        }
        if acad < header.upperBound { add(2, "ACAD", acad..<header.upperBound) }
        addStructures(octets, header.upperBound..<payload.upperBound)
    }

    private mutating func addStructures(_ octets: Bytes, _ place: Range<Int>) {
        guard !place.isEmpty else { return }
        add(2, "AdvData", place)
        var start = place.lowerBound
        while start < place.upperBound, octets[start] > 0 {
            let end = min(place.upperBound, start + 1 + Int(octets[start]))
            let type = start + 1 < end ? ADType(rawValue: octets[start + 1]) : nil
            add(3, "AD Structure", start..<end) { $0.append(string: type?.name ?? "") }
            add(4, "Length", start..<start + 1) { $0.append(decimal: octets[start]) }
            if let type {
                add(4, "AD Type", start + 1..<start + 2) { $0.append(code: UInt16(type.rawValue), digits: 2) }
            }
            if start + 2 < end {
                let data = octets.slice(start + 2..<end)
                add(4, "AD Data", start + 2..<end) { $0.append(octets: data, limit: 32) }
            }
            start = end
        }
    }

    // MARK: Data

    private mutating func addData(
        _ octets: Bytes, _ place: Range<Int>, isEncrypted: Bool, _ library: DissectorLibrary
    ) {
        guard let pdu = try? DataPDU(octets.slice(place)) else { return }
        let first = place.lowerBound..<place.lowerBound + 1
        let payload = place.upperBound - pdu.payload.count..<place.upperBound
        add(1, "Header", place.lowerBound..<payload.lowerBound)
        add(2, "LLID", first) {
            switch pdu.llid {
            case .reserved: $0.append("reserved (0)")
            case .continuing: $0.append("continuation, or empty (1)")
            case .start: $0.append("start (2)")
            case .control: $0.append("control (3)")
            }
        }
        add([("NESN", pdu.nesn), ("SN", pdu.sn), ("MD", pdu.md), ("CP", pdu.cteInfo != nil)], first)
        add(2, "Length", first.upperBound..<first.upperBound + 1) { $0.append(decimal: pdu.length) }
        if let cteInfo = pdu.cteInfo {
            add(2, "CTEInfo", payload.lowerBound - 1..<payload.lowerBound) { $0.append(code: cteInfo, digits: 2) }
        }
        guard let opcode = payload.first.map({ LLControlOpcode(rawValue: octets[$0]) }) else { return }
        guard !isEncrypted else {
            let mic = max(payload.lowerBound, payload.upperBound - DataPDU.micLength)
            add(1, "Encrypted Payload", payload.lowerBound..<mic)
            return add(1, "MIC", mic..<payload.upperBound)
        }
        add(1, "Payload", payload)
        guard pdu.llid == .control else { return }
        add(2, "Opcode", payload.lowerBound..<payload.lowerBound + 1) {
            $0.append(string: opcode.name ?? "unknown")
            $0.append(" (")
            $0.append(code: UInt16(opcode.rawValue), digits: 2)
            $0.append(")")
        }
        let data = payload.lowerBound + 1..<payload.upperBound
        let layout = Self.layout(of: opcode)
        guard !layout.isEmpty else {
            let data = octets.slice(data)
            return add(
                HCIParameters(linkLayerControl: opcode, data, library), base: payload.lowerBound + 1, depth: 2,
                named: "CtrData")
        }
        let end = add(layout, data, octets)
        if end < data.upperBound { add(2, "CtrData", end..<data.upperBound) }
    }

    /// CtrData. Vol 6, Part B, 2.4.2.
    private static func layout(of opcode: LLControlOpcode) -> Layout {
        switch opcode {
        case .connectionUpdateInd:
            [("WinSize", 1), ("WinOffset", 2), ("Interval", 2), ("Latency", 2), ("Timeout", 2), ("Instant", 2)]
        case .channelMapInd: [("ChM", 5), ("Instant", 2)]
        case .terminateInd, .rejectInd: [("ErrorCode", 1)]
        case .encReq: [("Rand", 8), ("EDIV", 2), ("SKD_C", 8), ("IV_C", 4)]
        case .encRsp: [("SKD_P", 8), ("IV_P", 4)]
        case .unknownRsp: [("UnknownType", 1)]
        case .featureReq, .featureRsp, .peripheralFeatureReq: [("FeatureSet", 8)]
        case .versionInd: [("Version", 1), ("Company_Identifier", 2), ("Subversion", 2)]
        case .connectionParamReq, .connectionParamRsp:
            [
                ("Interval_Min", 2), ("Interval_Max", 2), ("Latency", 2), ("Timeout", 2), ("PreferredPeriodicity", 1),
                ("ReferenceConnEventCount", 2), ("Offset0", 2), ("Offset1", 2), ("Offset2", 2), ("Offset3", 2),
                ("Offset4", 2), ("Offset5", 2),
            ]
        case .rejectExtInd: [("RejectOpcode", 1), ("ErrorCode", 1)]
        case .lengthReq, .lengthRsp: [("MaxRxOctets", 2), ("MaxRxTime", 2), ("MaxTxOctets", 2), ("MaxTxTime", 2)]
        case .phyReq, .phyRsp: [("TX_PHYS", 1), ("RX_PHYS", 1)]
        case .phyUpdateInd: [("PHY_C_TO_P", 1), ("PHY_P_TO_C", 1), ("Instant", 2)]
        case .minUsedChannelsInd: [("PHYS", 1), ("MinUsedChannels", 1)]
        case .cisInd:
            [("AA", 4), ("CIS_Offset", 3), ("CIG_Sync_Delay", 3), ("CIS_Sync_Delay", 3), ("connEventCount", 2)]
        case .cisTerminateInd: [("CIG_ID", 1), ("CIS_ID", 1), ("ErrorCode", 1)]
        case .powerControlReq: [("PHY", 1), ("Delta", 1), ("TxPower", 1)]
        case .powerControlRsp: [("Min, Max", 1), ("Delta", 1), ("TxPower", 1), ("APR", 1)]
        case .powerChangeInd: [("PHY", 1), ("Min, Max", 1), ("Delta", 1), ("TxPower", 1)]
        case .subrateReq:
            [
                ("SubrateFactorMin", 2), ("SubrateFactorMax", 2), ("Max_Latency", 2), ("ContinuationNumber", 2),
                ("Timeout", 2),
            ]
        case .subrateInd:
            [
                ("SubrateFactor", 2), ("SubrateBaseEvent", 2), ("Latency", 2), ("ContinuationNumber", 2),
                ("Timeout", 2),
            ]
        case .connectionRateInd:
            [
                ("WinOffset", 2), ("Interval", 2), ("Instant", 2), ("SubrateFactor", 2), ("Latency", 2),
                ("ContinuationNumber", 2), ("Timeout", 2),
            ]
        default: []
        }
    }

    /// The captured fields.
    /// - Returns: where the next one would begin.
    private mutating func add(_ layout: Layout, _ place: Range<Int>, _ octets: Bytes) -> Int {
        var start = place.lowerBound
        for (name, length) in layout {
            guard start + length <= place.upperBound else { break }
            let name = "\(name)"
            let field = octets.slice(start..<start + length)
            add(2, name, start..<start + length) {
                switch (name, length) {
                case ("AdvA", _), ("TargetA", _), ("ScanA", _), ("InitA", _):
                    for place in 0..<6 {
                        if place > 0 { $0.append(":") }
                        $0.append(hex: field[5 - place], digits: 2, uppercase: true)
                    }
                case ("Delta", _), ("TxPower", _): $0.append(decimal: field.int8(at: 0))
                case ("ErrorCode", _):
                    $0.append(string: HCIErrorCode(rawValue: field[0]).name)
                    $0.append(" (")
                    $0.append(code: UInt16(field[0]), digits: 2)
                    $0.append(")")
                case ("AA", _): $0.append(code: field.uint32(at: 0), digits: 8)
                case (_, 1): $0.append(decimal: field[0])
                case (_, 2): $0.append(decimal: field.uint16(at: 0))
                default: $0.append(octets: field, limit: 18)
                }
            }
            start += length
        }
        return start
    }
}

extension Event {
    fileprivate var isPeriodicAdvertising: Bool {
        switch detail {
        case .periodic: return true
        case .air(let packet):
            if case .other(.periodicAdvertising) = packet.kind { return true }
            return false
        default: return false
        }
    }
}
