import AttlasTestSupport
import Foundation
import Testing

/// `attlas report`.
@Suite struct ReportTests {
    private static let capture = Repository.capture("heart-rate.btsnoop")

    @Test func aFileAppearsAndIsReplacedWithForce() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("report.html")
        for title in ["first", "second"] {
            let result = try Command.attlas(["report", Self.capture, "--force", "-o", path, "--title", title])
            #expect(result.status == 0 && result.output.isEmpty && result.errors.isEmpty, "\(result.errors)")
            let page = try String(contentsOfFile: path, encoding: .utf8)
            #expect(page.contains("<title>\(title)</title>") && page.hasSuffix("</html>\n"))
        }
        try expect(FileManager.default.contentsOfDirectory(atPath: folder.url.path), equals: ["report.html"])
    }

    /// A device and a pipe stay what they are, and bash's names of pipes are links to them.
    @Test func pipesAndDevicesAreWrittenTo() throws {
        let folder = try TemporaryFolder()
        let pipe = folder.path("pipe")
        let result = try Command.run(
            "/bin/bash",
            [
                "-c",
                """
                "$0" report "$1" -o /dev/full; echo $?; test -c /dev/full || echo replaced
                mkfifo "$2"; "$0" report "$1" -o "$2" & head -n 1 "$2"; wait
                test -p "$2" || echo replaced
                "$0" report "$1" -o >(head -n 1); sleep 0.5
                "$0" report "$1" -o "${2%/*}"; echo $?
                """, Command.binary, Self.capture, pipe,
            ])
        expect(result.output, equals: "1\n<!DOCTYPE html>\n<!DOCTYPE html>\n1\n")
        #expect(
            result.errors == """
                attlas: /dev/full: cannot be written: No space left on device. Free some space, or use another disk.
                attlas: \(folder.url.path): is a folder. Name a file in it.

                """)
    }

    @Test func withoutAFileItGoesToStandardOutput() throws {
        let page = try Command.attlas(["report", Self.capture])
        #expect(page.status == 0 && page.output.hasPrefix("<!DOCTYPE html>"))
        let text = try Command.attlas(["report", Self.capture, "--format", "markdown"])
        #expect(text.status == 0 && text.output.hasPrefix("# heart-rate.btsnoop\n"))
    }

    @Test func severalCapturesAreOnOnePage() throws {
        let page = try Command.attlas(["report", Self.capture, Repository.capture("pairing.btsnoop")]).output
        #expect(page.contains("<section class=\"capture\" id=\"c1\"") && page.contains("id=\"c2\""))
        #expect(page.contains("<title>heart-rate.btsnoop and 1 more</title>"))
    }

    @Test func theFileHasItsHashAndWhatRecordedIt() throws {
        guard let tool = Tool("sha256sum") else { return }
        let octets = try [UInt8](Data(contentsOf: URL(filePath: Self.capture)))
        let sum = String(decoding: try tool.run([], input: octets).prefix(64), as: UTF8.self)
        let page = try Command.attlas(["report", Self.capture]).output
        #expect(page.contains("<dt>SHA-256</dt><dd>\(sum)</dd>"))
        #expect(page.contains("<dt>Recorded with</dt><dd>not recorded in this format</dd>"))
        let piped = try Command.run("/bin/bash", ["-c", "cat \"$1\" | \"$0\" report -", Command.binary, Self.capture])
        #expect(piped.output.contains("<dt>SHA-256</dt><dd>none: the capture did not come from a file"))
        // Of the file as it is, not of what is inside.
        let folder = try TemporaryFolder()
        guard let gzip = Tool("gzip") else { return }
        let packed = try folder.write(Array(try gzip.run(["-c"], input: octets)), to: "a.btsnoop.gz")
        let whole = String(
            decoding: try tool.run([], input: [UInt8](Data(contentsOf: URL(filePath: packed)))).prefix(64),
            as: UTF8.self)
        #expect(try Command.attlas(["report", packed]).output.contains(whole))
        let blocks = PCAPNGBlocks.both[0]
        let names = blocks.option(4, Array("a <b>".utf8)) + blocks.option(3, Array("Linux".utf8)) + blocks.option(0, [])
        let recorded = blocks.section(options: names) + blocks.interface(187) + blocks.enhanced(Sample.acl)
        let named = try Command.attlas(["report", try folder.write(recorded, to: "a.pcapng")]).output
        #expect(named.contains("<dt>Recorded with</dt><dd>a &lt;b&gt;, Linux</dd>"))
    }

    @Test func twoCapturesAreCompared() throws {
        let others = [Self.capture, Repository.capture("pairing.btsnoop")]
        let page = try Command.attlas(["report", "--compare"] + others)
        #expect(page.status == 0 && page.errors.isEmpty, "\(page.errors)")
        for id in ["c0", "c1", "c2"] { #expect(page.output.contains(" id=\"\(id)\"")) }
        let text = try Command.attlas(["report", "--compare", "--format", "markdown"] + others).output
        #expect(text.contains("\n## A and B compared\n"))
        // One is too few, also when the other cannot be read; then there is no file.
        let folder = try TemporaryFolder()
        let path = folder.path("report.html")
        let one = try Command.attlas(["report", "--compare", Self.capture, "-o", path])
        #expect(one.status == 1 && one.errors == "attlas: --compare takes two captures; there is 1\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
        for wrong in [others + others, ["--join"] + others] {
            try expect(Command.attlas(["report", "--compare"] + wrong).status, equals: 64)
        }
    }

    @Test func whatCannotBeReadLeavesNoFile() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("report.html")
        let result = try Command.attlas(["report", folder.path("none"), "-o", path])
        #expect(result.status == 1 && !result.errors.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    /// What was decoded until then is reported, and the status says that there is more.
    @Test func aCaptureThatEndsEarlyIsReported() throws {
        let folder = try TemporaryFolder()
        let octets = try Data(contentsOf: URL(filePath: Self.capture))
        let cut = try folder.write(Array(octets.dropLast(3)), to: "cut.btsnoop")
        let path = folder.path("report.html")
        try expect(Command.attlas(["report", cut, "-o", path]).status, equals: 1)
        let page = try String(contentsOfFile: path, encoding: .utf8)
        #expect(page.contains("the capture could not be read to its end"))
        let text = try Command.attlas(["report", cut, "--format", "markdown"]).output
        // Recipients need not know where the file lay.
        #expect(!page.contains(folder.url.lastPathComponent) && !text.contains(folder.url.lastPathComponent))
    }
}
