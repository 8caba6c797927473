import AttlasTestSupport
import Testing

@testable import AttlasLint

@Suite struct AudioTests {
    /// A Source ASE of this host in Enabling for 6 s. LE CIS Request and LE CIS Established: Core Specification, Vol 4, Part E, 7.7.65.26
    /// and 7.7.65.25.
    @Test(arguments: [
        (
            """
            event 3E07 1A 4000 4100 01 01
            event 3E1D 19 00 4100 000000 000000 000000 000000 02 02 01 01 01 01 01 2800 2800 0800
            """, "ASE 2 (source) stayed in Enabling for 6 s, although its CIS was established."
        ),
        ("", "ASE 2 (source) stayed in Enabling for 6 s."),
    ])
    func anEndpointThatDoesNotStart(events: String, sentence: String) {
        let model = Conversation(
            """
            connect peripheral
            < 08 0100 FFFF C52B
            > 09 13 1500 02 02 01 01 102700 00 02 2800 05 1400 409C00
            > 1B 1500 02 03 01 01 00
            \(events)
            wait 6000
            disconnect
            """
        ).lint()
        let found = model.findings.filter { $0.rule.id == "audio/endpoint-not-streaming" }
        expect(found.map(\.sentence), equals: [sentence])
    }
}
