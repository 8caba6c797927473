import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasCapture

/// Packets as hexadecimal digits in a text: the lines are laid out as the programs print them.
@Suite struct TextLogTests {
    /// Exchange MTU: the request of a peer and the answer of this host.
    static let exchange = ["4020 0700 0300 0400 02 F700", "4000 0700 0300 0400 03 B900"].map { hex($0) }
    /// HCI_Reset and its Command Complete.
    static let reset = ["030C00", "0E 04 01 030C 00"].map { hex($0) }

    static let dialects: [(name: String, text: String)] = [
        (
            "hcidump --raw",
            """
            HCI sniffer - Bluetooth packet analyzer ver 5.66
            btsnoop version: 1 datalink type: 1002
            < 01 03 0C 00 
            > 04 0E 04 01 03 0C 00 
            > 02 40 20 07 00 03 00 
              04 00 02 F7 00 
            < 02 40 00 07 00 03 00 04 00 03 B9 00 
            """
        ),
        (
            "BTstack",
            """
            [00:00:01.561] LOG -- hci.c.3635: BTSTACK_EVENT_STATE 1
            [00:00:01.562] CMD => 03 0C 00
            I (1563) uart_send_task: uart_send_task start
            [00:00:01.587] EVT <= 0E 04 01 03 0C 00
            [00:00:02.130] ACL <= 40 20 07 00 03 00 04 00 02 F7 00
            [00:00:02.131] ACL => 40 00 07 00 03 00 04 00 03 B9 00
            """
        ),
        (
            "ArduinoBLE",
            """
            20:19:39.091 -> HCI COMMAND TX -> 01030C00
            20:19:39.091 -> HCI EVENT RX <- 040E0401030C00
            20:19:39.100 -> Connected
            20:19:39.160 -> HCI ACLDATA RX <- 02402007000300040002F700
            20:19:39.170 -> HCI ACLDATA TX -> 02400007000300040003B900
            """
        ),
        (
            "ESP-IDF",
            """
            W (16814) GATTC_DEMO: connect to the remote device.
            c3 C:03 0c 00
            c4 E:0e 04 01 03 0c 00
            c5 D:40 20 07 00 03 00 04 00 02 f7 00 
            c6 H:40 00 07 00 03 00 04 00 03 b9 00 
            """
        ),
        (
            "noble",
            """
              hci reset - writing: 01030c00 +1ms
              hci-usb write: 01030c00 +0ms
              hci-usb HCI event: 0e0401030c00 +4ms
              hci onSocketData: 040e0401030c00 +0ms
              hci   event type = 4 +0ms
              hci onSocketData: 02402007000300040002f700 +4ms
              hci           data = 02f700 +0ms
              att 20:17:20:10:39:42: write: 03b900 +3ms
              hci write acl data pkt - writing: 02400007000300040003b900 +1ms
            """
        ),
        (
            "hex dump",
            """
            0000  01 03 0c 00                                       ....

            0000  04 0e 04 01 03 0c 00                              .......

            0000  02 40 20 07 00 03 00 04  00 02 f7 00               .@ .........

            0000  02 40 00 07 00 03 00 04  00 03 b9 00               .@..........
            """
        ),
    ]

    @Test func aHyphenBetweenTheHalvesOfALine() {
        let reading = Reading(
            Array(
                """
                < L2CAP 0004 Opcode = 08
                      0000  02 40 00 0B 00 07 00 04 - 00 08 01 00 FF FF 03 28
                > L2CAP 0004 Opcode = 13
                      0000  02 40 20 05 00 01 00 04 - 00 13
                """.utf8))
        expect(
            reading.records.map(\.bytes),
            equals: [hex("4000 0B00 0700 0400 08 0100 FFFF 0328"), hex("4020 0500 0100 0400 13")])
    }

    @Test(arguments: dialects)
    func everyDialectGivesTheSamePackets(name: String, text: String) {
        let reading = Reading(Array(text.utf8))
        #expect(reading.error == nil)
        expect(reading.info?.format, equals: "text (\(name))")
        #expect(reading.info?.isText == true)
        expect(reading.records.map(\.bytes), equals: Self.reset + Self.exchange)
        expect(
            reading.records.map(\.content), equals: [.packet(.command), .packet(.event), .packet(.acl), .packet(.acl)])
        expect(reading.records.map(\.direction), equals: [.tx, .rx, .rx, .tx])
        expect(reading.records.map(\.frame), equals: [1, 2, 3, 4])
        #expect(reading.records.allSatisfy { $0.missing == 0 && $0.lost == 0 })
    }

    /// Apache's stack prints no events. On Mynewt a packet is one line, with ESP-IDF's log one for each octet.
    @Test func nimble() {
        let reading = Reading(
            Array(
                """
                ble_hs_hci_cmd_send: ogf=0x03 ocf=0x0003 len=0
                0x03 0x0c 0x00 
                ble_hs_hci_evt_acl_process(): conn_handle=64 pb=2 len=7 data=0x03 0x00 0x04 0x00 0x02 0xf7 0x00 
                host tx hci data; handle=64 length=7
                ble_hs_hci_acl_tx(): 0x40 0x00 0x07 0x00 0x03 0x00 0x04 0x00 0x03 0xb9 0x00 
                D (23680) NimBLE: ble_hs_hci_cmd_send: ogf=0x03 ocf=0x0003 len=0
                D (23684) NimBLE: 0x03 
                D (23686) NimBLE: 0x0c 
                D (23687) NimBLE: 0x00 
                """.utf8))
        expect(reading.info?.format, equals: "text (NimBLE)")
        expect(reading.records.map(\.bytes), equals: [Self.reset[0]] + Self.exchange + [Self.reset[0]])
        expect(reading.records.map(\.direction), equals: [.tx, .rx, .tx, .tx])
        expect(reading.records.last?.time, equals: Timestamp(seconds: 23, nanoseconds: 680_000_000, precision: 3))
    }

    @Test func nimbleLogsSomeEventsInWords() {
        let reading = Reading(
            Array(
                """
                ble_hs_hci_cmd_send: ogf=0x03 ocf=0x0003 len=0
                0x03 0x0c 0x00
                LE connection complete. handle=1 role=1 paddrtype=1 addr=72.11.22.33.44.55 local_rpa=0.0.0.0.0.0 itvl=24 latency=0 spvn_tmo=72 mca=1
                D NimBLEServer: ">> handleGapEvent: BLE_GAP_EVENT_CONNECT "
                Disconnection Complete: status=0 handle=1 reason=8
                """.utf8))
        expect(
            reading.records.map(\.bytes),
            equals: [
                Self.reset[0], hex("3E 13 01 00 0100 01 01 554433221172 1800 0000 4800 01"), hex("05 04 00 0100 08"),
            ])
    }

    @Test func parametersInSTM32duinosLinesAreNoCommand() {
        let reading = Reading(
            Array(
                """
                HCI COMMAND TX -> 01030C00
                TX>> BLE CMD :  Type 0x1 Cmd 0xc03 Len 0 :
                RX<< BLE EVT :  Type 0x4 evt 0xe Len 4 : 01 03 0C 00
                HCI EVENT RX <- 040E0401030C00
                """.utf8))
        expect(reading.records.map(\.bytes), equals: Self.reset)
    }

    @Test func packetsBeforeTheFirstTimeHaveThatTime() {
        let reading = Reading(
            Array(
                """
                90 C:03 0c 00
                91 E:0e 04 01 03 0c 00
                I (47254) NimBLE: GAP procedure initiated: terminate connection;
                92 C:03 0c 00
                """.utf8))
        let time = Timestamp(seconds: 47, nanoseconds: 254_000_000, precision: 3)
        expect(reading.records.map(\.time), equals: [time, time, time])
    }

    @Test func advertisingOfESPIDFHasNoLetter() {
        let text = "c4 E:0e 04 01 03 0c 00\nd3 0c 02 01 00 00 58 02 e9 9b bd c3 00 c1\nI (1) d: 0c 02\n"
        expect(
            Reading(Array(text.utf8)).records.map(\.bytes),
            equals: [
                Self.reset[1], hex("3E 0C 02 01 00 00 5802E99BBDC3 00 C1"),
            ])
    }

    static let dumps: [(program: String, text: String)] = [
        ("xxd", "00000000: 0240 2007 0003 0004 0002 f700            .@ .........\n"),
        ("xxd -p", "02402007000300040002f700\n"),
        (
            "hexdump -C",
            "00000000  02 40 20 07 00 03 00 04  00 02 f7 00              |.@ .........|\n0000000c\n"
        ),
        ("od -t x1", "0000000 02 40 20 07 00 03 00 04 00 02 f7 00\n0000014\n"),
        ("text2pcap", "I 0000 02 40 20 07 00 03 00 04 00 02 f7 00\n"),
        ("a hex stream in words", "0x02 0x40 0x20 0x07 0x00 0x03 0x00 0x04 0x00 0x02 0xf7 0x00\n"),
        (
            "Zephyr",
            """
            [00:00:03.028,000] <dbg> bt_hci_core: rx
                                                 02 40 20 07 00 03 00 04  00 02 f7 00         |.@ ..... ....
            """
        ),
        ("ESP_LOG_BUFFER_HEX", "I (3028) hci: 02 40 20 07 00 03 00 04 00 02 f7 00\n"),
        ("no indicator", "0000  40 20 07 00 03 00 04 00 02 f7 00\n"),
        ("columns that look like digits", "0000   02 40 20 07 00 03 00 04 00 02 f7 00   ab cd ef\n"),
    ]

    @Test(arguments: dumps)
    func everyDumpIsRead(program: String, text: String) {
        let reading = Reading(Array(text.utf8))
        expect(reading.records.map(\.bytes), equals: [Self.exchange[0]])
        expect(reading.records.first?.direction, equals: .rx)
    }

    /// Offsets of a second line count the octets before it: od counts in octal.
    @Test(arguments: ["%04x", "%07o"])
    func aDumpHasSeveralLines(format: String) {
        let second = format == "%04x" ? "0010" : "0000020"
        let first = format == "%04x" ? "0000" : "0000000"
        let text = """
            \(first) 02 40 20 10 00 0c 00 04 00 1b 19 00 00 01 02 03
            \(second) 04 05 06 07 08
            """
        expect(
            Reading(Array(text.utf8)).records.map(\.bytes),
            equals: [
                hex("4020 1000 0C00 0400 1B 1900 00 01 02 03 04 05 06 07 08")
            ])
    }

    // MARK: Times

    @Test(arguments: [
        ("2026-11-21 09:55:20.369922 < 01 03 0C 00", 1_795_254_920, 369_922_000, 6),
        ("[00:00:01.562] CMD => 03 0C 00", 1, 562_000_000, 3),
        ("20:19:39.091 -> HCI COMMAND TX -> 01030C00", 73_179, 91_000_000, 3),
        ("[00:00:04.028,123] <dbg> CMD => 03 0C 00", 4, 28_123_000, 6),
        ("[  940.548222] CMD => 03 0C 00", 940, 548_222_000, 6),
        ("D (23688) CMD => 03 0C 00", 23, 688_000_000, 3),
        ("c3 C:40 42 0F 00 00 00 00 00 03 0c 00", 1, 0, 6),
        // The journal's own time, and that of the program.
        ("Nov 21 10:55:21 pi app[1281]: 2026-11-21T09:55:20.369Z CMD => 03 0C 00", 1_795_254_920, 369_000_000, 3),
    ])
    func timesAreRead(line: String, seconds: Int64, nanoseconds: UInt32, precision: UInt8) {
        let reading = Reading(Array("\(line)\n".utf8))
        expect(
            reading.records.map(\.time),
            equals: [
                Timestamp(seconds: seconds, nanoseconds: nanoseconds, precision: precision)
            ])
        expect(reading.info?.cuts, equals: [])
    }

    /// BTool prints a packet in words before its octets: an address is none of them.
    @Test func octetsInWordsAreNoPacket() {
        let text = """
            [20] : <Tx> - 03:16:01.730
             Type : 08:18
            Dump(Tx):
            01 03 0C 00

            [21] : <Rx> - 03:16:01.801
             DevAddr    : 90:59:AF:0B:84:5C
            Dump(Rx):
            04 0E 04 01 03 0C 00

            """
        let reading = Reading(Array(text.utf8))
        expect(reading.records.map(\.bytes), equals: Self.reset)
        expect(reading.records.map(\.time.nanoseconds), equals: [730_000_000, 801_000_000])
    }

    @Test func aDayEndsAtMidnightAndABoardMayStartAgain() {
        let text = ["23:59:59.900", "00:00:00.100", "00:00:10.000", "00:00:01.000"]
            .map { "[\($0)] CMD => 03 0C 00\n" }.joined()
        expect(Reading(Array(text.utf8)).records.map(\.time.seconds), equals: [86_399, 86_400, 86_410, 86_401])
    }

    @Test func aTextWithoutTimesSaysSo() {
        expect(Reading(Array("CMD => 03 0C 00\n".utf8)).info?.cuts.map(\.kind), equals: [.noTimes])
    }

    // MARK: Around the lines

    static let surroundings: [(name: String, change: @Sendable (String) -> String)] = [
        ("quoted twice", { "> > \($0)" }),
        ("HTML", { $0.replacing("<", with: "&lt;").replacing(">", with: "&gt;") }),
        ("quoted HTML", { "&gt; " + $0.replacing("<", with: "&lt;").replacing(">", with: "&gt;") }),
        ("colours", { "\u{1B}[32m\($0)\u{1B}[0m" }), ("DOS line ends", { "\($0)\r" }),
        ("no-break spaces", { $0.replacing(" ", with: "\u{A0}") }),
    ]

    @Test(arguments: surroundings.map(\.name), [0, 1])
    func whatIsAroundALineDoesNoHarm(name: String, dialect: Int) throws {
        let change = try #require(Self.surroundings.first { $0.name == name }).change
        let text = Self.dialects[dialect].text.split(separator: "\n").map { change(String($0)) + "\n" }.joined()
        expect(Reading(Array(text.utf8)).records.map(\.bytes), equals: Self.reset + Self.exchange)
    }

    @Test(arguments: [[UInt8](hex("FFFE")), hex("FEFF")])
    func textsOfWindowsAreRead(mark: [UInt8]) {
        let units = Self.dialects[1].text.utf16.flatMap { unit in
            let octets = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
            return mark[0] == 0xFF ? octets : octets.reversed()
        }
        let reading = Reading(mark + units)
        expect(reading.records.map(\.bytes), equals: Self.reset + Self.exchange)
        expect(reading.info?.file, equals: "test!/text")
    }

    @Test func severalLogsAreSeveralCaptures() {
        let text = """
            It works with this phone:
            ```
            \(Self.dialects[1].text)
            ```
            and not with that one.
            ```
            \(Self.dialects[2].text)
            ```
            \(Self.dialects[0].text)
            """
        let set = CaptureSetReading(Array(text.utf8))
        #expect(set.failures.isEmpty)
        expect(set.names, equals: ["test", "test!/log-2", "test!/log-3"])
        expect(set.records.map { $0.map(\.bytes) }, equals: Array(repeating: Self.reset + Self.exchange, count: 3))
    }

    @Test func aRecordIsWhereItsTextIs() throws {
        let text = "Hello,\n\nCMD => 03 0C 00\nLOG -- x\nEVT <= 0E 04 01 03 0C 00\n"
        expect(Reading(Array(text.utf8)).records.map(\.offset), equals: [8, 33])
    }

    // MARK: What is missing

    @Test func aPacketWhoseLineEndsEarlyIsCut() {
        let reading = Reading(
            Array("[00:00:01.000] CMD => 03 0C 00\nACL <= 40 20 07 00 03 00 04\nCMD => 03 0C 00\n".utf8))
        expect(reading.records.map(\.missing), equals: [0, 4, 0])
        expect(reading.info?.cuts.map(\.kind), equals: [.shortLines])
    }

    @Test func aMarkWithoutOctetsIsABrokenRecord() {
        let reading = Reading(Array("CMD => 03 0C 00\nEVT <= [00:00:01.000] LOG\nCMD => 03 0C 00\n".utf8))
        expect(reading.faults, equals: ["line of a packet without readable octets"])
        expect(reading.records.map(\.frame), equals: [1, 2, 3])
    }

    @Test func aLineBeyondTheLimitIsPassedOver() {
        let long = String(repeating: "00 ", count: TextLine.limit)
        let reading = Reading(Array("CMD => 03 0C 00\nACL => \(long)\nEVT <= 0E 04 01 03 0C 00\n".utf8))
        expect(reading.records.map(\.bytes), equals: Self.reset)
    }

    /// A packet of one octet in each line, after long prefixes, is not kept in memory for ever.
    @Test func theTextOfAPacketIsLimited() {
        let lines = String(repeating: "I (1) \(String(repeating: "x", count: 10_000)): 00\n", count: 300)
        let reading = Reading(Array("[00:00:01.000] ACL => 40 00 FF FF\n\(lines)CMD => 03 0C 00\n".utf8))
        expect(reading.records.count, equals: 2)
        #expect(reading.records.first.map { (1..<300).contains($0.bytes.count) } == true)
        expect(reading.records.last?.bytes, equals: Self.reset[0])
    }

    static let refusals = [
        ("Hello, it does not work.\n", "a text without packets that attlas can read"),
        (
            "Look:\n\n0000  7f 45 4c 46 02 01 01 00\n",
            "a text without packets that attlas can read; line 3 looks like a hex dump, but not of one whole HCI packet (attlas convert --as says what it is)"
        ),
        (
            "> 04 3E 13 01 00\n",
            "a text without packets that attlas can read; line 1 looks like hcidump --raw, but 17 of 22 octets are missing"
        ),
    ]

    @Test(arguments: refusals)
    func whatIsNoLogIsRefused(text: String, reason: String) {
        let error = Reading(Array(text.utf8)).error
        expect(error?.kind, equals: .unknownFormat)
        expect(error?.reason, equals: reason)
        #expect(error?.advice?.hasSuffix(".") == true)
    }

    /// Wireshark's JSON has the octets of a packet without blanks.
    @Test(arguments: ["01 03 0c 00", "01030c0", "01030c00zz", ""]) func otherOctetsOfJSONAreNoPacket(octets: String) {
        func packet(_ octets: String) -> String {
            """
              {
                "_index": "packets-2026-11-21",
                "_source": {
                  "layers": {
                    "frame_raw": [
                      "\(octets)",
                      0,
                      4,
                      0,
                      1
                    ],
                    "frame": {
                      "frame.protocols": "bluetooth:hci_h4:bthci_cmd"
                    }
                  }
                }
              }
            """
        }
        let text = "[\n\(packet("01030c00")),\n\(packet(octets)),\n\(packet("01030c00"))\n]\n"
        expect(Reading(Array(text.utf8)).records.map(\.bytes), equals: [Self.reset[0], Self.reset[0]])
    }

    /// Prose, tables and dumps of other things have lines of digits, too.
    @Test(arguments: [
        "> 04 is the number, and 12 the other\n", "12 34 56 78\n", "2026-11-21 01 02 03\n", "dead beef face\n",
        "00:1A:7D:DA:71:13\n", "02 00 00 00\n", "a > 04 b\n",
    ])
    func digitsAloneAreNoPacket(text: String) {
        expect(Reading(Array(text.utf8)).error?.kind, equals: .unknownFormat)
    }
}
