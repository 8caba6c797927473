import AttlasTestSupport
import AttlasTrace
import AttlasWire
import Testing

/// Which attributes each ATT PDU is about, and which value it gives them. Core Specification, Vol 3, Part F, 3.4.
@Suite struct AttributeValueTests {
    /// A PDU after those that it needs, and the attributes that it is about.
    struct Story: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let packets: [Packet]
        let attributes: [String]

        init(_ name: String, _ packets: [Packet], _ attributes: String...) {
            testDescription = name
            self.packets = packets
            self.attributes = attributes
        }

        /// Of the last PDU, whatever else an event says after it.
        var opcode: UInt8 { packets.last?.octets.dropFirst(8).first ?? 0 }
    }

    /// Battery Service 0x0001 to 0x0006: Battery Level at 0x0003 with its configuration at 0x0004, Body Sensor Location at 0x0006.
    private static let discovery: [Packet] = [
        .connected(), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0600 0F18"),
        .att(.tx, "08 0100 0600 0328"), .att(.rx, "09 07 0200 1A 0300 192A 0500 0A 0600 382A"),
        .att(.tx, "04 0400 0400"), .att(.rx, "05 01 0400 0229"),
    ]

    private static func lines(_ packets: [Packet]) -> [(frame: Int, text: String)] {
        var trace = Trace()
        var collector = AttributeCollector()
        trace.decode(discovery + packets, into: &collector)
        return collector.lines
    }

    private static func attributes(_ packets: [Packet]) -> [String] {
        lines(packets).filter { $0.frame == discovery.count + packets.count }.map(\.text)
    }

    private static let twentyTwo = String(repeating: "41", count: 22)

    static let stories: [Story] = [
        // MARK: Errors, MTU
        Story("an error", [.att(.tx, "0A 0300"), .att(.rx, "01 0A 0300 02")], "0003 value 2A19"),
        Story("an error on another handle", [.att(.tx, "12 0300 01"), .att(.rx, "01 12 0700 01")], "0007"),
        Story("the end of a search", [.att(.tx, "10 0700 FFFF 0028"), .att(.rx, "01 10 0700 0A")]),
        Story("MTU request", [.att(.tx, "02 F700")], ""),
        Story("MTU response", [.att(.tx, "02 F700"), .att(.rx, "03 B900")], ""),
        // MARK: Discovery
        Story("Find Information", [.att(.tx, "04 0400 FFFF")], ""),
        Story(
            "Find Information, 16 bits", [.att(.tx, "04 0400 FFFF"), .att(.rx, "05 01 0400 0229 0500 0328 0600 382A")],
            "0004 descriptor 2902", "0005 descriptor 2803", "0006 characteristic 2A38"),
        Story(
            "Find Information, 128 bits",
            [.att(.tx, "04 0700 FFFF"), .att(.rx, "05 02 0700 000102030405060708090A0B0C0D0E0F")],
            "0007 characteristic 0F0E0D0C-0B0A-0908-0706-050403020100"),
        Story("Find By Type Value", [.att(.tx, "06 0100 FFFF 0028 0F18")], "service 180F part 0F18"),
        Story("Find By Type Value of another type", [.att(.tx, "06 0100 FFFF 192A 5A")], "characteristic 2A19 part 5A"),
        Story(
            "the services found by their UUID",
            [.att(.tx, "06 0100 FFFF 0028 0F18"), .att(.rx, "07 0100 0600 0900 0C00")],
            "0001 service 180F", "0009 service 180F"),
        Story(
            "attributes found by their value", [.att(.tx, "06 0100 FFFF 192A 5A"), .att(.rx, "07 0300 0300")],
            "0003 characteristic 2A19"),
        Story("what is found without its request", [.att(.rx, "07 0300 0300")], "0003 value 2A19"),
        Story("Read By Group Type", [.att(.tx, "10 0100 FFFF 0028")], "descriptor 2800"),
        Story(
            "services", [.att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0600 0F18 0700 0900 0A18")],
            "0001 service 180F", "0007 service 180A"),
        Story(
            "a service of 128 bits",
            [.att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 14 0100 0600 000102030405060708090A0B0C0D0E0F")],
            "0001 service 0F0E0D0C-0B0A-0908-0706-050403020100"),
        Story("Read By Type of a declaration", [.att(.tx, "08 0100 0600 0328")], "descriptor 2803"),
        Story(
            "characteristics",
            [.att(.tx, "08 0100 0600 0328"), .att(.rx, "09 07 0200 1A 0300 192A 0500 0A 0600 382A")],
            "0002 characteristic 2A19", "0005 characteristic 2A38"),
        Story(
            "included services",
            [.att(.tx, "08 0100 0600 0228"), .att(.rx, "09 08 0200 0700 0900 0A18 0300 0A00 0C00 0F18")],
            "0002 service 180A", "0003 service 180F"),
        Story(
            "an included service of 128 bits, whose UUID is not there",
            [.att(.tx, "08 0100 0600 0228"), .att(.rx, "09 06 0200 0700 0900")], "0002 declaration 2803"),
        // MARK: Reads
        Story("Read By Type of a value", [.att(.tx, "08 0100 FFFF 192A")], "characteristic 2A19"),
        Story(
            "values read by their type", [.att(.tx, "08 0100 FFFF 192A"), .att(.rx, "09 03 0300 5A 0900 5B")],
            "0003 characteristic 2A19 2A19 read 5A", "0009 characteristic 2A19 2A19 read 5B"),
        Story("values of a type that was not captured", [.att(.rx, "09 03 0300 5A")], "0003 value 2A19 read 5A"),
        // 19 octets are all that 23 octets of MTU have room for. Vol 3, Part F, 3.4.4.2.
        Story(
            "a value that fills a Read By Type Response", [.att(.rx, "09 15 0300" + twentyTwo.dropLast(6))],
            "0003 value 2A19 read \(twentyTwo.dropLast(6)) …"),
        Story(
            "a declaration that fills it", [.att(.rx, "09 15 0200" + twentyTwo.dropLast(6))],
            "0002 declaration 2803 read \(twentyTwo.dropLast(6))"),
        Story("Read", [.att(.tx, "0A 0300")], "0003 value 2A19"),
        Story("Read of a descriptor", [.att(.tx, "0A 0400")], "0004 descriptor 2902"),
        Story("Read of a declaration", [.att(.tx, "0A 0200")], "0002 declaration 2803"),
        Story("Read of what nobody knows", [.att(.tx, "0A 2A00")], "002A"),
        Story("a value", [.att(.tx, "0A 0300"), .att(.rx, "0B 5A")], "0003 value 2A19 read 5A"),
        Story("an empty value", [.att(.tx, "0A 0300"), .att(.rx, "0B")], "0003 value 2A19 read "),
        Story("a value whose request was not captured", [.att(.rx, "0B 5A")], "read 5A"),
        Story(
            "a value that fills the PDU", [.att(.tx, "0A 0300"), .att(.rx, "0B \(twentyTwo)")],
            "0003 value 2A19 read \(twentyTwo) …"),
        Story(
            "a value that was cut", [.att(.tx, "0A 0300"), .att(.rx, "0B 5A", missing: 3)], "0003 value 2A19 read 5A …"),
        Story("Read Blob", [.att(.tx, "0C 0300 1600")], "0003 value 2A19"),
        Story("a part of a value", [.att(.tx, "0C 0300 1600"), .att(.rx, "0D 5A5B")], "0003 value 2A19 part 5A5B"),
        Story("Read Multiple", [.att(.tx, "0E 0300 0600 2A00")], "0003 value 2A19", "0006 value 2A38", "002A"),
        Story(
            "several values without lengths", [.att(.tx, "0E 0300 0600"), .att(.rx, "0F 5A01")], "0003 value 2A19",
            "0006 value 2A38", "part 5A01"),
        Story("Read Multiple Variable", [.att(.tx, "20 0300 0600")], "0003 value 2A19", "0006 value 2A38"),
        Story(
            "several values with their lengths", [.att(.tx, "20 0300 0600"), .att(.rx, "21 0100 5A 0100 01")],
            "0003 value 2A19 read 5A", "0006 value 2A38 read 01"),
        Story(
            "several values of which the last is cut by the MTU",
            [.att(.tx, "20 0300 0600"), .att(.rx, "21 0100 5A 0400 0102")], "0003 value 2A19 read 5A",
            "0006 value 2A38 read 0102 …"),
        Story(
            "more values than were asked for", [.att(.tx, "20 0300 0600"), .att(.rx, "21 0100 5A 0100 01 0100 02")],
            "0003 value 2A19 read 5A", "0006 value 2A38 read 01", "read 02"),
        // MARK: Writes
        Story("Write", [.att(.tx, "12 0300 5A")], "0003 value 2A19 write 5A"),
        Story("Write Response", [.att(.tx, "12 0300 5A"), .att(.rx, "13")], "0003 value 2A19"),
        Story("Write Command", [.att(.tx, "52 0300 5A")], "0003 value 2A19 write 5A"),
        Story(
            "Signed Write Command, without its signature", [.att(.tx, "D2 0300 5A5B 0102030405060708090A0B0C")],
            "0003 value 2A19 write 5A5B"),
        Story("Prepare Write", [.att(.tx, "16 0300 0000 5A")], "0003 value 2A19 part 5A"),
        Story(
            "Prepare Write Response", [.att(.tx, "16 0300 0000 5A"), .att(.rx, "17 0300 0000 5A")],
            "0003 value 2A19 part 5A"),
        Story("Execute Write", [.att(.tx, "16 0300 0000 5A"), .att(.rx, "17 0300 0000 5A"), .att(.tx, "18 01")], ""),
        // The value that is whole now, after the PDU.
        Story(
            "what was written in parts",
            [
                .att(.tx, "16 0300 0000 5A"), .att(.rx, "17 0300 0000 5A"), .att(.tx, "16 0300 0100 5B"),
                .att(.rx, "17 0300 0100 5B"), .att(.tx, "18 01"), .att(.rx, "19"),
            ], "", "0003 value 2A19 write 5A5B"),
        Story(
            "what was written in parts, not from its beginning",
            [
                .att(.tx, "16 0300 0100 5B"), .att(.rx, "17 0300 0100 5B"), .att(.tx, "18 01"), .att(.rx, "19"),
            ], "", "0003 value 2A19 part 5B"),
        Story(
            "a subscription, after the response that makes it", [.att(.tx, "12 0400 0100"), .att(.rx, "13")],
            "0004 descriptor 2902", "0004 descriptor 2902"),
        // MARK: What a server begins
        Story("Notification", [.att(.rx, "1B 0300 5A")], "0003 value 2A19 notify 5A"),
        Story("Notification that was cut", [.att(.rx, "1B 0300 5A", missing: 1)], "0003 value 2A19 notify 5A …"),
        Story("Indication", [.att(.rx, "1D 0300 5A")], "0003 value 2A19 indicate 5A"),
        Story("Confirmation", [.att(.rx, "1D 0300 5A"), .att(.tx, "1E")], "0003 value 2A19"),
        Story(
            "several values notified", [.att(.rx, "23 0300 0100 5A 0600 0100 01")], "0003 value 2A19 notify 5A",
            "0006 value 2A38 notify 01"),
        Story(
            "several values notified, and cut", [.att(.rx, "23 0300 0100 5A 0600 0300 01", missing: 2)],
            "0003 value 2A19 notify 5A", "0006 value 2A38 notify 01 …"),
        // Its length lies: that is a fault of the PDU, and no part of a value.
        Story(
            "several values notified, with a length that is too large", [.att(.rx, "23 0300 0100 5A 0600 0300 01")],
            "0003 value 2A19 notify 5A", "0006 value 2A38 notify 01"),
        // MARK: Others
        Story("an opcode that the specification does not define", [.att(.tx, "3F 0102")], "part 3F0102"),
    ]

    @Test(arguments: stories)
    func isAbout(_ story: Story) {
        expect(Self.attributes(story.packets), equals: story.attributes)
    }

    @Test func everyPDUHasAStory() {
        let defined = (0...255 as ClosedRange<UInt8>).filter { ATTOpcode(rawValue: $0).definition != nil }
        expect(Set(defined).subtracting(Self.stories.map(\.opcode)), equals: [])
    }

    /// A long read is told when it ends, with the request for something else.
    @Test func aLongReadIsOneValue() {
        let rest = "4243"
        let lines = Self.lines([
            .att(.tx, "0A 0300"), .att(.rx, "0B \(Self.twentyTwo)"), .att(.tx, "0C 0300 1600"),
            .att(.rx, "0D \(rest)"),
        ]).map(\.text)
        expect(lines.last, equals: "0003 value 2A19 read \(Self.twentyTwo)\(rest)")
    }

    /// The recorded host is the server: the handles are those of its table.
    @Test func theHostsAttributesAreItsOwn() {
        let lines = Self.lines([
            .att(.rx, "08 0100 FFFF 0328"), .att(.tx, "09 07 0200 02 0300 382A"), .att(.rx, "0A 0300"),
            .att(.tx, "0B 01"),
        ]).map(\.text)
        expect(lines.suffix(2), equals: ["0003 value 2A38", "0003 value 2A38 read 01"])
    }

    /// Who does not want the rest is not called for it.
    @Test(arguments: [
        [Packet.att(.tx, "0E 0300 0600")], [.att(.tx, "20 0300 0600")],
        [.att(.tx, "0E 0300 0600"), .att(.rx, "0F 5A01")],
        [.att(.tx, "20 0300 0600"), .att(.rx, "21 0100 5A 0100 01")], [.att(.rx, "23 0300 0100 5A 0600 0100 01")],
        [.att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0600 0F18 0700 0900 0A18")],
        [.att(.tx, "06 0100 FFFF 0028 0F18"), .att(.rx, "07 0100 0600 0900 0C00")],
        [.att(.tx, "08 0100 0600 0328"), .att(.rx, "09 07 0200 1A 0300 192A 0500 0A 0600 382A")],
        [.att(.tx, "08 0100 0600 0228"), .att(.rx, "09 08 0200 0700 0900 0A18 0300 0A00 0C00 0F18")],
        [.att(.tx, "08 0100 FFFF 192A"), .att(.rx, "09 03 0300 5A 0900 5B")],
        [.att(.tx, "04 0400 FFFF"), .att(.rx, "05 01 0400 0229 0500 0328")],
    ])
    func oneIsEnough(packets: [Packet]) {
        struct First: EventSink {
            var calls = 0

            mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
                var calls = 0
                event.forEachAttribute(in: trace) { _ in
                    calls += 1
                    return false
                }
                if case .att = event.detail { self.calls = calls }
            }
        }
        var trace = Trace()
        var first = First()
        trace.decode(Self.discovery + packets, into: &first)
        expect(first.calls, equals: 1)
    }
}
