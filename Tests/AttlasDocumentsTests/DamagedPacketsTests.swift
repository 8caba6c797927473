import AttlasFilter
import AttlasLint
import AttlasMetrics
import AttlasTestSupport
import AttlasText
import Testing

@testable import AttlasDocuments

/// Captures from the air in which nearly all packets have a wrong CRC: every document says so first.
@Suite struct DamagedPacketsTests {
    /// ADV_IND of which one bit is wrong, this many times.
    private static func packets(_ count: Int) -> [Packet] {
        var packet = Air().advertising("0006 112233445566")
        packet.octets[8] ^= 1
        return Array(repeating: packet, count: count)
    }

    private static let first =
        "✗ 2 of 2 packets have a wrong CRC: nothing that they hold can be trusted\nUsual causes: "

    private static func texts(_ packets: [Packet]) throws -> [String] {
        let tree = document(of: packets) { TreeCollector(values: $0) }
        let statistics = document(of: packets) { SelectedStatistics(selection: Selection(), values: $0) }
        let lint = document(of: packets) { LintCollector(values: $0) }
        let why = document(of: packets) { WhyCollector(nil, values: $0) }
        let keys = document(of: packets) { _ in KeysCollector() }
        return try [
            printed { output in
                var text = TreeText(tree, width: nil, isColoured: false)
                text.write(file: nil, into: &output)
            },
            printed { output in
                var text = StatisticsText(statistics, grouping: .connection, width: nil, isColoured: false)
                text.write(file: nil, into: &output)
            },
            printed { output in
                var text = LintText(lint, width: nil, isColoured: false)
                text.write(file: nil, into: &output)
            },
            printed { output in
                var text = WhyText(why, width: nil, isColoured: false)
                text.write(file: nil, into: &output)
            },
            printed { output in
                var text = KeysText(keys, showsValues: false, width: nil, isColoured: false)
                text.write(file: nil, into: &output)
            },
            printed { output in
                var text = LintMarkdown([LintReport(file: "a", lint)])
                text.write(into: &output)
            },
        ]
    }

    @Test func everyTextSaysSoFirst() throws {
        let texts = try Self.texts(Self.packets(2))
        for text in texts.dropLast() {
            #expect(text.hasPrefix(Self.first))
            expect(text.matches(of: /can be trusted/).count, equals: 1)
        }
        #expect(texts[3].contains("\n\nNothing can be said about what broke (2 records"))
        #expect(
            texts[5].hasPrefix(
                "## `a`\n\n2 of 2 packets have a wrong CRC: nothing that they hold can be trusted.\n\nNothing found.\n")
        )
    }

    /// One right CRC in 20: not nearly all.
    @Test func fewWrongCRCsAreNotSaid() throws {
        for text in try Self.texts(Self.packets(19) + [Air().advertising("0006 112233445566")]) {
            #expect(!text.contains("can be trusted"))
        }
    }
}
