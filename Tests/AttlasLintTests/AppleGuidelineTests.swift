import AttlasCapture
import AttlasLint
import AttlasTestSupport
import AttlasWire
import Testing

/// Apple's guidelines, one by one: interval minimum and maximum, latency, supervision timeout.
@Suite struct AppleGuidelineTests {
    private func mistakes(_ parameters: String, isInput: Bool = false) -> String? {
        // Human Interface Device.
        let input = isInput ? "< 10 0100 FFFF 0028\n> 11 06 0100 0500 1218\n" : ""
        let text =
            "connect peripheral\n\(input)l2cap 5 > 12 01 0800 \(parameters)\nl2cap 5 < 13 01 0200 0000\ndisconnect"
        let finding = Conversation(text).lint().findings.first { $0.rule.id == "link/apple-guidelines" }
        return finding?.sentence.split(separator: ": ").last.map(String.init)
    }

    @Test func whatIsAllowed() {
        #expect(mistakes("0C00 0C00 0000 C800") == nil)  // 15 ms, 2 s
        #expect(mistakes("1800 2400 0400 5802") == nil)  // 30 to 45 ms, latency 4, 6 s
        #expect(mistakes("1000 2000 0000 5802") == nil)  // 20 to 40 ms: as the older guidelines wanted it
        #expect(mistakes("0900 0900 0000 C800", isInput: true) == nil)  // 11.25 ms of a keyboard
    }

    @Test func whatIsNot() {
        expect(mistakes("0C00 1800 1F00 5802"), equals: "latency above 30.")
        expect(mistakes("0C00 1800 0000 6400"), equals: "supervision timeout not 2 to 6 s.")
        expect(mistakes("0D00 1900 0000 C800"), equals: "minimum interval is not a multiple of 15 ms.")
        expect(mistakes("0C00 1700 0000 C800"), equals: "maximum interval less than 15 ms above the minimum.")
        #expect(mistakes("9001 9A01 0100 5802")?.contains("not a multiple") == true)
        expect(
            mistakes("9C00 9C01 0300 5802"),
            equals: "interval × (latency + 1) above 2 s, supervision timeout not above 3 × interval × (latency + 1).")
    }

    // MARK: Whose central

    /// 10 to 20 ms, which no guidelines allow.
    private static let request = "12 01 0800 0800 1000 0000 C800"

    private func sentence(_ packets: [Packet]) -> String? {
        document(of: packets) { LintCollector(values: $0) }.findings
            .first { $0.rule.id == "link/apple-guidelines" }?.sentence
    }

    /// A host's log of the central is an Apple device's if it has notes of PacketLogger.
    @Test func aHostIsAnAppleDeviceIfItWritesNotes() {
        let log = Conversation("connect\nl2cap 5 < \(Self.request)\nl2cap 5 > 13 01 0200 0000\ndisconnect").packets
        let note = Packet(.packetLogger(PacketLoggerType(rawValue: 0xFC)), .unknown, Array("Link up".utf8))
        #expect(sentence([note] + log)?.hasPrefix("interval 10 ms to 20 ms") == true)
        #expect(sentence(log) == nil)
    }

    /// Read Remote Version Information Complete of the central (Vol 4, Part E, 7.7.12), and Read Local Version Information of a host that is
    /// the central (7.4.1).
    @Test func theVersionOfTheControllerTells() {
        func asked(_ version: String, role: String = "connect peripheral", sender: String = ">") -> String? {
            sentence(Conversation("\(role)\n\(version)\nl2cap 5 \(sender) \(Self.request)\ndisconnect").packets)
        }
        #expect(asked("event 0C 08 00 4000 0A 4C00 0000")?.hasPrefix("interval 10 ms to 20 ms") == true)
        #expect(asked("event 0C 08 00 4000 0A 7500 0000") == nil)
        #expect(asked("command 16 20 02 4000")?.hasPrefix("Unknown central") == true)
        let own = "event 0E 0C 01 01 10 00 0A 0000 0A 4C00 0000"
        #expect(asked(own, role: "connect", sender: "<")?.hasPrefix("interval 10 ms to 20 ms") == true)
        #expect(asked(own.replacing("4C00", with: "0F00"), role: "connect", sender: "<") == nil)
    }

    /// LL_VERSION_IND of the central names the company: 0x004C is Apple, Inc., 0x0075 Samsung. Core Specification, Vol 6,
    /// Part B, 2.4.2.13.
    @Test func onTheAirTheVersionOfTheCentralTells() {
        let air = Air()
        func heard(_ version: [Packet]) -> [Packet] {
            let request = air.data(.rx, 2, sn: 0, nesn: 0, hex("0C00 0500 \(Self.request)"))
            return [air.connect()] + version + [request]
        }
        func version(_ direction: Direction, _ company: String) -> Packet {
            air.control(direction, sn: 0, nesn: 0, "0C 0D \(company) 0100")
        }
        #expect(sentence(heard([version(.tx, "4C00")]))?.hasPrefix("interval 10 ms to 20 ms") == true)
        #expect(sentence(heard([version(.tx, "7500")])) == nil)
        let unknown = "Unknown central, perhaps an Apple device: interval 10 ms to 20 ms"
        #expect(sentence(heard([]))?.hasPrefix(unknown) == true)
    }
}
