import Attlas
import AttlasCheck
import AttlasDissection
import AttlasLint
import AttlasValues

/// Something that is expected of a capture: `expect` checks it. The checks are those of `attlas check`.
public protocol CaptureExpectation {
    /// The checks.
    var checks: [CaptureCheck] { get }
}

/// One check.
public struct CaptureCheck: Sendable {
    /// The line of a test that has the check.
    struct Place {
        let fileID: StaticString
        let filePath: StaticString
        let line: UInt
        let column: UInt
    }

    enum Kind {
        /// Keys of an entry of expectations.yaml without its id, with their values.
        case entry([(key: String, text: String)])
        /// All of expectations.yaml.
        case file(String, name: String)
        case findings(Capture.Finding.Severity)
    }

    let kind: Kind
    /// Set when `expect` puts its lines together.
    fileprivate(set) var place = Place(fileID: #fileID, filePath: #filePath, line: #line, column: #column)

    fileprivate init(_ kind: Kind) { self.kind = kind }
}

/// Puts the lines of `expect` together.
@resultBuilder public enum CaptureExpectationBuilder {
    /// A line, where a failure of its checks is reported.
    public static func buildExpression(
        _ expectation: some CaptureExpectation, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) -> [CaptureCheck] {
        expectation.checks.map { check in
            var check = check
            check.place = CaptureCheck.Place(fileID: fileID, filePath: filePath, line: line, column: column)
            return check
        }
    }
    /// Lines.
    public static func buildBlock(_ checks: [CaptureCheck]...) -> [CaptureCheck] { checks.flatMap(\.self) }
    /// `if`.
    public static func buildOptional(_ checks: [CaptureCheck]?) -> [CaptureCheck] { checks ?? [] }
    /// `for`.
    public static func buildArray(_ checks: [[CaptureCheck]]) -> [CaptureCheck] { checks.flatMap(\.self) }
}

/// After something happened, something else follows.
///
/// ```swift
/// After(.subscribed("2A37")) { Notified().within(.milliseconds(200)) }
/// After(.disconnected) { Reconnected().within(.seconds(5)) }
/// ```
public struct After: CaptureExpectation {
    /// A client subscribed for the first time in a connection.
    public struct Subscription: Sendable {
        let subject: [(key: String, text: String)]

        /// To a characteristic.
        /// - Parameters:
        ///   - characteristic: its UUID or name.
        ///   - service: the UUID or name of its service; nil for any.
        ///   - peer: a part of the peer's name or address; nil for all.
        public static func subscribed(
            _ characteristic: String, in service: String? = nil, of peer: String? = nil
        ) -> Subscription {
            let keys = [("characteristic", characteristic), ("service", service), ("peer", peer)]
            return Subscription(subject: keys.compactMap { key, text in text.map { (key, $0) } })
        }
    }

    /// A connection ended.
    public struct Disconnection: Sendable {
        let peer: String?

        /// With any peer.
        public static let disconnected = Disconnection(peer: nil)

        /// - Parameter peer: a part of the peer's name or address.
        public static func disconnected(from peer: String) -> Disconnection { Disconnection(peer: peer) }
    }

    /// The check.
    public let checks: [CaptureCheck]

    /// - Parameter follows: what has to follow.
    public init(_ subscription: Subscription, _ follows: () -> Notified) {
        checks = [CaptureCheck(.entry(subscription.subject + [("notifies-within", follows().limit.text)]))]
    }

    /// - Parameter follows: what has to follow.
    public init(_ disconnection: Disconnection, _ follows: () -> Reconnected) {
        let peer = disconnection.peer.map { [("peer", $0)] } ?? []
        checks = [CaptureCheck(.entry(peer + [("reconnects-within", follows().limit.text)]))]
    }
}

/// A first notification or indication of the characteristic.
public struct Notified: Sendable {
    let limit: Duration

    /// At any time before the ATT timeout of 30 s.
    public init() { self.init(limit: .seconds(30)) }

    private init(limit: Duration) { self.limit = limit }

    /// Within this time.
    public func within(_ limit: Duration) -> Notified { Notified(limit: limit) }
}

/// Another connection with the same peer.
public struct Reconnected: Sendable {
    let limit: Duration

    /// At any time.
    public init() { self.init(limit: .longest) }

    private init(limit: Duration) { self.limit = limit }

    /// Within this time.
    public func within(_ limit: Duration) -> Reconnected { Reconnected(limit: limit) }
}

/// Something that does not happen.
public struct Never: CaptureExpectation {
    /// What does not happen.
    public struct Event: Sendable {
        let entry: [(key: String, text: String)]

        /// Something broke, slowed down or stopped.
        public static let incident = Event(entry: [("incidents", "none")])
        /// A peer refused a request.
        public static let error = Event(entry: [("errors-at-most", "0")])
        /// A peer refused a request about this characteristic, by UUID or name.
        public static func error(of characteristic: String) -> Event {
            Event(entry: [("characteristic", characteristic), ("errors-at-most", "0")])
        }
    }

    /// The check.
    public let checks: [CaptureCheck]

    /// That this does not happen.
    public init(_ event: Event) { checks = [CaptureCheck(.entry(event.entry))] }
}

/// No rule of `attlas lint` of this severity, or a higher one, finds anything.
public struct NoFindings: CaptureExpectation {
    /// The check.
    public let checks: [CaptureCheck]

    /// - Parameter severity: the lowest that counts.
    public init(_ severity: Capture.Finding.Severity) { checks = [CaptureCheck(.findings(severity))] }
}

/// A peer has a characteristic, by UUID or name.
public struct Exists: CaptureExpectation {
    /// The check.
    public let checks: [CaptureCheck]

    /// - Parameter properties: what it declares, at least.
    public init(_ characteristic: String, _ properties: CharacteristicProperties = []) {
        let names = CharacteristicProperties.names.filter { properties.contains($0.0) }.map { "\($0.1)" }
        checks = [
            CaptureCheck(
                .entry([
                    ("characteristic", characteristic),
                    names.isEmpty ? ("exists", "true") : ("properties", "[\(names.joined(separator: ", "))]"),
                ]))
        ]
    }
}

/// The answers to a kind of request take less than this.
public struct RoundTrips: CaptureExpectation {
    /// The check.
    public let checks: [CaptureCheck]

    /// - Parameter percentile: 50, 90 or 99; nil for the longest.
    public init(_ method: Capture.Method, percentile: Int? = 99, below limit: Duration) {
        let name = "\(method)".replacing(" Request", with: "").replacing("Handle Value ", with: "")
        let figure = percentile.map { "p\($0)" } ?? "max"
        checks = [CaptureCheck(.entry([("method", name), ("rtt", "\(figure) < \(limit.text)")]))]
    }
}

/// What a file for `attlas check` expects: every check that there is.
public struct Expectations: CaptureExpectation {
    /// The check.
    public let checks: [CaptureCheck]

    /// - Parameter name: stands for the file in messages.
    public init(yaml: String, named name: String = "expectations.yaml") {
        checks = [CaptureCheck(.file(yaml, name: name))]
    }
}

extension Duration {
    /// A year: longer than any capture.
    fileprivate static let longest = Duration.seconds(31_536_000)

    /// `200 ms`, `1500 us`
    fileprivate var text: String {
        let (seconds, attoseconds) = Swift.min(Swift.max(self, .zero), .longest).components
        let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        return microseconds.isMultiple(of: 1_000) ? "\(microseconds / 1_000) ms" : "\(microseconds) us"
    }
}

extension CaptureCheck {
    /// As in expectations.yaml. None for findings of `attlas lint`.
    /// - Parameter id: of what is not from a file.
    func expectations(_ library: DissectorLibrary, id: String) throws(ExpectationMistake) -> [Expectation] {
        switch kind {
        case .entry(let pairs):
            // The list of properties is ours; a name may have any character.
            let values = pairs.map { "\($0): \($0 == "properties" ? $1 : Self.quoted($1))" }
            let entry = "  - { id: \(id), \(values.joined(separator: ", ")) }\n"
            return try Self.read("expectations:\n" + entry, named: nil, library)
        case .file(let text, let name): return try Self.read(text, named: name, library)
        case .findings: return []
        }
    }

    private static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "''"))'" }

    private static func read(
        _ text: String, named name: String?, _ library: DissectorLibrary
    ) throws(ExpectationMistake) -> [Expectation] {
        do {
            return try Expectation.text(text, named: name ?? "", library)
        } catch {
            // The line of the test is the place of what is not in a file.
            let lines =
                (error as? ProjectMistakes)?.mistakes.map { name == nil ? $0.message : $0.description } ?? ["\(error)"]
            throw ExpectationMistake(description: lines.joined(separator: "\n"))
        }
    }
}

/// An expectation that names something that does not exist.
struct ExpectationMistake: Error {
    let description: String
}
