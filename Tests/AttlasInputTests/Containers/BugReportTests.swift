import AttlasTestSupport
import AttlasWire
import Foundation
import Testing

@testable import AttlasCapture

@Suite struct BugReportTests {
    @Test(arguments: [UInt8(1), 2])
    func bothVersionsAreRead(version: UInt8) throws {
        let set = CaptureSetReading(BugReportFile.report(version: version))
        #expect(set.errors.isEmpty)
        let reading = try #require(set.readings.first)
        #expect(reading.error == nil)
        expect(reading.info?.file, equals: "test!/btsnooz")
        expect(reading.info?.format, equals: "btsnooz")
        expect(
            reading.records.map(\.content), equals: [.packet(.command), .packet(.event), .packet(.acl), .packet(.acl)])
        expect(reading.records.map(\.direction), equals: [.tx, .rx, .tx, .rx])
        expect(reading.records.map(\.bytes), equals: BugReportFile.packets.map(\.packet))
        // Version 1 does not say what it cut; the ACL header does.
        expect(reading.records.map(\.missing), equals: [0, 0, 0, 17])
        expect(reading.records.map(\.frame), equals: [1, 2, 3, 4])
        expect(
            reading.records.map(\.time),
            equals: [1, 3, 6, 10].map {
                Timestamp(seconds: 1_767_225_600, nanoseconds: $0 * 1_000_000, precision: 6)
            })
    }

    /// The product is named in the file's name, too: `bugreport-oriole-…`.
    @Test func thePhoneIsNamedInTheText() throws {
        let report = BugReportFile.report(version: 2)
        let info = try #require(CaptureSetReading(report).readings.first?.info)
        expect(info.recordingDevice, equals: "oriole")
        let end = "/raven:14/AP1A"
        for name in ["two words", "\u{1B}[2J", "é", "", "no/end'\n"] {
            let text = String(decoding: report, as: UTF8.self).replacing("oriole" + end, with: name + end)
            let info = try #require(CaptureSetReading(Array(text.utf8)).readings.first?.info)
            expect(info.recordingDevice, equals: name == "no/end'\n" ? "no" : nil, "\(name)")
        }
        let text = String(decoding: report, as: UTF8.self).replacing("Build fingerprint", with: "Fingerprint")
        #expect(CaptureSetReading(Array(text.utf8)).readings.first?.info?.recordingDevice == nil)
    }

    /// A text that is known for one by its beginning, and cannot be read to its end, is an error once.
    @Test func aDamagedTextIsReportedOnce() throws {
        let text = Array((0..<50_000).map { "line \($0)\n" }.joined().utf8)
        guard let gzip = Tool("gzip"), let tar = Tool("tar") else { return }
        var compressed = try gzip.run(["-nc"], input: text)
        compressed[compressed.count - 5] ^= 0x01
        let wrongSum = CaptureSetReading(compressed)
        #expect(wrongSum.errors.map(\.reason) == ["zlib reports: incorrect data check"] && wrongSum.readings.isEmpty)
        let folder = try TemporaryFolder([("bugreport.txt", text)])
        let archive = try tar.run(["-cf", "-", "bugreport.txt"], in: folder.url)
        let cut = CaptureSetReading(Array(archive.prefix(text.count / 2)))
        #expect(cut.errors.count == 1 && cut.readings.isEmpty)
        #expect(cut.errors.first?.reason.hasPrefix("the contents cannot be read") == true)
    }

    @Test func allTypesAreKnown() throws {
        let types: [UInt8] = [0x10, 0x11, 0x12, 0x17, 0x20, 0x21, 0x22, 0x2D, 0x33]
        let set = CaptureSetReading(
            BugReportFile.report(types.flatMap { BugReportFile.record([1, 2, 3, 4], type: $0) }))
        let records = try #require(set.records.first)
        expect(
            records.map(\.content),
            equals: [
                .packet(.event), .packet(.acl), .packet(.synchronous), .packet(.isochronous), .packet(.command),
                .packet(.acl), .packet(.synchronous), .packet(.isochronous), .unknownPacket(type: 0x33),
            ])
        expect(records.map(\.direction), equals: [.rx, .rx, .rx, .rx, .tx, .tx, .tx, .tx, .unknown])
        expect(records.last?.time, equals: Timestamp(seconds: 1_767_225_600, nanoseconds: 0, precision: 6))
    }

    @Test func aPacketThatIsNotThereAtAllIsMissing() throws {
        let nothing = BugReportFile.record([], type: 0x12, original: 61)
        let set = CaptureSetReading(BugReportFile.report(nothing + BugReportFile.record(Sample.aclPacket)))
        expect(set.records.first?.map(\.missing), equals: [60, 0])
        expect(set.readings.first?.faults, equals: [])
    }

    @Test(arguments: [(UInt16(0), UInt16(0)), (12, 3), (5000, 5000), (0, 12)])
    func lengthsThatLieCostOneRecord(length: UInt16, original: UInt16) throws {
        let lie = BugReportFile.record(Sample.aclPacket, length: length, original: original)
        let good = BugReportFile.record(Sample.aclPacket)
        let reading = try #require(CaptureSetReading(BugReportFile.report(good + lie + good + good)).readings.first)
        #expect(reading.error == nil)
        expect(reading.faults.count, equals: 1)
        expect(reading.records.map(\.offset), equals: [9, 29, 49, 69])
    }

    @Test func aReportMayHaveSeveralLogs() {
        let set = CaptureSetReading(BugReportFile.report(version: 1) + BugReportFile.report(version: 2))
        expect(set.names, equals: ["test!/btsnooz", "test!/btsnooz-2"])
    }

    @Test func aReportCutAnywhereGivesWhatItHasThenTheError() {
        let report = BugReportFile.report(
            BugReportFile.packets.flatMap { BugReportFile.record($0.packet, type: $0.type) })
        let expected = CaptureSetReading(report).records.first ?? []
        expect(expected.count, equals: 4)
        // What is after the log may be missing.
        for length in 1..<report.count - 53 {
            let set = CaptureSetReading(Array(report.prefix(length)))
            let records = set.records.first ?? []
            expect(records.map(\.bytes), equals: expected.prefix(records.count).map(\.bytes), "\(length)")
            #expect(set.failures.count == 1 || records.count == 4, "\(length)")
        }
    }

    @Test(arguments: [
        "%%%%", "AQ==", "", "AwAAAAAAAAAAeJwDAAAAAAE=", "AgAAAAAAAAAAAAAA", "btif_debug Log compression failed",
    ])
    func aLogThatIsNoneIsAnError(base64: String) {
        let set = CaptureSetReading(BugReportFile.report(base64: base64))
        expect(set.failures.count, equals: 1)
        #expect(set.records.flatMap(\.self).isEmpty)
    }

    @Test func mutatedReportsNeitherTrapNorLastForever() {
        let stored = BugReportFile.report((0..<8).flatMap { _ in BugReportFile.record(Sample.aclPacket) })
        for report in [stored, BugReportFile.report(version: 1), BugReportFile.report(version: 2)] {
            ArchiveTests().mutate(report, times: 2000) { mutated in
                let set = CaptureSetReading(mutated)
                #expect(set.readings.count <= 1)
                #expect(set.records.allSatisfy { $0.count <= 2000 })
            }
        }
    }
}
