/// The data of one L2CAP signalling command. Core Specification, Vol 3, Part A, 4.1–4.28.
public enum L2CAPSignalParameters: ~Escapable, Copyable {
    case commandReject(L2CAPCommandReject)
    case connectionRequest(L2CAPConnectionRequest)
    case connectionResponse(L2CAPConnectionResponse)
    case configurationRequest(L2CAPConfigurationRequest)
    case configurationResponse(L2CAPConfigurationResponse)
    case disconnectionRequest(L2CAPDisconnectionRequest)
    case disconnectionResponse(L2CAPDisconnectionResponse)
    /// The octets to be sent back.
    case echoRequest(Bytes)
    case echoResponse(Bytes)
    case informationRequest(L2CAPInformationRequest)
    case informationResponse(L2CAPInformationResponse)
    case connectionParameterUpdateRequest(L2CAPConnectionParameterUpdateRequest)
    case connectionParameterUpdateResponse(L2CAPConnectionParameterUpdateResponse)
    case leCreditBasedConnectionRequest(L2CAPLECreditBasedConnectionRequest)
    case leCreditBasedConnectionResponse(L2CAPLECreditBasedConnectionResponse)
    case flowControlCredit(L2CAPFlowControlCredit)
    case creditBasedConnectionRequest(L2CAPCreditBasedConnectionRequest)
    case creditBasedConnectionResponse(L2CAPCreditBasedConnectionResponse)
    case creditBasedReconfigureRequest(L2CAPCreditBasedReconfigureRequest)
    case creditBasedReconfigureResponse(L2CAPCreditBasedReconfigureResponse)
    /// A code that the specification does not define, or that it no longer does (0x0C–0x11), with its data.
    case other(Bytes)

    /// Reads the data by the command code. Throws if they are incomplete; an undefined code is not an error.
    @_lifetime(copy signal)
    public init(_ signal: L2CAPSignal) throws(WireError) {
        let data = signal.data
        switch signal.code.rawValue {
        case 0x01: self = .commandReject(try L2CAPCommandReject(data))
        case 0x02: self = .connectionRequest(try L2CAPConnectionRequest(data))
        case 0x03: self = .connectionResponse(try L2CAPConnectionResponse(data))
        case 0x04: self = .configurationRequest(try L2CAPConfigurationRequest(data))
        case 0x05: self = .configurationResponse(try L2CAPConfigurationResponse(data))
        case 0x06: self = .disconnectionRequest(try L2CAPDisconnectionRequest(data))
        case 0x07: self = .disconnectionResponse(try L2CAPDisconnectionResponse(data))
        case 0x08: self = .echoRequest(data)
        case 0x09: self = .echoResponse(data)
        case 0x0A: self = .informationRequest(try L2CAPInformationRequest(data))
        case 0x0B: self = .informationResponse(try L2CAPInformationResponse(data))
        case 0x12: self = .connectionParameterUpdateRequest(try L2CAPConnectionParameterUpdateRequest(data))
        case 0x13: self = .connectionParameterUpdateResponse(try L2CAPConnectionParameterUpdateResponse(data))
        case 0x14: self = .leCreditBasedConnectionRequest(try L2CAPLECreditBasedConnectionRequest(data))
        case 0x15: self = .leCreditBasedConnectionResponse(try L2CAPLECreditBasedConnectionResponse(data))
        case 0x16: self = .flowControlCredit(try L2CAPFlowControlCredit(data))
        case 0x17: self = .creditBasedConnectionRequest(try L2CAPCreditBasedConnectionRequest(data))
        case 0x18: self = .creditBasedConnectionResponse(try L2CAPCreditBasedConnectionResponse(data))
        case 0x19: self = .creditBasedReconfigureRequest(try L2CAPCreditBasedReconfigureRequest(data))
        case 0x1A: self = .creditBasedReconfigureResponse(try L2CAPCreditBasedReconfigureResponse(data))
        default: self = .other(data)
        }
    }
}

extension Bytes {
    /// The check of a signalling command's data, whose end its own header sets.
    func requireSignal(_ need: Int, _ reason: StaticString) throws(WireError) {
        try require(need, reason, of: .l2cap, within: .signalLength)
    }
}

/// Channel identifiers at the end of a signalling command.
public struct L2CAPChannelList: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) {
        self.bytes = bytes
    }

    /// Number of whole channel identifiers.
    public var count: Int { bytes.count / 2 }
    /// Octets after the last whole identifier: none in a valid command.
    var remainder: Int { bytes.count % 2 }
    /// Channel of an index below `count`.
    public subscript(index: Int) -> L2CAPChannel { L2CAPChannel(rawValue: bytes.uint16(at: 2 * index)) }
}
