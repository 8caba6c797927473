import AttlasWire

/// Whose attribute table a handle belongs to, seen from the host that was recorded.
public enum ServerSide: String, CaseIterable, Sendable {
    /// `local`: the recorded host; in a capture from the air, the central.
    case peer, local
}

/// The GATT server of one side of a connection.
struct ConnectionServer {
    let side: ServerSide
    /// Index of the connection.
    let slot: Int
}

/// One ATT PDU with the trace's facts about it.
///
/// Small, because an event is copied on its way through the sinks: the facts stay where the trace put them.
public struct ATTOperation: ~Escapable, Copyable {
    /// The decoded PDU, borrowed from the record.
    public let pdu: ATTPDU
    /// For a Read Multiple (Variable) Response: the attributes that its request named, one for each value.
    public let multipleHandles: Span<AttributeHandle>
    /// One element.
    private let facts: Span<Facts>

    /// Facts that the trace adds to a PDU.
    struct Facts {
        let bearer: Bearer.Kind
        let opcode: ATTOpcode
        let server: ServerSide
        let handle: AttributeHandle?
        let attribute: AttributeInfo?
        let request: AnsweredRequest?
        let unexpected: UnexpectedAnswer?
        let mayContinue: Bool
        let l2capOctets: Int
        let fault: WireError?
        var reported: ApplicationStatus?
    }

    /// Channel that carried it.
    public var bearer: Bearer.Kind { facts[0].bearer }
    /// Attribute Opcode, also of a PDU that could not be read to its end.
    public var opcode: ATTOpcode { facts[0].opcode }
    /// Server whose table `handle` belongs to.
    public var server: ServerSide { facts[0].server }
    /// The attribute the PDU is about: its own handle, or for a response that of its request.
    public var handle: AttributeHandle? { facts[0].handle }
    /// Meaning of `handle`; nil if it is unknown.
    public var attribute: AttributeInfo? { facts[0].attribute }
    /// The request that a response, an error or a confirmation answers, if it was captured.
    public var request: AnsweredRequest? { facts[0].request }
    /// For an answer without a request: why it should not have come. nil also if a gap of the capture may have had the request.
    public var unexpected: UnexpectedAnswer? { facts[0].unexpected }
    /// The value fills the PDU up to the MTU, so that more of it may follow in Read Blob Responses.
    public var mayContinue: Bool { facts[0].mayContinue }
    /// Octets of the L2CAP PDUs that carried it: the ATT PDU, their headers and, of a credit-based channel, the SDU length.
    public var l2capOctets: Int { facts[0].l2capOctets }
    /// The fault of a PDU that could be read nevertheless.
    public var fault: WireError? { facts[0].fault }
    /// The status that an app's log has instead of an error code, for an Error Response made from it.
    public var reported: ApplicationStatus? { facts[0].reported }

    /// Attribute Not Found in answer to a search over a range of handles: it ends a discovery and is not an error. Core Specification,
    /// Vol 3, Part G, 4.4–4.7.
    public var endsDiscovery: Bool {
        @inlinable @inline(__always) get {
            guard case .errorResponse(let pdu) = pdu else { return false }
            return pdu.errorCode == .attributeNotFound && pdu.requestOpcodeInError.takesRange
        }
    }

    @_lifetime(copy pdu, copy multipleHandles, borrow facts)
    init(_ pdu: ATTPDU, multipleHandles: Span<AttributeHandle>, _ facts: borrowing CollectionOfOne<Facts>) {
        self.pdu = pdu
        self.multipleHandles = multipleHandles
        self.facts = facts.span
    }
}

/// The request that a response answers.
public struct AnsweredRequest: Sendable {
    /// Record of the request, from 1.
    public let frame: Int
    /// Attribute Opcode of the request.
    public let opcode: ATTOpcode
    /// Nanoseconds from the record of the request to that of the answer; nil if it is unknown: the clock
    /// went back between them, or a text has one time for both.
    public let roundTrip: Int64?
    /// First handle of the range, or the only handle, of the request.
    public let startingHandle: AttributeHandle
    /// Last handle of the range; the same as `startingHandle` for a single handle.
    public let endingHandle: AttributeHandle
    /// The type that Read By Type, Read By Group Type or Find By Type Value looked for.
    public let attributeType: UUIDIndex?
    /// The service looked for, in Find By Type Value.
    public let soughtService: UUIDIndex?
}
