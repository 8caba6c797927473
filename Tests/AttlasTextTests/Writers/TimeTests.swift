import AttlasCapture
import AttlasTestSupport
import Testing

@testable import AttlasText

/// Dates that a calendar, not our code, gives.
@Suite struct TimeTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00Z"),
            (-1, "1969-12-31T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (1_795_243_305, "2026-11-21T06:41:45Z"),
            (-62_167_219_200, "0000-01-01T00:00:00Z"),
            // The years of RFC 3339 end there.
            (253_402_300_799, "9999-12-31T23:59:59Z"),
            (253_402_300_800, "9999-12-31T23:59:59Z"),
            (.max, "9999-12-31T23:59:59Z"),
            (-62_167_219_201, "0000-01-01T00:00:00Z"),
            (.min, "0000-01-01T00:00:00Z"),
        ] as [(Int64, String)])
    func utc(seconds: Int64, expected: String) {
        var text = TextBuffer()
        text.append(utc: Timestamp(seconds: seconds, nanoseconds: 0, precision: 0))
        expect(text.string, equals: expected)
    }

    /// 64 bits of nanoseconds hold 292 years.
    @Test func aSpanOfTwoThousandYearsIsWritten() {
        let old = Timestamp(seconds: -62_168_256_000, nanoseconds: 250_000_000, precision: 6)
        let new = Timestamp(seconds: 1_700_000_000, nanoseconds: 0, precision: 6)
        var text = TextBuffer()
        text.append(secondsFrom: old, to: new)
        text.append(" ")
        text.append(secondsFrom: new, to: old)
        expect(text.string, equals: "63868255999.750000 -63868255999.750000")
        text.removeAll()
        text.append(durationOfMicroseconds: new.microseconds(since: old).magnitude)
        text.append(" ")
        text.append(durationOfMicroseconds: 1_500_000)
        expect(text.string, equals: "739215 d 22 h 1.5 s")
    }

    @Test(arguments: [Int64.min, .max, 0, 67_767_976_233_532_799, 67_768_036_191_676_800])
    func everySecondHasALocalTime(seconds: Int64) {
        var text = TextBuffer()
        text.append(local: Timestamp(seconds: seconds, nanoseconds: 1, precision: 9))
        #expect(text.count > 0)
    }

    /// The time of day is that of the local time, whatever zone this machine is in.
    @Test(arguments: [Int64.min, .max, 0, -1, 1_795_243_305, 951_782_399])
    func theClockIsThatOfTheLocalTime(seconds: Int64) {
        let time = Timestamp(seconds: seconds, nanoseconds: 369_922_000, precision: 6)
        var (clock, local) = (TextBuffer(), TextBuffer())
        clock.append(clock: time)
        local.append(local: time)
        expect(clock.count, equals: "10:55:20.369".utf8.count)
        #expect(local.string.contains(" \(clock.string)922"))
    }

    @Test(arguments: [Int64.min, .max, .min + 1, .max - 86_400])
    func everySecondHasADate(seconds: Int64) {
        var text = TextBuffer()
        text.append(
            utc: Timestamp(seconds: seconds, nanoseconds: 999_999_999, precision: 9), separator: UInt8(ascii: " "),
            suffix: " UTC")
        #expect(text.string.hasSuffix(".999999999 UTC"))
    }

    /// Also in the lines of JSON, which keep the text of a second.
    @Test(arguments: [(Int64.max, "9999-12-31T23:59:59.999999Z"), (.min, "0000-01-01T00:00:00.000000Z")])
    func aLineHasATimeOfRFC3339(seconds: Int64, expected: String) {
        var (text, buffer) = (UTCText(), TextBuffer())
        text.write(Timestamp(seconds: seconds, nanoseconds: 7_000, precision: 6), to: &buffer)
        expect(buffer.string, equals: expected)
    }

    @Test(arguments: [(UInt8(0), "45Z"), (3, "45.885Z"), (6, "45.885184Z"), (9, "45.885184001Z")])
    func precisionIsTheCaptures(precision: UInt8, suffix: String) {
        var text = TextBuffer()
        text.append(utc: Timestamp(seconds: 1_795_243_305, nanoseconds: 885_184_001, precision: precision))
        #expect(text.string.hasSuffix(suffix))
    }

    @Test(
        arguments: [
            (0, "0 µs"), (999_999, "999 µs"), (1_000_000, "1 ms"), (44_650_000, "44.7 ms"), (999_960_000, "1 s"),
            (2_049_000_000, "2 s"), (53_200_000_000, "53.2 s"), (192_000_000_000, "3 min 12 s"),
            (187_200_000_000_000, "2 d 4 h"), (-15_000_000, "-15 ms"),
        ] as [(Int64, String)])
    func duration(nanoseconds: Int64, expected: String) {
        var text = TextBuffer()
        text.append(duration: nanoseconds)
        expect(text.string, equals: expected)
    }

    /// Intervals are multiples of 125 µs. Core Specification, Vol 6, Part B, 4.5.1.
    @Test(
        arguments: [
            (375, "375 µs"), (1_250, "1.25 ms"), (7_500, "7.5 ms"), (8_625, "8.625 ms"), (30_000, "30 ms"),
            (100_050, "100.05 ms"), (1_001_250, "1.001 s"), (4_000_000, "4 s"),
        ])
    func exact(microseconds: Int, expected: String) {
        var text = TextBuffer()
        text.append(exact: microseconds)
        expect(text.string, equals: expected)
    }

    @Test(arguments: [Int64.min, .max]) func longestDurations(nanoseconds: Int64) {
        var text = TextBuffer()
        text.append(duration: nanoseconds)
        text.append(secondsOf: nanoseconds)
        #expect(text.count > 0)
    }
}
