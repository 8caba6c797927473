import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasCapture

/// Texts and streams that have every octet: their records are those of the capture.
@Suite struct ExactTextTests {
    /// A record without the offset and the precision of its time, which differ in a text.
    private struct Packet: Equatable {
        var nanoseconds: Int64
        let direction: Direction
        let content: Record.Content
        let bytes: [UInt8]
        let missing: Int
    }

    private static func packets(_ records: [PlainRecord], times: Bool) -> [Packet] {
        records.filter { !$0.bytes.isEmpty }.map {
            let time = $0.time.seconds * 1_000_000_000 + Int64($0.time.nanoseconds)
            return Packet(
                nanoseconds: times ? time : 0, direction: $0.direction, content: $0.content, bytes: $0.bytes,
                missing: $0.missing)
        }
    }

    static let captures = ["heart-rate.btsnoop", "eatt.btsnoop", "pairing.btsnoop"]

    /// Wireshark's exports with octets. Raw JSON has no times.
    @Test(arguments: captures + ["bluez-central.btsnoop"], ["-V -x", "-T json -x", "-T ek -x", "-T jsonraw", "-x"])
    func tsharkGivesTheSameRecords(name: String, options: String) throws {
        guard let tshark = Tool("tshark") else { return }
        let isMonitor = name == "bluez-central.btsnoop"
        // Without a name for it, the Linux monitor's opcode is in no octet.
        guard !isMonitor || options != "-x" && options != "-T jsonraw" else { return }
        let path = Repository.capture(name)
        let text = try tshark.run(["-r", path] + options.split(separator: " ").map(String.init))
        let reading = Reading(text)
        let times = options != "-x" && options != "-T jsonraw"
        #expect(reading.error == nil)
        #expect(reading.info?.isRebuilt == false)
        let capture = Reading { () throws(CaptureError) in try CaptureReader(path: path) }
        expect(Self.packets(reading.records, times: times), equals: Self.packets(capture.records, times: times))
    }

    /// PDML has the octets of decoded fields: a frame in several ACL packets is one packet, and reserved octets are missing.
    @Test(arguments: captures) func pdmlGivesTheSameFrames(name: String) throws {
        guard let tshark = Tool("tshark") else { return }
        let path = Repository.capture(name)
        let capture = Reading { () throws(CaptureError) in try CaptureReader(path: path) }
        var frames: [[UInt8]] = []
        for record in capture.records where record.content == .packet(.acl) {
            if record.bytes[1] >> 4 & 3 == 1 {
                frames[frames.count - 1] += record.bytes.dropFirst(4)
            } else {
                frames.append(Array(record.bytes.dropFirst(4)))
            }
        }
        // Fragments of several connections do not alternate in these captures.
        let reading = Reading(try tshark.run(["-r", path, "-T", "pdml"]))
        let rebuilt = reading.records.filter { $0.content == .packet(.acl) }
        expect(rebuilt.map { Array($0.bytes.dropFirst(4)) }, equals: frames)
        #expect(rebuilt.allSatisfy { $0.missing == 0 })
    }

    /// The octets of a serial line as a file and as dumps of it, which begin no line with a packet.
    @Test(arguments: captures) func aStreamIsDividedIntoPackets(name: String) throws {
        let path = Repository.capture(name)
        let capture = Reading { () throws(CaptureError) in try CaptureReader(path: path) }
        let stream = capture.records.flatMap { record -> [UInt8] in
            guard case .packet(let type) = record.content else { return [] }
            return [type.rawValue] + record.bytes
        }
        let expected = Self.packets(capture.records, times: false)
        let reading = Reading(stream)
        expect(reading.info?.format, equals: "H4 stream")
        expect(reading.info?.cuts.map(\.kind), equals: [.noTimes])
        expect(Self.packets(reading.records, times: false), equals: expected)
        let dumps = [
            ("xxd", []), ("hexdump", ["-C"]), ("hexdump", []), ("od", ["-t", "x1"]), ("od", ["-A", "x", "-t", "x1"]),
            ("od", ["-x"]),
        ]
        for (program, options) in dumps {
            guard let tool = Tool(program) else { continue }
            let dump = Reading(try tool.run(options, input: stream))
            expect(Self.packets(dump.records, times: false), equals: expected, "\(program) \(options)")
        }
    }

    @Test func aStreamContinuesAfterAnError() {
        let packets = ["01030C00", "040E0401030C00", "0240000700030004000A0300"].map { hex($0) }
        let reading = Reading(Array((packets + [hex("55AA")] + packets).joined()))
        expect(reading.records.map(\.missing), equals: Array(repeating: 0, count: 7))
        expect(reading.faults, equals: ["2 octets that are no packet"])
        expect(reading.records[4...].map(\.bytes), equals: packets.map { Array($0.dropFirst()) })
    }

    // MARK: Lines

    private static let request = hex("4000 0700 0300 0400 0A 0300")
    private static let response = hex("4020 0600 0200 0400 0B 64")

    /// A capture of Apple's, in its text and in Wireshark's dump of it, which begins with PacketLogger's type.
    @Test(arguments: [
        """
        Nov 21 09:55:22.442  ATT Send         0x0040  C4:64:E3:00:00:01  Read Request - Handle:0x0003  40 00 07 00 03 00 04 00 0A 03 00  
        Nov 21 09:55:22.501  ATT Receive      0x0040  C4:64:E3:00:00:01  Read Response - Value: 64  40 20 06 00 02 00 04 00 0B 64  
        """,
        """
        0000  02 40 00 07 00 03 00 04 00 0a 03 00               .@..........

        0000  03 40 20 06 00 02 00 04 00 0b 64                  .@ .......d

        """,
    ])
    func packetLogger(text: String) {
        let reading = Reading(Array(text.utf8))
        expect(reading.records.map(\.bytes), equals: [Self.request, Self.response])
        expect(reading.records.map(\.direction), equals: [.tx, .rx])
    }

    @Test func notesOfPacketLoggerAreRecords() {
        let dumps = ["00 03 0c 00", "fc 61 20 6e 6f 74 65 00", "0b 00 00 00 00 4c 4d 50"]
        let records = Reading(Array(dumps.map { "0000  \($0)\n\n" }.joined().utf8)).records
        expect(
            records.map(\.content),
            equals: [
                .packet(.command), .packetLogger(PacketLoggerType(rawValue: 0xFC)),
                .packetLogger(PacketLoggerType(rawValue: 0x0B)),
            ])
    }

    /// Times and directions above a dump and before its offset, also of the first packet.
    @Test(arguments: [
        "[00:00:01.500,000] <dbg> bt_hci_core: rx\n   02 40 20 06 00 02 00 04 00 0b 64\n",
        "I\n00:00:01.5\n0000 02 40 20 06 00 02 00 04 00 0b 64\n",
        "I 00:00:01.5 0000 02 40 20 06 00 02 00 04 00 0b 64\n",
        "I 1970-01-01 00:00:01.5\n000000 02 40 20 06 00 02 00 04 00 0b 64\n",
        "hci: rx\n[00:00:01.500] hci: 02 40 20 06 00 02 00 04 00 0b 64\n",
    ])
    func marksAreAroundADump(text: String) {
        let reading = Reading(Array(text.utf8))
        expect(reading.records.map(\.bytes), equals: [Self.response])
        expect(reading.records.map(\.direction), equals: [.rx])
        expect(reading.records.first?.time.seconds, equals: 1)
        expect(reading.records.first?.time.nanoseconds, equals: 500_000_000)
    }

    /// A continuing fragment has no direction in its flags: the mark above it has.
    @Test func aMarkOnItsOwnLineIsTheDirectionOfFragments() {
        let text = "O\n0000 02 40 10 02 00 01 02\nI\n0000 02 40 10 02 00 03 04\n"
        expect(Reading(Array(text.utf8)).records.map(\.direction), equals: [.tx, .rx])
    }

    @Test func anArrayInCIsADump() {
        let text = """
            /* Frame (12 bytes) */
            static const unsigned char pkt134[12] = {
            0x02, 0x40, 0x00, 0x07, 0x00, 0x03, 0x00, 0x04, /* .@...... */
            0x00, 0x0a, 0x03, 0x00                          /* .... */
            };
            char peer0_0[] = { /* Packet 2 */
            0x02, 0x40, 0x20, 0x06, 0x00, 0x02, 0x00, 0x04, 
            0x00, 0x0b, 0x64 };
            """
        expect(Reading(Array(text.utf8)).records.map(\.bytes), equals: [Self.request, Self.response])
    }

    /// hexdump, od and xxd write `*` for lines that repeat the one before.
    @Test func repeatedLinesAreFilled() {
        let text = """
            00000000  02 40 20 5f 00 5b 00 04  00 1b 10 00 11 11 11 11  |.@ _.[..........|
            00000010  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|
            *
            00000060  22 22 22 22                                       |""|
            00000064
            """
        let value = [UInt8](repeating: 0x11, count: 4) + [UInt8](repeating: 0, count: 80)
        expect(
            Reading(Array(text.utf8)).records.map(\.bytes),
            equals: [
                hex("4020 5F00 5B00 0400 1B 1000") + value + [0x22, 0x22, 0x22, 0x22]
            ])
    }

    /// A dump among others that is no packet is counted, and not passed over.
    @Test func aDumpThatIsNoPacketIsARecord() {
        let text = "0000 02 40 20 06 00 02 00 04 00 0b 64\n\n0000 de ad be ef 00 11 22\n\n0000 01 03 0c 00\n"
        let reading = Reading(Array(text.utf8))
        expect(reading.faults, equals: ["hex dump of 7 octets that are no whole packet"])
        expect(reading.records.map(\.frame), equals: [1, 2, 3])
    }

    // MARK: Words of Wireshark

    /// Without octets, every operation is read, and whole PDUs are right: a meaning in the place of a value is none.
    @Test(arguments: ["heart-rate.btsnoop", "both-roles.btsnoop"], ["", "-V", "-T json"])
    func wiresharksWordsGiveEveryOperation(name: String, options: String) throws {
        guard let tshark = Tool("tshark") else { return }
        let path = Repository.capture(name)
        let text = try tshark.run(["-r", path] + options.split(separator: " ").map(String.init))
        let capture = Reading { () throws(CaptureError) in try CaptureReader(path: path) }
        let pdus = capture.records.filter {
            $0.content == .packet(.acl) && $0.bytes[1] >> 4 & 3 != 1 && $0.bytes[6...7] == [4, 0]
        }
        let found = Reading(text).records.filter { $0.content == .packet(.acl) }
        expect(found.map { $0.bytes[8] }, equals: pdus.map { $0.bytes[8] })
        expect(found.map(\.direction), equals: pdus.map(\.direction))
        for (rebuilt, packet) in zip(found, pdus) where rebuilt.missing == 0 {
            expect(rebuilt.bytes.dropFirst(8), equals: packet.bytes.dropFirst(8))
        }
        #expect(found.count { $0.missing == 0 } > found.count / 4)
    }
}
