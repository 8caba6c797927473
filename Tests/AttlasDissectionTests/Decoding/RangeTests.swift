import AttlasDefinitionFiles
import AttlasDissection
import AttlasTestSupport
import Testing

/// Numbers outside the range that a definition permits, and numbers that an enumeration does not define.
@Suite struct RangeTests {
    /// The bounds are numbers of the field's unit, and belong to the range.
    @Test(arguments: [
        ("uint8", "min: 1, max: 12", "00", true), ("uint8", "min: 1, max: 12", "01", false),
        ("uint8", "min: 1, max: 12", "0C", false), ("uint8", "min: 1, max: 12", "0D", true),
        ("sint8", "min: -100, max: 20", "9B", true), ("sint8", "min: -100, max: 20", "9C", false),
        ("sint8", "min: -100, max: 20", "15", true),
        // 273.15 below zero: −27315.
        ("sint16", "scale: 0.01, min: -273.15", "4D 95", false), ("sint16", "scale: 0.01, min: -273.15", "4C 95", true),
        // −20 lies between two raw values: −33 stands for −20.1, −32 for −19.9.
        ("sint8", "scale: 0.2, offset: -13.5, min: -20", "DF", true),
        ("sint8", "scale: 0.2, offset: -13.5, min: -20", "E0", false),
        ("sint8", "scale: 0.2, offset: -13.5, max: -20", "DF", false),
        ("sint8", "scale: 0.2, offset: -13.5, max: -20", "E0", true),
        ("uint16", "order: big, max: 256", "01 00", false), ("uint16", "order: big, max: 256", "01 01", true),
        ("uint8", "max: 100, special: { 0xFF: not known }", "FF", false),
        ("sint64", "min: 0", "FF FF FF FF FF FF FF FF", true),
    ])
    func aNumberOutsideIsMarked(type: String, keys: String, value: String, isOutside: Bool) throws {
        let dissected = try Dissected(yaml: definition("- { name: A, type: \(type), \(keys) }"), hex(value))
        expect(dissected.dissection.hasOutOfRange, equals: isOutside)
        expect(dissected.records.map(\.isOutOfRange), equals: [isOutside])
        #expect(dissected.json.contains(#""out_of_range":true"#) == isOutside)
        expect(dissected.text.contains("✗ A outside the permitted range"), equals: isOutside)
    }

    @Test func theRangeIsShownWithItsUnit() throws {
        let yaml = definition("- { name: Level, type: uint16, scale: 0.01, unit: \"%\", max: 100 }")
        try expect(
            Dissected(yaml: yaml, hex("11 27")).text,
            equals: "100.01 % · ✗ Level outside the permitted range 0 to 100 %")
    }

    @Test func fieldsThatShareOctetsHaveRangesToo() throws {
        let yaml = definition("- { name: A, type: uint4, max: 9 }\n- { name: B, type: uint4, max: 9 }")
        try expect(Dissected(yaml: yaml, hex("9A")).records.map(\.isOutOfRange), equals: [true, false])
    }

    @Test func aRangeMayDependOnACondition() throws {
        let yaml = definition(
            """
            - { name: Flags, type: uint8, bits: { 0: Imperial } }
            - { name: Weight, type: uint8, variants: [{ if: Imperial, unit: lb, max: 220 }, { unit: kg, max: 100 }] }
            """)
        #expect(try !Dissected(yaml: yaml, hex("01 65")).dissection.hasOutOfRange)
        try expect(
            Dissected(yaml: yaml, hex("00 65")).text,
            equals: "Weight 101 kg · ✗ Weight outside the permitted range 0 to 100 kg")
    }

    /// A field that is repeated is named once, and marked as a whole.
    @Test func ofARepeatedField() throws {
        let dissected = try Dissected(
            yaml: definition("- { name: A, type: uint8, max: 9, repeat: rest }"), hex("09 0A 01 0B"))
        expect(dissected.text, equals: "9, 10, 1, 11 · ✗ A outside the permitted range 0 to 9")
        #expect(dissected.json.contains(#""value":[9,10,1,11],"out_of_range":true"#))
    }

    /// Where the message ends early, the fields that are present are judged as well.
    @Test func anUndefinedNumberIsMarked() throws {
        let yaml = definition(
            """
            - { name: State, type: uint8, values: { 0: "Off", 1: "On" } }
            - { name: Status, type: uint8, bits: { 0..1: { name: Door, values: { 0: closed, 1: open } } } }
            """)
        let undefined = try Dissected(yaml: yaml, hex("02 03"))
        expect(undefined.text, equals: "State 2 (undefined) · Door 3 (undefined)")
        #expect(undefined.json.contains(#""value":2,"undefined":true"#))
        #expect(undefined.json.contains(#""name":"Door","value":3,"undefined":true"#))
        #expect(try !Dissected(yaml: yaml, hex("01 01")).json.contains("undefined"))
    }

    /// A count of which some numbers have a name is no enumeration.
    @Test func namesForAFewAreNoEnumeration() throws {
        let one = definition("- { name: Users, type: uint8, values: { 255: unknown } }")
        try expect(Dissected(yaml: one, hex("02")).text, equals: "2")
        let measured = definition("- { name: Time, type: uint8, unit: s, values: { 0: never, 255: always } }")
        try expect(Dissected(yaml: measured, hex("02")).text, equals: "2 s")
    }

    @Test(arguments: [
        ("type: utf8, max: 5", "\"max\" is for integers"),
        ("type: uint64, max: 5", "for integers of up to 63 bits, and for sint64"),
        ("type: uint8, min: 7, max: 5", "no value of a uint8 is in this range"),
        ("type: uint8, min: 256", "no value of a uint8 is in this range"),
        ("type: uint8, min: 0, max: 255", "every value of a uint8 is in this range"),
        ("type: uint8, max: many", "expected a number"),
        ("type: sint16, scale: 10^-18, min: 9000000000000000000", "no value of a sint16 is in this range"),
    ])
    func mistakesAreSaid(keys: String, part: String) {
        let yaml = definition("- { name: A, \(keys) }")
        let loader = DefinitionLoader([.init(path: "x.yaml", text: yaml)], above: .empty)
        #expect(loader.mistakes.count == 1 && loader.mistakes[0].message.contains(part), "\(loader.mistakes)")
    }
}
