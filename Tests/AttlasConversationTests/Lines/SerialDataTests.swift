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
        #expect(objects[0].hasSuffix(#""rfcomm_channel":10,"length":4,"value":"41542b0d"}"#), "\(objects)")
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
        #expect(objects(packets).first?.hasSuffix(#""psm":"0x1001","length":2,"value":"0102"}"#) ?? false)
        // AVDTP is a protocol of Bluetooth.
        expect(objects(link(psm: "1900") + [.frame(.rx, channel: 0x40, hex("01 02"))]), equals: [])
    }
}
