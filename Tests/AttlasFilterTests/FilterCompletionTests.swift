import AttlasFilter
import Testing

@Suite struct FilterCompletionTests {
    private func complete(_ expression: String) -> [String] {
        FilterCompletion(
            characteristics: ["Heart Rate Measurement", "Battery Level"], services: ["Heart Rate"], peers: ["HRM-7"],
            fields: ["Heart Rate Measurement Value", "RR-Interval"]
        ).completions(of: expression)
    }

    @Test func aPropertyBeginsAnExpression() {
        #expect(complete("dir") == ["direction"])
        #expect(complete("error and me") == ["error and method"])
        #expect(complete("not fa") == ["not fault"])
        #expect(complete("").count > 20)
        #expect(complete("xyz").isEmpty)
    }

    @Test func whatIsComparedHasFewWords() {
        #expect(complete("direction == ") == ["direction == rx", "direction == tx", "direction == unknown"])
        #expect(complete("direction == t") == ["direction == tx"])
        #expect(complete("method == notif") == ["method == notification", "method == notify"])
        #expect(complete("rtt > ").isEmpty)
    }

    @Test func namesAreInQuotes() {
        #expect(complete("char == b") == ["char == \"Battery Level\""])
        #expect(complete("char == \"b") == ["char == \"Battery Level\""])
        #expect(complete("peer == \"HR") == ["peer == \"HRM-7\""])
        #expect(complete("field(\"rr") == ["field(\"RR-Interval\")"])
        #expect(complete("service == H") == ["service == \"Heart Rate\""])
        #expect(complete("uuid == \"H").isEmpty)
        #expect(complete("char == \"Heart Rate\" an") == ["char == \"Heart Rate\" and"])
    }
}
