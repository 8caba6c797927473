/// UUIDs that attlas compares: computed, so that they compile to numbers. Assigned Numbers, 3.
extension BluetoothUUID {
    @inlinable package static var primaryService: Self { Self(0x2800 as UInt16) }
    @inlinable package static var secondaryService: Self { Self(0x2801 as UInt16) }
    @inlinable package static var include: Self { Self(0x2802 as UInt16) }
    @inlinable package static var characteristic: Self { Self(0x2803 as UInt16) }
    @inlinable package static var characteristicExtendedProperties: Self { Self(0x2900 as UInt16) }
    @inlinable package static var characteristicUserDescription: Self { Self(0x2901 as UInt16) }
    @inlinable package static var clientCharacteristicConfiguration: Self { Self(0x2902 as UInt16) }
    @inlinable package static var serverCharacteristicConfiguration: Self { Self(0x2903 as UInt16) }
    @inlinable package static var deviceName: Self { Self(0x2A00 as UInt16) }
    @inlinable package static var peripheralPreferredConnectionParameters: Self { Self(0x2A04 as UInt16) }
    @inlinable package static var serviceChanged: Self { Self(0x2A05 as UInt16) }
    @inlinable package static var databaseHash: Self { Self(0x2B2A as UInt16) }
    @inlinable package static var humanInterfaceDevice: Self { Self(0x1812 as UInt16) }
    @inlinable package static var deviceInformation: Self { Self(0x180A as UInt16) }
    @inlinable package static var basicAudioAnnouncement: Self { Self(0x1851 as UInt16) }
    @inlinable package static var meshProxyDataIn: Self { Self(0x2ADD as UInt16) }
    @inlinable package static var meshProxyDataOut: Self { Self(0x2ADE as UInt16) }
    @inlinable package static var sinkASE: Self { Self(0x2BC4 as UInt16) }
    @inlinable package static var sourceASE: Self { Self(0x2BC5 as UInt16) }
    @inlinable package static var controlPointOfASEs: Self { Self(0x2BC6 as UInt16) }
    @inlinable package static var sinkPAC: Self { Self(0x2BC9 as UInt16) }
    @inlinable package static var sourcePAC: Self { Self(0x2BCB as UInt16) }
    @inlinable package static var objectName: Self { Self(0x2ABE as UInt16) }
    @inlinable package static var objectType: Self { Self(0x2ABF as UInt16) }
    @inlinable package static var objectSize: Self { Self(0x2AC0 as UInt16) }
    @inlinable package static var objectID: Self { Self(0x2AC3 as UInt16) }
    @inlinable package static var objectActionControlPoint: Self { Self(0x2AC5 as UInt16) }
    @inlinable package static var objectListControlPoint: Self { Self(0x2AC6 as UInt16) }
    @inlinable package static var genericAccess: Self { Self(0x1800 as UInt16) }
    @inlinable package static var genericAttribute: Self { Self(0x1801 as UInt16) }
    @inlinable package static var firmwareRevisionString: Self { Self(0x2A26 as UInt16) }

    /// Whether it declares a service, an Include or a characteristic.
    package var isDeclaration: Bool {
        self == .primaryService || self == .secondaryService || self == .include || self == .characteristic
    }

    /// UUIDs of services.
    package static let services: Range<UInt16> = 0x1800..<0x1900
    /// UUIDs of declarations, with those that are reserved for them.
    package static let declarations: ClosedRange<UInt16> = 0x2800...0x28FF
    /// UUIDs of descriptors.
    package static let descriptors: ClosedRange<UInt16> = 0x2900...0x29FF
    /// UUIDs of the Bluetooth SIG's characteristics. Vendors use others of 16 bits as their own.
    package static let characteristics: ClosedRange<UInt16> = 0x2A00...0x2CFF
    /// UUIDs of declarations, descriptors and characteristics, with those that are reserved for them.
    package static let attributes: Range<UInt16> = 0x2800..<0x3000
}
