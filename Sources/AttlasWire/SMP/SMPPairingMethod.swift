/// How two devices make sure of each other when they pair. Core Specification, Vol 3, Part H, 2.3.5.1.
public struct SMPPairingMethod: Sendable, Equatable {
    /// Association model (Vol 3, Part H, 2.3.5.1).
    public enum Association: String, Sendable {
        case justWorks = "Just Works"
        case passkeyEntry = "Passkey Entry"
        case numericComparison = "Numeric Comparison"
        case outOfBand = "Out Of Band"
    }

    /// Model by which the devices authenticate each other.
    public let association: Association
    /// LE Secure Connections; otherwise LE legacy pairing.
    public let isSecureConnections: Bool
    /// Whether both sides will keep the keys.
    public let isBonding: Bool
    /// Octets of the encryption key: the smaller of both sides' maximum.
    public let keySize: UInt8

    /// The method that a Pairing Request and its Pairing Response lead to, by tables 2.6 to 2.8; nil if the specification does not define
    /// an IO capability.
    public init?(request: SMPPairingOffer, response: SMPPairingOffer) {
        guard request.ioCapability.name != nil, response.ioCapability.name != nil else { return nil }
        isSecureConnections = request.authReq.secureConnections && response.authReq.secureConnections
        isBonding = request.authReq.bonding && response.authReq.bonding
        keySize = min(request.maximumEncryptionKeySize, response.maximumEncryptionKeySize)
        let (first, second) = (request.hasOOBData, response.hasOOBData)
        if isSecureConnections ? first || second : first && second {
            association = .outOfBand
        } else if !request.authReq.mitm && !response.authReq.mitm {
            association = .justWorks
        } else {
            association = Self.association(
                request.ioCapability, response.ioCapability, isSecureConnections: isSecureConnections)
        }
    }

    /// Table 2.8. It is the same for both roles except which side shows the passkey.
    private static func association(
        _ first: SMPIOCapability, _ second: SMPIOCapability, isSecureConnections: Bool
    ) -> Association {
        let capabilities = [first, second]
        if capabilities.contains(.noInputNoOutput) { return .justWorks }
        // Yes and no on both sides: a display, too.
        if capabilities.allSatisfy({ $0 == .displayYesNo || $0 == .keyboardDisplay }) {
            if isSecureConnections { return .numericComparison }
            return capabilities.contains(.keyboardDisplay) ? .passkeyEntry : .justWorks
        }
        return capabilities.contains { $0 == .keyboardOnly || $0 == .keyboardDisplay } ? .passkeyEntry : .justWorks
    }
}

/// One side's offer in a Pairing Request or Response, kept beyond its record.
public struct SMPPairingOffer: Sendable, Equatable {
    /// Input and output that the device has.
    public let ioCapability: SMPIOCapability
    /// Whether the device has the other's out-of-band data.
    public let hasOOBData: Bool
    /// Security that the device requests.
    public let authReq: SMPAuthReq
    /// Octets.
    public let maximumEncryptionKeySize: UInt8

    /// Copies the fields from the PDU.
    public init(_ features: SMPPairingFeatures) {
        ioCapability = features.ioCapability
        hasOOBData = features.oobDataFlag == 0x01
        authReq = features.authReq
        maximumEncryptionKeySize = features.maximumEncryptionKeySize
    }
}

extension SMPIOCapability {
    static let displayYesNo = SMPIOCapability(rawValue: 0x01)
    static let keyboardOnly = SMPIOCapability(rawValue: 0x02)
    package static let noInputNoOutput = SMPIOCapability(rawValue: 0x03)
    package static let keyboardDisplay = SMPIOCapability(rawValue: 0x04)
}
