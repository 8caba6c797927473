import AttlasTestSupport
import Testing

@testable import AttlasCapture

/// Times from the radio's clock of a sniffer. The file's clock is late by what USB and the program take.
@Suite struct RadioClockTests {
    private static let start: UInt32 = 1_767_225_600

    /// A record of the nRF Sniffer: an empty data packet of 80 µs on LE 1M.
    ///
    /// - Parameters:
    ///   - file: Microseconds after the first second.
    ///   - radio: The field of the header.
    private func nordic(_ version: UInt8, file: Int, radio: UInt32, number: UInt16 = 0) -> [UInt8] {
        let head = hex("07 1300") + [version] + little(number) + hex("06 0A 03 05 3C 0000") + little(radio, 4)
        return PCAPKind().record(
            head + hex("78563412 0100 AABBCC"), seconds: Self.start + UInt32(file / 1_000_000),
            fraction: UInt32(file % 1_000_000))
    }

    private func reading(_ records: [[UInt8]], linkType: UInt32 = 272) -> Reading {
        Reading(PCAPKind().header(linkType) + records.flatMap(\.self))
    }

    private func times(_ reading: Reading) -> [Int64] {
        reading.records.map { ($0.time.seconds - Int64(Self.start)) * 1_000_000 + Int64($0.time.nanoseconds) / 1_000 }
    }

    /// Version 3 has microseconds in 32 bits, which begin again after 71.6 min; also between packets further apart than that.
    @Test func version3CountsWithItsWrap() {
        let second: UInt32 = 1_000_000
        let reading = reading([
            nordic(3, file: 100_000, radio: 0xFFFF_FFFF - 10), nordic(3, file: 204_000, radio: 989),
            nordic(3, file: 205_000, radio: 989 + 30_000), nordic(3, file: 7_205_205_000, radio: 2_910_063_693),
            nordic(3, file: 7_206_205_000, radio: 2_910_063_693 + second),
        ])
        expect(times(reading), equals: [100_000, 101_000, 131_000, 7_205_131_000, 7_206_131_000])
        expect(reading.info?.radioClock?.settings, equals: 1)
        expect(reading.info?.radioClock?.spread, equals: 103_000_000)
    }

    /// Versions 1 and 2 have the time since the end of the report before.
    @Test func version2AddsTheTimeOfThePacket() {
        let reading = reading([
            nordic(2, file: 0, radio: 446, number: 0xFFFF), nordic(2, file: 9_000, radio: 150, number: 0),
            nordic(2, file: 17_000, radio: 48_264, number: 1),
        ])
        expect(times(reading), equals: [0, 80 + 150, 80 + 150 + 80 + 48_264])
        expect(reading.info?.radioClock?.sniffer, equals: "nRF Sniffer")
    }

    /// A report that did not arrive took an unknown time: the file's clock is taken again, and time does not go back.
    @Test func aMissingReportSetsTheClock() {
        let reading = reading([
            nordic(2, file: 0, radio: 446, number: 1), nordic(2, file: 5_000, radio: 48_920, number: 2),
            nordic(2, file: 30_000, radio: 150, number: 4), nordic(2, file: 90_000, radio: 150, number: 6),
        ])
        expect(times(reading), equals: [0, 49_000, 49_000, 90_000])
        expect(reading.info?.radioClock?.settings, equals: 3)
    }

    @Test func aRestartSetsTheClock() {
        let reading = reading([
            nordic(3, file: 0, radio: 900_000_000), nordic(3, file: 20_000_000, radio: 5_000),
            nordic(3, file: 20_050_000, radio: 10_000),
        ])
        expect(times(reading), equals: [0, 20_000_000, 20_005_000])
    }

    /// The host's clock leaps by an hour, ahead or back, and the numbers of the packets do not: the sniffer did not restart.
    @Test(arguments: [3_600_000_000, -3_600_000_000]) func aLeapOfTheFilesClockSetsNothing(leap: Int) {
        let base = 7_200_000_000
        let reading = reading([
            nordic(3, file: base, radio: 1_000_000, number: 0xFFFF),
            nordic(3, file: base + leap + 30_500, radio: 1_030_000, number: 0),
            nordic(3, file: base + leap + 60_100, radio: 1_060_000, number: 1),
        ])
        expect(times(reading), equals: [base, base + 30_000, base + 60_000].map(Int64.init))
        expect(reading.info?.radioClock?.settings, equals: 1)
    }

    /// Programs write the header without a clock: 0, or the same for all.
    @Test(arguments: [0, 1_000_000] as [UInt32])
    func aConstantIsNoClock(radio: UInt32) {
        let reading = reading([
            nordic(3, file: 0, radio: radio), nordic(3, file: 20_000, radio: radio),
            nordic(3, file: 50_000, radio: radio),
        ])
        expect(times(reading), equals: [0, 20_000, 50_000])
        #expect(reading.info?.radioClock == nil)
    }

    /// CLK100NS of Ubertooth counts 100 ns and begins again after 327.68 s.
    @Test func ubertooth() {
        func record(file: Int, clock: UInt32) -> [UInt8] {
            let field = hex("3675 1400 00 7209 00") + little(clock, 4) + hex("D8 D8 D8 01 00000000 00000000")
            let head = hex("0000 2000 FB000000") + field
            return PCAPKind().record(
                head + hex("78563412 0100 AABBCC"), seconds: Self.start, fraction: UInt32(file))
        }
        let reading = reading([record(file: 0, clock: 3_276_799_990), record(file: 900, clock: 2_990)], linkType: 192)
        expect(times(reading), equals: [0, 300])
        expect(reading.info?.radioClock?.sniffer, equals: "Ubertooth")
    }
}
