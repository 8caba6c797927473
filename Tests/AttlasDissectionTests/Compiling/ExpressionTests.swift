import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasDissection

@Suite struct ExpressionTests {
    private func evaluate(_ text: String, _ values: [String: Int64] = [:], unread: [UInt8] = []) throws -> Int64? {
        var symbols: [String: Symbol] = [:]
        var registers: [Int64] = []
        for (name, value) in values {
            symbols[name] = .field(register: UInt16(registers.count))
            registers.append(value)
        }
        let source = SourceText(text: text, position: SourcePosition(line: 1, column: 1))
        var parser = ExpressionParser(source, symbols: symbols)
        return try parser.parse().evaluate(
            registers: registers.span, unread: Bytes(unread.span), of: Bytes(unread.span))
    }

    @Test func precedence() throws {
        try expect(evaluate("1 + 2 * 3"), equals: 7)
        try expect(evaluate("(1 + 2) * 3"), equals: 9)
        try expect(evaluate("not 1 == 2 and 3 < 4 or 0"), equals: 1)
        try expect(evaluate("10 - 3 - 2"), equals: 5)
        try expect(evaluate("-2 * -3"), equals: 6)
        try expect(evaluate("0xFF & 12 % 5"), equals: 2)
        try expect(evaluate("7 / 2"), equals: 3)
        try expect(evaluate("left >= 2", unread: [7, 8]), equals: 1)
        try expect(evaluate("next", unread: [7, 8]), equals: 7)
        try expect(evaluate("next(1) * 2", unread: [7, 8]), equals: 16)
        try expect(evaluate("next(2)", unread: [7, 8]), equals: 0)
        try expect(evaluate("next", unread: []), equals: 0)
    }

    @Test func namesWithSpacesAndHyphens() throws {
        let values: [String: Int64] = ["RR": 1, "RR-Interval": 2, "RR-Interval Present": 4, "Op Code": 8]
        try expect(evaluate("RR-Interval Present + Op Code", values), equals: 12)
        try expect(evaluate("RR-Interval-RR", values), equals: 1)
        try expect(evaluate("`RR-Interval`*2", values), equals: 4)
        try expect(evaluate("Op Code-1", values), equals: 7)
    }

    @Test func nothingTraps() throws {
        #expect(try evaluate("1 / 0") == nil)
        #expect(try evaluate("1 % 0") == nil)
        #expect(try evaluate("A / B", ["A": .min, "B": -1]) == nil)
        #expect(try evaluate("A % B", ["A": .min, "B": -1]) == nil)
        #expect(try evaluate("A * 2", ["A": .max]) == nil)
        #expect(try evaluate("A + 1", ["A": .max]) == nil)
        #expect(try evaluate("A - 1", ["A": .min]) == nil)
        #expect(try evaluate("-A", ["A": .min]) == nil)
        #expect(try evaluate("A + 1 == A + 1", ["A": .max]) == nil)
        #expect(try evaluate("not (1 / 0)") == nil)
    }

    @Test func oneSideMaySettleIt() throws {
        try expect(evaluate("Count == 0 or 100 / Count > 3", ["Count": 0]), equals: 1)
        try expect(evaluate("Count != 0 and 100 / Count > 3", ["Count": 0]), equals: 0)
        try expect(evaluate("1 / 0 or 1"), equals: 1)
        try expect(evaluate("1 / 0 and 0"), equals: 0)
        #expect(try evaluate("1 / 0 or 0") == nil)
    }

    @Test func whatIsNoExpressionIsRefused() {
        for text in ["", "1 +", "A", "1 2", "(1", "1)", "a = 1", "==", "not", "1 and", "0xZZ", "99999999999999999999"] {
            #expect(throws: CompileMistake.self, "\(text)") { _ = try evaluate(text) }
        }
    }

    @Test func depthAndWidthAreBounded() {
        let deep = String(repeating: "(", count: 400) + "1" + String(repeating: ")", count: 400)
        #expect(throws: CompileMistake.self) { _ = try evaluate(deep) }
        #expect(throws: CompileMistake.self) { _ = try evaluate(String(repeating: "not ", count: 200) + "1") }
        #expect(throws: CompileMistake.self) { _ = try evaluate(String(repeating: "-", count: 200) + "1") }
        #expect(throws: CompileMistake.self) { _ = try evaluate(String(repeating: "1+", count: 2_000) + "1") }
        let wide = (0..<15).map { _ in "1 + (" }.joined() + "1" + String(repeating: ")", count: 15)
        #expect(throws: Never.self) { _ = try evaluate(wide) }
    }
}
