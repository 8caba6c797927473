import AttlasDefinitionFiles
import AttlasDissection
import AttlasTestSupport
import AttlasWire
import Testing

@Suite struct DerivedTests {
    private static let yaml = """
        characteristics:
          - uuid: F0000001-0000-4000-8000-000000000000
            name: Wheel
            fields:
              - { name: Flags, type: uint8, bits: { 0: Present } }
              - { name: Revolutions, type: uint16, if: Present }
              - { name: Event Time, type: uint16, scale: 1/1024, unit: s }
            derived:
              - { name: Speed, change: Revolutions, per: Event Time, scale: 60, unit: /min }
        """

    private func speed(_ first: String, _ second: String) throws -> Double? {
        let earlier = try Dissected(yaml: Self.yaml, hex(first))
        let later = try Dissected(yaml: Self.yaml, hex(second))
        let field = try #require(earlier.dissector.derived.first)
        return field.value(
            from: field.sample(of: earlier.dissection, at: 0), to: field.sample(of: later.dissection, at: 0))
    }

    @Test func changeOverTime() throws {
        // 4 revolutions in one second.
        try expect(speed("01 0A 00 00 04", "01 0E 00 00 08"), equals: 240)
        // 5 revolutions in 1.5 s, both counters past their highest value.
        try expect(speed("01 FE FF 00 FE", "01 03 00 00 04"), equals: 200)
        // Three significant digits and one more: 1 revolution in 700/1024 s.
        try expect(speed("01 00 00 00 00", "01 01 00 BC 02"), equals: 87.77)
    }

    @Test func withoutChangeThereIsNoRate() throws {
        try expect(speed("01 0A 00 00 04", "01 0A 00 00 08"), equals: 0)
        #expect(try speed("01 0A 00 00 04", "01 0A 00 00 04") == nil)
        #expect(try speed("00 00 04", "01 0A 00 00 08") == nil)
    }

    /// 2 kJ in 10 s; a counter that passed its highest value; a clock that was set back.
    @Test func changeOverTheTimeOfTheCapture() throws {
        let yaml = """
            characteristics:
              - uuid: F0000001-0000-4000-8000-000000000000
                name: Energy
                fields: [{ name: Energy, type: uint16, unit: kJ }]
                derived: [{ name: Power, change: Energy, per: clock, scale: 1000, unit: W }]
            """
        func power(_ first: String, at start: Int64, _ second: String, at end: Int64) throws -> Double? {
            let earlier = try Dissected(yaml: yaml, hex(first))
            let later = try Dissected(yaml: yaml, hex(second))
            let field = try #require(earlier.dissector.derived.first)
            return field.value(
                from: field.sample(of: earlier.dissection, at: start), to: field.sample(of: later.dissection, at: end))
        }
        try expect(power("0A 00", at: 5_000_000, "0C 00", at: 15_000_000), equals: 200)
        try expect(power("FF FF", at: 0, "01 00", at: 4_000_000), equals: 500)
        #expect(try power("0A 00", at: 5_000_000, "0C 00", at: 4_000_000) == nil)
        #expect(try power("0A 00", at: 5_000_000, "0C 00", at: 5_000_000) == nil)
    }

    @Test func fieldsMustBeThere() {
        let yaml = Self.yaml.replacing("change: Revolutions", with: "change: Revolution")
        let loader = DefinitionLoader([.init(path: "x.yaml", text: yaml)], above: .empty)
        expect(
            loader.mistakes.map(\.message), equals: ["no unsigned field \"Revolution\"; did you mean \"Revolutions\"?"])
    }
}
