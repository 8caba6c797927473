import AttlasTestSupport
import Foundation
import Testing

/// Folders as arguments, and what depends on several captures.
@Suite struct FolderTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for (name, copy) in [("heart-rate.btsnoop", "b.log"), ("eatt.btsnoop", "a.log")] {
            try FileManager.default.copyItem(atPath: Repository.capture(name), toPath: path(copy))
        }
    }

    private func path(_ name: String) -> String { folder.url.appending(path: name).path }

    @Test func theCapturesOfAFolderAreReadInTheOrderOfTheirNames() throws {
        try Data("notes".utf8).write(to: folder.url.appending(path: "0.txt"))
        let result = try Command.attlas(["show", folder.url.path])
        expect(result.status, equals: 0)
        let first = try #require(result.output.range(of: "336 records in 5.9 s"))
        let second = try #require(result.output.range(of: "177 records in 9.5 s"))
        #expect(first.lowerBound < second.lowerBound)
        expect(result.errors, equals: "attlas: \(folder.url.path): 1 other file skipped\n")
    }

    @Test func aFolderWithoutCapturesIsAnError() throws {
        let empty = try TemporaryFolder()
        let result = try Command.attlas(["lint", empty.url.path])
        expect(result.status, equals: 1)
        #expect(result.errors.contains("the folder contains no capture files"))
    }

    @Test func severalCapturesAreChecked() throws {
        let expectations = path("e.yaml")
        try "expectations:\n  - id: glucose\n    service: Glucose\n    exists: false\n".write(
            toFile: expectations, atomically: true, encoding: .utf8)
        let result = try Command.attlas(["check", path("a.log"), path("b.log"), expectations])
        #expect(result.output.contains(path("a.log")) && result.output.contains(path("b.log")))
        try expect(Command.attlas(["check", expectations]).status, equals: 64)
    }

    @Test func whatIsInTheDatabaseAlreadyIsReported() throws {
        let database = path("x.db")
        let first = try Command.attlas(["export", path("b.log"), "--sqlite", database])
        #expect(!first.output.contains("already"))
        let second = try Command.attlas(["export", path("b.log"), "--sqlite", database])
        #expect(second.output.contains("b.log: already in the database as capture 1"))
    }
}
