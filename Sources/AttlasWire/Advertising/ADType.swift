/// The type of an AD structure. Assigned Numbers, 2.3.
public struct ADType: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
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
    @inlinable package static var serviceData16: Self { Self(rawValue: 0x16) }
    /// Appearance (0x19), 16 bits.
    public static let appearance = ADType(rawValue: 0x19)
    @inlinable package static var serviceData32: Self { Self(rawValue: 0x20) }
    @inlinable package static var serviceData128: Self { Self(rawValue: 0x21) }
    @inlinable package static var manufacturerSpecificData: Self { Self(rawValue: 0xFF) }

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

    /// Whether it is read without a definition file, or by one of service data or of manufacturer data.
    package var isBuiltIn: Bool {
        switch self {
        case .flags, .shortenedLocalName, .completeLocalName, .txPowerLevel, .appearance, .manufacturerSpecificData:
            true
        default: serviceUUIDLength != nil || serviceDataUUIDLength != nil
        }
    }
}

extension ADType: CustomStringConvertible {
    /// `0x1A`
    public var description: String { "0x\(hexadecimal(UInt128(rawValue), digits: 2))" }
}

/// The types that modules above compare: computed, so that they compile to numbers there.
extension ADType {
    @inlinable package static var classOfDevice: Self { Self(rawValue: 0x0D) }
    @inlinable package static var simplePairingHash192: Self { Self(rawValue: 0x0E) }
    @inlinable package static var simplePairingRandomizer192: Self { Self(rawValue: 0x0F) }
    @inlinable package static var deviceID: Self { Self(rawValue: 0x10) }
    @inlinable package static var securityManagerOutOfBandFlags: Self { Self(rawValue: 0x11) }
    @inlinable package static var peripheralConnectionIntervalRange: Self { Self(rawValue: 0x12) }
    @inlinable package static var publicTargetAddress: Self { Self(rawValue: 0x17) }
    @inlinable package static var randomTargetAddress: Self { Self(rawValue: 0x18) }
    @inlinable package static var advertisingInterval: Self { Self(rawValue: 0x1A) }
    @inlinable package static var leBluetoothDeviceAddress: Self { Self(rawValue: 0x1B) }
    @inlinable package static var leRole: Self { Self(rawValue: 0x1C) }
    @inlinable package static var simplePairingHash256: Self { Self(rawValue: 0x1D) }
    @inlinable package static var simplePairingRandomizer256: Self { Self(rawValue: 0x1E) }
    @inlinable package static var leSecureConnectionsConfirmationValue: Self { Self(rawValue: 0x22) }
    @inlinable package static var leSecureConnectionsRandomValue: Self { Self(rawValue: 0x23) }
    @inlinable package static var uri: Self { Self(rawValue: 0x24) }
    @inlinable package static var indoorPositioning: Self { Self(rawValue: 0x25) }
    @inlinable package static var leSupportedFeatures: Self { Self(rawValue: 0x27) }
    @inlinable package static var channelMapUpdateIndication: Self { Self(rawValue: 0x28) }
    @inlinable package static var pbADV: Self { Self(rawValue: 0x29) }
    @inlinable package static var meshMessage: Self { Self(rawValue: 0x2A) }
    @inlinable package static var meshBeacon: Self { Self(rawValue: 0x2B) }
    @inlinable package static var bigInfo: Self { Self(rawValue: 0x2C) }
    @inlinable package static var broadcastCode: Self { Self(rawValue: 0x2D) }
    @inlinable package static var resolvableSetIdentifier: Self { Self(rawValue: 0x2E) }
    @inlinable package static var advertisingIntervalLong: Self { Self(rawValue: 0x2F) }
    @inlinable package static var broadcastName: Self { Self(rawValue: 0x30) }
    @inlinable package static var periodicAdvertisingResponseTiming: Self { Self(rawValue: 0x32) }
}
