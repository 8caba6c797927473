import AttlasTestSupport
import Testing

@testable import AttlasFilter

/// Documentation/filter.md: every example finds what the page says it does, and no name is left out.
@Suite struct FilterDocumentationTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let filter: String
        let capture: String
        let count: Int

        var testDescription: String { filter }
    }

    static let page = (try? Repository.text("Documentation/filter.md")) ?? ""

    /// Rows that end in an expression and "25 in heart-rate.btsnoop".
    static let examples: [Example] = page.split(separator: "\n").compactMap { line in
        guard let row = line.wholeMatch(of: #/.*\| `([^`|]+)` \| (\d+) in (\S+) \|/#), let count = Int(row.2) else {
            return nil
        }
        return Example(filter: String(row.1), capture: String(row.3), count: count)
    }

    @Test(arguments: examples)
    func finds(_ example: Example) throws {
        let found = try SelectedEvents(example.filter, in: example.capture)
        let count = found.frames.count + found.losses
        expect(count > 0 ? count : found.others, equals: example.count)
    }

    @Test func everyNameHasARow() {
        for property in FilterProperty.allCases {
            let name = property == .field ? "field(\"…\")" : property.rawValue
            #expect(Self.page.contains("| `\(name)` | "), "\(name)")
        }
        #expect(Self.examples.count >= FilterProperty.allCases.count + 10)
    }
}
