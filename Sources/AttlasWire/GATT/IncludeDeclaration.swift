/// The value of an include declaration. Core Specification, Vol 3, Part G, 3.2.
///
/// ```
///  0               1               2               3               4
/// +---------------+---------------+---------------+---------------+----
/// |    Included Service Handle    |       End Group Handle        | UUID (2 octets, or none)
/// +---------------+---------------+---------------+---------------+----
/// ```
/// A 128-bit UUID is left out; the included service's own declaration has it.
public struct IncludeDeclaration: ~Escapable, Copyable {
    let bytes: Bytes

    /// nil unless there are two handles, and after them nothing or a UUID of 16 bits: a value of 5 octets declares a characteristic.
    @_lifetime(copy bytes)
    public init?(_ bytes: Bytes) {
        guard bytes.count == 4 || bytes.count == 6 else { return nil }
        self.bytes = bytes
    }

    /// Handle of the included service declaration.
    public var includedHandle: AttributeHandle { bytes.uint16(at: 0) }
    /// Last handle of the included service.
    public var endGroupHandle: AttributeHandle { bytes.uint16(at: 2) }
    /// nil when there is none, or when the octets are not a UUID.
    public var uuid: BluetoothUUID? { BluetoothUUID(uuidBytes) }
    /// Service UUID, 2 octets; empty if the UUID has 128 bits (Vol 3, Part G, 3.2).
    public var uuidBytes: Bytes {
        @_lifetime(copy self) get { bytes.dropFirst(4) }
    }
}
