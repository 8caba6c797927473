import AttlasTestSupport
import Foundation
import Testing

/// `make fuzz` compiles the modules by itself, in the order that Tests/Fuzz/run.sh names them.
@Suite struct LibFuzzerTests {
    @Test func eachModuleIsCompiledAfterThoseThatItImports() throws {
        let script = try Repository.text("Tests/Fuzz/run.sh")
        let list = try #require(script.firstMatch(of: #/modules="([^"]*)"/#)?.1)
        let modules = list.split(separator: " ").map(String.init)
        expect(modules.last, equals: "AttlasFuzz")
        for (index, module) in modules.enumerated() {
            let folder = Repository.root.appending(path: "Sources/\(module)")
            let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
            for case let file as URL in files where file.pathExtension == "swift" {
                for match in try String(contentsOf: file, encoding: .utf8).matches(of: #/import (Attlas\w+)/#) {
                    #expect(modules[..<index].contains(String(match.1)), "\(file.lastPathComponent)")
                }
            }
        }
    }
}
