import AttlasInput
import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasCapture

@Suite struct PCAPNGTests {
    let blocks = PCAPNGBlocks()

    @Test(arguments: PCAPNGBlocks.both)
    func enhancedPacketsAreRead(blocks: PCAPNGBlocks) {
        let reading = Reading(
            blocks.section() + blocks.interface(201, options: blocks.option(2, hex("68636930")))
                + blocks.enhanced(Sample.sent, ticks: 1_767_225_600_000_001)
                + blocks.enhanced(Sample.received, original: 100))
        #expect(reading.error == nil)
        expect(reading.records.map(\.frame), equals: [1, 2])
        expect(reading.records.map(\.offset), equals: [56, 104])
        expect(reading.records.map(\.direction), equals: [.tx, .rx])
        #expect(reading.records.allSatisfy { $0.content == .packet(.acl) && $0.bytes == Sample.aclPacket })
        expect(reading.records.map(\.missing), equals: [0, 100 - Sample.sent.count])
        expect(reading.records[0].time, equals: Timestamp(seconds: 1_767_225_600, nanoseconds: 1000, precision: 6))
        expect(reading.info?.interfaces.map(\.name), equals: ["hci0"])
        expect(reading.info?.linkType, equals: "HCI H4 with direction (201)")
    }

    @Test func sectionsOfBothByteOrdersInOneFile() {
        let files = PCAPNGBlocks.both.map { blocks in
            blocks.section() + blocks.interface(201) + blocks.enhanced(Sample.sent) + blocks.enhanced(Sample.received)
        }
        let reading = Reading(files[0] + files[1] + files[0])
        #expect(reading.error == nil)
        expect(reading.records.map(\.frame), equals: [1, 2, 3, 4, 5, 6])
        expect(reading.records.map(\.controller), equals: [0, 0, 1, 1, 2, 2])
        #expect(reading.records.allSatisfy { $0.content == .packet(.acl) })
        expect(reading.info?.interfaces.count, equals: 3)
    }

    @Test func interfacesInterleaveEachWithItsOwnLinkTypeAndClock() {
        let reading = Reading(
            blocks.section() + blocks.interface(201, options: blocks.option(9, [9]))
                + blocks.interface(187, options: blocks.option(14, blocks.uint64(100)))
                + blocks.interface(254, options: blocks.option(9, [0x80 | 1]))
                + blocks.enhanced(Sample.received, interface: 0, ticks: 1_000_000_007)
                + blocks.enhanced(Sample.event, interface: 1, ticks: 1_000_000)
                + blocks.enhanced(hex("0003 0004") + Sample.aclPacket, interface: 2, ticks: 3)
                + blocks.enhanced(Sample.sent, interface: 0, ticks: 2_000_000_000))
        #expect(reading.error == nil)
        expect(reading.records.map(\.content), equals: [.packet(.acl), .packet(.event), .packet(.acl), .packet(.acl)])
        expect(reading.records.map(\.direction), equals: [.rx, .rx, .tx, .tx])
        expect(reading.records.map(\.controller), equals: [0, 1, 3, 0])
        expect(
            reading.records.map(\.time),
            equals: [
                Timestamp(seconds: 1, nanoseconds: 7, precision: 9),
                Timestamp(seconds: 101, nanoseconds: 0, precision: 6),
                Timestamp(seconds: 1, nanoseconds: 500_000_000, precision: 1),
                Timestamp(seconds: 2, nanoseconds: 0, precision: 9),
            ])
    }

    @Test func anOffsetMayLeadBefore1970() {
        let offset = blocks.option(14, blocks.uint64(UInt64(bitPattern: -31_536_000)))
        let reading = Reading(
            blocks.section() + blocks.interface(187, options: offset) + blocks.enhanced(Sample.acl, ticks: 500_000))
        expect(reading.records[0].time, equals: Timestamp(seconds: -31_536_000, nanoseconds: 500_000_000, precision: 6))
    }

    @Test(arguments: [(UInt32(0), Direction.unknown), (1, .rx), (2, .tx), (3, .unknown), (0x21, .rx)])
    func flagsGiveTheDirectionThatH4DoesNot(flags: UInt32, direction: Direction) {
        let option = blocks.option(2, blocks.uint32(flags)) + blocks.option(0, [])
        let reading = Reading(
            blocks.section() + blocks.interface(187) + blocks.enhanced(Sample.acl, options: option)
                + blocks.enhanced(Sample.command, options: option)
                + blocks.obsolete(Sample.acl, drops: 0, options: option))
        expect(reading.records.map(\.direction), equals: [direction, .tx, direction])
    }

    @Test func simplePacketsAreOfTheFirstInterfaceCutAtItsSnapLength() {
        let reading = Reading(
            blocks.section() + blocks.interface(187, snapLength: 8) + blocks.interface(255)
                + blocks.enhanced(Sample.acl, ticks: 42_000_000)
                + blocks.simple(Sample.command) + blocks.simple(Array(Sample.acl.prefix(8)), original: 12))
        #expect(reading.error == nil)
        expect(reading.records.map(\.bytes.count), equals: [11, 3, 7])
        expect(reading.records.map(\.missing), equals: [0, 0, 4])
        #expect(reading.records.allSatisfy { $0.time.seconds == 42 })
    }

    /// Simple Packet Blocks have no time: alone, the capture has none; with others, they have that of the packet before.
    @Test func simplePacketsHaveNoTime() {
        let start = blocks.section() + blocks.interface(187) + blocks.simple(Sample.command) + blocks.simple(Sample.acl)
        let alone = Reading(start)
        expect(alone.info?.cuts.map(\.kind), equals: [.noTimes])
        expect(
            alone.info?.cuts.first?.sentence,
            equals: "the capture has no times: durations, rates and round trips are unknown")
        let mixed = Reading(start + blocks.enhanced(Sample.acl, ticks: 42_000_000))
        expect(mixed.records.map(\.time.seconds), equals: [0, 0, 42])
        expect(mixed.info?.cuts.map(\.sentence), equals: ["2 packets have no time, but that of the packet before"])
    }

    @Test func obsoletePacketBlocksCountTheirDrops() {
        let reading = Reading(
            blocks.section() + blocks.interface(187) + blocks.obsolete(Sample.acl, drops: 3)
                + blocks.obsolete(Sample.acl, drops: 0xFFFF, ticks: 1_000_000))
        expect(reading.records.map(\.lost), equals: [3, 0])
        expect(reading.records.map(\.time.seconds), equals: [0, 1])
    }

    @Test func dropCountsOfPacketsAndStatisticsAreNotCountedTwice() {
        func dropped(_ count: UInt64) -> [UInt8] { blocks.option(4, blocks.uint64(count)) }
        func total(_ count: UInt64, system: UInt64 = 0) -> [UInt8] {
            blocks.option(5, blocks.uint64(count)) + blocks.option(7, blocks.uint64(system))
        }
        let reading = Reading(
            blocks.section() + blocks.interface(187) + blocks.interface(187)
                + blocks.enhanced(Sample.acl, options: dropped(4)) + blocks.statistics(options: total(4))
                + blocks.enhanced(Sample.acl, interface: 1) + blocks.enhanced(Sample.acl)
                + blocks.statistics(options: total(6, system: 1)) + blocks.enhanced(Sample.acl, options: dropped(1))
                + blocks.statistics(options: total(10))
                + blocks.statistics(interface: 1, options: total(.max, system: 5))
                + blocks.statistics(interface: 9, options: total(5)))
        expect(reading.records.map(\.lost), equals: [4, 0, 0, 4])
        // Interface 0 lost 2 more after the last packet, interface 1 more than can be counted.
        expect(reading.info?.lostAtEnd, equals: .max)
    }

    @Test func unknownBlocksAreSkippedAndFramesAreCountedAsWiresharkDoes() {
        let reading = Reading(
            blocks.section() + blocks.interface(187) + blocks.block(0x1234, hex("AABBCCDD"))
                + blocks.enhanced(Sample.acl) + blocks.block(4, [])
                + blocks.block(0x8000_0001, [UInt8](repeating: 1, count: 300_000))
                + blocks.block(0xBAD, blocks.uint32(4711)) + blocks.block(0x4000_0BAD, blocks.uint32(4711))
                + blocks.block(9, hex("61000000")) + blocks.enhanced(Sample.acl))
        #expect(reading.error == nil)
        expect(reading.records.map(\.frame), equals: [1, 5])
    }

    @Test func anInterfaceThatCannotBeReadIsNamedOnceAndItsFramesCounted() {
        let reading = Reading(
            blocks.section() + blocks.interface(187) + blocks.interface(255) + blocks.enhanced(Sample.acl)
                + blocks.enhanced(Sample.acl, interface: 1) + blocks.enhanced(Sample.acl, interface: 1)
                + blocks.enhanced(Sample.acl))
        #expect(reading.error == nil)
        expect(reading.records.map(\.frame), equals: [1, 2, 4])
        expect(
            reading.faults,
            equals: [
                "interface 1 has link type 255 (Bluetooth BR/EDR baseband): not supported yet, its packets are skipped"
            ])
        expect(reading.info?.skipped, equals: 2)
        expect(reading.info?.interfaces.map(\.isSupported), equals: [true, false])
    }

    @Test func aFileWithoutAnInterfaceThatCanBeReadIsRefused() {
        let reading = Reading(
            blocks.section() + blocks.interface(255) + blocks.interface(1) + blocks.enhanced(Sample.acl))
        expect(reading.error?.kind, equals: .unsupported)
        expect(
            reading.error?.reason,
            equals: "pcapng with link type 255 (Bluetooth BR/EDR baseband), 1 (Ethernet): not supported yet")
        expect(reading.records.count, equals: 1)
    }

    @Test func aLaterSectionMayHoldWhatCanBeRead() {
        let reading = Reading(
            blocks.section() + blocks.interface(255) + blocks.enhanced(Sample.acl) + blocks.section()
                + blocks.interface(187) + blocks.enhanced(Sample.acl))
        #expect(reading.error == nil)
        expect(reading.records.map { $0.fault == nil }, equals: [false, true])
    }

    @Test func aSectionWithoutInterfacesIsAnEmptyCapture() {
        let reading = Reading(blocks.section())
        #expect(reading == Reading(blocks.section()) && reading.error == nil && reading.records.isEmpty)
    }

    @Test func aSectionOfAnotherVersionIsSkipped() {
        let reading = Reading(
            blocks.section() + blocks.section(major: 2) + blocks.interface(187) + blocks.enhanced(Sample.acl)
                + blocks.section() + blocks.interface(187) + blocks.enhanced(Sample.acl))
        #expect(reading.error == nil)
        expect(reading.faults, equals: ["section of pcapng version 2.0: not supported, its blocks are skipped"])
        expect(reading.records.count, equals: 2)
        expect(Reading(blocks.section(major: 2)).error?.kind, equals: .unsupported)
    }

    @Test(arguments: PCAPNGBlocks.both)
    func commentsAndNamesAreKept(blocks: PCAPNGBlocks) throws {
        func comment(_ text: String) -> [UInt8] { blocks.option(1, Array(text.utf8)) }
        let end = blocks.option(0, [])
        let bytes =
            blocks.section(options: comment("two lines\nof a file") + comment("and more") + end)
            + blocks.interface(187, options: comment("the dongle") + blocks.option(3, Array("nRF52840".utf8)) + end)
            + blocks.enhanced(Sample.acl)
            + blocks.enhanced(Sample.acl, options: comment("here ≠ there") + comment("2") + end)
            + blocks.enhanced(Sample.acl) + blocks.section(options: comment("another") + end)
        var reader = try CaptureReader(bytes: bytes, name: "test")
        var comments: [[String]] = []
        while let record = try reader.next() { comments.append(record.comments) }
        expect(comments, equals: [[], ["here ≠ there", "2"], []])
        expect(reader.info.comments, equals: ["two lines\nof a file", "and more", "another"])
        expect(reader.info.interfaces.map(\.comments), equals: [["the dongle"]])
        expect(reader.info.interfaces.map(\.description), equals: ["nRF52840"])
    }

    /// shb_hardware, shb_os and shb_userappl, each name once.
    @Test(arguments: PCAPNGBlocks.both)
    func whatRecordedItIsKept(blocks: PCAPNGBlocks) throws {
        let options = [(2, "ThinkPad"), (3, "Linux 6.1"), (4, "Dumpcap 4.0.17")].flatMap {
            blocks.option(UInt16($0), Array($1.utf8))
        }
        let section = blocks.section(options: options + blocks.option(4, []) + blocks.option(0, []))
        let bytes = section + blocks.interface(187) + blocks.enhanced(Sample.acl) + section
        var reader = try CaptureReader(bytes: bytes, name: "test")
        while try reader.next() != nil {}
        expect(reader.info.recorder, equals: ["ThinkPad", "Linux 6.1", "Dumpcap 4.0.17"])
    }

    /// Wireshark's program wrote it.
    @Test func editcapsCommentsAreRead() throws {
        guard let editcap = Tool("editcap") else { return }
        let bytes = blocks.section() + blocks.interface(187) + blocks.enhanced(Sample.acl) + blocks.enhanced(Sample.acl)
        let folder = try TemporaryFolder([("in", bytes)])
        _ = try editcap.run([
            "-a", "2:look here", "--capture-comment", "of a file", folder.path("in"), folder.path("out"),
        ])
        var reader = try CaptureReader(path: folder.path("out"))
        var comments: [[String]] = []
        while let record = try reader.next() { comments.append(record.comments) }
        expect(comments, equals: [[], ["look here"]])
        expect(reader.info.comments, equals: ["of a file"])
    }
}
