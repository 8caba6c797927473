/// ATT_FIND_BY_TYPE_VALUE_REQ. Core Specification, Vol 3, Part F, 3.4.3.3.
///
/// ```
///  0               1               3               5               7
/// +---------------+-------+-------+-------+-------+-------+-------+----
/// | Opcode (0x06) |Starting Handle| Ending Handle |Attribute Type | Attribute Value …
/// +---------------+-------+-------+-------+-------+-------+-------+----
/// ```
public struct FindByTypeValueRequest: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(7, "Find By Type Value Request incomplete")
        self.bytes = bytes
    }

    /// First handle of the range, inclusive.
    public var startingHandle: AttributeHandle { bytes.uint16(at: 1) }
    /// Last handle of the range, inclusive.
    public var endingHandle: AttributeHandle { bytes.uint16(at: 3) }
    /// Always a 16-bit UUID.
    public var attributeType: BluetoothUUID { BluetoothUUID(bytes.uint16(at: 5)) }
    /// Value to find, up to the end of the PDU.
    public var attributeValue: Bytes {
        @_lifetime(copy self) get { bytes.dropFirst(7) }
    }
}

/// ATT_FIND_BY_TYPE_VALUE_RSP. Core Specification, Vol 3, Part F, 3.4.3.4.
///
/// ```
///  0               1               2               3               4
/// +---------------+---------------+---------------+---------------+---------------+----
/// | Opcode (0x07) |    Found Attribute Handle     |       Group End Handle        | … repeated
/// +---------------+---------------+---------------+---------------+---------------+----
/// ```
public struct FindByTypeValueResponse: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(5, "Find By Type Value Response incomplete")
        self.bytes = bytes
    }

    /// Handles Information List: Found Attribute Handle and Group End Handle, 4 octets an item.
    public var list: AttributeList {
        @_lifetime(copy self) get { AttributeList(bytes.dropFirst(1), stride: 4) }
    }
    /// Found Attribute Handle of an item of `list`.
    public func foundHandle(_ index: Int) -> AttributeHandle { list.item(index).uint16(at: 0) }
    /// Last handle of the group of an item of `list`.
    public func groupEndHandle(_ index: Int) -> AttributeHandle { list.item(index).uint16(at: 2) }
}
