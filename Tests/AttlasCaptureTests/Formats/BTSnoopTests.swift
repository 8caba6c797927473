import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasCapture

@Suite struct BTSnoopTests {
    @Test func h4GivesTypeDirectionOffsetAndTime() {
        let reading = Reading(
            btsnoopHeader() + btsnoopRecord(Sample.command, flags: 2)
                + btsnoopRecord(Sample.event, flags: 3, time: btsnoopTime + 1_500_000)
                + btsnoopRecord(Sample.acl, flags: 0) + btsnoopRecord(Sample.acl, flags: 1)
                + btsnoopRecord(Sample.vendor, flags: 1))
        #expect(reading.error == nil)
        expect(reading.records.map(\.frame), equals: [1, 2, 3, 4, 5])
        expect(
            reading.records.map(\.content),
            equals: [
                .packet(.command), .packet(.event), .packet(.acl), .packet(.acl), .unknownPacket(type: 0xFF),
            ])
        expect(reading.records.map(\.direction), equals: [.tx, .rx, .tx, .rx, .rx])
        expect(reading.records.map(\.offset), equals: [16, 44, 75, 111, 147])
        expect(reading.records[0].bytes, equals: hex("030C00"))
        expect(reading.records[4].bytes, equals: hex("0102"))
        expect(
            reading.records[1].time, equals: Timestamp(seconds: 1_767_225_601, nanoseconds: 500_000_000, precision: 6))
        expect(reading.info?.linkType, equals: "HCI H4 (1002)")
        expect(reading.info?.format, equals: "btsnoop")
    }

    @Test func commandsAreSentAndEventsReceivedWhateverTheFlagsSay() {
        let reading = Reading(
            btsnoopHeader() + btsnoopRecord(Sample.command, flags: 1) + btsnoopRecord(Sample.event, flags: 0))
        expect(reading.records.map(\.direction), equals: [.tx, .rx])
    }

    @Test func h1TakesTheTypeFromTheFlags() {
        let packet = hex("030C00")
        let reading = Reading(btsnoopHeader(1001) + (0..<4).flatMap { btsnoopRecord(packet, flags: UInt32($0)) })
        expect(
            reading.records.map(\.content),
            equals: [
                .packet(.acl), .packet(.acl), .packet(.command), .packet(.event),
            ])
        expect(reading.records.map(\.direction), equals: [.tx, .rx, .tx, .rx])
        #expect(reading.records.allSatisfy { $0.bytes == packet })
        expect(reading.info?.linkType, equals: "HCI H1 (1001)")
    }

    @Test func monitorTakesAdapterAndOpcodeFromTheFlags() {
        let opcodes: [UInt32] = [2, 3, 4, 5, 6, 7, 18, 19, 0, 12, 0xFFFF]
        let reading = Reading(
            btsnoopHeader(2001) + opcodes.flatMap { btsnoopRecord(hex("AABB"), flags: 0x0001_0000 | $0) })
        expect(
            reading.records.map(\.content),
            equals: [
                .packet(.command), .packet(.event), .packet(.acl), .packet(.acl), .packet(.synchronous),
                .packet(.synchronous), .packet(.isochronous), .packet(.isochronous), .monitor(opcode: 0),
                .monitor(opcode: 12), .monitor(opcode: 0xFFFF),
            ])
        expect(
            reading.records.map(\.direction),
            equals: [
                .tx, .rx, .tx, .rx, .tx, .rx, .tx, .rx, .unknown, .unknown, .unknown,
            ])
        #expect(reading.records.allSatisfy { $0.controller == 1 && $0.bytes == hex("AABB") })
    }

    @Test func aHeaderAloneIsACaptureWithoutRecords() {
        let reading = Reading(btsnoopHeader())
        #expect(reading.error == nil && reading.records.isEmpty)
    }

    @Test(arguments: [
        (UInt32(1003), "1003 (HCI BSCP)"), (1004, "1004 (HCI H5, three-wire UART)"), (2002, "2002 (Linux simulator)"),
        (7, "7"), (187, "187 (HCI H4)"),
    ])
    func otherDatalinksAreRefused(datalink: UInt32, name: String) {
        let reading = Reading(btsnoopHeader(datalink))
        expect(reading.error?.kind, equals: .unsupported)
        #expect(reading.error?.reason.hasPrefix("btsnoop with datalink \(name): not supported") == true)
    }

    @Test func otherVersionsAreRefused() {
        #expect(Reading(btsnoopHeader(version: 2)).error?.reason.contains("version 2") == true)
    }

    @Test func dropsAreCountedFromRecordToRecord() {
        let counts: [UInt32] = [3, 3, 10, 2, 5, .max, 0]
        let reading = Reading(btsnoopHeader() + counts.flatMap { btsnoopRecord(Sample.acl, drops: $0) })
        expect(reading.records.map(\.lost), equals: [3, 0, 7, 0, 3, .max - 5, 0])
    }

    @Test func whatTheCaptureCutOffIsMissing() {
        let reading = Reading(btsnoopHeader() + btsnoopRecord(Sample.acl, original: 100))
        expect(reading.records.map(\.missing), equals: [100 - Sample.acl.count])
        #expect(reading.error == nil)
    }

    @Test func anEmptyPacketIsBroken() {
        let reading = Reading(btsnoopHeader() + btsnoopRecord([]) + btsnoopRecord(Sample.acl))
        expect(reading.faults, equals: ["packet of 0 octets is too short for the header of its link type"])
        expect(reading.records.map(\.frame), equals: [1, 2])
    }

    @Test(arguments: [UInt32(13), 262_145, 0x7FFF_FFFF, .max])
    func anIncludedLengthBeyondTheOriginalCostsOneRecord(included: UInt32) {
        let reading = reading(with: btsnoopRecord(Sample.acl, included: included))
        #expect(reading.error == nil)
        expect(reading.records.map(\.offset), equals: [16, 44, 80, 111])
        expect(reading.records.map { $0.fault == nil }, equals: [true, false, true, true])
    }

    @Test(arguments: [UInt32(1000), 262_144])
    func lengthsBeyondTheEndOfTheFileCostOneRecord(length: UInt32) {
        let reading = reading(with: btsnoopRecord(Sample.acl, original: length, included: length))
        #expect(reading.error == nil)
        expect(reading.faults, equals: ["packet of \(length) octets ends after the end of the file"])
        expect(reading.records.map(\.offset), equals: [16, 44, 80, 111])
    }

    /// A record among others.
    func reading(with record: [UInt8]) -> Reading {
        Reading(
            btsnoopHeader() + btsnoopRecord(Sample.command) + record + btsnoopRecord(Sample.event)
                + btsnoopRecord(Sample.command))
    }

    @Test func anIncludedLengthBeyondTheLimitAtTheEndEndsInAnError() {
        let reading = Reading(btsnoopHeader() + btsnoopRecord(Sample.acl, included: 0x0100_0000))
        expect(reading.faults, equals: ["packet of 16777216 octets is longer than the limit of 262144"])
        expect(reading.error?.kind, equals: .unreadable)
        expect(reading.error?.offset, equals: 16)
    }

    @Test func theLargestPacketIsRead() {
        let packet = [0x02] + [UInt8](repeating: 0xAB, count: 262_143)
        let reading = Reading(btsnoopHeader() + btsnoopRecord(packet) + btsnoopRecord(Sample.command))
        expect(reading.records.map(\.bytes.count), equals: [262_143, 3])
        #expect(reading.error == nil)
    }

    /// Year 0, a microsecond before it and before 1970, and the ends of 64 bits.
    static let times: [(UInt64, Timestamp)] = [
        (0, Timestamp(seconds: -62_168_256_000, nanoseconds: 0, precision: 6)),
        (.max, Timestamp(seconds: -62_168_256_001, nanoseconds: 999_999_000, precision: 6)),
        (0x00DC_DDB3_0F2F_8000 - 1, Timestamp(seconds: -1, nanoseconds: 999_999_000, precision: 6)),
        (0x8000_0000_0000_0000, Timestamp(seconds: -9_285_540_292_855, nanoseconds: 224_192_000, precision: 6)),
        (0x7FFF_FFFF_FFFF_FFFF, Timestamp(seconds: 9_161_203_780_854, nanoseconds: 775_807_000, precision: 6)),
    ]

    @Test(arguments: times)
    func timesOfAnyYearAreRead(time: UInt64, expected: Timestamp) {
        let reading = Reading(btsnoopHeader() + btsnoopRecord(Sample.acl, time: time))
        expect(reading.records.map(\.time), equals: [expected])
    }
}
