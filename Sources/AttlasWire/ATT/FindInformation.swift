/// ATT_FIND_INFORMATION_REQ. Core Specification, Vol 3, Part F, 3.4.3.1.
///
/// ```
///  0               1               2               3               4
/// +---------------+---------------+---------------+---------------+---------------+
/// | Opcode (0x04) |        Starting Handle        |         Ending Handle         |
/// +---------------+---------------+---------------+---------------+---------------+
/// ```
public struct FindInformationRequest: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(5, "Find Information Request incomplete")
        self.bytes = bytes
    }

    /// First handle of the range, inclusive.
    public var startingHandle: AttributeHandle { bytes.uint16(at: 1) }
    /// Last handle of the range, inclusive.
    public var endingHandle: AttributeHandle { bytes.uint16(at: 3) }
}

/// ATT_FIND_INFORMATION_RSP. Core Specification, Vol 3, Part F, 3.4.3.2.
///
/// ```
///  0               1               2               3               4
/// +---------------+---------------+---------------+---------------+----
/// | Opcode (0x05) | Format (1, 2) |            Handle             | UUID (2 or 16 octets) … repeated
/// +---------------+---------------+---------------+---------------+----
/// ```
public struct FindInformationResponse: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(2, "Find Information Response incomplete")
        let stride: Int
        switch bytes[1] {
        case 0x01: stride = 4
        case 0x02: stride = 18
        default:
            throw WireError(
                .att, "Find Information Response with a format that is neither 1 nor 2", need: 1, have: Int(bytes[1]),
                limit: .valueLength)
        }
        try bytes.require(2 + stride, "Find Information Response incomplete")
        self.bytes = bytes
    }

    var format: UInt8 { bytes[1] }
    /// Information Data: handle and UUID, 4 or 18 octets an item.
    public var list: AttributeList {
        @_lifetime(copy self) get { AttributeList(bytes.dropFirst(2), stride: format == 0x01 ? 4 : 18) }
    }
    /// Attribute Handle of an item of `list`.
    public func handle(_ index: Int) -> AttributeHandle { list.item(index).uint16(at: 0) }
    /// Attribute type of an item of `list`, 16 or 128 bits on the air.
    public func uuid(_ index: Int) -> BluetoothUUID {
        let item = list.item(index)
        return format == 0x01 ? BluetoothUUID(item.uint16(at: 2)) : BluetoothUUID(item.uint128(at: 2))
    }
}
