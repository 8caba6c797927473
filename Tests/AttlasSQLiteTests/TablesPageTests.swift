import AttlasSQLite
import AttlasTables
import AttlasTestSupport
import Foundation
import Testing

/// Documentation/tables.md has the tables and the views as the code describes them.
///
/// `ATTLAS_UPDATE_EXPECTED=1 swift test --filter TablesPageTests` writes them again.
@Suite struct TablesPageTests {
    private static let beginning = "## Tables\n"

    private static var description: String {
        var text = beginning
        for table in Table.allCases {
            text += "\n### \(table.name)\n\(table.meaning)\n\n| column | type | |\n|---|---|---|\n"
            // The page says once what the first column is.
            for column in table.columns.dropFirst(table == .captures ? 0 : 1) {
                let name = table.key.contains(column.name) ? "**\(column.name)**" : column.name
                let kind = column.kind.rawValue + (column.isOptional ? "?" : "")
                let unit = column.unit.map { ", \($0)" } ?? ""
                text += "| \(name) | \(kind)\(unit) | \(column.meaning) |\n"
            }
        }
        text += "\n## Views\n| view | rows |\n|---|---|\n"
        for view in SQLiteView.allCases { text += "| `\(view.rawValue)` | \(view.meaning) |\n" }
        return text
    }

    @Test func thePageHasAllTablesAndViews() throws {
        let url = Repository.root.appending(path: "Documentation/tables.md")
        var page = try String(contentsOf: url, encoding: .utf8)
        let start = try #require(page.range(of: Self.beginning)).lowerBound
        if ProcessInfo.processInfo.environment["ATTLAS_UPDATE_EXPECTED"] != nil {
            page.replaceSubrange(start..., with: Self.description)
            try page.write(to: url, atomically: true, encoding: .utf8)
        }
        #expect(page[start...] == Self.description)
    }
}
