import AttlasConversation
import AttlasDefinitionFiles
import AttlasDissection
import AttlasFilter
import AttlasMetrics
import AttlasTestSupport
import AttlasValues
import Testing

@testable import AttlasDocuments

/// What is sent on channels of RFCOMM: with definitions, and in stats.
@Suite struct ChannelTests {
    /// Channels of RFCOMM and SDP that the host asked for: its ends 0x0040 and 0x0042, those of the peer 0x0041 and 0x0043. The record is of
    /// Serial Port, Server Channel 5, "Dev B". Vol 3, Part B, 5.1.
    private let packets: [Packet] = [
        .event("03 0B 00 4000 1371DA7D1A00 01 00"), .frame(.tx, channel: 1, hex("02 01 0400 0300 4000")),
        .frame(.rx, channel: 1, hex("03 01 0800 4100 4000 0000 0000")),
        .frame(.tx, channel: 1, hex("02 02 0400 0100 4200")),
        .frame(.rx, channel: 1, hex("03 02 0800 4300 4200 0000 0000")),
        .frame(
            .rx, channel: 0x42,
            hex(
                "07 0001 002A 0027 3525 3523 090001 3503 191101 090004 350C 3503 190100 3505 190003 0805 090100 2505 4465762042 00"
            )), .frame(.rx, channel: 0x40, hex("29 EF 05 54 3D 00")),
        .frame(.rx, channel: 0x40, hex("29 EF 05 31 0A 00")),
        .frame(.tx, channel: 0x41, hex("2B EF 03 3F 00")),
    ]

    @Test(arguments: ["service: 1101", "rfcomm: 5"]) func definition(identity: String) throws {
        let yaml = """
            channels:
              - { \(identity), name: Sensor, assemble: { terminator: 0A }, fields: [{ name: Text, type: utf8 }] }
            """
        let loader = DefinitionLoader([DefinitionSource(path: "sensor.yaml", text: yaml)], above: .shipped)
        try #require(loader.mistakes.isEmpty)
        let library = DissectorLibrary.shipped.adding(loader.files)
        func lines<Sink: LineSink>(_ makeSink: (ValueInterpreter) -> Sink) -> [String] {
            decoded(packets, as: RecordMaker(step: 1_000_000), library: library, into: makeSink).lines.string
                .split(separator: "\n").map(String.init)
        }
        let text = lines { ConversationText(values: $0, options: .init()) }
        #expect(text.contains { $0.contains("Sensor (RFCOMM channel 5)") && $0.contains("(2 parts)") }, "\(text)")
        let json = lines { ConversationJSON(values: $0, showsHCI: false, file: nil) }
        #expect(json.contains { $0.contains(#""message":{"state":"complete","frames":[7,8]"#) }, "\(json)")
    }

    @Test func statistics() {
        let model = document(of: packets) { SelectedStatistics(selection: Selection(), values: $0) }
        let channels = model.channels(ofConnection: 1)
        expect(channels.count, equals: 1)
        expect(channels[0].received.packets, equals: 2)
        expect(channels[0].received.octets, equals: 4)
        expect(channels[0].sent.octets, equals: 1)
        expect(channels[0].service?.name, equals: "Dev B")
    }

    @Test(arguments: [
        ("name: X", "a channel needs one of"), ("rfcomm: 1, psm: 0x1001, name: X", "a channel needs one of"),
        ("psm: 0x0019, name: X", "a channel has a PSM from 0x1001 on"),
        ("rfcomm: 1, name: X, fields: [{ name: Key, type: bytes, secret: true }]", "are always shown"),
    ]) func mistakes(entry: String, message: String) {
        let source = DefinitionSource(path: "a.yaml", text: "channels:\n  - { \(entry) }\n")
        let loader = DefinitionLoader([source], above: .shipped)
        #expect(loader.mistakes.contains { "\($0)".contains(message) }, "\(loader.mistakes)")
    }
}
