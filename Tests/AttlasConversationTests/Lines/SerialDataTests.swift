import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasConversation

/// What a device sends over RFCOMM, or on a dynamic PSM.
@Suite struct SerialDataTests {
    /// A BR/EDR link with a channel: host 0x0040, peer 0x0041.
    private func link(psm: String) -> [Packet] {
        [
            .event("03 0B 00 4000 1371DA7D1A00 01 00"), .frame(.tx, channel: 1, hex("02 01 0400 \(psm) 4000")),
            .frame(.rx, channel: 1, hex("03 01 0800 4100 4000 0000 0000")),
        ]
    }

    private func lines(_ packets: [Packet]) -> [String] {
        printedLines(of: packets) { ConversationText(values: $0, options: .init()) }.split(separator: "\n")
            .map(String.init).filter { $0.contains(" Data ") }
    }

    private func objects(_ packets: [Packet]) -> [String] {
        printedLines(of: packets) { ConversationJSON(values: $0, showsHCI: false, file: nil) }.split(separator: "\n")
            .map(String.init).filter { $0.contains(#""type":"serial""#) }
    }

    @Test func dataOverRFCOMM() {
        let packets =
            link(psm: "0300") + [
                .frame(.tx, channel: 0x41, hex("53 3F 01 9A")),
                .frame(.rx, channel: 0x40, hex("51 FF 09 07 41 54 2B 0D 9A")),
                .frame(.tx, channel: 0x41, hex("53 FF 01 07 9A")),
            ]
        let lines = lines(packets)
        expect(lines.count, equals: 1)
        #expect(lines[0].contains("RFCOMM channel 10") && lines[0].contains("4 octets  41 54 2b 0d"), "\(lines)")
        let objects = objects(packets)
        expect(objects.count, equals: 1)
        #expect(
            objects[0].hasSuffix(#""rfcomm_channel":10,"server":"peer","length":4,"value":"41542b0d"}"#), "\(objects)")
    }

    /// The check is not data.
    @Test func dataThatTheCaptureCut() {
        func frame(_ octets: String, missing: Int) -> [Packet] {
            link(psm: "0300") + [.start(.rx, octets, missing: missing)]
        }
        #expect(objects(frame("0700 4000 09EF0741", missing: 3)).first?.contains(#""length":1,"cut":true,"#) ?? false)
        #expect(
            objects(frame("0700 4000 09EF07414243", missing: 1)).first?.contains(#""length":3,"value":"414243"}"#)
                ?? false)
    }

    @Test func dataOfADynamicPSM() {
        let packets = link(psm: "0110") + [.frame(.rx, channel: 0x40, hex("01 02"))]
        #expect(
            objects(packets).first?.hasSuffix(#""psm":"0x1001","server":"peer","length":2,"value":"0102"}"#) ?? false)
        // AVDTP is a protocol of Bluetooth.
        expect(objects(link(psm: "1900") + [.frame(.rx, channel: 0x40, hex("01 02"))]), equals: [])
    }

    /// A record of Vol 3, Part B, 5.1: Serial Port over L2CAP and RFCOMM, Server Channel 5, "Dev B".
    private let record =
        "3525 3523 090001 3503 191101 090004 350C 3503 190100 3505 190003 0805 090100 2505 4465762042"

    /// The link with a channel for SDP, 0x0042 and 0x0043.
    private var withSDP: [Packet] {
        link(psm: "0300") + [
            .frame(.tx, channel: 1, hex("02 02 0400 0100 4200")),
            .frame(.rx, channel: 1, hex("03 02 0800 4300 4200 0000 0000")),
        ]
    }

    /// DLCI 10 belongs to the other side than who asked for the channel, 11 to this one. RFCOMM, 5.4.
    private let data: [Packet] = [
        .frame(.rx, channel: 0x40, hex("29 EF 05 41 42 00")), .frame(.rx, channel: 0x40, hex("2D EF 05 41 42 00")),
    ]

    @Test func channelOfAService() {
        let packets = withSDP + [.frame(.rx, channel: 0x42, hex("07 0001 002A 0027 \(record) 00"))] + data
        let lines = lines(packets)
        #expect(lines.first?.contains("Serial Port (RFCOMM channel 5)") ?? false, "\(lines)")
        #expect(lines.last?.contains(" RFCOMM channel 5 of this host") ?? false, "\(lines)")
        #expect(
            objects(packets).first?.contains(#""service":{"uuid":"1101","name":"Serial Port"},"name":"Serial Port""#)
                ?? false)
    }

    @Test func listOfServicesInParts() {
        let octets = hex(record)
        let packets =
            withSDP + [
                .frame(.rx, channel: 0x42, hex("07 0001 0019 0014") + octets[..<20] + hex("02 0102")),
                .frame(.rx, channel: 0x42, hex("07 0002 0016 0013") + octets[20...] + hex("00")),
            ] + data
        #expect(lines(packets).first?.contains("Serial Port (") ?? false)
    }

    /// A client may ask for another list before it has all of one. What comes then is of no list that is known.
    @Test func listThatWasDropped() {
        let part = hex("07 0001 0019 0014") + hex(record)[..<20] + hex("02 0102")
        let whole = hex("07 0002 002A 0027 \(record) 00")
        let packets =
            withSDP + [.frame(.rx, channel: 0x42, part), .frame(.rx, channel: 0x42, whole)] + data
        #expect(lines(packets).first?.contains(" RFCOMM channel 5 ") ?? false)
    }
}
