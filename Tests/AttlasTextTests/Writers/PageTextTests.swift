import AttlasTestSupport
import Foundation
import Testing

@testable import AttlasText

@Suite struct PageTextTests {
    private func text(_ markdown: String, width: Int = 40) -> [String] {
        PageText.render(markdown, width: width, isColoured: false).string.components(separatedBy: "\n").dropLast()
    }

    @Test func paragraphsAndItemsAreFolded() {
        expect(
            text(
                "# A page\nOf **bold** words and\n[a link](filter.md) that is long.\n\n- one item that is\n  longer than its line\n- two"
            ),
            equals: [
                "A page", "", "Of bold words and a link that is long.", "",
                "  - one item that is longer than its", "    line", "  - two",
            ])
    }

    @Test func codeStandsAsItIs() {
        expect(
            text("## Example\n```console\n$ attlas show | wc\n| no table **here**\n```\nafter", width: 10),
            equals: ["Example", "", "    $ attlas show | wc", "    | no table **here**", "after"])
    }

    @Test func aTableHasColumnsWhereThereIsRoom() {
        let table = "| key | means |\n|---|---|\n| `a` | the first \\| one |\n| `long` | |\n"
        expect(text(table), equals: ["  key     means", "  `a`     the first | one", "  `long`", ""])
        expect(
            text("| key | |\n|---|---|\n| a | what it means, at length |", width: 20),
            equals: ["  a", "    what it means,", "      at length"])
        expect(
            text("| a | b | c |\n|---|---|---|\n| 1 | 2 | three words |", width: 16),
            equals: ["  1", "    b: 2", "    c: three", "      words"])
    }

    @Test func headingsAreBold() {
        let page = PageText.render("# A page", width: 40, isColoured: true).string
        expect(page, equals: "\u{1B}[1mA page\u{1B}[0m\n")
    }
}
