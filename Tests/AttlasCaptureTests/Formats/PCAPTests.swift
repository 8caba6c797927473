import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasCapture

@Suite struct PCAPTests {
    @Test(arguments: PCAPKind.all)
    func allFourMagicsAreRead(kind: PCAPKind) {
        let reading = Reading(
            kind.header(201) + kind.record(hex("00000000") + Sample.command, fraction: 5)
                + kind.record(hex("00000001") + Sample.acl, fraction: 999_999, original: 70))
        #expect(reading.error == nil)
        expect(reading.info?.linkType, equals: "HCI H4 with direction (201)")
        expect(reading.records.map(\.content), equals: [.packet(.command), .packet(.acl)])
        expect(reading.records.map(\.direction), equals: [.tx, .rx])
        expect(reading.records.map(\.bytes), equals: [hex("030C00"), Sample.aclPacket])
        expect(reading.records.map(\.offset), equals: [24, 48])
        expect(reading.records.map(\.missing), equals: [0, 70 - 4 - Sample.acl.count])
        let unit: UInt32 = kind.isNanoseconds ? 1 : 1000
        expect(reading.records.map(\.time.nanoseconds), equals: [5 * unit, 999_999 * unit])
        #expect(reading.records.allSatisfy { $0.time.precision == (kind.isNanoseconds ? 9 : 6) })
        #expect(reading.records.allSatisfy { $0.time.seconds == 1_767_225_600 })
    }

    /// Records as btsnoop-parser 0.10.0 writes them: findings/btsnoop-parser-pcap.sh.
    @Test func aLittleEndianDirectionIsRead() {
        let kind = PCAPKind()
        let reading = Reading(
            kind.header(201) + kind.record(hex("00000000 02 4020 0700 0300 0400 0A0300"))
                + kind.record(hex("01000000 02 4020 0600 0200 0400 0B48")))
        expect(reading.records.map(\.direction), equals: [.tx, .rx])
    }

    @Test func h4WithoutDirectionKnowsItForCommandsAndEvents() {
        let kind = PCAPKind()
        let packets = [Sample.command, Sample.event, Sample.acl, Sample.vendor]
        let reading = Reading(kind.header(187) + packets.flatMap { kind.record($0) })
        expect(reading.records.map(\.direction), equals: [.tx, .rx, .unknown, .unknown])
        expect(reading.records[3].content, equals: .unknownPacket(type: 0xFF))
    }

    @Test(arguments: PCAPKind.all)
    func linuxMonitorHasABigEndianHeader(kind: PCAPKind) {
        let reading = Reading(
            kind.header(254) + kind.record(hex("0001 0005") + Sample.aclPacket)
                + kind.record(hex("FFFF 000C") + hex("414200")))
        expect(reading.records.map(\.content), equals: [.packet(.acl), .monitor(opcode: 12)])
        expect(reading.records.map(\.direction), equals: [.rx, .unknown])
        expect(reading.records.map(\.controller), equals: [1, 0xFFFF])
        expect(reading.records.map(\.bytes), equals: [Sample.aclPacket, hex("414200")])
    }

    @Test(arguments: [(UInt32(187), 0), (201, 4), (254, 3)])
    func aPacketShorterThanItsPseudoHeaderIsBroken(linkType: UInt32, length: Int) {
        let kind = PCAPKind()
        let reading = Reading(
            kind.header(linkType) + kind.record([UInt8](repeating: 0, count: length))
                + kind.record(hex("00000004") + Sample.acl))
        expect(reading.faults, equals: ["packet of \(length) octets is too short for the header of its link type"])
        #expect(reading.records.count == 2 && reading.error == nil)
    }

    @Test(arguments: [
        (UInt32(255), "255 (Bluetooth BR/EDR baseband)"), (1, "1 (Ethernet)"), (1002, "1002 (HCI H4)"),
        (9999, "9999"),
    ])
    func otherLinkTypesAreRefused(linkType: UInt32, name: String) {
        let error = Reading(PCAPKind().header(linkType)).error
        expect(error?.kind, equals: .unsupported)
        expect(error?.reason, equals: "pcap with link type \(name): not supported yet")
        expect(
            error?.detailedDescription,
            equals: "test: pcap with link type \(name): not supported yet. "
                + "Link types 187 and 201 (HCI H4), 254 (Linux monitor), 251, 256, 272 and 192 (captures from the air), "
                + "189, 220 and 249 (USB) are supported.")
    }

    @Test func otherVersionsAreRefused() {
        #expect(Reading(PCAPKind().header(201, minor: 2)).error?.reason.contains("version 2.2") == true)
    }

    @Test func theCheckSequenceLengthIsNoPartOfTheLinkType() {
        #expect(Reading(PCAPKind().header(0x5400_00C9)).error == nil)
    }

    @Test(arguments: PCAPKind.all, [UInt32(13), 262_145, .max])
    func aLyingCapturedLengthCostsOneRecord(kind: PCAPKind, captured: UInt32) {
        let packet = hex("00000000") + Sample.command
        let lie = kind.record([UInt8](repeating: 0, count: 12), captured: captured, original: 12)
        let reading = Reading(
            kind.header(201) + kind.record(packet) + lie + kind.record(packet) + kind.record(packet))
        #expect(reading.error == nil)
        expect(reading.records.map(\.offset), equals: [24, 48, 76, 100])
        expect(reading.records.map { $0.fault == nil }, equals: [true, false, true, true])
    }

    @Test func fractionsBeyondASecondAreCarried() {
        let kind = PCAPKind()
        let reading = Reading(kind.header(187) + kind.record(Sample.acl, seconds: .max, fraction: .max))
        expect(
            reading.records.map(\.time),
            equals: [Timestamp(seconds: 4_294_967_295 + 4294, nanoseconds: 967_295_000, precision: 6)])
    }
}
