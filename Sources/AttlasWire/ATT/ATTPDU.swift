/// One Attribute Protocol PDU. Core Specification, Vol 3, Part F, 3.4.
///
/// Each exchange has a separate file, named as the specification's section; this is the dispatch from the opcode. A view
/// holds only its octets, so that a PDU is small: all code that uses it copies it.
///
/// To add one: its view in the file of its exchange, its names and lengths in `ATTOpcode.swift` and
/// `ATTOpcode+ShortName.swift`, and a case here with its opcode. The compiler and the tests then name the rest,
/// except:
/// - `AttributeListing.swift`: the target of a search, and a part of a value.
/// - AttlasLint/Checks/: the rules for it, with the error codes of a request in `LintCollector+Exchange.swift`.
/// - Its keys in the schema of `show`.
/// - An octet test of every field, every shorter prefix and every length, and its attributes and values in
///   `AttributeValueTests`.
public enum ATTPDU: ~Escapable, Copyable {
    case errorResponse(ErrorResponse)
    case exchangeMTURequest(ExchangeMTURequest)
    case exchangeMTUResponse(ExchangeMTUResponse)
    case findInformationRequest(FindInformationRequest)
    case findInformationResponse(FindInformationResponse)
    case findByTypeValueRequest(FindByTypeValueRequest)
    case findByTypeValueResponse(FindByTypeValueResponse)
    case readByTypeRequest(ReadByTypeRequest)
    case readByTypeResponse(ReadByTypeResponse)
    case readRequest(ReadRequest)
    case readResponse(ReadResponse)
    case readBlobRequest(ReadBlobRequest)
    case readBlobResponse(ReadBlobResponse)
    case readMultipleRequest(ReadMultipleRequest)
    case readMultipleResponse(ReadMultipleResponse)
    case readByGroupTypeRequest(ReadByGroupTypeRequest)
    case readByGroupTypeResponse(ReadByGroupTypeResponse)
    case writeRequest(WriteRequest)
    case writeResponse(WriteResponse)
    case writeCommand(WriteCommand)
    case signedWriteCommand(SignedWriteCommand)
    case prepareWriteRequest(PrepareWriteRequest)
    case prepareWriteResponse(PrepareWriteResponse)
    case executeWriteRequest(ExecuteWriteRequest)
    case executeWriteResponse(ExecuteWriteResponse)
    case handleValueNotification(HandleValueNotification)
    case handleValueIndication(HandleValueIndication)
    case handleValueConfirmation(HandleValueConfirmation)
    case readMultipleVariableRequest(ReadMultipleVariableRequest)
    case readMultipleVariableResponse(ReadMultipleVariableResponse)
    case multipleHandleValueNotification(MultipleHandleValueNotification)
    /// An opcode that the specification does not define, with the whole PDU.
    case unknown(Bytes)

    /// Reads the PDU by its opcode. Throws if the PDU is empty or lacks a field; an undefined opcode is not an error.
    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(1, "ATT PDU without an opcode")
        switch bytes[0] {
        case 0x01: self = .errorResponse(try ErrorResponse(bytes))
        case 0x02: self = .exchangeMTURequest(try ExchangeMTURequest(bytes))
        case 0x03: self = .exchangeMTUResponse(try ExchangeMTUResponse(bytes))
        case 0x04: self = .findInformationRequest(try FindInformationRequest(bytes))
        case 0x05: self = .findInformationResponse(try FindInformationResponse(bytes))
        case 0x06: self = .findByTypeValueRequest(try FindByTypeValueRequest(bytes))
        case 0x07: self = .findByTypeValueResponse(try FindByTypeValueResponse(bytes))
        case 0x08: self = .readByTypeRequest(try ReadByTypeRequest(bytes))
        case 0x09: self = .readByTypeResponse(try ReadByTypeResponse(bytes))
        case 0x0A: self = .readRequest(try ReadRequest(bytes))
        case 0x0B: self = .readResponse(try ReadResponse(bytes))
        case 0x0C: self = .readBlobRequest(try ReadBlobRequest(bytes))
        case 0x0D: self = .readBlobResponse(try ReadBlobResponse(bytes))
        case 0x0E: self = .readMultipleRequest(try ReadMultipleRequest(bytes))
        case 0x0F: self = .readMultipleResponse(try ReadMultipleResponse(bytes))
        case 0x10: self = .readByGroupTypeRequest(try ReadByGroupTypeRequest(bytes))
        case 0x11: self = .readByGroupTypeResponse(try ReadByGroupTypeResponse(bytes))
        case 0x12: self = .writeRequest(try WriteRequest(bytes))
        case 0x13: self = .writeResponse(try WriteResponse(bytes))
        case 0x16: self = .prepareWriteRequest(try PrepareWriteRequest(bytes))
        case 0x17: self = .prepareWriteResponse(try PrepareWriteResponse(bytes))
        case 0x18: self = .executeWriteRequest(try ExecuteWriteRequest(bytes))
        case 0x19: self = .executeWriteResponse(try ExecuteWriteResponse(bytes))
        case 0x1B: self = .handleValueNotification(try HandleValueNotification(bytes))
        case 0x1D: self = .handleValueIndication(try HandleValueIndication(bytes))
        case 0x1E: self = .handleValueConfirmation(try HandleValueConfirmation(bytes))
        case 0x20: self = .readMultipleVariableRequest(try ReadMultipleVariableRequest(bytes))
        case 0x21: self = .readMultipleVariableResponse(try ReadMultipleVariableResponse(bytes))
        case 0x23: self = .multipleHandleValueNotification(try MultipleHandleValueNotification(bytes))
        case 0x52: self = .writeCommand(try WriteCommand(bytes))
        case 0xD2: self = .signedWriteCommand(try SignedWriteCommand(bytes))
        default: self = .unknown(bytes)
        }
    }
}

extension Bytes {
    /// The check of an ATT PDU, whose end the L2CAP header sets.
    func require(_ need: Int, _ reason: StaticString) throws(WireError) {
        try require(need, reason, of: .att, within: .l2capLength)
    }
}

extension ATTPDU {
    /// The whole PDU.
    public var bytes: Bytes {
        @_lifetime(copy self) get {
            switch self {
            case .errorResponse(let pdu): pdu.bytes
            case .exchangeMTURequest(let pdu): pdu.bytes
            case .exchangeMTUResponse(let pdu): pdu.bytes
            case .findInformationRequest(let pdu): pdu.bytes
            case .findInformationResponse(let pdu): pdu.bytes
            case .findByTypeValueRequest(let pdu): pdu.bytes
            case .findByTypeValueResponse(let pdu): pdu.bytes
            case .readByTypeRequest(let pdu): pdu.bytes
            case .readByTypeResponse(let pdu): pdu.bytes
            case .readRequest(let pdu): pdu.bytes
            case .readResponse(let pdu): pdu.bytes
            case .readBlobRequest(let pdu): pdu.bytes
            case .readBlobResponse(let pdu): pdu.bytes
            case .readMultipleRequest(let pdu): pdu.bytes
            case .readMultipleResponse(let pdu): pdu.bytes
            case .readByGroupTypeRequest(let pdu): pdu.bytes
            case .readByGroupTypeResponse(let pdu): pdu.bytes
            case .writeRequest(let pdu): pdu.bytes
            case .writeResponse(let pdu): pdu.bytes
            case .writeCommand(let pdu): pdu.bytes
            case .signedWriteCommand(let pdu): pdu.bytes
            case .prepareWriteRequest(let pdu): pdu.bytes
            case .prepareWriteResponse(let pdu): pdu.bytes
            case .executeWriteRequest(let pdu): pdu.bytes
            case .executeWriteResponse(let pdu): pdu.bytes
            case .handleValueNotification(let pdu): pdu.bytes
            case .handleValueIndication(let pdu): pdu.bytes
            case .handleValueConfirmation(let pdu): pdu.bytes
            case .readMultipleVariableRequest(let pdu): pdu.bytes
            case .readMultipleVariableResponse(let pdu): pdu.bytes
            case .multipleHandleValueNotification(let pdu): pdu.bytes
            case .unknown(let bytes): bytes
            }
        }
    }

    /// Attribute Opcode, the first octet.
    public var opcode: ATTOpcode { ATTOpcode(rawValue: bytes[0]) }

    /// The attribute value, if the PDU carries exactly one and carries it whole.
    public var attributeValue: Bytes? {
        @inlinable @inline(__always) @_lifetime(copy self) get {
            switch self {
            case .readResponse(let pdu): pdu.attributeValue
            case .writeRequest(let pdu): pdu.attributeValue
            case .writeCommand(let pdu): pdu.attributeValue
            case .signedWriteCommand(let pdu): pdu.attributeValue
            case .handleValueNotification(let pdu): pdu.attributeValue
            case .handleValueIndication(let pdu): pdu.attributeValue
            default: nil
            }
        }
    }
}
