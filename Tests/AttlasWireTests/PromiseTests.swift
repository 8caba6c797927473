import AttlasTestSupport
import Foundation
import Testing

/// SECURITY.md names the tests of its promises: they exist.
@Suite struct PromiseTests {
    @Test func everyPromiseHasItsTests() throws {
        let page = try String(contentsOf: Repository.root.appending(path: "SECURITY.md"), encoding: .utf8)
        let section = try #require(page.split(separator: "## The tests of these promises").last)
        let rows = section.split(separator: "\n").prefix { !$0.hasPrefix("## ") }.filter { $0.hasPrefix("| ") }
            .dropFirst()
        let suites = try suites()
        #expect(rows.count > 5)
        for row in rows {
            let names = row.matches(of: /`(\w+Tests)`/).map { String($0.1) }
            #expect(!names.isEmpty && suites.isSuperset(of: names), "\(row)")
        }
    }

    /// A path that no step of .ci/steps names would be tested by none, once not all of them run.
    @Test func everyStepOfCIHasPathsThatExist() throws {
        let run = try Repository.text(".ci/run")
        let steps = try Repository.text(".ci/steps").split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: " ").map(String.init) }
        let package = try Repository.text("Package.swift")
        let called = run.matches(of: /\nstep(?:_in_turn)? ([a-z-]+)/).map { String($0.1) }
        expect(called, equals: steps.map { $0[0] })
        for paths in steps.map({ Array($0.dropFirst()) }) {
            #expect(!paths.isEmpty)
            for path in paths where path != "*" {
                if path.hasPrefix("target:") {
                    #expect(package.contains("\"\(path.dropFirst(7))\""), "\(path)")
                    continue
                }
                #expect(FileManager.default.fileExists(atPath: Repository.path(path)), "\(path)")
            }
        }
        let named = Set(steps.joined().compactMap { $0.split(separator: "/").first })
        let places = try FileManager.default.contentsOfDirectory(atPath: Repository.root.path)
        for place in places where !place.hasPrefix(".") && !["LICENSE", "Package.resolved"].contains(place) {
            #expect(named.contains(Substring(place)), "\(place) is in no step of .ci/steps")
        }
    }

    private func suites() throws -> Set<String> {
        let folder = Repository.root.appending(path: "Tests")
        let files = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
        var names: Set<String> = []
        for file in files where file.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            for match in text.matches(of: /struct (\w+Tests)\b/) { names.insert(String(match.1)) }
        }
        return names
    }
}
