import AttlasMetrics
import AttlasTestSupport
import AttlasTrace
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

    // MARK: Short Term Keys

    private static let named = "9078563412EFCDAB 7424"
    private static let unnamed = "0000000000000000 0000"

    /// Pairing Request and Response with LE Secure Connections of these sides; then LE Enable Encryption.
    private func kinds(secure: (Bool, Bool)?, failed: Bool = false, name: String) -> [String] {
        let pairing: [Packet] =
            secure.map { initiator, responder in
                [
                    .frame(.tx, channel: 6, hex("01 03 00 \(initiator ? "09" : "01") 10 01 01")),
                    .frame(.rx, channel: 6, hex("02 03 00 \(responder ? "09" : "01") 10 01 01")),
                ]
            } ?? []
        let end: [Packet] = failed ? [.frame(.rx, channel: 6, hex("05 04"))] : []
        let packets = [.connected()] + pairing + end + [.command("19 20 1C 4000 \(name) \(Self.ltk)")]
        return document(of: packets) { _ in KeysCollector() }.keys.map(\.kind.rawValue)
    }

    /// Rand and EDIV are 0 with a Short Term Key, and with a key from LE Secure Connections. Vol 3, Part H, 2.4.4 and 2.4.4.1.
    @Test func aShortTermKeyNeedsALegacyPairing() {
        expect(kinds(secure: (false, false), name: Self.unnamed), equals: ["STK"])
        expect(kinds(secure: (true, false), name: Self.unnamed), equals: ["STK"])
        expect(kinds(secure: (true, true), name: Self.unnamed), equals: ["LTK"])
        expect(kinds(secure: (false, false), name: Self.named), equals: ["LTK"])
        expect(kinds(secure: (false, false), failed: true, name: Self.unnamed), equals: ["LTK"])
        expect(kinds(secure: nil, name: Self.unnamed), equals: ["LTK"])
    }

    /// The peripheral's host is asked for the key. Vol 4, Part E, 7.7.65.5 and 7.8.25.
    @Test(arguments: [(unnamed, "STK"), (named, "LTK")]) func theKeyOfAPeripheral(name: String, kind: String) {
        let packets: [Packet] = [
            .connected(role: 1), .frame(.rx, channel: 6, hex("01 03 00 01 10 01 01")),
            .frame(.tx, channel: 6, hex("02 03 00 01 10 01 01")), .event("3E 0D 05 4000 \(name)"),
            .command("1A 20 12 4000 \(Self.ltk)"),
        ]
        let keys = document(of: packets) { _ in KeysCollector() }.keys
        expect(keys.map(\.kind.rawValue), equals: [kind])
        expect(keys.first?.connections.count, equals: 1)
    }

    private func onTheAir(_ temporaryKeys: UInt128...) -> KeysModel {
        var trace = Trace()
        for key in temporaryKeys { trace.addTemporaryKey(key) }
        var collector = KeysCollector()
        let extent = trace.decode(Air().legacyPairing, as: RecordMaker(), into: &collector)
        trace.finish(into: &collector)
        return collector.finish(in: trace, CaptureIntegrity(extent, in: trace))
    }

    private func print(_ model: KeysModel) throws -> String {
        try printed { output in
            var text = KeysText(model, showsValues: false, width: nil, isColoured: false)
            text.write(file: nil, into: &output)
        }
    }

    @Test func theShortTermKeyOfAPairingOnTheAir() throws {
        let model = onTheAir(123_456)
        expect(model.keys.map(\.line), equals: ["# STK, of one connection\nltk 2590f2fdf631d6e3604326780e48e978\n"])
        #expect(
            try print(model).hasPrefix(
                "STK of 66:55:44:33:22:11 public · frame 11, computed from the pairing · encrypts 1 connection · decrypts 2 packets\n"
            ))
        #expect(model.unread.isEmpty)
    }

    @Test func aPairingThatLacksThePasskey() throws {
        expect(
            try print(onTheAir()),
            equals: """
                No keys in this capture.
                connection 1 · frame 11: encrypted with the key of the pairing, of which only the passkey is missing: give it with --tk

                """)
        #expect(
            try print(onTheAir(123_457)).contains("frame 11: encrypted with the key of the pairing, and the passkey"))
        let json = try printed { output in
            var json = KeysJSON(onTheAir(123_457), showsValues: false)
            json.write(file: "a", into: &output)
        }
        #expect(json.contains(#""unread":[{"connection":1,"frame":11,"decryption":"wrong Temporary Key"}]"#))
    }

    // MARK: Link keys and signatures

    /// HCI_Write_Stored_Link_Key and HCI_Return_Link_Keys; the second key of the event is cut. Vol 4, Part E, 7.3.9 and 7.7.21.
    @Test func storedLinkKeys() {
        let packets: [Packet] = [
            .command("11 0C 17 01 665544332211 \(Self.ltk)"),
            .event("15 17 01 665544332212 FF112233445566778899AABBCCDDEEFF"),
            .event("15 18 02 665544332213 FE112233445566778899AABBCCDDEEFF 66"),
            // A controller that keeps its keys to itself.
            .event("15 17 01 665544332214 00000000000000000000000000000000"),
        ]
        expect(
            document(of: packets) { _ in KeysCollector() }.keys.map {
                "\($0.kind.rawValue) \($0.frame) \($0.source) \($0.device?.description ?? "-")"
            },
            equals: [
                "link key 1 Write Stored Link Key 11:22:33:44:55:66", "link key 2 Return Link Keys 12:22:33:44:55:66",
                "link key 3 Return Link Keys 13:22:33:44:55:66",
            ])
    }

    /// The signature of BlueZ's test of its cryptography, and one with another octet. Vol 3, Part H, 2.4.5.
    @Test func signedWritesAreVerified() throws {
        let packets: [Packet] = [
            .connected(), .frame(.tx, channel: 6, hex("0A 505E42DF9691EC72D31FCDFBEB641B61")),
            .att(.tx, "D2 1200 1337 01000000 F1871E933C900FF2"), .att(.tx, "D2 1200 1338 01000000 F1871E933C900FF2"),
        ]
        let model = document(of: packets) { _ in KeysCollector() }
        expect(model.keys.map(\.signedWrites), equals: [1])
        #expect(try print(model).contains(" · verifies 1 signed write\n"))
    }
}
