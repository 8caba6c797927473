import AttlasCapture
import AttlasDefinitions
import AttlasTrace
import AttlasWire
import Testing

@testable import AttlasReport

/// Numbers that two values yield stand beside the second one.
@Suite struct DerivedRateTests {
    /// Cycling Power Measurement at handle 3, with its Accumulated Energy in kilojoules, once a second.
    private func lines(energy: [String]) -> [Substring] {
        let discovery: [(Direction, String)] = [
            (.tx, "10 0100 FFFF 0028"), (.rx, "11 06 0100 0400 1818"),
            (.tx, "08 0100 0400 0328"), (.rx, "09 07 0200 10 0300 632A"),
        ]
        let pdus = discovery + energy.map { (.rx, "1B 0300 0008 FA00 \($0)") }
        let text = Talking.show(nil, pdus) { ConversationText(values: $0, options: .init()) }
        return text.split(separator: "\n").filter { $0.contains("Notification") }
    }

    /// A counter of whole kilojoules stands still between its steps: it is measured from one step to the next.
    @Test func energyPerTimeIsMeasuredFromStepToStep() {
        let lines = lines(energy: ["0A00", "0A00", "0B00", "0B00", "0C00", "FFFF", "0100"])
        #expect(lines.count == 7)
        // Where the first step began is not known.
        #expect(lines[..<4].allSatisfy { !$0.contains("≈") })
        #expect(lines[4].hasSuffix("250 W · 12 kJ · Mean Power ≈ 500 W"))
        #expect(lines[6].hasSuffix("250 W · 1 kJ · Mean Power ≈ 2000 W"))
    }
}
