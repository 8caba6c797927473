import AttlasTestSupport
import Foundation
import Testing

@testable import AttlasCapture
@testable import AttlasInput

/// The pieces of one log are one conversation.
@Suite struct RotatedLogsTests {
    /// Names of Android's logs and of what phones and people make of them.
    @Test(arguments: [
        ("btsnoop_hci.log.last", "btsnoop_hci.log"), ("btsnoop_hci.log", "btsnoop_hci.log"),
        ("btsnoop_hci_1.log", "btsnoop_hci.log"), ("btsnoop_hci.log.2", "btsnoop_hci.log"),
        ("btsnoop_hci.1.log", "btsnoop_hci.log"), ("logs.1/btsnoop_hci.log", "logs.1/btsnoop_hci.log"),
        ("a.log.last", "a.log"), ("run_1.btsnoop", "run_1.btsnoop"),
        ("btsnoop_hci.log.filtered.last", "btsnoop_hci.log.filtered"),
        ("btsnoop_hci_20251127.log", "btsnoop_hci_20251127.log"),
        ("a.zip!/bt/btsnoop_hci_20251127_120000.log", "a.zip!/bt/btsnoop_hci.log"), ("hci0.log", "hci0.log"),
    ]) func series(of name: String, expected: String) {
        expect(RotatedLogs.series(of: name), equals: expected)
    }

    private func log(_ seconds: ClosedRange<UInt64>) -> [UInt8] {
        btsnoopHeader() + seconds.flatMap { JoiningTests.record($0) }
    }

    private func groups(_ files: [(path: String, bytes: [UInt8])]) throws -> [[String]] {
        let folder = try TemporaryFolder(files)
        return RotatedLogs.groups(ofFiles: files.map { folder.path($0.path) }).map { group in
            group.map { String($0.split(separator: "/").last ?? "") }
        }
    }

    @Test func piecesComeInTheOrderOfTheirTimes() throws {
        try expect(
            groups([("hci.log", log(10...12)), ("other.log", log(1...2)), ("hci.log.last", log(3...9))]),
            equals: [["hci.log.last", "hci.log"], ["other.log"]])
        try expect(
            groups([("btsnoop_2.log", log(4...5)), ("btsnoop_1.log", log(1...3)), ("btsnoop_3.log", log(6...6))]),
            equals: [["btsnoop_1.log", "btsnoop_2.log", "btsnoop_3.log"]])
    }

    /// Two phones at once, and recordings an hour apart.
    @Test func otherRecordingsStayAlone() throws {
        try expect(
            groups([("btsnoop_1.log", log(1...9)), ("btsnoop_2.log", log(4...12))]),
            equals: [["btsnoop_1.log"], ["btsnoop_2.log"]])
        try expect(
            groups([("btsnoop_1.log", log(1...2)), ("btsnoop_2.log", log(3_600...3_601))]),
            equals: [["btsnoop_1.log"], ["btsnoop_2.log"]])
        try expect(groups([("run_1.log", log(1...2)), ("run_2.log", log(3...4))]).count, equals: 2)
    }

    /// Bluetooth was switched off for an hour: the log before it belongs to this one, and the pause is said.
    @Test func aPauseIsKept() throws {
        let folder = try TemporaryFolder([("hci.log.last", log(1...2)), ("hci.log", log(3_602...3_603))])
        let groups = RotatedLogs.groups(ofFiles: [folder.path("hci.log"), folder.path("hci.log.last")])
        expect(groups.count, equals: 1)
        var reader = try CaptureReader(joining: groups[0])
        var frames = 0
        while let record = try reader.next() { frames = record.frame }
        expect(frames, equals: 4)
        #expect(reader.info.pauses.map(\.frame) == [3] && reader.info.pauses.map(\.nanoseconds) == [3_600_000_000_000])
        #expect(reader.info.pauses.first?.file.hasSuffix("/hci.log") == true)
    }

    @Test func shortPausesAreNotSaid() throws {
        let folder = try TemporaryFolder([("hci.log.last", log(1...2)), ("hci.log", log(4...5))])
        var reader = try CaptureReader(joining: [folder.path("hci.log.last"), folder.path("hci.log")])
        while try reader.next() != nil {}
        #expect(reader.info.pauses.isEmpty)
    }

    /// A bug report: two pieces and another log.
    @Test func piecesInAnArchive() throws {
        guard let zip = Tool("zip") else { return }
        let folder = try TemporaryFolder([
            ("btsnoop_hci.log", log(5...6)), ("btsnoop_hci.log.last", log(1...3)), ("other.log", log(1...1)),
        ])
        let archive = try zip.run(["-q", "-", "btsnoop_hci.log", "btsnoop_hci.log.last", "other.log"], in: folder.url)
        let path = try folder.write(archive)
        func read(joinsPieces: Bool) throws -> [(name: String, frames: Int)] {
            var captures = WholeCaptures(path: path, joinsPieces: joinsPieces)
            var found: [(name: String, frames: Int)] = []
            while var reader = try captures.next() {
                var frames = 0
                while let record = try reader.next() { frames = record.frame }
                found.append((String(reader.info.file.dropFirst(path.count)), frames))
            }
            return found
        }
        let joined = try read(joinsPieces: true)
        expect(joined.map(\.name), equals: ["!/btsnoop_hci.log.last and 1 more", "!/other.log"])
        expect(joined.map(\.frames), equals: [5, 1])
        let alone = try read(joinsPieces: false)
        expect(alone.map(\.name), equals: ["!/btsnoop_hci.log", "!/btsnoop_hci.log.last", "!/other.log"])
    }

    /// A sysdiagnose without the profile: nothing of Android.
    @Test func aSysdiagnoseWithoutALog() throws {
        guard let tar = Tool("tar") else { return }
        let folder = try TemporaryFolder([
            ("sysdiagnose_x/logs/Bluetooth/CloudKit.txt", Array("text".utf8)),
            ("sysdiagnose_x/summaries/x.txt", Array("x".utf8)),
        ])
        let path = try folder.write(try tar.run(["-cz", "sysdiagnose_x"], in: folder.url))
        var captures = CaptureSet(path: path)
        do throws(CaptureError) {
            _ = try captures.next()
            Issue.record("there is no capture in it")
        } catch {
            let text = "\(error.reason) \(error.advice ?? "")"
            #expect(text.contains("the iPhone recorded no Bluetooth log") && text.contains("logging profile"))
            #expect(!text.contains("Android"))
        }
    }
}
