/// Why a controller could not, or why a link ended. Core Specification, Vol 1, Part F, 1.3.
public struct HCIErrorCode: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Success (0x00).
    public static let success = HCIErrorCode(rawValue: 0x00)

    /// Whether the code is 0x00.
    public var isSuccess: Bool { rawValue == 0x00 }

    /// Whether the host of one side ended a link because it wanted to: its user, its resources or its power.
    package var isEndByHost: Bool { 0x13...0x16 ~= rawValue }
}

/// The codes that modules above compare: computed, so that they compile to numbers there.
extension HCIErrorCode {
    @inlinable package static var unknownHCICommand: Self { Self(rawValue: 0x01) }
    @inlinable package static var unknownConnectionIdentifier: Self { Self(rawValue: 0x02) }
    @inlinable package static var pageTimeout: Self { Self(rawValue: 0x04) }
    @inlinable package static var authenticationFailure: Self { Self(rawValue: 0x05) }
    @inlinable package static var pinOrKeyMissing: Self { Self(rawValue: 0x06) }
    @inlinable package static var memoryCapacityExceeded: Self { Self(rawValue: 0x07) }
    @inlinable package static var connectionTimeout: Self { Self(rawValue: 0x08) }
    @inlinable package static var connectionLimitExceeded: Self { Self(rawValue: 0x09) }
    @inlinable package static var synchronousConnectionLimitExceeded: Self { Self(rawValue: 0x0A) }
    @inlinable package static var connectionAlreadyExists: Self { Self(rawValue: 0x0B) }
    @inlinable package static var commandDisallowed: Self { Self(rawValue: 0x0C) }
    @inlinable package static var rejectedLimitedResources: Self { Self(rawValue: 0x0D) }
    @inlinable package static var rejectedSecurityReasons: Self { Self(rawValue: 0x0E) }
    @inlinable package static var rejectedUnacceptableAddress: Self { Self(rawValue: 0x0F) }
    @inlinable package static var connectionAcceptTimeoutExceeded: Self { Self(rawValue: 0x10) }
    @inlinable package static var unsupportedFeatureOrParameterValue: Self { Self(rawValue: 0x11) }
    @inlinable package static var invalidHCICommandParameters: Self { Self(rawValue: 0x12) }
    @inlinable package static var remoteUserTerminatedConnection: Self { Self(rawValue: 0x13) }
    @inlinable package static var remoteDeviceTerminatedLowResources: Self { Self(rawValue: 0x14) }
    @inlinable package static var remoteDeviceTerminatedPowerOff: Self { Self(rawValue: 0x15) }
    @inlinable package static var terminatedByLocalHost: Self { Self(rawValue: 0x16) }
    @inlinable package static var pairingNotAllowed: Self { Self(rawValue: 0x18) }
    @inlinable package static var unsupportedRemoteFeature: Self { Self(rawValue: 0x1A) }
    @inlinable package static var invalidLLParameters: Self { Self(rawValue: 0x1E) }
    @inlinable package static var unspecifiedError: Self { Self(rawValue: 0x1F) }
    @inlinable package static var unsupportedLLParameterValue: Self { Self(rawValue: 0x20) }
    @inlinable package static var llResponseTimeout: Self { Self(rawValue: 0x22) }
    @inlinable package static var llProcedureCollision: Self { Self(rawValue: 0x23) }
    @inlinable package static var encryptionModeNotAcceptable: Self { Self(rawValue: 0x25) }
    @inlinable package static var instantPassed: Self { Self(rawValue: 0x28) }
    @inlinable package static var pairingWithUnitKeyNotSupported: Self { Self(rawValue: 0x29) }
    @inlinable package static var differentTransactionCollision: Self { Self(rawValue: 0x2A) }
    @inlinable package static var parameterOutOfMandatoryRange: Self { Self(rawValue: 0x30) }
    @inlinable package static var controllerBusy: Self { Self(rawValue: 0x3A) }
    @inlinable package static var unacceptableConnectionParameters: Self { Self(rawValue: 0x3B) }
    @inlinable package static var advertisingTimeout: Self { Self(rawValue: 0x3C) }
    @inlinable package static var micFailure: Self { Self(rawValue: 0x3D) }
    @inlinable package static var failedToBeEstablished: Self { Self(rawValue: 0x3E) }
    @inlinable package static var unknownAdvertisingIdentifier: Self { Self(rawValue: 0x42) }
    @inlinable package static var limitReached: Self { Self(rawValue: 0x43) }
    @inlinable package static var operationCancelledByHost: Self { Self(rawValue: 0x44) }
}
