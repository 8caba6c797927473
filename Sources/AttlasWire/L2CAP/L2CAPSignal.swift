/// L2CAP signalling command. Core Specification, Vol 3, Part A, 4.
///
/// ```
///  0               1               2               3               4
/// +---------------+---------------+---------------+---------------+----
/// |     Code      |  Identifier   |          Data Length          | Data …
/// +---------------+---------------+---------------+---------------+----
/// ```
public struct L2CAPSignal: ~Escapable, Copyable {
    /// Octets before the data: code, identifier and length.
    public static let headerLength = 4

    /// The command, its header included.
    public let bytes: Bytes

    /// Needs the header; `data` is the captured part of the data that the header announces.
    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(Self.headerLength, "Signalling command header incomplete", of: .l2cap, within: .l2capLength)
        self.bytes = bytes
    }

    /// Command code, the first octet.
    public var code: L2CAPSignalCode { L2CAPSignalCode(rawValue: bytes[0]) }
    /// What a response has in common with its request.
    public var identifier: UInt8 { bytes[1] }
    /// Octets of data that the header announces.
    public var length: Int { Int(bytes.uint16(at: 2)) }

    /// At most `length` octets.
    public var data: Bytes {
        @_lifetime(copy self) get { bytes.dropFirst(Self.headerLength).prefix(length) }
    }

    /// Octets announced that are not there.
    public var missing: Int { length - data.count }
    /// Octets after this command: on BR/EDR the next ones.
    var excess: Int { max(0, bytes.count - Self.headerLength - length) }

    /// The specification's name.
    public var name: String { code.name ?? "Unknown Signalling Command" }
}

/// The commands of one C-frame: one on LE, one or more on BR/EDR. Read one after the other.
public struct L2CAPSignals: ~Escapable, Copyable {
    private var rest: Bytes

    /// Takes the payload of a frame on a signalling channel.
    @_lifetime(copy payload)
    public init(_ payload: Bytes) {
        rest = payload
    }

    /// nil after the last command. A command that is cut, in its header too, throws or says what is missing, and ends
    /// the list.
    @_lifetime(copy self)
    public mutating func next() throws(WireError) -> L2CAPSignal? {
        guard !rest.isEmpty else { return nil }
        let all = rest
        rest = all.dropFirst(all.count)
        let signal = try L2CAPSignal(all)
        rest = all.dropFirst(L2CAPSignal.headerLength + signal.length)
        return signal
    }
}

/// The first octet of a signalling command. Core Specification, Vol 3, Part A, 4, Table 4.2.
public struct L2CAPSignalCode: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// nil for a code that the specification does not define. 0x0C–0x11 were those of AMP, up to version 5.2.
    public var name: String? {
        switch rawValue {
        case 0x01: "Command Reject Response"
        case 0x02: "Connection Request"
        case 0x03: "Connection Response"
        case 0x04: "Configuration Request"
        case 0x05: "Configuration Response"
        case 0x06: "Disconnection Request"
        case 0x07: "Disconnection Response"
        case 0x08: "Echo Request"
        case 0x09: "Echo Response"
        case 0x0A: "Information Request"
        case 0x0B: "Information Response"
        case 0x0C: "Create Channel Request"
        case 0x0D: "Create Channel Response"
        case 0x0E: "Move Channel Request"
        case 0x0F: "Move Channel Response"
        case 0x10: "Move Channel Confirmation Request"
        case 0x11: "Move Channel Confirmation Response"
        case 0x12: "Connection Parameter Update Request"
        case 0x13: "Connection Parameter Update Response"
        case 0x14: "LE Credit Based Connection Request"
        case 0x15: "LE Credit Based Connection Response"
        case 0x16: "Flow Control Credit Indication"
        case 0x17: "Credit Based Connection Request"
        case 0x18: "Credit Based Connection Response"
        case 0x19: "Credit Based Reconfigure Request"
        case 0x1A: "Credit Based Reconfigure Response"
        default: nil
        }
    }
}

extension L2CAPSignal {
    /// L2CAP_FLOW_CONTROL_CREDIT_IND.
    package var grantsCredits: Bool { code.rawValue == 0x16 }
}

/// The codes that modules above compare.
extension L2CAPSignalCode {
    package static let commandReject = Self(rawValue: 0x01)
    package static let connectionRequest = Self(rawValue: 0x02)
    package static let connectionResponse = Self(rawValue: 0x03)
    package static let configurationRequest = Self(rawValue: 0x04)
    package static let configurationResponse = Self(rawValue: 0x05)
    package static let disconnectionRequest = Self(rawValue: 0x06)
    package static let disconnectionResponse = Self(rawValue: 0x07)
    package static let informationRequest = Self(rawValue: 0x0A)
    package static let informationResponse = Self(rawValue: 0x0B)
    package static let moveChannelRequest = Self(rawValue: 0x0E)
    package static let moveChannelResponse = Self(rawValue: 0x0F)
    package static let moveChannelConfirmationRequest = Self(rawValue: 0x10)
    package static let moveChannelConfirmationResponse = Self(rawValue: 0x11)
    package static let connectionParameterUpdateRequest = Self(rawValue: 0x12)
    package static let connectionParameterUpdateResponse = Self(rawValue: 0x13)
    package static let leCreditBasedConnectionRequest = Self(rawValue: 0x14)
    package static let leCreditBasedConnectionResponse = Self(rawValue: 0x15)
    package static let flowControlCreditIndication = Self(rawValue: 0x16)
    package static let creditBasedConnectionRequest = Self(rawValue: 0x17)
    package static let creditBasedConnectionResponse = Self(rawValue: 0x18)
    package static let creditBasedReconfigureRequest = Self(rawValue: 0x19)
    package static let creditBasedReconfigureResponse = Self(rawValue: 0x1A)
    package static let createChannelRequest = Self(rawValue: 0x0C)
    package static let createChannelResponse = Self(rawValue: 0x0D)
}
