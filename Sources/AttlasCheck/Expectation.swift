import AttlasDissection
import AttlasIncidents
import AttlasLint
import AttlasValues
import AttlasWire

/// What a project expects of a capture: Documentation/expectations.md describes each check.
package struct Expectation: Sendable {
    /// To add one: its parser in `ExpectationReader`, its judgement in `ExpectationJudge`, the three outcomes and the
    /// mistakes in `ExpectationTests`, the key in Documentation/schemas/expectations.schema.json, and a row in
    /// Documentation/expectations.md.
    enum Check: Sendable {
        case exists(Bool)
        case properties(CharacteristicProperties)
        /// Nanoseconds.
        case notifiesWithin(Int64)
        /// PDUs in a second.
        case rateAtLeast(Double)
        case errorsAtMost(Int)
        /// Microseconds. nil: the greatest of all.
        case roundTrip(method: FoldedText?, percentile: Double?, below: Int)
        case range(field: FoldedText, ClosedRange<Double>)
        /// Nanoseconds.
        case reconnectsWithin(Int64)
        case lint(Glob)
        /// The most of each kind. Of the others, none that broke or hindered anything.
        case incidents([Incident.Kind: Int])
    }

    /// The attributes and the peers that it is about. nil: all.
    struct Subject: Sendable {
        var peer: FoldedText?
        var service: AttributeName?
        var characteristic: AttributeName?

        func includes(_ address: BluetoothAddress?, _ name: String?) -> Bool {
            guard let peer else { return true }
            return [name, address?.description].compactMap(\.self).contains { FoldedText($0).contains(peer) }
        }
    }

    /// A UUID or a name, as in filters.
    struct AttributeName: Sendable {
        let text: String

        func matches(_ uuid: BluetoothUUID, named name: String?) -> Bool {
            BluetoothUUID(text) == uuid || name.map { FoldedText($0) == FoldedText(text) } ?? false
        }
    }

    /// `expect/` and its id.
    package let rule: LintRule
    let subject: Subject
    let check: Check

    /// Those of a file.
    ///
    /// - Throws: `ProjectMistakes`
    package static func file(_ path: String, _ library: DissectorLibrary) throws -> [Expectation] {
        var reader = ConfigurationReader(path: path)
        return try reader.readExpectations(library)
    }

    /// The same of a text.
    package static func text(
        _ text: String, named name: String, _ library: DissectorLibrary
    ) throws -> [Expectation] {
        var reader = ConfigurationReader(path: name, text: text)
        return try reader.readExpectations(library)
    }
}
