import AttlasCapture
import AttlasWire

/// How a request or an indication ended that got no answer. Documentation/procedures.md has the definitions, which hold for all commands.
///
/// One that was answered is in `ATTOperation.request` of its answer.
public struct ExchangeEnd: Sendable {
    /// The request or the indication.
    public let asked: WaitingRequest
    /// The bearer that carried it.
    public let bearer: Bearer.Kind
    /// The server of the request, or the sender of the indication.
    public let server: ServerSide
    /// Nanoseconds that it had waited; nil if the clock of the capture was set meanwhile.
    public let age: Int64?
    /// Why it ended.
    public let outcome: Outcome

    /// Nanoseconds after which a transaction has failed: it has to be complete within 30 s. Core Specification, Vol 3, Part F, 3.3.3.
    public static let timeout: Int64 = 30_000_000_000

    /// How it ended.
    public enum Outcome: Sendable {
        /// The connection ended first, or 30 s passed.
        case unanswered
        /// The capture ended first, within 30 s.
        case open
        /// The same side sent another one before the answer came. Core Specification, Vol 3, Part F, 3.3.2.
        case overlapped(by: WaitingRequest)
        /// The answer may have come.
        case doubtful(Doubt)
    }

    /// Why it is unknown whether an answer came.
    public enum Doubt: String, Sendable {
        /// Packets or records are missing from the capture.
        case missing
        /// A PDU could not be read, or was not decrypted.
        case unreadable
        /// A response to another request came in its place. Core Specification, Vol 3, Part F, 3.4.1.1.
        case otherAnswer
        /// The capture does not show which side asked.
        case direction
    }

    /// Whether it waited for 30 s.
    public var isTimedOut: Bool { (age ?? 0) >= Self.timeout }
}

/// A response or a confirmation without a request, as far as the capture shows.
public enum UnexpectedAnswer: Sendable {
    /// No request waits.
    case nothingWaits
    /// Another request waits.
    case otherWaits(WaitingRequest)
}

extension AnsweredRequest {
    /// Whether the answer came after the transaction had failed.
    public var isLate: Bool { (roundTrip ?? 0) >= ExchangeEnd.timeout }
}

/// The number of answers that may come without a request in the capture.
struct Excuses: Sendable {
    private var count = 0
    /// All of them are for possible requests in a gap of the capture.
    private var isAfterGap = false

    private static let most = 1_000

    mutating func add(_ added: Int = 1, isAfterGap: Bool) {
        self.isAfterGap = isAfterGap && (count == 0 || self.isAfterGap)
        count = min(count + added, Self.most)
    }

    /// Uses one, if there is one.
    mutating func use() -> Bool {
        guard count > 0 else { return false }
        count -= 1
        return true
    }

    /// Requests after the gap were answered: before it nothing is open, because one is answered before the next.
    @inline(__always)
    mutating func settle() {
        if isAfterGap { count = 0 }
    }
}
