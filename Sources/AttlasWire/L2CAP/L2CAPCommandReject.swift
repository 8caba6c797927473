/// L2CAP_COMMAND_REJECT_RSP. Core Specification, Vol 3, Part A, 4.1.
///
/// ```
///  0               1               2
/// +---------------+---------------+----
/// |            Reason             | Reason Data …
/// +---------------+---------------+----
/// ```
public struct L2CAPCommandReject: ~Escapable, Copyable {
    /// The reason 0x0002.
    package static let invalidCID: UInt16 = 0x0002

    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireSignal(2, "Command Reject Response incomplete")
        self.bytes = bytes
    }

    /// 0x0000 command not understood, 0x0001 signaling MTU exceeded, 0x0002 invalid CID.
    public var reason: UInt16 { bytes.uint16(at: 0) }
    /// For reason 0x0001 the signalling MTU, for 0x0002 the two channel identifiers of the request.
    public var reasonData: Bytes {
        @_lifetime(copy self) get { bytes.dropFirst(2) }
    }

    /// nil for a reason that the specification does not define.
    public var reasonName: String? {
        switch reason {
        case 0x0000: "Command not understood"
        case 0x0001: "Signaling MTU exceeded"
        case Self.invalidCID: "Invalid CID in request"
        default: nil
        }
    }
}
