import AttlasInput
import AttlasTestSupport
import Foundation
import Testing

/// What the tools of BlueZ print of a capture is the capture.
@Suite struct TextOfToolsTests {
    static let captures = Repository.captureNames.filter { $0.hasSuffix(".btsnoop") }

    @Test(arguments: captures)
    func hcidumpPrintsEveryOctet(name: String) throws {
        guard let hcidump = Tool("hcidump") else { return }
        let path = Repository.captures.appending(path: name).path
        let records = try #require(CaptureSetReading(path: path).records.first)
        // hcidump knows no records of the Linux monitor.
        guard records.allSatisfy({ if case .packet = $0.content { true } else { false } }) else { return }
        let text = try hcidump.run(["-r", path, "-R", "-t"])
        let reading = Reading(text)
        expect(reading.records.map(\.bytes), equals: records.map(\.bytes))
        expect(reading.records.map(\.content), equals: records.map(\.content))
        expect(reading.records.map(\.direction), equals: records.map(\.direction))
        // In the time of this machine.
        let shifts = zip(reading.records, records).map { $0.time.nanoseconds(since: $1.time) }
        #expect(Set(shifts).count <= 1)
    }

    /// What hcidump prints of a packet in words is that packet. It ends early at some of them.
    @Test(arguments: captures)
    func hcidumpPrintsTheFieldsOfPackets(name: String) throws {
        guard let hcidump = Tool("hcidump") else { return }
        let path = Repository.captures.appending(path: name).path
        let records = try #require(CaptureSetReading(path: path).records.first)
        guard records.allSatisfy({ if case .packet = $0.content { true } else { false } }) else { return }
        let reading = Reading(try hcidump.run(["-r", path, "-X", "-t"]))
        try compare(reading, records)
        let last = try #require(reading.records.last)
        expect(last.time.nanoseconds(since: records[last.frame - 1].time) % 900_000_000_000, equals: 0)
    }

    /// The packets that are whole, but for the last one, which may not have been printed in full.
    private func compare(_ reading: Reading, _ records: [PlainRecord]) throws {
        var compared = 0
        for record in reading.records.dropLast() {
            guard case .packet(let type) = record.content, record.missing == 0 else { continue }
            let original = records[record.frame - 1]
            // hcidump leaves out the interval of a connection and what follows.
            if type == .event, record.bytes.starts(with: [0x3E, 19, 0x01]),
                record.bytes.suffix(7).allSatisfy({ $0 == 0 })
            {
                expect(record.bytes.dropLast(7), equals: original.bytes.dropLast(7))
                continue
            }
            // The fragments of a frame are one packet.
            if type == .acl, original.bytes[1] & 0x30 == 0x10 { continue }
            expect(record.bytes, equals: original.bytes, "frame \(record.frame)")
            #expect(record.direction == original.direction && record.controller == original.controller)
            compared += 1
        }
        #expect(compared > 5)
    }

    /// What btmon prints of a packet in full is that packet. The log of a tester has notes of several lines, and so other frames.
    @Test(arguments: captures.filter { $0 != "l2cap-tester.btsnoop" })
    func btmonPrintsTheFieldsOfPackets(name: String) throws {
        guard let btmon = Tool("btmon") else { return }
        var octets = [UInt8](try Data(contentsOf: Repository.captures.appending(path: name)))
        if octets.starts(with: btsnoopHeader()) {
            octets = [Packet](btsnoop: octets).filter { !$0.isReadByType }.btsnoop
        }
        let folder = try TemporaryFolder()
        let path = try folder.write(octets)
        let records = try #require(CaptureSetReading(path: path).records.first)
        let reading = Reading(try btmon.run(["-r", path]))
        guard reading.records.count > 1 else { return }
        try compare(reading, records)
    }

    @Test func aTextIsReadFromAnyPlaceOn() throws {
        let text = "Hello,\n```\nCMD => 03 0C 00\nEVT <= 0E 04 01 03 0C 00\nCMD => 05 10 00\n```\nCMD => 01 10 00\n"
        let folder = try TemporaryFolder([("issue.md", Array(text.utf8))])
        let capture = try SeekableCapture(path: folder.path("issue.md"))
        var reader = try capture.reader(at: capture.start)
        _ = try reader.next()
        let position = reader.position
        expect(Reading(reader).records.map(\.frame), equals: [2, 3])
        let again = Reading(try capture.reader(at: position))
        expect(again.records.map(\.frame), equals: [2, 3])
        expect(again.records.map(\.bytes), equals: [hex("0E 04 01 030C 00"), hex("051000")])
    }

    /// A line of an app's log gives several packets: also between these.
    @Test func aLogOfAnAppIsReadFromAnyPlaceOn() throws {
        let uuid = "00002a37-0000-1000-8000-00805f9b34fb"
        let text = """
            V\t23:59:58.000\tConnecting to F2:11:22:33:44:55...
            I\t23:59:59.000\tConnected to F2:11:22:33:44:55
            I\t00:00:01.000\tRead Response received from \(uuid), value: (0x) 16
            I\t00:00:02.000\tNotification received from \(uuid), value: (0x) 17

            """
        let folder = try TemporaryFolder([("log.txt", Array(text.utf8))])
        let capture = try SeekableCapture(path: folder.path("log.txt"))
        let all = Reading(try capture.reader(at: capture.start)).records
        expect(all.count, equals: 6)
        for count in all.indices {
            var reader = try capture.reader(at: capture.start)
            for _ in 0..<count { _ = try reader.next() }
            try expect(Reading(capture.reader(at: reader.position)).records, equals: Array(all.dropFirst(count)))
        }
    }
}

extension Packet {
    /// Debian's btmon 5.66 stops at these.
    fileprivate var isReadByType: Bool {
        content == .packet(.acl) && octets.count > 8 && octets[1] & 0x30 != 0x10 && octets[6...7] == [4, 0]
            && (octets[8] == 0x08 || octets[8] == 0x09)
    }
}
