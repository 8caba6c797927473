import AttlasTestSupport
import Testing

@testable import AttlasInference

/// Values of which a recording of a real device once had a wrong claim, or none.
@Suite struct LayoutInferenceTests {
    private func layout(_ values: [[UInt8]], every interval: Int64 = 100_000_000) -> InferredLayout {
        var series = ValueSeries()
        for (index, value) in values.enumerated() {
            series.append(value, time: 1_795_000_000_000_000_000 + Int64(index) * interval, frame: index + 1)
        }
        return LayoutInference(series).layout()
    }

    /// The first may be a number of 64 bits that is near to 0, the others are at its ends.
    @Test(arguments: [UInt8(0x80), 0x7F, 0xFF]) func numbersAtTheEndsOf64Bits(_ high: UInt8) {
        var values: [[UInt8]] = [[0, 0, 0, 0, 0, 0, 0, 0]]
        for number in UInt8(0)..<40 { values.append([number, 0, 0, 0, 0, 0, 0, high]) }
        #expect(!layout(values).groups.flatMap(\.claims).contains { $0.word == "time" })
    }

    @Test(arguments: [Int64.min, .max]) func timesBeyondAllClocks(_ time: Int64) {
        var series = ValueSeries()
        for number in UInt8(0)..<40 { series.append([number, 0, 0, 0, 1], time: number % 2 == 0 ? 0 : time, frame: 1) }
        expect(LayoutInference(series).layout().count, equals: 40)
    }

    /// Encrypted in blocks, the same contents have the same octets: 40 values, each sent 25 times.
    @Test func repeatedEncryptedValues() {
        var random = SplitMix64(seed: 7)
        let blocks = (0..<40).map { _ in (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) } }
        let claims = layout((0..<1_000).map { blocks[$0 * 7 % 40] }).groups.flatMap(\.claims)
        expect(claims.map(\.word), equals: ["scrambled"])
        expect(claims.first?.width, equals: 16)
        expect(
            claims.first?.doubts.last,
            equals: "blocks of 16 octets, as AES has them: with a key, `assemble: { aes: … }` decrypts them")
    }

    /// The high octet of a number changes rarely, and so does the time next to it.
    @Test func theHighOctetOfANumberSelectsNothing() {
        var random = SplitMix64(seed: 9)
        var number = 0x8000
        let values = (0..<1_000).map { index -> [UInt8] in
            number += Int.random(in: -200...200, using: &random)
            let time = 0x6AFD_0000 + index / 3
            return [
                0xDB, UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF), UInt8(time >> 24), UInt8(time >> 16 & 0xFF),
                UInt8(time >> 8 & 0xFF), UInt8(time & 0xFF),
            ]
        }
        let layout = layout(values)
        expect(layout.groups.count, equals: 1)
        #expect(
            layout.groups[0].claims.contains { $0.place == 1 && $0.width == 2 && $0.isBigEndian && $0.kind == .number })
    }

    /// A number whose low octet is noise, most significant octet first: only the high one moves in small steps.
    @Test func aNumberMayHaveALowPart() throws {
        var random = SplitMix64(seed: 19)
        var level = 90
        let values = (0..<300).map { _ -> [UInt8] in
            level += Int.random(in: -2...2, using: &random)
            return [0x07, UInt8(level & 0xFF), UInt8.random(in: 0...255, using: &random)]
        }
        let number = try #require(layout(values).groups.flatMap(\.claims).first { $0.word == "number" })
        #expect(number.place == 1 && number.width == 1)
        #expect(number.doubts.contains("octet 2 may be its low part"))
    }

    /// Messages in parts: octets of several places in a message do not make a number.
    @Test func partsOfMessagesHaveDoubtsAndNoNumbers() {
        let full = (0..<300).map { index in [UInt8](repeating: [0x00, 0x30, 0xE8][index / 20 % 3], count: 20) }
        let ends = (0..<60).map { index in [UInt8](repeating: 0x30, count: 1 + index % 5) }
        let layout = layout(zip(full, ends + full).flatMap { [$0, $1] })
        #expect(!layout.groups.flatMap(\.claims).contains { $0.kind == .number })
        #expect(layout.doubts.first?.hasSuffix("octets: they may be parts of longer messages") == true)
    }

    /// An unknown CRC: the polynomial 0x6B2D is not in the catalogue. Lengths show the final xor.
    @Test func anUnknownCRCIsCalculated() throws {
        var random = SplitMix64(seed: 11)
        let values = (0..<60).map { index -> [UInt8] in
            let octets = (0..<6 + index % 3).map { _ in UInt8.random(in: 0...255, using: &random) }
            let check = SyntheticDevice.result(of: octets, .odd16)
            return octets + [UInt8(check >> 8), UInt8(check & 0xFF)]
        }
        let fields = layout(values).groups.flatMap(\.claims).filter { $0.word == "check" }
        expect(fields.count, equals: 3)
        #expect(
            fields.first?.sentence.hasPrefix(
                "CRC-16, polynomial 0x6B2D, initial value 0x1234, not reflected, final xor 0x0000 of all octets before it"
            )
                == true)
        expect(fields.first?.doubts, equals: ["not in the catalogue: the polynomial was calculated from the values"])
    }
}
