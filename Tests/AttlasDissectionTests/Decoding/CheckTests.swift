import AttlasDefinitionFiles
import AttlasDissection
import AttlasTestSupport
import Testing

@Suite struct CheckTests {
    /// The check values that the catalogues of CRCs give for "123456789", and sums by hand.
    @Test(arguments: [
        ("e2e-crc", 16, "91 6F"), ("modbus", 16, "37 4B"), ("sum8", 8, "DD"), ("xor8", 8, "31"),
    ])
    func ofTheDigits(check: String, bits: Int, value: String) throws {
        let yaml = definition(
            """
            - { name: Digits, type: bytes, size: 9 }
            - { name: Check, type: uint\(bits), check: \(check) }
            """)
        let digits = Array("123456789".utf8)
        #expect(try !Dissected(yaml: yaml, digits + hex(value)).dissection.hasWrongCheck)
        for index in 0..<9 {
            var wrong = digits
            wrong[index] ^= 0x10
            #expect(try Dissected(yaml: yaml, wrong + hex(value)).dissection.hasWrongCheck)
        }
    }

    /// IDD and RC features have their CRC in front of what it covers.
    @Test func mayLead() throws {
        let yaml = definition(
            """
            - { name: Check, type: uint16, check: e2e-crc, special: { 0xFFFF: not supported } }
            - { name: Digits, type: bytes }
            """)
        let digits = Array("123456789".utf8)
        #expect(try !Dissected(yaml: yaml, hex("91 6F") + digits).dissection.hasWrongCheck)
        #expect(try Dissected(yaml: yaml, hex("91 6E") + digits).dissection.hasWrongCheck)
        #expect(try !Dissected(yaml: yaml, hex("FF FF") + digits).dissection.hasWrongCheck)
    }

    /// In a row of records each CRC is that of its record.
    @Test func endsWithTheStructure() throws {
        let yaml = definition(
            """
            - name: Record
              repeat: rest
              fields:
                - name: Body
                  size: 11
                  fields:
                    - { name: Digits, type: bytes, size: 9 }
                    - { name: Check, type: uint16, check: e2e-crc }
            """)
        let record = Array("123456789".utf8) + hex("91 6F")
        #expect(try !Dissected(yaml: yaml, record + record).dissection.hasWrongCheck)
        let wrong = try Dissected(yaml: yaml, record + record.dropLast() + [0])
        #expect(wrong.records.map(\.hasWrongCheck) == [false, false, false, false, false, false, false, true])
        #expect(wrong.text.hasSuffix("✗ Check wrong"))
        #expect(wrong.json.contains(#""check":"right""#) && wrong.json.contains(#""check":"wrong""#))
    }

    @Test func isOfTheRightWidth() {
        let loader = DefinitionLoader(
            [.init(path: "x.yaml", text: definition("- { name: A, type: uint8, check: e2e-crc }"))], above: .empty)
        #expect(loader.mistakes.map(\.message) == ["\"e2e-crc\" is for a uint16"])
    }

    @Test(arguments: [
        ("uint16", "big", "01 02", 258), ("sint24", "big", "FF FF FE", -2), ("uint16", "little", "01 02", 513),
        ("uint48", "big", "00 00 00 00 01 00", 256),
    ])
    func ordersOfOctets(type: String, order: String, value: String, raw: Int64) throws {
        let yaml = definition("- { name: Number, type: \(type), order: \(order) }")
        #expect(try Dissected(yaml: yaml, hex(value)).raws == [raw])
    }

    /// 1.1^(N − 64) s, and 2^(v / 64): the numbers of the specifications' own tables.
    @Test(arguments: [
        ("time-exponential-8", "40", "1"), ("time-exponential-8", "01", "0.002468"),
        ("time-exponential-8", "FD", "66560000"), ("power-of-two-64", "00", "1"), ("power-of-two-64", "40", "2"),
        ("power-of-two-64", "80", "0.25"), ("power-of-two-64", "7F", "3.957"),
    ])
    func exponentials(type: String, value: String, number: String) throws {
        let yaml = definition("- { name: Number, type: \(type) }")
        #expect(try Dissected(yaml: yaml, hex(value)).numbers == ["Number = \(number)"])
    }

    @Test func noSpecialValueIsOutOfReach() {
        let yaml = definition("- { name: A, type: sint16, special: { 0x8000: not known } }")
        let loader = DefinitionLoader([.init(path: "x.yaml", text: yaml)], above: .empty)
        #expect(
            loader.mistakes.map(\.message) == ["a sint16 goes from -32768 to 32767; 32768 is not in this range"])
    }
}
