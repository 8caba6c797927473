extension ATTOpcode {
    /// The PDU's name without Request, Response and Handle Value: the arrow and the round trip show which it is.
    public var shortName: String {
        switch rawValue {
        case 0x01: "Error"
        case 0x02, 0x03: "Exchange MTU"
        case 0x04, 0x05: "Find Information"
        case 0x06, 0x07: "Find By Type Value"
        case 0x08, 0x09: "Read By Type"
        case 0x0A, 0x0B: "Read"
        case 0x0C, 0x0D: "Read Blob"
        case 0x0E, 0x0F: "Read Multiple"
        case 0x10, 0x11: "Read By Group Type"
        case 0x12, 0x13: "Write"
        case 0x16, 0x17: "Prepare Write"
        case 0x18, 0x19: "Execute Write"
        case 0x1B: "Notification"
        case 0x1D: "Indication"
        case 0x1E: "Confirmation"
        case 0x20, 0x21: "Read Multiple Var."
        case 0x23: "Multiple Notif."
        case 0x52: "Write Command"
        case 0xD2: "Signed Write Cmd"
        default: "Unknown opcode"
        }
    }
}
