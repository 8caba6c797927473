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
    public static let headerLength = 2

    public let bytes: Bytes

    /// Needs the header; `parameters` is the captured part of the parameters that the header announces.
    @inlinable
    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(Self.headerLength, "HCI Event header incomplete", of: .hci, within: .capturedLength)
        self.bytes = bytes
    }

    @inlinable public var code: HCIEventCode { HCIEventCode(rawValue: bytes[0]) }
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

    public static let inquiryResult = HCIEventCode(rawValue: 0x02)
    public static let connectionComplete = HCIEventCode(rawValue: 0x03)
    public static let disconnectionComplete = HCIEventCode(rawValue: 0x05)
    public static let remoteNameRequestComplete = HCIEventCode(rawValue: 0x07)
    public static let encryptionChange = HCIEventCode(rawValue: 0x08)
    public static let commandComplete = HCIEventCode(rawValue: 0x0E)
    public static let commandStatus = HCIEventCode(rawValue: 0x0F)
    public static let numberOfCompletedPackets = HCIEventCode(rawValue: 0x13)
    public static let inquiryResultWithRSSI = HCIEventCode(rawValue: 0x22)
    public static let extendedInquiryResult = HCIEventCode(rawValue: 0x2F)
    public static let encryptionKeyRefreshComplete = HCIEventCode(rawValue: 0x30)
    public static let leMeta = HCIEventCode(rawValue: 0x3E)
    public static let encryptionChangeV2 = HCIEventCode(rawValue: 0x59)
}

/// The first parameter of an LE Meta event. Core Specification, Vol 4, Part E, 7.7.65.
public struct LESubeventCode: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    public static let connectionComplete = LESubeventCode(rawValue: 0x01)
    public static let advertisingReport = LESubeventCode(rawValue: 0x02)
    public static let connectionUpdateComplete = LESubeventCode(rawValue: 0x03)
    public static let dataLengthChange = LESubeventCode(rawValue: 0x07)
    public static let enhancedConnectionComplete = LESubeventCode(rawValue: 0x0A)
    public static let phyUpdateComplete = LESubeventCode(rawValue: 0x0C)
    public static let extendedAdvertisingReport = LESubeventCode(rawValue: 0x0D)
    public static let periodicSyncEstablished = LESubeventCode(rawValue: 0x0E)
    public static let periodicAdvertisingReport = LESubeventCode(rawValue: 0x0F)
    public static let periodicSyncLost = LESubeventCode(rawValue: 0x10)
    public static let periodicSyncTransferReceived = LESubeventCode(rawValue: 0x18)
    public static let cisEstablished = LESubeventCode(rawValue: 0x19)
    public static let cisRequest = LESubeventCode(rawValue: 0x1A)
    public static let createBIGComplete = LESubeventCode(rawValue: 0x1B)
    public static let terminateBIGComplete = LESubeventCode(rawValue: 0x1C)
    public static let bigSyncEstablished = LESubeventCode(rawValue: 0x1D)
    public static let bigSyncLost = LESubeventCode(rawValue: 0x1E)
    public static let bigInfoAdvertisingReport = LESubeventCode(rawValue: 0x22)
    public static let periodicSyncEstablishedV2 = LESubeventCode(rawValue: 0x24)
    public static let periodicAdvertisingReportV2 = LESubeventCode(rawValue: 0x25)
    public static let periodicSyncTransferReceivedV2 = LESubeventCode(rawValue: 0x26)
    public static let enhancedConnectionCompleteV2 = LESubeventCode(rawValue: 0x29)
    public static let cisEstablishedV2 = LESubeventCode(rawValue: 0x2A)
    public static let csConfigComplete = LESubeventCode(rawValue: 0x2F)
}
