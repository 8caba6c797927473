/// ATT_READ_BY_GROUP_TYPE_REQ. Core Specification, Vol 3, Part F, 3.4.4.9.
///
/// ```
///  0               1               2               3               4               5
/// +---------------+---------------+---------------+---------------+---------------+----
/// | Opcode (0x10) |        Starting Handle        |         Ending Handle         | Type (2 or 16 octets)
/// +---------------+---------------+---------------+---------------+---------------+----
/// ```
public struct ReadByGroupTypeRequest: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireTypedRequest("Read By Group Type Request incomplete")
        self.bytes = bytes
    }

    /// First handle of the range, inclusive.
    public var startingHandle: AttributeHandle { bytes.uint16(at: 1) }
    /// Last handle of the range, inclusive.
    public var endingHandle: AttributeHandle { bytes.uint16(at: 3) }
    /// Type of the group, in practice Primary Service or Secondary Service.
    public var attributeGroupType: BluetoothUUID { bytes.uuidOfTypedRequest }
}

/// ATT_READ_BY_GROUP_TYPE_RSP. Core Specification, Vol 3, Part F, 3.4.4.10.
///
/// ```
///  0               1               2               4               6
/// +---------------+---------------+-------+-------+-------+-------+----
/// | Opcode (0x11) |    Length     | Attr. Handle  |Grp. End Handle| Attribute Value … repeated
/// +---------------+---------------+-------+-------+-------+-------+----
/// ```
/// `Length` is the size of one item.
public struct ReadByGroupTypeResponse: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(2, "Read By Group Type Response incomplete")
        let length = Int(bytes[1])
        guard length >= 4 else {
            throw WireError(
                .att, "Read By Group Type Response with a length too small for its two handles", need: 4, have: length,
                limit: .valueLength)
        }
        try bytes.require(2 + length, "Read By Group Type Response incomplete")
        self.bytes = bytes
    }

    /// Attribute Data List: handle, End Group Handle and value; Length octets an item.
    public var list: AttributeList {
        @_lifetime(copy self) get { AttributeList(bytes.dropFirst(2), stride: Int(bytes[1])) }
    }
    /// Attribute Handle of an item of `list`.
    public func handle(_ index: Int) -> AttributeHandle { list.item(index).uint16(at: 0) }
    /// Last handle of the group of an item of `list`.
    public func endGroupHandle(_ index: Int) -> AttributeHandle { list.item(index).uint16(at: 2) }
    /// Attribute Value of an item of `list`.
    @_lifetime(copy self)
    public func value(_ index: Int) -> Bytes { list.item(index).dropFirst(4) }
}
