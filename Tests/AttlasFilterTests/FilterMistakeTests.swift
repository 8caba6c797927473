import AttlasDefinitions
import AttlasDissection
import AttlasTestSupport
import Testing

@testable import AttlasFilter

/// What is said of a wrong expression, and under which column.
@Suite struct FilterMistakeTests {
    @Test(
        arguments: [
            ("", 1, "expected a name, found the end of the expression"),
            ("chr == 2A37", 1, "there is no name \"chr\"; did you mean \"char\"?"),
            ("char = 2A37", 6, "expected \"==\", found \"=\""),
            ("char ==", 8, "a UUID, or a name in quotes"),
            ("char == \"Heart Rate Mesurement\"", 9, "did you mean \"Heart Rate Measurement\"?"),
            ("service == \"Hart Rate\"", 12, "did you mean \"Heart Rate\"?"),
            ("char < 2A37", 6, "\"==\", \"!=\", \"contains\", \"begins\""),
            ("char == \"Heart", 9, "the quote that begins here is not closed"),
            ("method == notfication", 11, "did you mean \"Notification\"?"),
            ("error == \"Insufficient Autentication\"", 10, "did you mean \"Insufficient Authentication\"?"),
            ("field(\"Heart Rate Measurment Value\") > 3", 7, "did you mean \"Heart Rate Measurement Value\"?"),
            ("field(\"Nothing Like It\")", 7, "attlas dissectors show UUID"),
            ("field == 3", 7, "field(\"Battery Level\")"),
            ("field(", 7, "expected a field's name"),
            ("field(Battery Level) == 3", 15, "put a name of several words in quotes"),
            ("field(\"Battery Level\"", 22, "a \")\" is missing"),
            ("field(\"Battery Level\") > high", 26, "expected a number"),
            ("rtt > 100", 7, "needs its unit: us, ms or s"),
            ("rtt > 100min", 7, "\"min\" is not a unit"),
            ("rtt > soon", 7, "a duration, such as 100ms"),
            ("rtt > 99999999999s", 7, "at most 292 years"),
            ("rtt == 0.0000000001s", 8, "whole number of nanoseconds"),
            ("handle == abc", 11, "a whole number, such as 25 or 0x0019"),
            ("handle == 2.5", 11, "a whole number"),
            ("value == abc", 10, "expected two hexadecimal digits"),
            ("value == xy", 10, "octets in hexadecimal"),
            ("direction == in", 14, "\"in\" is not valid; expected rx, tx, unknown"),
            ("bearer == eat", 11, "did you mean \"eatt\"?"),
            ("bearer == eatt:0x10000", 11, "eatt:0x0050"),
            ("known_from == discoverd", 15, "did you mean \"discovery\"?"),
            ("known == 3", 7, "\"known\" takes no comparison"),
            ("error and", 10, "expected a name, found the end of the expression"),
            ("error and and", 11, "expected a name, found \"and\""),
            ("peer == and", 9, "a name in quotes, or an address"),
            ("(error", 7, "a \")\" is missing"),
            ("(error fault)", 8, "expected \"and\", \"or\" or \")\", found \"fault\""),
            ("error)", 6, "\")\" without \"(\""),
            ("error && fault", 7, "is written \"and\""),
            ("error || fault", 7, "is written \"or\""),
            ("!error", 1, "is written \"not\""),
            ("peer == HRM 7", 13, "put text of several words in quotes"),
            ("\"HRM-7\" == peer", 1, "expected a name before the comparison"),
            ("== 3", 1, "expected a name, found \"==\""),
        ])
    func aMistakeIsShownWhereItIs(expression: String, column: Int, message: String) {
        let mistake = mistake(expression)
        expect(mistake?.column, equals: column, "\(mistake.map(String.init(describing:)) ?? "none")")
        #expect(mistake?.message.contains(message) == true, "\(mistake?.message ?? "none")")
    }

    @Test func lengthAndDepthAreBounded() {
        let long = String(repeating: "a", count: 1_001)
        expect(mistake(long)?.column, equals: 1_001)
        #expect(mistake(String(repeating: "(", count: 33) + "error")?.message.contains("32 levels deep") == true)
        #expect(mistake(String(repeating: "not ", count: 200) + "error")?.message.contains("32 levels deep") == true)
        let wide = Array(repeating: "error", count: 111).joined(separator: " or ")
        #expect(mistake(wide) == nil)
    }

    @Test(arguments: ["(", "not ", "error or ", "error and not (", "char == \"", "e\u{301}", "1", "\u{1B}["])
    func aMegabyteIsRefusedForItsLength(_ part: String) throws {
        let mistake = try #require(self.mistake(String(repeating: part, count: (1 << 20) / part.utf8.count)))
        expect(mistake.column, equals: 1_001)
        #expect(mistake.message.contains("more than 1000 characters"))
    }

    /// As long as an expression may be, and as deep as its characters make it.
    @Test(arguments: ["(", "not "])
    func whatFitsIsRefusedForItsDepth(_ part: String) throws {
        let expression = String(repeating: part, count: 1_000 / part.utf8.count)
        let mistake = try #require(self.mistake(expression))
        #expect(mistake.message.contains("32 levels deep"))
        // The first 32 levels are allowed; an expression is one of them.
        #expect((31...33).contains((mistake.column - 1) / part.utf8.count))
    }

    /// Every beginning of an expression, and every expression with a character too many, is read or refused.
    @Test func nothingTraps() {
        for text in damagedFilters {
            if let mistake = mistake(text, Self.empty) { #expect(!mistake.message.isEmpty) }
        }
    }

    private static let empty = DissectorLibrary(archive: "", packets: "", tables: [])

    private func mistake(_ expression: String, _ library: DissectorLibrary = .shipped) -> FilterMistake? {
        do throws(FilterMistake) {
            _ = try Filter(expression, library: library)
            return nil
        } catch {
            return error
        }
    }
}
