/// Why a controller could not, or why a link ended. Core Specification, Vol 1, Part F, 1.3.
public struct HCIErrorCode: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Success (0x00).
    public static let success = HCIErrorCode(rawValue: 0x00)

    /// Whether the code is 0x00.
    public var isSuccess: Bool { rawValue == 0x00 }
}

/// The codes that modules above compare.
extension HCIErrorCode {
    package static let unknownHCICommand = Self(rawValue: 0x01)
    package static let unknownConnectionIdentifier = Self(rawValue: 0x02)
    package static let pageTimeout = Self(rawValue: 0x04)
    package static let authenticationFailure = Self(rawValue: 0x05)
    package static let pinOrKeyMissing = Self(rawValue: 0x06)
    package static let memoryCapacityExceeded = Self(rawValue: 0x07)
    package static let connectionTimeout = Self(rawValue: 0x08)
    package static let connectionLimitExceeded = Self(rawValue: 0x09)
    package static let synchronousConnectionLimitExceeded = Self(rawValue: 0x0A)
    package static let connectionAlreadyExists = Self(rawValue: 0x0B)
    package static let commandDisallowed = Self(rawValue: 0x0C)
    package static let rejectedLimitedResources = Self(rawValue: 0x0D)
    package static let rejectedSecurityReasons = Self(rawValue: 0x0E)
    package static let rejectedUnacceptableAddress = Self(rawValue: 0x0F)
    package static let connectionAcceptTimeoutExceeded = Self(rawValue: 0x10)
    package static let unsupportedFeatureOrParameterValue = Self(rawValue: 0x11)
    package static let invalidHCICommandParameters = Self(rawValue: 0x12)
    package static let remoteUserTerminatedConnection = Self(rawValue: 0x13)
    package static let remoteDeviceTerminatedLowResources = Self(rawValue: 0x14)
    package static let remoteDeviceTerminatedPowerOff = Self(rawValue: 0x15)
    package static let terminatedByLocalHost = Self(rawValue: 0x16)
    package static let pairingNotAllowed = Self(rawValue: 0x18)
    package static let unsupportedRemoteFeature = Self(rawValue: 0x1A)
    package static let invalidLLParameters = Self(rawValue: 0x1E)
    package static let unspecifiedError = Self(rawValue: 0x1F)
    package static let unsupportedLLParameterValue = Self(rawValue: 0x20)
    package static let llResponseTimeout = Self(rawValue: 0x22)
    package static let llProcedureCollision = Self(rawValue: 0x23)
    package static let instantPassed = Self(rawValue: 0x28)
    package static let pairingWithUnitKeyNotSupported = Self(rawValue: 0x29)
    package static let differentTransactionCollision = Self(rawValue: 0x2A)
    package static let parameterOutOfMandatoryRange = Self(rawValue: 0x30)
    package static let controllerBusy = Self(rawValue: 0x3A)
    package static let unacceptableConnectionParameters = Self(rawValue: 0x3B)
    package static let advertisingTimeout = Self(rawValue: 0x3C)
    package static let micFailure = Self(rawValue: 0x3D)
    package static let failedToBeEstablished = Self(rawValue: 0x3E)
    package static let unknownAdvertisingIdentifier = Self(rawValue: 0x42)
    package static let limitReached = Self(rawValue: 0x43)
    package static let operationCancelledByHost = Self(rawValue: 0x44)
}
