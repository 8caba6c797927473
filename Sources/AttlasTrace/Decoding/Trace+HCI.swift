import AttlasCapture
import AttlasWire

/// HCI commands and events, and what the ones that matter to a GATT conversation change.
extension Trace {
    mutating func decodeCommand<Sink: EventSink & ~Copyable>(
        _ bytes: Bytes, missing: Int, _ context: PDUContext, into sink: inout Sink
    ) {
        do throws(WireError) {
            let command = try HCICommand(bytes)
            if sink.wantsControl { emit(context, nil, .command(command), into: &sink) }
            switch try HCICommandParameters(command) {
            case .disconnect(let disconnect):
                if let slot = links.slot(context.controller, disconnect.connectionHandle) {
                    connections[slot].isDisconnectRequested = true
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

    /// What the host asks for. Core Specification, Vol 4, Part E, 7.1.5, 7.8.11, 7.8.12, 7.8.65 and 7.8.66.
    private mutating func follow(_ command: HCICommand, _ context: PDUContext) {
        let parameters = command.parameters
        switch (command.opcode.rawValue, parameters.count) {
        // Create Connection.
        case (0x0405, 6...): begin(.classic, with: parameters.address(at: 0, type: 0), context)
        // LE Create Connection, and LE Extended Create Connection [v1] and [v2].
        case (0x200D, 12...): begin(policy: 4, type: 5, address: 6, of: parameters, context)
        case (0x2043, 9...): begin(policy: 0, type: 2, address: 3, of: parameters, context)
        case (0x2085, 11...): begin(policy: 2, type: 4, address: 5, of: parameters, context)
        // LE Set Scan Enable and LE Set Extended Scan Enable.
        case (0x200C, 2...), (0x2042, 2...):
            controllers[controllerIndex(context.controller)].filtersDuplicates = parameters[1] != 0
        case (0x2062...0x206B, _): followIsochronous(command, context)
        // Of an advertising set, and of the periodic advertising with it.
        case (0x2035...0x2040, _), (0x207F, _), (0x2086, _): advertisingSets.pend(command, context.controller)
        default: break
        }
    }

    /// Initiator_Filter_Policy 0 names the device; any other means the Filter Accept List.
    private mutating func begin(
        policy: Int, type: Int, address: Int, of parameters: Bytes, _ context: PDUContext
    ) {
        let isNamed = parameters[policy] == 0
        let peer = isNamed ? parameters.address(at: address, type: parameters[type]) : nil
        begin(.lowEnergy, with: peer, context)
    }

    @inline(__always)
    mutating func decodeEvent<Sink: EventSink & ~Copyable>(
        _ bytes: Bytes, missing: Int, _ context: PDUContext, into sink: inout Sink
    ) {
        do throws(WireError) {
            let event = try HCIEvent(bytes)
            // Where data is sent, nearly all events are these; telling them from the others takes as long as reading them.
            if event.code == .numberOfCompletedPackets {
                if sink.wantsCompletedPackets { emit(context, nil, .hciEvent(event), into: &sink) }
                follow(try NumberOfCompletedPacketsEvent(event.parameters), context)
            } else {
                if sink.wantsControl { emit(context, nil, .hciEvent(event), into: &sink) }
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
            let setup = Connection.Setup(
                handle: event.connectionHandle, transport: .lowEnergy, isCentral: event.role == 0x00,
                address: event.peerAddress, privateAddress: event.peerResolvablePrivateAddress, parameters: parameters)
            let slot = connect(setup, context, into: &sink)
            emit(context, slot, .connection(.made), into: &sink)
            useImport(slot, context, into: &sink)
        case .connectionComplete(let event):
            guard event.status == .success else {
                return fail(.classic, event.status, event.peerAddress, context, into: &sink)
            }
            // 0x01 is ACL; the others are synchronous links next to one.
            guard event.linkType == 0x01 else { return }
            forgetAttempt(.classic, context)
            let setup = Connection.Setup(
                handle: event.connectionHandle, transport: .classic, address: event.peerAddress)
            let slot = connect(setup, context, into: &sink)
            emit(context, slot, .connection(.made), into: &sink)
            useImport(slot, context, into: &sink)
        case .disconnectionComplete(let event):
            guard event.status == .success else { return }
            guard let slot = links.slot(context.controller, event.connectionHandle) else {
                if endStream(event.connectionHandle, event.reason, context, into: &sink) { return }
                return unannouncedHandles.forget(context.controller, event.connectionHandle)
            }
            let party = party(event.reason, isRequested: connections[slot].isDisconnectRequested)
            end(slot, .disconnected(event.reason, by: party), context, into: &sink)
        case .leConnectionUpdateComplete(let event):
            update(event.connectionHandle, event.status, .parametersUpdated, context, into: &sink) {
                $0.parameters = Connection.Parameters(
                    interval: event.connectionInterval, latency: event.peripheralLatency,
                    supervisionTimeout: event.supervisionTimeout)
            }
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
            guard let slot = links.slot(context.controller, event.connectionHandle) else { return }
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
            let results = event.returnParameters
            if event.commandOpcode == .reset, !results.isEmpty, results[0] == 0 {
                endAll(.reset, context, into: &sink)
            }
            learn(event, context)
            advertise(event, context, into: &sink)
            endSync(event, context, into: &sink)
        case .commandStatus(let event):
            guard event.status != .success else { return }
            if event.commandOpcode == .disconnect {
                for slot in connections.indices where connections[slot].controller == context.controller {
                    connections[slot].isDisconnectRequested = false
                }
            }
            guard let transport = event.commandOpcode.attempted else { return }
            fail(transport, event.status, nil, context, into: &sink)
        case .remoteNameRequestComplete(let event):
            guard event.status == .success else { return }
            peerTable.name(event.address, event.remoteName, isShortened: false)
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
            event.action == 0x01
            ? Connection.ChannelSounding(isInitiator: event.role == 0x00, roundTripTime: event.rttType) : nil
    }

    private mutating func update<Sink: EventSink & ~Copyable>(
        _ handle: ConnectionHandle, _ status: HCIErrorCode, _ change: ConnectionChange, _ context: PDUContext,
        into sink: inout Sink, _ apply: (inout Connection) -> Void
    ) {
        guard status == .success, let slot = links.slot(context.controller, handle) else { return }
        apply(&connections[slot])
        emit(context, slot, .connection(change), into: &sink)
    }

    /// Who ended a connection. Core Specification, Vol 1, Part F, 2; Vol 4, Part E, 7.1.6.
    private func party(_ reason: HCIErrorCode, isRequested: Bool) -> ConnectionChange.Party {
        switch reason.rawValue {
        // The reasons that a host may give when it ends a connection. Some controllers answer their own host's
        // Disconnect with one of these, too.
        case 0x05, 0x13, 0x14, 0x15, 0x1A, 0x29, 0x3B: isRequested ? .host : .peer
        // Terminated by the local host.
        case 0x16: .host
        // Timeouts, MIC failure, failed to be established, instant passed.
        case 0x08, 0x22, 0x28, 0x3D, 0x3E: .link
        default: isRequested ? .host : .unknown
        }
    }

    private mutating func learn(_ event: CommandCompleteEvent, _ context: PDUContext) {
        let parameters = event.returnParameters
        guard !parameters.isEmpty, parameters[0] == 0 else { return }
        switch (event.commandOpcode.rawValue, parameters.count) {
        // Read BD_ADDR.
        case (0x1009, 7...):
            controllers[controllerIndex(context.controller)].address = BluetoothAddress(
                parameters.uint48(at: 1), isRandom: false)
        // Read Buffer Size.
        case (0x1005, 8...):
            controllers[controllerIndex(context.controller)].classicBuffers = Int(parameters.uint16(at: 4))
        // Read RSSI.
        case (0x1405, _):
            if let reading = event.rssiReading, let slot = connection(reading.handle, of: context.controller) {
                connections[slot].note(rssi: reading.dBm)
            }
        // LE Set CIG Parameters, and the same for tests.
        case (0x2062, _), (0x2063, _): learnStreams(parameters, context)
        // LE Read Buffer Size [v1] and [v2]. 0: LE links share the buffers of BR/EDR.
        case (0x2002, 4...), (0x2060, 4...):
            let count = Int(parameters[3])
            controllers[controllerIndex(context.controller)].lowEnergyBuffers = count == 0 ? nil : count
        default: break
        }
    }
}
