import AttlasDefinitionFiles
import AttlasDissection
import AttlasTestSupport
import AttlasWire
import Foundation
import Testing

@Suite struct AssemblyTests {
    /// The outcome of each part, in a row: "3" octets so far, "3/8" of the length, "= …" the message, "stray".
    private func outcomes(_ rule: String, _ parts: [(hex: String, seconds: Int64)]) throws -> [String] {
        let yaml = """
            characteristics:
              - uuid: F0000001-0000-4000-8000-000000000000
                name: Test
                assemble: \(rule)
                fields: [{ name: All, type: bytes }]
            """
        let loader = DefinitionLoader([.init(path: "x.yaml", text: yaml)], above: .empty)
        expect(loader.mistakes.map(\.description), equals: [])
        let assembly = try #require(loader.files.first?.attributes.first?.assembly)
        var assembler = MessageAssembler(assembly)
        return parts.enumerated().map { number, part in
            let value = hex(part.hex)
            let (outcome, loss) = assembler.add(
                Bytes(value.span), frame: number + 1, at: part.seconds * 1_000_000)
            let text =
                switch outcome {
                case .waiting(let need): "\(assembler.message.count)" + (need.map { "/\($0)" } ?? "")
                case .complete:
                    "= " + assembler.message.map { String($0, radix: 16) }.joined(separator: " ")
                        + " of \(assembler.parts)"
                case .stray: "stray"
                }
            return text + (loss.map { ", \($0.rawValue)" } ?? "")
        }
    }

    private func outcomes(_ rule: String, _ parts: [String]) throws -> [String] {
        try outcomes(rule, parts.map { ($0, 0) })
    }

    @Test func byLength() throws {
        let rule = "{ length: { at: 1, type: uint16, order: big, plus: 3 } }"
        try expect(
            outcomes(rule, ["AA", "00 02 01", "02", "BB 00 00"]),
            equals: ["1", "4/5", "= aa 0 2 1 2 of [1, 2, 3]", "= bb 0 0 of [4]"])
    }

    @Test func byTotal() throws {
        #expect(try outcomes("{ total: 3 }", ["01 02", "03", "04"]) == ["2/3", "= 1 2 3 of [1, 2]", "1/3"])
    }

    /// The examples of RFC 1055 and of the paper on COBS, with empty frames around them.
    @Test func byFraming() throws {
        #expect(
            try outcomes("{ framing: slip }", ["C0", "01 DB DC", "DB DD 02 C0", "C0 C0", "05 C0"])
                == ["1", "4", "= 1 c0 db 2 of [1, 2, 3]", "2", "= 5 of [4, 5]"])
        #expect(
            try outcomes("{ framing: cobs }", ["03 11", "22 02 33 00", "01 01 00", "00", "02 09 00"])
                == ["2", "= 11 22 0 33 of [1, 2]", "= 0 of [3]", "1", "= 9 of [4, 5]"])
        // A block of 254 octets has no zero after it.
        let block = (1...254).map { String(format: " %02X", $0) }.joined()
        let long = try outcomes("{ framing: cobs }", ["FF" + block + " 02 FF 00"])
        #expect(long[0].hasPrefix("= 1 2 3 ") && long[0].hasSuffix(" fd fe ff of [1]"))
        // What the rules do not allow stays.
        #expect(try outcomes("{ framing: slip }", ["DB 05 DB C0"]) == ["= 5 of [1]"])
        #expect(try outcomes("{ framing: cobs }", ["09 01 00"]) == ["= 1 of [1]"])
    }

    /// NIST SP 800-38A, F.1.1 and F.5.1: two blocks, or less than that, after an octet that is in the clear.
    @Test func aes() throws {
        let key = "2B7E151628AED2A6ABF7158809CF4F3C"
        let clear = "= 6b c1 be e2 2e 40 9f 96 e9 3d 7e 11 73 93 17 2a ae 2d 8a 57"
        #expect(
            try outcomes(
                "{ aes: \(key) }",
                ["3AD77BB40D7A3660A89ECAF32466EF97 F5D3D58503B9699DE785895A96FDBAAF 0102", "3AD77B"])
                == [clear + " 1e 3 ac 9c 9e b7 6f ac 45 af 8e 51 1 2 of [1]", "= 3a d7 7b of [2]"])
        let counter = "{ aes: { key: \(key), counter: F0F1F2F3F4F5F6F7F8F9FAFBFCFDFEFF, from: 1 }, total: 21 }"
        try expect(
            outcomes(counter, ["07 874D6191B620E3261BEF6864990DB6CE", "9806F66B"]),
            equals: ["17/21", "= 7" + clear.dropFirst() + " of [1, 2]"])
    }

    @Test func byStart() throws {
        let rule = "{ start: 55 AA, length: { at: 2, type: uint8, plus: 3 } }"
        // The length of the first message is wrong; the second one is found after octets of another.
        try expect(
            outcomes(rule, ["55 AA 09 01", "02", "55 AA 01 07", "08 55 AA 01 09", "33"]),
            equals: [
                "4/12", "5/12", "= 55 aa 1 7 of [3], a new message began", "= 55 aa 1 9 of [4]", "stray",
            ])
    }

    /// The same octet in a message is none.
    @Test func byAStartOfOneOctet() throws {
        let rule = "{ start: DD, length: { at: 1, type: uint8, plus: 2 } }"
        try expect(
            outcomes(rule, ["DD 03 01", "DD 02", "DD 09 01", "DD 01 05 07 08 09 0A 0B 0C 0D"]),
            equals: [
                "3/5", "= dd 3 1 dd 2 of [1, 2]", "3/11",
                "= dd 1 5 7 8 9 a b c d of [4], a new message began",
            ])
    }

    /// RFC 1662, 4.2: 7E is 7D 5E, 7D is 7D 5D, 11 may be 7D 31. A frame may begin with the flag that ends it.
    @Test func withoutEscapes() throws {
        let rule = "{ start: 7E, terminator: 7E, escape: { octet: 0x7D, xor: 0x20 } }"
        try expect(
            outcomes(rule, ["7E 01 7D 5E 7D", "5D 02 7D 31 7E", "05", "7E 09", "7E 0A 7E"]),
            equals: [
                "5", "= 7e 1 7e 7d 2 11 7e of [1, 2]", "stray", "2", "= 7e a 7e of [5], a new message began",
            ])
    }

    @Test func byAHeaderWithALength() throws {
        let camera = """
            { header: { mask: 0x80, first: 0x00, sequence: 0x0F, lengths: [
              { mask: 0x60, when: 0x00, octets: 1, bits: 0x1F },
              { mask: 0x60, when: 0x20, octets: 2, order: big, bits: 0x1FFF }] } }
            """.split(separator: "\n").joined()
        try expect(
            outcomes(
                camera, ["02 0A 0B", "20 06 01 02", "80 03 04", "81 05 06", "81 07", "03 01", "81 02", "83 03"]),
            equals: [
                "= a b of [1]", "2/6", "4/6", "= 1 2 3 4 5 6 of [2, 3, 4]", "stray", "1/3", "2/3",
                "stray, a part is missing",
            ])
        // Another form than those that are known.
        try expect(outcomes(camera, ["40 00 01 02"]), equals: ["stray"])
        // A number and a length in three octets; the others have the number alone.
        let numbered = "{ header: { mask: 0xFF, first: 0, sequence: 0xFF, lengths: [{ octets: 3, bits: 0xFFFF00 }] } }"
        try expect(
            outcomes(numbered, ["00 03 00 01", "01 02", "02 03", "00 02 00 01", "02 05", "00 01 00 07"]),
            equals: ["1/3", "2/3", "= 1 2 3 of [1, 2, 3]", "1/2", "stray, a part is missing", "= 7 of [6]"])
    }

    @Test(arguments: [
        ("{ framing: slop }", "expected slip, cobs, found \"slop\"; did you mean \"slip\"?"),
        ("{ xor: 5 }", "expected 1 to 64 pairs of hexadecimal digits, found \"5\""),
        ("{ xor: { from: 1 } }", "an exclusive or needs a \"key\""),
        ("{ start: AA, framing: cobs }", "\"start\" is for messages with a length, a total or a terminator"),
        ("{ total: 3, escape: { octet: 1, xor: 2 } }", "\"escape\" is for messages with a terminator"),
        (
            "{ start: 7D, terminator: 7E, escape: { octet: 0x7D, xor: 0x20 } }",
            "the octet of the escape is in \"start\" or \"terminator\""
        ),
        ("{ start: AA }", "expected exactly one of length, total, terminator, header, framing"),
        ("{ header: { lengths: [{ octets: 1, bits: 7 }] } }", "a header with lengths needs a \"mask\""),
        ("{ header: { mask: 1, lengths: [] } }", "expected at least one header"),
        ("{ header: { mask: 1, last: 1, lengths: [{ octets: 1, bits: 7 }] } }", "the length determines"),
        ("{ header: { mask: 1, lengths: [{ octets: 5, bits: 7 }] } }", "expected a number from 1 to 4, found 5"),
        ("{ header: { mask: 1, lengths: [{ octets: 1, bits: 7, when: 1 }] } }", "bits that are not in \"mask\""),
        ("{ header: { mask: 1, first: 1, middle: 1, lengths: [{ octets: 1, bits: 7 }] } }", "must differ in the bits"),
    ])
    func mistakesAreSaid(rule: String, part: String) throws {
        let yaml = """
            characteristics:
              - { uuid: FFE1, name: Test, assemble: \(rule), fields: [{ name: All, type: bytes }] }
            """
        let loader = DefinitionLoader([.init(path: "x.yaml", text: yaml)], above: .empty)
        expect(loader.mistakes.count, equals: 1)
        #expect(loader.mistakes.first?.message.contains(part) ?? false, "\(loader.mistakes)")
    }

    @Test func anExclusiveOrWithAKey() throws {
        #expect(try outcomes("{ xor: 5A A5 }", ["5A A5 5B", "00"]) == ["= 0 0 1 of [1]", "= 5a of [2]"])
        #expect(
            try outcomes("{ total: 4, xor: { key: \"FF\", from: 2 } }", ["01 02 03", "04"])
                == ["3/4", "= 1 2 fc fb of [1, 2]"])
        #expect(try outcomes("{ xor: { key: FF, from: 9 } }", ["01"]) == ["= 1 of [1]"])
    }

    @Test func byKind() throws {
        let rule = "{ total: { at: 1, lengths: { 0x01: 3, 0x02..0x04: 4 }, otherwise: 2 } }"
        try expect(
            outcomes(rule, ["AA", "01", "07", "AA 03 01", "02", "AA 09"]),
            equals: ["1", "2/3", "= aa 1 7 of [1, 2, 3]", "3/4", "= aa 3 1 2 of [4, 5]", "= aa 9 of [6]"])
        // Nothing is known about other kinds: what came is a message.
        #expect(
            try outcomes("{ total: { lengths: { 0x01: 3 } } }", ["09 01 02 03", "01", "02 03"])
                == ["= 9 1 2 3 of [1]", "1/3", "= 1 2 3 of [2, 3]"])
    }

    /// The terminator may be cut in two.
    @Test func byTerminator() throws {
        #expect(
            try outcomes("{ terminator: 0D 0A }", ["41 0D", "0A", "0D 0A"])
                == ["2", "= 41 d a of [1, 2]", "= d a of [3]"])
    }

    /// Blood Pressure Record and Ranging Data: bit 0 first, bit 1 last, a counter above.
    @Test func byHeader() throws {
        let rule = "{ header: { first: 0x01, last: 0x02, sequence: 0xFC } }"
        try expect(outcomes(rule, ["03 AA"]), equals: ["= aa of [1]"])
        try expect(outcomes(rule, ["01 AA", "04 BB", "0A CC"]), equals: ["1", "2", "= aa bb cc of [1, 2, 3]"])
        try expect(outcomes(rule, ["04 BB", "0A CC"]), equals: ["stray", "stray"])
        try expect(outcomes(rule, ["01 AA", "08 CC", "01 DD"]), equals: ["1", "stray, a part is missing", "1"])
        try expect(outcomes(rule, ["01 AA", "05 BB"]), equals: ["1", "1, a new message began"])
        // The counter continues at 0 after 63.
        try expect(outcomes(rule, ["FD AA", "02 BB"]), equals: ["1", "= aa bb of [1, 2]"])
    }

    /// Mesh Proxy PDU: two bits of SAR above the message type, which is kept.
    @Test func byStates() throws {
        let rule =
            "{ header: { mask: 0xC0, complete: 0x00, first: 0x40, middle: 0x80, last: 0xC0, keep: true } }"
        try expect(outcomes(rule, ["02 AA"]), equals: ["= 2 aa of [1]"])
        try expect(outcomes(rule, ["42 AA", "82 BB", "C2 CC"]), equals: ["2", "3", "= 42 aa bb cc of [1, 2, 3]"])
        try expect(outcomes(rule, ["82 BB"]), equals: ["stray"])
    }

    @Test func waitsSoLong() throws {
        let rule = "{ total: 2, timeout: 2 s }"
        try expect(
            outcomes(rule, [("01", 0), ("02", 2), ("03", 10), ("04", 13)]),
            equals: ["1/2", "= 1 2 of [1, 2]", "1/2", "1/2, no further part in time"])
    }

    /// Nobody's claim fills the memory.
    @Test func endsAtItsLimit() throws {
        let part = String(repeating: "00", count: 512)
        let outcomes = try outcomes("{ terminator: FF }", Array(repeating: part, count: 129))
        expect(outcomes[127], equals: "65536")
        expect(outcomes[128], equals: "stray, longer than 65536 octets")
        let many = try self.outcomes("{ terminator: FF }", Array(repeating: "", count: 4_097))
        expect(many[4_095], equals: "0")
        #expect(many[4_096].hasPrefix("stray"))
    }

    @Test(arguments: [
        ("{ total: 0 }", "expected a number from 1 to 65536, found 0"),
        ("{ total: 3, terminator: 00 }", "expected exactly one of length, total, terminator, header, framing"),
        ("{ header: { first: 1, last: 1 } }", "the bits of the last part and of the first must differ"),
        ("{ aes: 2B7E }", "a key of AES-128 has 16 octets, found 2"),
        ("{ aes: { counter: 2B7E151628AED2A6ABF7158809CF4F3C } }", "a cipher needs a \"key\""),
        ("{ aes: 2B7E151628AED2A6ABF7158809CF4F3C, xor: FF }", "a message has \"xor\" or \"aes\", not both"),
        ("{ total: 3, timeout: soon }", "expected a time such as 5 s or 500 ms, found \"soon\""),
    ])
    func mistakes(rule: String, message: String) {
        let yaml = """
            characteristics:
              - { uuid: F0000001-0000-4000-8000-000000000000, name: Test, assemble: \(rule), fields: [{ name: A, type: bytes }] }
            """
        let loader = DefinitionLoader([.init(path: "x.yaml", text: yaml)], above: .empty)
        expect(loader.mistakes.map(\.message), equals: [message])
    }
}
