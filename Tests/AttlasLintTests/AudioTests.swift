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

    /// The BASE of two streams of LC3 at 48 kHz, 10 ms, 100 octets, and BIGInfo: Num_BIS, SDU_Interval, Max_SDU, Framing. Basic Audio Profile,
    /// 3.7.2.2; Core Specification, Vol 4, Part E, 7.7.65.34.
    @Test(
        arguments: [
            ("02", "102700", "6400", "00", []), ("03", "102700", "7800", "00", []),
            ("01", "102700", "6400", "00", ["has BIS 2; the group has one stream"]),
            ("02", "102700", "6300", "00", ["gives BIS 1 SDUs of 100 octets; Max_SDU is 99"]),
            ("02", "4C1D00", "6400", "00", ["gives BIS 1 an SDU every 10000 µs; SDU_Interval is 7500 µs"]),
            ("02", "4C1D00", "6400", "01", []),
            (
                "01", "4C1D00", "3C00", "00",
                [
                    "has BIS 2; the group has one stream", "gives BIS 1 SDUs of 100 octets; Max_SDU is 60",
                    "gives BIS 1 an SDU every 10000 µs; SDU_Interval is 7500 µs",
                ]
            ),
        ] as [(String, String, String, String, [String])])
    func aBroadcastAndItsDescription(
        streams: String, interval: String, maxSDU: String, framing: String, conflicts: [String]
    ) {
        let group = "event 3E14 22 1000 \(streams) 03 0800 01 00 03 7800 \(interval) \(maxSDU) 02 \(framing) 00"
        let sync = "event 3E10 0E 00 1000 01 01 6655443322C1 02 5000 00"
        // Whole, then truncated: Data_Status 0x02.
        let report = "event 3E36 0F 1000 7F C4 FF 00 2E \(Audio.announcement)"
        let truncated = "event 3E36 0F 1000 7F C4 FF 02 2E \(Audio.announcement)"
        expect(
            broadcastFindings([sync, report, group, group]), equals: conflicts.map { "The BASE (frame 2) \($0)." })
        for other in [[sync, group], [sync, report, truncated, group], [sync, group, report]] {
            expect(broadcastFindings(other), equals: [])
        }
    }

    /// LE Create BIG of one stream, after the BASE of two. Core Specification, Vol 4, Part E, 7.8.61 to 7.8.63 and 7.8.103.
    @Test func anOwnBroadcastAndItsDescription() {
        let commands = [
            "command 3F20 31 01 03 2E \(Audio.announcement)", "event 0E04 01 3F20 00",
            "command 4020 02 01 01", "event 0E04 01 4020 00",
            "command 6820 1F 00 01 01 102700 6400 0A00 02 02 00 00 00 00000000000000000000000000000000",
            "event 0F04 00 01 6820",
            "event 3E15 1B 00 00 102700 204E00 02 03 01 00 03 7800 0800 01 4200",
        ]
        expect(
            broadcastFindings(commands), equals: ["The BASE (frame 2) has BIS 2; the group has one stream."])
    }

    private func broadcastFindings(_ lines: [String]) -> [String] {
        let model = Conversation(lines.joined(separator: "\n")).lint()
        return model.findings.filter { $0.rule.id == "audio/base-not-in-group" }.map(\.sentence)
    }
}
