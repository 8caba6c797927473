import AttlasGenerate
import AttlasTestSupport
import Testing

/// What drafts and definitions of devices have: constants, checks of all kinds, marks, padding and numbers in other codes.
@Suite struct DraftCodeTests {
    /// The checks are those of "123456789" in the catalogues of CRCs, or sums by hand; DD A5 03 00 FF FD 77 is JBD's published request.
    static let definitions = """
        characteristics:
          - uuid: F0000001-0000-4000-8000-000000000001
            name: Lengths
            fields:
              - if: left == 3
                fields:
                  - { name: Constant 0, const: 55 AA }
                  - { name: Constant 2, const: 01 }
              - if: left == 4
                fields:
                  - { name: Constant 0, const: 55 AA }
                  - { name: Number 2, type: uint16, order: big }
            examples: [{ hex: 55 AA 01 }, { hex: 55 AA 01 02 }, { hex: 01 02 }]
          - uuid: F0000001-0000-4000-8000-000000000002
            name: Same Members
            fields:
              - if: left == 3
                fields: [{ name: Start, const: 55 }, { name: Value, type: uint16 }]
              - if: left == 4
                fields: [{ name: Start, const: 55 AA }, { name: Value, type: uint16 }]
            examples: [{ hex: 55 01 02 }, { hex: 55 AA 01 02 }]
          - uuid: F0000001-0000-4000-8000-000000000003
            name: Op Codes
            fields:
              - { name: Start, const: 7E }
              - { name: Op Code, type: uint8 }
              - switch: Op Code
                cases:
                  0x01: [{ name: Constant 2, const: 00 00 }, { name: Sum, type: uint8, check: { algorithm: negated-sum8, from: 1 } }]
                  0x02: [{ name: Number 2, type: bcd16, order: big }, { name: Sum, type: uint8, check: inverted-sum8 }]
              - { name: End, const: EF, if: left > 0 }
            examples: [{ hex: 7E 01 00 00 FF EF, check: wrong }, { hex: 7E 01 00 00 FF }, { hex: 7E 02 12 34 39 }, { hex: 7E 03 EF }, { hex: 7E 03 }]
          - uuid: F0000001-0000-4000-8000-000000000004
            name: Sums
            fields:
              - { name: Digits, type: utf8, size: 9 }
              - { name: Sum, type: uint16, order: big, check: { algorithm: sum16, init: 2, before: true } }
              - { name: Modulo, type: uint8, check: { algorithm: sum8, modulo: 255, from: Digits, to: Digits } }
              - { name: XOR, type: uint8, check: { algorithm: xor8, init: 0x5A, from: Digits, to: Digits } }
            examples: [{ hex: 31 32 33 34 35 36 37 38 39 01 DF DE 6B }]
          - uuid: F0000001-0000-4000-8000-000000000005
            name: In Front
            fields:
              - { name: CRC, type: uint32, check: { width: 32, polynomial: 0x04C11DB7, init: 0xFFFFFFFF, xor: 0xFFFFFFFF, reflected: true } }
              - { name: Digits, type: utf8 }
            examples: [{ hex: 26 39 F4 CB 31 32 33 34 35 36 37 38 39 }]
          - uuid: F0000001-0000-4000-8000-000000000006
            name: Request
            fields:
              - { name: Start, const: DD }
              - { name: Operation, type: uint8 }
              - { name: Register, type: uint8 }
              - { name: Length, type: uint8 }
              - { name: Data, type: bytes, size: Length, if: Length > 0 }
              - name: Sum
                type: uint16
                order: big
                variants:
                  - { if: Length > 0, check: { algorithm: sum16, negated: true, from: Register, to: Data } }
                  - { check: { algorithm: sum16, negated: true, from: Register, to: Length } }
              - { name: End, const: 77 }
            examples: [{ hex: DD A5 03 00 FF FD 77 }, { hex: DD 5A E1 02 00 02 FF 1B 77 }]
          - uuid: F0000001-0000-4000-8000-000000000007
            name: Texts
            fields:
              - { name: Name, type: utf8, size: 8, padding: 00 }
              - { name: List, type: utf8, until: 2C or end, repeat: until 0D }
              - { name: Carriage Return, const: 0D }
              - { name: Number, type: decimal-text, size: 4 }
              - { name: More, type: bytes, size: Number, if: Number > 0 }
            examples:
              - { hex: 31 31 2E 34 38 00 00 00 41 2C 42 2C 0D 20 31 2E 35 FF }
              - { hex: 31 31 00 34 38 00 00 00 0D 20 2D 33 20 }
              - { hex: 31 31 00 34 38 00 00 00 0D 30 30 30 78, check: wrong }
          - uuid: F0000001-0000-4000-8000-000000000008
            name: Numbers
            fields:
              - { name: Clock, type: bcd24, order: big }
              - { name: Drift, type: sign-magnitude-16, order: big }
              - { name: Change, type: zigzag, repeat: 2 }
              - { name: Code, type: hex-text, until: 0D 0A }
            examples: [{ hex: 12 34 56 80 05 03 FE FF FF FF 0F 37 66 0D 0A }, { hex: 00 00 00 7F FF 00 01 0D 0A }]

        """

    @Test(arguments: CodeLanguage.allCases) func comparedWithTheDissector(_ language: CodeLanguage) throws {
        try GeneratedCode.compare(ComparedCodecs(yaml: Self.definitions), in: language, perCodec: 6_000)
    }

    /// A value that is made, not read: constants and checks are written, and what would be read differently is refused.
    @Test func madeValues() throws {
        let folder = try TemporaryFolder()
        let form = try ComparedCodecs(yaml: Self.definitions).form
        try folder.write(CodeLanguage.python.code(of: form).utf8, to: "made.py")
        try folder.write(
            """
            import made
            assert made.Request(operation=0xA5, register_value=3).encode().hex() == "dda50300fffd77"
            assert made.Request(operation=0x5A, register_value=0xE1, length=2, data_value=bytes([0, 2])).encode().hex() == "dd5ae1020002ff1b77"
            assert made.OpCodes(op_code=1).encode().hex() == "7e010000ff"
            assert made.OpCodes(op_code=2, number_2=1234).encode().hex() == "7e02123439"
            assert made.Sums(digits_raw=b"123456789").encode().hex() == "31323334353637383901dfde6b"
            assert made.InFront(digits_raw=b"123456789").encode().hex() == "2639f4cb313233343536373839"
            assert made.Numbers(clock=123456, drift=-5, change=[-2, 2147483647], code_raw=b"7f").encode().hex() == "1234568005" + "03" + "feffffff0f" + "37660d0a"
            def refused(reason, value):
                try:
                    value.encode()
                except made.CodecError as error:
                    assert error.reason == reason, error
                    return
                raise AssertionError(value)
            refused("range", made.Numbers(clock=1000000, change=[0, 0]))
            refused("range", made.Numbers(drift=-32768, change=[0, 0]))
            refused("digits", made.Numbers(change=[0, 0], code_raw=b"xy"))
            refused("size", made.Texts(name_raw=b"123456789", number_raw=b"0000"))
            refused("missing", made.OpCodes(op_code=2))
            for octets, reason in (("DE", "constant"), ("DD A5 03 00 FF FE 77", "checksum")):
                try:
                    made.Request.decode(bytes.fromhex(octets))
                    raise AssertionError(octets)
                except made.CodecError as error:
                    assert error.reason == reason, error
            """.utf8, to: "program.py")
        try expect(ComparingPrograms.run("python3 program.py", in: folder), equals: "status 0\n")
    }
}
