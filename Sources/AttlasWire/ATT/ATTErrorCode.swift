/// Why a server refused a request. Core Specification, Vol 3, Part F, 3.4.1.1; Core Specification Supplement, Part B.
public struct ATTErrorCode: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Attribute Not Found (0x0A), the usual end of a discovery.
    public static let attributeNotFound = ATTErrorCode(rawValue: 0x0A)

    /// The specification's name; the service that answered defines codes 0x80–0x9F.
    public var name: String {
        switch rawValue {
        case 0x01: "Invalid Handle"
        case 0x02: "Read Not Permitted"
        case 0x03: "Write Not Permitted"
        case 0x04: "Invalid PDU"
        case 0x05: "Insufficient Authentication"
        case 0x06: "Request Not Supported"
        case 0x07: "Invalid Offset"
        case 0x08: "Insufficient Authorization"
        case 0x09: "Prepare Queue Full"
        case 0x0A: "Attribute Not Found"
        case 0x0B: "Attribute Not Long"
        case 0x0C: "Encryption Key Size Too Short"
        case 0x0D: "Invalid Attribute Value Length"
        case 0x0E: "Unlikely Error"
        case 0x0F: "Insufficient Encryption"
        case 0x10: "Unsupported Group Type"
        case 0x11: "Insufficient Resources"
        case 0x12: "Database Out Of Sync"
        case 0x13: "Value Not Allowed"
        case 0xFC: "Write Request Rejected"
        case 0xFD: "Client Characteristic Configuration Descriptor Improperly Configured"
        case 0xFE: "Procedure Already in Progress"
        case 0xFF: "Out of Range"
        case 0x80...0x9F: "Application Error"
        default: "Reserved Error Code"
        }
    }
}

/// The codes that modules above compare.
extension ATTErrorCode {
    package static let invalidHandle = Self(rawValue: 0x01)
    package static let readNotPermitted = Self(rawValue: 0x02)
    package static let writeNotPermitted = Self(rawValue: 0x03)
    package static let invalidPDU = Self(rawValue: 0x04)
    package static let insufficientAuthentication = Self(rawValue: 0x05)
    package static let requestNotSupported = Self(rawValue: 0x06)
    package static let invalidOffset = Self(rawValue: 0x07)
    package static let insufficientAuthorization = Self(rawValue: 0x08)
    package static let prepareQueueFull = Self(rawValue: 0x09)
    package static let attributeNotLong = Self(rawValue: 0x0B)
    package static let encryptionKeySizeTooShort = Self(rawValue: 0x0C)
    package static let invalidAttributeValueLength = Self(rawValue: 0x0D)
    package static let unlikelyError = Self(rawValue: 0x0E)
    package static let insufficientEncryption = Self(rawValue: 0x0F)
    package static let unsupportedGroupType = Self(rawValue: 0x10)
    package static let insufficientResources = Self(rawValue: 0x11)
    package static let databaseOutOfSync = Self(rawValue: 0x12)
    package static let valueNotAllowed = Self(rawValue: 0x13)
    package static let clientCharacteristicConfigurationImproperlyConfigured = Self(rawValue: 0xFD)
    package static let procedureAlreadyInProgress = Self(rawValue: 0xFE)

    /// 0x80 to 0x9F, which the service that answers defines.
    package var isOfApplication: Bool { 0x80...0x9F ~= rawValue }
    /// 0xE0 to 0xFF, of the Core Specification Supplement.
    package var isCommonProfile: Bool { rawValue >= 0xE0 }
}
