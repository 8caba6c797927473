import AttlasTestSupport
import Foundation
import Testing

/// Holds an output against a file in Captures/expected.
///
/// `ATTLAS_UPDATE_EXPECTED=1 swift test` writes the expected output anew; read the difference before you commit it.
func expect(
    _ output: String, equals file: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let url = Repository.captures.appending(path: "expected/\(file)")
    if ProcessInfo.processInfo.environment["ATTLAS_UPDATE_EXPECTED"] != nil {
        try output.write(to: url, atomically: true, encoding: .utf8)
    }
    let expected = try String(contentsOf: url, encoding: .utf8)
    for (number, (got, wanted)) in zip(output.split(separator: "\n"), expected.split(separator: "\n")).enumerated()
    where got != wanted {
        Issue.record(
            "\(file), line \(number + 1) of those not empty:\n  got    \(got)\n  wanted \(wanted)",
            sourceLocation: sourceLocation)
        return
    }
    #expect(output == expected, "\(file)", sourceLocation: sourceLocation)
}

/// A JSON document with a line for each object, so that the difference of two can be read. Nothing else is changed.
func linesOfObjects(_ json: String) -> String {
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
