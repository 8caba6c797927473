/// ATT_MULTIPLE_HANDLE_VALUE_NTF. Core Specification, Vol 3, Part F, 3.4.7.4.
///
/// ```
///  0               1               2               3               4               5
/// +---------------+---------------+---------------+---------------+---------------+----
/// | Opcode (0x23) |       Attribute Handle        |         Value Length          | Attribute Value … repeated
/// +---------------+---------------+---------------+---------------+---------------+----
/// ```
public struct MultipleHandleValueNotification: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(5, "Multiple Handle Value Notification incomplete")
        self.bytes = bytes
    }

    /// Handle, length and value of each notified attribute.
    public var tuples: HandleLengthValueTuples {
        @_lifetime(copy self) get { HandleLengthValueTuples(bytes.dropFirst(1)) }
    }
}

/// Handle-length-value tuples, read one after the other.
public struct HandleLengthValueTuples: ~Escapable, Copyable {
    private var rest: Bytes
    /// The attribute of the tuple that `next` returned last.
    public private(set) var handle: AttributeHandle = 0
    /// The number of octets that this tuple announced and that are missing.
    public private(set) var missing = 0

    @_lifetime(copy rest)
    init(_ rest: Bytes) {
        self.rest = rest
    }

    @_lifetime(copy self)
    public mutating func next() -> Bytes? {
        guard rest.count >= 4 else { return nil }
        handle = rest.uint16(at: 0)
        let length = Int(rest.uint16(at: 2))
        let value = rest.dropFirst(4).prefix(length)
        missing = length - value.count
        rest = rest.dropFirst(4 + length)
        return value
    }

    /// Octets after the last whole tuple: too few for a handle and a length.
    public var remainder: Int { rest.count }
}
