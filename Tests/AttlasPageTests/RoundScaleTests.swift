import AttlasDissection
import AttlasTestSupport
import Testing

@testable import AttlasPage
@testable import AttlasText

/// Axes end at round numbers, and have round ones between them.
@Suite struct RoundScaleTests {
    private static func text(_ number: ExactNumber) -> String {
        var text = TextBuffer()
        text.append(number: number)
        return text.text
    }

    @Test(
        arguments: [
            (64...87, ["60", "70", "80", "90"]), (0...300, ["0", "100", "200", "300"]),
            (-55...(-45), ["-55", "-50", "-45"]),
            (0.199...0.83, ["0", "0.2", "0.4", "0.6", "0.8", "1"]), (0...1e300, nil),
            (99_999.98...100_000.02, ["99999.98", "99999.99", "100000", "100000.01", "100000.02"]),
            (-Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude, nil),
        ] as [(ClosedRange<Double>, [String]?)])
    func ticks(bounds: ClosedRange<Double>, expected: [String]?) {
        let scale = RoundScale(bounds)
        #expect(scale.range.lowerBound <= bounds.lowerBound && scale.range.upperBound >= bounds.upperBound)
        #expect(scale.ticks.count >= 2 && scale.ticks.count <= 10)
        if let expected { expect(scale.ticks.map(Self.text), equals: expected) }
    }

    @Test func timesAreRound() {
        let axis = TimeAxis(span: 9_453_000_000)
        expect(axis.ticks.map { Self.text($0.seconds) }, equals: ["0", "2", "4", "6", "8"])
        #expect(axis.ticks.allSatisfy { $0.place >= 0 && $0.place <= 1 })
    }

    /// Two seconds, a leap of a million, and two more: times of both sides, and none from within the leap.
    @Test func aLeapHasNoTicks() {
        let axis = TimeAxis(
            span: 1_000_004_000_000_000,
            leaps: [TimeAxis.Leap(end: 1_000_002_000_000_000, length: 1_000_000_000_000_000)])
        expect(axis.ticks.map { Self.text($0.seconds) }, equals: ["0", "1", "2", "1000003", "1000004"])
    }

    @Test(arguments: [1_000_000, .max] as [Int64]) func ticksOfAnySpanAreFew(span: Int64) {
        let ticks = TimeAxis(span: span).ticks
        #expect(!ticks.isEmpty && ticks.count <= 13)
    }
}
