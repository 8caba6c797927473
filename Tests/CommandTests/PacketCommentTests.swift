import AttlasTestSupport
import Foundation
import Testing

/// What somebody wrote next to packets of a pcapng file.
@Suite struct PacketCommentTests {
    /// A command, then two notifications of 0x0019; the first one in two fragments.
    private static let file = pcapng([
        (hex("01 030C 00"), 2, ["the reset"]),
        (hex("02 4020 0800 0500 0400 1B 1900 16"), 1, ["it begins\nhere"]),
        (hex("02 4010 0100 48"), 1, ["and ends", "there"]),
        (hex("02 4020 0900 0500 0400 1B 1900 16 49"), 1, []),
    ])

    /// Packets of link type 187, each with its direction (1 received, 2 sent) and its comments.
    private static func pcapng(_ packets: [(bytes: [UInt8], direction: UInt32, comments: [String])]) -> Data {
        let blocks = PCAPNGBlocks()
        let body = packets.enumerated().flatMap { index, packet in
            let comments = packet.comments.flatMap { blocks.option(1, Array($0.utf8)) }
            let direction = blocks.option(2, blocks.uint32(packet.direction))
            return blocks.enhanced(
                packet.bytes, ticks: UInt64(index) * 1_000, options: direction + comments + blocks.option(0, []))
        }
        return Data(blocks.section() + blocks.interface(187) + body)
    }

    private func lines(_ arguments: String...) throws -> [String] {
        let result = try Command.attlas(["show"] + arguments + ["-"], input: Self.file)
        #expect(result.status == 0 && result.errors.isEmpty)
        return result.output.split(separator: "\n").map(String.init)
    }

    @Test func theyStandAboveTheirPacket() throws {
        let lines = try lines()
        let comments = lines.indices.filter { lines[$0].contains("“") }
        expect(
            comments.map { lines[$0].trimmingCharacters(in: .whitespaces) },
            equals: [
                "frame 1: “the reset”", "frame 2: “it begins\\nhere”", "frame 3: “and ends”", "frame 3: “there”",
            ])
        let notification = try #require(lines.firstIndex { $0.contains("16 48") })
        #expect(comments.allSatisfy { $0 < notification })
        expect(lines[notification...].count { $0.contains("Notification") }, equals: 2)
    }

    @Test func everyLineOfThePacketHasThemInJSON() throws {
        let lines = try lines("--json", "--hci").filter { $0.contains("\"comments\":") }
        let comments = [
            #""comments":["the reset"]"#, #""comments":["it begins\nhere","and ends","there"]"#,
            // The connection shows with the first fragment.
            #""comments":["it begins\nhere"]"#,
        ]
        for line in lines { #expect(comments.contains { line.contains($0) }, "\(line)") }
        #expect(lines.count { $0.contains(#""type":"hci""#) && $0.contains(comments[0]) } == 1)
        #expect(lines.count { $0.contains(#""type":"att""#) && $0.contains(comments[1]) } == 1)
    }

    @Test func thoseOfPacketsThatAreNotSelectedAreNotShown() throws {
        #expect(try lines("--filter", "value == 1649").count { $0.contains("“") } == 0)
        #expect(try lines("--filter", "value == 1648").count { $0.contains("“") } == 3)
        try expect(lines("--csv").count, equals: 3)
    }

    @Test(.enabled(if: Command.hasSchemaValidator, "python3-jsonschema is not installed"))
    func theyFitTheSchema() throws {
        let output = try Command.attlas(["show", "--json", "--hci", "-"], input: Self.file).output
        #expect(try Command.judge(output, bySchema: "show").isEmpty)
    }
}
