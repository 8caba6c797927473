import AttlasDefinitionFiles
import AttlasDissection
import AttlasTestSupport
import Testing

/// Counts that stand for times of the calendar.
@Suite struct PointInTimeTests {
    /// The results of date(1).
    @Test(arguments: [
        ("uint32, unit: s, since: 1970-01-01", "FF FF FF 7F", "2038-01-19 03:14:07"),
        ("uint32, unit: s, since: 2000-01-01", "00 00 00 00", "2000-01-01 00:00:00"),
        ("uint32, unit: s, since: 2001-01-01", "80 CC B8 2D", "2025-04-23 07:21:36"),
        ("uint32, unit: s, since: 1900-01-01", "80 7E AA 83", "1970-01-01 00:00:00"),
        ("uint24, unit: d, since: 1970-01-01", "99 4F 00", "2025-10-16"),
        ("uint24, unit: d, since: 1970-01-01", "A0 C0 2C", "9999-12-31"),
        ("uint24, unit: d, since: 1970-01-01", "A1 C0 2C", "2932897 d"),
        ("sint32, unit: s, since: 1970-01-01", "FF FF FF FF", "1969-12-31 23:59:59"),
        ("sint32, unit: d, since: 1970-01-01", "C6 06 F5 FF", "0001-01-01"),
        ("sint32, unit: d, since: 1970-01-01", "C5 06 F5 FF", "-719163 d"),
        ("uint64, unit: ms, since: 1970-01-01", "01 74 FB 5A 94 01 00 00", "2025-01-12 14:46:56.257"),
        ("sint16, unit: s, scale: 0.1, since: 1970-01-01", "FF FF", "1969-12-31 23:59:59.9"),
        ("uint16, unit: d, scale: 1/2, since: 2000-01-01", "01 00", "2000-01-01 12:00:00"),
        ("uint16, unit: min, since: 2000-02-28", "A0 05", "2000-02-29 00:00:00"),
        ("uint64, unit: d, since: 1970-01-01", "FF FF FF FF FF FF FF FF", "18446744073709551615 d"),
    ])
    func isShownAsADate(field: String, value: String, text: String) throws {
        #expect(try Dissected(yaml: definition("- { name: A, type: \(field) }"), hex(value)).text == text)
    }

    @Test func jsonHasTheNumberAndTheTime() throws {
        let yaml = definition(
            "- { name: A, type: uint16, unit: h, since: 2000-01-01, special: { 0: never }, repeat: rest }")
        let json = try Dissected(yaml: yaml, hex("19 00 00 00")).json
        #expect(json.contains(#""value":[25,null]"#))
        #expect(json.contains(#""date_time":["2000-01-02T01:00:00",null],"unit":"h""#))
    }

    @Test(arguments: [
        ("type: uint32, since: 1970-01-01", "\"since\" needs a unit of time"),
        ("type: uint32, unit: m, since: 1970-01-01", "\"since\" needs a unit of time"),
        ("type: uint32, unit: s, since: 1970", "expected a date such as 2000-01-01"),
        ("type: uint32, unit: s, since: 1970-13-01", "expected a date such as 2000-01-01"),
        ("type: float32, unit: s, since: 1970-01-01", "\"since\" is for integers"),
    ])
    func mistakesAreSaid(keys: String, part: String) {
        let loader = DefinitionLoader(
            [.init(path: "x.yaml", text: definition("- { name: A, \(keys) }"))], above: .empty)
        #expect(loader.mistakes.count == 1 && loader.mistakes[0].message.contains(part), "\(loader.mistakes)")
    }
}
