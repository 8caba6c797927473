import AttlasCapture
import AttlasDefinitions
import AttlasTrace
import AttlasWire
import Testing

@testable import AttlasReport

/// Mesh Proxy Data Out, whose Proxy PDUs are split by the two upper bits of their first octet: 1 the first part, 2 one in
/// between, 3 the last. Mesh Protocol 1.1, 6.3.1.
@Suite struct MessageInPartsTests {
    private static let discovery: [(Direction, String)] = [
        (.tx, "10 0100 FFFF 0028"), (.rx, "11 06 0100 0400 2818"),
        (.tx, "08 0100 0400 0328"), (.rx, "09 07 0200 10 0300 DE2A"),
    ]

    private func lines(_ parts: [String]) -> [Substring] {
        let pdus = Self.discovery + parts.map { (.rx, $0.isEmpty ? "1B FF00 00" : "1B 0300 \($0)") }
        let text = Talking.show(nil, pdus) { ConversationText(values: $0, options: .init()) }
        return text.split(separator: "\n").filter { $0.contains("Mesh Proxy Data Out") && $0.contains("Notification") }
    }

    @Test func theWholeIsShownOnceWithItsParts() {
        let lines = lines(["40 10 11 12", "80 13 14", "C0 15 16"])
        #expect(lines.count == 3)
        #expect(lines[0].contains("part 1 · "))
        #expect(lines[1].contains("part 2 · "))
        #expect(lines[2].contains("Data 11 12 13 14 15 16"))
        #expect(lines[2].hasSuffix("(3 parts)"))
    }

    @Test func aNewBeginningGivesTheOldMessageUp() {
        let lines = lines(["40 10 11 12", "40 10 21 22", "C0 23"])
        #expect(lines[1].hasSuffix("✗ the message before was not completed: a new message began"))
        #expect(lines[2].contains("Data 21 22 23"))
    }

    /// 20 s, a second a PDU.
    @Test func aPauseThatIsTooLongGivesTheMessageUp() {
        let lines = lines(["40 10 11 12"] + Array(repeating: "", count: 25) + ["C0 13"])
        #expect(lines.count == 2)
        #expect(lines[1].contains("✗ continues a message whose beginning is not there"))
        #expect(lines[1].hasSuffix("✗ the message before was not completed: no further part in time"))
    }
}
