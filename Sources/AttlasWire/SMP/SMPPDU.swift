/// One Security Manager Protocol PDU. Core Specification, Vol 3, Part H, 3.3.
///
/// ```
///  0               1
/// +---------------+----
/// |     Code      | Data …
/// +---------------+----
/// ```
public enum SMPPDU: ~Escapable, Copyable {
    case pairingRequest(SMPPairingFeatures)
    case pairingResponse(SMPPairingFeatures)
    case pairingConfirm(SMPPairingConfirm)
    case pairingRandom(SMPPairingRandom)
    case pairingFailed(SMPPairingFailed)
    case encryptionInformation(SMPEncryptionInformation)
    case centralIdentification(SMPCentralIdentification)
    case identityInformation(SMPIdentityInformation)
    case identityAddressInformation(SMPIdentityAddressInformation)
    case signingInformation(SMPSigningInformation)
    case securityRequest(SMPSecurityRequest)
    case pairingPublicKey(SMPPairingPublicKey)
    case pairingDHKeyCheck(SMPPairingDHKeyCheck)
    case keypressNotification(SMPKeypressNotification)
    /// A code that the specification does not define, with the whole PDU.
    case unknown(Bytes)

    /// Reads the PDU by its code. Throws if it is empty or lacks a field; an undefined code is not an error.
    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireSMP(1, "SMP PDU without a code")
        switch bytes[0] {
        case 0x01: self = .pairingRequest(try SMPPairingFeatures(bytes))
        case 0x02: self = .pairingResponse(try SMPPairingFeatures(bytes))
        case 0x03: self = .pairingConfirm(try SMPPairingConfirm(bytes))
        case 0x04: self = .pairingRandom(try SMPPairingRandom(bytes))
        case 0x05: self = .pairingFailed(try SMPPairingFailed(bytes))
        case 0x06: self = .encryptionInformation(try SMPEncryptionInformation(bytes))
        case 0x07: self = .centralIdentification(try SMPCentralIdentification(bytes))
        case 0x08: self = .identityInformation(try SMPIdentityInformation(bytes))
        case 0x09: self = .identityAddressInformation(try SMPIdentityAddressInformation(bytes))
        case 0x0A: self = .signingInformation(try SMPSigningInformation(bytes))
        case 0x0B: self = .securityRequest(try SMPSecurityRequest(bytes))
        case 0x0C: self = .pairingPublicKey(try SMPPairingPublicKey(bytes))
        case 0x0D: self = .pairingDHKeyCheck(try SMPPairingDHKeyCheck(bytes))
        case 0x0E: self = .keypressNotification(try SMPKeypressNotification(bytes))
        default: self = .unknown(bytes)
        }
    }

    /// The whole PDU.
    public var bytes: Bytes {
        @_lifetime(copy self) get {
            switch self {
            case .pairingRequest(let pdu), .pairingResponse(let pdu): pdu.bytes
            case .pairingConfirm(let pdu): pdu.bytes
            case .pairingRandom(let pdu): pdu.bytes
            case .pairingFailed(let pdu): pdu.bytes
            case .encryptionInformation(let pdu): pdu.bytes
            case .centralIdentification(let pdu): pdu.bytes
            case .identityInformation(let pdu): pdu.bytes
            case .identityAddressInformation(let pdu): pdu.bytes
            case .signingInformation(let pdu): pdu.bytes
            case .securityRequest(let pdu): pdu.bytes
            case .pairingPublicKey(let pdu): pdu.bytes
            case .pairingDHKeyCheck(let pdu): pdu.bytes
            case .keypressNotification(let pdu): pdu.bytes
            case .unknown(let bytes): bytes
            }
        }
    }

    /// Code, the first octet.
    public var code: SMPCode { SMPCode(rawValue: bytes[0]) }

    /// It distributes a key: the Long Term Key, the Identity Resolving Key or the Connection Signature Resolving Key. Vol 3,
    /// Part H, 2.4.3. Or it is of the commitments of a pairing, from which a passkey can be computed. Part H, 2.3.5.
    public var holdsKey: Bool {
        switch self {
        case .encryptionInformation, .identityInformation, .signingInformation, .pairingConfirm, .pairingRandom: true
        case .pairingRequest, .pairingResponse, .pairingFailed, .centralIdentification, .identityAddressInformation,
            .securityRequest, .pairingPublicKey, .pairingDHKeyCheck, .keypressNotification, .unknown:
            false
        }
    }

    /// The key that it distributes.
    package var key: UInt128? {
        switch self {
        case .encryptionInformation(let pdu): pdu.longTermKey
        case .identityInformation(let pdu): pdu.identityResolvingKey
        case .signingInformation(let pdu): pdu.signatureKey
        default: nil
        }
    }

    /// The specification's name.
    public var name: String { code.name ?? "Unknown SMP PDU" }
}

/// The first octet of an SMP PDU. Core Specification, Vol 3, Part H, 3.3, Table 3.3.
public struct SMPCode: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// nil for a code that the specification does not define.
    public var name: String? {
        switch rawValue {
        case 0x01: "Pairing Request"
        case 0x02: "Pairing Response"
        case 0x03: "Pairing Confirm"
        case 0x04: "Pairing Random"
        case 0x05: "Pairing Failed"
        case 0x06: "Encryption Information"
        case 0x07: "Central Identification"
        case 0x08: "Identity Information"
        case 0x09: "Identity Address Information"
        case 0x0A: "Signing Information"
        case 0x0B: "Security Request"
        case 0x0C: "Pairing Public Key"
        case 0x0D: "Pairing DHKey Check"
        case 0x0E: "Pairing Keypress Notification"
        default: nil
        }
    }
}

extension Bytes {
    /// The check of an SMP PDU, whose end the L2CAP header sets.
    func requireSMP(_ need: Int, _ reason: StaticString) throws(WireError) {
        try require(need, reason, of: .smp, within: .l2capLength)
    }
}

/// The codes that modules above compare: computed, so that they compile to numbers there.
extension SMPCode {
    @inlinable package static var pairingRequest: Self { Self(rawValue: 0x01) }
    @inlinable package static var pairingResponse: Self { Self(rawValue: 0x02) }
    @inlinable package static var pairingConfirm: Self { Self(rawValue: 0x03) }
    @inlinable package static var pairingRandom: Self { Self(rawValue: 0x04) }
    @inlinable package static var pairingFailed: Self { Self(rawValue: 0x05) }
    @inlinable package static var encryptionInformation: Self { Self(rawValue: 0x06) }
    @inlinable package static var centralIdentification: Self { Self(rawValue: 0x07) }
    @inlinable package static var identityInformation: Self { Self(rawValue: 0x08) }
    @inlinable package static var identityAddressInformation: Self { Self(rawValue: 0x09) }
    @inlinable package static var signingInformation: Self { Self(rawValue: 0x0A) }
    @inlinable package static var securityRequest: Self { Self(rawValue: 0x0B) }
    @inlinable package static var pairingPublicKey: Self { Self(rawValue: 0x0C) }
    @inlinable package static var pairingDHKeyCheck: Self { Self(rawValue: 0x0D) }
}
