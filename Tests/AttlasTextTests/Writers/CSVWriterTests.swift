import AttlasTestSupport
import Testing

@testable import AttlasText

@Suite struct CSVWriterTests {
    @Test(
        arguments: [
            ("HRM-7", "HRM-7"), ("a,b", "\"a,b\""), ("say \"hi\"", "\"say \"\"hi\"\"\""), ("", ""),
            ("two\nlines\r", "two\\nlines\\r"), ("a\u{1B}[2J", "a\\u{1B}[2J"), ("Grün, größer", "\"Grün, größer\""),
        ])
    func textIsQuotedAsRFC4180Says(text: String, cell: String) {
        var csv = CSVWriter()
        csv.string(text)
        expect(csv.text.string, equals: cell)
    }

    @Test(
        arguments: [
            "=HYPERLINK(\"http://example.com\")", "+1", "-1+2", "@SUM(1)", "-", "\u{FF1D}1+1", "\u{FF0B}1", "\u{FF0D}1",
            "\u{FF20}A1",
        ])
    func aNameIsNoFormula(text: String) {
        var csv = CSVWriter()
        csv.string(text)
        #expect(csv.text.string.hasPrefix("\"'"))
        #expect(csv.text.string.hasSuffix("\""))
    }

    @Test(arguments: ["\t=1+1", "\r=1+1", "\n=1+1"]) func aControlCharacterBeginsNoFormula(text: String) {
        var csv = CSVWriter()
        csv.string(text)
        #expect(csv.text.string.hasPrefix("\\"))
    }

    @Test func ourOwnNumbersKeepTheirSign() {
        var csv = CSVWriter()
        csv.write { $0.append("-40.5") }
        csv.write { $0.append("-5 °C") }
        csv.write { $0.append("+INFINITY") }
        csv.number(-3)
        csv.empty()
        expect(csv.text.string, equals: "-40.5,-5 °C,\"'+INFINITY\",-3,")
    }
}
