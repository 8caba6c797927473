/// The opcode of a command from a host to its controller. Core Specification, Vol 4, Part E, 5.4.1.
///
/// ```
///  15 … 10       9 … 0
/// +-------------+-----------------------------+
/// | OGF (group) | OCF (command of that group) |
/// +-------------+-----------------------------+
/// ```
public struct HCIOpcode: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt16

    @inlinable
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

    /// nil for every other group.
    package var group: Group? { Group(rawValue: rawValue >> 10) }

    /// Whether it is in the group 0x3F.
    public var isVendorSpecific: Bool { group == .vendorSpecific }

    /// HCI_Disconnect (0x0406).
    public static let disconnect = HCIOpcode(rawValue: 0x0406)
    /// HCI_Reset (0x0C03).
    public static let reset = HCIOpcode(rawValue: 0x0C03)
}

/// The commands that attlas reads or compares. Core Specification, Vol 4, Part E, 7.
extension HCIOpcode {
    @inlinable package static var createConnection: Self { Self(rawValue: 0x0405) }
    @inlinable package static var readRemoteVersionInformation: Self { Self(rawValue: 0x041D) }
    @inlinable package static var setEventMask: Self { Self(rawValue: 0x0C01) }
    @inlinable package static var setControllerToHostFlowControl: Self { Self(rawValue: 0x0C31) }
    @inlinable package static var hostBufferSize: Self { Self(rawValue: 0x0C33) }
    @inlinable package static var hostNumberOfCompletedPackets: Self { Self(rawValue: 0x0C35) }
    @inlinable package static var readLocalVersionInformation: Self { Self(rawValue: 0x1001) }
    @inlinable package static var readBufferSize: Self { Self(rawValue: 0x1005) }
    @inlinable package static var readBDADDR: Self { Self(rawValue: 0x1009) }
    @inlinable package static var readRSSI: Self { Self(rawValue: 0x1405) }
    @inlinable package static var leSetEventMask: Self { Self(rawValue: 0x2001) }
    @inlinable package static var leReadBufferSize: Self { Self(rawValue: 0x2002) }
    @inlinable package static var leReadLocalSupportedFeatures: Self { Self(rawValue: 0x2003) }
    @inlinable package static var leSetRandomAddress: Self { Self(rawValue: 0x2005) }
    @inlinable package static var leSetAdvertisingParameters: Self { Self(rawValue: 0x2006) }
    @inlinable package static var leSetAdvertisingEnable: Self { Self(rawValue: 0x200A) }
    @inlinable package static var leSetScanParameters: Self { Self(rawValue: 0x200B) }
    /// LE Get Vendor Capabilities of Android's HCI requirements.
    @inlinable package static var androidGetVendorCapabilities: Self { Self(rawValue: 0xFD53) }
    @inlinable package static var leSetScanEnable: Self { Self(rawValue: 0x200C) }
    @inlinable package static var leCreateConnection: Self { Self(rawValue: 0x200D) }
    @inlinable package static var leCreateConnectionCancel: Self { Self(rawValue: 0x200E) }
    @inlinable package static var leClearFilterAcceptList: Self { Self(rawValue: 0x2010) }
    @inlinable package static var leAddDeviceToFilterAcceptList: Self { Self(rawValue: 0x2011) }
    @inlinable package static var leRemoveDeviceFromFilterAcceptList: Self { Self(rawValue: 0x2012) }
    @inlinable package static var leConnectionUpdate: Self { Self(rawValue: 0x2013) }
    @inlinable package static var leReadRemoteFeatures: Self { Self(rawValue: 0x2016) }
    @inlinable package static var writeStoredLinkKey: Self { Self(rawValue: 0x0C11) }
    @inlinable package static var linkKeyRequestReply: Self { Self(rawValue: 0x040B) }
    @inlinable package static var leEnableEncryption: Self { Self(rawValue: 0x2019) }
    @inlinable package static var leLongTermKeyRequestReply: Self { Self(rawValue: 0x201A) }
    @inlinable package static var leLongTermKeyRequestNegativeReply: Self { Self(rawValue: 0x201B) }
    @inlinable package static var leAddDeviceToResolvingList: Self { Self(rawValue: 0x2027) }
    @inlinable package static var leRemoveDeviceFromResolvingList: Self { Self(rawValue: 0x2028) }
    @inlinable package static var leClearResolvingList: Self { Self(rawValue: 0x2029) }
    @inlinable package static var leReadPeerResolvableAddress: Self { Self(rawValue: 0x202B) }
    @inlinable package static var leReadLocalResolvableAddress: Self { Self(rawValue: 0x202C) }
    @inlinable package static var leSetPrivacyMode: Self { Self(rawValue: 0x204E) }
    @inlinable package static var leSetAddressResolutionEnable: Self { Self(rawValue: 0x202D) }
    @inlinable package static var leSetPHY: Self { Self(rawValue: 0x2032) }
    @inlinable package static var leSetAdvertisingSetRandomAddress: Self { Self(rawValue: 0x2035) }
    @inlinable package static var leSetExtendedAdvertisingParameters: Self { Self(rawValue: 0x2036) }
    @inlinable package static var leSetExtendedAdvertisingData: Self { Self(rawValue: 0x2037) }
    @inlinable package static var leSetExtendedScanResponseData: Self { Self(rawValue: 0x2038) }
    @inlinable package static var leSetExtendedAdvertisingEnable: Self { Self(rawValue: 0x2039) }
    @inlinable package static var leRemoveAdvertisingSet: Self { Self(rawValue: 0x203C) }
    @inlinable package static var leClearAdvertisingSets: Self { Self(rawValue: 0x203D) }
    @inlinable package static var leSetPeriodicAdvertisingParameters: Self { Self(rawValue: 0x203E) }
    @inlinable package static var leSetPeriodicAdvertisingData: Self { Self(rawValue: 0x203F) }
    @inlinable package static var leSetPeriodicAdvertisingEnable: Self { Self(rawValue: 0x2040) }
    @inlinable package static var leSetExtendedScanParameters: Self { Self(rawValue: 0x2041) }
    @inlinable package static var leSetExtendedScanEnable: Self { Self(rawValue: 0x2042) }
    @inlinable package static var leExtendedCreateConnection: Self { Self(rawValue: 0x2043) }
    @inlinable package static var leReadBufferSizeV2: Self { Self(rawValue: 0x2060) }
    @inlinable package static var leSetCIGParameters: Self { Self(rawValue: 0x2062) }
    @inlinable package static var leSetCIGParametersTest: Self { Self(rawValue: 0x2063) }
    @inlinable package static var leCreateCIS: Self { Self(rawValue: 0x2064) }
    @inlinable package static var leCreateBIG: Self { Self(rawValue: 0x2068) }
    @inlinable package static var leBIGCreateSync: Self { Self(rawValue: 0x206B) }
    @inlinable package static var leBIGTerminateSync: Self { Self(rawValue: 0x206C) }
    @inlinable package static var leSetupISODataPath: Self { Self(rawValue: 0x206E) }
    @inlinable package static var leSetExtendedAdvertisingParametersV2: Self { Self(rawValue: 0x207F) }
    @inlinable package static var leExtendedCreateConnectionV2: Self { Self(rawValue: 0x2085) }
    @inlinable package static var leSetPeriodicAdvertisingParametersV2: Self { Self(rawValue: 0x2086) }
}
