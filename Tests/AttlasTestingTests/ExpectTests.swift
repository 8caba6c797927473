import AttlasTesting
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

    private func failure(
        of capture: Capture, @CaptureExpectationBuilder _ checks: () throws -> [CaptureCheck]
    ) throws -> ExpectationFailure {
        try #require(#expect(throws: ExpectationFailure.self) { try expect(capture, checks) })
    }

    @Test func aCaptureThatIsAsExpectedPasses() throws {
        try expect(capture(wait: 100)) {
            After(.subscribed("2A37")) { Notified().within(.milliseconds(200)) }
            Exists("Heart Rate Measurement", .notify)
            RoundTrips(.write, below: .milliseconds(2))
            Never(.incident)
            Never(.error(of: "2A37"))
            NoFindings(.warning)
            Expectations(yaml: "expectations: [{ id: seen, characteristic: 2A37, exists: true }]")
        }
    }

    @Test func aLateValueFailsWithItsLinesAndFrames() throws {
        let failure = try failure(of: capture(wait: 350)) {
            After(.subscribed("2A37")) { Notified().within(.milliseconds(200)) }
            Never(.incident)
        }
        #expect(failure.frames == [11])
        let lines = failure.description.split(separator: "\n")
        #expect(lines[0] == "the conversation is not as expected:")
        // The Write Response is in frame 10, 351 ms before.
        #expect(lines[1].contains("The first value came 351 ms after the subscription of frame 10."))
        #expect(lines.contains { $0.contains("11 ") && $0.contains("72 bpm") })
        #expect(lines.contains { $0.contains(" 9 ") && $0.contains("notifications") })
    }

    @Test func incidentsAndFindingsFail() throws {
        let refused = try capture(wait: 10, "> 0A 0300\n< 01 0A 0300 05")
        #expect(try failure(of: refused) { Never(.incident) }.description.contains("Insufficient Authentication"))
        #expect(try failure(of: refused) { Never(.error) }.frames == [13])
        // A value of 1 octet cannot be a Heart Rate Measurement.
        let short = try capture(wait: 10, "< 1B 0300 06")
        #expect(try failure(of: short) { NoFindings(.warning) }.frames == [12])
    }

    @Test func whatTheCaptureDoesNotShowFails() throws {
        let failure = try failure(of: Conversation("connect").capture()) {
            After(.subscribed("2A37")) { Notified().within(.seconds(1)) }
        }
        #expect(failure.frames == [])
        #expect(failure.description.contains("Could not be checked"))
    }

    @Test func aWrongNameIsAMistake() throws {
        let mistake = #expect(throws: ExpectationMistake.self) {
            try expect(capture(wait: 1)) { Exists("Heart Rate Measurment") }
        }
        #expect(mistake?.description.contains("did you mean \"Heart Rate Measurement\"?") == true)
        // No character of a name ends the entry.
        #expect(throws: ExpectationMistake.self) {
            try expect(capture(wait: 1)) { Exists("a' }, { id: b, exists: true") }
        }
        let list = #expect(throws: ExpectationMistake.self) {
            try expect(capture(wait: 1)) { Exists("[2A37], exists: false }, { id: b") }
        }
        #expect(list?.description.contains("[2A37], exists: false }, { id: b") == true, "\(list as Any)")
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
