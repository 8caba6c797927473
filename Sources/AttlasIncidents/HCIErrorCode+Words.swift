import AttlasWire

/// HCI error codes in words. Core Specification, Vol 1, Part F.
extension HCIErrorCode {
    /// `Connection Timeout (0x08)`
    var words: String { "\(name) (0x\(hexadecimal(UInt16(rawValue), digits: 2)))" }

    /// The cause that the code implies.
    var meaning: String {
        switch self {
        case .unknownHCICommand: "The controller does not know this command."
        case .unknownConnectionIdentifier: "The controller has no connection with this handle any more."
        case .pageTimeout: "The device did not answer the controller's paging."
        case .authenticationFailure: "Key or PIN of the two sides did not match."
        case .pinOrKeyMissing: "One side has no key for the other."
        case .memoryCapacityExceeded: "The controller is out of memory."
        case .connectionTimeout: "No packet of the device came before the time was over."
        case .connectionLimitExceeded, .synchronousConnectionLimitExceeded:
            "The controller has as many connections as it can hold."
        case .connectionAlreadyExists: "There is a connection with this device already."
        case .commandDisallowed: "The controller cannot do this in its present state."
        case .rejectedLimitedResources, .remoteDeviceTerminatedLowResources: "A side has no room for this connection."
        case .rejectedSecurityReasons: "The device refuses connections without security."
        case .rejectedUnacceptableAddress: "The device does not accept this address."
        case .connectionAcceptTimeoutExceeded: "The device did not accept the connection in time."
        case .unsupportedFeatureOrParameterValue, .unsupportedRemoteFeature, .unsupportedLLParameterValue:
            "The controller or the device does not support it."
        case .invalidHCICommandParameters, .invalidLLParameters, .parameterOutOfMandatoryRange:
            "A parameter is out of range, or does not go with another one."
        case .remoteDeviceTerminatedPowerOff: "The device is about to switch itself off."
        case .pairingNotAllowed: "The device does not allow pairing."
        case .unspecifiedError: "The controller does not say more."
        case .llResponseTimeout: "A link layer procedure was not answered in time."
        case .instantPassed: "The packet with the update came after the event from which it was to be used."
        case .pairingWithUnitKeyNotSupported: "Pairing with a unit key is not supported."
        case .differentTransactionCollision, .llProcedureCollision: "Both sides began a procedure at once."
        case .controllerBusy: "The controller is busy with another command."
        case .unacceptableConnectionParameters: "The parameters asked for are not acceptable to the other side."
        case .advertisingTimeout: "The time that the host had set is over."
        case .failedToBeEstablished: "No packet of the peer came in the first six connection events."
        case .unknownAdvertisingIdentifier: "The controller has no advertising set with this handle."
        case .limitReached: "The number that the host had set is reached."
        case .operationCancelledByHost: "The host cancelled it."
        default: "The controller gives this code, and no other packet explains it."
        }
    }

    var cause: Incident.Cause {
        self == .unspecifiedError
            ? .unknown("The log of the side that ended it would tell: Unspecified Error names no cause.")
            : .proved(meaning)
    }

    /// Advice for a connection that failed, or ended, with this code.
    var advice: String {
        switch self {
        case .authenticationFailure, .pinOrKeyMissing: PlatformAdvice.deleteBonds.rawValue
        case .pageTimeout: "Check that the device is on, in range and connectable."
        case .connectionTimeout, .connectionAcceptTimeoutExceeded: "Repeat with both devices within 1 m."
        case .memoryCapacityExceeded, .connectionLimitExceeded, .rejectedLimitedResources,
            .remoteDeviceTerminatedLowResources:
            "Close other connections first."
        case .commandDisallowed: "Look at what the controller was doing: another attempt may be pending."
        case .connectionAlreadyExists: "Use the connection that exists, or end it first."
        case .remoteDeviceTerminatedPowerOff: "Look at the power supply of the device."
        case .unsupportedRemoteFeature, .unsupportedLLParameterValue:
            "Leave out the feature that one side does not support."
        case .invalidHCICommandParameters, .unacceptableConnectionParameters:
            "Ask for connection parameters that both sides accept."
        default: "Look at the log of the side that ended it."
        }
    }
}
