import AttlasCapture
import AttlasWire

/// LL control PDUs and their effects. Core Specification, Vol 6, Part B, 5.1.
extension Trace {
    /// - Parameter packet: The packet that the PDU came in, with its payload decrypted.
    mutating func decodeControl<Sink: EventSink & ~Copyable>(
        _ payload: Bytes, missing: Int, _ packet: AirPacket, _ state: Int, _ context: PDUContext, into sink: inout Sink
    ) {
        let slot = air[state].slot
        do throws(WireError) {
            let pdu = try LLControlPDU(payload)
            if sink.wantsPackets { emit(context, slot, .air(packet.holding(pdu)), into: &sink) }
            followEncryption(pdu, state, context, into: &sink)
            follow(pdu, state, slot, context, into: &sink)
        } catch {
            if sink.wantsPackets { emit(context, slot, .air(packet), into: &sink) }
            emitFault(context, slot, error, missing: missing, into: &sink)
        }
    }

    private mutating func follow<Sink: EventSink & ~Copyable>(
        _ pdu: LLControlPDU, _ state: Int, _ slot: Int, _ context: PDUContext, into sink: inout Sink
    ) {
        switch pdu {
        case .connectionUpdateInd, .connectionRateInd, .subrateInd, .channelMapInd, .phyUpdateInd:
            // Only the central sends these.
            if context.side == .rx { return }
        default: break
        }
        switch pdu {
        case .connectionUpdateInd(let update):
            let parameters = Connection.Parameters(
                interval: update.interval, latency: update.latency, supervisionTimeout: update.timeout)
            announce(.parameters(parameters), update.instant, state, context, into: &sink)
            air[state].connectionEvents.update(
                PendingUpdate(
                    interval: UInt32(update.interval) * 10, winOffset: update.winOffset, instant: update.instant))
        case .connectionRateInd(let update):
            let parameters = Connection.Parameters(
                intervalMicroseconds: Int(update.interval) * 125, latency: update.latency,
                supervisionTimeout: update.timeout, subrateFactor: update.subrateFactor,
                continuationNumber: update.continuationNumber)
            announce(.parameters(parameters), update.instant, state, context, into: &sink)
            air[state].connectionEvents.update(
                PendingUpdate(
                    interval: UInt32(update.interval), winOffset: 0, instant: update.instant,
                    subrateFactor: update.subrateFactor))
        case .subrateInd(let update):
            air[state].connectionEvents.subrate(update.subrateFactor)
            if let interval = connections[slot].parameters?.intervalMicroseconds {
                connections[slot].parameters = Connection.Parameters(
                    intervalMicroseconds: interval, latency: update.latency, supervisionTimeout: update.timeout,
                    subrateFactor: update.subrateFactor, continuationNumber: update.continuationNumber)
                air[state].latency = update.latency
                emit(context, slot, .connection(.parametersUpdated), into: &sink)
            }
        case .channelMapInd(let update):
            announce(.channelMap(update.channelMap), update.instant, state, context, into: &sink)
        case .phyUpdateInd(let update):
            let (transmit, receive) = (update.centralToPeripheral?.rawValue, update.peripheralToCentral?.rawValue)
            guard transmit != nil || receive != nil else { return }
            announce(.phy(transmit: transmit, receive: receive), update.instant, state, context, into: &sink)
        case .length(_, let length):
            let side = AirLengths.Side(
                maxRxOctets: length.maxRxOctets, maxRxTime: length.maxRxTime, maxTxOctets: length.maxTxOctets,
                maxTxTime: length.maxTxTime)
            switch context.side {
            case .tx: air[state].lengths.central = side
            case .rx: air[state].lengths.peripheral = side
            case .unknown: return
            }
            guard let effective = air[state].lengths.effective, connections[slot].dataLength != effective else {
                return
            }
            connections[slot].dataLength = effective
            emit(context, slot, .connection(.dataLengthUpdated), into: &sink)
        case .features(_, let features): emit(context, slot, .connection(.features(features)), into: &sink)
        // LL_FRAME_SPACE_RSP: the space (2), PHYs (1), types (2).
        case .other(.frameSpaceRsp, let data):
            connections[slot].frameSpaces.note(data.uint16(at: 0), phys: data[2], types: data.uint16(at: 3))
        case .versionInd(let version):
            let own = ControllerVersion(
                version: version.version, companyIdentifier: version.companyIdentifier, subversion: version.subversion)
            switch context.side {
            case .tx: connections[slot].centralVersion = own
            case .rx: connections[slot].peerVersion = own
            case .unknown: break
            }
            emit(context, slot, .connection(.version(own)), into: &sink)
        case .rejectInd(let error): emit(context, slot, .connection(.rejected(nil, error)), into: &sink)
        case .rejectExtInd(let opcode, let error):
            emit(context, slot, .connection(.rejected(opcode, error)), into: &sink)
        case .cisReq(let request): air[state].requestedStream = (request.cigID, request.cisID)
        case .cisInd(let pdu):
            let stream = air[state].requestedStream.map {
                ConnectedStream(connection: connections[slot].number, group: $0.group, stream: $0.stream)
            }
            air.note(pdu.accessAddress, .connectedIsochronous(stream))
        case .terminateInd(let reason):
            let party: ConnectionChange.Party
            switch context.side {
            case .tx: party = .host
            case .rx: party = .peer
            case .unknown: party = .unknown
            }
            end(slot, .disconnected(reason, by: party), context, into: &sink)
        default: break
        }
    }
    // MARK: What changes at an event to come

    private mutating func announce<Sink: EventSink & ~Copyable>(
        _ change: LinkUpdate.Change, _ instant: UInt16, _ state: Int, _ context: PDUContext, into sink: inout Sink
    ) {
        let update = LinkUpdate(change: change, instant: instant)
        air[state].updates.note(update)
        emit(context, air[state].slot, .connection(.announced(update)), into: &sink)
        applyUpdates(state, context, into: &sink)
    }

    /// Applies announced updates that have come into force. Where events cannot be counted, they apply at once.
    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    mutating func applyUpdates<Sink: EventSink & ~Copyable>(
        _ state: Int, _ context: PDUContext, into sink: inout Sink
    ) {
        let slot = air[state].slot
        while let update = air[state].updates.takeReached(at: air[state].connectionEvents.number) {
            switch update.change {
            case .parameters(let parameters):
                connections[slot].parameters = parameters
                air[state].latency = parameters.latency
                emit(context, slot, .connection(.parametersUpdated), into: &sink)
            case .channelMap(let map): emit(context, slot, .connection(.channelMapUpdated(map)), into: &sink)
            case .phy(let transmit, let receive):
                if let transmit { connections[slot].transmitPHY = transmit }
                if let receive { connections[slot].receivePHY = receive }
                emit(context, slot, .connection(.phyUpdated), into: &sink)
            }
        }
    }

    /// Reports updates announced for events that are not in the capture.
    mutating func tellUnreached<Sink: EventSink & ~Copyable>(
        _ state: Int, _ context: PDUContext, into sink: inout Sink
    ) {
        while let update = air[state].updates.takeAny() {
            emit(context, air[state].slot, .connection(.notReached(update)), into: &sink)
        }
    }
}
