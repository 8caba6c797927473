import AttlasInput
import AttlasTestSupport
import Foundation
import Testing

@testable import AttlasCapture

/// Rotated logs.
@Suite struct JoiningTests {
    static func record(_ second: UInt64, drops: UInt32 = 0) -> [UInt8] {
        btsnoopRecord(Sample.acl, flags: 1, drops: drops, time: btsnoopTime + second * 1_000_000)
    }

    func join(_ files: [(path: String, bytes: [UInt8])], _ names: [String]? = nil) throws -> Reading {
        let folder = try TemporaryFolder(files)
        let paths = (names ?? files.map(\.path)).map(folder.path)
        return Reading { () throws(CaptureError) in try CaptureReader(joining: paths) }
    }

    @Test func filesAreReadInTheOrderOfTheirTimesAndFramesAreCountedOn() throws {
        let files = [
            ("new", btsnoopHeader() + Self.record(20) + Self.record(21)), ("old", btsnoopHeader() + Self.record(1)),
            ("middle", btsnoopHeader() + Self.record(10) + Self.record(11)),
        ]
        let reading = try join(files)
        #expect(reading.error == nil)
        expect(reading.records.map(\.frame), equals: [1, 2, 3, 4, 5])
        expect(reading.records.map { $0.time.seconds - 1_767_225_600 }, equals: [1, 10, 11, 20, 21])
        #expect(reading.info?.file.hasSuffix("/old and 2 more") == true)
        expect(reading.info?.format, equals: "btsnoop")
        expect(reading.info?.linkTypes, equals: [.h4])
    }

    @Test func formatsMayDiffer() throws {
        let blocks = PCAPNGBlocks()
        let ticks: UInt64 = 1_767_225_650_000_000
        let reading = try join([
            (
                "b.pcapng",
                blocks.section() + blocks.interface(187) + blocks.block(0xBAD, [0, 0, 0, 0])
                    + blocks.enhanced(Sample.acl, ticks: ticks) + blocks.block(4, [])
            ),
            ("a.log", btsnoopHeader() + Self.record(7)),
            ("c.pklg", PacketLoggerRecords().record(0, hex("030C00"), seconds: 1_767_225_700)),
        ])
        #expect(reading.error == nil)
        // Wireshark counts the block of an unknown type as a frame, too.
        expect(reading.records.map(\.frame), equals: [1, 3, 4])
        expect(reading.info?.format, equals: "PacketLogger, btsnoop, pcapng")
        expect(reading.info?.linkTypes, equals: [.h4, .bluetoothHCIH4])
    }

    @Test func eachFormatOfManyFilesIsNamedOnce() throws {
        let packetLogger = PacketLoggerRecords().record(0, hex("030C00"), seconds: 1_767_226_000)
        let files = (0..<300).map { number in
            (path: String(1_000 + number), bytes: btsnoopHeader() + Self.record(UInt64(number)))
        }
        let reading = try join(files + [("a.pklg", packetLogger), ("b.pklg", packetLogger)])
        expect(reading.records.count, equals: 302)
        #expect(reading.info?.file.hasSuffix("/1000 and 301 more") == true)
        expect(reading.info?.format, equals: "PacketLogger, btsnoop")
        expect(reading.info?.joined.count, equals: 302)
    }

    @Test func capturesInAnArchiveAreJoined() throws {
        guard let zip = Tool("zip") else { return }
        let folder = try TemporaryFolder([
            ("hci.log", btsnoopHeader() + Self.record(5)), ("hci.log.last", btsnoopHeader() + Self.record(2)),
        ])
        let archive = try zip.run(["-q", "-", "hci.log", "hci.log.last"], in: folder.url)
        let reading = try join([("bugreport.zip", archive)])
        expect(reading.records.map { $0.time.seconds - 1_767_225_600 }, equals: [2, 5])
        #expect(reading.info?.file.hasSuffix("bugreport.zip!/hci.log.last and 1 more") == true)
    }

    /// What file 1 dropped is no news in file 2, whether its maker continues counting or begins again.
    @Test(arguments: [([UInt32(5), 7], [UInt32(3), 2, 2]), ([0, 1], [3, 2, 0])])
    func dropsAreCountedOn(second: [UInt32], expected: [UInt32]) throws {
        let reading = try join([
            ("1", btsnoopHeader() + Self.record(1, drops: 3)),
            ("2", btsnoopHeader() + Self.record(2, drops: second[0]) + Self.record(3, drops: second[1])),
        ])
        expect(reading.records.map(\.lost), equals: (second == [0, 1] ? [3, 0, 1] : expected))
    }

    @Test func aFileThatIsCutShortCostsItsEndOnly() throws {
        let cut = Array((btsnoopHeader() + Self.record(1) + Self.record(2)).dropLast(3))
        let reading = try join([("1", cut), ("2", btsnoopHeader() + Self.record(9))])
        expect(reading.records.map(\.frame), equals: [1, 2, 3])
        expect(reading.faults.count, equals: 1)
        #expect(
            reading.faults.first?.hasSuffix("/1: the last record is cut short: 36 octets needed, 33 available") == true)
        expect(reading.error?.kind, equals: .cutShort(need: 36, have: 33))
    }

    /// The reader of file 1 would look on for the record after the broken one.
    @Test func aFileThatEndsInABrokenRecordEnds() throws {
        let broken = btsnoopHeader() + Self.record(1) + btsnoopRecord(Sample.acl, included: 0x0100_0000)
        let reading = try join([("1", broken), ("2", btsnoopHeader() + Self.record(9))])
        expect(reading.records.map { $0.fault == nil }, equals: [true, false, false, true])
        expect(reading.error?.kind, equals: .unreadable)
        expect(reading.records.last?.frame, equals: 3)
    }

    @Test func filesWithoutRecordsComeLast() throws {
        let reading = try join([("empty", btsnoopHeader()), ("1", btsnoopHeader() + Self.record(1))])
        #expect(reading.error == nil)
        expect(reading.records.map(\.frame), equals: [1])
    }

    @Test func whatIsNoCaptureIsSaidBeforeAnythingIsRead() throws {
        let files = [("1", btsnoopHeader() + Self.record(1)), ("2", [0, 1, 2])]
        try expect(join(files).error?.kind, equals: .unknownFormat)
        #expect(try join(files).records.isEmpty)
        try expect(join(files, ["1", "3"]).error?.kind, equals: .system(ENOENT))
        let input = Reading { () throws(CaptureError) in try CaptureReader(joining: ["-"]) }
        expect(input.error?.reason, equals: "it can be read only once and cannot be joined")
        #expect(Reading { () throws(CaptureError) in try CaptureReader(joining: []) }.error?.kind == .empty)
    }
}
