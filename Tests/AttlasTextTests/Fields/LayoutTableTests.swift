import AttlasDefinitionFiles
import AttlasDefinitions
import AttlasDissection
import AttlasTestSupport
import AttlasText
import Testing

/// A definition as a table, for readers who ask how a value is laid out.
@Suite struct LayoutTableTests {
    private func table(_ yaml: String) throws -> [String] {
        let loader = DefinitionLoader([DefinitionSource(path: "test.yaml", text: yaml)], above: .shipped)
        expect(loader.mistakes.map(\.description), equals: [])
        var text = TextBuffer()
        text.append(layoutOf: try #require(loader.files.first?.attributes.first))
        return String(decoding: text.bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.split(separator: " ").joined(separator: " ") }
    }

    @Test func constantsMarkersAndDescriptions() throws {
        let table = try table(
            """
            characteristics:
              - uuid: F0000001-0000-4000-8000-000000000001
                name: Test
                fields:
                  - { name: Start, const: DD A5, description: of each frame }
                  - { name: Day, type: bcd8 }
                  - { name: Word, type: utf8, until: 2C or end }
                  - { name: Sample, type: sign-magnitude-16, repeat: until FF }
            """)
        expect(
            table,
            equals: [
                "F0000001-0000-4000-8000-000000000001 Test (characteristic)", "",
                "Start constant DD A5 of each frame", "Day bcd8", "Word utf8 up to 2C or the end",
                "Sample sign-magnitude-16, repeated up to FF", "",
            ])
    }

    @Test func fieldsUnitsBitsAndConditions() throws {
        let table = try table(
            """
            characteristics:
              - uuid: F0000001-0000-4000-8000-000000000001
                name: Test
                fields:
                  - { name: Flags, type: uint8, bits: { 0: Fast, 1..2: { name: Mode, values: { 0: idle } } } }
                  - { name: Speed, type: uint16, order: big, scale: 0.01, unit: m/s, if: Fast, special: { 0xFFFF: unknown } }
                  - { name: State, type: uint8, values: { 1: "On" }, repeat: rest }
            """)
        expect(
            table,
            equals: [
                "F0000001-0000-4000-8000-000000000001 Test (characteristic)", "", "Flags uint8", "Fast bit 0",
                "Mode bits 1 to 2 0 idle", "Speed uint16 big-endian m/s · × 1/100 · if Fast", "unknown 65535",
                "State uint8, repeated to the end", "On 1", "",
            ])
    }

    @Test func whatTheFieldsDoNotShow() throws {
        let table = try table(
            """
            characteristics:
              - uuid: F0000001-0000-4000-8000-000000000001
                name: Test
                confidence: C
                decoder: ranging-data
                assemble: { for: [notify], total: 3 }
                layouts:
                  - { for: [notify], fields: [{ name: A, type: bytes }] }
                  - { for: [write], fields: [{ name: B, type: uint8 }] }
            """)
        expect(
            table,
            equals: [
                "F0000001-0000-4000-8000-000000000001 Test (characteristic)", "confidence C: known in part",
                "a message in parts: notify", "read by ranging-data when the capture shows its layout; otherwise:", "",
                "notify:", "A bytes", "", "write:", "B uint8", "",
            ])
    }
}
