/// Why a server refused a request. Core Specification, Vol 3, Part F, 3.4.1.1; Core Specification Supplement, Part B.
public struct ATTErrorCode: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
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

/// The codes that modules above compare: computed, so that they compile to numbers there.
extension ATTErrorCode {
    @inlinable package static var invalidHandle: Self { Self(rawValue: 0x01) }
    @inlinable package static var readNotPermitted: Self { Self(rawValue: 0x02) }
    @inlinable package static var writeNotPermitted: Self { Self(rawValue: 0x03) }
    @inlinable package static var invalidPDU: Self { Self(rawValue: 0x04) }
    @inlinable package static var insufficientAuthentication: Self { Self(rawValue: 0x05) }
    @inlinable package static var requestNotSupported: Self { Self(rawValue: 0x06) }
    @inlinable package static var invalidOffset: Self { Self(rawValue: 0x07) }
    @inlinable package static var insufficientAuthorization: Self { Self(rawValue: 0x08) }
    @inlinable package static var prepareQueueFull: Self { Self(rawValue: 0x09) }
    @inlinable package static var attributeNotLong: Self { Self(rawValue: 0x0B) }
    @inlinable package static var encryptionKeySizeTooShort: Self { Self(rawValue: 0x0C) }
    @inlinable package static var invalidAttributeValueLength: Self { Self(rawValue: 0x0D) }
    @inlinable package static var unlikelyError: Self { Self(rawValue: 0x0E) }
    @inlinable package static var insufficientEncryption: Self { Self(rawValue: 0x0F) }
    @inlinable package static var unsupportedGroupType: Self { Self(rawValue: 0x10) }
    @inlinable package static var insufficientResources: Self { Self(rawValue: 0x11) }
    @inlinable package static var databaseOutOfSync: Self { Self(rawValue: 0x12) }
    @inlinable package static var valueNotAllowed: Self { Self(rawValue: 0x13) }
    @inlinable package static var clientCharacteristicConfigurationImproperlyConfigured: Self { Self(rawValue: 0xFD) }
    @inlinable package static var procedureAlreadyInProgress: Self { Self(rawValue: 0xFE) }

    /// 0x80 to 0x9F, which the service that answers defines.
    package var isOfApplication: Bool { 0x80...0x9F ~= rawValue }
    /// 0xE0 to 0xFF, of the Core Specification Supplement.
    package var isCommonProfile: Bool { rawValue >= 0xE0 }
}
