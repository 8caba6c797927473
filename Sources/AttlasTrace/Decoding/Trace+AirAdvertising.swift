import AttlasCapture
import AttlasWire

/// Advertising physical channel PDUs: advertisers, and the connections that begin. Core Specification, Vol 6, Part B, 2.3 and 4.4.
extension Trace {
    mutating func decodeAdvertising<Sink: EventSink & ~Copyable>(
        _ packet: LinkLayerPacket, cut: Int, _ recorded: RadioInfo, _ context: PDUContext, into sink: inout Sink
    ) {
        hasDiscovery = true
        var radio = recorded
        if radio.crc == .unchecked, let crc = packet.crc {
            radio.check(LinkLayerCRC.crc(of: packet.pdu, initial: LinkLayerCRC.advertisingInit), crc)
        }
        count(radio.crc)
        do throws(WireError) {
            let pdu = try AdvertisingPDU(packet.pdu)
            if sink.wantsPackets {
                emit(packet, .advertising(pdu), radio.crc == .bad ? .badCRC : .taken, radio, context, into: &sink)
            }
            guard radio.crc != .bad else { return }
            try follow(pdu, radio, packet.airTime(radio.phy ?? LEPHY(rawValue: 1)), context, into: &sink)
        } catch {
            if radio.crc != .bad { emitFault(context, nil, error, missing: cut, into: &sink) }
        }
    }

    private mutating func follow<Sink: EventSink & ~Copyable>(
        _ pdu: AdvertisingPDU, _ radio: RadioInfo, _ airTime: Int, _ context: PDUContext, into sink: inout Sink
    ) throws(WireError) {
        switch pdu.type {
        case .advInd, .advNonconnInd, .advScanInd, .scanRsp:
            let advertisement = try LegacyAdvertisement(pdu)
            let data = AdvertisingData(advertisement.data)
            let report = report(advertisement.advA, pdu, isConnectable: pdu.type == .advInd, data, radio)
            advertise(report, context, into: &sink)
        case .advDirectInd:
            let advertisement = try AddressPairPDU(pdu)
            let data = AdvertisingData(pdu.payload.dropFirst(12))
            let report = report(advertisement.sender, pdu, isConnectable: true, data, radio)
            advertise(report, context, into: &sink)
        case .scanReq: _ = try AddressPairPDU(pdu)
        case .connectInd: connect(try ConnectIndication(pdu), radio, airTime, context, into: &sink)
        case .extended: extend(try ExtendedAdvertisement(pdu), pdu, radio, context, into: &sink)
        case .auxConnectRsp: _ = try ExtendedAdvertisement(pdu)
        default: break
        }
    }

    @_semantics("optimize.sil.specialize.generic.never")
    private mutating func connect<Sink: EventSink & ~Copyable>(
        _ request: ConnectIndication, _ radio: RadioInfo, _ airTime: Int, _ context: PDUContext, into sink: inout Sink
    ) {
        // Heard twice. Once there were data packets, it is another connection with the same Access Address.
        if let state = air.state(request.accessAddress), air[state].isSilent, air[state].central == request.initA,
            air[state].peripheral == request.advA
        {
            return
        }
        if let slot = air.slot(central: request.initA, peripheral: request.advA) {
            end(slot, .superseded, context, into: &sink)
        }
        let parameters = Connection.Parameters(
            interval: request.interval, latency: request.latency, supervisionTimeout: request.timeout)
        let link = AirLink(
            accessAddress: request.accessAddress, crcInit: request.crcInit, central: request.initA,
            peripheral: request.advA, interval: request.interval, latency: request.latency)
        let slot = connect(
            link, central: request.initA, peripheral: request.advA, parameters: parameters, context, into: &sink)
        connections[slot].transmitPHY = radio.phy?.rawValue ?? 1
        connections[slot].receivePHY = radio.phy?.rawValue ?? 1
        emit(context, slot, .connection(.made), into: &sink)
        useImport(slot, context, into: &sink)
    }

    // MARK: Extended advertising

    /// An advertisement may continue in AUX_CHAIN_IND: its parts share the AdvDataInfo, and the first has the address. Each part is
    /// reported when it arrives, as far as its AD structures are whole, and all of them once they are together.
    private mutating func extend<Sink: EventSink & ~Copyable>(
        _ part: ExtendedAdvertisement, _ pdu: AdvertisingPDU, _ radio: RadioInfo, _ context: PDUContext,
        into sink: inout Sink
    ) {
        let data = part.data
        var chain = AirAdvertising.Chain()
        if let adi = part.adi, let known = air.advertising[adi] { chain = known }
        let isContinuation = chain.isOpen && part.advA == nil && !data.isEmpty && !chain.data.isEmpty
        if !isContinuation {
            chain.data.removeAll(keepingCapacity: true)
            chain.frames.removeAll(keepingCapacity: true)
            chain.isConnectable = part.isConnectable
        }
        if let address = part.advA { chain.address = address }
        if let sync = part.syncInfo {
            noteTrain(sync, chain.address, part.adi, radio.phy, context, into: &sink)
        }
        if chain.data.count + data.count <= AdvertisingData.lengthLimit {
            data.append(to: &chain.data)
            if !data.isEmpty { chain.frames.append(context.frame) }
        }
        chain.isOpen = part.auxPtr != nil
        if let adi = part.adi { air.advertising[adi] = chain }
        let frames = chain.frames.count > 1 ? chain.frames : []
        let whole = AdvertisingData(Bytes(chain.data.span))
        let report = report(chain.address, pdu, isConnectable: chain.isConnectable, whole, radio)
        advertise(report, frames: frames, context, into: &sink)
    }

    /// The report of an advertisement from the air.
    @_lifetime(copy data)
    private mutating func report(
        _ address: BluetoothAddress?, _ pdu: AdvertisingPDU, isConnectable: Bool, _ data: AdvertisingData,
        _ radio: RadioInfo
    ) -> AdvertisingReport {
        AdvertisingReport(
            address: address, identity: address.flatMap { identities.identity(of: $0) }, rssi: radio.rssi,
            isScanResponse: pdu.type == .scanRsp || radio.auxiliaryPDU == .auxScanRsp, isConnectable: isConnectable,
            isExtended: pdu.type == .extended, data: data, pdu: pdu.type, radio: radio)
    }
}
