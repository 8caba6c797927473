import AttlasTestSupport
import AttlasWire
import Foundation
import Testing

@testable import AttlasCapture

/// Packets rebuilt from the words of btmon, as its versions 5.4x to 5.8x print them.
@Suite struct TextWordsTests {
    private static func reading(_ text: String) -> Reading { Reading(Array(text.utf8)) }

    /// The lines below a packet on handle 64, and its L2CAP frame.
    static let frames: [(fields: String, frame: String)] = [
        ("ATT: Exchange MTU Request (0x02) len 2\n  Client RX MTU: 247", "0300 0400 02 F700"),
        (
            "ATT: Error Response (0x01) len 4\n  Read Request (0x0a)\n  Handle: 0x0042\n  Error: Invalid Handle (0x01)",
            "0500 0400 01 0A 4200 01"
        ),
        ("ATT: Find Information Request (0x04) len 4\n  Handle range: 0x0010-0x0011", "0500 0400 04 1000 1100"),
        (
            """
            ATT: Find Information Response (0x05) len 9
              Format: UUID-16 (0x01)
              Handle: 0x0010
              UUID: Client Characteristic Configuration (0x2902)
              Handle: 0x0011
              UUID: Characteristic User Description (0x2901)
            """, "0A00 0400 05 01 1000 0229 1100 0129"
        ),
        (
            """
            ATT: Read By Group Type Response (0x11) len 21
              Attribute data length: 20
              Attribute group list: 1 entry
              Handle range: 0x0001-0x0005
              UUID: Vendor specific (6e400001-b5a3-f393-e0a9-e50e24dcca9e)
            """, "1600 0400 11 14 0100 0500 9ECADC240EE5A9E093F3A3B50100406E"
        ),
        (
            "ATT: Read By Type Request (0x08) len 6\n  Handle range: 0x0001-0xffff\n  Attribute type: Characteristic (0x2803)",
            "0700 0400 08 0100 FFFF 0328"
        ),
        (
            """
            ATT: Read By Type Response (0x09) len 15
              Attribute data length: 7
              Attribute data list: 2 entries
              Handle: 0x0002
              Value: 020300002a
              Handle: 0x0004
              Value[5]: 020500012a
                Properties: 0x02
                  Read (0x02)
            """, "1000 0400 09 07 0200 020300002A 0400 020500012A"
        ),
        ("ATT: Read Request (0x0a) len 2\n  Handle: 0x0018", "0300 0400 0A 1800"),
        (
            "ATT: Read Blob Response (0x0d) len 3\n  72 6d 6f                                          rmo",
            "0400 0400 0D 726D6F"
        ),
        (
            "ATT: Unknown (0x20) len 4\n  03 00 12 00                                       ....",
            "0500 0400 20 03001200"
        ),
        (
            """
            LE L2CAP: Enhanced Credit Connection Request (0x17) ident 1 len 12
              PSM: 39 (0x0027)
              MTU: 247
              MPS: 64
              Credits: 8
              Source CID: 64
              Source CID: 65
            """, "1000 0500 17 01 0C00 2700 F700 4000 0800 4000 4100"
        ),
        (
            """
            LE L2CAP: Enhanced Credit Connection Response (0x18) ident 1 len 12
              MTU: 247
              MPS: 64
              Credits: 8
              Result: Connection successful (0x0000)
              Destination CID: 64
              Destination CID: 65
            """, "1000 0500 18 01 0C00 F700 4000 0800 0000 4000 4100"
        ),
        (
            """
            LE L2CAP: LE Connection Request (0x14) ident 2 len 10
              PSM: 128 (0x0080)
              Source CID: 64
              MTU: 512
              MPS: 64
              Credits: 10
            """, "0E00 0500 14 02 0A00 8000 4000 0002 4000 0A00"
        ),
        (
            """
            LE L2CAP: LE Connection Response (0x15) ident 2 len 10
              Destination CID: 65
              MTU: 512
              MPS: 64
              Credits: 10
              Result: Connection successful (0x0000)
            """, "0E00 0500 15 02 0A00 4100 0002 4000 0A00 0000"
        ),
        (
            "LE L2CAP: LE Flow Control Credit (0x16) ident 3 len 4\n  Source CID: 64\n  Credits: 5",
            "0800 0500 16 03 0400 4000 0500"
        ),
        (
            "LE L2CAP: Disconnection Request (0x06) ident 4 len 4\n  Destination CID: 65\n  Source CID: 64",
            "0800 0500 06 04 0400 4100 4000"
        ),
        ("ATT: Read Response (0x0b) len 1\n  Value: 57", "0200 0400 0B 57"),
        (
            "ATT: Read Blob Request (0x0c) len 4\n  Handle: 0x0018\n  Offset: 0x0016", "0500 0400 0C 1800 1600"
        ),
        ("ATT: Write Request (0x12) len 4\n  Handle: 0x0009\n    Data: 0200", "0500 0400 12 0900 0200"),
        // Since 5.66 with the type of the attribute, the number of octets, and what they mean.
        (
            """
            ATT: Write Request (0x12) len 4
              Handle: 0x0019 Type: Client Characteristic Configuration (0x2902)
                Data[2]: 0100
                  Notification (0x01)
            """, "0500 0400 12 1900 0100"
        ),
        ("ATT: Write Response (0x13) len 0", "0100 0400 13"),
        ("ATT: Handle Value Notification (0x1b) len 3\n  Handle: 0x0018\n    Data: 56", "0400 0400 1B 1800 56"),
        ("ATT: Handle Value Confirmation (0x1e) len 0", "0100 0400 1E"),
        (
            "ATT: Execute Write Request (0x18) len 1\n  Flags: Immediately write all pending prepared values (0x01)",
            "0200 0400 18 01"
        ),
        (
            """
            SMP: Pairing Request (0x01) len 6
              IO capability: NoInputNoOutput (0x03)
              OOB data: Authentication data not present (0x00)
              Authentication requirement: Bonding, No MITM, SC, No Keypresses (0x09)
              Max encryption key size: 16
              Initiator key distribution: EncKey IdKey (0x03)
              Responder key distribution: EncKey IdKey (0x03)
            """, "0700 0600 01 03 00 09 10 03 03"
        ),
        // As btmon 5.66 prints them: the type is in the words after the address.
        (
            "SMP: Identity Address Information (0x09) len 7\n  Address: 66:55:44:33:22:11 (OUI 66-55-44)",
            "0800 0600 09 00 112233445566"
        ),
        (
            "SMP: Identity Address Information (0x09) len 7\n  Address: C1:22:33:44:55:66 (Static)",
            "0800 0600 09 01 6655443322C1"
        ),
        ("SMP: Pairing Failed (0x05) len 1\n  Reason: Confirm value failed (0x04)", "0200 0600 05 04"),
        (
            """
            LE L2CAP: Connection Parameter Update Request (0x12) ident 1 len 8
              Min interval: 6
              Max interval: 12
              Peripheral latency: 0
              Timeout multiplier: 500
            """, "0C00 0500 12 01 0800 0600 0C00 0000 F401"
        ),
        (
            "Channel: 64 len 5 [PSM 0 mode Basic (0x00)] {chan 65535}\n  01 02 03 04 05       .....",
            "0500 4000 01 02 03 04 05"
        ),
    ]

    @Test func fieldsWithoutIndentation() {
        let reading = Self.reading(
            """
            > > ACL Data RX: Handle 64 flags 0x02 dlen 11     [#61](https://example.com/issues/61) [hci0] 16.387075
            > > ATT: Read By Type Request (0x08) len 6
            > > Handle range: 0x0007-0xffff
            > > Attribute type: Characteristic (0x2803)
            > > HCI Event: Disconnect Complete (0x05) plen 4     [#62](https://example.com/issues/62) [hci0] 16.387090
            > > Status: Success (0x00)
            > > Handle: 64
            > > Reason: Remote User Terminated Connection (0x13)
            > That was all: thanks.
            """)
        expect(
            reading.records.map(\.bytes),
            equals: [hex("4020 0B00 0700 0400 08 0700 FFFF 0328"), hex("05 04 00 4000 13")])
    }

    @Test(arguments: frames)
    func aFrameIsRebuilt(fields: String, frame: String) {
        let lines = fields.split(separator: "\n").map { "      \($0)\n" }.joined()
        let expected = hex(frame)
        let reading = Self.reading(
            "> ACL Data RX: Handle 64 flags 0x02 dlen \(expected.count)      #30 [hci0] 47.377839\n" + lines)
        expect(reading.records.map(\.bytes), equals: [hex("4020") + [UInt8(expected.count), 0] + expected])
        expect(reading.records.map(\.missing), equals: [0])
        expect(reading.records.map(\.direction), equals: [.rx])
        expect(reading.records.map(\.time), equals: [Timestamp(seconds: 47, nanoseconds: 377_839_000, precision: 6)])
        expect(reading.info?.format, equals: "text (btmon, rebuilt)")
        #expect(reading.info?.isRebuilt == true)
    }

    static let packets: [(text: String, type: HCIPacketType, octets: String)] = [
        ("< HCI Command: Reset (0x03|0x0003) plen 0   #1 [hci1] 0.369922", .command, "030C 00"),
        (
            """
            < HCI Command: Disconnect (0x01|0x0006) plen 3   #9 [hci1] 2026-11-21 09:55:20.369922
                    Handle: 64
                    Reason: Remote User Terminated Connection (0x13)
            """, .command, "0604 03 4000 13"
        ),
        (
            """
            > HCI Event: Command Complete (0x0e) plen 4    #2 [hci1] 0.370164
                  Reset (0x03|0x0003) ncmd 1
                    Status: Success (0x00)
            """, .event, "0E 04 01 030C 00"
        ),
        (
            """
            > HCI Event: Command Status (0x0f) plen 4    #2 [hci1] 0.370164
                  LE Create Connection (0x08|0x000d) ncmd 1
                    Status: Command Disallowed (0x0c)
            """, .event, "0F 04 0C 01 0D20"
        ),
        (
            """
            > HCI Event: LE Meta Event (0x3e) plen 19      #41 [hci1] 0.678428
                  LE Connection Complete (0x01)
                    Status: Success (0x00)
                    Handle: 64
                    Role: Master (0x00)
                    Peer address type: Random (0x01)
                    Peer address: F2:F2:F2:F2:F2:01 (Static)
                    Connection interval: 15.00 msec (0x000c)
                    Connection latency: 0 (0x0000)
                    Supervision timeout: 720 msec (0x0048)
                    Master clock accuracy: 0x00
            """, .event, "3E 13 01 00 4000 00 01 01F2F2F2F2F2 0C00 0000 4800 00"
        ),
        (
            """
            > HCI Event: Connect Complete (0x03) plen 11    #9 [hci1] 3.1
                    Status: Success (0x00)
                    Handle: 12
                    Address: 00:11:22:33:44:55 (CIMSYS Inc)
                    Link type: ACL (0x01)
                    Encryption: Disabled (0x00)
            """, .event, "03 0B 00 0C00 554433221100 01 00"
        ),
        (
            """
            > HCI Event: Disconnect Complete (0x05) plen 4    #9 [hci1] 3.1
                    Status: Success (0x00)
                    Handle: 64 Address: F2:F2:F2:F2:F2:01 (Static)
                    Reason: Connection Timeout (0x08)
            """, .event, "05 04 00 4000 08"
        ),
    ]

    @Test(arguments: packets)
    func commandsAndEventsAreRebuilt(text: String, type: HCIPacketType, octets: String) {
        let reading = Self.reading(text + "\n")
        expect(reading.records.map(\.content), equals: [.packet(type)])
        expect(reading.records.map(\.bytes), equals: [hex(octets)])
        expect(reading.records.map(\.controller), equals: [1])
    }

    /// As hcidump and btmon 5.66 print the records of findings/bluez-dates-before-2000.sh: the last of 1999, and an hour later.
    @Test func aDateBefore2000HasAWrongYear() {
        let hcidump = Self.reading(
            """
            HCI sniffer - Bluetooth packet analyzer ver 5.66
            btsnoop version: 1 datalink type: 1002
            586554-01-18 08:01:48.551616 > HCI Event: Disconn Complete (0x05) plen 4
                status 0x00 handle 64 reason 0x13
                Reason: Remote User Terminated Connection
            2000-01-01 00:59:59.000000 > HCI Event: Disconn Complete (0x05) plen 4
                status 0x00 handle 64 reason 0x13
                Reason: Remote User Terminated Connection
            """)
        expect(hcidump.records.map(\.bytes), equals: Array(repeating: hex("05 04 00 4000 13"), count: 2))
        expect(hcidump.records.map(\.time.seconds), equals: [946_684_799, 946_688_399])
        expect(hcidump.records.map(\.time.nanoseconds), equals: [0, 0])
        let btmon = Self.reading(
            """
            Bluetooth monitor ver 5.66
            > HCI Event: Disconnect.. (0x05) plen 4  #1 [hci0] 586554-01-18 08:01:48.551616
                    Status: Success (0x00)
                    Handle: 64
                    Reason: Remote User Terminated Connection (0x13)
            """)
        expect(btmon.records.map(\.time.seconds), equals: [946_684_799])
    }

    /// As hcidump 5.66 prints a Find Information Response with the UUID of Nordic's UART.
    @Test func hcidumpsLongUUIDsAreWhole() {
        let reading = Self.reading(
            """
            HCI sniffer - Bluetooth packet analyzer ver 5.66
            btsnoop version: 1 datalink type: 1002
            > ACL data: handle 64 flags 0x02 dlen 24
                ATT: Find Information resp (0x05)
                  format: uuid-128
                    handle 0x0003, uuid 6e400003-b5a3-f393-e0a9-e50e24dcca9e
            > ACL data: handle 64 flags 0x02 dlen 10
                ATT: Find Information resp (0x05)
                  format: uuid-16
                    handle 0x0004, uuid 0x2902
            """)
        expect(
            reading.records.map(\.bytes),
            equals: [
                hex("4020 1800 1400 0400 05 02 0300 9ECADC240EE5A9E093F3A3B50300406E"),
                hex("4020 0A00 0600 0400 05 01 0400 0229"),
            ])
    }

    /// hcidump names the fields otherwise, and has the time first.
    @Test func hcidump() {
        let reading = Self.reading(
            """
            HCI sniffer - Bluetooth packet analyzer ver 5.23
            device: hci0 snap_len: 1500 filter: 0xffffffff
            2026-11-21 09:55:20.000001 < HCI Command: LE Create Connection (0x08|0x000d) plen 25
                bdaddr F2:F2:F2:F2:F2:01 type 1
                interval 96 window 48 initiator_filter 0
                own_bdaddr_type 0 min_interval 6 max_interval 12
                latency 0 supervision_to 200 min_ce 4 max_ce 6
            2026-11-21 09:55:20.000002 > HCI Event: Command Status (0x0f) plen 4
                LE Create Connection (0x08|0x000d) status 0x00 ncmd 1
            2026-11-21 09:55:20.000003 > HCI Event: LE Meta Event (0x3e) plen 19
                LE Connection Complete
                  status 0x00 handle 64, role master
                  bdaddr F2:F2:F2:F2:F2:01 (Random)
            2026-11-21 09:55:20.000004 > ACL data: handle 64 flags 0x02 dlen 9
                ATT: Error (0x01)
                  Error: Attribute not found (10)
                  Read By Group req (0x10) on handle 0x0027
            2026-11-21 09:55:20.000005 < ACL data: handle 64 flags 0x00 dlen 9
                ATT: Write req (0x12)
                  handle 0x000f value  0x00 0x34
            2026-11-21 09:55:20.000006 > ACL data: handle 64 flags 0x02 dlen 7
                ATT: Read resp (0x0b)
                  0000: 57 01                                             W.
            2026-11-21 09:55:20.000007 > HCI Event: Disconn Complete (0x05) plen 4
                status 0x00 handle 64 reason 0x13
                Reason: Remote User Terminated Connection
            """)
        expect(
            reading.records.map(\.bytes),
            equals: [
                Array("HCI Command: LE Create Connection (0x08|0x000d) plen 25".utf8),
                hex("0F 04 00 01 0D20"), hex("3E 13 01 00 4000 00 01 01F2F2F2F2F2 0000 0000 0000 00"),
                hex("4020 0900 0500 0400 01 10 2700 0A"), hex("4000 0900 0500 0400 12 0F00 0034"),
                hex("4020 0700 0300 0400 0B 57 01"), hex("05 04 00 4000 13"),
            ])
        expect(reading.records.map(\.missing), equals: Array(repeating: 0, count: 7))
        expect(reading.records.map(\.time.nanoseconds), equals: (1...7).map { $0 * 1000 })
        expect(reading.info?.format, equals: "text (hcidump, rebuilt)")
    }

    /// A command without parameters is none without its answer. An answer that the program does not know is a dump.
    @Test func commandsHaveAnswers() {
        let btmon = Self.reading(
            """
            < HCI Command: Read BD ADDR (0x04|0x0009) plen 0             #1 0.1
            > HCI Event: Command Complete (0x0e) plen 10                 #2 0.2
                  Read BD ADDR (0x04|0x0009) ncmd 1
                    Status: Success (0x00)
                    Address: 00:AA:01:00:00:00 (OUI 00-AA-01)
            < HCI Command: Reset (0x03|0x0003) plen 0                    #3 0.3
            > HCI Event: Command Complete (0x0e) plen 4                  #4 0.4
                  Reset (0x03|0x0003) ncmd 1
                    Status: Success (0x00)
            > HCI Event: Command Complete (0x0e) plen 6                  #5 0.5
                  LE Long Term Key Request Reply (0x08|0x001a) ncmd 1
                    Status: Success (0x00)
                    Handle: 64
            > HCI Event: Command Complete (0x0e) plen 10                 #6 0.6
                  LE Read Peer Resolvable Address (0x08|0x002b) ncmd 1
                    Status: Unknown Connection Identifier (0x02)
                    Address: 00:00:00:00:00:00 (OUI 00-00-00)
            """)
        expect(
            btmon.records.map(\.bytes),
            equals: [
                Array("HCI Command: Read BD ADDR (0x04|0x0009) plen 0".utf8),
                Array("HCI Event: Command Complete (0x0e) plen 10".utf8), hex("030C 00"), hex("0E 04 01 030C 00"),
                hex("0E 06 01 1A20 00 4000"), hex("0E 0A 01 2B20 02"),
            ])
        expect(btmon.records.map(\.missing), equals: [0, 0, 0, 0, 0, 6])
        let hcidump = Self.reading(
            """
            2026-11-21 09:55:20.000001 < HCI Command: Unknown (0x08|0x0024) plen 4
              0000: fb 00 48 08                                       ..H.
            2026-11-21 09:55:20.000002 > HCI Event: Command Complete (0x0e) plen 6
                Unknown (0x08|0x0024) ncmd 1
                0000: 00 40 00                                          .@.
            2026-11-21 09:55:20.000003 > HCI Event: LE Meta Event (0x3e) plen 19
                LE Connection Complete
                  status 0x00 handle 64, role peripheral
                  bdaddr 00:11:22:33:44:55 (Public)
            2026-11-21 09:55:20.000004 > HCI Event: LE Meta Event (0x3e) plen 19
                LE Connection Complete
                  status 0x00 handle 64, role peripheral
                  bdaddr 00:11:22:33:44:55 (0x02)
            2026-11-21 09:55:20.000004 > HCI Event: Connect Complete (0x03) plen 11
                status 0x00 handle 12 bdaddr 00:11:22:33:44:55 type ACL encrypt 0x00
            2026-11-21 09:55:20.000005 > HCI Event: LE Meta Event (0x3e) plen 10
                LE Connection Update Complete
                  status 0x00 handle 2
                  interval 48.75ms, latency 5.00ms, superv. timeout 20000.00ms
            """)
        expect(
            hcidump.records.map(\.bytes),
            equals: [
                hex("2420 04 FB00 4808"), hex("0E 06 01 2420 00 4000"),
                hex("3E 13 01 00 4000 01 00 554433221100 0000 0000 0000 00"),
                Array("HCI Event: LE Meta Event (0x3e) plen 19".utf8),
                hex("03 0B 00 0C00 554433221100 01 00"), hex("3E 0A 03 00 0200 2700 0400 D007"),
            ])
    }

    @Test func theEndOfAControllerIsNoNote() {
        let reading = Self.reading(
            """
            = New Index: 00:AA:01:01:00:00 (Primary,Virtual,hci1)     [hci1] 0.1
            < HCI Command: Reset (0x03|0x0003) plen 0              #1 [hci1] 0.2
            = Close Index: 00:AA:01:01:00:00                          [hci1] 0.3
            = Delete Index: 00:AA:01:01:00:00                         [hci1] 0.4
            """)
        // net/bluetooth/hci_mon.h: HCI_MON_DEL_INDEX 1, HCI_MON_CLOSE_INDEX 9, HCI_MON_SYSTEM_NOTE 12.
        expect(
            reading.records.map(\.content),
            equals: [
                .monitor(opcode: 12), .packet(.command), .monitor(opcode: 9), .monitor(opcode: 1),
            ])
        expect(reading.records.dropFirst().map(\.bytes), equals: [hex("030C 00"), [], []])
        expect(reading.records.map(\.controller), equals: [1, 1, 1, 1])
    }

    /// Enhanced bearers: btmon has the length of an SDU, and a wrong one in segments after the first. hcidump has octets.
    @Test func enhancedBearers() {
        let btmon = Self.reading(
            """
            < ACL Data TX: Handle 64 flags 0x00 dlen 9                        #119 2.865642
                  Channel: 64 len 5 sdu 3 [PSM 39 mode Enhanced Credit (0x81)] {chan 0}
                  ATT: Read Request (0x0a) len 2
                    Handle: 0x0016
            > ACL Data RX: Handle 64 flags 0x02 dlen 11                       #120 2.865643
                  Channel: 64 len 7 sdu 7 [PSM 39 mode Enhanced Credit (0x81)] {chan 0}
                  ATT: Unknown (0x3f) len 4
                    40 41 42 43                                      @ABC
            """)
        expect(
            btmon.records.map(\.bytes),
            equals: [
                hex("4000 0900 0500 4000 0300 0A 1600"), hex("4020 0B00 0700 4000"),
            ])
        expect(btmon.records.map(\.missing), equals: [0, 7])
        let hcidump = Self.reading(
            """
            2026-11-21 09:55:20.000001 < ACL data: handle 64 flags 0x00 dlen 9
                L2CAP(d): cid 0x0040 len 5 [psm 0]
                  0000: 03 00 0a 16 00                                    .....
            2026-11-21 09:55:20.000002 > ACL data: handle 64 flags 0x02 dlen 12
                L2CAP(d): cid 0x0005 len 8 [psm 0]
                  0000: 16 01 04 00 40 00 01 00                           ....@...
            """)
        expect(
            hcidump.records.map(\.bytes),
            equals: [
                hex("4000 0900 0500 4000 0300 0A 1600"), hex("4020 0C00 0800 0500 16 01 0400 4000 0100"),
            ])
    }

    /// People cut the times off.
    @Test func aPacketNeedsNoTime() {
        let reading = Self.reading(
            """
            > ACL Data RX: Handle 3 flags 0x02 dlen 9                 
                  ATT: Handle Value Notification (0x1b) len 4
                    Handle: 0x000f
                      Data: 01ab
            > HCI Event: Disconnect Complete (0x05) plen 4
                    Status: Success (0x00)
                    Handle: 3
                    Reason: Connection Timeout (0x08)
            """)
        expect(
            reading.records.map(\.bytes), equals: [hex("0320 0900 0500 0400 1B 0F00 01AB"), hex("05 04 00 0300 08")])
        expect(reading.info?.cuts.map(\.kind), equals: [.noTimes])
    }

    @Test(arguments: ["=  x", ">  ", "@ ", "= ", "<   a"])
    func shortLinesDoNoHarm(line: String) {
        let padded = line.padding(toLength: 14, withPad: " ", startingAt: 0)
        let reading = Self.reading("< HCI Command: Reset (0x03|0x0003) plen 0   #1 0.1\n\(line)\n\(padded)\n")
        expect(reading.records.first?.bytes, equals: hex("030C 00"))
    }

    /// Fragments longer together than any frame.
    @Test func fragmentsOfTooLongAFrameAreLost() {
        let part = "> ACL Data RX: Handle 64 flags 0x02 dlen 65000   #1 0.1\n"
        let last = "> ACL Data RX: Handle 64 flags 0x01 dlen 65000   #2 0.2\n      ATT: Read Response (0x0b) len 1\n"
        expect(Self.reading(part + last).records.map(\.lost), equals: [1])
    }

    /// btmon prints the fields of a frame below its last fragment. The others are counted.
    /// Below the second packet there are no fields, and no third one continues it.
    @Test func aFragmentAtTheEndIsAPacketWithoutItsOctets() throws {
        let reading = Self.reading(
            """
            > HCI Event: Number of Completed Packets (0x13) plen 5   #1 [hci0] 1.000000
                    Num handles: 1
                    Handle: 64
                    Count: 1
            > ACL Data RX: Handle 64 flags 0x02 dlen 27              #2 [hci0] 2.500000

            """)
        expect(reading.records.count, equals: 2)
        let last = try #require(reading.records.last)
        expect(last.bytes, equals: hex("4020 1B00"))
        expect(last.missing, equals: 27)
        expect(last.time.nanoseconds, equals: 500_000_000)
    }

    @Test func aFrameInFragmentsIsWhole() {
        let reading = Self.reading(
            """
            > ACL Data RX: Handle 64 flags 0x02 dlen 7     #1 0.1
            > ACL Data RX: Handle 65 flags 0x02 dlen 6     #2 0.2
                  ATT: Read Response (0x0b) len 1
                    Value: 57
            > ACL Data RX: Handle 64 flags 0x01 dlen 4     #3 0.3
                  ATT: Handle Value Notification (0x1b) len 6
                    Handle: 0x0018
                      Data: 01020304
            """)
        expect(
            reading.records.map(\.bytes),
            equals: [
                hex("4120 0600 0200 0400 0B 57"), hex("4020 0B00 0700 0400 1B 1800 01020304"),
            ])
        expect(reading.records.map(\.frame), equals: [2, 3])
        expect(reading.records.map(\.missing), equals: [0, 0])
    }

    @Test func whatIsNotPrintedIsMissing() {
        let reading = Self.reading(
            """
            > ACL Data RX: Handle 64 flags 0x02 dlen 9     #1 0.1
                  ATT: Handle Value Notification (0x1b) len 4
                    Handle: 0x0018
            > HCI Event: LE Meta Event (0x3e) plen 48      #2 0.2
                  LE Extended Advertising Report (0x0d)
                    Num reports: 1
            """)
        expect(reading.records.map(\.missing), equals: [2, 0])
        expect(reading.records.first?.bytes, equals: hex("4020 0900 0500 0400 1B 1800"))
        // An event that nothing can be rebuilt of is a note.
        expect(reading.records.last?.content, equals: .monitor(opcode: 12))
        expect(reading.records.last?.bytes, equals: Array("HCI Event: LE Meta Event (0x3e) plen 48".utf8))
        expect(reading.info?.cuts.map(\.kind), equals: [.shortLines])
    }

    /// More octets than the packet has: the fields are of something else.
    @Test func fieldsThatDoNotFitAreNotTaken() {
        let reading = Self.reading(
            "> ACL Data RX: Handle 64 flags 0x02 dlen 6   #1 0.1\n      ATT: Read Response (0x0b) len 1\n        Value: 5758\n"
        )
        expect(reading.records.map(\.bytes), equals: [hex("4020 0600")])
        expect(reading.records.map(\.missing), equals: [6])
    }

    /// btmon counts the packets of each controller, and leaves the number out when it printed the same before.
    @Test func aGapInTheNumbersIsALoss() {
        let line = "< HCI Command: Reset (0x03|0x0003) plen 0   "
        let ends = ["#1 [hci0] 0.1", "#1 [hci1] 0.2", "#2 [hci0] 0.3", "[hci1] 0.4", "#6 [hci0] 0.5", "#3 [hci1] 0.6"]
        let reading = Self.reading(ends.map { "\(line)\($0)\n" }.joined())
        expect(reading.records.map(\.lost), equals: [0, 0, 0, 0, 3, 0])
        expect(reading.records.map(\.controller), equals: [0, 1, 0, 1, 0, 1])
    }

    @Test func linesBetweenAreNotes() {
        let reading = Self.reading(
            """
            Bluetooth monitor ver 5.66
            = Note: Linux version 6.1.0 (x86_64)                    0.043378
            = New Index: 00:00:00:00:00:00 (Primary,Virtual,hci0)   [hci0] 1.078233
            < HCI Command: Reset (0x03|0x0003) plen 0            #1 [hci0] 1.083086
            @ MGMT Event: Index Added (0x0004) plen 0       {0x0001} [hci0] 1.09
            """)
        expect(
            reading.records.map(\.content),
            equals: [
                .monitor(opcode: 12), .monitor(opcode: 12), .packet(.command), .monitor(opcode: 12),
            ])
        expect(reading.records.first?.bytes, equals: Array("Note: Linux version 6.1.0 (x86_64)".utf8))
    }

    @Test(arguments: ["> ", "&gt; ", "> > "])
    func aQuotedLogIsRead(mark: String) {
        let text = "> ACL Data RX: Handle 64 flags 0x02 dlen 5   #1 0.1\n      ATT: Write Response (0x13) len 0\n"
        let quoted = text.split(separator: "\n").map { "\(mark)\($0)\n" }.joined()
        expect(Self.reading(quoted).records.map(\.bytes), equals: [hex("4020 0500 0100 0400 13")])
    }

    /// btmon never writes this, but a quotation may change its mark.
    @Test func theWordShowsTheDirection() {
        let text = """
            > ACL Data TX: Handle 64 flags 0x00 dlen 9         #455 [hci0] 3459.390561
                  ATT: Error Response (0x01) len 4
                    Write Request (0x12)
                    Handle: 0x000d
                    Error: Write Not Permitted (0x03)
            """
        let records = Reading(Array(text.utf8)).records
        expect(records.map(\.direction), equals: [.tx])
        expect(records.map(\.bytes), equals: [hex("4000 0900 0500 0400 01 12 0D00 03")])
    }

    // MARK: btmon since 5.80

    private static let exchange = """
        bluetoothd[753]: < ACL Data TX: Handle 3585 flags 0x00 dlen 7     #23 [hci0] 7.089900
              ATT: Exchange MTU Request (0x02) len 2
                Client RX MTU: 517
        > ACL Data RX: Handle 3585 flags 0x02 dlen 7                      #24 [hci0] 7.125246
              ATT: Exchange MTU Response (0x03) len 2
                Server RX MTU: 110

        """

    @Test func hostLinesBeginWithTheProcess() {
        let reading = Self.reading(Self.exchange)
        expect(
            reading.records.map(\.bytes),
            equals: [hex("010E 0700 0300 0400 02 0502"), hex("012E 0700 0300 0400 03 6E00")])
        expect(reading.records.map(\.direction), equals: [.tx, .rx])
        expect(reading.records.map(\.lost), equals: [0, 0])
    }

    /// Since 5.86 data has the kind of its link, and long values are dumps.
    @Test(arguments: ["ACL", "LE-ACL", "BR-ACL"]) func dataHasTheKindOfItsLink(kind: String) {
        let reading = Self.reading(
            """
            < \(kind): Handle 64 flags 0x00 dlen 7                          #1 [hci0] 1.000000
                  ATT: Read Request (0x0a) len 2
                    Handle: 0x0003
            > \(kind): Handle 64 flags 0x02 dlen 25                         #2 [hci0] 1.060000
                  ATT: Handle Value Notification (0x1b) len 20
                    Handle: 0x0095
                      Data[18]:
                    01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10  ................
                    11 12                                            ..

            """)
        expect(
            reading.records.map(\.bytes),
            equals: [
                hex("4000 0700 0300 0400 0A 0300"),
                hex("4020 1900 1500 0400 1B 9500 0102030405060708090A0B0C0D0E0F101112"),
            ])
        #expect(reading.records.allSatisfy { $0.missing == 0 })
    }

    /// Lines of voice have numbers, and an excerpt begins with any number.
    @Test(arguments: ["ISO Data", "SCO Data"]) func voiceIsNoLoss(kind: String) {
        let text = """
            > ACL Data RX: Handle 64 flags 0x02 dlen 8                 #4020 [hci0] 0.000000
                  ATT: Handle Value Notification (0x1b) len 3
                    Handle: 0x0003
                      Data: 01
            < \(kind) TX: Handle 96 flags 0x02 dlen 44                 #4021 [hci0] 0.001000
            > \(kind) RX: Handle 96 flags 0x02 dlen 44                 #4022 [hci0] 0.002000
            > ACL Data RX: Handle 64 flags 0x02 dlen 8                 #4023 [hci0] 0.007000
                  ATT: Handle Value Notification (0x1b) len 3
                    Handle: 0x0003
                      Data: 02

            """
        let reading = Self.reading(text)
        #expect(reading.records.allSatisfy { $0.lost == 0 })
        expect(reading.records.filter { $0.content == .packet(.acl) }.map(\.bytes.last), equals: [1, 2])
    }

    /// Into a pipe btmon shortens the handle. Packets belong to the only connection; of two, nobody knows.
    @Test(arguments: [1, 2], ["< ACL Data TX: Handle..", "bluetoothd[2648]: < ACL Data TX: Ha.."])
    func aShortenedHandleIsThatOfTheOnlyConnection(connections: Int, start: String) {
        let connected = (0..<connections).map { index in
            """
            > HCI Event: LE Meta Event (0x3e) plen 19  #\(index + 1) [hci0] 2023-11-14 22:13:20.000000
                  LE Connection Complete (0x01)
                    Status: Success (0x00)
                    Handle: \(64 + index)
                    Role: Central (0x00)
                    Peer address type: Public (0x00)
                    Peer address: 11:22:33:44:55:66 (OUI 11-22-33)
                    Connection interval: 30.00 msec (0x0018)
                    Connection latency: 0 (0x0000)
                    Supervision timeout: 720 msec (0x0048)
                    Central clock accuracy: 0x00

            """
        }.joined()
        let reading = Self.reading(
            connected + """
                \(start) flags 0x00 dlen 7  #3 [hci0] 2023-11-14 22:13:20.001000
                      ATT: Read Request (0x0a) len 2
                        Handle: 0x0003

                """)
        if connections == 1 {
            expect(reading.records.last?.bytes, equals: hex("4000 0700 0300 0400 0A 0300"))
            expect(
                reading.info?.cuts.map(\.sentence),
                equals: [
                    "1 line has no connection handle (Handle..): it has that of the only connection"
                ])
        } else {
            expect(reading.records.last?.content, equals: .monitor(opcode: 12))
        }
    }
}
