import AttlasCapture
import AttlasTestSupport
import AttlasTrace
import AttlasValues
import AttlasWire
import Foundation
import Testing

@testable import AttlasConversation

/// The lines of connections captured from the air.
@Suite struct ConversationAirTests {
    private let air = Air()
    private static let withPackets: ConversationText.Options = {
        var options = ConversationText.Options()
        options.showsHCI = true
        return options
    }()

    private func text(_ packets: [Packet]) -> [Substring] {
        let text = printedLines(of: [air.connect()] + packets) { ConversationText(values: $0, options: .init()) }
        return Array(text.split(separator: "\n").dropFirst())
    }

    private func json(_ packets: [Packet]) throws -> [[String: Any]] {
        try printedLines(of: [air.connect()] + packets) { ConversationJSON(values: $0, showsHCI: false, file: nil) }
            .split(separator: "\n").dropFirst()
            .map { try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]) }
    }

    // MARK: Instants

    /// 7.5 ms and 5 s from event 10 on, data channels 0 to 7, LE 2M to the peripheral. Core Specification, Vol 6, Part B, 5.1.1,
    /// 5.1.2 and 5.1.10.
    @Test(arguments: [
        (
            "00 01 0000 0600 0000 F401 0A00", "parameters announced · interval 7.5 ms · timeout 5 s",
            "parameters updated · interval 7.5 ms · timeout 5 s",
            "parameters not in force · interval 7.5 ms · timeout 5 s"
        ),
        (
            "01 FF00000000 0A00", "channel map announced · 8 channels: 0–7", "channel map updated · 8 channels: 0–7",
            "channel map not in force · 8 channels: 0–7"
        ),
        (
            "18 02 00 0A00", "PHY announced · to the peripheral LE 2M",
            "PHY updated · to the peripheral LE 2M · from it LE 1M", "PHY not in force · to the peripheral LE 2M"
        ),
    ])
    func instants(pdu: String, announced: String, updated: String, missed: String) {
        let announcement = air.control(.tx, sn: 0, nesn: 0, pdu, event: 9)
        let lines = text([announcement, air.data(.tx, 1, sn: 1, nesn: 0, channel: 6, event: 10)])
        expect(lines.count, equals: 2)
        #expect(lines.first?.hasSuffix("\(announced) · at event 10") == true)
        #expect(lines.last?.hasSuffix(updated) == true)
        #expect(text([announcement]).last?.hasSuffix("\(missed) · nothing was captured from event 10 on") == true)
    }

    @Test func instantsInJSON() throws {
        let announcement = air.control(.tx, sn: 0, nesn: 0, "18 02 00 0A00", event: 9)
        let lines = try json([announcement])
        expect(lines.map { $0["event"] as? String }, equals: ["announced", "not_reached"])
        for line in lines {
            #expect(line["instant"] as? Int == 10)
            #expect(line["phy"] as? [String: String] == ["tx": "LE 2M"])
        }
        let reached = try json([announcement, air.data(.tx, 1, sn: 1, nesn: 0, channel: 6, event: 10)])
        expect(reached.map { $0["event"] as? String }, equals: ["announced", "updated"])
        #expect(reached.last?["phy"] as? [String: String] == ["tx": "LE 2M", "rx": "LE 1M"])
    }

    // MARK: Isochronous streams

    /// CIS_ID 2 of CIG_ID 1: LLID 0b00 with SN and CIE, then a Null PDU with NESN. Core Specification, Vol 6, Part B, 2.6.
    @Test func connectedIsochronousStreams() throws {
        var stream = air
        stream.accessAddress = hex("44332211")
        let packets = [
            air.control(.tx, sn: 0, nesn: 0, "1F 01 02" + String(repeating: "00", count: 33)),
            air.control(.tx, sn: 1, nesn: 0, "21 44332211 000000 000000 000000 0000"),
            stream.data(.tx, 0x10, sn: 1, nesn: 0, [1, 2, 3], channel: nil),
            stream.data(.rx, 0x40, sn: 0, nesn: 1, channel: nil),
        ]
        let text = printedLines(of: [air.connect()] + packets) {
            ConversationText(values: $0, options: Self.withPackets)
        }.split(separator: "\n")
        let address = "Access Address 0x11223344"
        #expect(
            text.contains {
                $0.hasSuffix(
                    "CIS Data PDU · of connection 1 · cig id 1 · cis id 2 · sn 1 · nesn 0 · cie 1 · sdu end or whole · payload octets 3 · \(address)"
                )
            })
        #expect(
            text.contains {
                $0.hasSuffix("CIS Null PDU · of connection 1 · cig id 1 · cis id 2 · sn 0 · nesn 1 · \(address)")
            })
        let json = printedLines(of: [air.connect()] + packets) {
            ConversationJSON(values: $0, showsHCI: true, file: nil)
        }.split(separator: "\n").last { $0.contains("CIS Null PDU") }
        let line = try #require(
            try JSONSerialization.jsonObject(with: Data((json ?? "").utf8)) as? [String: Any])
        #expect(line["cis_id"] as? Int == 2)
        #expect(line["nesn"] as? Int == 1)
    }

    /// CSSN 1 with CSTF, data; the control subevent's BIG_TERMINATE_IND with the reason 0x13 at 10, and BIG_CHANNEL_MAP_IND. 2.7.
    @Test func broadcastIsochronousStreams() {
        let pdu = hex("07 53 24 00 22 2C \(Audio.bigInfo) \(Audio.announcement)")
        func stream(_ octets: String) -> Packet { Packet(.air(RadioInfo()), .unknown, hex(octets + "000000")) }
        let text = printedLines(of: [
            Air().advertising("47 1C 1B 29 6655443322C1 2310 0000 5000 FFFFFFFF1F 44332211 AABBCC 0000", channel: 12),
            Packet(.air(RadioInfo()), .unknown, hex("44332211") + pdu + linkLayerCRC(pdu, initial: 0xCC_BBAA)),
            stream("785632EF 2402 AABB"), stream("78569010 0304 01 13 0A00"),
            stream("78569010 0308 00 FF00000000 0A00"), stream("78569010 0302 01 13"),
        ]) { ConversationText(values: $0, options: Self.withPackets) }.split(separator: "\n").suffix(4)
        let expected = [
            "BIS Data PDU · train 1 · bis 1 · cssn 1 · cstf 1 · sdu end or whole · payload octets 2",
            "BIG_TERMINATE_IND · train 1 · bis 0 · cssn 0 · reason Remote User Terminated Connection (0x13) · instant 10",
            "BIG_CHANNEL_MAP_IND · train 1 · bis 0 · cssn 0 · channels 8 · channel map 0–7 · instant 10",
            "BIG Control PDU · train 1 · bis 0 · cssn 0",
        ]
        for (line, words) in zip(text, expected) {
            #expect(line.contains(words), "\(line)")
        }
    }

    // MARK: Periodic advertising

    /// AUX_ADV_IND with SyncInfo, then AUX_SYNC_IND and AUX_CHAIN_IND, which share one Complete Local Name. Core Specification, Vol 6,
    /// Part B, 2.3.1.6 and 2.3.1.7.
    private var train: [Packet] {
        func part(_ pdu: String, _ milliseconds: Double, _ name: RadioInfo.AuxiliaryPDU? = nil) -> Packet {
            var radio = RadioInfo()
            radio.channel = 12
            radio.auxiliaryPDU = name
            if name != nil { radio.kind = .auxiliaryAdvertising }
            let octets = hex(pdu)
            let packet = Packet(
                .air(radio), .unknown, hex("44332211") + octets + linkLayerCRC(octets, initial: 0xCC_BBAA))
            return packet.at(milliseconds: milliseconds)
        }
        return [
            air.advertising(
                "47 1C 1B 29 6655443322C1 2310 0000 5000 FFFFFFFF1F 44332211 AABBCC 0000", channel: 12, time: 0),
            part("07 0A 04 10 0C6420 06 09 41 42 43", 100, .auxSyncInd), part("07 03 00 44 45", 101),
        ]
    }

    @Test func periodicAdvertisingIsJoined() throws {
        let text = printedLines(of: train) { ConversationText(values: $0, options: Self.withPackets) }
        let lines = text.split(separator: "\n").suffix(3).map { $0.dropFirst(16) }
        expect(
            lines,
            equals: [
                // As the sniffer names it, or does not.
                "AUX_SYNC_IND · channel 12 · Access Address 0x11223344",
                "periodic advertising · channel 12 · Access Address 0x11223344",
                "periodic advertising · C1:22:33:44:55:66 random-static · SID 1 · \"ABCDE\"",
            ])
        let json = printedLines(of: train) { ConversationJSON(values: $0, showsHCI: true, file: nil) }
        let last = try #require(json.split(separator: "\n").last)
        #expect(last.contains(#""type":"advertising","frame":3,"frames":[2,3]"#))
        #expect(
            last.contains(#""pdu":"periodic advertising","channel":12,"train":1,"sid":1,"address":"C1:22:33:44:55:66""#)
        )
        #expect(last.contains(#""name":"ABCDE""#) && last.hasSuffix(#""data":"06094142434445"}"#))
    }

    private struct LayersSink: EventSink {
        var values: ValueInterpreter
        var record: KeptRecord?
        var fields: [String] = []

        var wantsPackets: Bool { true }

        mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
            guard let record, case .air = event.detail else { return }
            fields = PacketLayers(record, event, &values, in: trace).fields.map { "\($0.name) \($0.value)" }
        }
    }

    /// An advertising PDU, not a data PDU.
    @Test func theLayersOfPeriodicAdvertising() {
        var trace = Trace()
        var sink = Interpreted(library: .shipped) { LayersSink(values: $0) }
        var maker = RecordMaker()
        for packet in train.dropLast() {
            maker.make(packet) { record in
                sink.sink.record = KeptRecord(record)
                trace.decode(record, into: &sink)
            }
        }
        let fields = sink.sink.fields
        #expect(fields.contains("PDU Type AUX_SYNC_IND or AUX_CHAIN_IND (0x7)"))
        #expect(fields.contains("AD Structure Complete Local Name") || fields.contains("AdvData "))
        #expect(!fields.contains { $0.hasPrefix("LLID") || $0.hasPrefix("L2CAP") })
    }

    /// Without `--hci`, and without the chain's end, no line.
    @Test func partsOfPeriodicAdvertisingAlone() {
        let quiet = printedLines(of: train) { ConversationText(values: $0, options: .init()) }
        #expect(!quiet.contains("periodic"))
        let cut = printedLines(of: train.dropLast()) { ConversationText(values: $0, options: Self.withPackets) }
        #expect(!cut.contains("SID"))
        // A bit of the chain is wrong.
        var damaged = train
        damaged[2].octets[8] ^= 1
        let text = printedLines(of: damaged) { ConversationText(values: $0, options: Self.withPackets) }
        #expect(!text.contains("SID") && text.contains("periodic advertising · bad CRC"))
    }
}
