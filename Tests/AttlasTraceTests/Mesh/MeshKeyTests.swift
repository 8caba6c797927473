import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasTrace

/// With the sample data of Mesh Protocol 1.1, 8.
@Suite struct MeshKeyTests {
    private func open(
        _ octets: [UInt8], _ key: UInt128 = Mesh.netKey, ivIndex: UInt32, isProxyConfiguration: Bool = false
    ) -> MeshNetworkPDU? {
        MeshNetworkKey(key, ivIndex: nil)
            .open(Bytes(octets.span), ivIndex: ivIndex, isProxyConfiguration: isProxyConfiguration)
    }

    /// 8.1.1 to 8.1.5.
    @Test func keyDerivationFunctions() {
        expect(MeshDerivation.s1(Array("test".utf8)), equals: 0xB73C_EFBD_641E_F2EA_598C_2B6E_FB62_F79C)
        expect(
            MeshDerivation.k1(
                0x3216_D150_9884_B533_2485_4179_2B87_7F98, salt: 0x2BA1_4FFA_0DF8_4A28_3193_8D57_D276_CAB4,
                hex("5A09D60797EEB4478AADA59DB3352A0D")), equals: 0xF6ED_15A8_934A_FBE7_D83E_8DCB_57FC_F5D7)
        let flooding = MeshDerivation.k2(0xF7A2_A44F_8E8A_8029_064F_173D_DC1E_2B00, [0x00])
        expect(flooding.nid, equals: 0x7F)
        expect(flooding.encryptionKey, equals: 0x9F58_9181_A0F5_0DE7_3C80_70C7_A6D2_7F46)
        expect(flooding.privacyKey, equals: 0x4C71_5BD4_A64B_938F_99B4_5335_1653_124F)
        let friendship = MeshDerivation.k2(0xF7A2_A44F_8E8A_8029_064F_173D_DC1E_2B00, hex("010203040506070809"))
        expect(friendship.nid, equals: 0x73)
        expect(friendship.encryptionKey, equals: 0x11EF_EC06_4277_4992_510F_B592_9646_DF49)
        expect(friendship.privacyKey, equals: 0xD4D7_CC0D_FA77_2D83_6A8D_F9DF_5510_D7A7)
        expect(MeshDerivation.k3(0xF7A2_A44F_8E8A_8029_064F_173D_DC1E_2B00), equals: 0xFF04_6958_233D_B014)
    }

    /// 8.2.2, 8.2.4 and 8.2.6; 8.4.6.1.
    @Test func whatIsDerivedFromANetKey() {
        let key = MeshNetworkKey(Mesh.netKey, ivIndex: nil)
        expect(key.nid, equals: 0x68)
        expect(key.networkID, equals: 0x3ECA_FF67_2F67_3370)
        expect(MeshDerivation.id128(Mesh.netKey, salt: "nkbk"), equals: 0x5423_D967_DA63_9A99_CB02_231A_83F7_D254)
        expect(
            MeshDerivation.id128(0xF7A2_A44F_8E8A_8029_064F_173D_DC1E_2B00, salt: "nkpk"),
            equals: 0x6BE7_6842_460B_2D3A_5850_D469_8409_F1BB)
    }

    /// 8.3.1, 8.3.2, 8.3.6, 8.3.7, 8.3.20 and 8.3.24.
    @Test(
        arguments: [
            (
                Mesh.messages[0], 0x1234_5678, true, 0x00, 0x000001, 0x1201, 0xFFFD, "034b50057e400000010000"
            ),
            (Mesh.messages[1], 0x1234_5678, true, 0x00, 0x014820, 0x2345, 0x1201, "04320308ba072f"),
            (
                Mesh.messages[2], 0x1234_5678, false, 0x04, 0x3129AB, 0x0003, 0x1201,
                "8026ac01ee9dddfd2169326d23f3afdf"
            ),
            (Mesh.messages[3], 0x1234_5678, true, 0x0B, 0x014835, 0x2345, 0x0003, "00a6ac00000002"),
            (Mesh.messages[4], 0x1234_5677, false, 0x03, 0x070809, 0x1234, 0xFFFF, "669c9803e110fea929e9542d"),
            (
                Mesh.messages[5], 0x1234_5677, false, 0x03, 0x07080D, 0x1234, 0x9736,
                "e6a03401c3c51d8e476b28e3aa5001f3"
            ),
        ] as [(String, UInt32, Bool, UInt8, UInt32, UInt16, UInt16, String)])
    func networkPDUs(
        pdu: String, ivIndex: UInt32, isControl: Bool, ttl: UInt8, sequence: UInt32, source: UInt16,
        destination: UInt16, transport: String
    ) {
        let octets = hex(pdu)
        expect(
            open(octets, ivIndex: ivIndex),
            equals: MeshNetworkPDU(
                ivIndex: ivIndex, isControl: isControl, isProxyConfiguration: false, ttl: ttl, sequence: sequence,
                source: source, destination: destination, transport: hex(transport)))
        // Another IV Index, another key, another nonce, an octet that was changed, and every shorter one.
        #expect(open(octets, ivIndex: ivIndex + 1) == nil)
        #expect(open(octets, ivIndex: ivIndex, isProxyConfiguration: true) == nil)
        #expect(open(octets, Mesh.netKey + 1, ivIndex: ivIndex) == nil)
        for place in octets.indices {
            var changed = octets
            changed[place] ^= 0x01
            #expect(open(changed, ivIndex: ivIndex) == nil, "octet \(place)")
            #expect(open(Array(octets[..<place]), ivIndex: ivIndex) == nil, "\(place) octets")
        }
    }

    /// 8.9.1: Set Filter Type, from a proxy client.
    @Test func aProxyConfigurationMessage() {
        let octets = hex("10386bd60efbbb8b8c28512e792d3711f4b526")
        let key: UInt128 = 0xD1AA_FB2A_1A3C_281C_BDB0_E960_EDFA_D852
        expect(
            open(octets, key, ivIndex: 0x1234_5678, isProxyConfiguration: true),
            equals: MeshNetworkPDU(
                ivIndex: 0x1234_5678, isControl: true, isProxyConfiguration: true, ttl: 0, sequence: 1,
                source: 0x0001, destination: 0x0000, transport: [0x00, 0x00]))
        #expect(open(octets, key, ivIndex: 0x1234_5678) == nil)
    }

    /// 8.4.3, 8.4.4 and 8.4.5.
    @Test(arguments: [
        "01003ecaff672f673370123456788ea261582f364f6f", "01023ecaff672f67337012345679c2af80ad072a135c",
        "01003ecaff672f67337012345679c62f09e4c957f59d",
    ])
    func secureNetworkBeacons(beacon: String) throws {
        func isAuthentic(_ octets: [UInt8]) throws -> Bool {
            guard case .secureNetwork(let beacon) = try MeshBeacon(Bytes(octets.span)) else { return false }
            return MeshNetworkKey(Mesh.netKey, ivIndex: nil).authenticates(beacon)
        }
        var octets = hex(beacon)
        #expect(try isAuthentic(octets))
        octets[13] ^= 0x01
        #expect(try !isAuthentic(octets))
    }

    /// 8.4.6.1 and 8.4.6.2.
    @Test(
        arguments: [
            (
                0xF7A2_A44F_8E8A_8029_064F_173D_DC1E_2B00, "02435f18f85cf78a3121f58478a561e488e7cbf3174f022a514741",
                0x02,
                0x1010_ABCD
            ),
            (
                0x3BBB_6F1F_BD53_E157_417F_308C_E7AE_C58F, "021b998f82927535ea6f3076f422ce827408ab2f0ffb94cf97f881",
                0x00,
                0
            ),
        ] as [(UInt128, String, UInt8, UInt32)])
    func privateBeacons(key: UInt128, beacon: String, flags: UInt8, ivIndex: UInt32) throws {
        let octets = hex(beacon)
        guard case .meshPrivate(let beacon) = try MeshBeacon(Bytes(octets.span)) else {
            Issue.record("no private beacon")
            return
        }
        let opened = MeshNetworkKey(key, ivIndex: nil).open(beacon)
        expect(opened?.flags.rawValue, equals: flags)
        expect(opened?.ivIndex, equals: ivIndex)
        let other = MeshNetworkKey(Mesh.netKey, ivIndex: nil).open(beacon)
        #expect(other == nil)
    }
}
