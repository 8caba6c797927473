/// HCI Event packet. Core Specification, Vol 4, Part E, 5.4.4.
///
/// ```
///  0               1               2
/// +---------------+---------------+----
/// |  Event Code   | Param. Length | Parameters …
/// +---------------+---------------+----
/// ```
/// The first parameter of an LE Meta event (0x3E) is its Subevent_Code.
public struct HCIEvent: ~Escapable, Copyable {
    /// Octets before the parameters: event code and length.
    public static let headerLength = 2

    /// The packet, its header included.
    public let bytes: Bytes

    /// Needs the header; `parameters` is the captured part of the parameters that the header announces.
    @inlinable
    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(Self.headerLength, "HCI Event header incomplete", of: .hci, within: .capturedLength)
        self.bytes = bytes
    }

    /// Event code, the first octet.
    @inlinable public var code: HCIEventCode { HCIEventCode(rawValue: bytes[0]) }
    /// Octets of parameters that the header announces.
    @inlinable public var parameterTotalLength: Int { Int(bytes[1]) }

    /// At most `parameterTotalLength` octets; those of an LE Meta event begin with the Subevent_Code.
    public var parameters: Bytes {
        @inlinable @inline(__always) @_lifetime(copy self) get {
            bytes.dropFirst(Self.headerLength).prefix(parameterTotalLength)
        }
    }

    /// nil unless this is an LE Meta event that got as far as its Subevent_Code.
    public var subeventCode: UInt8? {
        guard code == .leMeta, !parameters.isEmpty else { return nil }
        return parameters[0]
    }

    /// The same as a code with names.
    package var leSubevent: LESubeventCode? { subeventCode.map { LESubeventCode(rawValue: $0) } }

    /// Octets announced that are not there.
    @inlinable public var missing: Int { parameterTotalLength - parameters.count }
    /// Octets there that were not announced.
    @inlinable public var excess: Int { max(0, bytes.count - Self.headerLength - parameterTotalLength) }
}

/// The first octet of an HCI event. Core Specification, Vol 4, Part E, 7.7.
public struct HCIEventCode: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    static let inquiryResult = HCIEventCode(rawValue: 0x02)
    static let connectionComplete = HCIEventCode(rawValue: 0x03)
    static let disconnectionComplete = HCIEventCode(rawValue: 0x05)
    static let remoteNameRequestComplete = HCIEventCode(rawValue: 0x07)
    static let authenticationComplete = HCIEventCode(rawValue: 0x06)
    static let encryptionChange = HCIEventCode(rawValue: 0x08)
    static let readRemoteVersionInformationComplete = HCIEventCode(rawValue: 0x0C)
    /// HCI_Command_Complete (0x0E).
    public static let commandComplete = HCIEventCode(rawValue: 0x0E)
    /// HCI_Command_Status (0x0F).
    public static let commandStatus = HCIEventCode(rawValue: 0x0F)
    static let hardwareError = HCIEventCode(rawValue: 0x10)
    /// HCI_Number_Of_Completed_Packets (0x13).
    public static let numberOfCompletedPackets = HCIEventCode(rawValue: 0x13)
    static let returnLinkKeys = HCIEventCode(rawValue: 0x15)
    static let linkKeyNotification = HCIEventCode(rawValue: 0x18)
    package static let dataBufferOverflow = HCIEventCode(rawValue: 0x1A)
    static let inquiryResultWithRSSI = HCIEventCode(rawValue: 0x22)
    static let extendedInquiryResult = HCIEventCode(rawValue: 0x2F)
    static let encryptionKeyRefreshComplete = HCIEventCode(rawValue: 0x30)
    static let simplePairingComplete = HCIEventCode(rawValue: 0x36)
    /// LE meta event (0x3E); the first parameter is the subevent code.
    public static let leMeta = HCIEventCode(rawValue: 0x3E)
    static let encryptionChangeV2 = HCIEventCode(rawValue: 0x59)
    static let authenticatedPayloadTimeoutExpired = HCIEventCode(rawValue: 0x57)
    package static let vendorSpecific = HCIEventCode(rawValue: 0xFF)
}

/// The first parameter of an LE Meta event. Core Specification, Vol 4, Part E, 7.7.65.
public struct LESubeventCode: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    static let connectionComplete = LESubeventCode(rawValue: 0x01)
    /// HCI_LE_Advertising_Report (0x02).
    public static let advertisingReport = LESubeventCode(rawValue: 0x02)
    package static let connectionUpdateComplete = LESubeventCode(rawValue: 0x03)
    static let readRemoteFeaturesComplete = LESubeventCode(rawValue: 0x04)
    static let longTermKeyRequest = LESubeventCode(rawValue: 0x05)
    static let dataLengthChange = LESubeventCode(rawValue: 0x07)
    static let enhancedConnectionComplete = LESubeventCode(rawValue: 0x0A)
    static let subrateChange = LESubeventCode(rawValue: 0x23)
    static let frameSpaceUpdateComplete = LESubeventCode(rawValue: 0x35)
    static let connectionRateChange = LESubeventCode(rawValue: 0x37)
    static let phyUpdateComplete = LESubeventCode(rawValue: 0x0C)
    /// HCI_LE_Extended_Advertising_Report (0x0D).
    public static let extendedAdvertisingReport = LESubeventCode(rawValue: 0x0D)
    static let periodicSyncEstablished = LESubeventCode(rawValue: 0x0E)
    package static let periodicAdvertisingReport = LESubeventCode(rawValue: 0x0F)
    static let periodicSyncLost = LESubeventCode(rawValue: 0x10)
    static let advertisingSetTerminated = LESubeventCode(rawValue: 0x12)
    static let periodicSyncTransferReceived = LESubeventCode(rawValue: 0x18)
    static let cisEstablished = LESubeventCode(rawValue: 0x19)
    static let cisRequest = LESubeventCode(rawValue: 0x1A)
    static let createBIGComplete = LESubeventCode(rawValue: 0x1B)
    static let terminateBIGComplete = LESubeventCode(rawValue: 0x1C)
    static let bigSyncEstablished = LESubeventCode(rawValue: 0x1D)
    static let bigSyncLost = LESubeventCode(rawValue: 0x1E)
    static let bigInfoAdvertisingReport = LESubeventCode(rawValue: 0x22)
    static let periodicSyncEstablishedV2 = LESubeventCode(rawValue: 0x24)
    package static let periodicAdvertisingReportV2 = LESubeventCode(rawValue: 0x25)
    static let periodicSyncTransferReceivedV2 = LESubeventCode(rawValue: 0x26)
    static let enhancedConnectionCompleteV2 = LESubeventCode(rawValue: 0x29)
    static let cisEstablishedV2 = LESubeventCode(rawValue: 0x2A)
    static let csConfigComplete = LESubeventCode(rawValue: 0x2F)

    /// The events by which periodic advertising and the groups of broadcasts (BIG) are found, made and lost.
    package var isOfBroadcasts: Bool {
        switch self {
        case .periodicSyncEstablished, .periodicSyncEstablishedV2, .periodicSyncTransferReceived,
            .periodicSyncTransferReceivedV2, .periodicSyncLost, .createBIGComplete, .terminateBIGComplete,
            .bigSyncEstablished, .bigSyncLost:
            true
        default: false
        }
    }
}
