import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasConversation

/// The text of a PDU of values that one PDU, or one definition, does not explain.
@Suite struct ConversationTextTests {
    private func lines(_ packets: [Packet]) -> [Substring] {
        printedLines(of: [.connected()] + packets) { ConversationText(values: $0, options: .init()) }
            .split(separator: "\n")
    }

    /// A capture that lost packets: the request asks for includes, the response has a characteristic. Nothing is said of its octets.
    @Test func aValueOfFiveOctetsIsNoInclude() throws {
        let packets: [Packet] = [.connected(), .att(.tx, "08 1000 1F00 0228"), .att(.rx, "09 07 1100 02 1200 372A")]
        #expect(try #require(lines(Array(packets.dropFirst())).last).hasSuffix("0x0011 02 12 00 37 2a"))
        let json = printedLines(of: packets) { ConversationJSON(values: $0, showsHCI: false, file: nil) }
        #expect(json.contains(#""items":[{"handle":17,"value":"021200372a"}]"#))
    }

    // MARK: Advertising

    /// A part after which more is to come, the rest, and one whose rest could not be received. Core Specification, Vol 4, Part E,
    /// 7.7.65.13.
    @Test func anExtendedAdvertisementInParts() throws {
        func report(_ type: String, _ length: String, _ data: String) -> Packet {
            .event("3E \(length) 0D 01 \(type) 01 6655443322C1 01 01 01 7F C4 0000 00 000000000000 \(data)")
        }
        let packets = [
            report("2000", "22", "08 020106 07FF5900AA"), report("0000", "22", "08 BBCCDD 0409414243"),
            report("4000", "20", "06 0FFF5900AA01"),
        ]
        var options = ConversationText.Options()
        options.showsHCI = true
        let text = printedLines(of: packets) { ConversationText(values: $0, options: options) }
        let lines = text.split(separator: "\n")
        try #require(lines.count == 3)
        #expect(lines[0].contains("HCI event LE Extended Advertising Report"))
        #expect(lines[1].contains("\"ABC\" · Nordic Semiconductor ASA: aa bb cc dd"))
        #expect(lines[2].hasSuffix("Nordic Semiconductor ASA: aa 01 · … · truncated"))
        let json = printedLines(of: packets) { ConversationJSON(values: $0, showsHCI: true, file: nil) }
            .split(separator: "\n").filter { $0.contains("\"type\":\"advertising\"") }
        try #require(json.count == 2)
        #expect(json[0].contains("\"frames\":[1,2]") && !json[0].contains("truncated"))
        #expect(json[1].contains("\"truncated\":true"))
    }

    // MARK: Times

    /// A clock that is set back during a connection: how long it lasted is unknown.
    @Test func noDurationIsNegative() throws {
        let packets = [Packet.connected().at(milliseconds: 5_000), .disconnected().at(milliseconds: 2_000)]
        let text = printedLines(of: packets) { ConversationText(values: $0, options: .init()) }
        #expect(text.contains("Remote User Terminated Connection") && !text.contains(" after "))
        let json = printedLines(of: packets) { ConversationJSON(values: $0, showsHCI: false, file: nil) }
        #expect(json.contains("\"event\":\"ended\"") && !json.contains("duration"))
    }

    // MARK: The values of several attributes

    /// Battery Level at handle 3, and Body Sensor Location at handle 5, of one service.
    private static let battery: [Packet] = [
        .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0500 0F18"),
        .att(.tx, "08 0100 0500 0328"), .att(.rx, "09 07 0200 12 0300 192A 0400 12 0500 382A"),
    ]

    @Test(arguments: [
        [Packet.att(.rx, "23 0300 0100 5A 0500 0100 01")],
        [.att(.tx, "20 0300 0500"), .att(.rx, "21 0100 5A 0100 01")],
    ])
    func severalValuesStandOnOneLine(packets: [Packet]) throws {
        let line = try #require(lines(Self.battery + packets).last)
        #expect(line.contains("Battery Level: 90 %, Battery › Body Sensor Location: Chest"))
    }

    // MARK: Values that may continue

    @Test func aValueThatFillsItsPDUMayGoOn() throws {
        let octets = String(repeating: "AA", count: 22)
        let lines = lines([.att(.tx, "0A 1900"), .att(.rx, "0B" + octets), .att(.tx, "0A 1900"), .att(.rx, "0B 41")])
        expect(lines.filter { $0.hasSuffix("more may follow") }.count, equals: 1)
    }

    // MARK: Messages in parts

    /// Mesh Proxy Data Out, whose Proxy PDUs are split by the two upper bits of their first octet: 1 the first part, 2 one in
    /// between, 3 the last. Mesh Protocol 1.1, 6.3.1.
    private static let mesh: [Packet] = [
        .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0400 2818"),
        .att(.tx, "08 0100 0400 0328"), .att(.rx, "09 07 0200 10 0300 DE2A"),
    ]

    private func lines(parts: [String]) -> [Substring] {
        lines(Self.mesh + parts.map { .att(.rx, $0.isEmpty ? "1B FF00 00" : "1B 0300 \($0)") })
            .filter { $0.contains("Mesh Proxy Data Out") && $0.contains("Notification") }
    }

    @Test func theWholeIsShownOnceWithItsParts() {
        let lines = lines(parts: ["40 10 11 12", "80 13 14", "C0 15 16"])
        expect(lines.count, equals: 3)
        #expect(lines[0].contains("part 1 · "))
        #expect(lines[1].contains("part 2 · "))
        #expect(lines[2].contains("Data 11 12 13 14 15 16"))
        #expect(lines[2].hasSuffix("(3 parts)"))
    }

    @Test func aNewBeginningGivesTheOldMessageUp() {
        let lines = lines(parts: ["40 10 11 12", "40 10 21 22", "C0 23"])
        #expect(lines[1].hasSuffix("✗ the message before was not completed: a new message began"))
        #expect(lines[2].contains("Data 21 22 23"))
    }

    /// 20 s, a second a PDU.
    @Test func aPauseThatIsTooLongGivesTheMessageUp() {
        let lines = lines(parts: ["40 10 11 12"] + Array(repeating: "", count: 25) + ["C0 13"])
        expect(lines.count, equals: 2)
        #expect(lines[1].contains("✗ continues a message whose beginning is not there"))
        #expect(lines[1].hasSuffix("✗ the message before was not completed: no further part in time"))
    }

    // MARK: Rates

    /// Cycling Power Measurement at handle 3, with its Accumulated Energy in kilojoules, once a second. A counter of whole
    /// kilojoules stays the same between its steps: it is measured from one step to the next.
    @Test func aRateStandsBesideTheSecondValue() {
        let discovery: [Packet] = [
            .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0400 1818"),
            .att(.tx, "08 0100 0400 0328"), .att(.rx, "09 07 0200 10 0300 632A"),
        ]
        let energy = ["0A00", "0A00", "0B00", "0B00", "0C00", "FFFF", "0100"]
        let lines = lines(discovery + energy.map { .att(.rx, "1B 0300 0008 FA00 \($0)") })
            .filter { $0.contains("Notification") }
        expect(lines.count, equals: 7)
        // Where the first step began is not known.
        #expect(lines[..<4].allSatisfy { !$0.contains("≈") })
        #expect(lines[4].hasSuffix("250 W · 12 kJ · Mean Power ≈ 500 W"))
        #expect(lines[6].hasSuffix("250 W · 1 kJ · Mean Power ≈ 2000 W"))
    }

    // MARK: Ranging data

    /// In two segments of Real-time Ranging Data at handle 3: counter 1000, configuration 0, one antenna path, 1 step. LE CS Config
    /// Complete says that the host is the reflector.
    @Test func rangingDataHasItsSummary() throws {
        let packets: [Packet] = [
            .event("3E 22 2F 00 4000 00 01 02 FF 02 08 00 03 01 00 01 FCFFFF7FFCFFFFFFFF1F 01 00 00 02 00 0A 14 3C 0A"),
            .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0800 5B18"),
            .att(.tx, "08 0100 0800 0328"), .att(.rx, "09 07 0200 10 0300 152C 0500 28 0600 172C"),
            .att(.rx, "1B 0300 01 E8 03 F6 01 10 00 32 00 00 00 EC 01"), .att(.rx, "1B 0300 06 00 00 C4 01 64 00"),
        ]
        let line = try #require(lines(packets).last)
        #expect(line.contains("ranging counter 1000 · -10 dBm · connection event 16: 1 steps, complete (2 parts)"))
    }
}
