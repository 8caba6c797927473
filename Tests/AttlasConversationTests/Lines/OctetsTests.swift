import AttlasCapture
import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasConversation

/// The octets of each kind of packet: below its line with `--hex`, and as a member in JSON.
@Suite struct OctetsTests {
    /// The lines of `--hci --hex`.
    private func lines(_ packets: [Packet]) -> [String] {
        var options = ConversationText.Options()
        options.showsHCI = true
        options.showsHex = true
        return printedLines(of: packets) { ConversationText(values: $0, options: options) }.split(separator: "\n")
            .map { String($0.drop { $0 == " " }) }
    }

    /// The line below the last one that contains `text`.
    private func octets(below text: String, _ packets: [Packet]) -> String? {
        let lines = lines(packets)
        guard let index = lines.lastIndex(where: { $0.contains(text) }), index + 1 < lines.count else { return nil }
        return lines[index + 1]
    }

    private func objects(_ packets: [Packet]) -> [String] {
        printedLines(of: packets) { ConversationJSON(values: $0, showsHCI: true, file: nil) }.split(separator: "\n")
            .map(String.init)
    }

    private func expectOctets(
        _ member: String, _ packets: [Packet], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let objects = objects(packets)
        #expect(objects.contains { $0.contains(member) }, "\(objects)", sourceLocation: sourceLocation)
    }

    // MARK: HCI

    @Test func commandsAndEvents() {
        expect(octets(below: "HCI command", [.command("0604 03 4000 13")]), equals: "06 04 03 40 00 13")
        expect(octets(below: "HCI event", [.event("13 05 01 4000 0300")]), equals: "13 05 01 40 00 03 00")
    }

    /// LE Enable Encryption, Vol 4, Part E, 7.8.24, and Link Key Notification, 7.7.24.
    @Test func packetsWithKeysHaveNone() {
        let key = "A1A2A3A4A5A6A7A8A9AAABACADAEAFB0"
        let packets: [Packet] = [
            .command("1920 1C 4000 0102030405060708 3412 \(key)"), .event("18 17 \(Address.strap) \(key) 04"),
        ]
        expect(lines(packets).count, equals: 2)
    }

    @Test func advertisingAndData() {
        expect(octets(below: "advertising", [.advertisement([0x02, 0x01, 0x06])]), equals: "02 01 06")
        let synchronous = Packet(.packet(.synchronous), .rx, hex("4000 03 010203"))
        expect(octets(below: "synchronous data", [synchronous]), equals: "40 00 03 01 02 03")
        expectOctets(#""length":6,"data":"400003010203""#, [synchronous])
    }

    /// A lone beginning of a frame makes no connection.
    @Test func dataOfAHandleThatNeverConnected() {
        let packet = Packet.start(.rx, "0800 4000 AABB")
        expectOctets(#""length":10,"data":"402006000800"#, [packet])
        let key = Packet.start(.rx, "1100 0600 06 A1A2A3A4")
        #expect(!objects([key]).joined().contains("a1a2"))
        #expect(!lines([key]).joined().contains("a1 a2"))
    }

    // MARK: L2CAP

    @Test func framesAndSignals() {
        // Vol 3, Part A, 4.22: SPSM 0x0080, Source CID 0x0040, MTU 100, MPS 100, 1 credit; then an SDU of 3 octets.
        let packets: [Packet] = [
            .connected(), .frame(.tx, channel: 5, hex("14 01 0A00 8000 4000 6400 6400 0100")),
            .frame(.rx, channel: 5, hex("15 01 0A00 4100 6400 6400 0100 0000")),
            .frame(.tx, channel: 0x41, hex("0300 AABBCC")),
        ]
        expect(
            octets(below: "LE Credit Based Connection Request", packets),
            equals: "14 01 0a 00 80 00 40 00 64 00 64 00 01 00")
        expect(octets(below: "L2CAP · channel 0x0041", packets), equals: "03 00 aa bb cc")
        expect(octets(below: "SDU · PSM", packets), equals: "aa bb cc")
        expectOctets(#""initial_credits":1,"parameters":"80004000640064000100""#, packets)
        expectOctets(#""channel":"0x0041","length":5,"payload":"0300aabbcc""#, packets)
    }

    /// Two commands in one frame of BR/EDR: each has its own octets.
    @Test func eachOfSeveralCommandsHasItsOwn() {
        let packets: [Packet] = [
            .event("03 0B 00 4000 \(Address.strap) 01 00"),
            .frame(.tx, channel: 1, hex("08 01 0200 AABB 0A 02 0200 0200")),
        ]
        expect(octets(below: "Echo Request", packets), equals: "08 01 02 00 aa bb")
        expect(octets(below: "Information Request", packets), equals: "0a 02 02 00 02 00")
    }

    // MARK: SMP

    @Test func pairingWithoutItsKeys() {
        let key = "A1A2A3A4A5A6A7A8A9AAABACADAEAFB0"
        let pdus = ["0C \(key)\(key)\(key)\(key)", "0D \(key)", "05 03"]
        for pdu in pdus {
            let packets: [Packet] = [.connected(), .frame(.tx, channel: 6, hex(pdu))]
            let digits = pdu.lowercased().filter { $0 != " " }
            expect(octets(below: "SMP", packets)?.filter { $0 != " " }, equals: digits)
            expectOctets("\"parameters\":\"\(digits.dropFirst(2))\"", packets)
        }
        for code in ["03", "04", "06", "08", "0A"] {
            let packets: [Packet] = [.connected(), .frame(.tx, channel: 6, hex(code + key))]
            #expect(lines(packets).last?.contains("SMP") == true)
            #expect(!objects(packets).joined().contains("a1a2"))
        }
    }

    // MARK: ATT

    @Test func everyATTLineHasItsPDU() {
        let packets: [Packet] = [.connected(), .att(.tx, "02 F700"), .att(.rx, "03 4001")]
        expect(octets(below: "Exchange MTU", packets), equals: "03 40 01")
        let discovery: [Packet] = [.connected(), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "01 10 0100 0A")]
        expect(octets(below: "no more", discovery), equals: "01 10 01 00 0a")
    }

    // MARK: The air

    /// Vol 6, Part B, 2.3.3.1 and 2.4.2.13: LL_VERSION_IND of Bluetooth 5.4 by company 0x0059, then an ATT Read Request.
    @Test func controlPDUsOfTheAir() {
        func packet(_ kind: RadioInfo.Channel?, _ accessAddress: String, _ pdu: String, _ initial: UInt32) -> Packet {
            var radio = RadioInfo()
            radio.channel = kind == nil ? 37 : 5
            if let kind { radio.kind = kind }
            let octets = hex(pdu)
            return Packet(
                .air(radio), kind == nil ? .unknown : .tx,
                hex(accessAddress) + octets + linkLayerCRC(octets, initial: initial))
        }
        let packets = [
            packet(
                nil, "D6BE898E",
                "4522 0A0B0C0D0EC6 112233445566 78563412 563412 01 0000 1800 0000 4800 FFFFFFFF1F 27", 0x55_5555),
            packet(.data, "78563412", "03 06 0C 0D 5900 0100", 0x12_3456),
            packet(.data, "78563412", "0A 07 0300 0400 0A 0300", 0x12_3456),
        ]
        expect(octets(below: "LL_VERSION_IND", packets), equals: "03 06 0c 0d 59 00 01 00")
        expectOctets(#""octets":"03060c0d59000100""#, packets)
        let objects = objects(packets)
        #expect(objects.contains { $0.contains("LL data") })
        #expect(!objects.contains { $0.contains("LL data") && $0.contains("octets") })
    }
}
