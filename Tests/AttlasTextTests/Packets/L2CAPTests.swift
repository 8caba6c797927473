import AttlasDefinitionFiles
import AttlasDefinitions
import AttlasDissection
import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasConversation

/// What is shown of signalling and of the SDUs of channels. Core Specification, Vol 3, Part A.
@Suite struct L2CAPTests {
    private func lines(_ packets: [Packet], _ library: DissectorLibrary = .shipped) -> [String] {
        var options = ConversationText.Options()
        options.showsHCI = true
        return decoded(packets, library: library) { ConversationText(values: $0, options: options) }.lines.string
            .split(separator: "\n").map(String.init)
    }

    private func objects(_ packets: [Packet]) -> [String] {
        decoded(packets) { ConversationJSON(values: $0, showsHCI: true, file: nil) }.lines.string
            .split(separator: "\n").map(String.init)
    }

    /// A connection over BR/EDR. Vol 4, Part E, 7.7.3.
    private static let classic = Packet.event("03 0B 00 4000 \(Address.strap) 01 00")

    /// The host's end has `source`, the peer's end `destination`. 4.2 and 4.3.
    private static func opened(psm: String, source: String = "4000", destination: String = "4100") -> [Packet] {
        [
            .frame(.tx, channel: 1, hex("02 01 0400 \(psm) \(source)")),
            .frame(.rx, channel: 1, hex("03 01 0800 \(destination) \(source) 0000 0000")),
        ]
    }

    // MARK: Configuration

    /// 5.1 to 5.7: the text of an option, and its members.
    @Test(arguments: [
        ("01 02 A002", "mtu 672", #""mtu":672"#),
        ("02 02 1400", "flush timeout 20 ms", #""flush_timeout_us":20000"#),
        ("02 02 FFFF", "flush timeout infinite", #""flush_timeout":"infinite""#),
        (
            "03 16 00 01 E8030000 00040000 D0070000 10270000 FFFFFFFF",
            "service type best effort · token rate 1000 · token bucket size 1024 · peak bandwidth 2000 · access latency 10 ms",
            #""peak_bandwidth":2000,"access_latency_us":10000,"delay_variation_us":4294967295"#
        ),
        (
            "04 09 03 08 03 D007 E02E F203",
            "mode enhanced retransmission · tx window size 8 · max transmit 3 · retransmission timeout 2 s · "
                + "monitor timeout 12 s · mps 1010",
            #""mode":"enhanced retransmission","tx_window_size":8,"max_transmit":3,"retransmission_timeout_us":2000000"#
        ),
        ("05 01 01", "fcs 16-bit", #""fcs":"16-bit""#),
        (
            "06 10 01 02 A002 10270000 204E0000 30750000",
            "flow identifier 1 · flow service type guaranteed · max sdu size 672",
            #""sdu_inter_arrival_time_us":10000,"flow_access_latency_us":20000,"flow_flush_timeout_us":30000"#
        ),
        ("07 02 0001", "max window size 256", #""max_window_size":256"#),
        // A hint is an option like the others.
        ("81 02 A002", "mtu 672", #""mtu":672"#),
        ("55 01 AA", "other options 1", #""other_options":1"#),
        ("01 01 AA", "other options 1", #""other_options":1"#),
        ("04 09 03", "other options 1", #""other_options":1"#),
    ])
    func anOptionHasItsName(option: String, text: String, members: String) throws {
        let octets = hex("4100 0000 \(option)")
        let request = Packet.frame(.tx, channel: 1, hex("04 02") + [UInt8(octets.count), 0] + octets)
        let line = try #require(lines([Self.classic, request]).last)
        #expect(line.contains("Configuration Request · destination cid 0x0041 · \(text)"), "\(line)")
        let object = try #require(objects([Self.classic, request]).last)
        #expect(object.contains(members), "\(object)")
    }

    @Test func aResponseHasItsResult() throws {
        let response = Packet.frame(.rx, channel: 1, hex("05 02 0A00 4000 0000 0100 01 02 A002"))
        let line = try #require(lines([Self.classic, response]).last)
        #expect(line.contains("source cid 0x0040 · result Failure - unacceptable parameters · mtu 672"), "\(line)")
    }

    /// No key comes twice.
    @Test func anOptionThatIsRepeatedIsCounted() throws {
        let octets = hex("4100 0000") + Array(repeating: hex("01 02 A002"), count: 40).flatMap(\.self)
        let request = Packet.frame(.tx, channel: 1, hex("04 02") + [UInt8(octets.count), 0] + octets)
        let object = try #require(objects([Self.classic, request]).last)
        #expect(object.contains(#""mtu":672,"other_options":39,"#), "\(object)")
    }

    // MARK: Protocols

    @Test func aPSMHasItsName() {
        let lines = lines([Self.classic] + Self.opened(psm: "0100"))
        #expect(lines.contains { $0.contains("Connection Request · psm 0x0001 SDP · source cid 0x0040") }, "\(lines)")
        let objects = objects([Self.classic] + Self.opened(psm: "0110"))
        #expect(objects.contains { $0.contains(#""psm":"0x1001","source_cid""#) })
        // 4.22
        let enhanced = self.objects([
            .connected(), .frame(.tx, channel: 5, hex("17 01 0A00 2700 4000 4000 0100 4000")),
        ])
        #expect(enhanced.contains { $0.contains(#""spsm":"0x0027","psm_name":"EATT","#) })
    }

    @Test(arguments: [
        (
            "0100", "06 00 01 00 0F 35 03", "PSM 0x0001 SDP",
            "Service Search Attribute Request · Transaction ID 0x0001 · Parameter Length 15 octets",
            #""header":{"pdu":"Service Search Attribute Request","transaction_id":1,"parameter_length":15},"#
        ),
        (
            "0300", "0B EF 05 41", "PSM 0x0003 RFCOMM", "UIH · DLCI 2 · Information Length 2 octets",
            #""dlci":2,"frame_type":"UIH","length_ea":1,"information_length":2},"#
        ),
        (
            "1900", "10 01", "PSM 0x0019 AVDTP", "Command · AVDTP_DISCOVER · Transaction Label 1",
            #""header":{"message_type":"Command","packet_type":"single","transaction_label":1,"signal_identifier":"AVDTP_DISCOVER"},"#
        ),
    ])
    func anSDUHasItsHeader(psm: String, sdu: String, name: String, text: String, members: String) throws {
        let packets = [Self.classic] + Self.opened(psm: psm) + [.frame(.tx, channel: 0x41, hex(sdu))]
        let line = try #require(lines(packets).last { $0.contains("SDU · ") })
        #expect(line.contains("SDU · \(name) · channel 0x0040 · \(hex(sdu).count) octets · \(text)"), "\(line)")
        #expect(!line.contains("unexplained"))
        let object = try #require(objects(packets).last { $0.contains(#""type":"l2cap""#) })
        #expect(object.contains(members), "\(object)")
        #expect(!object.contains("unexplained"))
    }

    /// AVDTP, 5.4: the second channel is a stream.
    @Test func mediaHaveNoHeader() throws {
        let packets =
            [Self.classic] + Self.opened(psm: "1900")
            + Self.opened(psm: "1900", source: "4200", destination: "4300")
            + [.frame(.tx, channel: 0x43, hex("80 60 0001"))]
        let line = try #require(lines(packets).last)
        #expect(line.hasSuffix("PSM 0x0019 AVDTP · channel 0x0042 · 4 octets"), "\(line)")
        #expect(try !#require(objects(packets).last).contains("header"))
        let signal = packets + [.frame(.tx, channel: 0x41, hex("10 01"))]
        #expect(try #require(lines(signal).last).contains("AVDTP_DISCOVER"))
    }

    @Test func aHeaderThatIsCutIsAFault() throws {
        let packets = [Self.classic] + Self.opened(psm: "0100") + [.frame(.tx, channel: 0x41, hex("06 00"))]
        #expect(try #require(lines(packets).last).contains("✗ Transaction ID: the value ends within the field"))
        #expect(try #require(objects(packets).last).contains(#""fault":{"layer":"l2cap","reason":"Transaction ID"#))
    }

    @Test func aVendorsSDUsHaveTheirDefinition() throws {
        let yaml = "l2cap-sdus: [{ psm: 0x0080, name: Upload, fields: [{ name: Counter, type: uint8 }] }]"
        let loader = DefinitionLoader([DefinitionSource(path: "upload.yaml", text: yaml)], above: .shipped)
        expect(loader.mistakes.map(\.description), equals: [])
        let packets: [Packet] = [
            .connected(), .frame(.tx, channel: 5, hex("14 01 0A00 8000 4000 0001 4000 0200")),
            .frame(.rx, channel: 5, hex("15 01 0A00 5500 6400 4000 0300 0000")),
            .frame(.tx, channel: 0x55, hex("0300 07BBCC")),
        ]
        let line = try #require(lines(packets, .shipped.adding(loader.files)).last { $0.contains("SDU · ") })
        #expect(
            line.hasSuffix("SDU · PSM 0x0080 Upload · channel 0x0040 · 3 octets · 2 credits left · Counter 7"),
            "\(line)")
    }
}
