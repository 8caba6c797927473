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

    /// Of the group 0x3F.
    public var isVendorSpecific: Bool { rawValue >> 10 == 0x3F }

    /// HCI_Disconnect (0x0406).
    public static let disconnect = HCIOpcode(rawValue: 0x0406)
    /// HCI_Reset (0x0C03).
    public static let reset = HCIOpcode(rawValue: 0x0C03)
    static let leAddDeviceToResolvingList = HCIOpcode(rawValue: 0x2027)
}
