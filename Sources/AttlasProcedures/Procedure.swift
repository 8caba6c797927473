import AttlasCapture
import AttlasTrace
import AttlasWire

/// The actions of two devices, or of a host and its controller, from a first PDU to a last one, with their outcome.
///
/// Documentation/procedures.md has the definitions, which hold for all commands.
package struct Procedure: Sendable {
    package internal(set) var kind: Kind
    /// The number of the connection; nil for an attempt that led to none.
    package internal(set) var connection: Int?
    /// Index into `Trace.connections`, valid while the event is received that ended it.
    package internal(set) var slot: Int?
    package let controller: UInt16
    /// Direction of the first PDU; of a command `tx`. Unknown if the capture has only the end.
    package let asker: Direction
    /// The first record; nil if the capture has only the end.
    package let beganFrame: Int?
    /// Its time; nil if it is unknown, because the clock was set meanwhile.
    package let began: Timestamp?
    /// The last record; nil if the capture does not have its end.
    package internal(set) var ended: Moment?
    /// Exchanges of ATT, PDUs of a pairing, and 1 of anything else.
    package internal(set) var steps = 1
    /// Nanoseconds that the client waited for answers; nil without exchanges, and if a round trip is unknown.
    package internal(set) var waited: Int64?
    package internal(set) var outcome = Outcome.open
    /// The request of an exchange, or the first one of several.
    package internal(set) var opcode: ATTOpcode?
    /// The subject of the procedure.
    package internal(set) var server: ServerSide?
    package internal(set) var handle: AttributeHandle?
    package internal(set) var attribute: AttributeInfo?
    /// The bearer of its exchanges.
    var bearer: Bearer.Kind?
    /// The device that was to be connected; nil for any device of the Filter Accept List.
    package internal(set) var address: BluetoothAddress?

    /// The raw value is the name in tables, filters and JSON.
    package enum Kind: String, CaseIterable, Sendable {
        /// From the command to the connection or the failure. Core Specification, Vol 4, Part E, 7.8.12 and 7.8.66.
        case connectionAttempt = "connection attempt"
        /// Vol 6, Part B, 5.1.4.
        case featureExchange = "feature exchange"
        /// Vol 6, Part B, 5.1.5.
        case versionExchange = "version exchange"
        /// Vol 6, Part B, 5.1.9.
        case dataLengthUpdate = "data length update"
        /// Vol 6, Part B, 5.1.10.
        case phyUpdate = "PHY update"
        /// From the request of either side to new connection parameters. Vol 3, Part A, 4.20; Vol 6, Part B, 5.1.1 and 5.1.7.
        case parameterUpdate = "parameter update"
        /// From Pairing Request to encryption or Pairing Failed. Vol 3, Part H, 2.1.
        case pairing
        /// From the host's command to the change of encryption. Vol 6, Part B, 5.1.3.
        case encryption
        /// Vol 3, Part G, 4.3.1.
        case mtuExchange = "MTU exchange"
        /// Searches of one client for services, includes, characteristics and descriptors. Vol 3, Part G, 4.4 to 4.7.
        case discovery
        /// A write of a Client Characteristic Configuration, and its answer. Vol 3, Part G, 4.12.3.
        case subscription
        /// A Read Response that filled the MTU, and Read Blob Responses. Vol 3, Part G, 4.8.3.
        case longRead = "long read"
        /// Prepare Write Requests and Execute Write Request. Vol 3, Part G, 4.9.4.
        case longWrite = "long write"
        /// A request for a connection-oriented channel, or for several, and its response. Vol 3, Part A, 4.2, 4.22 and 4.25.
        case channel = "L2CAP channel"
        /// Any other request or indication, and its answer. Vol 3, Part F, 3.3.
        case exchange
    }

    /// How it ended.
    package enum Outcome: Sendable, Equatable {
        case done
        case refused(Refusal)
        /// The last answer came after 30 s or more.
        case late
        /// Its last request got no answer.
        case unanswered
        /// By the side that began it.
        case cancelled
        /// The connection ended first.
        case interrupted
        /// The capture ended first.
        case open
        /// It is unknown whether it ended: something is missing from the capture, or cannot be read.
        case doubtful

        /// The name in tables, filters and JSON; in the order of the page.
        package enum Word: Int, CaseIterable, Sendable {
            case done, refused, late, unanswered, cancelled, interrupted, open, doubtful

            /// Whether the end is a failure.
            package var isFailure: Bool {
                switch self {
                case .refused, .late, .unanswered, .interrupted: true
                case .done, .cancelled, .open, .doubtful: false
                }
            }

            /// Whether a log without every packet cannot show it: then it is doubtful.
            package var needsEveryPacket: Bool { self == .unanswered || self == .interrupted || self == .open }
        }

        package var word: Word {
            switch self {
            case .done: .done
            case .refused: .refused
            case .late: .late
            case .unanswered: .unanswered
            case .cancelled: .cancelled
            case .interrupted: .interrupted
            case .open: .open
            case .doubtful: .doubtful
            }
        }
    }

    /// Why one was refused.
    package enum Refusal: Sendable, Equatable {
        case att(ATTErrorCode)
        case smp(SMPReason)
        case hci(HCIErrorCode)
        /// The result of a response of L2CAP, with its name.
        case l2cap(UInt16, String?)

        /// The number of the specification.
        package var code: Int {
            switch self {
            case .att(let code): Int(code.rawValue)
            case .smp(let reason): Int(reason.rawValue)
            case .hci(let code): Int(code.rawValue)
            case .l2cap(let code, _): Int(code)
            }
        }
    }

    /// Nanoseconds from the first record to the last; nil if one of them is unknown, or the clock was set between them.
    package var duration: Int64? { ended.flatMap { end in began.flatMap { end.time.duration(since: $0) } } }
}
