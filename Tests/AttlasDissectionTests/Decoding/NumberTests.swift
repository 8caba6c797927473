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
        #expect(try text(1, "0.1") == "0.1")
        #expect(try text(3, "0.1") == "0.3")
        #expect(try text(832, "1/1024") == "0.8125")
        #expect(try text(1, "2^-16") == "0.0000152587890625")
        #expect(try text(-5, "0.01") == "-0.05")
        #expect(try text(6, "5/4") == "7.5")
        #expect(try text(7, "5 * 10^-3 * 2^-1") == "0.0175")
        #expect(try text(1000, "0.1", offset: "-100") == "0")
        #expect(try text(3, "10^3") == "3000")
        #expect(try text(Int128(UInt64.max), "1/10") == "1844674407370955161.5")
        #expect(try text(Int128(Int64.min), "0.01") == "-92233720368547758.08")
    }

    @Test(
        arguments: [0, -5, Int128(Int64.max), Int128(Int64.min), Int128(UInt64.max), 1 << 100 + 1, -(1 << 120)]
            as [Int128])
    func aNumberOfAnySizeIsTheNearestBinaryFraction(over: Int128) {
        #expect(ExactNumber.ratio(numerator: over, denominator: 1).double == Double(over))
        #expect(
            ExactNumber.ratio(numerator: over, denominator: 1 << 70).double == Double(over) / Double(1 << 70 as Int128))
    }

    @Test func whatNeverEndsIsRounded() throws {
        #expect(try text(1, "1/3") == "0.333333333333")
        #expect(try text(2, "1/3") == "0.666666666667")
        #expect(try text(65535, "1/65535") == "1")
    }

    @Test func aLimitOfDecimalsRoundsHalfToEven() throws {
        #expect(try text(832, "1/1024", decimals: 3) == "0.812")
        #expect(try text(848, "1/1024", decimals: 3) == "0.828")
        #expect(try text(999, "0.001", decimals: 2) == "1")
        #expect(try text(15, "0.1", decimals: 0) == "2")
        #expect(try text(25, "0.1", decimals: 0) == "2")
        #expect(try text(-1, "0.001", decimals: 2) == "0")
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
        #expect(dissected.raws == [raw])
        #expect(dissected.dissection.fault == nil && dissected.dissection.unexplained.isEmpty)
        #expect(dissected.numbers == ["Number = \(UInt64(bitPattern: raw))"])
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
        #expect(dissected.dissection.fault?.reason == .truncated)
        #expect(dissected.dissection.fault?.need == need)
    }

    @Test func aVarintHasAtMostTenOctets() throws {
        let yaml = definition("- { name: Number, type: varint }")
        let fault = try Dissected(yaml: yaml, [UInt8](repeating: 0xFF, count: 20)).dissection.fault
        #expect(fault?.reason == .varintLength)
    }

    /// A scale that no sensible field meets overflows into null, not into a trap.
    @Test func overflowIsNoNumber() throws {
        #expect(try text(Int128(UInt64.max), "9223372036854775807", offset: "1/9223372036854775807") == "null")
    }

    @Test func decimalsOfAnySize() {
        func text(_ mantissa: Int64, _ exponent: Int) -> String {
            var buffer = TextBuffer()
            buffer.append(number: .decimal(mantissa: mantissa, exponent: exponent))
            return String(decoding: buffer.bytes, as: UTF8.self)
        }
        #expect(text(365, -1) == "36.5")
        #expect(text(3760, -2) == "37.6")
        #expect(text(0, -5) == "0")
        #expect(text(-1, -8) == "-0.00000001")
        #expect(text(12, 3) == "12000")
        #expect(text(8_388_605, 127) == "8388605e127")
        #expect(text(1, -128) == "1e-128")
    }
}
