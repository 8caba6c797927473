import AttlasTestSupport
import Testing

@testable import AttlasInference

@Suite struct KnownNumbersTests {
    private var random = SplitMix64(seed: 41)

    private func claims(_ values: [[UInt8]], addresses: Set<UInt64> = []) -> [InferredField] {
        var series = ValueSeries()
        for (index, value) in values.enumerated() {
            series.append(value, time: Int64(index) * 1_000_000_000, frame: index + 1)
        }
        return LayoutInference(series, addresses: addresses).layout().groups.flatMap(\.claims)
    }

    private func octets(_ number: Int, isBigEndian: Bool) -> [UInt8] {
        let octets = [UInt8(number & 0xFF), UInt8(number >> 8 & 0xFF)]
        return isBigEndian ? octets.reversed() : octets
    }

    /// A battery: four cells in mV, their sum, and their temperature.
    @Test(arguments: [false, true]) mutating func voltagesAndTheirSum(_ isBigEndian: Bool) throws {
        var cells = [3_301, 3_295, 3_310, 3_288]
        let values = (0..<80).map { _ -> [UInt8] in
            for index in cells.indices { cells[index] += Int.random(in: -40...40, using: &random) }
            let all = cells + [cells.reduce(0, +)]
            return [0xDD] + all.flatMap { octets($0, isBigEndian: isBigEndian) }
        }
        let sum = try #require(claims(values).first { $0.word == "sum" })
        #expect(sum.place == 9)
        #expect(sum.sentence.hasPrefix("sum of the 4 numbers at 1 to 8, "))
        #expect(sum.isBigEndian == isBigEndian)
        #expect(claims(values).filter { $0.word == "number" }.map(\.place) == [1, 3, 5, 7])
    }

    @Test(arguments: [false, true]) mutating func floatingPointNumbers(_ isBigEndian: Bool) throws {
        var temperature = Float(18)
        let values = (0..<120).map { index -> [UInt8] in
            temperature += index < 60 ? 0.0713 : -0.0561
            let pattern = temperature.bitPattern
            let octets = (0..<4).map { UInt8(pattern >> UInt32(8 * $0) & 0xFF) }
            return [UInt8.random(in: 0...255, using: &random)] + (isBigEndian ? octets.reversed() : octets)
        }
        let found = try #require(claims(values).first { $0.word == "float" })
        #expect(found.place == 1)
        #expect(found.isBigEndian == isBigEndian)
    }

    @Test(arguments: [false, true]) mutating func theAddressOfTheDevice(_ isBigEndian: Bool) throws {
        let address: [UInt8] = [0x0B, 0x51, 0x00, 0xD5, 0x1E, 0xC4]
        let values = (0..<20).map { _ in
            [0x01] + (isBigEndian ? address.reversed() : address) + [UInt8.random(in: 0...255, using: &random)]
        }
        let found = try #require(
            claims(values, addresses: [0xC41E_D500_510B, 0x1234_5678_9ABC]).first { $0.word == "address" })
        #expect(found.place == 1)
        #expect(found.isBigEndian == isBigEndian)
        #expect(!claims(values, addresses: [0x1234_5678_9ABC]).contains { $0.word == "address" })
    }

    @Test(arguments: [
        (3_200, 3_420, "may be the voltage of a cell in mV"), (200, 260, "may be a temperature in 0.1 °C"),
        (2_150, 2_300, "may be a temperature in 0.01 °C"),
        (10_010, 10_140, "may be an atmospheric pressure in 0.1 hPa"),
        (101_000, 101_900, "may be an atmospheric pressure in Pa"), (20, 87, "may be a percentage"),
    ])
    func quantities(_ least: Int64, _ greatest: Int64, _ guess: String) {
        #expect(KnownNumbers.guess(least, greatest) == guess)
        #expect(KnownNumbers.guess(least, greatest + 1_000_000) == nil)
    }
}
