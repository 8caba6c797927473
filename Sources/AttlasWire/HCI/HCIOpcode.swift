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

    /// Opcode Group Field.
    public var ogf: UInt8 { UInt8(rawValue >> 10) }
    /// Opcode Command Field.
    public var ocf: UInt16 { rawValue & 0x03FF }
    public var isVendorSpecific: Bool { ogf == 0x3F }

    /// In Command Complete and Command Status events: no command, only a new number of allowed ones.
    public static let nop = HCIOpcode(rawValue: 0x0000)
    public static let disconnect = HCIOpcode(rawValue: 0x0406)
    public static let reset = HCIOpcode(rawValue: 0x0C03)
    public static let readBDADDR = HCIOpcode(rawValue: 0x1009)
    public static let leSetRandomAddress = HCIOpcode(rawValue: 0x2005)
    public static let leSetAdvertisingData = HCIOpcode(rawValue: 0x2008)
    public static let leSetScanResponseData = HCIOpcode(rawValue: 0x2009)
    public static let leSetScanEnable = HCIOpcode(rawValue: 0x200C)
    public static let leCreateConnection = HCIOpcode(rawValue: 0x200D)
    public static let leConnectionUpdate = HCIOpcode(rawValue: 0x2013)
    public static let leEnableEncryption = HCIOpcode(rawValue: 0x2019)
    public static let leLongTermKeyRequestReply = HCIOpcode(rawValue: 0x201A)
    public static let leSetDataLength = HCIOpcode(rawValue: 0x2022)
    public static let leAddDeviceToResolvingList = HCIOpcode(rawValue: 0x2027)
    public static let leSetPHY = HCIOpcode(rawValue: 0x2032)
    public static let leSetAdvertisingSetRandomAddress = HCIOpcode(rawValue: 0x2035)
    public static let leSetExtendedAdvertisingData = HCIOpcode(rawValue: 0x2037)
    public static let leSetExtendedScanResponseData = HCIOpcode(rawValue: 0x2038)
    public static let leSetExtendedScanEnable = HCIOpcode(rawValue: 0x2042)
    public static let leExtendedCreateConnection = HCIOpcode(rawValue: 0x2043)
    public static let leExtendedCreateConnectionV2 = HCIOpcode(rawValue: 0x2085)
}
