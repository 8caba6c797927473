import AttlasCapture
import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasConversation

/// What `--hci` shows of the records of the Linux monitor and of PacketLogger that are no HCI packets.
@Suite struct MonitorRecordTests {
    private func text(_ content: Record.Content, _ octets: [UInt8]) -> String {
        var options = ConversationText.Options()
        options.showsHCI = true
        options.showsHex = true
        return printedLines(of: [Packet(content, .unknown, octets)]) { ConversationText(values: $0, options: options) }
    }

    private func text(_ opcode: UInt16, _ octets: String) -> String {
        let line = text(.monitor(opcode: opcode), hex(octets)).split(separator: "\n").first ?? ""
        guard let start = line.firstRange(of: "monitor ") else { return String(line) }
        return String(line[start.upperBound...])
    }

    private func object(_ content: Record.Content, _ octets: [UInt8]) -> String {
        printedLines(of: [Packet(content, .unknown, octets)]) {
            ConversationJSON(values: $0, showsHCI: true, file: nil)
        }
    }

    @Test(arguments: [
        (0, "00 01 060504030201 6863693000000000", #"New Index · "hci0" · primary · USB · 01:02:03:04:05:06"#),
        (1, "", "Delete Index"), (8, "", "Open Index"), (9, "", "Close Index"),
        (10, "060504030201 5900", "Index Info · 01:02:03:04:05:06 · Nordic Semiconductor ASA"),
        (11, "AABB", "Vendor Diagnostics · aa bb"),
        (12, "426C75655A00", #"System Note · "BlueZ""#),
        (13, "07 05 62746421 00 557000", #"User Logging · debug · "btd!" · "Up""#),
        (
            14, "01000000 0200 01 1700 01000000 05 62746D6E00",
            #"Control Open · MGMT "btmn" · Cookie 0x0001 · Version 1.23 · privileged"#
        ),
        (15, "01000000", "Control Close · Cookie 0x0001"),
        (16, "01000000 0500 01", "Control Command · Cookie 1 · Command Set Powered (0x0005) · Setting on"),
        (
            17, "01000000 0200 0500 0F",
            "Control Event · Cookie 1 · Event Command Status (0x0002) · Command Set Powered (0x0005) · "
                + "Status Not Powered (0x0F)"
        ),
        (20, "AA", "opcode 20 · aa"),
    ])
    func aRecordIsALine(opcode: UInt16, octets: String, line: String) {
        expect(text(opcode, octets), equals: line)
    }

    @Test func aRecordIsAnObject() {
        let note = object(.monitor(opcode: 12), hex("426C75655A00"))
        #expect(
            note.contains(#""opcode":12,"name":"System Note","length":6,"text":"BlueZ","parameters":"426c75655a"}"#))
        let event = object(.monitor(opcode: 17), hex("01000000 0200 0500 0F"))
        #expect(
            event.contains(
                #""event":{"code":"0x0002","name":"Command Status"},"command":{"code":"0x0005","name":"Set Powered"},"#
                    + #""status":{"code":"0x0f","name":"Not Powered"},"#))
        #expect(object(.monitor(opcode: 20), [0xAA]).contains(#""name":"opcode 20","length":1,"parameters":"aa""#))
    }

    /// Load Link Keys, Load Long Term Keys, PIN Code Reply, Add Remote Out Of Band Data, Set Privacy, Load Identity Resolving Keys, Load
    /// Blocked Keys; New Link Key, New Long Term Key, New Identity Resolving Key, New Signature Resolving Key, the result of Read Local
    /// Out Of Band Data.
    @Test(arguments: [
        (16, "1200 00 0100"), (16, "1300 0100"), (16, "1600 060504030201 00 10"), (16, "2100 060504030201 00"),
        (16, "2F00 01"), (16, "3000 0100"), (16, "4600 0100"), (17, "0900 01 060504030201 00 04"),
        (17, "0A00 01 060504030201 01 00"), (17, "1800 01 000000000000 060504030201 01"),
        (17, "1900 01 060504030201 01 00"), (17, "0100 2000 00"),
    ])
    func keysAreWithheld(opcode: UInt16, octets: String) {
        let octets = hex("01000000 \(octets) A1A2A3A4A5A6A7A8A9AAABACADAEAFB0")
        for count in [octets.count, octets.count - 1] {
            for output in [
                text(.monitor(opcode: opcode), Array(octets.prefix(count))),
                object(.monitor(opcode: opcode), Array(octets.prefix(count))),
            ] {
                let digits = output.lowercased().filter { $0 != " " }
                #expect(!digits.contains("a1a2"))
                #expect(!digits.contains("\"parameters\":"))
            }
        }
    }

    /// Where none was distributed, the octets are present.
    @Test func packetsWithoutKeysHaveTheirOctets() {
        #expect(object(.monitor(opcode: 16), hex("01000000 0500 01")).contains(#""parameters":"01000000050001""#))
        #expect(text(.monitor(opcode: 16), hex("01000000 0500 01")).contains("01 00 00 00 05 00 01\n"))
    }

    // MARK: Text

    private static let long = String(repeating: "a long note, ", count: 400)

    @Test func textIsWhole() {
        let octets = Array(Self.long.utf8)
        for content in [Record.Content.monitor(opcode: 12), .packetLogger(PacketLoggerType(rawValue: 0xFC))] {
            #expect(text(content, octets).contains(Self.long))
            #expect(object(content, octets).contains(Self.long))
        }
    }

    @Test func textCannotSteerATerminal() {
        let octets = Array("a\u{1B}[31m\u{202E}b".utf8) + [0xFF]
        for content in [Record.Content.monitor(opcode: 12), .packetLogger(PacketLoggerType(rawValue: 0xFC))] {
            #expect(text(content, octets).contains("a\\u{1B}[31m\\u{202E}b\u{FFFD}"))
            #expect(object(content, octets).contains("a\\u001b[31m\\u202eb\u{FFFD}"))
        }
    }

    @Test func aRecordThatEndsEarlyIsAFault() {
        #expect(text(0, "00 01 0605").contains("✗ Address: the value ends within the field"))
        #expect(text(16, "0100").contains("✗ Cookie"))
    }
}
