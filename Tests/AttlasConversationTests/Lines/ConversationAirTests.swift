import AttlasTestSupport
import AttlasWire
import Foundation
import Testing

@testable import AttlasConversation

/// The lines of connections captured from the air.
@Suite struct ConversationAirTests {
    private let air = Air()

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
}
