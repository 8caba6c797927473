/// The list inside several ATT responses: items of one size, borrowed from the PDU.
///
/// The stride is checked where the list is made, so that iteration always advances.
public struct AttributeList: ~Escapable, Copyable {
    let bytes: Bytes
    /// Octets of one item.
    public let stride: Int

    @_lifetime(copy bytes)
    init(_ bytes: Bytes, stride: Int) {
        precondition(stride > 0)
        self.bytes = bytes
        self.stride = stride
    }

    /// Number of whole items.
    public var count: Int { bytes.count / stride }
    /// Octets after the last whole item: none in a valid PDU.
    public var remainder: Int { bytes.count % stride }

    @_lifetime(copy self)
    func item(_ index: Int) -> Bytes {
        bytes.slice(index * stride..<(index + 1) * stride)
    }
}
