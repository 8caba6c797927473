/// ATT_READ_BY_TYPE_REQ. Core Specification, Vol 3, Part F, 3.4.4.1.
///
/// ```
///  0               1               2               3               4               5
/// +---------------+---------------+---------------+---------------+---------------+----
/// | Opcode (0x08) |        Starting Handle        |         Ending Handle         | Type (2 or 16 octets)
/// +---------------+---------------+---------------+---------------+---------------+----
/// ```
public struct ReadByTypeRequest: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireTypedRequest("Read By Type Request incomplete")
        self.bytes = bytes
    }

    /// First handle of the range, inclusive.
    public var startingHandle: AttributeHandle { bytes.uint16(at: 1) }
    /// Last handle of the range, inclusive.
    public var endingHandle: AttributeHandle { bytes.uint16(at: 3) }
    /// Type of the attributes to read.
    public var attributeType: BluetoothUUID { bytes.uuidOfTypedRequest }
}

extension Bytes {
    /// The check of Read By Type and Read By Group Type requests, whose UUID after the handle range has 2 or 16 octets.
    func requireTypedRequest(_ incomplete: StaticString) throws(WireError) {
        try require(7, incomplete)
        guard count == 7 || count == 21 else {
            throw WireError(
                .att, "UUID of neither 2 nor 16 octets", need: 21, have: count, limit: .l2capLength)
        }
    }

    /// After `requireTypedRequest`.
    var uuidOfTypedRequest: BluetoothUUID {
        count == 7 ? BluetoothUUID(uint16(at: 5)) : BluetoothUUID(uint128(at: 5))
    }
}

/// ATT_READ_BY_TYPE_RSP. Core Specification, Vol 3, Part F, 3.4.4.2.
///
/// ```
///  0               1               2               3               4
/// +---------------+---------------+---------------+---------------+----
/// | Opcode (0x09) |    Length     |       Attribute Handle        | Attribute Value … repeated
/// +---------------+---------------+---------------+---------------+----
/// ```
/// `Length` is the size of one handle-value pair.
public struct ReadByTypeResponse: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(2, "Read By Type Response incomplete")
        let length = Int(bytes[1])
        guard length >= 2 else {
            throw WireError(
                .att, "Read By Type Response with a length too small for a handle", need: 2, have: length,
                limit: .valueLength)
        }
        try bytes.require(2 + length, "Read By Type Response incomplete")
        self.bytes = bytes
    }

    /// Attribute Data List: handle and value; Length octets an item.
    public var list: AttributeList {
        @_lifetime(copy self) get { AttributeList(bytes.dropFirst(2), stride: Int(bytes[1])) }
    }
    /// Attribute Handle of an item of `list`.
    public func handle(_ index: Int) -> AttributeHandle { list.item(index).uint16(at: 0) }
    /// Attribute Value of an item of `list`.
    @_lifetime(copy self)
    public func value(_ index: Int) -> Bytes { list.item(index).dropFirst(2) }
}
