import AttlasTestSupport
import Testing

@testable import AttlasCapture

@Suite struct TimestampTests {
    struct Sample: Sendable {
        let resolution: UInt8
        let ticks: UInt64
        let expected: Timestamp

        init(_ resolution: UInt8, _ ticks: UInt64, _ seconds: Int64, _ nanoseconds: UInt32, _ precision: UInt8) {
            self.resolution = resolution
            self.ticks = ticks
            expected = Timestamp(seconds: seconds, nanoseconds: nanoseconds, precision: precision)
        }
    }

    static let samples: [Sample] = [
        // Microseconds, seconds, nanoseconds.
        Sample(6, 1_500_000, 1, 500_000_000, 6),
        Sample(0, 7, 7, 0, 0),
        Sample(9, 1_000_000_001, 1, 1, 9),
        // Picoseconds, and finer than any clock.
        Sample(12, 1_000_000_001_999, 1, 1, 9),
        Sample(19, .max, 1, 844_674_407, 9),
        Sample(20, .max, 0, 184_467_440, 9),
        Sample(28, .max, 0, 1, 9),
        Sample(29, .max, 0, 0, 9),
        Sample(38, .max, 0, 0, 9),
        Sample(39, .max, 0, 0, 9),
        Sample(127, .max, 0, 0, 9),
        // Binary fractions.
        Sample(0x80, 7, 7, 0, 0),
        Sample(0x81, 3, 1, 500_000_000, 1),
        Sample(0x80 | 10, 1025, 1, 976_562, 4),
        Sample(0x80 | 63, .max, 1, 999_999_999, 9),
        Sample(0x80 | 64, .max, 0, 999_999_999, 9),
        Sample(0x80 | 65, .max, 0, 499_999_999, 9),
        Sample(0x80 | 127, .max, 0, 0, 9),
    ]

    @Test(arguments: samples)
    func everyResolutionOfPcapng(sample: Sample) {
        let resolution = TickResolution(rawValue: sample.resolution)
        expect(Timestamp(ticks: sample.ticks, resolution: resolution, offset: 0), equals: sample.expected)
    }

    @Test func noResolutionTraps() {
        for resolution in UInt8.min...UInt8.max {
            for ticks in [0, 1, UInt64.max / 2, .max] {
                for offset in [Int64.min, -1, 0, 1, .max] {
                    let resolution = TickResolution(rawValue: resolution)
                    let time = Timestamp(ticks: ticks, resolution: resolution, offset: offset)
                    #expect(time.nanoseconds < 1_000_000_000 && time.precision <= 9)
                }
            }
        }
    }

    @Test func secondsStopAtTheirLimits() {
        let seconds = TickResolution(rawValue: 0)
        expect(Timestamp(ticks: .max, resolution: seconds, offset: 0).seconds, equals: .max)
        expect(Timestamp(ticks: .max, resolution: seconds, offset: .max).seconds, equals: .max)
        expect(Timestamp(ticks: 0, resolution: seconds, offset: .min).seconds, equals: .min)
        expect(Timestamp(ticks: 5, resolution: seconds, offset: -6).seconds, equals: -1)
    }

    @Test func differencesStopAtTheirLimits() {
        let early = Timestamp(seconds: .min, nanoseconds: 0, precision: 6)
        let late = Timestamp(seconds: .max, nanoseconds: 999_999_999, precision: 6)
        expect(late.nanoseconds(since: early), equals: .max)
        expect(early.nanoseconds(since: late), equals: .min)
        expect(early.nanoseconds(since: early), equals: 0)
        #expect(!early.isWithinADay(of: late))
    }
}
