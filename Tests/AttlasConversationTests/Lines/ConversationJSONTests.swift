import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasConversation

@Suite struct ConversationJSONTests {
    /// Temperature Measurement at handle 3: flags that announce a time stamp, and 7 octets of it missing or not.
    private static let discovery: [Packet] = [
        .connected(), .att(.tx, "08 0100 FFFF 0328"), .att(.rx, "09 07 0200 08 0300 1C2A"),
    ]

    /// Each PDU that carries one value, as the capture cut it: there is one fault on the line, that of the capture.
    @Test(arguments: ["D2 0300 02 6E0100FF E507", "52 0300 02 6E0100FF", "12 0300 02 6E0100FF", "1B 0300 02 6E0100FF"])
    func aCutValueHasOneFault(pdu: String) throws {
        let octets = hex(pdu)
        let signature: [UInt8] = octets[0] == 0xD2 ? Array(1...12) : []
        let direction = octets[0] == 0x1B ? Direction.rx : .tx
        let whole = octets + signature
        for length in max(4, octets[0] == 0xD2 ? 15 : 0)..<whole.count {
            let packet = Packet.frame(
                direction, channel: 4, Array(whole[..<length]), missing: whole.count - length)
            let lines = printedLines(of: Self.discovery + [packet]) {
                ConversationJSON(values: $0, showsHCI: false, file: nil)
            }
            let line = try #require(lines.split(separator: "\n").last { $0.contains(#""type":"att""#) })
            #expect(String(line).components(#""fault":"#) == 1, "\(length) octets: \(line)")
            #expect(line.contains(#""limited_by":"captured length""#))
            // The signature is at the end.
            #expect(!line.contains("sign_counter"))
        }
    }

    /// The same in full: a value that ends within its time stamp, with no fault of the PDU.
    @Test func aShortValueHasOneFault() throws {
        let packet = Packet.att(.tx, "D2 0300 02 6E0100FF E507 01000000 0102030405060708")
        let lines = printedLines(of: Self.discovery + [packet]) {
            ConversationJSON(values: $0, showsHCI: false, file: nil)
        }
        let line = try #require(lines.split(separator: "\n").last)
        #expect(String(line).components(#""fault":"#) == 1)
        #expect(line.contains(#""limited_by":"value length""#))
        #expect(line.contains(#""sign_counter":1,"#))
    }
}
