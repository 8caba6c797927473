import AttlasDefinitionFiles
import AttlasDissection
import AttlasTestSupport
import Testing

/// Numbers that are made of those of earlier fields and have no octets.
@Suite struct ComputedTests {
    /// −(20 + 0.7) °C and 47 %, packed as SwitchBot's thermometers pack them: tenths, degrees under a sign, humidity.
    @Test func aNumberOfSeveralFields() throws {
        let yaml = definition(
            """
            - { name: Tenths, type: uint8 }
            - { name: Degrees, type: uint7 }
            - { name: Positive, type: uint1 }
            - name: Temperature
              scale: 0.1
              unit: °C
              variants: [{ if: Positive == 1, compute: Degrees * 10 + Tenths }, { compute: 0 - Degrees * 10 - Tenths }]
            """)
        let below = try Dissected(yaml: yaml, hex("07 14"))
        expect(below.records.map(\.raw), equals: [7, 20, 0, -207])
        expect(below.records.map(\.length), equals: [1, 1, 1, 0])
        expect(below.records[3].offset, equals: 2)
        #expect(below.dissection.unexplained.isEmpty)
        expect(below.text, equals: "Tenths 7 · Degrees 20 · Positive 0 · Temperature -20.7 °C")
        #expect(below.json.contains(#""value":-20.7,"raw":-207,"unit":"°C","offset":2,"length":0"#))
        try expect(Dissected(yaml: yaml, hex("07 94")).records[3].raw, equals: 207)
    }

    @Test func laterFieldsUseIt() throws {
        let yaml = definition(
            """
            - { name: A, type: uint8 }
            - { name: Size, compute: A % 4 }
            - { name: Data, type: bytes, size: Size }
            """)
        try expect(Dissected(yaml: yaml, hex("06 AA BB")).records.map(\.length), equals: [1, 0, 2])
    }

    /// There is no number, and nothing that its range could be about.
    @Test(arguments: [("00", 1), ("02", 2)])
    func anUndefinedNumberIsNoField(value: String, fields: Int) throws {
        let yaml = definition("- { name: A, type: uint8 }\n- { name: B, compute: 8 / A, min: 5 }")
        let dissected = try Dissected(yaml: yaml, hex(value))
        expect(dissected.records.count, equals: fields)
        expect(dissected.records.map(\.isOutOfRange), equals: (fields == 1 ? [false] : [false, true]))
        #expect(dissected.dissection.fault == nil)
    }

    @Test func theFirstFieldMayBeUndefined() throws {
        let yaml = definition("- { name: A, compute: 1 / (left - left), min: 1 }\n- { name: B, type: uint8 }")
        try expect(Dissected(yaml: yaml, hex("05")).records.map(\.raw), equals: [5])
    }

    @Test func namesAndSpecialNumbers() throws {
        let yaml = definition(
            """
            - { name: A, type: uint8 }
            - { name: B, compute: A * 2 + 1, special: { 511: not available }, values: { 3: three } }
            """)
        try expect(Dissected(yaml: yaml, hex("FF")).text, equals: "A 255 · B not available")
        try expect(Dissected(yaml: yaml, hex("01")).text, equals: "A 1 · B three")
    }

    /// It adds no octets, so a repetition of nothing else ends.
    @Test func aRepetitionOfComputedNumbersEnds() throws {
        let yaml = definition(
            "- { name: A, type: uint8 }\n- name: B\n  repeat: rest\n  fields: [{ name: C, compute: A + 1 }]")
        try expect(Dissected(yaml: yaml, hex("01 02 03")).records.map(\.raw), equals: [1, 0, 2])
    }
}
