import Foundation
import Testing

/// Compares an output with a file in Captures/expected.
///
/// `ATTLAS_UPDATE_EXPECTED=1 swift test` writes the expected output again; read the difference before you commit it.
package func expect(
    _ output: String, equalsFile file: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let url = Repository.captures.appending(path: "expected/\(file)")
    if ProcessInfo.processInfo.environment["ATTLAS_UPDATE_EXPECTED"] != nil {
        try output.write(to: url, atomically: true, encoding: .utf8)
    }
    let expected = try String(contentsOf: url, encoding: .utf8)
    expectText(output, equals: expected, "\(file), ", sourceLocation: sourceLocation)
}

/// Compares a text with what it must be, and reports the first line that differs.
package func expectText(
    _ output: String, equals expected: String, _ name: String = "", sourceLocation: SourceLocation = #_sourceLocation
) {
    let (got, wanted) = (
        output.split(separator: "\n", omittingEmptySubsequences: false),
        expected.split(separator: "\n", omittingEmptySubsequences: false)
    )
    for (number, (got, wanted)) in zip(got, wanted).enumerated() where got != wanted {
        Issue.record(
            "\(name)line \(number + 1):\n  got    \(got)\n  wanted \(wanted)", sourceLocation: sourceLocation)
        return
    }
    #expect(got.count == wanted.count, "\(name)lines", sourceLocation: sourceLocation)
}

/// A JSON document with a line for each object, so that the difference of two can be read. Nothing else is changed.
package func linesOfObjects(_ json: String) -> String {
    var lines = ""
    var isInString = false
    var isEscaped = false
    for character in json {
        if character == "{", !isInString, !lines.isEmpty { lines.append("\n") }
        lines.append(character)
        if character == "\"", !isEscaped { isInString.toggle() }
        isEscaped = isInString && character == "\\" && !isEscaped
    }
    return lines
}

extension String {
    /// How often a text occurs in this one.
    package func components(_ text: String) -> Int { ranges(of: text).count }
}
