/// ATT_FIND_BY_TYPE_VALUE_REQ. Core Specification, Vol 3, Part F, 3.4.3.3.
///
/// ```
///  0               1               3               5               7
/// +---------------+-------+-------+-------+-------+-------+-------+----
/// | Opcode (0x06) |Starting Handle| Ending Handle |Attribute Type | Attribute Value …
/// +---------------+-------+-------+-------+-------+-------+-------+----
/// ```
public struct FindByTypeValueRequest: ~Escapable, Copyable {
    public let bytes: Bytes

    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(7, "Find By Type Value Request incomplete")
        self.bytes = bytes
    }

    public var startingHandle: AttributeHandle { bytes.uint16(at: 1) }
    public var endingHandle: AttributeHandle { bytes.uint16(at: 3) }
    /// Always a 16-bit UUID.
    public var attributeType: BluetoothUUID { BluetoothUUID(bytes.uint16(at: 5)) }
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
    public let bytes: Bytes

    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(5, "Find By Type Value Response incomplete")
        self.bytes = bytes
    }

    public var list: AttributeList {
        @_lifetime(copy self) get { AttributeList(bytes.dropFirst(1), stride: 4) }
    }
    public func foundHandle(_ index: Int) -> AttributeHandle { list.item(index).uint16(at: 0) }
    public func groupEndHandle(_ index: Int) -> AttributeHandle { list.item(index).uint16(at: 2) }
}
