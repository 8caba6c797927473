import AttlasCapture
import AttlasTestSupport
import Foundation
import Testing

/// `attlas convert` of a host's log and a sniffer's capture of the same session; and what it writes as comments.
@Suite struct ConvertMergeTests {
    private static let tshark = Tool("tshark")

    private func fields(_ path: String, _ arguments: [String]) throws -> [String] {
        let output = try Self.tshark?.run(["-r", path, "-T", "fields"] + arguments) ?? []
        return String(decoding: output, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map(
            String.init
        ).dropLast()
    }

    /// The sniffer's clock is 2.5 s late.
    @Test(.enabled(if: tshark != nil)) func aSnifferIsAlignedWithTheHost() throws {
        let folder = try TemporaryFolder()
        let packets = try Repository.packets(of: "heart-rate.btsnoop").map { packet in
            var packet = packet
            packet.time = packet.time.map {
                Timestamp(seconds: $0.seconds - 3, nanoseconds: $0.nanoseconds, precision: $0.precision).adding500ms
            }
            return packet
        }
        let air = try folder.write(AirLayout(packets).withPseudoHeader, to: "air.pcap")
        let host = Repository.capture("heart-rate.btsnoop")
        let out = folder.path("both.pcapng")
        let result = try Command.attlas(["convert", "--align", host, air, out])
        expect(result.status, equals: 0)
        #expect(result.errors.contains("air.pcap: clock offset -2.500000 s, "), "\(result.errors)")
        #expect(result.errors.contains("residual 0.000 ms over "))
        // Each PDU twice, one directly after the other.
        let pdus = try fields(
            out, ["-Y", "btatt", "-e", "frame.time_epoch", "-e", "btatt.value", "-e", "btatt.opcode"])
        let values = pdus.filter { $0.hasSuffix("0x1b") }
        #expect(values.count > 50)
        #expect(Set(values).count * 2 <= values.count + 4)
        let whole = try fields(host, ["-e", "frame.number"]).count + fields(air, ["-e", "frame.number"]).count
        try expect(fields(out, ["-e", "frame.number"]).count, equals: whole)
    }

    @Test func clocksThatCannotBeCompared() throws {
        let folder = try TemporaryFolder()
        let result = try Command.attlas([
            "convert", "--align", Repository.capture("heart-rate.btsnoop"), Repository.capture("broadcast.btsnoop"),
            folder.path("out.pcapng"),
        ])
        #expect(result.status == 1 && result.errors.contains("its clock cannot be aligned"))
        #expect(!FileManager.default.fileExists(atPath: folder.path("out.pcapng")))
        let alone = Repository.capture("heart-rate.btsnoop")
        try expect(Command.attlas(["convert", "--align", alone, folder.path("out.pcapng")]).status, equals: 64)
    }

    /// tshark finds the values by their names; each packet but first fragments has a comment, and the packets stay as they were.
    @Test(.enabled(if: tshark != nil)) func tsharkFindsTheComments() throws {
        let folder = try TemporaryFolder()
        let name = "heart-rate.btsnoop"
        let out = folder.path("out.pcapng")
        try expect(Command.attlas(["convert", "--annotate", Repository.capture(name), out]).status, equals: 0)
        let notifications = try fields(
            out, ["-Y", "btatt.opcode == 0x1b and btatt.handle == 0x0010", "-e", "frame.number"])
        let filter = #"frame.comment contains "Heart Rate Measurement" and frame.comment contains "bpm""#
        let found = try fields(out, ["-Y", filter, "-e", "frame.number"])
        #expect(!notifications.isEmpty && notifications == found)
        #expect(
            try fields(out, ["-Y", "not frame.comment and (btl2cap or not bthci_acl)", "-e", "frame.number"]).isEmpty)
        let octets = ["-e", "frame.time_epoch", "-e", "bthci_acl.length", "-e", "btatt.value"]
        try expect(fields(out, octets), equals: fields(Repository.capture(name), octets))
        let incident = folder.path("incident.pcapng")
        let scale = Repository.capture("careless-scale.btsnoop")
        try expect(Command.attlas(["convert", "--annotate", scale, incident]).status, equals: 0)
        let frames = try fields(incident, ["-Y", "frame.comment contains \"incident\"", "-e", "frame.number"])
        #expect(frames.contains("140") && frames.contains("145"))
        #expect(try fields(incident, ["-Y", "frame.comment contains \"lint\"", "-e", "frame.number"]).count > 5)
    }

    /// Keys are withheld from comments as they are from lines, and only pcapng has comments.
    @Test func commentsHoldNoKeys() throws {
        let folder = try TemporaryFolder()
        let capture = Repository.capture("pairing.btsnoop")
        let out = folder.path("out.pcapng")
        try expect(Command.attlas(["convert", "--annotate", capture, out]).status, equals: 0)
        let shown = try Command.attlas(["show", "--hci", "--show-keys", capture]).output
        let keys = Set(shown.matches(of: /\b[0-9a-f]{32}\b/).map { String($0.0) })
        let text = String(decoding: try Data(contentsOf: URL(filePath: out)), as: UTF8.self)
        #expect(keys.allSatisfy { !text.contains($0) })
        try expect(Command.attlas(["convert", "--annotate", capture, folder.path("out.pcap")]).status, equals: 64)
    }
}

extension Timestamp {
    fileprivate var adding500ms: Timestamp {
        let sum = nanoseconds + 500_000_000
        return Timestamp(
            seconds: seconds + Int64(sum / 1_000_000_000), nanoseconds: sum % 1_000_000_000, precision: precision)
    }
}
