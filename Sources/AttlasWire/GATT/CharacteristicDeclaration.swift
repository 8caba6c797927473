/// The value of a characteristic declaration. Core Specification, Vol 3, Part G, 3.3.1.
///
/// ```
///  0               1               2               3
/// +---------------+---------------+---------------+----
/// |  Properties   |         Value Handle          | UUID (2 or 16 octets)
/// +---------------+---------------+---------------+----
/// ```
public struct CharacteristicDeclaration: ~Escapable, Copyable {
    let bytes: Bytes

    /// nil when there is no UUID.
    @_lifetime(copy bytes)
    public init?(_ bytes: Bytes) {
        guard bytes.count > 3 else { return nil }
        self.bytes = bytes
    }

    /// Characteristic Properties (Vol 3, Part G, 3.3.1.1).
    public var properties: CharacteristicProperties { CharacteristicProperties(rawValue: bytes[0]) }
    /// Handle of the Characteristic Value.
    public var valueHandle: AttributeHandle { bytes.uint16(at: 1) }
    /// nil when the octets are not a UUID.
    public var uuid: BluetoothUUID? { BluetoothUUID(uuidBytes) }
    /// Characteristic UUID, 2 or 16 octets in an intact declaration.
    public var uuidBytes: Bytes {
        @_lifetime(copy self) get { bytes.dropFirst(3) }
    }
}
