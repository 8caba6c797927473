import AttlasCapture
import AttlasTestSupport
import Foundation
import Glibc
import Testing

@testable import AttlasRecords

/// The files that commands write.
@Suite struct OutputTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { "\(folder.url.path)/\(name)" }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
    }

    private func text(_ name: String) -> String? { try? String(contentsOfFile: path(name), encoding: .utf8) }

    private static func fill(_ file: NewFile, _ text: String) {
        expect(SystemCalls.write(file.descriptor, Array(text.utf8).span), equals: text.utf8.count)
    }

    /// As most file systems of USB sticks, and NFS.
    private static let withoutNamelessFiles = NewFile.System { _, _, _ in
        errno = EOPNOTSUPP
        return -1
    }
    private static let systems = [NewFile.System(), withoutNamelessFiles]

    // MARK: Appearing

    @Test(arguments: [0, 1]) func aFileAppearsWhenItIsComplete(_ system: Int) throws {
        let file = try NewFile(OutputPath(path("a")), Self.systems[system])
        Self.fill(file, "new")
        #expect(text("a") == nil)
        try file.complete()
        expect(text("a"), equals: "new")
        try expect(names, equals: ["a"])
        let mode = try FileManager.default.attributesOfItem(atPath: path("a"))[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    /// As long as a name can be; the hidden one is not longer.
    @Test(arguments: [0, 1]) func aLongNameIsReplaced(_ system: Int) throws {
        let name = String(repeating: "a", count: Int(NAME_MAX))
        for text in ["old", "new"] {
            let file = try NewFile(OutputPath(path(name), replaces: true), Self.systems[system])
            Self.fill(file, text)
            try file.complete()
            expect(self.text(name), equals: text)
        }
        try expect(names, equals: [name])
    }

    @Test(arguments: [0, 1]) func aFileIsReplacedInOnePiece(_ system: Int) throws {
        try Data("old".utf8).write(to: URL(filePath: path("a")))
        // Programs that have it open, or by another name, keep it.
        try FileManager.default.linkItem(atPath: path("a"), toPath: path("b"))
        let file = try NewFile(OutputPath(path("a"), replaces: true), Self.systems[system])
        Self.fill(file, "new")
        expect(text("a"), equals: "old")
        try file.complete()
        #expect(text("a") == "new" && text("b") == "old")
        try expect(names, equals: ["a", "b"])
    }

    @Test(arguments: [0, 1]) func nothingIsLeftOfAFileThatIsNotCompleted(_ system: Int) throws {
        do {
            let file = try NewFile(OutputPath(path("a")), Self.systems[system])
            Self.fill(file, "new")
        }
        try expect(names, equals: [])
    }

    /// The name is taken while the file is written.
    @Test(arguments: [0, 1]) func aNameThatIsTakenMeanwhileIsNotReplaced(_ system: Int) throws {
        let file = try NewFile(OutputPath(path("a")), Self.systems[system])
        Self.fill(file, "new")
        try Data("mine".utf8).write(to: URL(filePath: path("a")))
        let error = #expect(throws: CaptureError.self) { try file.complete() }
        expect(error?.reason, equals: "exists already")
        expect(text("a"), equals: "mine")
        try expect(names, equals: ["a"])
    }

    /// More is read than was known when the file began: the configuration next to a capture, the files of a folder.
    @Test(arguments: [0, 1]) func aFileThatIsReadMeanwhileIsNotReplaced(_ system: Int) throws {
        try Data("mine".utf8).write(to: URL(filePath: path("a")))
        let file = try NewFile(OutputPath(path("a"), replaces: true), Self.systems[system])
        FilesRead.note(path("a"))
        let error = #expect(throws: CaptureError.self) { try file.complete() }
        expect(error?.reason, equals: "is a file that this command reads: writing to it would destroy it")
        expect(text("a"), equals: "mine")
    }

    /// A killed process leaves its hidden file. It is not locked any more.
    @Test func aKilledRunsFileIsRemoved() throws {
        try Data("half".utf8).write(to: URL(filePath: path(".a.attlas-partial")))
        let file = try NewFile(OutputPath(path("a")), Self.withoutNamelessFiles)
        Self.fill(file, "new")
        // Another run that writes the same name meanwhile.
        #expect(throws: CaptureError.self) { try NewFile(OutputPath(path("a")), Self.withoutNamelessFiles) }
        try file.complete()
        expect(text("a"), equals: "new")
        try expect(names, equals: ["a"])
    }

    /// In a separate process: it does the cleanup of tests that run at the same time as well.
    @Test func aSignalRemovesTheHiddenFile() async {
        await #expect(processExitsWith: .success) {
            let tests = try OutputTests()
            let file = try NewFile(OutputPath(tests.path("a")), OutputTests.withoutNamelessFiles)
            try expect(tests.names, equals: [".a.attlas-partial"])
            Cleanup.run()
            try expect(tests.names, equals: [])
            file.discard()
        }
    }

    // MARK: What is refused

    @Test func aFileIsReplacedOnlyIfThatIsAsked() throws {
        try Data("mine".utf8).write(to: URL(filePath: path("a")))
        let error = #expect(throws: CaptureError.self) { try OutputPath(path("a")).check() }
        expect(error?.reason, equals: "exists already")
        #expect(throws: Never.self) { try OutputPath(path("a"), replaces: true).check() }
    }

    @Test(arguments: [OutputPath.Kind.whole, .searched, .recording, .database])
    func linksAreNotFollowed(_ kind: OutputPath.Kind) throws {
        try Data("mine".utf8).write(to: URL(filePath: path("a")))
        try FileManager.default.createSymbolicLink(atPath: path("soft"), withDestinationPath: path("a"))
        try FileManager.default.createSymbolicLink(atPath: path("nowhere"), withDestinationPath: path("b"))
        for name in ["soft", "nowhere"] {
            let error = #expect(throws: CaptureError.self) { try OutputPath(path(name), kind, replaces: true).check() }
            expect(error?.reason, equals: "is a symbolic link, and links are not followed")
        }
        #expect(text("a") == "mine" && text("b") == nil)
    }

    /// A capture that is read by another name, through a link or inside an archive.
    @Test func whatIsReadIsNotWritten() throws {
        try Data("mine".utf8).write(to: URL(filePath: path("in.zip")))
        try FileManager.default.linkItem(atPath: path("in.zip"), toPath: path("hard"))
        FilesRead.note(path("in.zip") + "!/log.btsnoop")
        for name in ["in.zip", "hard", "./in.zip"] {
            let error = #expect(throws: CaptureError.self) { try OutputPath(path(name), replaces: true).check() }
            expect(error?.reason, equals: "is a file that this command reads: writing to it would destroy it")
        }
    }

    @Test func aFolderIsNotAFile() {
        let error = #expect(throws: CaptureError.self) { try OutputPath(folder.url.path, replaces: true).check() }
        expect(error?.reason, equals: "is a folder")
    }

    /// Wireshark's pipe.
    @Test func aFileIsNotAPipe() throws {
        try Data("mine".utf8).write(to: URL(filePath: path("a")))
        #expect(throws: CaptureError.self) { try OutputPath(path("a"), .pipe, replaces: true).check() }
        #expect(throws: CaptureError.self) { try OutputPath(path("b"), .pipe, replaces: true).check() }
        expect(unsafe mkfifo(path("c"), 0o600), equals: 0)
        #expect(throws: Never.self) { try OutputPath(path("c"), .pipe).check() }
    }

    /// A node exporter's file is written again by the next run, and no other file is replaced.
    @Test func aFileOfAnEarlierRunIsReplaced() throws {
        for (text, isReplaced) in [("# HELP x\n", true), ("mine\n", false), ("", false)] {
            try Data(text.utf8).write(to: URL(filePath: path("a")))
            let check = { try OutputPath(path("a"), .refreshed(beginning: "# HELP x")).check() }
            if isReplaced {
                #expect(throws: Never.self, performing: check)
            } else {
                #expect(throws: CaptureError.self, performing: check)
            }
        }
    }

    @Test(arguments: [("a", "."), ("/a", "/"), ("/var/log/a", "/var/log"), ("b/a", "b")])
    func theFolderOfAFile(path: String, folder: String) {
        expect(OutputPath(path).folder, equals: folder)
    }

    @Test func standardOutputHasNoFolder() {
        #expect(OutputPath("-").folder == nil)
    }
}
