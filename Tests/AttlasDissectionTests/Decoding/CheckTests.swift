import AttlasDefinitionFiles
import AttlasDissection
import AttlasTestSupport
import Testing

@Suite struct CheckTests {
    /// The check values that the catalogues of CRCs give for "123456789", and sums by hand.
    @Test(arguments: [
        ("e2e-crc", 16, "91 6F"), ("modbus", 16, "37 4B"), ("sum8", 8, "DD"), ("xor8", 8, "31"),
        ("inverted-sum8", 8, "22"), ("negated-sum8", 8, "23"), ("sum16", 16, "DD 01"),
        ("{ algorithm: sum8, modulo: 100 }", 8, "4D"), ("{ algorithm: sum8, init: 0x5A, xor: 0x0F }", 8, "38"),
        ("{ algorithm: sum16, negated: true }", 16, "23 FE"), ("{ algorithm: xor8, init: 0x5A }", 8, "6B"),
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

    /// A finding speaks of the check that the definition has.
    @Test(arguments: [
        ("e2e-crc", 16, "CRC-CCITT (initial value 0xFFFF)"), ("modbus", 16, "Modbus CRC-16"), ("sum8", 8, "8-bit sum"),
        ("xor8", 8, "8-bit XOR"), ("inverted-sum8", 8, "inverted 8-bit sum"),
        ("{ algorithm: sum16, modulo: 1000, negated: true }", 16, "negated sum modulo 1000"),
        ("{ width: 16, polynomial: 0x1021, init: 0x1D0F }", 16, "CRC-16 (polynomial 0x1021, initial value 0x1D0F)"),
    ])
    func hasATitle(check: String, bits: Int, title: String) throws {
        let yaml = definition("- { name: Check, type: uint\(bits), check: \(check) }")
        let dissected = try Dissected(yaml: yaml, [UInt8](repeating: 0, count: bits / 8))
        expect(dissected.dissector.fields[0].check?.title, equals: title)
    }

    /// The same from the parameters in the catalogue of Greg Cook: XMODEM, ARC, IBM-3740, CRC-8, 8/MAXIM, 24/BLE, 24/OPENPGP, 32, BZIP2.
    @Test(arguments: [
        (16, "polynomial: 0x1021", "C3 31"), (16, "polynomial: 0x8005, reflected: true", "3D BB"),
        (16, "polynomial: 0x1021, init: 0xFFFF", "B1 29"), (8, "polynomial: 0x07", "F4"),
        (8, "polynomial: 0x31, reflected: true", "A1"),
        (24, "polynomial: 0x00065B, init: 0x555555, reflected: true", "56 5A C2"),
        (24, "polynomial: 0x864CFB, init: 0xB704CE", "02 CF 21"),
        (32, "polynomial: 0x04C11DB7, init: 0xFFFFFFFF, reflected: true, xor: 0xFFFFFFFF", "26 39 F4 CB"),
        (32, "polynomial: 0x04C11DB7, init: 0xFFFFFFFF, xor: 0xFFFFFFFF", "18 19 89 FC"),
    ])
    func ofTheDigitsByParameters(bits: Int, parameters: String, value: String) throws {
        let yaml = definition(
            """
            - { name: Digits, type: bytes, size: 9 }
            - { name: Check, type: uint\(bits), check: { width: \(bits), \(parameters) } }
            """)
        let digits = Array("123456789".utf8)
        #expect(try !Dissected(yaml: yaml, digits + hex(value)).dissection.hasWrongCheck)
        #expect(try Dissected(yaml: yaml, Array(digits.reversed()) + hex(value)).dissection.hasWrongCheck)
    }

    /// The request of the protocol description of JBD, whose sum covers neither the start nor the kind.
    @Test func betweenFields() throws {
        let yaml = definition(
            """
            - { name: Start, const: DD A5 }
            - { name: Register, type: uint8 }
            - { name: Length, type: uint8 }
            - { name: Data, type: bytes, size: Length }
            - name: Sum
              type: uint16
              order: big
              check: { algorithm: sum16, negated: true, from: Register, to: Data }
            - { name: End, const: 77 }
            """)
        #expect(try !Dissected(yaml: yaml, hex("DD A5 03 00 FF FD 77")).dissection.hasWrongCheck)
        #expect(try Dissected(yaml: yaml, hex("DD A5 03 00 FF FC 77")).text.hasSuffix("✗ Sum wrong"))
        #expect(try !Dissected(yaml: yaml, hex("DD A5 E1 02 00 02 FF 1B 77")).dissection.hasWrongCheck)
    }

    /// Without one of its fields, a checksum is not judged.
    @Test func aFieldThatIsNotThere() throws {
        let yaml = definition(
            """
            - { name: A, type: uint8 }
            - { name: B, type: uint8, if: A == 1 }
            - { name: Sum, type: uint8, check: { algorithm: sum8, from: A, to: B } }
            """)
        #expect(try !Dissected(yaml: yaml, hex("00 63")).dissection.hasWrongCheck)
        #expect(try Dissected(yaml: yaml, hex("01 02 04")).dissection.hasWrongCheck)
        #expect(try !Dissected(yaml: yaml, hex("01 02 03")).dissection.hasWrongCheck)
    }

    /// A start octet and what follows the sum are not covered.
    @Test func whatIsCoveredCanBeSaid() throws {
        let yaml = definition(
            """
            - { name: Start, type: uint8 }
            - { name: Digits, type: bytes, size: 9 }
            - { name: Check, type: uint8, check: { algorithm: sum8, from: 1, before: true } }
            - { name: End, type: uint8 }
            """)
        let digits = Array("123456789".utf8)
        #expect(try !Dissected(yaml: yaml, [0x7E] + digits + [0xDD, 0x7E]).dissection.hasWrongCheck)
        #expect(try Dissected(yaml: yaml, [0x7E] + digits + [0xDE, 0x7E]).dissection.hasWrongCheck)
        // More octets are left out than there are.
        let short = definition(
            "- { name: Check, type: uint8, check: { algorithm: xor8, from: 9 } }\n- { name: A, type: uint8 }")
        #expect(try !Dissected(yaml: short, hex("00 FF")).dissection.hasWrongCheck)
    }

    @Test(arguments: [
        ("uint16", "{ width: 12, polynomial: 1 }", "expected 8, 16, 24 or 32, found 12"),
        ("uint16", "{ width: 16 }", "a CRC needs a \"polynomial\""),
        ("uint16", "{ width: 16, polynomial: 0x11021 }", "expected a number of 16 bits"),
        ("uint8", "{ width: 16, polynomial: 0x1021 }", "\"crc16 of 0x1021\" is for a uint16"),
        ("uint8", "{ algorithm: sum8, reflected: true }", "\"algorithm\" and \"reflected\" exclude each other"),
        ("uint8", "sum9", "did you mean \"sum8\"?"),
        ("uint8", "{ algorithm: sum8, from: -1 }", "expected a number from 0"),
    ])
    func mistakesAreSaid(type: String, check: String, part: String) {
        let yaml = definition("- { name: A, type: \(type), check: \(check) }")
        let loader = DefinitionLoader([.init(path: "x.yaml", text: yaml)], above: .empty)
        #expect(loader.mistakes.count == 1 && loader.mistakes[0].message.contains(part), "\(loader.mistakes)")
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
        expect(wrong.records.map(\.hasWrongCheck), equals: [false, false, false, false, false, false, false, true])
        #expect(wrong.text.hasSuffix("✗ Check wrong"))
        #expect(wrong.json.contains(#""check":"right""#) && wrong.json.contains(#""check":"wrong""#))
    }

    @Test func isOfTheRightWidth() {
        let loader = DefinitionLoader(
            [.init(path: "x.yaml", text: definition("- { name: A, type: uint8, check: e2e-crc }"))], above: .empty)
        expect(loader.mistakes.map(\.message), equals: ["\"e2e-crc\" is for a uint16, or for hex-text"])
    }

    @Test(arguments: [
        ("uint16", "big", "01 02", 258), ("sint24", "big", "FF FF FE", -2), ("uint16", "little", "01 02", 513),
        ("uint48", "big", "00 00 00 00 01 00", 256),
    ])
    func ordersOfOctets(type: String, order: String, value: String, raw: Int64) throws {
        let yaml = definition("- { name: Number, type: \(type), order: \(order) }")
        try expect(Dissected(yaml: yaml, hex(value)).raws, equals: [raw])
    }

    /// 1.1^(N − 64) s, and 2^(v / 64): the numbers of the specifications' own tables.
    @Test(arguments: [
        ("time-exponential-8", "40", "1"), ("time-exponential-8", "01", "0.002468"),
        ("time-exponential-8", "FD", "66560000"), ("power-of-two-64", "00", "1"), ("power-of-two-64", "40", "2"),
        ("power-of-two-64", "80", "0.25"), ("power-of-two-64", "7F", "3.957"),
    ])
    func exponentials(type: String, value: String, number: String) throws {
        let yaml = definition("- { name: Number, type: \(type) }")
        try expect(Dissected(yaml: yaml, hex(value)).numbers, equals: ["Number = \(number)"])
    }

    @Test func noSpecialValueIsOutOfReach() {
        let yaml = definition("- { name: A, type: sint16, special: { 0x8000: not known } }")
        let loader = DefinitionLoader([.init(path: "x.yaml", text: yaml)], above: .empty)
        expect(
            loader.mistakes.map(\.message), equals: ["a sint16 goes from -32768 to 32767; 32768 is not in this range"])
    }
}
