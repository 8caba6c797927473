import AttlasDissection
import AttlasTestSupport
import AttlasTrace
import AttlasValues
import AttlasWire
import Testing

@testable import AttlasConversation

/// Mesh PDUs with the NetKeys that were given. The octets are the sample data of Mesh Protocol 1.1, 8.
@Suite struct MeshTests {
    private func output<Sink: LineSink>(
        _ packets: [Packet], key: UInt128?, ivIndex: UInt32?, _ makeSink: (ValueInterpreter) -> Sink
    ) -> [String] {
        var trace = Trace()
        if let key { trace.addNetKey(key, ivIndex: ivIndex) }
        var sink = Interpreted(library: .shipped, makeSink)
        trace.decode(packets, into: &sink)
        return sink.sink.lines.string.split(separator: "\n").map(String.init)
    }

    /// From the name of the PDU on.
    private func lines(_ packets: [Packet], key: UInt128? = Mesh.netKey, ivIndex: UInt32? = nil) -> [String] {
        output(packets, key: key, ivIndex: ivIndex) {
            ConversationText(values: $0, options: ConversationText.Options())
        }
        .map { line in
            let name = line.range(of: "Mesh ") ?? line.range(of: "PB-ADV")
            return line[(name?.lowerBound ?? line.startIndex)...].split(separator: " ").joined(separator: " ")
        }
    }

    private func objects(_ packets: [Packet], key: UInt128? = Mesh.netKey, ivIndex: UInt32? = nil) -> [String] {
        output(packets, key: key, ivIndex: ivIndex) { ConversationJSON(values: $0, showsHCI: false, file: nil) }
    }

    private let network = "network 3ECAFF672F673370 · IV Index 0x12345678"

    /// The IV Index is that of the beacon, or the one before it.
    @Test func aNetworkAndItsBeacon() throws {
        let packets = [Mesh.advertisement(0x2B, Mesh.beacon)] + Mesh.messages.map { Mesh.advertisement(0x2A, $0) }
        expect(
            lines(packets),
            equals: [
                "Mesh Beacon Secure Network beacon · \(network) · authentication right",
                "Mesh Network PDU 0x1201 → 0xFFFD · TTL 0 · SEQ 1 · Friend Request · 4b 50 05 7e 40 00 00 01 00 00 · \(network)",
                "Mesh Network PDU 0x2345 → 0x1201 · TTL 0 · SEQ 83992 · Friend Offer · 32 03 08 ba 07 2f · \(network)"
                    .replacing("83992", with: "\(0x014820)"),
                "Mesh Network PDU 0x0003 → 0x1201 · TTL 4 · SEQ \(0x3129AB) · access · device key · segment 0 of 0 to 1, SeqZero 2475 · "
                    + "ee 9d dd fd 21 69 32 6d 23 f3 af df · \(network)",
                "Mesh Network PDU 0x2345 → 0x0003 · TTL 11 · SEQ \(0x014835) · Segment Acknowledgment · SeqZero 2475, segments "
                    + "0x00000002, on behalf of a low-power node · \(network)",
                "Mesh Network PDU 0x1234 → 0xFFFF · TTL 3 · SEQ \(0x070809) · access · application key, AID 0x26 · "
                    + "9c 98 03 e1 10 fe a9 29 e9 54 2d · network 3ECAFF672F673370 · IV Index 0x12345677",
                "Mesh Network PDU 0x1234 → 0x9736 · TTL 3 · SEQ \(0x07080D) · access · application key, AID 0x26 · segment 0 of 0 to 1, "
                    + "SeqZero 2061, TransMIC of 64 bits · c3 c5 1d 8e 47 6b 28 e3 aa 50 01 f3 · network 3ECAFF672F673370 · "
                    + "IV Index 0x12345677",
            ])
        let objects = objects(packets)
        expect(objects.count, equals: 7)
        #expect(
            objects[0].hasSuffix(
                #""mesh":{"pdu":"secure network beacon","network_id":"0x3ecaff672f673370","iv_index":305419896,"#
                    + #""iv_update":false,"key_refresh":false,"authentication":"valid"}}"#), "\(objects[0])")
        #expect(
            objects[1].hasSuffix(
                #""mesh":{"pdu":"network","network_id":"0x3ecaff672f673370","iv_index":305419896,"ctl":true,"ttl":0,"seq":1,"#
                    + #""src":"0x1201","dst":"0xfffd","seg":false,"opcode":"0x03","opcode_name":"Friend Request","#
                    + #""payload":"4b50057e400000010000"}}"#), "\(objects[1])")
        #expect(
            objects[3].hasSuffix(
                #""seg":true,"akf":false,"aid":0,"szmic":false,"seq_zero":2475,"seg_o":0,"seg_n":1,"#
                    + #""payload":"ee9dddfd2169326d23f3afdf"}}"#), "\(objects[3])")
    }

    @Test func theIVIndexIsGiven() {
        #expect(
            lines([Mesh.advertisement(0x2A, Mesh.messages[1])], ivIndex: 0x1234_5678).first?.contains("Friend Offer")
                == true)
    }

    /// What does not open stays unknown, with the reason.
    @Test func whatStaysSealed() {
        let message = Mesh.advertisement(0x2A, Mesh.messages[0])
        expect(
            lines([message], key: 1),
            equals: ["Mesh Network PDU NID 0x68 · not decrypted: no NetKey with this NID was given"])
        expect(
            lines([message]),
            equals: [
                "Mesh Network PDU NID 0x68 · not decrypted: the IV Index is not known: no beacon before, and none was given with the NetKey"
            ])
        expect(
            lines([message], ivIndex: 7),
            equals: [
                "Mesh Network PDU NID 0x68 · not decrypted: NetMIC is wrong with the NetKey that was given: another key, or another IV Index"
            ])
        #expect(
            objects([message], ivIndex: 7).first?.contains(
                #""mesh":{"pdu":"network","nid":104,"not_decrypted":"NetMIC"#) == true)
        // Without a key nothing is said of mesh.
        expect(lines([message], key: nil), equals: [])
        expect(objects([message], key: nil), equals: [])
    }

    /// A beacon of another network, and one that somebody changed: neither has the IV Index of this one.
    @Test func beaconsThatAreNotTrusted() {
        let message = Mesh.advertisement(0x2A, Mesh.messages[0])
        let beacon = Mesh.advertisement(0x2B, Mesh.beacon)
        let changed = Mesh.advertisement(0x2B, String(Mesh.beacon.dropLast()) + "0")
        expect(
            lines([beacon], key: 1),
            equals: [
                "Mesh Beacon Secure Network beacon · \(network) · not checked: no NetKey of this network was given"
            ])
        expect(
            lines([changed]), equals: ["Mesh Beacon Secure Network beacon · \(network) · ✗ Authentication Value wrong"])
        #expect(lines([changed, message]).last?.contains("the IV Index is not known") == true)
    }

    /// 8.4.6.1, 8.4.2; a beacon that is cut; PB-ADV.
    @Test func otherPDUs() {
        let hidden = Mesh.advertisement(0x2B, "02435f18f85cf78a3121f58478a561e488e7cbf3174f022a514741")
        expect(
            lines([hidden], key: 0xF7A2_A44F_8E8A_8029_064F_173D_DC1E_2B00),
            equals: ["Mesh Beacon Mesh Private beacon · network FF046958233DB014 · IV Index 0x1010ABCD · IV Update"])
        expect(
            lines([hidden]),
            equals: ["Mesh Beacon Mesh Private beacon · not opened: of none of the NetKeys that were given"])
        expect(
            lines([Mesh.advertisement(0x2B, "0070cf7c9732a345b691494810d2e9cbf44020d36b25b8")]),
            equals: [
                "Mesh Beacon Unprovisioned Device beacon · Device UUID 70cf7c9732a345b691494810d2e9cbf4 · OOB Information 0x4020 · "
                    + "URI Hash 0xD36B25B8"
            ])
        expect(
            lines([Mesh.advertisement(0x2B, "0100")]),
            equals: ["Mesh PDU ✗ mesh beacon incomplete, needs 22 octets, has 2"])
        expect(
            lines([Mesh.advertisement(0x29, "23AFDE01 80 08 0041 D3 0302")]),
            equals: [
                "PB-ADV link 0x23AFDE01 · transaction 128 · Transaction Start · 65 octets in segments 0 to 2 · 03 02"
            ])
    }

    /// 8.9.1, in one Proxy PDU and in two segments, and a Network PDU for a proxy client. 6.3.
    @Test func proxyPDUs() throws {
        let key: UInt128 = 0xD1AA_FB2A_1A3C_281C_BDB0_E960_EDFA_D852
        let discovery: [Packet] = [
            .connected(), .att(.tx, "04 0300 0500"), .att(.rx, "05 01 0300 DD2A 0400 0328 0500 DE2A"),
        ]
        let message = "10386bd60efbbb8b8c28512e792d3711f4b526"
        let whole = discovery + [.att(.tx, "52 0300 02\(message)")]
        let text = "0x0001 → 0x0000 · TTL 0 · SEQ 1 · proxy configuration · 00 00 · network "
        #expect(lines(whole, key: key, ivIndex: 0x1234_5678).last?.contains(text) == true)
        let parts =
            discovery + [.att(.tx, "52 0300 42\(message.prefix(20))"), .att(.tx, "52 0300 C2\(message.dropFirst(20))")]
        #expect(lines(parts, key: key, ivIndex: 0x1234_5678).last?.contains(text) == true)
        let object = try #require(objects(whole, key: key, ivIndex: 0x1234_5678).last)
        #expect(object.contains(#""mesh":{"pdu":"network","#), "\(object)")
        #expect(object.hasSuffix(#""proxy_configuration":true,"payload":"0000"}}"#), "\(object)")
        // The beacon has the IV Index of what follows.
        let received = discovery + [.att(.rx, "1B 0500 01\(Mesh.beacon)"), .att(.rx, "1B 0500 00\(Mesh.messages[1])")]
        let lines = lines(received)
        #expect(lines.dropLast().last?.contains("authentication right") == true)
        #expect(lines.last?.contains("0x2345 → 0x1201 · TTL 0") == true)
    }
}
