/// ATT_READ_BY_GROUP_TYPE_REQ. Core Specification, Vol 3, Part F, 3.4.4.9.
///
/// ```
///  0               1               2               3               4               5
/// +---------------+---------------+---------------+---------------+---------------+----
/// | Opcode (0x10) |        Starting Handle        |         Ending Handle         | Type (2 or 16 octets)
/// +---------------+---------------+---------------+---------------+---------------+----
/// ```
public struct ReadByGroupTypeRequest: ~Escapable, Copyable {
    public let bytes: Bytes

    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireTypedRequest("Read By Group Type Request incomplete")
        self.bytes = bytes
    }

    public var startingHandle: AttributeHandle { bytes.uint16(at: 1) }
    public var endingHandle: AttributeHandle { bytes.uint16(at: 3) }
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
    public let bytes: Bytes

    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
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

    public var list: AttributeList {
        @_lifetime(copy self) get { AttributeList(bytes.dropFirst(2), stride: Int(bytes[1])) }
    }
    public func handle(_ index: Int) -> AttributeHandle { list.item(index).uint16(at: 0) }
    public func endGroupHandle(_ index: Int) -> AttributeHandle { list.item(index).uint16(at: 2) }
    @_lifetime(copy self)
    public func value(_ index: Int) -> Bytes { list.item(index).dropFirst(4) }
}
