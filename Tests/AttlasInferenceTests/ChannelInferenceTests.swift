import AttlasDefinitionFiles
import AttlasDefinitions
import AttlasDissection
import AttlasMetrics
import AttlasTestSupport
import AttlasTrace
import Testing

@testable import AttlasDocuments
@testable import AttlasInference

/// What is sent on channels is read as the values of characteristics are.
@Suite struct ChannelInferenceTests {
    private static func packets() -> [Packet] {
        var packets: [Packet] = [
            .event("03 0B 00 4000 1371DA7D1A00 01 00"), .frame(.tx, channel: 1, hex("02 01 0400 0300 4000")),
            .frame(.rx, channel: 1, hex("03 01 0800 4100 4000 0000 0000")),
        ]
        for number in 0..<60 {
            let body = [0x5A, UInt8(number), UInt8(number * 7 % 50), UInt8(number * 11 % 90)]
            let octets = body + [body.reduce(0, &+)]
            // DLCI 2, and a check that nothing compares.
            packets.append(.frame(.rx, channel: 0x40, [0x09, 0xEF, UInt8(octets.count * 2 + 1)] + octets + [0x9A]))
        }
        return packets
    }

    @Test func aChannelOfRFCOMM() throws {
        let model = document(of: Self.packets()) { InferenceCollector("rfcomm:1", values: $0) }
        let found = try #require(model.characteristics.first)
        expect(found.values.source, equals: .channel(SerialData.Channel(.rfcomm(1), of: .peer)))
        expect(found.values.count, equals: 60)
        let claims = found.layouts.flatMap { $0.layout.groups.flatMap(\.claims) }.map(\.word)
        #expect(claims.contains("counter") && claims.contains("check"), "\(claims)")
        expect(document(of: Self.packets()) { InferenceCollector(nil, values: $0) }.characteristics.count, equals: 1)
    }

    /// `dissectors check` accepts the draft, which reads all that was sent.
    @Test func draft() throws {
        let model = document(of: Self.packets()) { InferenceCollector(nil, values: $0) }
        let draft = DraftFile(model.characteristics).text
        #expect(draft.contains("channels:\n  - rfcomm: 1\n"), "\(draft)")
        let loader = DefinitionLoader([DefinitionSource(path: "draft.yaml", text: draft)], above: .shipped)
        expect(loader.mistakes.map(\.description), equals: [], "\(draft)")
        let library = DissectorLibrary.shipped.adding(loader.files)
        let score = document(of: Self.packets(), library: library) {
            DefinitionScoreCollector(loader.files.flatMap(\.attributes), values: $0)
        }
        let definition = try #require(score.definitions.first)
        expect(definition.values, equals: 60)
        expect(definition.whole, equals: 60, "\(draft)")
    }

    @Test func whatIsNotThere() {
        let other = document(of: Self.packets()) { InferenceCollector("rfcomm:2", values: $0) }
        expect(other.whyNothing, equals: "the capture has no data of that channel")
        let none = document(of: Self.packets()) { InferenceCollector("psm:xyz", values: $0) }
        #expect(none.whyNothing?.hasPrefix("a channel is rfcomm:") ?? false)
    }
}
