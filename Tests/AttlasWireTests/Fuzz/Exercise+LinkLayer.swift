@testable import AttlasWire

extension Exercise {
    mutating func air(_ bytes: Bytes) {
        for isCoded in [false, true] {
            guard let packet = try? LinkLayerPacket(bytes, hasCodingIndicator: isCoded) else { continue }
            use(packet.accessAddress)
            use(packet.codingIndicator ?? 0)
            use(packet.pdu)
            use(packet.missing)
            use(packet.excess)
            use(packet.crc ?? 0)
            for phy in UInt8(0)...4 { use(packet.airTime(LEPHY(rawValue: phy))) }
            use(LinkLayerCRC.crc(of: packet.pdu, initial: 0x55_5555))
            use(LinkLayerCRC.initial(of: packet.pdu, crc: packet.crc ?? 0))
            advertisingPDU(packet.pdu)
            dataPDU(packet.pdu)
        }
        advertisingPDU(bytes)
        dataPDU(bytes)
        control(bytes)
    }

    private mutating func advertisingPDU(_ bytes: Bytes) {
        guard let pdu = try? AdvertisingPDU(bytes) else { return }
        use(pdu.type.name(isPrimary: false))
        use(pdu.missing)
        if let view = try? LegacyAdvertisement(pdu) {
            use(view.advA)
            use(view.data)
        }
        if let view = try? AddressPairPDU(pdu) {
            use(view.sender)
            use(view.target)
        }
        if let view = try? ConnectIndication(pdu) {
            use(view.initA)
            use(view.advA)
            use(view.accessAddress)
            use(view.crcInit)
            use(view.winSize)
            use(view.winOffset)
            use(view.interval)
            use(view.latency)
            use(view.timeout)
            use(view.channelMap.count)
            use(view.channelMap.contains(36))
            use(view.hopIncrement)
            use(view.sca)
            use(view.chSel)
        }
        if let view = try? ExtendedAdvertisement(pdu) {
            use(view.advMode)
            use(view.advA?.value ?? 0)
            use(view.targetA?.value ?? 0)
            use(view.adi ?? 0)
            use(view.auxPtr?.offsetMicroseconds ?? 0)
            use(view.auxPtr?.phy.rawValue ?? 0)
            use(view.syncInfo?.accessAddress ?? 0)
            use(view.syncInfo?.crcInit ?? 0)
            use(view.txPower ?? 0)
            use(view.acad)
            use(view.data)
        }
    }

    private mutating func dataPDU(_ bytes: Bytes) {
        guard let pdu = try? DataPDU(bytes) else { return }
        use(pdu.llid)
        use(pdu.nesn)
        use(pdu.sn)
        use(pdu.md)
        use(pdu.cteInfo ?? 0)
        use(pdu.missing)
        use(pdu.isEmpty)
        control(pdu.payload)
    }

    mutating func control(_ bytes: Bytes) {
        guard let pdu = try? LLControlPDU(bytes) else { return }
        use(pdu.opcode.name)
        switch pdu {
        case .connectionUpdateInd(let view):
            use(view.winOffset)
            use(view.interval)
            use(view.latency)
            use(view.timeout)
            use(view.instant)
        case .channelMapInd(let view): use(view.channelMap.count + Int(view.instant))
        case .encReq(let view):
            use(view.rand)
            use(view.ediv)
            use(view.skd)
            use(view.iv)
        case .encRsp(let view):
            use(view.skd)
            use(view.iv)
        case .versionInd(let view):
            use(view.versionName)
            use(view.companyIdentifier)
            use(view.subversion)
        case .connectionParam(_, let view):
            use(view.intervalMin)
            use(view.intervalMax)
            use(view.latency)
            use(view.timeout)
        case .length(_, let view):
            use(view.maxRxOctets)
            use(view.maxRxTime)
            use(view.maxTxOctets)
            use(view.maxTxTime)
        case .phyUpdateInd(let view):
            use(view.centralToPeripheral?.rawValue ?? 0)
            use(view.peripheralToCentral?.rawValue ?? 0)
            use(view.instant)
        case .cisReq(let view):
            use(view.cigID)
            use(view.cisID)
            use(view.isoInterval)
        case .cisInd(let view): use(view.accessAddress)
        case .subrateReq(let view):
            use(view.subrateFactorMin)
            use(view.subrateFactorMax)
            use(view.maxLatency)
            use(view.timeout)
        case .connectionRateInd(let view):
            use(view.interval)
            use(view.instant)
            use(view.subrateFactor)
            use(view.latency)
            use(view.continuationNumber)
            use(view.timeout)
        case .subrateInd(let view):
            use(view.continuationNumber)
            use(view.subrateFactor)
            use(view.subrateBaseEvent)
            use(view.latency)
            use(view.timeout)
        default: break
        }
    }
}
