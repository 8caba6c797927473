import AttlasFilter
import AttlasTestSupport
import Testing

@Suite struct FilterCompletionTests {
    private func complete(_ expression: String) -> [String] {
        FilterCompletion(
            characteristics: ["Heart Rate Measurement", "Battery Level"], services: ["Heart Rate"], peers: ["HRM-7"],
            fields: ["Heart Rate Measurement Value", "RR-Interval"]
        ).completions(of: expression)
    }

    @Test func aPropertyBeginsAnExpression() {
        expect(complete("dir"), equals: ["direction"])
        expect(complete("error and me"), equals: ["error and method"])
        expect(complete("not fa"), equals: ["not fault"])
        #expect(complete("").count > 20)
        #expect(complete("xyz").isEmpty)
    }

    @Test func whatIsComparedHasFewWords() {
        expect(complete("direction == "), equals: ["direction == rx", "direction == tx", "direction == unknown"])
        expect(complete("direction == t"), equals: ["direction == tx"])
        expect(complete("method == notif"), equals: ["method == notification", "method == notify"])
        #expect(complete("rtt > ").isEmpty)
    }

    @Test func namesAreInQuotes() {
        expect(complete("char == b"), equals: ["char == \"Battery Level\""])
        expect(complete("char == \"b"), equals: ["char == \"Battery Level\""])
        expect(complete("peer == \"HR"), equals: ["peer == \"HRM-7\""])
        expect(complete("field(\"rr"), equals: ["field(\"RR-Interval\")"])
        expect(complete("service == H"), equals: ["service == \"Heart Rate\""])
        #expect(complete("uuid == \"H").isEmpty)
        expect(complete("char == \"Heart Rate\" an"), equals: ["char == \"Heart Rate\" and"])
    }
}
