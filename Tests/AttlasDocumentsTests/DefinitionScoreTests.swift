import AttlasDefinitionFiles
import AttlasDefinitions
import AttlasDissection
import AttlasMetrics
import AttlasTestSupport
import Testing

@testable import AttlasDocuments

/// How well definitions read the values of a capture.
@Suite struct DefinitionScoreTests {
    private let definitions = """
        characteristics:
          - uuid: FFF1
            name: Pump
            fields:
              - { name: Start, const: 5A }
              - { name: Mode, type: uint8, values: { 0: "Off", 1: "On" } }
              - { name: Level, type: uint8, max: 100 }
              - { name: Sum, type: uint8, check: sum8 }
          - uuid: FFF2
            name: Log
            assemble: { length: { type: uint8, plus: 1 }, timeout: 5 s }
            fields: [{ name: Length, type: uint8 }, { name: Entry, type: bytes }]
          - uuid: FFF3
            name: Nothing
            fields: [{ name: A, type: uint8 }]
        """

    /// A service of a vendor with FFF1 at 0x0003 and FFF2 at 0x0005.
    private let discovery: [Packet] = [
        .connected(), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0600 F0FF"),
        .att(.tx, "08 0100 0600 0328"), .att(.rx, "09 07 0200 12 0300 F1FF 0500 10 0600 F2FF"),
    ]

    private func score(_ packets: [Packet], services: String = "") throws -> DefinitionScore {
        let source = DefinitionSource(path: "pump.yaml", text: services + definitions)
        let loader = DefinitionLoader([source], above: .shipped)
        #expect(loader.mistakes.isEmpty)
        let attributes = loader.files.flatMap(\.attributes)
        return document(of: discovery + packets, library: DissectorLibrary.shipped.adding(loader.files)) {
            DefinitionScoreCollector(attributes, values: $0)
        }
    }

    private func text(_ model: DefinitionScore) throws -> String {
        try printed { output in
            var text = DefinitionScoreText(model, width: nil, isColoured: false)
            text.write(file: nil, into: &output)
        }
    }

    /// The file has a service, and the device has the characteristic in another one.
    @Test func valuesInAnotherServiceAreNamed() throws {
        let values: [Packet] = [.att(.rx, "1B 0300 5A 01 32 8D"), .att(.rx, "1B 0300 5A 01 32 8E")]
        let text = try text(score(values, services: "service: { uuid: FFE0, name: Pump }\n"))
        #expect(
            text.hasPrefix(
                """
                Pump  FFF1
                  2 values: in the service FFF0, which the file does not list (frames 6, 7)

                """), "\(text)")
        #expect(try score(values, services: "service: { uuid: FFF0, name: Pump }\n").definitions[0].values == 2)
    }

    @Test func whatIsNotReadHasItsPlaceAndItsFrames() throws {
        let model = try score([
            .att(.rx, "1B 0300 5A 01 32 8D"),  // frame 6: right
            .att(.rx, "1B 0300 5A 01 32 8E"),  // the sum is 8D
            .att(.rx, "1B 0300 5B 00 65 C0"),  // another start; 101 of at most 100
            .att(.rx, "1B 0300 5A 01 32 8D 00 00"),  // two octets more, which the sum covers
            .att(.rx, "1B 0300 5A 01"),  // ends within Level
            .att(.rx, "1B 0300 5A 01 32"),  // ends within Sum
            .att(.rx, "1B 0300 5A 07 32 93"),  // no such mode
            .att(.rx, "1B 0300 5A 01 32 8E"),
        ])
        #expect(
            try text(model) == """
                Pump  FFF1
                  8 values, 83 % of their octets explained, 1 without problems
                  2 values: Sum wrong (frames 7, 13)
                  1 value: Level out of range (frame 8)
                  1 value: Level: the value ends within the field (frame 10)
                  1 value: Mode: undefined number (frame 12)
                  1 value: Start is not 5A (frame 8)
                  1 value: Sum: the value ends within the field (frame 11)
                  1 value: octets 4 to 5 unexplained (frame 9)
                No values of: Log, Nothing

                """)
        #expect(!model.isWhole && model.isUsed)
    }

    /// Names that only say where octets are explain nothing; a constant and a check do, if they are right.
    @Test func placesExplainNothing() throws {
        let source = DefinitionSource(
            path: "draft.yaml",
            text: """
                characteristics:
                  - uuid: FFF1
                    name: Draft
                    fields:
                      - { name: Octet 0, type: uint8 }
                      - { name: Octet 1, const: 01 }
                      - { name: Octets 2, type: bytes, size: 2 }
                      - { name: Octet Count, type: uint8 }
                      - { name: Octet End 2, type: uint8, check: sum8 }
                      - { name: Rest, type: bytes }
                """)
        let loader = DefinitionLoader([source], above: .shipped)
        let attributes = loader.files.flatMap(\.attributes)
        // The constant, the count and the right sum of the first value: 05 + 01 + 06 + 07 + 09 + AA = C6.
        let values: [Packet] = [.att(.rx, "1B 0300 05 01 06 07 09 C6 AA"), .att(.rx, "1B 0300 05 02 06 07 09 00 AA")]
        let model = document(of: discovery + values, library: DissectorLibrary.shipped.adding(loader.files)) {
            DefinitionScoreCollector(attributes, values: $0)
        }
        let definition = try #require(model.definitions.first)
        expect(definition.octets, equals: 14)
        expect(definition.explained, equals: 3 + 1)
        let json = try printed { output in
            var json = DefinitionScoreJSON(model)
            json.write(file: "a", into: &output)
        }
        #expect(json.contains("\"octets\":14,\"explained\":4"), "\(json)")
    }

    @Test func messagesInParts() throws {
        let model = try score([
            .att(.rx, "1B 0600 04 01 02"), .att(.rx, "1B 0600 03 04"),
            .att(.rx, "1B 0600 04 01 02"), .att(.rx, "1B 0600 02 01 02").at(milliseconds: 20_000),
        ])
        #expect(
            try text(model) == """
                Log  FFF2
                  2 values, 100 % of their octets explained, 2 without problems, 2 parts of messages
                  1 value: the message before was not completed: no further part in time (frame 9)
                No values of: Pump, Nothing

                """)
    }

    @Test func aCaptureWithoutValues() throws {
        let model = try score([])
        try expect(text(model), equals: "No values of: Pump, Log, Nothing\n")
        #expect(!model.isUsed && model.isWhole)
    }

    /// As the values of the shipped definition of the UUID do not count.
    @Test func onlyTheDefinitionsThatAreAskedFor() throws {
        let model = try score([.att(.tx, "0A 0900"), .att(.rx, "0B 5A 01 32 8D")])
        #expect(!model.isUsed)
    }

    @Test func kindsOfProblemsAreLimited() throws {
        // A value of each length, of which the rest is unexplained.
        let model = try score(
            (0..<80).map { .att(.rx, "1B 0300 5A 00 00 5A" + String(repeating: " 00", count: $0 + 1)) })
        let pump = try #require(model.definitions.first)
        #expect(pump.problems.count == 64 && pump.more == 16)
        #expect(try text(model).contains("\n  16 more problems not listed\n"))
    }

    @Test func json() throws {
        let model = try score([.att(.rx, "1B 0300 5A 01 32 8D 00")])
        let json = try printed { output in
            var json = DefinitionScoreJSON(model)
            json.write(file: "a.btsnoop", into: &output)
        }
        #expect(
            json.hasPrefix(
                #"{"schema":"attlas/dissectors-check/1","file":"a.btsnoop","definitions":[{"attribute":{"uuid":"FFF1","#
                    + #""name":"Pump"},"values":1,"whole":0,"octets":5,"explained":4,"partial":0,"parts":0,"problems":[{"kind":"unexplained","#
                    + #""text":"octet 4 unexplained","offset":4,"length":1,"values":1,"frames":[6]}],"more":0},"#))
    }
}
