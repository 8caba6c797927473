import AttlasTestSupport
import Testing

@testable import AttlasCapture

/// Logs that their maker cut.
@Suite struct CaptureTruncationTests {
    /// A notification of 40 octets, of which `count` were kept; the H4 indicator is not counted.
    static func acl(_ count: Int) -> [UInt8] {
        Array((hex("4020 2400 2000 0400 1B 1900") + [UInt8](repeating: 0xAB, count: 29)).prefix(count))
    }

    static func android(_ counts: [Int], datalink: UInt32 = 1002) -> [UInt8] {
        btsnoopHeader(datalink) + btsnoopRecord(Sample.command, flags: 2)
            + counts.flatMap { btsnoopRecord([2] + acl($0), flags: 1, original: 41) }
    }

    func kinds(_ bytes: [UInt8]) -> [CaptureTruncation.Kind] {
        CaptureSetReading(bytes).readings.first?.info?.cuts.map(\.kind) ?? []
    }

    @Test func androidsFilterIsKnownByItsLength() {
        expect(kinds(Self.android([13, 40, 13])), equals: [.androidFiltered])
        expect(kinds(Self.android([13, 8, 13, 40])), equals: [.androidFiltered])
        expect(kinds(Self.android([14, 14])), equals: [.androidSnooz])
        expect(kinds(Self.android([13, 14])), equals: [.variousLengths])
    }

    @Test func otherLengthsAreSnapshotLengths() {
        expect(kinds(Self.android([20, 20, 40])), equals: [.fixedLength(20)])
        expect(kinds(Self.android([20])), equals: [.variousLengths])
        expect(kinds(Self.android([20, 21, 22])), equals: [.variousLengths])
        let kind = PCAPKind()
        let packet = hex("00000001 02") + Self.acl(13)
        let pcap = kind.header(201) + (0..<3).flatMap { _ in kind.record(packet, original: 45) }
        expect(kinds(pcap), equals: [.fixedLength(13)])
    }

    /// Some writers count an octet of their framing in the original length. The packet's own length says that it is whole.
    @Test func anOriginalLengthThatIsTooLongCutsNothing() throws {
        let kind = PCAPKind()
        let packet = hex("00000001 02") + Self.acl(40)
        let reading = Reading(kind.header(201) + kind.record(packet, original: UInt32(packet.count + 1)))
        expect(reading.records.map(\.missing), equals: [0])
        #expect(reading.info?.cuts.isEmpty == true)
    }

    @Test func wholePacketsAreNotCut() {
        expect(kinds(Self.android([40, 40, 40])), equals: [])
        expect(kinds(Self.android([])), equals: [])
        for file in [SampleFile.hcidump, .packetLogger(PacketLoggerRecords())] { expect(kinds(file.bytes), equals: []) }
    }

    @Test func aPacketThatIsShorterThanItSaysWasCutWhateverTheRecordSays() {
        let bytes =
            btsnoopHeader() + btsnoopRecord(Sample.event, flags: 3) + btsnoopRecord([2] + Self.acl(20), flags: 1)
        expect(kinds(bytes), equals: [.variousLengths])
    }

    @Test func btsnoozIsCutWhenSomethingIsMissing() {
        expect(kinds(BugReportFile.report(version: 2)), equals: [.androidSnooz])
        expect(kinds(BugReportFile.report(version: 1)), equals: [.androidSnooz])
        expect(kinds(BugReportFile.report(BugReportFile.record(Sample.aclPacket))), equals: [])
    }

    @Test func aLogWithoutCommandsAndEventsIsNamed() {
        let data = (0..<20).flatMap { _ in btsnoopRecord(Sample.acl) }
        expect(kinds(btsnoopHeader() + data), equals: [.dataOnly])
        expect(kinds(btsnoopHeader() + data + btsnoopRecord(Sample.event, flags: 3)), equals: [])
        expect(kinds(btsnoopHeader() + btsnoopRecord(Sample.acl)), equals: [])
    }

    @Test func whatItSaysIsTwoSentences() {
        let cut = CaptureTruncation(kind: .androidFiltered, packets: 2, total: 3)
        expect(
            cut.sentence,
            equals: "2 of 3 ACL packets are cut to 14 octets, as Android 12 and later do when the snoop log is filtered"
        )
        for kind: CaptureTruncation.Kind in [
            .androidFiltered, .androidSnooz, .fixedLength(20), .variousLengths, .shortLines, .dataOnly, .noTimes,
            .noPackets, .ownStatuses,
        ] {
            let cut = CaptureTruncation(kind: kind, packets: 2, total: 3)
            #expect(cut.advice.hasSuffix(".") && !cut.sentence.hasSuffix("."))
        }
    }
}
