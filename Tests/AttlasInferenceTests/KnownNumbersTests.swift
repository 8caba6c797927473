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
        expect(sum.place, equals: 9)
        #expect(sum.sentence.hasPrefix("sum of the 4 numbers at 1 to 8, "))
        expect(sum.isBigEndian, equals: isBigEndian)
        expect(claims(values).filter { $0.word == "number" }.map(\.place), equals: [1, 3, 5, 7])
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
        expect(found.place, equals: 1)
        expect(found.isBigEndian, equals: isBigEndian)
    }

    @Test(arguments: [false, true]) mutating func theAddressOfTheDevice(_ isBigEndian: Bool) throws {
        let address: [UInt8] = [0x0B, 0x51, 0x00, 0xD5, 0x1E, 0xC4]
        let values = (0..<20).map { _ in
            [0x01] + (isBigEndian ? address.reversed() : address) + [UInt8.random(in: 0...255, using: &random)]
        }
        let found = try #require(
            claims(values, addresses: [0xC41E_D500_510B, 0x1234_5678_9ABC]).first { $0.word == "address" })
        expect(found.place, equals: 1)
        expect(found.isBigEndian, equals: isBigEndian)
        #expect(!claims(values, addresses: [0x1234_5678_9ABC]).contains { $0.word == "address" })
    }

    /// Two integers of 16 bits, the second of which is about 16384, as an acceleration in the direction of the earth is; and milliseconds since 1970.
    @Test mutating func otherNumbersAreNoFloats() {
        let accelerations = (0..<200).map { _ -> [UInt8] in
            octets(Int.random(in: -300...300, using: &random), isBigEndian: false)
                + octets(16_384 + Int.random(in: -200...200, using: &random), isBigEndian: false)
        }
        #expect(!claims(accelerations).contains { $0.word == "float" })
        let milliseconds = (0..<200).map { index -> [UInt8] in
            let number = 0x0000_019A_4123_0000 + index * 1_003
            return (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        #expect(!claims(milliseconds).contains { $0.word == "float" })
    }

    /// Eight samples of 16 bits: their high octets are not random, as a UUID's are.
    @Test mutating func samplesAreNoUUID() {
        let values = (0..<200).map { _ in
            (0..<8).flatMap { channel in
                octets(
                    [0x4180, 0x8080][channel % 2] + Int.random(in: -100...100, using: &random),
                    isBigEndian: channel % 2 == 0)
            }
        }
        #expect(!claims(values).contains { $0.word == "uuid" })
    }

    /// Times of a log without a date are of 1970: a count of seconds is not the time since then.
    @Test func aCounterWithoutADateIsNoTime() {
        let values = (0..<120).map { [0x01, UInt8($0), 0x00, 0x00, 0x00] }
        #expect(!claims(values).contains { $0.word == "time" })
    }

    /// 00, 01 … 09, 10: two decimal digits.
    @Test func decimalDigitsAreNoCounter() {
        let values = (0..<200).map { [0x01, UInt8($0 / 10 % 10 << 4 | $0 % 10)] }
        #expect(!claims(values).contains { $0.word == "counter" })
    }

    /// A weight in kg around 100, with a decimal below it: SFLOAT as IEEE 11073-20601 has it, exponent and mantissa in two's complement.
    @Test(arguments: [false, true]) mutating func medicalFloats(_ isBigEndian: Bool) throws {
        var tenths = 950
        let values = (0..<200).map { index -> [UInt8] in
            tenths += (index / 20 % 2 == 0 ? 5 : -5) + Int.random(in: -2...2, using: &random)
            let number = tenths < 1_000 ? 0xF000 | tenths : tenths / 10
            return [UInt8.random(in: 0...255, using: &random)] + octets(number, isBigEndian: isBigEndian)
        }
        let found = try #require(claims(values).first { $0.word == "SFLOAT" })
        expect(found.place, equals: 1)
        expect(found.isBigEndian, equals: isBigEndian)
    }

    /// With one exponent it may as well be another number.
    @Test mutating func aMedicalFloatWithOneExponentIsAGuess() throws {
        var tenths = 512
        let values = (0..<200).map { _ -> [UInt8] in
            tenths += Int.random(in: -6...6, using: &random)
            return [0x07] + octets(0xF000 | tenths, isBigEndian: false)
        }
        let found = try #require(claims(values).first { $0.place == 1 })
        expect(found.word, equals: "number")
        #expect(found.doubts.contains("may be an SFLOAT with the exponent -1"))
    }

    /// Four bits of a state that comes and goes, and a number: no exponent.
    @Test mutating func statesAreNoExponents() {
        var number = 900
        let values = (0..<400).map { index -> [UInt8] in
            number += Int.random(in: -4...4, using: &random)
            return octets([0x0000, 0xF000, 0x1000][index / 7 % 3] | number, isBigEndian: false)
        }
        #expect(!claims(values).contains { $0.word == "SFLOAT" })
    }

    /// A current in µA as an integer of 64 bits passes through 0, which changes all its octets.
    @Test(arguments: [false, true], [5, 8]) mutating func wideIntegers(_ isBigEndian: Bool, width: Int) throws {
        var current = 40
        let values = (0..<200).map { _ -> [UInt8] in
            current = min(90, max(-90, current + Int.random(in: -20...20, using: &random)))
            let octets = (0..<width).map { UInt8(truncatingIfNeeded: current >> (8 * $0)) }
            return [0x07] + (isBigEndian ? octets.reversed() : octets)
        }
        let found = try #require(claims(values).first { $0.word == "number" })
        expect(found.range, equals: 1..<1 + width)
        expect(found.isBigEndian, equals: isBigEndian)
        #expect(found.isSigned)
    }

    /// UUIDs of attributes, whose last octets are always the same, and random ones (RFC 9562, version 4).
    @Test(arguments: [false, true]) mutating func uuids(_ isBigEndian: Bool) throws {
        let base: [UInt8] = [0x00, 0x00, 0x10, 0x00, 0x80, 0x00, 0x00, 0x80, 0x5F, 0x9B, 0x34, 0xFB]
        let assigned = (0..<16).map { number -> [UInt8] in
            let uuid = [0x00, 0x00, 0x2A, UInt8(number * 7)] + base
            return [0x01] + (isBigEndian ? uuid : uuid.reversed())
        }
        let found = try #require(claims(assigned).first { $0.word == "uuid" })
        expect(found.range, equals: 1..<17)
        expect(found.isBigEndian, equals: isBigEndian)
        let drawn = (0..<16).map { _ -> [UInt8] in
            var uuid = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
            uuid[6] = uuid[6] & 0x0F | 0x40
            uuid[8] = uuid[8] & 0x3F | 0x80
            return [0x01] + (isBigEndian ? uuid : uuid.reversed())
        }
        let other = try #require(claims(drawn).first { $0.word == "uuid" })
        expect(other.range, equals: 1..<17)
        expect(other.isBigEndian, equals: isBigEndian)
    }

    @Test(arguments: [
        (3_200, 3_420, "may be the voltage of a cell in mV"), (200, 260, "may be a temperature in 0.1 °C"),
        (2_150, 2_300, "may be a temperature in 0.01 °C"),
        (10_010, 10_140, "may be an atmospheric pressure in 0.1 hPa"),
        (101_000, 101_900, "may be an atmospheric pressure in Pa"), (20, 87, "may be a percentage"),
    ])
    func quantities(_ least: Int64, _ greatest: Int64, _ guess: String) {
        expect(KnownNumbers.guess(least, greatest), equals: guess)
        #expect(KnownNumbers.guess(least, greatest + 1_000_000) == nil)
    }
}
