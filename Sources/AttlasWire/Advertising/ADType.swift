/// What an AD structure holds. Assigned Numbers, 2.3.
public struct ADType: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Flags (0x01).
    public static let flags = ADType(rawValue: 0x01)
    /// Shortened Local Name (0x08).
    public static let shortenedLocalName = ADType(rawValue: 0x08)
    /// Complete Local Name (0x09).
    public static let completeLocalName = ADType(rawValue: 0x09)
    /// TX Power Level (0x0A), in dBm.
    public static let txPowerLevel = ADType(rawValue: 0x0A)
    static let serviceData16 = ADType(rawValue: 0x16)
    /// Appearance (0x19), 16 bits.
    public static let appearance = ADType(rawValue: 0x19)
    static let serviceData32 = ADType(rawValue: 0x20)
    static let serviceData128 = ADType(rawValue: 0x21)
    static let manufacturerSpecificData = ADType(rawValue: 0xFF)

    /// Octets of one UUID in a list of services; nil for another type.
    var serviceUUIDLength: Int? {
        switch rawValue {
        case 0x02, 0x03, 0x14: 2
        case 0x04, 0x05, 0x1F: 4
        case 0x06, 0x07, 0x15: 16
        default: nil
        }
    }

    /// Whether the list is of services that the advertiser looks for, not of those it has.
    public var isSolicitation: Bool {
        rawValue == 0x14 || rawValue == 0x15 || rawValue == 0x1F
    }

    /// Octets of the UUID at the front of service data; nil for another type.
    package var serviceDataUUIDLength: Int? {
        switch self {
        case .serviceData16: 2
        case .serviceData32: 4
        case .serviceData128: 16
        default: nil
        }
    }
}
