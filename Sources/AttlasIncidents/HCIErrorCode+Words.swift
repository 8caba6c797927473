import AttlasWire

/// HCI error codes in words. Core Specification, Vol 1, Part F.
extension HCIErrorCode {
    /// `Connection Timeout (0x08)`
    var words: String { "\(name) (0x\(hexadecimal(UInt16(rawValue), digits: 2)))" }

    /// What the code says of the cause.
    var meaning: String {
        switch rawValue {
        case 0x01: "The controller does not know this command."
        case 0x02: "The controller has no connection with this handle any more."
        case 0x04: "The device did not answer the controller's paging."
        case 0x05: "Key or PIN of the two sides did not match."
        case 0x06: "One side has no key for the other."
        case 0x07: "The controller is out of memory."
        case 0x08: "No packet of the device came before the time was over."
        case 0x09, 0x0A: "The controller has as many connections as it can hold."
        case 0x0B: "There is a connection with this device already."
        case 0x0C: "The controller cannot do this in its present state."
        case 0x0D, 0x14: "A side has no room for this connection."
        case 0x0E: "The device refuses connections without security."
        case 0x0F: "The device does not accept this address."
        case 0x10: "The device did not accept the connection in time."
        case 0x11, 0x1A, 0x20: "The controller or the device does not support it."
        case 0x12, 0x1E, 0x30: "A parameter is out of range, or does not go with another one."
        case 0x15: "The device is about to switch itself off."
        case 0x18: "The device does not allow pairing."
        case 0x1F: "The controller does not say more."
        case 0x22: "A link layer procedure was not answered in time."
        case 0x28: "The packet with the update came after the event from which it was to be used."
        case 0x29: "Pairing with a unit key is not supported."
        case 0x2A, 0x23: "Both sides began a procedure at once."
        case 0x3A: "The controller is busy with another command."
        case 0x3B: "The parameters asked for are not acceptable to the other side."
        case 0x3C: "The time that the host had set is over."
        case 0x3E: "No packet of the peer came in the first six connection events."
        case 0x42: "The controller has no advertising set with this handle."
        case 0x43: "The number that the host had set is reached."
        case 0x44: "The host cancelled it."
        default: "The controller gives this code, and no other packet explains it."
        }
    }

    var cause: Incident.Cause {
        rawValue == 0x1F
            ? .unknown("The log of the side that ended it would tell: Unspecified Error names no cause.")
            : .proved(meaning)
    }

    /// What to do about a connection that was not made, or ended, with this code.
    var advice: String {
        switch rawValue {
        case 0x05, 0x06: "Delete the bond on both devices and pair again."
        case 0x04: "Check that the device is on, in range and connectable."
        case 0x08, 0x10: "Repeat with both devices within 1 m."
        case 0x07, 0x09, 0x0D, 0x14: "Close other connections first."
        case 0x0C: "Look at what the controller was doing: another attempt may be pending."
        case 0x15: "Look at the power supply of the device."
        case 0x1A, 0x20: "Leave out the feature that one side does not support."
        case 0x12, 0x3B: "Ask for connection parameters that both sides accept."
        default: "Look at the log of the side that ended it."
        }
    }
}
