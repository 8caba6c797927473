/// The parameters of one HCI event. Core Specification, Vol 4, Part E, 7.7.
///
/// Only those that change the state of a trace have a view; this is the dispatch to it. Definitions show the others.
public enum HCIEventParameters: ~Escapable, Copyable {
    case connectionComplete(ConnectionCompleteEvent)
    case disconnectionComplete(DisconnectionCompleteEvent)
    case remoteNameRequestComplete(RemoteNameRequestCompleteEvent)
    case readRemoteVersionInformationComplete(ReadRemoteVersionInformationCompleteEvent)
    case encryptionChange(EncryptionChangeEvent)
    case encryptionKeyRefreshComplete(EncryptionKeyRefreshCompleteEvent)
    case commandComplete(CommandCompleteEvent)
    case commandStatus(CommandStatusEvent)
    /// One of three events: Inquiry Result, Inquiry Result with RSSI or Extended Inquiry Result.
    case inquiryResult(InquiryResultEvent)
    case numberOfCompletedPackets(NumberOfCompletedPacketsEvent)
    /// One of three events: LE Connection Complete, LE Enhanced Connection Complete or its version 2.
    case leConnectionComplete(LEConnectionCompleteEvent)
    case leAdvertisingReport(LEAdvertisingReportEvent)
    case leConnectionUpdateComplete(LEConnectionUpdateCompleteEvent)
    case leDataLengthChange(LEDataLengthChangeEvent)
    case lePHYUpdateComplete(LEPHYUpdateCompleteEvent)
    case leConnectionRateChange(LEConnectionRateChangeEvent)
    case leSubrateChange(LESubrateChangeEvent)
    case leFrameSpaceUpdateComplete(LEFrameSpaceUpdateCompleteEvent)
    case leExtendedAdvertisingReport(LEExtendedAdvertisingReportEvent)
    case leCSConfigComplete(LECSConfigCompleteEvent)
    /// One of two events: Sync Established or Sync Transfer Received, in both versions.
    case lePeriodicSync(LEPeriodicAdvertisingSyncEvent)
    case lePeriodicReport(LEPeriodicAdvertisingReportEvent)
    case lePeriodicSyncLost(LEPeriodicAdvertisingSyncLostEvent)
    case leBIGInfo(LEBIGInfoAdvertisingReportEvent)
    case leCISEstablished(LECISEstablishedEvent)
    case leCISRequest(LECISRequestEvent)
    /// One of two events: Create BIG Complete or BIG Sync Established.
    case leBIGEstablished(LEBIGEstablishedEvent)
    /// One of two events: Terminate BIG Complete or BIG Sync Lost.
    case leBIGEnded(LEBIGEndedEvent)
    /// Every other event, with its parameters.
    case other(Bytes)

    /// Reads the parameters that attlas uses. Throws if they are incomplete.
    @_lifetime(copy event)
    public init(_ event: HCIEvent) throws(WireError) {
        let parameters = event.parameters
        switch event.code {
        case .connectionComplete: self = .connectionComplete(try ConnectionCompleteEvent(parameters))
        case .disconnectionComplete: self = .disconnectionComplete(try DisconnectionCompleteEvent(parameters))
        case .remoteNameRequestComplete:
            self = .remoteNameRequestComplete(try RemoteNameRequestCompleteEvent(parameters))
        case .readRemoteVersionInformationComplete:
            self = .readRemoteVersionInformationComplete(try ReadRemoteVersionInformationCompleteEvent(parameters))
        case .encryptionChange: self = .encryptionChange(try EncryptionChangeEvent(parameters, version: 1))
        case .encryptionChangeV2: self = .encryptionChange(try EncryptionChangeEvent(parameters, version: 2))
        case .encryptionKeyRefreshComplete:
            self = .encryptionKeyRefreshComplete(try EncryptionKeyRefreshCompleteEvent(parameters))
        case .commandComplete: self = .commandComplete(try CommandCompleteEvent(parameters))
        case .inquiryResult, .inquiryResultWithRSSI, .extendedInquiryResult:
            self = .inquiryResult(try InquiryResultEvent(parameters, code: event.code))
        case .commandStatus: self = .commandStatus(try CommandStatusEvent(parameters))
        case .numberOfCompletedPackets: self = .numberOfCompletedPackets(try NumberOfCompletedPacketsEvent(parameters))
        case .leMeta: self = try Self(leMeta: parameters)
        default: self = .other(parameters)
        }
    }

    @_lifetime(copy parameters)
    private init(leMeta parameters: Bytes) throws(WireError) {
        try parameters.requireParameters(1, "LE Meta event without a subevent code")
        switch LESubeventCode(rawValue: parameters[0]) {
        case .connectionComplete, .enhancedConnectionComplete, .enhancedConnectionCompleteV2:
            self = .leConnectionComplete(try LEConnectionCompleteEvent(parameters))
        case .advertisingReport: self = .leAdvertisingReport(try LEAdvertisingReportEvent(parameters))
        case .connectionUpdateComplete:
            self = .leConnectionUpdateComplete(try LEConnectionUpdateCompleteEvent(parameters))
        case .dataLengthChange: self = .leDataLengthChange(try LEDataLengthChangeEvent(parameters))
        case .phyUpdateComplete: self = .lePHYUpdateComplete(try LEPHYUpdateCompleteEvent(parameters))
        case .connectionRateChange: self = .leConnectionRateChange(try LEConnectionRateChangeEvent(parameters))
        case .subrateChange: self = .leSubrateChange(try LESubrateChangeEvent(parameters))
        case .frameSpaceUpdateComplete:
            self = .leFrameSpaceUpdateComplete(try LEFrameSpaceUpdateCompleteEvent(parameters))
        case .extendedAdvertisingReport:
            self = .leExtendedAdvertisingReport(try LEExtendedAdvertisingReportEvent(parameters))
        case .csConfigComplete: self = .leCSConfigComplete(try LECSConfigCompleteEvent(parameters))
        default: self = try Self(leChannels: parameters)
        }
    }

    /// Periodic advertising and isochronous streams.
    @_lifetime(copy parameters)
    private init(leChannels parameters: Bytes) throws(WireError) {
        switch LESubeventCode(rawValue: parameters[0]) {
        case .periodicSyncEstablished, .periodicSyncEstablishedV2, .periodicSyncTransferReceived,
            .periodicSyncTransferReceivedV2:
            self = .lePeriodicSync(try LEPeriodicAdvertisingSyncEvent(parameters))
        case .periodicAdvertisingReport, .periodicAdvertisingReportV2:
            self = .lePeriodicReport(try LEPeriodicAdvertisingReportEvent(parameters))
        case .periodicSyncLost: self = .lePeriodicSyncLost(try LEPeriodicAdvertisingSyncLostEvent(parameters))
        case .bigInfoAdvertisingReport: self = .leBIGInfo(try LEBIGInfoAdvertisingReportEvent(parameters))
        case .cisEstablished, .cisEstablishedV2: self = .leCISEstablished(try LECISEstablishedEvent(parameters))
        case .cisRequest: self = .leCISRequest(try LECISRequestEvent(parameters))
        case .createBIGComplete, .bigSyncEstablished:
            self = .leBIGEstablished(try LEBIGEstablishedEvent(parameters))
        case .terminateBIGComplete, .bigSyncLost: self = .leBIGEnded(try LEBIGEndedEvent(parameters))
        default: self = .other(parameters)
        }
    }
}

extension Bytes {
    /// The check of command and event parameters, whose end the HCI header sets.
    @inlinable
    func requireParameters(_ need: Int, _ reason: StaticString) throws(WireError) {
        try require(need, reason, of: .hci, within: .hciLength)
    }
}
