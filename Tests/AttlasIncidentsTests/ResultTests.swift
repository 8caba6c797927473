import AttlasIncidents
import AttlasTestSupport
import Testing

/// Results inside values, and announced restarts.
@Suite struct ResultTests {
    private let power = "> 12 1200 059600\n< 13\n"

    private func incident(_ script: String) throws -> Incident {
        let found = Conversation(script).incidents()
        expect(found.count, equals: 1)
        return try #require(found.first)
    }

    /// Fitness Machine Service, 4.16.2.22: Control Not Permitted.
    @Test func controlWasNeverRequested() throws {
        let refused = try incident(
            fitnessMachine + repeated(power + "< 1D 1200 800505\n> 1E", 3) + "\ndisconnect")
        #expect(refused.title == "Set Target Power refused: Control Not Permitted" && refused.count == 3)
        #expect(refused.what.contains("Control Not Permitted (0x05)"))
        #expect(refused.steps.prefix(2).map(\.frame) == [6, 8] && refused.occurrences == [8, 12, 16])
        expect(refused.cause.certainty, equals: .proved)
        #expect(refused.cause.text.hasPrefix("Request Control (0x00) was never written on this connection."))
        #expect(refused.place.handle == 0x0012 && refused.place.attribute != nil)
    }

    /// The beginning of the connection is missing: nothing is known about what came before.
    @Test func controlMayHaveBeenRequestedBefore() throws {
        let refused = try incident(
            String(fitnessMachine.dropFirst("connect\n".count)) + power + "< 1D 1200 800505\n> 1E\n")
        #expect(refused.cause.certainty == .likely && !refused.cause.text.contains("never"))
        let lost = Conversation(fitnessMachine + "lose\n" + power + "< 1D 1200 800505\n> 1E\ndisconnect").incidents()
        #expect(lost.contains { $0.kind == .procedureFailed && $0.cause.certainty == .likely })
    }

    @Test func controlWasRequested() throws {
        let refused = try incident(fitnessMachine + requestControl + power + "< 1D 1200 800505\n> 1E\ndisconnect")
        #expect(refused.cause.certainty == .unknown && refused.steps.prefix(3).map(\.frame) == [6, 10, 12])
    }

    /// The write itself is refused: Insufficient Authorization.
    @Test func aRefusedWriteAsksForNothing() throws {
        let found = Conversation(
            fitnessMachine + "> 12 1200 00\n< 01 12 1200 08\n" + power + "< 1D 1200 800505\n> 1E\ndisconnect"
        ).incidents()
        #expect(found.first { $0.kind == .procedureFailed }?.cause.text.contains("never written") == true)
    }

    /// Audio Stream Control Service, 5.1: Unsupported Audio Capabilities for a Sink ASE. Sink PAC has LC3 with 48 kHz.
    @Test(arguments: [("07", Incident.Cause.Certainty.proved), ("08", .likely)])
    func aConfigurationIsComparedWithThePublishedCapabilities(
        _ frequency: String, _ certainty: Incident.Cause.Certainty
    ) throws {
        let refused = try incident(
            """
            connect
            > 10 0100 FFFF 0028
            < 11 06 1000 1800 4E18
            > 08 1000 1800 0328
            < 09 07 1100 02 1200 C92B 1400 12 1500 C42B 1700 0C 1800 C62B
            > 0A 1200
            < 0B 01 0600000000 10 03018000 020202 020301 050464007800 00
            > 0A 1500
            < 0B 01 00
            > 52 1800 01 01 01 02 02 0600000000 0A 0201\(frequency) 020201 03047800
            < 1B 1800 01 01 01 06 00
            disconnect
            """)
        expect(refused.cause.certainty, equals: certainty)
        let conflict = "ASE 1 (sink): Config Codec asks for 44.1 kHz, which no record of Sink PAC (frame 7) has."
        expect(refused.cause.text == conflict, equals: certainty == .proved)
        expect(refused.frames.contains(7), equals: certainty == .proved)
    }

    /// Audio Stream Control Service, 5.3: Enable of ASE 3 succeeds, and of ASE 1 it does not, twice; then ASE 3 alone.
    @Test func aResultIsAboutItsASE() throws {
        let refused = "> 52 1800 03 02 03 00 01 00\n< 1B 1800 03 02 03 00 00 01 0E 00\n"
        let incident = try incident(
            """
            connect
            > 10 0100 FFFF 0028
            < 11 06 1000 1800 4E18
            > 08 1000 1800 0328
            < 09 07 1700 0C 1800 C62B

            """ + refused + refused + "> 52 1800 03 01 03 00\n< 1B 1800 03 01 03 00 00\ndisconnect")
        expect(incident.title, equals: "Enable of ASE ID 1 refused: Unspecified Error")
        #expect(incident.count == 2 && incident.weight == .broke)
    }

    /// Broadcast Audio Scan Service, 3.2: no PAST, while BIG_Encryption says that nothing is encrypted; then synchronized.
    @Test func aStateIsAboutItsField() throws {
        let found = """
            connect
            > 10 0100 FFFF 0028
            < 11 06 1000 1200 4F18
            > 08 1000 1200 0328
            < 09 07 1100 12 1200 C82B

            """
        func state(_ sync: String) -> String { "< 1B 1200 01 01 112233445566 01 563412 \(sync) 00 00\n" }
        let open = try incident(found + state("04") + "disconnect")
        #expect(open.weight == .broke && open.cause.text.hasPrefix("The device asked for SyncInfo"))
        let settled = try incident(found + state("04") + state("02") + "disconnect")
        expect(settled.weight, equals: .hindered)
    }

    @Test func acceptedLater() throws {
        let refused = try incident(
            fitnessMachine + power + "< 1D 1200 800505\n> 1E\n" + requestControl + power
                + "< 1D 1200 800501\n> 1E\ndisconnect")
        #expect(refused.weight == .hindered && refused.title.hasSuffix("accepted later"))
        expect(refused.steps.map(\.frame), equals: [6, 8, 16])
        // Another procedure succeeds.
        let other = try incident(
            fitnessMachine + power + "< 1D 1200 800505\n> 1E\n" + requestControl + "disconnect")
        expect(other.weight, equals: .broke)
    }

    /// Record Access Control Point: No records found; and Operand Not Supported.
    @Test(arguments: [("06", Incident.Weight.noted), ("09", .broke)]) func records(
        result: String, weight: Incident.Weight
    ) throws {
        let found = Conversation(
            """
            connect
            > 10 0100 FFFF 0028
            < 11 06 1000 1200 0818
            > 08 1000 1200 0328
            < 09 07 1100 28 1200 522A
            > 12 1200 0101
            < 13
            < 1D 1200 060001\(result)
            > 1E
            disconnect
            """
        ).incidents()
        #expect(found.map(\.kind) == [.procedureFailed] && found.map(\.weight) == [weight])
        #expect(found.first?.title.hasPrefix("Report Stored Records refused: ") == true)
    }

    /// Legacy DFU: Start is answered with Operation Failed, and the request is in no record.
    @Test func aNameWithoutAReason() throws {
        let refused = try incident(legacyUpdate + "< 1B 1200 100106\ndisconnect")
        #expect(refused.title == "Start refused: Operation Failed" && refused.cause.certainty == .unknown)
    }

    // MARK: Restarts

    private func kinds(_ script: String) -> [Incident.Kind] {
        Conversation(legacyUpdate + script).incidents().map(\.kind)
    }

    @Test func anAnnouncedRestart() throws {
        let restarted = try incident(
            legacyUpdate + "> 52 1200 05\nwait 100\n> 52 1200 05\nwait 4000\ndisconnect 08\nadvertise F2F2F2F2F2F2")
        #expect(restarted.kind == .deviceRestarted && restarted.weight == .noted)
        #expect(restarted.frames == [6, 7, 8] && restarted.cause.text.contains("Activate and Reset"))
    }

    /// Remote User Terminated Connection.
    @Test func thePeerClosesBeforeItRestarts() {
        expect(kinds("> 52 1200 05\nwait 900\ndisconnect 13"), equals: [.deviceRestarted])
    }

    /// The conversation continues, the write is refused, an error comes back, or the device stays for minutes.
    @Test(arguments: [
        "> 52 1200 05\nwait 6000\n< 1B 1200 11C8000000\nwait 4000\ndisconnect 08",
        "> 12 1200 05\n< 01 12 1200 80\nwait 4000\ndisconnect 08",
        "> 52 1200 05\n< 1B 1200 100502\nwait 4000\ndisconnect 08",
        "> 52 1200 05\nwait 90000\ndisconnect 08",
    ]) func noRestart(script: String) {
        #expect(!kinds(script).contains(.deviceRestarted) && kinds(script).contains(.linkLost))
    }

    /// Terminated by the host: its own decision.
    @Test func theHostCloses() {
        #expect(kinds("> 52 1200 05\nwait 900\ndisconnect 16").isEmpty)
    }
}
