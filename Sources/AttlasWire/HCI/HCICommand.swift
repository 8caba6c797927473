/// HCI Command packet. Core Specification, Vol 4, Part E, 5.4.1.
///
/// ```
///  0               1               2               3
/// +---------------+---------------+---------------+----
/// |    Opcode: OCF (10), OGF (6)  | Param. Length | Parameters …
/// +---------------+---------------+---------------+----
/// ```
public struct HCICommand: ~Escapable, Copyable {
    /// Octets before the parameters: opcode and length.
    public static let headerLength = 3

    /// The packet, its header included.
    public let bytes: Bytes

    /// Needs the header; `parameters` is the captured part of the parameters that the header announces.
    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(Self.headerLength, "HCI Command header incomplete", of: .hci, within: .capturedLength)
        self.bytes = bytes
    }

    /// Command opcode: OGF in the high 6 bits, OCF in the low 10.
    public var opcode: HCIOpcode { HCIOpcode(rawValue: bytes.uint16(at: 0)) }
    /// Octets of parameters that the header announces.
    public var parameterTotalLength: Int { Int(bytes[2]) }

    /// At most `parameterTotalLength` octets.
    public var parameters: Bytes {
        @_lifetime(copy self) get { bytes.dropFirst(Self.headerLength).prefix(parameterTotalLength) }
    }

    /// Octets announced that are not there.
    public var missing: Int { parameterTotalLength - parameters.count }
    /// Octets there that were not announced.
    public var excess: Int { max(0, bytes.count - Self.headerLength - parameterTotalLength) }
}
