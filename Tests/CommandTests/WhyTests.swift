import AttlasTestSupport
import Testing

/// `attlas why`: a capture, a characteristic or a peer, and the status.
@Suite struct WhyCommandTests {
    private let capture = Repository.capture("heart-rate.btsnoop")

    @Test func whatIsInTheCapture() throws {
        let result = try Command.attlas(["why", capture, "Heart Rate Measurement"])
        #expect(result.status == 0)
        #expect(
            result.output.contains("the host subscribed to notifications, and the peer accepted that in frame 139."))
        #expect(try Command.attlas(["why", capture]).status == 0)
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
    }
}
