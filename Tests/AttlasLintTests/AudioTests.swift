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

    /// Two PAC records of LC3 (16 kHz, 7.5 ms, and 48 kHz, 10 ms with two frames in an SDU and two channels), and what a client asks for.
    /// Basic Audio Profile, 4.3.1 and 4.3.2; Assigned Numbers, 6.12.
    @Test(
        arguments: [
            ("020103 020200 03041E00", nil), ("020108 020201 050303000000 03046400 020502", nil),
            ("020103 020201 03041E00", "frames of 10 ms"), ("020107 020201 03046400", "44.1 kHz"),
            ("020103 020200 03042800", "40 octets per codec frame"),
            ("020103 020200 050307000000 03041E00", "3 channels"),
            ("020103 020200 03041E00 020502", "2 codec frames per SDU"),
        ] as [(String, String?)])
    func aCodecBeyondThePublishedOnes(configuration: String, what: String?) {
        let length = configuration.filter(\.isHexDigit).count / 2
        let model = Conversation(
            """
            connect
            > 02 0002
            < 03 0002
            > 08 0100 FFFF C92B
            < 09 34 1100 02 0600000000 10 03010400 020201 020301 05041E001E00 00 0600000000 13 03018000 020202 020303 050464006400 020502 00
            > 08 0100 FFFF C42B
            < 09 04 1500 01 00
            > 08 2F00 3000 0328
            < 09 07 2F00 0C 3000 C62B
            > 52 3000 01 01 01 02 02 0600000000 \(length < 16 ? "0" : "")\(String(length, radix: 16)) \(configuration)
            """
        ).lint()
        let found = model.findings.filter { $0.rule.id == "audio/codec-not-supported" }
        let sentence = what.map {
            "ASE 1 (sink): Config Codec asks for \($0), which no record of Sink PAC (frame 5) has."
        }
        expect(found.map(\.sentence), equals: sentence.map { [$0] } ?? [])
    }

    /// Codec Configured: unframed PDUs are not supported, 20 to 40 ms or no limits, two frames of 100 octets in an SDU.
    @Test(
        arguments: [
            ("01 02 C800 05 1400 409C00", nil), ("01 02 C800 05 1400 0AAAAA", nil),
            ("00 02 C800 05 1400 409C00", "Config QoS asks for unframed PDUs, which the endpoint does not support"),
            (
                "01 02 C800 05 1400 102700",
                "Config QoS sets a presentation delay of 10000 µs; the endpoint supports 20000 to 40000 µs"
            ), ("01 02 6400 05 1400 409C00", "Config QoS allows 100 octets in an SDU; its codec frames have 200"),
        ] as [(String, String?)])
    func qualityBeyondTheEndpoint(quality: String, what: String?) {
        let delays = quality.hasSuffix("0AAAAA") ? "000000 000000" : "204E00 409C00"
        let model = Conversation(
            """
            connect
            > 02 0002
            < 03 0002
            > 08 0100 FFFF C42B
            < 09 04 1500 01 00
            > 08 2F00 3000 0328
            < 09 07 2F00 0C 3000 C62B
            < 1B 1500 01 01 01 02 02 0A00 \(delays) 204E00 409C00 0600000000 0D 020108 020201 03046400 020502
            > 52 3000 02 01 01 01 01 204E00 \(quality)
            """
        ).lint()
        let found = model.findings.filter { $0.rule.id == "audio/qos-not-supported" }
        expect(
            found.map(\.sentence),
            equals: what.map { ["ASE 1 (sink): \($0) (Codec Configured in frame 8)."] } ?? [])
    }
}
