/// ATT_READ_MULTIPLE_VARIABLE_REQ. Core Specification, Vol 3, Part F, 3.4.4.11.
///
/// ```
///  0               1               2               3               4
/// +---------------+---------------+---------------+---------------+---------------+----
/// | Opcode (0x20) |       Attribute Handle        |       Attribute Handle        | … two or more
/// +---------------+---------------+---------------+---------------+---------------+----
/// ```
public struct ReadMultipleVariableRequest: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(5, "Read Multiple Variable Request for fewer than two attributes")
        self.bytes = bytes
    }

    /// Set Of Handles, 2 octets each.
    public var list: AttributeList {
        @_lifetime(copy self) get { AttributeList(bytes.dropFirst(1), stride: 2) }
    }
    /// Handle of an item of `list`.
    public func handle(_ index: Int) -> AttributeHandle { list.item(index).uint16(at: 0) }
}

/// ATT_READ_MULTIPLE_VARIABLE_RSP. Core Specification, Vol 3, Part F, 3.4.4.12.
///
/// ```
///  0               1               2               3
/// +---------------+---------------+---------------+----
/// | Opcode (0x21) |         Value Length          | Attribute Value … repeated
/// +---------------+---------------+---------------+----
/// ```
public struct ReadMultipleVariableResponse: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(3, "Read Multiple Variable Response incomplete")
        self.bytes = bytes
    }

    /// The tuples, in the order of the handles that the request named.
    public var tuples: LengthValueTuples {
        @_lifetime(copy self) get { LengthValueTuples(bytes.dropFirst(1)) }
    }
}

/// Length-value tuples, read one after the other. The last value may be cut by the MTU or by the capture.
public struct LengthValueTuples: ~Escapable, Copyable {
    private var rest: Bytes
    /// The number of octets that the last returned tuple announced and that are missing.
    public private(set) var missing = 0

    @_lifetime(copy rest)
    init(_ rest: Bytes) {
        self.rest = rest
    }

    @_lifetime(copy self)
    public mutating func next() -> Bytes? {
        guard rest.count >= 2 else { return nil }
        let length = Int(rest.uint16(at: 0))
        let value = rest.dropFirst(2).prefix(length)
        missing = length - value.count
        rest = rest.dropFirst(2 + length)
        return value
    }

    /// Octets after the last whole tuple: too few for a length.
    var remainder: Int { rest.count }
}
