/// UUIDs that attlas compares. Assigned Numbers, 3.
extension BluetoothUUID {
    package static let primaryService = Self(0x2800 as UInt16)
    package static let secondaryService = Self(0x2801 as UInt16)
    package static let include = Self(0x2802 as UInt16)
    package static let characteristic = Self(0x2803 as UInt16)
    package static let characteristicExtendedProperties = Self(0x2900 as UInt16)
    package static let characteristicUserDescription = Self(0x2901 as UInt16)
    package static let clientCharacteristicConfiguration = Self(0x2902 as UInt16)
    package static let serverCharacteristicConfiguration = Self(0x2903 as UInt16)
    package static let deviceName = Self(0x2A00 as UInt16)
    package static let peripheralPreferredConnectionParameters = Self(0x2A04 as UInt16)
    package static let serviceChanged = Self(0x2A05 as UInt16)
    package static let databaseHash = Self(0x2B2A as UInt16)
    package static let humanInterfaceDevice = Self(0x1812 as UInt16)
    package static let deviceInformation = Self(0x180A as UInt16)
    package static let basicAudioAnnouncement = Self(0x1851 as UInt16)
    package static let meshProxyDataIn = Self(0x2ADD as UInt16)
    package static let meshProxyDataOut = Self(0x2ADE as UInt16)
    package static let sinkASE = Self(0x2BC4 as UInt16)
    package static let sourceASE = Self(0x2BC5 as UInt16)
    package static let objectName = Self(0x2ABE as UInt16)
    package static let objectType = Self(0x2ABF as UInt16)
    package static let objectSize = Self(0x2AC0 as UInt16)
    package static let objectID = Self(0x2AC3 as UInt16)
    package static let objectActionControlPoint = Self(0x2AC5 as UInt16)
    package static let objectListControlPoint = Self(0x2AC6 as UInt16)
    package static let genericAccess = Self(0x1800 as UInt16)
    package static let genericAttribute = Self(0x1801 as UInt16)

    /// Of a service, an Include or a characteristic.
    package var isDeclaration: Bool {
        self == .primaryService || self == .secondaryService || self == .include || self == .characteristic
    }

    /// Of services.
    package static let services: Range<UInt16> = 0x1800..<0x1900
    /// Of declarations, with those that are reserved for them.
    package static let declarations: ClosedRange<UInt16> = 0x2800...0x28FF
    /// Of descriptors.
    package static let descriptors: ClosedRange<UInt16> = 0x2900...0x29FF
    /// Of the characteristics of the Bluetooth SIG. Vendors use others of 16 bits as their own.
    package static let characteristics: ClosedRange<UInt16> = 0x2A00...0x2CFF
    /// Of declarations, descriptors and characteristics, with those that are reserved for them.
    package static let attributes: Range<UInt16> = 0x2800..<0x3000
}
