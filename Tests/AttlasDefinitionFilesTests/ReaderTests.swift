import AttlasDefinitionFiles
import AttlasDefinitions
import AttlasDissection
import AttlasTestSupport
import Testing

/// Mistakes a person makes, and the message a person needs.
@Suite struct ReaderTests {
    private func mistakes(_ yaml: String) -> [String] {
        DefinitionLoader([DefinitionSource(path: "led.yaml", text: yaml)], above: .shipped)
            .mistakes.map(\.description)
    }

    /// A file of one characteristic with these fields.
    private func definition(_ fields: String) -> String {
        "characteristics:\n  - uuid: F0000001-0000-4000-8000-000000000000\n    name: Test\n    fields:\n"
            + fields.split(separator: "\n").map { "      \($0)\n" }.joined()
    }

    private func mistake(inFields fields: String) -> String {
        mistakes(definition(fields)).joined(separator: "\n")
    }

    @Test func aMisspeltKeyHasItsPlaceAndTheRightWord() {
        expect(
            mistake(inFields: "- { name: Red, typ: uint8 }"),
            equals: "led.yaml:5:22: a field has no key \"typ\"; did you mean \"type\"?")
        expect(
            mistakes("charateristics: []"),
            equals: ["led.yaml:1:1: a definition file has no key \"charateristics\"; did you mean \"characteristics\"?"]
        )
    }

    @Test(arguments: [
        "{}\n", "characteristics: []\n", "services: []\n",
        "types: { Colour: { fields: [{ name: Red, type: uint8 }] } }\n",
    ])
    func aFileWithoutDefinitionsIsAMistake(_ yaml: String) {
        expect(mistakes(yaml).map { $0.split(separator: ": ").last }, equals: ["the file has no definitions"])
    }

    @Test func aMistakeInOneKeyHidesNoOther() {
        let yaml = """
            service: { uuid: 18ZZ, name: Wrong }
            characteristics:
              - uuid: 12
                name: [A]
                confidence: Z
                order: middle
                fields:
                  - { name: Red, type: unit8 }
                examples: 5
              - uuid: F0000001-0000-4000-8000-000000000000
                name: Test
                fields:
                  - { name: Red, typ: uint8 }
            """
        let lines = mistakes(yaml).map { $0.split(separator: ":")[1] }
        expect(lines, equals: ["1", "3", "4", "5", "6", "8", "9", "13"])
    }

    @Test func aMisspeltTypeHasItsPlaceAndTheRightWord() {
        expect(
            mistake(inFields: "- { name: Red, type: unit8 }"),
            equals: "led.yaml:5:28: \"unit8\" is not a type; did you mean \"uint8\"?")
        #expect(mistake(inFields: "- { name: Red, type: sfloat }").contains("did you mean \"medfloat16\"?"))
        #expect(mistake(inFields: "- { name: Red, type: nonsense }").contains("the types are uint1 to uint64"))
    }

    @Test func aMisspeltFlagHasItsPlaceAndTheRightWord() {
        expect(
            mistake(
                inFields: "- { name: Flags, type: uint8, bits: { 0: Party Mode } }\n"
                    + "- { name: Frequency, type: uint8, if: Party Mod }"),
            equals: "led.yaml:6:45: no field or flag \"Party Mod\" is read before this; did you mean \"Party Mode\"?")
    }

    @Test func aFieldMayNotBeUsedBeforeItIsRead() {
        let fields = "- { name: A, type: uint8, if: B == 1 }\n- { name: B, type: uint8 }"
        #expect(mistake(inFields: fields).contains("no field or flag \"B\" is read before this"))
    }

    @Test func whatIsInTheSummaryMustBeThere() {
        let yaml = definition("- { name: Red, type: uint8 }") + "    summary: \"{Rad}\"\n"
        expect(
            mistakes(yaml), equals: ["led.yaml:6:14: in the summary: no field or flag \"Rad\"; did you mean \"Red\"?"])
    }

    @Test(arguments: [
        ("- { name: A }", "\"A\" needs a \"type\""),
        ("- { type: uint8 }", "needs a \"name\""),
        ("- { name: A, type: uint8, fields: [] }", "exclude each other"),
        ("- { name: A, type: uint8, compute: 1 }", "exclude each other"),
        ("- { name: A, compute: A + 1 }", "no field or flag \"A\" is read before this"),
        ("- { name: A, compute: 1, order: big }", "a computed number has no \"order\""),
        ("- { name: A, compute: 1, check: xor8 }", "a computed number has no \"check\""),
        ("- { name: A, compute: 1, repeat: 2 }", "a computed number has no \"repeat\""),
        ("- { name: A, compute: 1, size: 2 }", "the size of this type is fixed"),
        ("- { name: A, type: uint8, bits: { 8: X } }", "a bit from 0 to 7"),
        ("- { name: A, type: uint8, bits: { 0: X, 0..1: Y } }", "bit 0..1 is already \"X\""),
        ("- { name: A, type: uint8, values: { 1..5: X, 3: Y } }", "3 is already \"X\""),
        ("- { name: A, type: uint8, values: { one: X } }", "found \"one\""),
        ("- { name: A, type: uint8, values: compnies }", "did you mean \"companies\"?"),
        ("- { name: A, type: uint8, scale: much }", "a scale such as"),
        ("- { name: A, type: utf8, scale: 2 }", "\"scale\" is for integers"),
        ("- { name: A, type: uint8, size: 2 }", "the size of this type is fixed"),
        ("- { name: A, type: varint, size: 2 }", "the size of this type is fixed"),
        ("- { name: A, type: varint, bits: { 0: X } }", "\"bits\" is for integers"),
        ("- { name: A, type: varint, max: 5 }", "\"max\" is for integers"),
        ("- { name: A, type: varint, order: big }", "\"order\" is for integers"),
        ("- { name: A, type: uint8, summary: x }", "only a structure has a summary"),
        ("- { name: A, type: uint4 }", "do not fill octets"),
        ("- { name: A, type: uint4, repeat: rest }", "cannot be repeated"),
        ("- { name: A, type: bytes, size: 70000 }", "a size from 0 to 65535"),
        ("- { name: A, use: 2E99 }", "no definition of 2E99"),
        ("- { name: A, use: xyz }", "a UUID of four or eight hexadecimal digits"),
        ("- { name: A, type: uint8 }\n- { name: A, type: uint8 }", "two fields have the name \"A\""),
        ("- { name: left, type: uint8 }", "cannot be the name of a field"),
        ("- { name: A, type: uint8, if: [1] }", "expected an expression, found a list"),
        ("- { name: A, type: uint8, repeat: A = 1 }", "no field or flag"),
        ("- 5", "expected a field, found \"5\""),
        ("- { name: A, const: A }", "expected 1 to 64 pairs of hexadecimal digits, found \"A\""),
        ("- { name: A, const: AA, type: uint8 }", "\"type\" and \"const\" exclude each other"),
        ("- { name: A, const: AA, size: 1 }", "the size of this type is fixed"),
        ("- { name: A, type: bcd12 }", "\"bcd12\" is not a type; did you mean \"bcd16\"?"),
        ("- { name: A, type: bcd8, bits: { 0: X } }", "\"bits\" is for integers"),
        ("- { name: A, type: bcd8, max: 120 }", "every value of a bcd8 is in this range"),
        ("- { name: A, type: decimal-text, offset: 1 }", "\"offset\" is not for decimal-text"),
        ("- { name: A, type: uint8, until: 2C }", "\"until\" is for utf8, bytes, decimal-text and hex-text"),
        ("- { name: A, type: utf8, until: 2C, size: 2 }", "\"until\" and \"size\" exclude each other"),
        ("- { name: A, type: uint8, padding: 00 }", "\"padding\" is for utf8 and bytes without \"until\""),
        ("- { name: A, type: utf8, size: 9, padding: 00 00 }", "expected one octet in hexadecimal"),
        ("- { name: A, type: utf8, refuses: 1 }", "\"refuses\" is for integers"),
        ("- { name: A, type: uint8, refuses: 300 }", "300 is not in this range"),
        ("- { name: A, type: uint8, refuses: few }", "a number or a range such as 1..3, found \"few\""),
        ("- { name: A, type: uint8, refuses: [1..3, 3] }", "3 is given twice"),
        ("- { name: A, type: uint8, values: { 1: B, 2: C }, refuses: 2..3 }", "3 has no name in \"values\""),
        ("- { name: A, type: uint8, refuses: 2, harmless: 3 }", "3, which \"refuses\" does not have"),
        ("- { name: A, type: uint8, restarts: 2, asked: B }", "\"asked\" is for a field with \"refuses\""),
        ("- { name: A, type: uint8, refuses: 2, asked: B }", "no field \"B\" is read before this"),
        ("- { name: A, type: utf8, until: or end }", "pairs of hexadecimal digits"),
        ("- { name: A, type: uint8, repeat: until x }", "pairs of hexadecimal digits, found \"x\""),
        ("- { name: A, type: utf8 }\n- { name: B, type: uint8, if: A }", "\"A\" is a text: expected == or !="),
        ("- { name: A, type: utf8 }\n- { name: B, type: uint8, if: A == 1 }", "and a text in double quotes"),
        ("- { name: A, type: uint8 }\n- { switch: A, cases: { one: [] } }", "expected a number, a range"),
        ("- { name: A, type: uint8, check: { algorithm: sum8, to: B } }", "\"to\" needs a field in \"from\""),
        ("- { name: A, type: uint8, check: { algorithm: sum8, from: B } }", "a field with another one in \"to\""),
        ("- { name: A, type: uint8, check: { algorithm: sum8, from: A, to: A } }", "no field \"A\" is read before"),
        ("- { name: A, type: uint8, check: { algorithm: sum8, modulo: 1 } }", "a number from 2 to 256, found 1"),
        ("- { name: A, type: uint16, check: { algorithm: modbus, modulo: 5 } }", "this key is for a sum"),
        ("- { name: A, type: uint8, check: { algorithm: xor8, negated: true } }", "\"negated\" is for a sum"),
        ("- { name: S, fields: [{ if: left > 1, fields: [], summary: x }] }", "only a case outside of structures"),
    ])
    func everyMistakeIsSaid(fields: String, part: String) {
        let message = mistake(inFields: fields)
        #expect(message.hasPrefix("led.yaml:"))
        #expect(message.contains(part), "\(message)")
    }

    /// One run is enough to correct a file.
    @Test func allMistakesOfAFileAreSaid() {
        let yaml = """
            characteristics:
              - uuid: FFE1
                name: A
                fields:
                  - { name: Red, typ: uint8, untit: V }
                  - { name: Green, type: unit8 }
                  - name: More
                    fields: [{ name: X, type: uint9 , size: 2 }, { name: Y, type: uint8, scale: x }]
                examples:
                  - { hex: "0" }
                  - { hex: "00", op: listen }
              - uuid: FFE2
                name: B
                fields:
                  - { name: C, type: uint8, if: Missing }
                  - { name: D, type: uint8, if: C == 1 and Lost == 2 }
                  - { name: E, type: uint8, if: D == 1 }
                summary: "{F}"
              - { uuid: FFE3, name: G, fields: [{ name: H, use: FFE1 }] }
            """
        expect(
            mistakes(yaml).map { $0.split(separator: ":").prefix(3).joined(separator: ":") },
            equals: [
                "led.yaml:5:22", "led.yaml:5:34", "led.yaml:6:30", "led.yaml:8:49", "led.yaml:8:85",
                "led.yaml:10:16",
                "led.yaml:11:26", "led.yaml:15:37", "led.yaml:16:48", "led.yaml:18:14",
            ])
    }

    @Test func scalarsAreWhatTheSchemaSays() throws {
        // 2800 stays a UUID and "Off", "12:30", "2E10", "1.10", "yes", "~" stay names.
        let yaml = """
            service: { uuid: 2800, name: 12:30 }
            characteristics:
              - uuid: 2E10
                name: Off
                fields:
                  - { name: on, type: uint8, values: { 0: Off, 1: 2E10, 2: 1.10, 3: yes, 0x04: ~, 05: null } }
                examples:
                  - { hex: 00, text: Off }
                  - { hex: 01, text: 2E10 }
                  - { hex: 02, text: 1.10 }
                  - { hex: 03, text: yes }
                  - { hex: 04, text: ~ }
                  - { hex: 05, text: null }
            """
        let loader = DefinitionLoader([DefinitionSource(path: "a.yaml", text: yaml)], above: .shipped)
        expect(loader.mistakes.map(\.description), equals: [])
        let library = DissectorLibrary.shipped.adding(loader.files)
        expect(library.serviceName(of: .init(0x2800 as UInt16)), equals: "12:30")
        expect(library.attributeName(of: .init(0x2E10 as UInt16)), equals: "Off")
        let field = try #require(library.dissector(for: .init(0x2E10 as UInt16))?.fields.first)
        expect(field.name, equals: "on")
        let labels = if case .ranges(let ranges) = field.labels { ranges } else { [] as [LabelledRange] }
        let words = ["Off", "2E10", "1.10", "yes", "~", "null"]
        expect(labels, equals: words.enumerated().map { LabelledRange(first: Int64($0), last: Int64($0), label: $1) })
        expect(loader.files.first?.attributes.first?.examples.map(\.text), equals: words)
    }

    @Test func whatIsNoYAMLIsSaid() {
        #expect(mistakes("a: [").first?.hasPrefix("led.yaml:") == true)
        expect(mistakes(""), equals: ["led.yaml:1:1: the file is empty"])
        #expect(mistakes("a: 1\na: 2").first?.contains("appears twice") == true)
        expect(mistakes("\u{0}\u{1}").count, equals: 1)
        expect(mistakes("- 1"), equals: ["led.yaml:1:1: expected a definition file, found a list"])
    }

    @Test func everyMistakeOfAFileIsFound() {
        let yaml = """
            characteristics:
              - { uuid: 2A98, name: A, fields: [{ name: X, type: u8 }] }
              - { uuid: 2A99, name: B, fields: [{ name: X, type: u16 }] }
            """
        expect(mistakes(yaml).count, equals: 2)
    }

    @Test(arguments: [
        ("sensitive: healthy, fields: []", "expected health, location, identity, input, messages, found \"healthy\""),
        ("encrypted: true, fields: []", "\"encrypted\" is for a value that is \"sensitive\""),
        ("sensitive: input, encrypted: maybe, fields: []", "expected true or false for \"encrypted\", found \"maybe\""),
        ("sensitive: input", "this key needs fields"),
    ])
    func aMistakeInWhatIsSensitiveIsTold(keys: String, message: String) {
        let found = mistakes("characteristics: [{ uuid: 2A98, name: A, \(keys) }]").joined()
        #expect(found.contains(message), "\(found)")
        #expect(mistakes("descriptors: [{ uuid: 2901, name: A, \(keys) }]").joined().contains("has no key"))
    }

    // MARK: HCI packets

    @Test(arguments: [
        ("hci-commands: [{ opcode: 0x10000, name: A }]", "1:26: an opcode has 16 bits"),
        ("hci-commands: [{ opcode: Reset, name: A }]", "1:26: expected an opcode such as 0x200D, found \"Reset\""),
        ("hci-commands: [{ opcode: 0xFC01 }]", "1:16: an HCI command needs a \"name\""),
        ("hci-results: [{ opcode: 0xFC01, name: A }]", "1:33: an HCI result has no key \"name\""),
        ("hci-events: [{ code: 0x100, name: A }]", "1:22: an event code has 8 bits"),
        ("l2cap-sdus: [{ psm: 0x10000, name: A }]", "1:21: a PSM has 16 bits"),
        (
            "l2cap-sdus: [{ psm: 1, name: A, fields: [{ name: K, type: bytes, secret: true }] }]",
            "1:74: the octets next to these fields are always shown"
        ),
        ("monitor-records: [{ opcode: 12 }]", "1:19: a monitor record needs a \"name\""),
        ("le-events: [{ subevent: -1, name: A }]", "1:25: a subevent code has 8 bits"),
        ("le-events: [{ subevent: 1, name: A, layouts: [] }]", "1:37: an LE event has no key \"layouts\""),
        (
            "hci-commands: [{ opcode: 0xFC01, name: A }, { opcode: 0xFC01, name: B }]",
            "1:45: 0xFC01 is defined already, at led.yaml:1"
        ),
        (
            "le-events: [{ subevent: 5, name: A }, { subevent: 0x05, name: B }]",
            "1:39: 0x05 is defined already, at led.yaml:1"
        ),
    ])
    func aMistakeInADefinitionOfAPacketHasItsPlace(yaml: String, message: String) {
        #expect(mistakes(yaml).joined().hasPrefix("led.yaml:" + message), "\(mistakes(yaml))")
    }

    /// One number may be a command, its result, an event and an LE event.
    @Test func theListsOfPacketsAreIndependent() {
        let yaml = """
            hci-commands: [{ opcode: 0x0001, name: A }]
            hci-results: [{ opcode: 0x0001, fields: [] }]
            hci-events: [{ code: 0x01, name: A, fields: [{ name: K, type: bytes, secret: true, size: 2 }] }]
            le-events: [{ subevent: 0x01, name: A }]
            monitor-records: [{ opcode: 0x0001, name: A }]
            l2cap-sdus: [{ psm: 0x0001, name: A }]
            """
        expect(mistakes(yaml), equals: [])
    }

    @Test func onlyAFieldWithATypeIsASecret() {
        #expect(
            mistake(inFields: "- { name: Keys, secret: true, fields: [{ name: Key, type: bytes }] }").contains(
                "\"secret\" is for a field with a \"type\""))
        #expect(mistake(inFields: "- { name: Key, type: bytes, secret: hidden }").contains("expected true or false"))
    }
}
