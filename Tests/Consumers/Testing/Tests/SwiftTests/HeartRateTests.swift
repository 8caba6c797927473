import AttlasTesting
import Testing

/// An app's parser of the characteristic 2A37.
struct HeartRate {
    let beats: Int

    init?(_ octets: [UInt8]) {
        guard octets.count >= 2, octets[0] & 1 == 0 || octets.count >= 3 else { return nil }
        beats = octets[0] & 1 == 0 ? Int(octets[1]) : Int(octets[1]) | Int(octets[2]) << 8
    }
}

/// A sensor whose first value comes after `wait` milliseconds.
func run(wait: Int) throws -> Capture {
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
        < 1B 0300 07 0001
        disconnect
        """
    ).capture()
}

@Test func subscribes() throws {
    try expect(run(wait: 100)) {
        After(.subscribed("2A37")) { Notified().within(.milliseconds(200)) }
        Never(.incident)
        NoFindings(.warning)
    }
}

@Test func theParserAgrees() throws {
    for value in try run(wait: 100).values(of: "2A37") {
        #expect(
            try HeartRate(value.octets ?? []).map { Double($0.beats) } == value["Heart Rate Measurement Value"]?.number)
    }
}

/// What a failure prints: `test-consumers.sh` looks for it.
@Test func aFailureShowsTheConversation() {
    withKnownIssue {
        try expect(run(wait: 350)) {
            After(.subscribed("2A37")) { Notified().within(.milliseconds(200)) }
        }
    }
}
