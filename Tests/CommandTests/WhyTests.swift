import AttlasTestSupport
import Testing

/// `attlas why`: a capture, a characteristic or a peer, and the status.
@Suite struct WhyCommandTests {
    private let capture = Repository.capture("heart-rate.btsnoop")

    @Test func whatIsInTheCapture() throws {
        let result = try Command.attlas(["why", capture, "Heart Rate Measurement"])
        #expect(result.status == 0)
        #expect(
            result.output.contains("the host subscribed to notifications; accepted in frame 139."))
        let list = try Command.attlas(["why", capture])
        #expect(list.status == 0)
        #expect(
            list.output.hasPrefix(
                "1 thing broke (177 records, 9.5 s)\n\n1  HRM-7 F2:F2:F2:F2:F2:F2: System ID cannot be read"))
    }

    @Test func whatIsNotInTheCapture() throws {
        let result = try Command.attlas(["why", capture, "Temperature Measurement"])
        #expect(result.status == 1)
        #expect(
            result.output.hasPrefix(
                "No characteristic and no peer of this capture is called “Temperature Measurement”.\nIt has: HRM-7, "))
        #expect(try Command.attlas(["why", "/nonexistent"]).status == 1)
        #expect(try Command.attlas(["why"]).status == 64)
    }

    @Test(.enabled(if: Command.hasSchemaValidator), arguments: Repository.captureNames)
    func documentsFitTheSchema(_ name: String) throws {
        let result = try Command.attlas(["why", "--json", Repository.capture(name)])
        #expect(result.status == 0)
        #expect(try Command.judge(result.output, bySchema: "why", ["--document"]).isEmpty)
        let story = try Command.attlas(["why", "--json", Repository.capture(name), "00"])
        #expect(try Command.judge(story.output, bySchema: "why", ["--document"]).isEmpty)
    }

    /// What broke comes first in the summary of `show`, and is named where `lint` finds nothing.
    @Test func theSummaries() throws {
        let shown = try Command.attlas(["show", capture]).output
        #expect(shown.contains("\nbroke: request refused (frame 136)\n"))
        #expect(shown.hasSuffix("Next: attlas why \(capture) lists what broke, why, and what to do.\n"))
        let healthy = try Command.attlas(["show", Repository.capture("keyboard.btsnoop")]).output
        #expect(!healthy.contains("broke:") && healthy.contains("Next: attlas tree"))
        #expect(
            try Command.attlas(["lint", capture]).output.contains(
                "What broke (attlas why has the causes): request refused (frame 136)"))
    }
}
