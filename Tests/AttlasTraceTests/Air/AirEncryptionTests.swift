import AttlasCapture
import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasTrace

/// Encrypted links, with the sample data of the Core Specification, Vol 6, Part C, 1.
@Suite struct AirEncryptionTests {
    private static let longTermKey: UInt128 = 0x4C68_3841_39F5_74D8_36BC_F34E_9DFB_01BF
    private static let skd: UInt128 = 0x0213_2435_4657_6879_ACBD_CEDF_E0F1_0213
    private static let sessionKey: UInt128 = 0x99AD_1B52_26A3_7E3E_058E_3B8E_27C2_C666
    private static let iv: UInt64 = 0xDEAF_BABE_BADC_AB24

    /// LL_START_ENC_RSP of each side, then a data packet of each.
    private static let packets: [(header: UInt8, counter: UInt64, isCentral: Bool, encrypted: String, plain: String)] =
        [
            (0x0F, 0, true, "9F CDA7F448", "06"),
            (0x07, 0, false, "A3 4C13A415", "06"),
            (
                0x0E, 1, true, "7A70D664 15226DF2 6B17839A 06040559 6BD6564F 796B5B9C E6FF32 F75A6D33",
                "17006364 65666768 696A6B6C 6D6E6F70 71313233 34353637 383930"
            ),
            (
                0x06, 1, false, "F38881E7 BD94C9C3 69B9A668 46DD4786 AA8C39CE 540D0DAE 3ADCDF 89B96088",
                "17003736 35343332 31304142 43444546 4748494A 4B4C4D4E 4F5051"
            ),
        ]

    @Test func sessionKey() {
        expect(AddressHash.e(Self.longTermKey, Self.skd), equals: Self.sessionKey)
    }

    @Test(arguments: 0..<4) func decryption(index: Int) {
        let packet = Self.packets[index]
        let cipher = LinkLayerCipher(longTermKey: Self.longTermKey, skd: Self.skd, iv: Self.iv)
        var output: [UInt8] = []
        func decrypt(_ payload: [UInt8], header: UInt8, counter: UInt64, fromCentral: Bool) -> Bool {
            cipher.decrypt(
                Bytes(payload.span), header: header, counter: counter, fromCentral: fromCentral, into: &output)
        }
        let payload = hex(packet.encrypted)
        #expect(decrypt(payload, header: packet.header, counter: packet.counter, fromCentral: packet.isCentral))
        expect(output, equals: hex(packet.plain))
        // NESN, SN and MD are not authenticated; all else is.
        #expect(decrypt(payload, header: packet.header ^ 0x1C, counter: packet.counter, fromCentral: packet.isCentral))
        #expect(!decrypt(payload, header: packet.header ^ 0x01, counter: packet.counter, fromCentral: packet.isCentral))
        #expect(!decrypt(payload, header: packet.header, counter: packet.counter + 1, fromCentral: packet.isCentral))
        #expect(!decrypt(payload, header: packet.header, counter: packet.counter, fromCentral: !packet.isCentral))
        for place in payload.indices {
            var wrong = payload
            wrong[place] ^= 0x10
            #expect(!decrypt(wrong, header: packet.header, counter: packet.counter, fromCentral: packet.isCentral))
        }
    }

    /// The octets 00, 01, 02, … from the peripheral, as OpenSSL's AES-CCM encrypts them under the sample's session key.
    @Test(arguments: [
        (15, "8C26191A C536781E 0DFF45AD B30848 914167E1"),
        (16, "8C26191A C536781E 0DFF45AD B3084817 30844CDC"),
        (17, "8C26191A C536781E 0DFF45AD B3084817 6F BEE807FA"),
        (32, "8C26191A C536781E 0DFF45AD B3084817 6F6F5403 165EB062 2CA9DAEE 87334E64 A727FE98"),
    ])
    func payloadsAboutAsLongAsABlock(length: Int, encrypted: String) {
        let cipher = LinkLayerCipher(sessionKey: Self.sessionKey, iv: Self.iv)
        var output: [UInt8] = []
        let isRight = cipher.decrypt(
            Bytes(hex(encrypted).span), header: 0x02, counter: 0x12_3456_789A, fromCentral: false, into: &output)
        #expect(isRight)
        expect(output, equals: (0..<length).map { UInt8($0) })
    }

    // MARK: A link

    private let air = Air()

    /// The sample's LL_ENC_REQ and LL_ENC_RSP, then the four encrypted packets. The L2CAP frames hold no ATT PDU that the
    /// specification defines: the sample's octets are what they are.
    private var link: [Packet] {
        [
            air.connect(),
            air.control(.tx, sn: 0, nesn: 0, "03 9078563412EFCDAB 7424 1302F1E0DFCEBDAC 24ABDCBA"),
            air.control(.rx, sn: 0, nesn: 1, "04 7968574635241302 BEBAAFDE"),
            air.control(.rx, sn: 1, nesn: 1, "05"),
            air.control(.tx, sn: 1, nesn: 0, "9F CDA7F448"),
            air.control(.rx, sn: 0, nesn: 0, "A3 4C13A415"),
            air.data(.tx, 2, sn: 0, nesn: 1, hex(Self.packets[2].encrypted)),
            air.data(.rx, 2, sn: 1, nesn: 1, hex(Self.packets[3].encrypted)),
        ]
    }

    private func decode(_ packets: [Packet], _ configure: (inout Trace) -> Void) -> Recorder {
        var trace = Trace()
        configure(&trace)
        return AttlasTraceTests.decode(packets, with: &trace)
    }

    private let made = "connection 1 1 12345678 made 66:55:44:33:22:11 LE central 24/0/72"
    private let began = "connection 4 1 12345678 encryption true Success"

    @Test func aKeyThatWasGiven() {
        let recorder = decode(link) { $0.addLongTermKey(Self.longTermKey) }
        expect(
            recorder.lines("connection"),
            equals: [
                made, began, "connection 5 1 12345678 decryption active(\(Self.source).given)",
            ])
        // 0x6463 is the channel of the sample's frames.
        expect(
            recorder.lines("l2cap").map { $0.prefix(27) },
            equals: [
                "l2cap 7 tx channel 6463 656", "l2cap 8 rx channel 3637 353",
            ])
        expect(
            recorder.lines("air").map { $0.split(separator: " ")[3] }[4...5],
            equals: ["LL_START_ENC_RSP", "LL_START_ENC_RSP"])
    }

    private static let source = "AttlasTrace.Decryption.KeySource"

    @Test func keysOfOtherDevicesAreNotTried() {
        let peripheral = BluetoothAddress(0x6655_4433_2211, isRandom: false)
        let central = BluetoothAddress(0xC60E_0D0C_0B0A, isRandom: true)
        let stranger = BluetoothAddress(0xC60E_0D0C_0B0B, isRandom: true)
        for (device, isIts) in [(peripheral, true), (central, true), (stranger, false)] {
            let recorder = decode(link) { $0.addLongTermKey(Self.longTermKey, peer: device) }
            expect(recorder.lines("l2cap").count, equals: isIts ? 2 : 0)
            #expect(recorder.lines("connection").last?.hasSuffix(isIts ? ".given)" : "noKey") == true)
        }
    }

    @Test func aWrongKeyIsSaidToBeWrong() {
        let recorder = decode(link) { $0.addLongTermKey(Self.longTermKey ^ 1) }
        expect(recorder.lines("connection"), equals: [made, began, "connection 5 1 12345678 decryption wrongKey"])
        #expect(recorder.lines("l2cap").isEmpty)
        #expect(recorder.lines("air").suffix(2).allSatisfy { $0.hasSuffix(" encrypted") })
    }

    @Test func withoutAKeyNothingIsDecoded() {
        let recorder = decode(link) { _ in }
        expect(recorder.lines("connection"), equals: [made, began, "connection 5 1 12345678 decryption noKey"])
        #expect(recorder.lines("l2cap", "fault").isEmpty)
    }

    /// The second of two keys is the right one.
    @Test func severalKeys() {
        let recorder = decode(link) {
            $0.addLongTermKey(1)
            $0.addLongTermKey(Self.longTermKey)
        }
        expect(recorder.lines("l2cap").count, equals: 2)
        #expect(!recorder.lines("connection").contains { $0.hasSuffix("wrongKey") })
    }

    /// The packets between were missed: the counter of the sample's data packets is 1, not 0.
    @Test func countersSurviveMissedPackets() {
        var packets = link
        packets.removeSubrange(4...5)
        let recorder = decode(packets) { $0.addLongTermKey(Self.longTermKey) }
        expect(recorder.lines("l2cap").count, equals: 2)
    }

    /// LL_START_ENC_REQ was missed: the first encrypted PDU tells.
    @Test func theStartMayBeMissed() {
        var packets = link
        packets.remove(at: 3)
        let recorder = decode(packets) { $0.addLongTermKey(Self.longTermKey) }
        expect(recorder.lines("l2cap").count, equals: 2)
        expect(recorder.lines("connection")[1], equals: "connection 4 1 12345678 encryption true Success")
    }

    @Test(arguments: [1, 2]) func withoutTheRequestOrItsAnswerNoKeyHelps(missed: Int) {
        var packets = link
        packets.remove(at: missed)
        let recorder = decode(packets) { $0.addLongTermKey(Self.longTermKey) }
        #expect(recorder.lines("l2cap").isEmpty)
        #expect(recorder.lines("connection").last?.hasSuffix("decryption noSessionKey") == true)
    }

    /// EDIV and Rand are 0 for a key of LE Secure Connections. Vol 3, Part H, 2.4.4.
    @Test func secureConnectionsAreRefusedWithTheReason() {
        var packets = link
        packets[1] = air.control(.tx, sn: 0, nesn: 0, "03 0000000000000000 0000 1302F1E0DFCEBDAC 24ABDCBA")
        let recorder = decode(packets) { _ in }
        expect(recorder.lines("connection").last, equals: "connection 5 1 12345678 decryption secureConnections")
        expect(decode(packets) { $0.addLongTermKey(Self.longTermKey) }.lines("l2cap").count, equals: 2)
    }

    /// An LTK that was distributed earlier in the capture, found by EDIV and Rand. Vol 3, Part H, 3.6.2 and 3.6.3.
    @Test func aDistributedKey() {
        func smp(_ sn: Int, _ pdu: String) -> Packet {
            let octets = hex(pdu)
            return air.data(.rx, 2, sn: sn, nesn: 0, little(octets.count) + little(6) + octets)
        }
        var second = air
        second.accessAddress = hex("99887766")
        let bonding = [
            air.connect(), smp(0, "06 BF01FB9D4EF3BC36D874F5394138684C"), smp(1, "07 7424 9078563412EFCDAB"),
            air.control(.tx, sn: 0, nesn: 0, "02 13"),
        ]
        let recorder = decode(bonding + link) { _ in }
        #expect(recorder.lines("connection").last?.hasSuffix("decryption active(\(Self.source).distributed)") == true)
        expect(recorder.lines("l2cap").count, equals: 4)
    }

    /// What is already decrypted by the sniffer is taken as it is.
    @Test func theSnifferMayHaveDecrypted() {
        var sniffer = air
        sniffer.radio.crc = .ok
        sniffer.radio.isDecrypted = true
        let recorder = decode(link.prefix(6) + [sniffer.att(.tx, sn: 0, nesn: 1, "0A 0300")]) { _ in }
        expect(recorder.lines("att"), equals: ["att 7 tx 0A peer 0003"])
    }

    /// It says that the link is encrypted, when the beginning of that was missed.
    @Test func whatTheSnifferDecryptedWasEncrypted() {
        var sniffer = air
        sniffer.radio.crc = .ok
        sniffer.radio.isDecrypted = true
        let recorder = decode([air.connect(), sniffer.att(.tx, sn: 0, nesn: 0, "0A 0300")]) { _ in }
        expect(
            recorder.lines("connection", "att"),
            equals: [
                made, "connection 2 1 12345678 encryption true Success", "att 2 tx 0A peer 0003",
            ])
    }

    /// An encrypted connection of which the capture has no beginning: frames that make no sense are none.
    @Test func encryptedBeforeTheCapture() {
        let packets = (0..<4).map { index in
            air.data(.tx, 2, sn: index & 1, nesn: 0, hex(Self.packets[2].encrypted).map { $0 ^ UInt8(index) })
        }
        let recorder = decode(packets) { $0.addLongTermKey(Self.longTermKey) }
        expect(recorder.lines("connection").last, equals: "connection 3 1 12345678 decryption begunBefore")
        #expect(recorder.lines("att").isEmpty)
    }

    /// The same Access Address in another connection: not encrypted until its own LL_START_ENC_REQ, and its counters begin with 0.
    @Test func anotherConnectionIsEncryptedAnew() {
        let plain = air.att(.tx, sn: 0, nesn: 0, "0A 0300")
        let recorder = decode(link + [air.connect(), plain] + link) { $0.addLongTermKey(Self.longTermKey) }
        expect(recorder.lines("att"), equals: ["att 10 tx 0A peer connection 2 0003"])
        expect(recorder.lines("l2cap").count, equals: 5)
        expect(recorder.lines("connection").filter { $0.contains("encryption true") }.count, equals: 2)
    }

    // MARK: Legacy pairing

    /// The confirm value shows whether a Temporary Key is the right one; it is made of both addresses, which CONNECT_IND has. Vol 3,
    /// Part H, 2.2.3.
    @Test func aWrongPasskeyIsSaidToBeWrong() {
        func state(_ packets: [Packet], _ keys: UInt128...) -> String? {
            decode(packets) { trace in for key in keys { trace.addTemporaryKey(key) } }
                .lines("connection").last?.split(separator: " ").dropFirst(5).joined(separator: " ")
        }
        let packets = air.legacyPairing
        expect(state(packets), equals: "noTemporaryKey")
        expect(state(packets, 123_457), equals: "wrongTemporaryKey")
        expect(state(packets, 0), equals: "wrongTemporaryKey")
        expect(state(packets, 123_456), equals: "active(\(Self.source).pairing)")
        expect(state(packets, 123_457, 123_456), equals: "active(\(Self.source).pairing)")
        // Without a confirm value, nothing shows it.
        expect(state(Array(packets[...2] + packets[5...]), 123_457), equals: "noKey")
    }

    /// AuthReq of the response without and with SC; the request was missed, which may have SC, too. Vol 3, Part H, 3.5.1.
    @Test(arguments: [("02 00 00 05 10 00 00", true), ("02 00 00 0D 10 00 00", false)])
    func aResponseAloneShowsLegacyPairingOnlyWithoutSC(pdu: String, isLegacy: Bool) throws {
        var pairing = AirPairing()
        let octets = hex(pdu)
        _ = pairing.follow(try SMPPDU(Bytes(octets.span)), isInitiator: false)
        expect(pairing.isLegacy, equals: isLegacy)
    }

    /// Vol 3, Part H, Appendix D: the sample data of s1.
    @Test func shortTermKey() {
        let key = AirPairing.s1(
            0, responder: 0x000F_0E0D_0C0B_0A09_1122_3344_5566_7788,
            initiator: 0x0102_0304_0506_0708_99AA_BBCC_DDEE_FF00)
        expect(key, equals: 0x9A1F_E1F0_E8B0_F49B_5B42_16AE_796D_A062)
        expect(AirPairing.shortened(0xFFEE_DDCC_BBAA_9988_7766_5544_3322_1100, octets: 7), equals: 0x66_5544_3322_1100)
        expect(AirPairing.shortened(7, octets: 16), equals: 7)
    }

    /// 2.2.3: the confirm value of the sample, by which a Temporary Key is told. The sample's addresses are A1A2A3A4A5A6, random,
    /// and B1B2B3B4B5B6, public; its key is 0.
    @Test func theTemporaryKeyIsToldByTheConfirmValue() throws {
        func pairing(confirm: String) throws -> UInt128? {
            var pairing = AirPairing()
            for (pdu, isInitiator) in [
                ("01 01 00 00 10 07 07", true), ("02 03 00 00 08 00 05", false), ("03 \(confirm)", true),
                ("04 E02E70C64E2788 63 0E6FAD56 21D58357", true), ("04 00000000000000000000000000000000", false),
            ] {
                let octets = hex(pdu)
                _ = pairing.follow(try SMPPDU(Bytes(octets.span)), isInitiator: isInitiator)
            }
            return pairing.shortTermKey(
                [5, 0], initiator: BluetoothAddress(0xA1A2_A3A4_A5A6, isRandom: true),
                responder: BluetoothAddress(0xB1B2_B3B4_B5B6, isRandom: false))
        }
        #expect(try pairing(confirm: "863B F1BE C54D A7D2 EA88 8987 EF3F 1E1E") != nil)
        #expect(try pairing(confirm: "873B F1BE C54D A7D2 EA88 8987 EF3F 1E1E") == nil)
    }
}
