import AttlasTestSupport
import Foundation
import Testing

/// The man pages that are made of pages of the documentation.
@Suite struct ManualTests {
    static let cmark = Tool("cmark-gfm")

    @Test(.enabled(if: cmark != nil), arguments: [("filter", "7"), ("dissectors", "5"), ("formats", "7")])
    func aPageBecomesAManual(_ page: (name: String, section: String)) throws {
        let text = try Repository.text("Documentation/\(page.name).md")
        let result = try Command.run(
            Repository.path("Documentation/manual.sh"), ["attlas-\(page.name)", page.section, "1.2.3"],
            input: Data(text.utf8))
        #expect(result.status == 0 && result.errors.isEmpty)
        #expect(result.output.hasPrefix(".TH ATTLAS-\(page.name.uppercased()) \(page.section) \"\" \"attlas 1.2.3\"\n"))
        #expect(result.output.contains("\n.SH NAME\nattlas-\(page.name) \\- "))
        // Every heading is present, every table is a list, and no link to a file is left.
        expect(result.output.matches(of: #/\n\.SH\n/#).count, equals: text.matches(of: #/\n## /#).count)
        #expect(result.output.contains(".IP \\[bu] 2") && !result.output.contains(".md)"))
    }
}
