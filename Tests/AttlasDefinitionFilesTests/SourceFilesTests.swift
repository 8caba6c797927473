import AttlasDefinitionFiles
import AttlasDissection
import AttlasTestSupport
import Foundation
import Testing

/// Which files `--dissectors PATH` reads.
@Suite struct SourceFilesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func write(_ octets: some Sequence<UInt8>, to path: String) throws {
        try folder.write(octets, to: path)
    }

    private func path(_ name: String) -> String { folder.path(name) }

    private func mistake(at path: String) -> String? {
        do {
            _ = try DefinitionSource.files(at: path)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func aFileIsItselfWhateverItIsCalled() throws {
        try write("text".utf8, to: "led")
        let files = try DefinitionSource.files(at: path("led"))
        expect(files.map(\.path), equals: [path("led")])
        expect(files.map(\.text), equals: ["text"])
    }

    @Test func aFolderIsTheFilesInAndBelowItInTheOrderOfTheirNames() throws {
        for name in ["b.yaml", "a/z.yml", "a/b/c.yaml", "é.yaml", ".hidden.yaml", "notes.txt", "yaml"] {
            try write(name.utf8, to: name)
        }
        let files = try DefinitionSource.files(at: folder.url.path)
        expect(files.map(\.text), equals: [".hidden.yaml", "a/b/c.yaml", "a/z.yml", "b.yaml", "é.yaml"])
        expect(files.map(\.path), equals: files.map { folder.url.path + "/" + $0.text })
    }

    @Test func aLinkToAFolderIsReadWhereItIsNamedAndNotBelow() throws {
        try write("text".utf8, to: "real/a.yaml")
        for name in ["link", "other/link"] {
            try FileManager.default.createDirectory(
                at: folder.url.appending(path: "other"), withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(
                at: folder.url.appending(path: name), withDestinationURL: folder.url.appending(path: "real"))
        }
        try expect(DefinitionSource.files(at: path("link")).map(\.path), equals: [path("link") + "/a.yaml"])
        #expect(try DefinitionSource.files(at: path("other")).isEmpty)
    }

    @Test func whatCannotBeReadIsSaid() throws {
        try write([0x61, 0xFF], to: "latin.yaml")
        try write([], to: "folder/a.yaml/b")
        expect(mistake(at: path("none")), equals: "\(path("none")): there is no such file or folder")
        expect(mistake(at: path("latin.yaml")), equals: "\(path("latin.yaml")): is not UTF-8")
        expect(mistake(at: path("folder")), equals: "\(path("folder"))/a.yaml: cannot be read")
        expect(mistake(at: "/dev/zero"), equals: "/dev/zero: cannot be read")
    }

    /// Only as much of it is read as shows that it is too large.
    @Test func aFileThatIsTooLargeIsReadInPart() throws {
        try write(String(repeating: "µ", count: 2 << 20).utf8, to: "large.yaml")
        let sources = try DefinitionSource.files(at: path("large.yaml"))
        #expect(sources.allSatisfy { $0.text.utf8.count < 2 << 20 })
        expect(
            DefinitionLoader(sources, above: .empty).mistakes.map(\.message), equals: ["the file is larger than 1 MiB"])
    }
}
