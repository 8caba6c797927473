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
    enum Kind {
        /// Keys of an entry of expectations.yaml without its id, with their values.
        case entry(KeyValuePairs<String, String>)
        /// All of expectations.yaml.
        case file(String, name: String)
        case findings(Capture.Finding.Severity)
    }

    let kind: Kind
}

/// Puts the lines of `expect` together.
@resultBuilder public enum CaptureExpectationBuilder {
    /// A line.
    public static func buildExpression(_ expectation: some CaptureExpectation) -> [CaptureCheck] { expectation.checks }
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
/// ```
public struct After: CaptureExpectation {
    /// What happened.
    public struct Trigger: Sendable {
        let characteristic: String

        /// A client subscribed to a characteristic, by UUID or name.
        public static func subscribed(_ characteristic: String) -> Trigger { Trigger(characteristic: characteristic) }
    }

    /// The check.
    public let checks: [CaptureCheck]

    /// - Parameter follows: what has to follow.
    public init(_ trigger: Trigger, _ follows: () -> Notified) {
        checks = [
            CaptureCheck(
                kind: .entry(["characteristic": trigger.characteristic, "notifies-within": follows().limit.text]))
        ]
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

/// Something that does not happen.
public struct Never: CaptureExpectation {
    /// What does not happen.
    public struct Event: Sendable {
        let entry: KeyValuePairs<String, String>

        /// Something broke, slowed down or stopped.
        public static let incident = Event(entry: ["incidents": "none"])
        /// A peer refused a request.
        public static let error = Event(entry: ["errors-at-most": "0"])
        /// A peer refused a request about this characteristic, by UUID or name.
        public static func error(of characteristic: String) -> Event {
            Event(entry: ["characteristic": characteristic, "errors-at-most": "0"])
        }
    }

    /// The check.
    public let checks: [CaptureCheck]

    /// That this does not happen.
    public init(_ event: Event) { checks = [CaptureCheck(kind: .entry(event.entry))] }
}

/// No rule of `attlas lint` of this severity, or a higher one, finds anything.
public struct NoFindings: CaptureExpectation {
    /// The check.
    public let checks: [CaptureCheck]

    /// - Parameter severity: the lowest that counts.
    public init(_ severity: Capture.Finding.Severity) { checks = [CaptureCheck(kind: .findings(severity))] }
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
                kind: .entry(
                    names.isEmpty
                        ? ["characteristic": characteristic, "exists": "true"]
                        : ["characteristic": characteristic, "properties": "[\(names.joined(separator: ", "))]"]))
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
        checks = [CaptureCheck(kind: .entry(["method": name, "rtt": "\(figure) < \(limit.text)"]))]
    }
}

/// What a file for `attlas check` expects: every check that there is.
public struct Expectations: CaptureExpectation {
    /// The check.
    public let checks: [CaptureCheck]

    /// - Parameter name: stands for the file in messages.
    public init(yaml: String, named name: String = "expectations.yaml") {
        checks = [CaptureCheck(kind: .file(yaml, name: name))]
    }
}

extension Duration {
    /// `200 ms`, `1500 us`: at most a year, which is longer than any capture.
    fileprivate var text: String {
        let (seconds, attoseconds) = Swift.min(Swift.max(self, .zero), .seconds(31_536_000)).components
        let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        return microseconds.isMultiple(of: 1_000) ? "\(microseconds / 1_000) ms" : "\(microseconds) us"
    }
}

extension CaptureCheck {
    /// As in expectations.yaml.
    static func expectations(
        _ checks: [CaptureCheck], _ library: DissectorLibrary
    ) throws(ExpectationMistake) -> [Expectation] {
        var entries = ""
        var all: [Expectation] = []
        for (index, check) in checks.enumerated() {
            switch check.kind {
            case .entry(let pairs):
                // The list of properties is ours; a name may have any character.
                let values = pairs.map { "\($0): \($0 == "properties" ? $1 : quoted($1))" }
                entries += "  - { id: expectation-\(index + 1), \(values.joined(separator: ", ")) }\n"
            case .file(let text, let name): all += try read(text, name, library)
            case .findings: break
            }
        }
        if !entries.isEmpty { all += try read("expectations:\n" + entries, "expect", library) }
        return all
    }

    private static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "''"))'" }

    private static func read(
        _ text: String, _ name: String, _ library: DissectorLibrary
    ) throws(ExpectationMistake) -> [Expectation] {
        do {
            return try Expectation.text(text, named: name, library)
        } catch {
            let lines = (error as? ProjectMistakes)?.mistakes.map(\.description) ?? ["\(error)"]
            throw ExpectationMistake(description: lines.joined(separator: "\n"))
        }
    }
}

/// An expectation that names something that does not exist.
public struct ExpectationMistake: Error, Sendable, CustomStringConvertible {
    public let description: String
}
