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
    /// The identifier that a response shares with its request.
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

    /// nil after the last command. A command that is cut, in its header too, throws or has the number of missing octets, and ends the list.
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

    @inlinable
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

/// The codes that modules above compare: computed, so that they compile to numbers there.
extension L2CAPSignalCode {
    @inlinable package static var commandReject: Self { Self(rawValue: 0x01) }
    @inlinable package static var connectionRequest: Self { Self(rawValue: 0x02) }
    @inlinable package static var connectionResponse: Self { Self(rawValue: 0x03) }
    @inlinable package static var configurationRequest: Self { Self(rawValue: 0x04) }
    @inlinable package static var configurationResponse: Self { Self(rawValue: 0x05) }
    @inlinable package static var disconnectionRequest: Self { Self(rawValue: 0x06) }
    @inlinable package static var disconnectionResponse: Self { Self(rawValue: 0x07) }
    @inlinable package static var informationRequest: Self { Self(rawValue: 0x0A) }
    @inlinable package static var informationResponse: Self { Self(rawValue: 0x0B) }
    @inlinable package static var moveChannelRequest: Self { Self(rawValue: 0x0E) }
    @inlinable package static var moveChannelResponse: Self { Self(rawValue: 0x0F) }
    @inlinable package static var moveChannelConfirmationRequest: Self { Self(rawValue: 0x10) }
    @inlinable package static var moveChannelConfirmationResponse: Self { Self(rawValue: 0x11) }
    @inlinable package static var connectionParameterUpdateRequest: Self { Self(rawValue: 0x12) }
    @inlinable package static var connectionParameterUpdateResponse: Self { Self(rawValue: 0x13) }
    @inlinable package static var leCreditBasedConnectionRequest: Self { Self(rawValue: 0x14) }
    @inlinable package static var leCreditBasedConnectionResponse: Self { Self(rawValue: 0x15) }
    @inlinable package static var flowControlCreditIndication: Self { Self(rawValue: 0x16) }
    @inlinable package static var creditBasedConnectionRequest: Self { Self(rawValue: 0x17) }
    @inlinable package static var creditBasedConnectionResponse: Self { Self(rawValue: 0x18) }
    @inlinable package static var creditBasedReconfigureRequest: Self { Self(rawValue: 0x19) }
    @inlinable package static var creditBasedReconfigureResponse: Self { Self(rawValue: 0x1A) }
    @inlinable package static var createChannelRequest: Self { Self(rawValue: 0x0C) }
    @inlinable package static var createChannelResponse: Self { Self(rawValue: 0x0D) }
}
