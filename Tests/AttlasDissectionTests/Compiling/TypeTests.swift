import AttlasDefinitionFiles
import AttlasDefinitions
import AttlasDissection
import AttlasTestSupport
import AttlasWire
import Testing

@Suite struct TypeTests {
    private let types = """
        types:
          Header:
            fields: [{ name: Start, const: AA }, { name: Length, type: uint8 }]
          Voltage:
            order: big
            fields: [{ name: Number, type: uint16, scale: 0.001, unit: V }]
          Cell:
            fields: [{ name: Voltage, use: Voltage }, { name: State, type: uint8 }]
            summary: "{Voltage:unit}"

        """

    private func mistakes(_ yaml: String) -> [String] {
        DefinitionLoader([DefinitionSource(path: "a.yaml", text: yaml)], above: .shipped).mistakes.map(\.description)
    }

    @Test func inPlaceAndAsAStructure() throws {
        let yaml =
            types
            + definition(
                """
                - use: Header
                - { name: Cell, use: Cell, repeat: rest, if: Length > 0 }
                """)
        let read = try Dissected(yaml: yaml, hex("AA 06 0C E4 01 0C E5 02"))
        expect(read.text, equals: "Length 6 · Cell 3.3 V, 3.301 V")
        expect(read.names, equals: ["Start", "Length", "Cell", "Voltage", "State", "Cell", "Voltage", "State"])
    }

    @Test func severalUUIDsShareADefinition() throws {
        let yaml = """
            characteristics:
              - uuid: [FFE1, FFE2]
                name: Level
                fields: [{ name: Level, type: uint8 }]
                examples: [{ hex: "05", text: 5 }]
            """
        let loader = DefinitionLoader([DefinitionSource(path: "a.yaml", text: yaml)], above: .empty)
        #expect(loader.mistakes.isEmpty)
        expect(
            loader.files.first?.attributes.map(\.uuid), equals: [0xFFE1, 0xFFE2].map { BluetoothUUID($0 as UInt16) })
        expect(mistakes(yaml.replacing("FFE2", with: "FFE1")).count, equals: 1)
    }

    @Test func mistakesAreSaid() {
        let wrong = types + definition("- { name: A, use: Cel }")
        expect(mistakes(wrong), equals: ["a.yaml:14:25: no type \"Cel\"; did you mean \"Cell\"?"])
        expect(
            mistakes("types:\n  FFE1: { fields: [] }"), equals: ["a.yaml:2:3: \"FFE1\" cannot be the name of a type"])
        let circle = "types:\n  A: { fields: [{ name: x, use: B }] }\n  B: { fields: [{ name: y, use: A }] }"
        expect(mistakes(circle).first, equals: "a.yaml:3:33: the type \"A\" contains itself")
        expect(mistakes("types:\n  A: { fields: [{ name: x, type: unit8 }] }").count, equals: 1)
        #expect(mistakes("characteristics:\n  - { uuid: [], name: x }").first?.contains("1 to 32 UUIDs") ?? false)
    }

    /// Each type has twice the fields of the one before.
    @Test func typesThatGrowAreRefused() {
        var yaml = "types:\n  T0: { fields: [{ name: a, type: uint8 }, { name: b, type: uint8 }] }\n"
        for level in 1...15 {
            yaml += "  T\(level): { fields: [{ name: a, use: T\(level - 1) }, { name: b, use: T\(level - 1) }] }\n"
        }
        #expect(mistakes(yaml).contains { $0.contains("add more than 65536 fields") })
        var chain = "types:\n"
        for level in (0...40).reversed() { chain += "  T\(level): { fields: [{ name: a, use: T\(level + 1) }] }\n" }
        let used = "characteristics: [{ uuid: FFF1, name: A, fields: [{ name: a, type: uint8 }] }]\n"
        #expect(mistakes(used + chain + "  T41: { fields: [] }").isEmpty)
        chain = "types:\n"
        for level in 0...40 { chain += "  T\(level): { fields: [{ name: a, use: T\(level + 1) }] }\n" }
        #expect(mistakes(chain + "  T41: { fields: [] }").contains { $0.contains("more than 16 deep") })
    }
}
