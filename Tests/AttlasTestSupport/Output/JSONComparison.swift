import Foundation
import Testing

/// Compares a JSON document with what it must have: each key that is missing, too many or has another value is an issue of its
/// own. The order of keys does not count.
package func expectJSON(
    _ output: String, equals expected: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    #expect(output.hasSuffix("\n"), "a document ends its line", sourceLocation: sourceLocation)
    let got = try JSONDecoder().decode(JSONValue.self, from: Data(output.utf8))
    let wanted = try JSONDecoder().decode(JSONValue.self, from: Data(expected.utf8))
    for difference in got.differences(from: wanted) { Issue.record("\(difference)", sourceLocation: sourceLocation) }
}

package enum JSONValue: Decodable, Equatable {
    case null
    case boolean(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// `/peers/0/name: "A", not "B"` for each place where two documents differ.
    package func differences(from wanted: JSONValue, at path: String = "") -> [String] {
        switch (self, wanted) {
        case (.array(let got), .array(let wanted)):
            let common = zip(got, wanted).enumerated().flatMap { index, pair in
                pair.0.differences(from: pair.1, at: "\(path)/\(index)")
            }
            return got.count == wanted.count
                ? common : common + ["\(path): \(got.count) elements, not \(wanted.count)"]
        case (.object(let got), .object(let wanted)):
            return Set(got.keys).union(wanted.keys).sorted().flatMap { key in
                switch (got[key], wanted[key]) {
                case (let value?, let expected?): value.differences(from: expected, at: "\(path)/\(key)")
                case (let value?, nil): ["\(path)/\(key): there is \(value), and there must be nothing"]
                default: ["\(path)/\(key): is not there"]
                }
            }
        default:
            return self == wanted ? [] : ["\(path): \(self), not \(wanted)"]
        }
    }
}

/// The member of a capture of which nothing is missing.
package func complete(_ records: Int, as key: String = "integrity") -> String {
    #"""
    "\#(key)": {"complete": true, "records": \#(records), "unreadable": 0, "lost": 0, "missed": 0, "skipped": 0,
     "cut": 0, "ends_early": false, "cuts": [], "limits": []}
    """#
}
