import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasCapture

@Suite struct PacketLoggerTests {
    @Test(arguments: PacketLoggerRecords.both)
    func packetsAreRead(log: PacketLoggerRecords) {
        let synchronous = hex("4100 02 AABB")
        let reading = Reading(
            log.conversation.flatMap(\.self) + log.record(0x08, synchronous) + log.record(0x09, synchronous))
        #expect(reading.error == nil)
        expect(reading.records.map(\.frame), equals: [1, 2, 3, 4, 5, 6])
        expect(
            reading.records.map(\.content),
            equals: [
                .packet(.command), .packet(.event), .packet(.acl), .packet(.acl), .packet(.synchronous),
                .packet(.synchronous),
            ])
        expect(reading.records.map(\.direction), equals: [.tx, .rx, .tx, .rx, .tx, .rx])
        expect(reading.records.map(\.offset), equals: [0, 16, 35, 59, 83, 101])
        expect(reading.records[1].bytes, equals: hex("0E 04 01 030C 00"))
        expect(reading.records[3].bytes, equals: Sample.aclPacket)
        expect(
            reading.records.prefix(4).map(\.time),
            equals: [
                Timestamp(seconds: 1_767_225_600, nanoseconds: 0, precision: 6),
                Timestamp(seconds: 1_767_225_600, nanoseconds: 5000, precision: 6),
                Timestamp(seconds: 1_767_225_600, nanoseconds: 999_999_000, precision: 6),
                Timestamp(seconds: 1_767_225_601, nanoseconds: 0, precision: 6),
            ])
        expect(reading.info?.format, equals: "PacketLogger")
    }

    @Test(arguments: PacketLoggerRecords.both)
    func whatIsNoPacketSaysWhatItIsAndCounts(log: PacketLoggerRecords) {
        let types: [UInt8] = [0x0A, 0x0B, 0xF7, 0xF8, 0xF9, 0xFA, 0xFB, 0xFC, 0xFD, 0xFE]
        let reading = Reading(types.flatMap { log.record($0, Array("hello\0".utf8)) } + log.conversation[0])
        #expect(reading.error == nil)
        expect(
            reading.records.map(\.content),
            equals: types.map { .packetLogger(PacketLoggerType(rawValue: $0)) } + [.packet(.command)])
        expect(reading.records.map(\.direction), equals: [.tx, .rx] + Array(repeating: .unknown, count: 8) + [.tx])
        expect(reading.records.map(\.frame), equals: Array(1...11))
        expect(reading.records[7].bytes, equals: Array("hello\0".utf8))
        #expect(types.allSatisfy { PacketLoggerType(rawValue: $0).name != nil })
    }

    @Test(arguments: PacketLoggerRecords.both)
    func aTypeThatIsNotKnownIsKeptButBeginsNoFile(log: PacketLoggerRecords) {
        let reading = Reading(log.conversation[0] + log.record(0x42, [1, 2]) + log.record(0x00, []))
        #expect(reading.error == nil)
        expect(
            reading.records.map(\.content),
            equals: [
                .packet(.command), .packetLogger(PacketLoggerType(rawValue: 0x42)), .packet(.command),
            ])
        expect(Reading(log.record(0x42, [1, 2])).error?.kind, equals: .unknownFormat)
        #expect(PacketLoggerType(rawValue: 0x42).name == nil)
    }

    /// Below 8 not even the times fit, 8 leaves no type; the rest is beyond the file or the limit.
    @Test(arguments: PacketLoggerRecords.both, [UInt32(0), 7, 8, 5000, 262_154, .max])
    func aLengthThatLiesCostsOneRecord(log: PacketLoggerRecords, length: UInt32) {
        let packets = log.conversation
        let reading = Reading(
            packets[0] + log.record(0x02, Sample.aclPacket, length: length) + packets[1] + packets[2])
        #expect(reading.error == nil)
        expect(reading.faults.count, equals: 1)
        expect(reading.records.map(\.offset), equals: [0, 16, 40, 59])
        expect(reading.records.map(\.frame), equals: [1, 2, 3, 4])
    }

    @Test func theFirstPacketTellsItFromHcidump() {
        // Both are eight and four octets that look alike, and a type that means something in each.
        let log = PacketLoggerRecords()
        for type: UInt8 in [1, 2, 3] {
            let bytes = type == 1 ? hex("0E 04 01 030C 00") : Sample.aclPacket
            expect(Reading(log.record(type, bytes)).info?.format, equals: "PacketLogger")
        }
        for packet in [Sample.command, Sample.acl, hex("03 4100 01 AA"), Sample.event] {
            expect(Reading(hcidumpRecord(packet)).info?.format, equals: "hcidump")
        }
    }
}
