import AttlasDissection
import AttlasTestSupport
import Testing

@testable import AttlasFilter

@Suite struct FilterNumberTests {
    @Test(
        arguments: [
            ("0.1", ExactNumber.ratio(numerator: 1, denominator: 10), true),
            ("0.1", .decimal(mantissa: 100, exponent: -3), true),
            ("0.1", .float32(0.1), true),
            ("0.1", .float64(0.1), true),
            ("0.33333333333333333", .ratio(numerator: 1, denominator: 3), false),
            ("-40.5", .decimal(mantissa: -405, exponent: -1), true),
            ("0x19", .ratio(numerator: 25, denominator: 1), true),
            ("1", .decimal(mantissa: 1, exponent: 100), false),
            ("1", .outOfRange, false),
            ("1", .ratio(numerator: .max, denominator: .max), true),
        ])
    func numbersAreComparedExactly(text: String, number: ExactNumber, isEqual: Bool) throws {
        let wanted = try #require(FilterNumber(text))
        expect(wanted.isMet(by: number, .equal), equals: isEqual)
        expect(wanted.isMet(by: number, .notEqual), equals: !isEqual)
    }

    @Test(arguments: [
        "", "-", "0x", "0x1FFFFFFFFFFFFFFFF", "1.", ".5", "1e3", "1234567890123456789", "٣", "--1", "0x-1",
    ])
    func whatIsNoNumber(text: String) {
        #expect(FilterNumber(text) == nil)
    }
}
