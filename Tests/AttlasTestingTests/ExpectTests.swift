import AttlasTesting
import Synchronization
import Testing

/// What other packages test captures with.
@Suite struct ExpectTests {
    /// A client subscribes to a heart rate; the first value comes after `wait` milliseconds.
    private func capture(wait: Int, _ more: String = "") throws -> Capture {
        try Conversation(
            """
            connect
            > 10 0100 FFFF 0028
            < 11 06 0100 0400 0D18        # Heart Rate
            > 08 0100 0400 0328
            < 09 07 0200 10 0300 372A     # Heart Rate Measurement
            > 04 0400 0400
            < 05 01 0400 0229
            encrypt
            > 12 0400 0100
            < 13
            wait \(wait)
            < 1B 0300 06 48
            \(more)
            disconnect
            """
        ).capture()
    }

    private struct Failure {
        let line: Int?
        let text: String
    }

    /// What `expect` records.
    private func failures(
        of capture: Capture, @CaptureExpectationBuilder _ checks: () throws -> [CaptureCheck]
    ) throws -> [Failure] {
        let failures = Mutex<[Failure]>([])
        try withKnownIssue {
            try expect(capture, checks)
        } matching: { issue in
            let text = issue.comments.map(\.rawValue).joined()
            failures.withLock { $0.append(Failure(line: issue.sourceLocation?.line, text: text)) }
            return true
        }
        return failures.withLock { $0 }
    }

    @Test func aCaptureThatIsAsExpectedPasses() throws {
        try expect(capture(wait: 100)) {
            After(.subscribed("2A37")) { Notified().within(.milliseconds(200)) }
            Exists("Heart Rate Measurement", .notify)
            RoundTrips(.write, below: .milliseconds(2))
            Never(.incident)
            Never(.error(of: "2A37"))
            After(.subscribed("2A37", in: "Heart Rate", of: "F2:F2")) { Notified() }
            NoFindings(.warning)
            Expectations(yaml: "expectations: [{ id: seen, characteristic: 2A37, exists: true }]")
        }
    }

    @Test func eachFailureHasItsLine() throws {
        let line = #line
        let failures = try failures(of: capture(wait: 350)) {
            After(.subscribed("2A37")) { Notified().within(.milliseconds(200)) }
            Never(.incident)
            for limit in [300, 400] {
                After(.subscribed("2A37")) { Notified().within(.milliseconds(limit)) }
            }
            Exists("Heart Rate Measurment")
            Exists("2A37", .indicate)
        }
        try #require(failures.map(\.line) == [line + 7, line + 2, line + 5, line + 8])
        #expect(failures[0].text.contains("did you mean \"Heart Rate Measurement\"?"))
        let lines = failures[1].text.split(separator: "\n")
        #expect(lines[0] == "the conversation is not as expected:")
        // The Write Response is in frame 10, 351 ms before.
        #expect(
            lines[1].contains("The first value came 351 ms after the subscription of frame 10.")
                && lines[1].hasSuffix("frame 11"))
        #expect(lines.contains { $0.contains("11 ") && $0.contains("72 bpm") })
        #expect(lines.contains { $0.contains(" 9 ") && $0.contains("notifications") })
        #expect(failures[2].text.contains("300 ms"))
        #expect(failures[3].text.contains("expected indicate"))
    }

    @Test func incidentsAndFindingsFail() throws {
        let refused = try capture(wait: 10, "> 0A 0300\n< 01 0A 0300 05")
        #expect(try failures(of: refused) { Never(.incident) }[0].text.contains("Insufficient Authentication"))
        #expect(try failures(of: refused) { Never(.error) }[0].text.contains("frame 13"))
        // A value of 1 octet cannot be a Heart Rate Measurement.
        let short = try capture(wait: 10, "< 1B 0300 06")
        #expect(try failures(of: short) { NoFindings(.warning) }[0].text.contains("frame 12"))
    }

    /// The same device connects again 3 s after a disconnection.
    @Test func whatFollowsADisconnection() throws {
        let capture = try Conversation("connect\ndisconnect\nwait 2999\nconnect").capture()
        try expect(capture) {
            After(.disconnected) { Reconnected().within(.seconds(3)) }
            After(.disconnected(from: "F2:F2")) { Reconnected() }
        }
        let failures = try failures(of: capture) {
            After(.disconnected) { Reconnected().within(.milliseconds(2_999)) }
            After(.disconnected(from: "HRM")) { Reconnected() }
        }
        #expect(failures[0].text.contains("Connected 3000 ms after the end of the connection before."))
        #expect(failures[1].text.contains("Could not be checked: no peer connects again."))
    }

    @Test func whatTheCaptureDoesNotShowFails() throws {
        let failures = try failures(of: Conversation("connect").capture()) {
            After(.subscribed("2A37")) { Notified().within(.seconds(1)) }
        }
        #expect(failures[0].text.contains("Could not be checked") && !failures[0].text.contains("frame"))
    }

    /// No character of a name ends the entry.
    @Test(arguments: ["a' }, { id: b, exists: true", "[2A37], exists: false }, { id: b"])
    func aNameIsText(name: String) throws {
        let failures = try failures(of: capture(wait: 1)) { Exists(name) }
        #expect(failures.count == 1 && failures[0].text.contains(name), "\(failures)")
    }

    @Test func aCaptureThatEndsEarlyIsAnError() throws {
        let octets = try Conversation("connect\n< 1B 0300 06 48").octets.dropLast()
        #expect(throws: CaptureError.self) {
            try expect(Capture(Array(octets), named: "cut")) { Never(.error) }
        }
    }

    @Test(arguments: [
        ("connect\n> 0A 030", "line 2: expected pairs of hex digits, found \"0A 030\""),
        ("hello", "line 1: \"hello\" does not begin a line"),
        ("l2cap five < 13", "line 1: expected a number, found \"five\""),
        ("smp 01", "line 1: expected > or <, found \"01\""),
    ])
    func aLineThatCannotBeReadIsNamed(text: String, message: String) {
        let error = #expect(throws: ConversationError.self) { try Conversation(text) }
        #expect(error?.description == message)
    }

    /// The values of a built capture are input for the parser of an app.
    @Test func valuesOfAConversationAreOctets() throws {
        let values = try capture(wait: 1).values(of: "2A37")
        #expect(values.map(\.octets) == [[0x06, 0x48]])
    }
}
