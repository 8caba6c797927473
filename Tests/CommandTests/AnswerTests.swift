import AttlasTestSupport
import Foundation
import Testing

/// What `attlas why` says first about captures whose answers are known: `ATTLAS_ANSWERS` is a table with tabs and a head line. Its columns:
/// the path of a capture, from the table's folder; a frame of the evidence, or nothing; a regular expression of what the first incident must
/// say; one of what it must not say; and the answer in words.
@Suite struct AnswerTests {
    struct Answer: Sendable, CustomTestStringConvertible {
        let path: String
        let frame: String
        let says: String
        let saysNot: String

        var testDescription: String { path }
    }

    private static let table = ProcessInfo.processInfo.environment["ATTLAS_ANSWERS"].map { URL(fileURLWithPath: $0) }

    static let answers: [Answer] = {
        guard let table, let text = try? String(contentsOf: table, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").dropFirst().compactMap { line in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard columns.count >= 4 else { return nil }
            let path = table.deletingLastPathComponent().appendingPathComponent(columns[0]).path
            return Answer(path: path, frame: columns[1], says: columns[2], saysNot: columns[3])
        }
    }()

    @Test(.enabled(if: table != nil), arguments: answers) func isTheFirstOne(_ answer: Answer) throws {
        let result = try Command.attlas(["why", answer.path])
        // The first incident; without one, all that is said.
        let text = result.output + result.errors
        let first = text.range(of: "(?s)\n1  .*?(?=\n2  |$)", options: .regularExpression).map { text[$0] } ?? text[...]
        let words = first.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        func has(_ pattern: String) -> Bool {
            words.range(of: pattern, options: [.regularExpression, .caseInsensitive]) != nil
        }
        #expect(answer.says.isEmpty || has(answer.says), "\(words)")
        #expect(answer.saysNot.isEmpty || !has(answer.saysNot), "\(words)")
        #expect(answer.frame.isEmpty || has("\\b\(answer.frame)\\b"), "\(words)")
    }
}
