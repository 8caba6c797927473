import AttlasDissection
import AttlasTestSupport
import Testing

@Suite struct NumberCodeTests {
    private func number(_ type: String, _ octets: String, _ more: String = "") throws -> String {
        let read = try Dissected(yaml: definition("- { name: N, type: \(type)\(more) }"), hex(octets))
        return read.numbers.first ?? read.text
    }

    /// The table of the encoding documentation of Protocol Buffers.
    @Test(arguments: [
        ("00", "0"), ("01", "-1"), ("02", "1"), ("03", "-2"), ("FE FF FF FF 0F", "2147483647"),
        ("FF FF FF FF 0F", "-2147483648"), ("FF FF FF FF FF FF FF FF FF 01", "-9223372036854775808"),
    ])
    func zigzag(octets: String, number: String) throws {
        try expect(self.number("zigzag", octets), equals: "N = \(number)")
    }

    @Test func decimalDigits() throws {
        try expect(number("bcd8", "59"), equals: "N = 59")
        try expect(number("bcd16", "34 12"), equals: "N = 1234")
        try expect(number("bcd16", "12 34", ", order: big, scale: 0.1, unit: V"), equals: "N = 123.4")
        try expect(number("bcd64", "99 99 99 99 99 99 99 99"), equals: "N = 9999999999999999")
        try expect(number("bcd16", "34 1A"), equals: "not a number · ✗ N is not a number")
    }

    @Test func signAndMagnitude() throws {
        try expect(number("sign-magnitude-8", "85"), equals: "N = -5")
        try expect(number("sign-magnitude-16", "05 80"), equals: "N = -5")
        try expect(number("sign-magnitude-16", "7F FF", ", order: big"), equals: "N = 32767")
        try expect(number("sign-magnitude-64", "FF FF FF FF FF FF FF FF"), equals: "N = -9223372036854775807")
        // Minus zero.
        try expect(number("sign-magnitude-8", "80"), equals: "N = 0")
    }

    @Test(arguments: [
        ("101.1", "101.1"), ("-0.50", "-0.5"), ("+7", "7"), ("  12 ", "12"), ("007", "7"), (".5", "0.5"),
        ("123456789012345678", "123456789012345678"),
    ])
    func decimalText(text: String, number: String) throws {
        let read = try Dissected(yaml: definition("- { name: N, type: decimal-text }"), Array(text.utf8))
        expect(read.numbers, equals: ["N = \(number)"])
        #expect(!read.dissection.hasWrongCheck)
    }

    @Test(arguments: ["1.2.3", "-", ".", "1e5", "12a", "1234567890123456789", "\u{FF11}"])
    func isNotADecimal(text: String) throws {
        let read = try Dissected(yaml: definition("- { name: N, type: decimal-text }"), Array(text.utf8))
        expect(read.text, equals: "not a number · ✗ N is not a number")
        #expect(read.json.contains(#""value":null"#) && read.json.contains(#""special":"not a number""#))
    }

    @Test func anEmptyTextIsNotANumberEither() throws {
        let read = try Dissected(yaml: definition("- { name: N, type: decimal-text, until: 2C }"), hex("20 2C"))
        #expect(read.text == "empty" && !read.dissection.hasWrongCheck)
    }

    @Test func hexadecimalText() throws {
        try expect(number("hex-text", "46 66", ", scale: 1/2, offset: -1"), equals: "N = 126.5")
        #expect(
            try Dissected(yaml: definition("- { name: N, type: hex-text }"), Array("FFFFFFFFFFFFFFFF".utf8)).numbers
                == ["N = 18446744073709551615"])
        #expect(
            try Dissected(yaml: definition("- { name: N, type: hex-text }"), Array("00000000000000001".utf8)).dissection
                .hasWrongCheck)
    }

    @Test func expressionsHaveTheWholeNumber() throws {
        let yaml = definition(
            """
            - { name: A, type: decimal-text, until: 2C }
            - { name: B, compute: A * 2 }
            """)
        try expect(Dissected(yaml: yaml, Array("-12.99,".utf8)).numbers, equals: ["A = -12.99", "B = -24"])
    }

    @Test func aScaleOfDecimals() throws {
        #expect(
            try Dissected(yaml: definition("- { name: N, type: decimal-text, scale: 0.1 }"), Array("12.5".utf8)).numbers
                == ["N = 1.25"])
    }

    @Test func ranges() throws {
        let yaml = definition("- { name: N, type: bcd8, max: 59 }")
        #expect(try !Dissected(yaml: yaml, hex("59")).dissection.hasOutOfRange)
        #expect(try Dissected(yaml: yaml, hex("60")).dissection.hasOutOfRange)
    }
}
