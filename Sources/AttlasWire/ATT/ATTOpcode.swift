/// The first octet of every ATT PDU. Core Specification, Vol 3, Part F, 3.3.1.
///
/// ```
///  7                       6              5 … 0
/// +----------------------+--------------+--------+
/// | Authentication Signature | Command | Method |
/// +----------------------+--------------+--------+
/// ```
public struct ATTOpcode: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The specification's properties of one opcode, in one row.
    public struct Definition: Sendable {
        /// PDU type of Vol 3, Part F, 3.3.
        public enum Kind: Sendable {
            case request, response, command, notification, indication, confirmation
        }

        /// Name of the PDU in the specification.
        public let name: StaticString
        /// Request, response, command, notification, indication or confirmation.
        public let kind: Kind
        /// Octets of the shortest valid PDU, opcode included. The views ask for no more than their accessors need.
        public let minimumLength: Int
        /// Whether every valid PDU has exactly `minimumLength` octets.
        public let isFixedLength: Bool
    }

    /// nil for an opcode that the specification does not define.
    public var definition: Definition? {
        switch rawValue {
        case 0x01: .init(name: "Error Response", kind: .response, minimumLength: 5, isFixedLength: true)
        case 0x02: .init(name: "Exchange MTU Request", kind: .request, minimumLength: 3, isFixedLength: true)
        case 0x03: .init(name: "Exchange MTU Response", kind: .response, minimumLength: 3, isFixedLength: true)
        case 0x04: .init(name: "Find Information Request", kind: .request, minimumLength: 5, isFixedLength: true)
        case 0x05: .init(name: "Find Information Response", kind: .response, minimumLength: 6, isFixedLength: false)
        case 0x06: .init(name: "Find By Type Value Request", kind: .request, minimumLength: 7, isFixedLength: false)
        case 0x07: .init(name: "Find By Type Value Response", kind: .response, minimumLength: 5, isFixedLength: false)
        case 0x08: .init(name: "Read By Type Request", kind: .request, minimumLength: 7, isFixedLength: false)
        case 0x09: .init(name: "Read By Type Response", kind: .response, minimumLength: 4, isFixedLength: false)
        case 0x0A: .init(name: "Read Request", kind: .request, minimumLength: 3, isFixedLength: true)
        case 0x0B: .init(name: "Read Response", kind: .response, minimumLength: 1, isFixedLength: false)
        case 0x0C: .init(name: "Read Blob Request", kind: .request, minimumLength: 5, isFixedLength: true)
        case 0x0D: .init(name: "Read Blob Response", kind: .response, minimumLength: 1, isFixedLength: false)
        case 0x0E: .init(name: "Read Multiple Request", kind: .request, minimumLength: 5, isFixedLength: false)
        case 0x0F: .init(name: "Read Multiple Response", kind: .response, minimumLength: 1, isFixedLength: false)
        case 0x10: .init(name: "Read By Group Type Request", kind: .request, minimumLength: 7, isFixedLength: false)
        case 0x11: .init(name: "Read By Group Type Response", kind: .response, minimumLength: 6, isFixedLength: false)
        case 0x12: .init(name: "Write Request", kind: .request, minimumLength: 3, isFixedLength: false)
        case 0x13: .init(name: "Write Response", kind: .response, minimumLength: 1, isFixedLength: true)
        case 0x16: .init(name: "Prepare Write Request", kind: .request, minimumLength: 5, isFixedLength: false)
        case 0x17: .init(name: "Prepare Write Response", kind: .response, minimumLength: 5, isFixedLength: false)
        case 0x18: .init(name: "Execute Write Request", kind: .request, minimumLength: 2, isFixedLength: true)
        case 0x19: .init(name: "Execute Write Response", kind: .response, minimumLength: 1, isFixedLength: true)
        case 0x1B: .init(name: "Handle Value Notification", kind: .notification, minimumLength: 3, isFixedLength: false)
        case 0x1D: .init(name: "Handle Value Indication", kind: .indication, minimumLength: 3, isFixedLength: false)
        case 0x1E: .init(name: "Handle Value Confirmation", kind: .confirmation, minimumLength: 1, isFixedLength: true)
        case 0x20:
            .init(name: "Read Multiple Variable Request", kind: .request, minimumLength: 5, isFixedLength: false)
        case 0x21:
            .init(name: "Read Multiple Variable Response", kind: .response, minimumLength: 5, isFixedLength: false)
        case 0x23:
            .init(
                name: "Multiple Handle Value Notification", kind: .notification, minimumLength: 9, isFixedLength: false)
        case 0x52: .init(name: "Write Command", kind: .command, minimumLength: 3, isFixedLength: false)
        case 0xD2: .init(name: "Signed Write Command", kind: .command, minimumLength: 15, isFixedLength: false)
        default: nil
        }
    }

    /// A request that searches a range of handles.
    public var takesRange: Bool { [0x04, 0x06, 0x08, 0x10].contains(rawValue) }

    /// The command flag: the receiver answers nothing, even when it does not know the opcode.
    public var isCommand: Bool { rawValue & 0x40 != 0 }
}
