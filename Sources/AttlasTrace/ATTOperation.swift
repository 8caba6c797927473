import AttlasWire

/// Whose attribute table a handle belongs to, seen from the host that was recorded.
public enum ServerSide: String, CaseIterable, Sendable {
    case peer, local
}

/// One ATT PDU with what the trace knows about it.
public struct ATTOperation: ~Escapable, Copyable {
    public let pdu: ATTPDU
    public let bearer: Bearer.Kind
    public let opcode: ATTOpcode
    public let server: ServerSide
    /// The attribute the PDU is about: its own handle, or for a response that of its request.
    public let handle: AttributeHandle?
    public let attribute: AttributeInfo?
    /// For a Read Multiple (Variable) Response: the attributes that its request named, one for each value.
    public let multipleHandles: Span<AttributeHandle>
    /// For a response, an error and a confirmation: what it answers, when that was captured.
    public let request: AnsweredRequest?
    /// The value fills the PDU up to the MTU, so that more of it may follow in Read Blob Responses.
    public let mayContinue: Bool
    /// Octets of the L2CAP PDUs that carried it: the ATT PDU, their headers and, of a credit-based channel, the SDU length.
    public let l2capOctets: Int
    /// What is wrong with a PDU that could be read all the same.
    public let fault: WireError?

    /// Attribute Not Found in answer to a search over a range of handles: the way a server says that there is no more.
    /// Core Specification, Vol 3, Part G, 4.4–4.7.
    public var endsDiscovery: Bool {
        guard case .errorResponse(let pdu) = pdu else { return false }
        return pdu.errorCode == .attributeNotFound && pdu.requestOpcodeInError.takesRange
    }

    @_lifetime(copy pdu, copy multipleHandles)
    init(
        pdu: ATTPDU, bearer: Bearer.Kind, opcode: ATTOpcode, server: ServerSide, handle: AttributeHandle?,
        attribute: AttributeInfo?, multipleHandles: Span<AttributeHandle>, request: AnsweredRequest?, mayContinue: Bool,
        l2capOctets: Int, fault: WireError?
    ) {
        self.pdu = pdu
        self.bearer = bearer
        self.opcode = opcode
        self.server = server
        self.handle = handle
        self.attribute = attribute
        self.multipleHandles = multipleHandles
        self.request = request
        self.mayContinue = mayContinue
        self.l2capOctets = l2capOctets
        self.fault = fault
    }
}

/// The request that a response answers.
public struct AnsweredRequest: Sendable {
    public let frame: Int
    public let opcode: ATTOpcode
    /// Nanoseconds from the record of the request to that of the answer; nil when the clock went back between them.
    public let roundTrip: Int64?
    public let startingHandle: AttributeHandle
    public let endingHandle: AttributeHandle
    /// What was looked for, in Read By Type, Read By Group Type and Find By Type Value.
    public let attributeType: UUIDIndex?
    /// The service looked for, in Find By Type Value.
    public let soughtService: UUIDIndex?
}
