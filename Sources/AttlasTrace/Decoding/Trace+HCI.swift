import AttlasCapture
import AttlasWire

/// HCI commands and events, and the effects of those that matter to a GATT conversation.
extension Trace {
    mutating func decodeCommand<Sink: EventSink & ~Copyable>(
        _ bytes: Bytes, missing: Int, _ context: PDUContext, into sink: inout Sink
    ) {
        sides.see(.tx)
        do throws(WireError) {
            let command = try HCICommand(bytes)
            if sink.wantsControl { emit(context, nil, .command(command), into: &sink) }
            switch try HCICommandParameters(command) {
            case .disconnect(let disconnect):
                if let slot = links.slot(context.controller, disconnect.connectionHandle) {
                    connections[slot].disconnectRequest = Moment(frame: context.frame, time: context.time)
                }
            case .leAddDeviceToResolvingList(let device):
                learnIdentity(device.peerIRK, device.peerIdentityAddress, context, into: &sink)
            default: follow(command, context)
            }
            try checkLength(command.parameterTotalLength, missing: command.missing, excess: command.excess)
        } catch {
            emitFault(context, nil, error, missing: missing, into: &sink)
        }
    }

    /// Follows the host's commands. Core Specification, Vol 4, Part E, 7.1.5, 7.8.11, 7.8.12, 7.8.65 and 7.8.66.
    private mutating func follow(_ command: HCICommand, _ context: PDUContext) {
        switch command.opcode {
        case .createConnection:
            if let create = CreateConnectionCommand(command) { begin(.classic, with: create.peerAddress, context) }
        case .leCreateConnection, .leExtendedCreateConnection, .leExtendedCreateConnectionV2:
            if let create = LECreateConnectionCommand(command) { begin(.lowEnergy, with: create.peerAddress, context) }
        case .leSetScanEnable, .leSetExtendedScanEnable:
            guard let filters = LEEnableCommand(command)?.filtersDuplicates else { return }
            controllers[controllerIndex(context.controller)].filtersDuplicates = filters
        case .leSetCIGParameters, .leSetCIGParametersTest, .leCreateCIS, .leCreateBIG, .leBIGCreateSync:
            followIsochronous(command, context)
        case _ where command.opcode.isOfAdvertisingSet: advertisingSets.pend(command, context.controller)
        default: break
        }
    }

    @inline(__always)
    mutating func decodeEvent<Sink: EventSink & ~Copyable>(
        _ bytes: Bytes, missing: Int, _ context: PDUContext, into sink: inout Sink
    ) {
        sides.see(.rx)
        do throws(WireError) {
            let event = try HCIEvent(bytes)
            // Where data is sent, nearly all events are these; telling them from the others takes as long as reading them.
            if event.code == .numberOfCompletedPackets {
                if sink.wantsCompletedPackets { emit(context, nil, .hciEvent(event), into: &sink) }
                follow(try NumberOfCompletedPacketsEvent(event.parameters), context)
            } else {
                // One that an app's log does not have only names the device.
                if sink.wantsControl, context.reported != .notInLog {
                    emit(context, nil, .hciEvent(event), into: &sink)
                }
                try follow(HCIEventParameters(event), context, into: &sink)
            }
            if event.bytes.count != HCIEvent.headerLength &+ event.parameterTotalLength {
                try checkLength(event.parameterTotalLength, missing: event.missing, excess: event.excess)
            }
        } catch {
            emitFault(context, nil, error, missing: missing, into: &sink)
        }
    }

    /// Throws when the length in the header of a command or an event is not that of its parameters.
    private func checkLength(_ length: Int, missing: Int, excess: Int) throws(WireError) {
        if missing > 0 {
            throw WireError(
                .hci, "HCI parameters incomplete", need: length, have: length - missing, limit: .hciLength)
        }
        if excess > 0 {
            throw WireError(
                .hci, "octets after the HCI parameters", need: length, have: length + excess, limit: .hciLength)
        }
    }

    @inline(__always)
    private mutating func follow(_ event: NumberOfCompletedPacketsEvent, _ context: PDUContext) {
        var index = 0
        while index < event.count {
            defer { index &+= 1 }
            guard let slot = links.slot(context.controller, event.connectionHandle(index)) else {
                unannouncedHandles.confirm(
                    context.controller, event.connectionHandle(index), packets: event.numCompletedPackets(index))
                streams.complete(
                    context.controller, event.connectionHandle(index), packets: event.numCompletedPackets(index))
                continue
            }
            connections[slot].buffers.complete(event.numCompletedPackets(index), context)
        }
    }

    private mutating func follow<Sink: EventSink & ~Copyable>(
        _ parameters: HCIEventParameters, _ context: PDUContext, into sink: inout Sink
    ) throws(WireError) {
        switch parameters {
        case .leConnectionComplete(let event):
            guard event.status == .success else {
                return fail(.lowEnergy, event.status, event.peerAddress, context, into: &sink)
            }
            forgetAttempt(.lowEnergy, context)
            // An interval of 0 does not exist: the event comes from a log that has the peer of the connection and no more.
            let parameters =
                event.connectionInterval == 0
                ? nil
                : Connection.Parameters(
                    interval: event.connectionInterval, latency: event.peripheralLatency,
                    supervisionTimeout: event.supervisionTimeout)
            let isPresumed = context.reported == .notInLog
            let setup = Connection.Setup(
                handle: event.connectionHandle, transport: .lowEnergy,
                isCentral: isPresumed || event.role > 1 ? nil : event.isCentral,
                address: event.peerAddress, privateAddress: event.peerResolvablePrivateAddress, parameters: parameters)
            let slot = connect(setup, context, into: &sink)
            emit(context, slot, .connection(isPresumed ? .presumed : .made), into: &sink)
            useImport(slot, context, into: &sink)
        case .connectionComplete(let event):
            guard event.status == .success else {
                return fail(.classic, event.status, event.peerAddress, context, into: &sink)
            }
            // The others are synchronous links next to one.
            guard event.isACL else { return }
            forgetAttempt(.classic, context)
            let setup = Connection.Setup(
                handle: event.connectionHandle, transport: .classic, address: event.peerAddress)
            let slot = connect(setup, context, into: &sink)
            emit(context, slot, .connection(.made), into: &sink)
            useImport(slot, context, into: &sink)
        case .disconnectionComplete(let event):
            guard event.status == .success else { return }
            guard
                let slot = links.slot(context.controller, event.connectionHandle)
                    ?? presume(endedBy: event, context, into: &sink)
            else { return }
            if let status = context.reported { return end(slot, .reported(status), context, into: &sink) }
            let party = party(event.reason, isRequested: connections[slot].isDisconnectRequested)
            end(slot, .disconnected(event.reason, by: party), context, into: &sink)
        case .leConnectionUpdateComplete(let event):
            update(event.connectionHandle, event.status, .parametersUpdated, context, into: &sink) {
                $0.parameters = Connection.Parameters(
                    interval: event.connectionInterval, latency: event.peripheralLatency,
                    supervisionTimeout: event.supervisionTimeout)
            }
        case .leConnectionRateChange(let event):
            update(event.connectionHandle, event.status, .parametersUpdated, context, into: &sink) {
                $0.parameters = Connection.Parameters(
                    intervalMicroseconds: Int(event.connectionInterval) * 125, latency: event.peripheralLatency,
                    supervisionTimeout: event.supervisionTimeout, subrateFactor: event.subrateFactor,
                    continuationNumber: event.continuationNumber)
            }
        case .leSubrateChange(let event):
            // Without the interval there are no parameters.
            guard let slot = links.slot(context.controller, event.connectionHandle),
                let interval = connections[slot].parameters?.intervalMicroseconds
            else { return }
            update(event.connectionHandle, event.status, .parametersUpdated, context, into: &sink) {
                $0.parameters = Connection.Parameters(
                    intervalMicroseconds: interval, latency: event.peripheralLatency,
                    supervisionTimeout: event.supervisionTimeout, subrateFactor: event.subrateFactor,
                    continuationNumber: event.continuationNumber)
            }
        case .leFrameSpaceUpdateComplete(let event):
            guard event.status == .success, let slot = links.slot(context.controller, event.connectionHandle) else {
                return
            }
            connections[slot].frameSpaces.note(event.frameSpace, phys: event.phys, types: event.spacingTypes)
        case .lePHYUpdateComplete(let event):
            update(event.connectionHandle, event.status, .phyUpdated, context, into: &sink) {
                $0.transmitPHY = event.txPHY.rawValue
                $0.receivePHY = event.rxPHY.rawValue
            }
        case .leDataLengthChange(let event):
            update(event.connectionHandle, .success, .dataLengthUpdated, context, into: &sink) {
                $0.dataLength = Connection.DataLength(
                    maxTxOctets: event.maxTXOctets, maxTxTime: event.maxTXTime, maxRxOctets: event.maxRXOctets,
                    maxRxTime: event.maxRXTime)
            }
        case .leCSConfigComplete(let event): configureSounding(event, context)
        case .encryptionChange(let event):
            guard let slot = slot(ofRebuilt: event.connectionHandle, context, into: &sink) else { return }
            let isEnabled = event.status == .success && event.encryptionEnabled != 0
            connections[slot].isEncrypted = isEnabled
            emit(
                context, slot, .connection(.encryption(enabled: isEnabled, status: event.status)), into: &sink)
        case .encryptionKeyRefreshComplete(let event):
            guard let slot = links.slot(context.controller, event.connectionHandle) else { return }
            // Keys are refreshed on encrypted links only. Core Specification, Vol 4, Part E, 7.7.39.
            if event.status == .success { connections[slot].isEncrypted = true }
            let isEnabled = connections[slot].isEncrypted
            emit(context, slot, .connection(.encryption(enabled: isEnabled, status: event.status)), into: &sink)
        case .commandComplete(let event):
            // Status 0: the controller keeps no link over it.
            if event.commandOpcode == .reset, event.status == .success {
                endAll(.reset, context, into: &sink)
            }
            learn(event, context)
            advertise(event, context, into: &sink)
            endSync(event, context, into: &sink)
        case .commandStatus(let event):
            guard event.status != .success else { return }
            if event.commandOpcode == .disconnect {
                for slot in connections.indices where connections[slot].controller == context.controller {
                    connections[slot].disconnectRequest = nil
                }
            }
            guard let transport = event.commandOpcode.attempted else { return }
            fail(transport, event.status, nil, context, into: &sink)
        case .remoteNameRequestComplete(let event):
            guard event.status == .success else { return }
            peerTable.name(event.address, event.remoteName, isShortened: false)
        case .readRemoteVersionInformationComplete(let event):
            guard event.status == .success, let slot = links.slot(context.controller, event.connectionHandle) else {
                return
            }
            connections[slot].peerVersion = event.version
        case .inquiryResult(let results): discover(results, context, into: &sink)
        case .leAdvertisingReport(let reports): try advertise(reports, context, into: &sink)
        case .leExtendedAdvertisingReport(let reports): try advertise(reports, context, into: &sink)
        case .lePeriodicSync(let event): synchronize(event, context, into: &sink)
        case .lePeriodicReport(let event): report(event, context, into: &sink)
        case .lePeriodicSyncLost(let event): loseTrain(event, context, into: &sink)
        case .leBIGInfo(let event): report(event, context, into: &sink)
        case .leCISRequest(let event): propose(event, context)
        case .leCISEstablished(let event): establish(event, context, into: &sink)
        case .leBIGEstablished(let event): establish(event, context, into: &sink)
        case .leBIGEnded(let event): end(event, context, into: &sink)
        default: break
        }
    }

    private mutating func configureSounding(_ event: LECSConfigCompleteEvent, _ context: PDUContext) {
        guard event.status == .success, event.configID < 4, event.role < 2,
            let slot = links.slot(context.controller, event.connectionHandle)
        else { return }
        if connections[slot].channelSounding.isEmpty {
            connections[slot].channelSounding = Array(repeating: nil, count: 4)
        }
        connections[slot].channelSounding[Int(event.configID)] =
            event.isCreated
            ? Connection.ChannelSounding(isInitiator: event.isInitiator, roundTripTime: event.rttType) : nil
    }

    private mutating func update<Sink: EventSink & ~Copyable>(
        _ handle: ConnectionHandle, _ status: HCIErrorCode, _ change: ConnectionChange, _ context: PDUContext,
        into sink: inout Sink, _ apply: (inout Connection) -> Void
    ) {
        guard status == .success, let slot = slot(ofRebuilt: handle, context, into: &sink) else { return }
        apply(&connections[slot])
        emit(context, slot, .connection(change), into: &sink)
    }

    /// The connection that an event ends, if it began before the capture.
    @inline(never)
    private mutating func presume<Sink: EventSink & ~Copyable>(
        endedBy event: DisconnectionCompleteEvent, _ context: PDUContext, into sink: inout Sink
    ) -> Int? {
        if endStream(event.connectionHandle, event.reason, context, into: &sink) { return nil }
        unannouncedHandles.forget(context.controller, event.connectionHandle)
        // After other connections it may be a synchronous link of one of them. The log of an app has none, and may lack addresses.
        guard connections.isEmpty || context.making == .reported else { return nil }
        return presume(event.connectionHandle, context, into: &sink)
    }

    private mutating func presume<Sink: EventSink & ~Copyable>(
        _ handle: ConnectionHandle, _ context: PDUContext, into sink: inout Sink
    ) -> Int {
        let slot = connect(Connection.Setup(handle: handle, transport: .lowEnergy), context, into: &sink)
        emit(context, slot, .connection(.presumed), into: &sink)
        return slot
    }

    /// The connection of an event. In the log of an app, which may have nothing else of it, it began before the log.
    private mutating func slot<Sink: EventSink & ~Copyable>(
        ofRebuilt handle: ConnectionHandle, _ context: PDUContext, into sink: inout Sink
    ) -> Int? {
        if let slot = links.slot(context.controller, handle) { return slot }
        let isPresumed =
            switch context.making {
            case .captured: false
            case .rebuilt: connections.isEmpty
            case .reported: true
            }
        return isPresumed ? presume(handle, context, into: &sink) : nil
    }

    /// Who ended a connection. Core Specification, Vol 1, Part F, 2; Vol 4, Part E, 7.1.6.
    private func party(_ reason: HCIErrorCode, isRequested: Bool) -> ConnectionChange.Party {
        switch reason {
        // The reasons that a host may give when it ends a connection. Some controllers answer their own host's
        // Disconnect with one of these, too.
        case .authenticationFailure, .remoteUserTerminatedConnection, .remoteDeviceTerminatedLowResources,
            .remoteDeviceTerminatedPowerOff, .unsupportedRemoteFeature, .pairingWithUnitKeyNotSupported,
            .unacceptableConnectionParameters:
            isRequested ? .host : .peer
        case .terminatedByLocalHost: .host
        // The host was closing it, and the peer no longer acknowledged that.
        case .connectionTimeout, .llResponseTimeout: isRequested ? .host : .link
        case .instantPassed, .micFailure, .failedToBeEstablished: .link
        default: isRequested ? .host : .unknown
        }
    }

    private mutating func learn(_ event: CommandCompleteEvent, _ context: PDUContext) {
        switch event.commandOpcode {
        case .readLocalVersionInformation:
            if let version = event.localVersion {
                controllers[controllerIndex(context.controller)].version = version
            }
        case .readBDADDR:
            if let address = event.controllerAddress {
                controllers[controllerIndex(context.controller)].address = address
            }
        case .readBufferSize:
            if let count = event.totalNumACLDataPackets {
                controllers[controllerIndex(context.controller)].classicBuffers = count
            }
        case .readRSSI:
            if let reading = event.rssiReading, let slot = connection(reading.handle, of: context.controller) {
                connections[slot].note(rssi: reading.dBm, at: context.time)
            }
        case .leSetCIGParameters, .leSetCIGParametersTest: learnStreams(event, context)
        case .leReadBufferSize, .leReadBufferSizeV2:
            // 0: LE links share the buffers of BR/EDR.
            guard let count = event.totalNumLEACLDataPackets else { return }
            controllers[controllerIndex(context.controller)].lowEnergyBuffers = count == 0 ? nil : count
        default: break
        }
    }
}
