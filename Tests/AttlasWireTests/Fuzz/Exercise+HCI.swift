@testable import AttlasWire

extension Exercise {
    mutating func command(_ bytes: Bytes) {
        guard let command = try? HCICommand(bytes) else { return }
        use(command.opcode)
        use(command.missing)
        use(command.excess)
        views(command)
        guard let parameters = try? HCICommandParameters(command) else { return }
        switch parameters {
        case .disconnect(let view):
            use(view.connectionHandle)
            use(view.reason.name)
        case .leAddDeviceToResolvingList(let view):
            use(view.peerIdentityAddress)
            use(view.peerIRK)
            use(view.localIRK)
        case .other(let bytes): use(bytes)
        }
    }

    private mutating func views(_ command: HCICommand) {
        if let address = CreateConnectionCommand(command)?.peerAddress { use(address) }
        if let view = LECreateConnectionCommand(command) {
            use(view.ownAddressType)
            if let address = view.peerAddress { use(address) }
            use(view.connectionParameters?.supervisionTimeout ?? 0)
        }
        use(LinkCommand(command)?.connectionHandle ?? 0)
        use(LinkCommand(command)?.longTermKey == 0 ? 1 : 0)
        use(LinkCommand(command)?.connectionParameters?.supervisionTimeout ?? 0)
        use(LESetScanParametersCommand(command)?.scanWindow ?? 0)
        use(LEEnableCommand(command)?.filtersDuplicates == true ? 1 : 0)
        use(LESetAddressResolutionEnableCommand(command)?.isEnabled == true ? 1 : 0)
        use(LESetEventMaskCommand(command)?.hasDataLengthChange == true ? 1 : 0)
        use(LESetAdvertisingParametersCommand(command)?.ownAddressType ?? 0)
        use(LESetAdvertisingParametersCommand(command)?.advertisingSID ?? 0)
        if let view = LEAdvertisingSetCommand(command), case .periodicData(_, let data) = view.parameters { use(data) }
        if let view = LESetCIGParametersCommand(command) { for index in 0..<view.count { use(view.cisID(index)) } }
        if let view = LECreateCISCommand(command) {
            for index in 0..<view.count { use(view.aclConnectionHandle(index)) }
        }
        if let view = LECreateBIGCommand(command) { use(view.isEncrypted ? 1 : 0) }
        if let view = LEBIGCreateSyncCommand(command) { use(view.bis) }
    }

    mutating func event(_ bytes: Bytes) {
        guard let event = try? HCIEvent(bytes) else { return }
        use(event.code)
        use(event.subeventCode ?? 0)
        use(HardwareErrorEvent(event)?.hardwareCode ?? 0)
        use(AuthenticationCompleteEvent(event)?.connectionHandle ?? 0)
        if let view = SimplePairingCompleteEvent(event) { use(view.address) }
        if let view = LinkProcedureEvent(event) {
            use(view.connectionHandle)
            use(view.status)
        }
        use(AuthenticatedPayloadTimeoutExpiredEvent(event)?.connectionHandle ?? 0)
        use(LEReadRemoteFeaturesCompleteEvent(event)?.leFeatures ?? 0)
        if let view = LEAdvertisingSetTerminatedEvent(event) { use(view.status) }
        use(event.missing)
        use(event.excess)
        guard let parameters = try? HCIEventParameters(event) else { return }
        switch parameters {
        case .connectionComplete(let view):
            use(view.status)
            use(view.connectionHandle)
            use(view.peerAddress)
            use(view.linkType)
            use(view.encryptionEnabled)
        case .disconnectionComplete(let view):
            use(view.status)
            use(view.connectionHandle)
            use(view.reason.name)
        case .remoteNameRequestComplete(let view):
            use(view.status)
            use(view.address)
            use(view.remoteName)
        case .readRemoteVersionInformationComplete(let view): use(view.connectionHandle)
        case .encryptionChange(let view):
            use(view.status)
            use(view.connectionHandle)
            use(view.encryptionEnabled)
            use(view.encryptionKeySize ?? 0)
        case .leConnectionRateChange(let view):
            use(view.status)
            use(view.connectionHandle)
            use(view.connectionInterval)
            use(view.subrateFactor)
            use(view.peripheralLatency)
            use(view.continuationNumber)
            use(view.supervisionTimeout)
        case .leSubrateChange(let view):
            use(view.status)
            use(view.connectionHandle)
            use(view.subrateFactor)
            use(view.peripheralLatency)
            use(view.continuationNumber)
            use(view.supervisionTimeout)
        case .leFrameSpaceUpdateComplete(let view):
            use(view.status)
            use(view.connectionHandle)
            use(view.frameSpace)
            use(view.phys)
            use(view.spacingTypes)
        case .encryptionKeyRefreshComplete(let view):
            use(view.status)
            use(view.connectionHandle)
        case .commandStatus(let view):
            use(view.status.name)
            use(view.commandOpcode.rawValue)
        case .inquiryResult(let view):
            for index in 0..<view.count {
                use(view.address(index))
                use(Int(view.rssi(index) ?? 0))
            }
            advertising(view.data.bytes)
        case .commandComplete(let view):
            use(view.numHCICommandPackets)
            use(view.commandOpcode)
            use(view.returnParameters)
            if let address = view.controllerAddress { use(address) }
            use(view.totalNumACLDataPackets ?? view.totalNumLEACLDataPackets ?? 0)
            use(view.leFeatures ?? 0)
            for index in 0..<(view.isochronousGroup?.count ?? 0) { use(view.streamHandle(index) ?? 0) }
            use(view.terminatedBIGHandle ?? 0)
        case .numberOfCompletedPackets(let view):
            for index in 0..<view.count {
                use(view.connectionHandle(index))
                use(view.numCompletedPackets(index))
            }
        case .leConnectionComplete(let view):
            use(view.status)
            use(view.connectionHandle)
            use(view.role)
            use(view.peerAddress)
            use(view.localResolvablePrivateAddress?.value ?? 0)
            use(view.peerResolvablePrivateAddress?.value ?? 0)
            use(view.connectionInterval)
            use(view.peripheralLatency)
            use(view.supervisionTimeout)
            use(view.centralClockAccuracy)
            use(view.advertisingHandle ?? 0)
            use(view.syncHandle ?? 0)
        case .leAdvertisingReport(let view): use(view)
        case .leExtendedAdvertisingReport(let view): use(view)
        case .leConnectionUpdateComplete(let view):
            use(view.status)
            use(view.connectionHandle)
            use(view.connectionInterval)
            use(view.peripheralLatency)
            use(view.supervisionTimeout)
        case .leDataLengthChange(let view):
            use(view.connectionHandle)
            use(view.maxTXOctets)
            use(view.maxTXTime)
            use(view.maxRXOctets)
            use(view.maxRXTime)
        case .lePHYUpdateComplete(let view):
            use(view.status)
            use(view.connectionHandle)
            use(view.txPHY.name)
            use(view.rxPHY.name)
        case .leCSConfigComplete(let view):
            use(view.status)
            use(view.connectionHandle)
            use(view.configID)
            use(view.action)
            use(view.mainModeType)
            use(view.subModeType)
            use(view.role)
            use(view.rttType)
        case .lePeriodicSync(let view):
            use(view.status)
            use(view.syncHandle)
            use(view.advertisingSID)
            use(view.address)
            use(view.phy.name)
            use(view.interval)
        case .lePeriodicReport(let view):
            use(view.syncHandle)
            use(view.rssi)
            use(view.dataStatus)
            advertising(view.data)
        case .lePeriodicSyncLost(let view): use(view.syncHandle)
        case .leBIGInfo(let view):
            use(view.syncHandle)
            use(view.group.streams)
            use(view.group.phy.name)
        case .leCISEstablished(let view):
            use(view.status)
            use(view.connectionHandle)
            use(view.centralPHY.name)
            use(view.peripheralPHY.name)
            use(view.centralMaxPDU)
            use(view.peripheralMaxPDU)
            use(view.isoInterval)
        case .leCISRequest(let view):
            use(view.connectionHandle)
            use(view.streamHandle)
            use(view.group)
            use(view.stream)
        case .leBIGEstablished(let view):
            use(view.status)
            use(view.bigHandle)
            use(view.phy?.name)
            use(view.maxPDU)
            use(view.isoInterval)
            for index in 0..<view.count { use(view.connectionHandle(index)) }
        case .leBIGEnded(let view):
            use(view.bigHandle)
            use(view.reason)
        case .other(let bytes): use(bytes)
        }
    }

    private mutating func use(_ view: LEAdvertisingReportEvent) {
        var reports = view.reports
        var rounds = 0
        while let report = reports.next() {
            use(report.eventTypeName)
            use(report.address)
            advertising(report.data)
            use(report.missing)
            use(report.rssi ?? 0)
            count(&rounds, within: view.numReports)
        }
        use(reports.missing)
        use(reports.remainder)
    }

    private mutating func use(_ view: LEExtendedAdvertisingReportEvent) {
        var reports = view.reports
        var rounds = 0
        while let report = reports.next() {
            use(report.eventType)
            use(report.isConnectable)
            use(report.isScannable)
            use(report.isDirected)
            use(report.isScanResponse)
            use(report.isLegacy)
            use(report.dataStatus)
            use(report.address?.value ?? 0)
            use(report.primaryPHY.name)
            use(report.secondaryPHY.name)
            use(report.advertisingSID)
            use(report.txPower)
            use(report.rssi)
            use(report.periodicAdvertisingInterval)
            use(report.directAddress?.value ?? 0)
            advertising(report.data)
            use(report.missing)
            count(&rounds, within: view.numReports)
        }
        use(reports.missing)
        use(reports.remainder)
    }
}
