/// What a host asks of its controller. Core Specification, Vol 4, Part E, 5.4.1.
///
/// ```
///  15 … 10       9 … 0
/// +-------------+-----------------------------+
/// | OGF (group) | OCF (command of that group) |
/// +-------------+-----------------------------+
/// ```
public struct HCIOpcode: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The groups that attlas distinguishes.
    package enum Group: UInt16 {
        case linkPolicy = 0x02
        case controllerAndBaseband = 0x03
        case leController = 0x08
        case vendorSpecific = 0x3F
    }

    /// nil of every other group.
    package var group: Group? { Group(rawValue: rawValue >> 10) }

    /// Of the group 0x3F.
    public var isVendorSpecific: Bool { group == .vendorSpecific }

    /// HCI_Disconnect (0x0406).
    public static let disconnect = HCIOpcode(rawValue: 0x0406)
    /// HCI_Reset (0x0C03).
    public static let reset = HCIOpcode(rawValue: 0x0C03)
}

/// The commands that attlas reads or compares. Core Specification, Vol 4, Part E, 7.
extension HCIOpcode {
    package static let createConnection = Self(rawValue: 0x0405)
    package static let hostNumberOfCompletedPackets = Self(rawValue: 0x0C35)
    package static let readBufferSize = Self(rawValue: 0x1005)
    package static let readBDADDR = Self(rawValue: 0x1009)
    package static let readRSSI = Self(rawValue: 0x1405)
    package static let leSetEventMask = Self(rawValue: 0x2001)
    package static let leReadBufferSize = Self(rawValue: 0x2002)
    package static let leReadLocalSupportedFeatures = Self(rawValue: 0x2003)
    package static let leSetAdvertisingParameters = Self(rawValue: 0x2006)
    package static let leSetAdvertisingEnable = Self(rawValue: 0x200A)
    package static let leSetScanParameters = Self(rawValue: 0x200B)
    package static let leSetScanEnable = Self(rawValue: 0x200C)
    package static let leCreateConnection = Self(rawValue: 0x200D)
    package static let leCreateConnectionCancel = Self(rawValue: 0x200E)
    package static let leConnectionUpdate = Self(rawValue: 0x2013)
    package static let leEnableEncryption = Self(rawValue: 0x2019)
    package static let leLongTermKeyRequestNegativeReply = Self(rawValue: 0x201B)
    package static let leAddDeviceToResolvingList = Self(rawValue: 0x2027)
    package static let leClearResolvingList = Self(rawValue: 0x2029)
    package static let leSetAddressResolutionEnable = Self(rawValue: 0x202D)
    package static let leSetAdvertisingSetRandomAddress = Self(rawValue: 0x2035)
    package static let leSetExtendedAdvertisingParameters = Self(rawValue: 0x2036)
    package static let leSetExtendedAdvertisingEnable = Self(rawValue: 0x2039)
    package static let leRemoveAdvertisingSet = Self(rawValue: 0x203C)
    package static let leClearAdvertisingSets = Self(rawValue: 0x203D)
    package static let leSetPeriodicAdvertisingParameters = Self(rawValue: 0x203E)
    package static let leSetPeriodicAdvertisingData = Self(rawValue: 0x203F)
    package static let leSetPeriodicAdvertisingEnable = Self(rawValue: 0x2040)
    package static let leSetExtendedScanParameters = Self(rawValue: 0x2041)
    package static let leSetExtendedScanEnable = Self(rawValue: 0x2042)
    package static let leExtendedCreateConnection = Self(rawValue: 0x2043)
    package static let leReadBufferSizeV2 = Self(rawValue: 0x2060)
    package static let leSetCIGParameters = Self(rawValue: 0x2062)
    package static let leSetCIGParametersTest = Self(rawValue: 0x2063)
    package static let leCreateCIS = Self(rawValue: 0x2064)
    package static let leCreateBIG = Self(rawValue: 0x2068)
    package static let leBIGCreateSync = Self(rawValue: 0x206B)
    package static let leBIGTerminateSync = Self(rawValue: 0x206C)
    package static let leSetExtendedAdvertisingParametersV2 = Self(rawValue: 0x207F)
    package static let leExtendedCreateConnectionV2 = Self(rawValue: 0x2085)
    package static let leSetPeriodicAdvertisingParametersV2 = Self(rawValue: 0x2086)
}
