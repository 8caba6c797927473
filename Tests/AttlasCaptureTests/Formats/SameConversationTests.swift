import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasCapture

/// One conversation, laid out by hand in every format: the records are the same but for their places.
@Suite struct SameConversationTests {
    private static let time = 1_767_225_600_000_007
    static let conversation = [
        Packet.command("030C00"), .event("0E 04 01 030C 00"), .att(.tx, "0A 1900"), .att(.rx, "0B 64"),
        .att(.rx, "1B 1900 1648"),
    ].map { $0.at(microseconds: time) }

    @Test(arguments: conversation.files.map(\.name))
    func everyFormatGivesTheSameRecords(_ name: String) throws {
        let file = try #require(Self.conversation.files.first { $0.name == name })
        let set = CaptureSetReading(file.bytes)
        #expect(set.failures.isEmpty)
        let records = try #require(set.records.first)
        #expect(records.map(\.content) == Self.conversation.map(\.content))
        #expect(records.map(\.direction) == Self.conversation.map(\.direction))
        #expect(records.map(\.bytes) == Self.conversation.map(\.octets))
        #expect(records.map(\.frame) == Array(1...5))
        #expect(records.allSatisfy { $0.missing == 0 && $0.controller == 0 })
        #expect(records.allSatisfy { $0.time.nanoseconds == 7_000 && $0.time.seconds == 1_767_225_600 })
    }

    /// Wireshark's programs write the formats that they can, from one of ours.
    @Test(arguments: ["btsnoop", "pcap", "nsecpcap", "pcapng"])
    func editcapGivesTheSameRecords(format: String) throws {
        guard let editcap = Tool("editcap") else { return }
        let bytes = Self.conversation.btsnoop
        let folder = try TemporaryFolder([("in", bytes)])
        _ = try editcap.run(["-F", format, folder.path("in"), folder.path("out")])
        let records = try #require(CaptureSetReading(path: folder.path("out")).records.first)
        let expected = Reading(bytes).records
        #expect(records.map(\.content) == expected.map(\.content))
        #expect(records.map(\.direction) == expected.map(\.direction))
        #expect(records.map(\.bytes) == expected.map(\.bytes))
        #expect(records.map(\.time.seconds) == expected.map(\.time.seconds))
    }

    /// The logs that have no signature are also such for Wireshark, which counts the same frames.
    @Test func tsharkCountsTheSameFrames() throws {
        guard let tshark = Tool("tshark") else { return }
        for file in Self.conversation.files
        where file.name.hasPrefix("hcidump") || file.name.hasPrefix("PacketLogger") {
            let folder = try TemporaryFolder([("in", file.bytes)])
            let lines = try tshark.run(["-r", folder.path("in"), "-T", "fields", "-e", "frame.number"])
            #expect(lines.count { $0 == UInt8(ascii: "\n") } == Self.conversation.count, "\(file.name)")
        }
    }
}
