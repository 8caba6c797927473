import AttlasMetrics
import AttlasTestSupport
import Testing

@testable import AttlasDocuments

/// What `attlas keys` lists. The sample data of Core Specification, Vol 3, Part H, D.7: ah(IRK, 0x708194) is 0x0DFBAA.
@Suite struct KeysDocumentTests {
    private static let irk = "9B7D390A A610103405ADC857 A33402EC"
    private static let ltk = "00112233445566778899AABBCCDDEEFF"

    private let packets: [Packet] = [
        .connected(),
        // LE Enable Encryption on handle 0x0040: Random_Number, EDIV, the key.
        .command("19 20 1C 4000 0000000000000000 0000 \(ltk)"),
        .frame(.rx, channel: 6, hex("08 \(irk)")), .frame(.rx, channel: 6, hex("09 00 01E364C4A5F2")),
        .frame(.rx, channel: 6, hex("0A \(ltk)")),
        // LE Add Device To Resolving List with the same key, and a local key of 0.
        .command("27 20 27 00 01E364C4A5F2 \(irk) 00000000000000000000000000000000"),
        // Link Key Notification.
        .event("18 17 665544332211 \(ltk) 04"),
    ]

    private var model: KeysModel { document(of: packets) { _ in KeysCollector() } }

    private func text(showsValues: Bool) throws -> String {
        let model = model
        return try printed { output in
            var text = KeysText(model, showsValues: showsValues, width: nil, isColoured: false)
            text.write(file: nil, into: &output)
        }
    }

    @Test func eachKeyIsListedOnce() throws {
        expect(
            model.keys.map { "\($0.kind.rawValue) \($0.frame) \($0.device?.description ?? "-")" },
            equals: [
                "LTK 2 F2:F2:F2:F2:F2:F2", "IRK 3 F2:A5:C4:64:E3:01", "CSRK 5 F2:F2:F2:F2:F2:F2",
                "link key 7 11:22:33:44:55:66",
            ])
        expect(model.keys[0].connections.count, equals: 1)
    }

    @Test func valuesAreWithheld() throws {
        let text = try text(showsValues: false)
        #expect(text.contains("LTK of F2:F2:F2:F2:F2:F2"))
        #expect(text.contains("withheld"))
        #expect(!text.lowercased().contains("ec0234a3"))
        let json = try printed { output in
            var json = KeysJSON(model, showsValues: false)
            json.write(file: "a", into: &output)
        }
        #expect(json.contains(#""withheld":true"#) && !json.contains("ec0234a3"))
    }

    /// Most significant octet first as the specification prints it; the opposite on the wire and, in base64, in Home Assistant.
    @Test func octetOrders() throws {
        let text = try text(showsValues: true)
        #expect(text.contains("(--ltk, --irk): ec0234a357c8ad05341010a60a397d9b\n"))
        #expect(text.contains("least significant octet first: 9b7d390aa610103405adc857a33402ec\n"))
        #expect(text.contains("Home Assistant, base64: m305CqYQEDQFrchXozQC7A==\n"))
        #expect(text.contains("0xec0234a357c8ad05341010a60a397d9b\n"))
    }

    /// What `--keys` reads: other kinds are comments.
    @Test func theFileForKeys() {
        expect(
            model.keys.map(\.line),
            equals: [
                "ltk ffeeddccbbaa99887766554433221100\n",
                "irk ec0234a357c8ad05341010a60a397d9b=F2:A5:C4:64:E3:01/public\n",
                "# CSRK ffeeddccbbaa99887766554433221100=F2:F2:F2:F2:F2:F2/random\n",
                "# link key ffeeddccbbaa99887766554433221100=11:22:33:44:55:66/public\n",
            ])
    }
}
