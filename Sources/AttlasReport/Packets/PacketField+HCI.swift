import AttlasWire

extension HCICommand {
    /// The parameters that matter to a GATT conversation; nil for a command shown by its octets. Keys stay in the capture.
    var fields: [PacketField]? {
        guard let parameters = try? HCICommandParameters(self) else { return nil }
        switch parameters {
        case .disconnect(let command):
            return [.handle(command.connectionHandle), PacketField("reason", .text(command.reason.name))]
        case .leSetRandomAddress(let command): return [.address("address", command.randomAddress)]
        case .leSetScanEnable(let command): return [.enabled(command.leScanEnable)]
        case .leSetExtendedScanEnable(let command): return [.enabled(command.enable)]
        case .leCreateConnection(let command):
            return [.address("peer_address", command.peerAddress)]
                + PacketField.parameters(
                    command.connectionIntervalMin, command.connectionIntervalMax, command.maxLatency,
                    command.supervisionTimeout)
        case .leExtendedCreateConnection(let command):
            guard command.count > 0 else { return [.address("peer_address", command.peerAddress)] }
            return [.address("peer_address", command.peerAddress)]
                + PacketField.parameters(
                    command.connectionIntervalMin(0), command.connectionIntervalMax(0), command.maxLatency(0),
                    command.supervisionTimeout(0))
        case .leConnectionUpdate(let command):
            return [.handle(command.connectionHandle)]
                + PacketField.parameters(
                    command.connectionIntervalMin, command.connectionIntervalMax, command.maxLatency,
                    command.supervisionTimeout)
        case .leSetDataLength(let command):
            return [
                .handle(command.connectionHandle), PacketField("tx_octets", .number(Int(command.txOctets))),
                PacketField("tx_time_us", .microseconds(Int(command.txTime))),
            ]
        case .leSetPHY(let command):
            return [
                .handle(command.connectionHandle), PacketField("tx_phys", .flags(command.txPHYs.phyNames)),
                PacketField("rx_phys", .flags(command.rxPHYs.phyNames)),
            ]
        case .leAddDeviceToResolvingList(let command): return [.address("peer_address", command.peerIdentityAddress)]
        case .leEnableEncryption(let command): return [.handle(command.connectionHandle)]
        case .leLongTermKeyRequestReply(let command): return [.handle(command.connectionHandle)]
        default: return nil
        }
    }
}

extension HCIEvent {
    /// The parameters that matter to a GATT conversation; nil for an event shown by its octets.
    var fields: [PacketField]? {
        guard let parameters = try? HCIEventParameters(self) else { return nil }
        switch parameters {
        case .connectionComplete(let event):
            return [
                .status(event.status), .handle(event.connectionHandle), .address("peer_address", event.peerAddress),
            ]
        case .disconnectionComplete(let event):
            return [
                .status(event.status), .handle(event.connectionHandle), PacketField("reason", .text(event.reason.name)),
            ]
        case .encryptionChange(let event):
            return [.status(event.status), .handle(event.connectionHandle), .enabled(event.encryptionEnabled)]
        case .encryptionKeyRefreshComplete(let event): return [.status(event.status), .handle(event.connectionHandle)]
        case .commandComplete(let event):
            return [.command(event.commandOpcode)] + (event.status.map { [.status($0)] } ?? [])
        case .commandStatus(let event): return [.command(event.commandOpcode), .status(event.status)]
        case .numberOfCompletedPackets(let event):
            let items = (0..<event.count).map { index in
                [
                    PacketField.handle(event.connectionHandle(index)),
                    PacketField("packets", .number(event.numCompletedPackets(index))),
                ]
            }
            return [PacketField("completed", .items(items))]
        case .leConnectionComplete(let event):
            return [
                .status(event.status), .handle(event.connectionHandle),
                PacketField("role", .text(event.isCentral ? "central" : "peripheral")),
                .address("peer_address", event.peerAddress),
                PacketField("interval_us", .microseconds(event.connectionIntervalMicroseconds)),
                PacketField("latency", .number(Int(event.peripheralLatency))),
                PacketField("supervision_timeout_us", .microseconds(event.supervisionTimeoutMicroseconds)),
            ]
        case .leConnectionUpdateComplete(let event):
            return [
                .status(event.status), .handle(event.connectionHandle),
                PacketField("interval_us", .microseconds(event.connectionIntervalMicroseconds)),
                PacketField("latency", .number(Int(event.peripheralLatency))),
                PacketField("supervision_timeout_us", .microseconds(event.supervisionTimeoutMicroseconds)),
            ]
        case .leRemoteConnectionParameterRequest(let event):
            return [.handle(event.connectionHandle)]
                + PacketField.parameters(event.intervalMin, event.intervalMax, event.maxLatency, event.timeout)
        case .leDataLengthChange(let event):
            return [
                .handle(event.connectionHandle), PacketField("max_tx_octets", .number(Int(event.maxTXOctets))),
                PacketField("max_rx_octets", .number(Int(event.maxRXOctets))),
            ]
        case .lePHYUpdateComplete(let event):
            return [
                .status(event.status), .handle(event.connectionHandle),
                PacketField("tx_phy", .text(event.txPHY.name ?? "reserved")),
                PacketField("rx_phy", .text(event.rxPHY.name ?? "reserved")),
            ]
        case .leReadRemoteFeaturesComplete(let event): return [.status(event.status), .handle(event.connectionHandle)]
        case .leLongTermKeyRequest(let event): return [.handle(event.connectionHandle)]
        default: return nil
        }
    }
}

extension PacketField {
    fileprivate static func handle(_ handle: ConnectionHandle) -> PacketField {
        PacketField("connection_handle", .handle(handle))
    }

    fileprivate static func status(_ status: HCIErrorCode) -> PacketField {
        PacketField("status", .named(UInt16(status.rawValue), digits: 2, status.name))
    }

    fileprivate static func command(_ opcode: HCIOpcode) -> PacketField {
        PacketField("command", .named(opcode.rawValue, digits: 4, opcode.name ?? "Unknown"))
    }

    fileprivate static func enabled(_ value: UInt8) -> PacketField {
        PacketField("enabled", .text(value == 0 ? "no" : "yes"))
    }

    fileprivate static func address(_ name: StaticString, _ address: BluetoothAddress) -> PacketField {
        PacketField(name, .text(address.description))
    }

    /// Connection parameters as a host asks for them: units of 1.25 ms and 10 ms.
    fileprivate static func parameters(
        _ intervalMin: UInt16, _ intervalMax: UInt16, _ latency: UInt16, _ timeout: UInt16
    ) -> [PacketField] {
        [
            PacketField("interval_min_us", .microseconds(Int(intervalMin) * 1_250)),
            PacketField("interval_max_us", .microseconds(Int(intervalMax) * 1_250)),
            PacketField("latency", .number(Int(latency))),
            PacketField("supervision_timeout_us", .microseconds(Int(timeout) * 10_000)),
        ]
    }
}
