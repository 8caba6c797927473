import AttlasDefinitions
import AttlasDissection
import AttlasFilter
import AttlasMetrics
import AttlasTestSupport
import AttlasValues
import Testing

@testable import AttlasConversation
@testable import AttlasDocuments

/// No output has a key, a passkey or a code, unless it is asked for.
@Suite struct KeysTests {
    private static let key = "A1A2A3A4A5A6A7A8A9AAABACADAEAFB0"

    /// A server with a Coordinated Set Identification Service, whose Set Identity Resolving Key is at 0x0003, and what comes of it.
    private static func conversation(_ packets: [Packet]) -> [Packet] {
        let discovery: [Packet] = [
            .connected(), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0F00 4618"),
            .att(.tx, "08 0100 0F00 0328"),
            .att(.rx, "09 07 0200 02 0300 842B 0400 02 0500 882B 0600 08 0700 C72B 0800 08 0900 9F2A"),
        ]
        return discovery + packets + [.disconnected()]
    }

    /// Every way in which an attribute's value goes over the air, with the Set Identity Resolving Key.
    private static let ways: [[Packet]] = [
        [.att(.tx, "0A 0300"), .att(.rx, "0B 01 \(key)")],
        // Two octets too many, and two too few.
        [.att(.tx, "0A 0300"), .att(.rx, "0B 01 \(key) A1A2")],
        [.att(.tx, "0A 0300"), .att(.rx, "0B 01 A1A2A3A4A5A6")],
        [.att(.tx, "08 0100 FFFF 842B"), .att(.rx, "09 13 0300 01 \(key)")],
        [.att(.tx, "0C 0300 0100"), .att(.rx, "0D \(key)")],
        [.att(.tx, "0E 0300 0500"), .att(.rx, "0F 01 \(key)")],
        [.att(.tx, "20 0300 0500"), .att(.rx, "21 1100 01 \(key)")],
        [.att(.tx, "12 0300 01 \(key)"), .att(.rx, "13")], [.att(.tx, "52 0300 01 \(key)")],
        [.att(.tx, "D2 0300 01 \(key) 00000000 A1A2A3A4A5A6A7A8")],
        [
            .att(.tx, "16 0300 0000 01 A1A2A3A4A5A6A7A8"), .att(.rx, "17 0300 0000 01 A1A2A3A4A5A6A7A8"),
            .att(.tx, "16 0300 0900 A9AAABACADAEAFB0"), .att(.rx, "17 0300 0900 A9AAABACADAEAFB0"), .att(.tx, "18 01"),
            .att(.rx, "19"),
        ],
        [.att(.rx, "1B 0300 01 \(key)")], [.att(.rx, "1D 0300 01 \(key)"), .att(.tx, "1E")],
        [.att(.rx, "23 0300 1100 01 \(key)")], [.att(.tx, "06 0100 FFFF 842B 01 \(key)")],
        // Key material of Encrypted Advertising Data, a Broadcast_Code, a consent code of 0xA2A1.
        [.att(.tx, "0A 0500"), .att(.rx, "0B \(key) A1A2A3A4A5A6A7A8")],
        [.att(.tx, "12 0700 04 01 \(key)"), .att(.rx, "13")], [.att(.tx, "12 0900 01 A1A2"), .att(.rx, "13")],
        [.att(.tx, "12 0900 02 00 A1A2"), .att(.rx, "13")],
        // The same on an enhanced bearer: its frames, and what they hold.
        [
            .frame(.tx, channel: 5, hex("17 01 0A00 2700 4000 4000 0100 4000")),
            .frame(.rx, channel: 5, hex("18 01 0A00 4000 4000 0100 0000 4100")),
            .frame(.tx, channel: 0x41, hex("1400 12 0300 01 \(key)")),
        ],
        // Pairing: what the keys are computed from, and the keys.
        [.frame(.tx, channel: 6, hex("03 \(key)"))], [.frame(.tx, channel: 6, hex("04 \(key)"))],
        [.frame(.tx, channel: 6, hex("06 \(key)"))], [.frame(.tx, channel: 6, hex("08 \(key)"))],
        [.frame(.tx, channel: 6, hex("0A \(key)"))],
        // What follows of a frame on a handle that never connected.
        [.more(.rx, "A5A6A7A8 A1A2A3A4", handle: 0x99)],
        // LE Rand, the result of LE Encrypt, User Passkey Notification, LE Create BIG.
        [.event("0E 0C 01 1820 00 A1A2A3A4A5A6A7A8")], [.event("0E 14 01 1720 00 \(key)")],
        [.event("3B 0A \(Address.strap) A1A20000")],
        [.command("6820 1F 00 00 01 102700 6400 0A00 02 02 00 00 01 \(key)")],
        [.command("6B20 18 00 0100 01 \(key) 00 E803 00")], [.command("2E04 0A \(Address.strap) A1A20000")],
    ]

    private static func outputs(_ packets: [Packet], _ library: DissectorLibrary) throws -> [(
        name: String, text: String
    )] {
        func lines<Sink: LineSink>(_ makeSink: (ValueInterpreter) -> Sink) -> String {
            decoded(packets, as: RecordMaker(step: 1_000_000), library: library, into: makeSink).lines.string
        }
        var options = ConversationText.Options()
        options.showsHCI = true
        options.showsHex = true
        let tree = document(of: packets, library: library) { TreeCollector(values: $0) }
        let names = ["SIRK", "Session Key", "IV", "Consent Code", "Broadcast_Code"]
        return [
            ("text", lines { ConversationText(values: $0, options: options) }),
            ("json", lines { ConversationJSON(values: $0, showsHCI: true, file: nil) }),
            ("csv", lines { ConversationCSV(values: $0, file: nil, hasHeader: true) }),
            ("fields", lines { FieldSeries(names: names, values: $0, file: nil, hasHeader: true) }),
            (
                "tree",
                try printed { output in
                    var text = TreeText(tree, width: nil, isColoured: false)
                    text.write(file: nil, into: &output)
                }
            ),
            (
                "tree --json",
                try printed { output in
                    var json = TreeJSON(tree)
                    json.write(file: "a.btsnoop", into: &output)
                }
            ),
        ]
    }

    private static func holdsKey(_ text: String) -> Bool {
        let digits = text.uppercased().filter { $0.isLetter || $0.isNumber }
        // In hexadecimal, and 0xA2A1 as a number.
        return ["A1A2", "A3A4", "A5A6", "41633"].contains(where: digits.contains)
    }

    @Test(arguments: ways.indices) func noOutputHasAKey(way: Int) throws {
        for output in try Self.outputs(Self.conversation(Self.ways[way]), .shipped) {
            #expect(!Self.holdsKey(output.text), "\(output.name): \(output.text)")
        }
    }

    @Test(arguments: ways.indices) func whoAsksSeesThem(way: Int) throws {
        let outputs = try Self.outputs(Self.conversation(Self.ways[way]), DissectorLibrary.shipped.showingKeys())
        #expect(outputs.contains { Self.holdsKey($0.text) }, "\(outputs)")
    }

    /// The placeholder of a key cannot be taken for a key.
    @Test func jsonSaysWhatIsWithheld() throws {
        let text = try #require(
            Self.outputs(Self.conversation(Self.ways[0]), .shipped).first { $0.name == "json" }?.text)
        let answer = try #require(text.split(separator: "\n").first { $0.contains("Read Response") })
        #expect(answer.contains(#""withheld":true,"fields":[{"name":"SIRK Type","value":1,"label":"Plain Text SIRK""#))
        #expect(answer.contains(#"{"name":"SIRK","value":null,"withheld":true,"offset":1,"length":16}"#))
        #expect(!answer.contains(#","value":""#))
    }

    /// A filter does not find a key, and says as little of one that it does not have.
    @Test(arguments: [
        "value contains A1A2", #"field("SIRK") == "\#(key.lowercased())""#, #"not field("SIRK") == "00""#,
    ])
    func aFilterDoesNotTellAKey(expression: String) throws {
        let packets = Self.conversation(Self.ways[0])
        func shown(_ library: DissectorLibrary) throws -> Bool {
            var selection = Selection()
            selection.filter = try Filter(expression, library: library)
            let sink = decoded(packets, as: RecordMaker(step: 1_000_000), library: library) { values in
                Selected(sink: ConversationText(values: values, options: .init()), selection: selection, values: values)
            }
            return sink.sink.lines.string.contains("Read Response") || sink.sink.lines.string.contains("Set Identity")
        }
        #expect(try !shown(.shipped) || expression.hasPrefix("not"))
        #expect(try shown(DissectorLibrary.shipped.showingKeys()))
    }
}
