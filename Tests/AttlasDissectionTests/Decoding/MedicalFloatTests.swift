import AttlasDissection
import AttlasTestSupport
import Testing

/// IEEE 11073-20601 SFLOAT-Type and FLOAT-Type: both parts in two's complement, no bias.
@Suite struct MedicalFloatTests {
    @Test(
        arguments: [
            (0x0000, 0, 0), (0x0001, 1, 0), (0x0FFF, -1, 0), (0x07FD, 2045, 0), (0x0803, -2045, 0),
            (0xF16D, 365, -1), (0xFE93, -365, -1), (0x1024, 36, 1), (0x7001, 1, 7), (0x8001, 1, -8), (0xE173, 371, -2),
            // The extremes of the mantissa are numbers when the exponent is not 0.
            (0x17FF, 2047, 1), (0xF800, -2048, -1),
        ] as [(UInt16, Int32, Int8)])
    func medfloat16(raw: UInt16, mantissa: Int32, exponent: Int8) {
        let number = MedicalFloat(medfloat16: raw)
        expect(number.mantissa, equals: mantissa)
        expect(number.exponent, equals: exponent)
        expect(number.special, equals: .none)
    }

    @Test(
        arguments: [
            (0x0000_016D, 365, 0), (0xFF00_016D, 365, -1), (0xFE00_0EB0, 3760, -2), (0x02FF_FFFF, -1, 2),
            (0x8000_0001, 1, -128), (0x7F00_0001, 1, 127), (0x007F_FFFD, 8_388_605, 0), (0xFF7F_FFFF, 8_388_607, -1),
        ] as [(UInt32, Int32, Int8)])
    func medfloat32(raw: UInt32, mantissa: Int32, exponent: Int8) {
        let number = MedicalFloat(medfloat32: raw)
        expect(number.mantissa, equals: mantissa)
        expect(number.exponent, equals: exponent)
        expect(number.special, equals: .none)
    }

    @Test func specialValues() {
        let specials: [SpecialValue] = [
            .positiveInfinity, .notANumber, .notAtThisResolution, .reserved, .negativeInfinity,
        ]
        for (index, special) in specials.enumerated() {
            expect(MedicalFloat(medfloat16: 0x07FE + UInt16(index)).special, equals: special)
            expect(MedicalFloat(medfloat32: 0x007F_FFFE + UInt32(index)).special, equals: special)
        }
    }

    @Test(arguments: [
        ("FE 07", "+INFINITY"), ("FF 07", "NaN"), ("00 08", "NRes"), ("01 08", "reserved"), ("02 08", "-INFINITY"),
    ])
    func aSpecialValueHasNoNumber(value: String, special: String) throws {
        let yaml = definition("- { name: A, type: medfloat16, unit: V }")
        let dissected = try Dissected(yaml: yaml, hex(value))
        expect(dissected.numbers, equals: [])
        expect(dissected.text, equals: special)
        #expect(dissected.json.contains(#""value":null,"raw":"#))
        #expect(dissected.json.contains(#""special":"\#(special)""#))
    }

    @Test func floatsOfIEEE754() throws {
        let yaml = definition("- { name: A, type: float32 }\n- { name: B, type: float64 }")
        let dissected = try Dissected(yaml: yaml, hex("CD CC CC 3D  9A 99 99 99 99 99 B9 3F"))
        expect(dissected.numbers, equals: ["A = 0.1", "B = 0.1"])
        let special = try Dissected(yaml: yaml, hex("00 00 C0 7F  00 00 00 00 00 00 F0 FF"))
        expect(special.text, equals: "A NaN · B -INFINITY")
    }
}
