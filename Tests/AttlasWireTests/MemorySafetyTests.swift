import AttlasTestSupport
import Foundation
import Testing

/// A file that does what the compiler cannot check is a decision, which CONTRIBUTING.md lists with its reason.
@Suite struct MemorySafetyTests {
    /// What stands in code before a comment.
    private func isUnsafe(_ line: Substring) -> Bool {
        let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
        return code.contains(/\bunsafe\b/) || code.contains("@unchecked")
    }

    @Test func whatIsUnsafeStandsInTheFilesThatAreListed() throws {
        let sources = Repository.root.appending(path: "Sources")
        let names = try #require(FileManager.default.enumerator(atPath: sources.path)).compactMap { $0 as? String }
        let found = try names.filter { $0.hasSuffix(".swift") }.filter { name in
            let text = try String(contentsOf: sources.appending(path: name), encoding: .utf8)
            return text.split(separator: "\n").contains { isUnsafe($0) }
        }
        let guide = try String(contentsOf: Repository.root.appending(path: "CONTRIBUTING.md"), encoding: .utf8)
        let table = try #require(guide.split(separator: "## What the compiler cannot check").last)
        let listed = table.prefix(upTo: table.firstRange(of: "\n## ")?.lowerBound ?? table.endIndex)
            .split(separator: "\n").compactMap { row in row.firstMatch(of: /^\| `([^`]+\.swift)`/).map { String($0.1) }
            }
        #expect(found.sorted() == listed.sorted())
    }

    @Test func everyTargetIsCompiledStrictly() throws {
        let package = try String(contentsOf: Repository.root.appending(path: "Package.swift"), encoding: .utf8)
        #expect(package.contains(".strictMemorySafety()"))
        let targets = package.matches(of: /\.(?:target|executableTarget|testTarget)\(\s*name: "(\w[^"]*)"/)
        // Those of C have no setting.
        let swift = targets.map { String($0.1) }.filter {
            !["CMonitor", "CConfinement", "CAllocations", "CBuild"].contains($0)
        }
        #expect(swift.count > 20)
        #expect(package.matches(of: /swiftSettings: settings/).count == swift.count)
    }
}
