import AttlasDissection
import AttlasTestSupport
import AttlasText
import Testing

@testable import AttlasDissection

@Suite struct NumberTests {
    private func text(_ raw: Int128, _ scale: String, offset: String = "0", decimals: Int? = nil) throws -> String {
        let scale = Scale(try #require(Scale.Ratio(scale)), offset: try #require(Scale.Ratio(offset)))
        var buffer = TextBuffer()
        buffer.append(number: scale.apply(to: raw), maximumDecimals: decimals)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    @Test func scalesAreExact() throws {
        try expect(text(1, "0.1"), equals: "0.1")
        try expect(text(3, "0.1"), equals: "0.3")
        try expect(text(832, "1/1024"), equals: "0.8125")
        try expect(text(1, "2^-16"), equals: "0.0000152587890625")
        try expect(text(-5, "0.01"), equals: "-0.05")
        try expect(text(6, "5/4"), equals: "7.5")
        try expect(text(7, "5 * 10^-3 * 2^-1"), equals: "0.0175")
        try expect(text(1000, "0.1", offset: "-100"), equals: "0")
        try expect(text(3, "10^3"), equals: "3000")
        try expect(text(Int128(UInt64.max), "1/10"), equals: "1844674407370955161.5")
        try expect(text(Int128(Int64.min), "0.01"), equals: "-92233720368547758.08")
    }

    @Test(
        arguments: [0, -5, Int128(Int64.max), Int128(Int64.min), Int128(UInt64.max), 1 << 100 + 1, -(1 << 120)]
            as [Int128])
    func aNumberOfAnySizeIsTheNearestBinaryFraction(over: Int128) {
        expect(ExactNumber.ratio(numerator: over, denominator: 1).double, equals: Double(over))
        expect(
            ExactNumber.ratio(numerator: over, denominator: 1 << 70).double,
            equals: Double(over) / Double(1 << 70 as Int128))
    }

    @Test func whatNeverEndsIsRounded() throws {
        try expect(text(1, "1/3"), equals: "0.333333333333")
        try expect(text(2, "1/3"), equals: "0.666666666667")
        try expect(text(65535, "1/65535"), equals: "1")
    }

    @Test func aLimitOfDecimalsRoundsHalfToEven() throws {
        try expect(text(832, "1/1024", decimals: 3), equals: "0.812")
        try expect(text(848, "1/1024", decimals: 3), equals: "0.828")
        try expect(text(999, "0.001", decimals: 2), equals: "1")
        try expect(text(15, "0.1", decimals: 0), equals: "2")
        try expect(text(25, "0.1", decimals: 0), equals: "2")
        try expect(text(-1, "0.001", decimals: 2), equals: "0")
    }

    @Test func whatIsNoScaleIsRefused() {
        for text in ["", "x", "1/0", "1//2", "3^2", "0.", ".5", "1e3", "2^99", "1*", "-1/-2", "+1", "1.+2"] {
            #expect(Scale.Ratio(text) == nil, "\(text)")
        }
    }

    /// The examples of the Protocol Buffers documentation, and the ends of what ten octets can say.
    @Test(arguments: [
        ("01", 1), ("96 01", 150), ("80 80 80 80 08", 1 << 31), ("80 00", 0),
        ("FF FF FF FF FF FF FF FF 7F", Int64.max), ("FF FF FF FF FF FF FF FF FF 01", -1),
    ])
    func aVarintHasSevenBitsAnOctet(value: String, raw: Int64) throws {
        let dissected = try Dissected(yaml: definition("- { name: Number, type: varint }"), hex(value))
        expect(dissected.raws, equals: [raw])
        #expect(dissected.dissection.fault == nil && dissected.dissection.unexplained.isEmpty)
        expect(dissected.numbers, equals: ["Number = \(UInt64(bitPattern: raw))"])
    }

    @Test func aVarintMayBeScaledAndUsedByWhatFollows() throws {
        let yaml = definition(
            """
            - { name: Length, type: varint }
            - { name: Text, type: utf8, size: Length }
            - { name: Voltage, type: varint, scale: 0.01, unit: V }
            - { name: Rest, type: bytes }
            """)
        let dissected = try Dissected(yaml: yaml, hex("02 48 69 AC 02 AA"))
        #expect(dissected.text == #"Length 2 · Text "Hi" · Voltage 3 V · Rest AA"#)
        #expect(dissected.json.contains(#""name":"Voltage","value":3,"raw":300"#))
    }

    @Test(arguments: [("", 1), ("80", 2), ("80 80 80 80 80 80 80 80 80", 10)])
    func aVarintThatIsCutNeedsAnotherOctet(value: String, need: Int) throws {
        let dissected = try Dissected(yaml: definition("- { name: Number, type: varint }"), hex(value))
        expect(dissected.dissection.fault?.reason, equals: .truncated)
        expect(dissected.dissection.fault?.need, equals: need)
    }

    @Test func aVarintHasAtMostTenOctets() throws {
        let yaml = definition("- { name: Number, type: varint }")
        let fault = try Dissected(yaml: yaml, [UInt8](repeating: 0xFF, count: 20)).dissection.fault
        expect(fault?.reason, equals: .varintLength)
    }

    /// A scale that no sensible field meets overflows into null, not into a trap.
    @Test func overflowIsNoNumber() throws {
        try expect(text(Int128(UInt64.max), "9223372036854775807", offset: "1/9223372036854775807"), equals: "null")
    }

    @Test func decimalsOfAnySize() {
        func text(_ mantissa: Int64, _ exponent: Int) -> String {
            var buffer = TextBuffer()
            buffer.append(number: .decimal(mantissa: mantissa, exponent: exponent))
            return String(decoding: buffer.bytes, as: UTF8.self)
        }
        expect(text(365, -1), equals: "36.5")
        expect(text(3760, -2), equals: "37.6")
        expect(text(0, -5), equals: "0")
        expect(text(-1, -8), equals: "-0.00000001")
        expect(text(12, 3), equals: "12000")
        expect(text(8_388_605, 127), equals: "8388605e127")
        expect(text(1, -128), equals: "1e-128")
    }
}
