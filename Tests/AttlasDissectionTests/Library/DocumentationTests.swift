import AttlasDefinitionFiles
import AttlasDefinitions
import AttlasDissection
import AttlasDocuments
import AttlasTestSupport
import Foundation
import Testing

/// Every definition on the page about the format, with its examples.
@Suite struct DocumentationTests {
    @Test func everyBlockOfThePageIsRight() throws {
        let page = Repository.root.appending(path: "Documentation/dissectors.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        var blocks = 0
        for block in text.components(separatedBy: "```yaml\n").dropFirst() {
            let yaml = block.components(separatedBy: "```")[0]
            let name = "block \(blocks + 1)"
            let loader = DefinitionLoader([DefinitionSource(path: name, text: yaml)], above: .shipped)
            expect(loader.mistakes.map(\.description), equals: [])
            let library = DissectorLibrary.shipped.adding(loader.files)
            for file in loader.files {
                let check = ExampleCheck(file, library: library)
                expect(check.mistakes.map(\.description), equals: [])
                #expect(check.count > 0)
            }
            blocks += 1
        }
        expect(blocks, equals: 28)
    }

    /// Each shipped file names the schema, so that editors complete.
    @Test func everyFileNamesTheSchema() throws {
        for source in ShippedDefinitionTests.sources {
            let first = source.text.prefix { $0 != "\n" }
            let path = first.split(separator: "=").last.map(String.init) ?? ""
            let schema = URL(filePath: source.path).deletingLastPathComponent().appending(path: path).standardized
            #expect(FileManager.default.fileExists(atPath: schema.path()), "\(source.path)")
        }
    }
}
