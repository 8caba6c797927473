import AttlasTestSupport
import AttlasWire
import Foundation
import Testing

@testable import AttlasCapture

@Suite struct BTSnoozTests {
    /// Type, packet, and how long it was before Android cut it.
    static let packets: [(type: UInt8, packet: [UInt8], original: Int)] = [
        (0x20, hex("030C00"), 3), (0x10, hex("0E0401030C00"), 6), (0x21, Sample.aclPacket, 11),
        (0x11, hex("40201B00170004001B1900616161"), 31),
    ]

    /// Made by Python's zlib and base64 from `packets`, with deltas of 1, 2, 3 and 4 ms up to 2026-01-01 and 10 ms.
    static let python: [UInt8: String] = [
        1: "ARBnIEZIRwYAeJxjYXjBzMCgwMzDwM5wgZ2BQYCPhRHI4WHYwc3AoOgAFGVm"
            + "YGHgkmTgZ1jAz8Ag6KAgzSAOFJGWZEhMTAQAv18GTA==",
        2: "AhBnIEZIRwYAeJxjYWBheMHMwKDAzMPADoQX2BkYBPhYGIFcENzBzcCg6AAU"
            + "Zwaq45Jk4GdQYFjAz8Ag6KAgzSAOFJOWZEhMTAQA1I0Ggw==",
    ]

    static func report(version: UInt8, _ base64: String? = nil) -> [UInt8] {
        let log = base64 ?? python[version] ?? ""
        let lines = stride(from: 0, to: log.utf8.count, by: 40).map { String(log.dropFirst($0).prefix(40)) }
        let text = """
            ========================================================
            == dumpstate: 2026-01-01 00:00:00
            ========================================================
            - -- --- --- BEGIN:
            --- BEGIN:BTSNOOP_LOG_SUMMARY (90 bytes in) ---
            \(lines.joined(separator: "\n"))
            --- END:BTSNOOP_LOG_SUMMARY (120 bytes out) ---
            more
            """
        return Array(text.utf8)
    }

    /// A record as version 2 lays it out.
    static func record(
        _ packet: [UInt8], type: UInt8 = 0x11, length: UInt16? = nil, original: UInt16? = nil, delta: UInt32 = 1000
    ) -> [UInt8] {
        let count = UInt16(packet.count + 1)
        return little(length ?? count) + little(original ?? length ?? count) + little(delta, 4) + [type] + packet
    }

    /// A report whose log is not compressed: one stored block of deflate.
    static func report(_ records: [UInt8], version: UInt8 = 2, lastTime: UInt64 = 1_767_225_600_000_000) -> [UInt8] {
        var (a, b): (UInt32, UInt32) = (1, 0)
        for octet in records {
            a = (a + UInt32(octet)) % 65_521
            b = (b + a) % 65_521
        }
        let length = UInt16(records.count)
        let stream = hex("7801 01") + little(length) + little(~length) + records + big(b << 16 | a, 4)
        return report(version: version, Data([version] + little(lastTime, 8) + stream).base64EncodedString())
    }

    @Test(arguments: [UInt8(1), 2])
    func bothVersionsAreRead(version: UInt8) throws {
        let set = CaptureSetReading(Self.report(version: version))
        #expect(set.errors.isEmpty)
        let reading = try #require(set.readings.first)
        #expect(reading.error == nil)
        #expect(reading.info?.file == "test!/btsnooz")
        #expect(reading.info?.format == "btsnooz")
        #expect(
            reading.records.map(\.content) == [.packet(.command), .packet(.event), .packet(.acl), .packet(.acl)])
        #expect(reading.records.map(\.direction) == [.tx, .rx, .tx, .rx])
        #expect(reading.records.map(\.bytes) == Self.packets.map(\.packet))
        // Version 1 does not say what it cut; the ACL header does.
        #expect(reading.records.map(\.missing) == [0, 0, 0, 17])
        #expect(reading.records.map(\.frame) == [1, 2, 3, 4])
        #expect(
            reading.records.map(\.time)
                == [1, 3, 6, 10].map {
                    Timestamp(seconds: 1_767_225_600, nanoseconds: $0 * 1_000_000, precision: 6)
                })
    }

    @Test func allTypesAreKnown() throws {
        let types: [UInt8] = [0x10, 0x11, 0x12, 0x17, 0x20, 0x21, 0x22, 0x2D, 0x33]
        let set = CaptureSetReading(Self.report(types.flatMap { Self.record([1, 2, 3, 4], type: $0) }))
        let records = try #require(set.records.first)
        #expect(
            records.map(\.content) == [
                .packet(.event), .packet(.acl), .packet(.synchronous), .packet(.isochronous), .packet(.command),
                .packet(.acl), .packet(.synchronous), .packet(.isochronous), .unknownPacket(type: 0x33),
            ])
        #expect(records.map(\.direction) == [.rx, .rx, .rx, .rx, .tx, .tx, .tx, .tx, .unknown])
        #expect(records.last?.time == Timestamp(seconds: 1_767_225_600, nanoseconds: 0, precision: 6))
    }

    @Test func aPacketThatIsNotThereAtAllIsMissing() throws {
        let nothing = Self.record([], type: 0x12, original: 61)
        let set = CaptureSetReading(Self.report(nothing + Self.record(Sample.aclPacket)))
        #expect(set.records.first?.map(\.missing) == [60, 0])
        #expect(set.readings.first?.faults == [])
    }

    @Test(arguments: [(UInt16(0), UInt16(0)), (12, 3), (5000, 5000), (0, 12)])
    func lengthsThatLieCostOneRecord(length: UInt16, original: UInt16) throws {
        let lie = Self.record(Sample.aclPacket, length: length, original: original)
        let good = Self.record(Sample.aclPacket)
        let reading = try #require(CaptureSetReading(Self.report(good + lie + good + good)).readings.first)
        #expect(reading.error == nil)
        #expect(reading.faults.count == 1)
        #expect(reading.records.map(\.offset) == [9, 29, 49, 69])
    }

    @Test func aReportMayHaveSeveralLogs() {
        let set = CaptureSetReading(Self.report(version: 1) + Self.report(version: 2))
        #expect(set.names == ["test!/btsnooz", "test!/btsnooz-2"])
    }

    @Test func aReportCutAnywhereGivesWhatItHasThenTheError() {
        let report = Self.report(Self.packets.flatMap { Self.record($0.packet, type: $0.type) })
        let expected = CaptureSetReading(report).records.first ?? []
        #expect(expected.count == 4)
        // What stands behind the log may be missing.
        for length in 1..<report.count - 53 {
            let set = CaptureSetReading(Array(report.prefix(length)))
            let records = set.records.first ?? []
            #expect(records.map(\.bytes) == expected.prefix(records.count).map(\.bytes), "\(length)")
            #expect(set.failures.count == 1 || records.count == 4, "\(length)")
        }
    }

    @Test(arguments: [
        "%%%%", "AQ==", "", "AwAAAAAAAAAAeJwDAAAAAAE=", "AgAAAAAAAAAAAAAA", "btif_debug Log compression failed",
    ])
    func aLogThatIsNoneIsAnError(base64: String) {
        let set = CaptureSetReading(Self.report(version: 2, base64))
        #expect(set.failures.count == 1)
        #expect(set.records.flatMap(\.self).isEmpty)
    }

    @Test func mutatedReportsNeitherTrapNorLastForever() {
        let stored = Self.report((0..<8).flatMap { _ in Self.record(Sample.aclPacket) })
        for report in [stored, Self.report(version: 1), Self.report(version: 2)] {
            ArchiveTests().mutate(report, times: 2000) { mutated in
                let set = CaptureSetReading(mutated)
                #expect(set.readings.count <= 1)
                #expect(set.records.allSatisfy { $0.count <= 2000 })
            }
        }
    }
}
