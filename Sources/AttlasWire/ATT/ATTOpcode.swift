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

    @inlinable
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
        /// Without Request, Response and Handle Value.
        public let shortName: StaticString
        /// Request, response, command, notification, indication or confirmation.
        public let kind: Kind
        /// Octets that a valid PDU may have.
        public let length: Length
        /// Whether the two octets after the opcode are the handle of the one attribute that it is about.
        public let ownsHandle: Bool
        /// Whether its items have separate lengths, which may not add up to that of the PDU.
        public let isList: Bool

        /// Octets of a valid PDU, opcode included. The views require no more than their accessors need.
        public enum Length: Equatable, Sendable {
            case exactly(Int)
            case atLeast(Int)

            /// Whether a valid PDU may have as many octets.
            public func contains(_ octets: Int) -> Bool {
                switch self {
                case .exactly(let length): octets == length
                case .atLeast(let length): octets >= length
                }
            }
        }

        init(
            _ kind: Kind, _ name: StaticString, _ shortName: StaticString, _ length: Length, ownsHandle: Bool = false,
            isList: Bool = false
        ) {
            self.kind = kind
            self.name = name
            self.shortName = shortName
            self.length = length
            self.ownsHandle = ownsHandle
            self.isList = isList
        }
    }

    /// nil for an opcode that the specification does not define.
    public var definition: Definition? {
        switch rawValue {
        case 0x01: .init(.response, "Error Response", "Error", .exactly(5))
        case 0x02: .init(.request, "Exchange MTU Request", "Exchange MTU", .exactly(3))
        case 0x03: .init(.response, "Exchange MTU Response", "Exchange MTU", .exactly(3))
        case 0x04: .init(.request, "Find Information Request", "Find Information", .exactly(5))
        case 0x05: .init(.response, "Find Information Response", "Find Information", .atLeast(6), isList: true)
        case 0x06: .init(.request, "Find By Type Value Request", "Find By Type Value", .atLeast(7))
        case 0x07: .init(.response, "Find By Type Value Response", "Find By Type Value", .atLeast(5), isList: true)
        case 0x08: .init(.request, "Read By Type Request", "Read By Type", .atLeast(7))
        case 0x09: .init(.response, "Read By Type Response", "Read By Type", .atLeast(4), isList: true)
        case 0x0A: .init(.request, "Read Request", "Read", .exactly(3), ownsHandle: true)
        case 0x0B: .init(.response, "Read Response", "Read", .atLeast(1))
        case 0x0C: .init(.request, "Read Blob Request", "Read Blob", .exactly(5), ownsHandle: true)
        case 0x0D: .init(.response, "Read Blob Response", "Read Blob", .atLeast(1))
        case 0x0E: .init(.request, "Read Multiple Request", "Read Multiple", .atLeast(5), isList: true)
        case 0x0F: .init(.response, "Read Multiple Response", "Read Multiple", .atLeast(1))
        case 0x10: .init(.request, "Read By Group Type Request", "Read By Group Type", .atLeast(7))
        case 0x11: .init(.response, "Read By Group Type Response", "Read By Group Type", .atLeast(6), isList: true)
        case 0x12: .init(.request, "Write Request", "Write", .atLeast(3), ownsHandle: true)
        case 0x13: .init(.response, "Write Response", "Write", .exactly(1))
        case 0x16: .init(.request, "Prepare Write Request", "Prepare Write", .atLeast(5), ownsHandle: true)
        case 0x17: .init(.response, "Prepare Write Response", "Prepare Write", .atLeast(5))
        case 0x18: .init(.request, "Execute Write Request", "Execute Write", .exactly(2))
        case 0x19: .init(.response, "Execute Write Response", "Execute Write", .exactly(1))
        case 0x1B: .init(.notification, "Handle Value Notification", "Notification", .atLeast(3), ownsHandle: true)
        case 0x1D: .init(.indication, "Handle Value Indication", "Indication", .atLeast(3), ownsHandle: true)
        case 0x1E: .init(.confirmation, "Handle Value Confirmation", "Confirmation", .exactly(1))
        case 0x20: .init(.request, "Read Multiple Variable Request", "Read Multiple Var.", .atLeast(5), isList: true)
        case 0x21: .init(.response, "Read Multiple Variable Response", "Read Multiple Var.", .atLeast(5))
        case 0x23:
            .init(.notification, "Multiple Handle Value Notification", "Multiple Notif.", .atLeast(9), isList: true)
        case 0x52: .init(.command, "Write Command", "Write Command", .atLeast(3), ownsHandle: true)
        case 0xD2: .init(.command, "Signed Write Command", "Signed Write Cmd", .atLeast(15), ownsHandle: true)
        default: nil
        }
    }

    /// The PDU's name without Request, Response and Handle Value: the arrow and the round trip show which it is.
    public var shortName: StaticString { definition?.shortName ?? "Unknown opcode" }

    /// A request that searches a range of handles.
    public var takesRange: Bool {
        [.findInformationRequest, .findByTypeValueRequest, .readByTypeRequest, .readByGroupTypeRequest].contains(self)
    }

    /// The command flag: the receiver answers nothing, even when it does not know the opcode.
    public var isCommand: Bool { rawValue & 0x40 != 0 }
}

/// The opcodes that modules above compare: computed, so that they compile to numbers there.
extension ATTOpcode {
    @inlinable package static var errorResponse: Self { Self(rawValue: 0x01) }
    @inlinable package static var exchangeMTURequest: Self { Self(rawValue: 0x02) }
    @inlinable package static var exchangeMTUResponse: Self { Self(rawValue: 0x03) }
    @inlinable package static var findInformationRequest: Self { Self(rawValue: 0x04) }
    @inlinable package static var findInformationResponse: Self { Self(rawValue: 0x05) }
    @inlinable package static var findByTypeValueRequest: Self { Self(rawValue: 0x06) }
    @inlinable package static var findByTypeValueResponse: Self { Self(rawValue: 0x07) }
    @inlinable package static var readByTypeRequest: Self { Self(rawValue: 0x08) }
    @inlinable package static var readByTypeResponse: Self { Self(rawValue: 0x09) }
    @inlinable package static var readRequest: Self { Self(rawValue: 0x0A) }
    @inlinable package static var readResponse: Self { Self(rawValue: 0x0B) }
    @inlinable package static var readBlobRequest: Self { Self(rawValue: 0x0C) }
    @inlinable package static var readBlobResponse: Self { Self(rawValue: 0x0D) }
    @inlinable package static var readMultipleRequest: Self { Self(rawValue: 0x0E) }
    @inlinable package static var readMultipleResponse: Self { Self(rawValue: 0x0F) }
    @inlinable package static var readByGroupTypeRequest: Self { Self(rawValue: 0x10) }
    @inlinable package static var readByGroupTypeResponse: Self { Self(rawValue: 0x11) }
    @inlinable package static var writeRequest: Self { Self(rawValue: 0x12) }
    @inlinable package static var writeResponse: Self { Self(rawValue: 0x13) }
    @inlinable package static var prepareWriteRequest: Self { Self(rawValue: 0x16) }
    @inlinable package static var prepareWriteResponse: Self { Self(rawValue: 0x17) }
    @inlinable package static var executeWriteRequest: Self { Self(rawValue: 0x18) }
    @inlinable package static var executeWriteResponse: Self { Self(rawValue: 0x19) }
    @inlinable package static var handleValueNotification: Self { Self(rawValue: 0x1B) }
    @inlinable package static var handleValueIndication: Self { Self(rawValue: 0x1D) }
    @inlinable package static var handleValueConfirmation: Self { Self(rawValue: 0x1E) }
    @inlinable package static var readMultipleVariableRequest: Self { Self(rawValue: 0x20) }
    @inlinable package static var readMultipleVariableResponse: Self { Self(rawValue: 0x21) }
    @inlinable package static var multipleHandleValueNotification: Self { Self(rawValue: 0x23) }
    @inlinable package static var writeCommand: Self { Self(rawValue: 0x52) }
    @inlinable package static var signedWriteCommand: Self { Self(rawValue: 0xD2) }
}
