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
    package static let serviceData16 = ADType(rawValue: 0x16)
    /// Appearance (0x19), 16 bits.
    public static let appearance = ADType(rawValue: 0x19)
    package static let serviceData32 = ADType(rawValue: 0x20)
    package static let serviceData128 = ADType(rawValue: 0x21)
    package static let manufacturerSpecificData = ADType(rawValue: 0xFF)

    /// Octets of one UUID in a list of services; nil for another type.
    package var serviceUUIDLength: Int? {
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

/// The types that modules above compare.
extension ADType {
    package static let classOfDevice = Self(rawValue: 0x0D)
    package static let simplePairingHash192 = Self(rawValue: 0x0E)
    package static let simplePairingRandomizer192 = Self(rawValue: 0x0F)
    package static let deviceID = Self(rawValue: 0x10)
    package static let securityManagerOutOfBandFlags = Self(rawValue: 0x11)
    package static let peripheralConnectionIntervalRange = Self(rawValue: 0x12)
    package static let publicTargetAddress = Self(rawValue: 0x17)
    package static let randomTargetAddress = Self(rawValue: 0x18)
    package static let advertisingInterval = Self(rawValue: 0x1A)
    package static let leBluetoothDeviceAddress = Self(rawValue: 0x1B)
    package static let leRole = Self(rawValue: 0x1C)
    package static let simplePairingHash256 = Self(rawValue: 0x1D)
    package static let simplePairingRandomizer256 = Self(rawValue: 0x1E)
    package static let leSecureConnectionsConfirmationValue = Self(rawValue: 0x22)
    package static let leSecureConnectionsRandomValue = Self(rawValue: 0x23)
    package static let uri = Self(rawValue: 0x24)
    package static let indoorPositioning = Self(rawValue: 0x25)
    package static let leSupportedFeatures = Self(rawValue: 0x27)
    package static let channelMapUpdateIndication = Self(rawValue: 0x28)
    package static let pbADV = Self(rawValue: 0x29)
    package static let meshMessage = Self(rawValue: 0x2A)
    package static let meshBeacon = Self(rawValue: 0x2B)
    package static let bigInfo = Self(rawValue: 0x2C)
    package static let broadcastCode = Self(rawValue: 0x2D)
    package static let resolvableSetIdentifier = Self(rawValue: 0x2E)
    package static let advertisingIntervalLong = Self(rawValue: 0x2F)
    package static let broadcastName = Self(rawValue: 0x30)
    package static let periodicAdvertisingResponseTiming = Self(rawValue: 0x32)
}
