import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasAnonymize
@testable import AttlasTrace

/// What happens to each layer of a record.
@Suite struct AnonymizerTests {
    /// A packet, and which octets of it are a secret.
    struct Place: CustomTestStringConvertible, Sendable {
        let name: String
        let packet: Packet
        let range: Range<Int>

        init(_ name: String, _ packet: Packet, _ range: Range<Int>) {
            self.name = name
            self.packet = packet
            self.range = range
        }

        var testDescription: String { name }
    }

    private static let key = "0102030405060708090A0B0C0D0E0F10"
    private static let key32 = key + "1112131415161718191A1B1C1D1E1F20"
    private static func smp(_ octets: String) -> Packet { .frame(.rx, channel: 6, hex(octets)) }

    /// Core Specification, Vol 3, Part H, 3.5 and 3.6; Vol 4, Part E, 7.1, 7.3, 7.7 and 7.8. Offsets after the H4 indicator; of SMP after
    /// the headers of ACL and L2CAP.
    static let keys: [Place] = [
        Place("Long Term Key, distributed", smp("06" + key), 9..<25),
        Place("Rand, distributed", smp("07 3412 0102030405060708"), 11..<19),
        Place("Identity Resolving Key, distributed", smp("08" + key), 9..<25),
        Place("Connection Signature Resolving Key, distributed", smp("0A" + key), 9..<25),
        Place("Confirm Value", smp("03" + key), 9..<25),
        Place("Random Value", smp("04" + key), 9..<25),
        Place("X of a public key", smp("0C" + key32 + String(repeating: "55", count: 32)), 9..<41),
        Place("DHKey Check", smp("0D" + key), 9..<25),
        Place("Long Term Key, to encrypt", .command("19201C 4000 0102030405060708 3412" + key), 15..<31),
        Place("Long Term Key, in reply", .command("1A2012 4000" + key), 5..<21),
        Place("Link Key, in reply", .command("0B0416" + Address.phone + key), 9..<25),
        Place("Link Key, notified", .event("1817" + Address.phone + key + "04"), 8..<24),
        Place(
            "PIN Code", .command("0D0417" + Address.phone + "04" + "31323334" + String(repeating: "00", count: 12)),
            10..<26),
        Place("Passkey", .command("2E040A" + Address.phone + "40E20100"), 9..<13),
        Place("DHKey", .event("3E220900" + key32), 4..<36),
        Place(
            "Broadcast_Code",
            .command(
                "68201F 00 01 01 102700 1400 7800 03 02 00 00 00 01" + key), 18..<34),
        Place(
            "Peer IRK in the resolving list",
            .command("272027 01" + Address.probe + key + String(repeating: "55", count: 16)), 10..<26),
    ]

    @Test(arguments: keys) func keysAreReplaced(_ place: Place) {
        let octets = place.packet.octets
        let result = Anonymized([.connected(), place.packet])
        let new = result.octets[1]
        #expect(new.count == octets.count && result.leaks == [])
        #expect(!new.contains(Array(octets[place.range])) && new[place.range] != octets[place.range])
        #expect(new[place.range].contains { $0 != 0 })
        let hasAddress = new.contains(hex(Address.phone)) || new.contains(hex(Address.probe))
        #expect(!hasAddress)
        // What kind of packet it is, or of which connection.
        expect(new.prefix(2), equals: octets.prefix(2))
    }

    /// The debug key's private key is in the specification, and lint names it. Vol 3, Part H, 2.3.5.6.1.
    @Test func theDebugKeyStays() {
        let x = "E69D350E480103CCDBFDF4AC1191F4EFB9A5F9E9A7832C5E2CBE97F2D203B020"
        let packet = Self.smp("0C" + x + String(repeating: "55", count: 32))
        expect(Anonymized([.connected(), packet]).octets[1], equals: packet.octets)
    }

    /// One device is the same everywhere, in both octet orders and as a text.
    @Test func anAddressIsTheSameEverywhere() {
        let reversed = Array(hex(Address.phone).reversed())
        var choice = Anonymizer.Choice()
        choice.keepsValues = true
        let result = Anonymized(
            [
                .connected(Address.phone, random: false),
                // LE Add Device To Filter Accept List, a target address, LE Bluetooth Device Address.
                .command("112007 00" + Address.phone),
                .advertisement([0x07, 0x17] + hex(Address.phone)),
                .advertisement([0x08, 0x1B] + hex(Address.phone) + [0]),
                .att(.rx, "1B1000" + Address.phone),
                .frame(.rx, channel: 4, hex("1B1000") + reversed),
                .frame(.rx, channel: 4, hex("1B1000") + Array("id 00:1A:7D:DA:71:13".utf8)),
                Self.smp("0900" + Address.phone),
            ], choice)
        let new = Array(result.octets[0][8..<14])
        #expect(new != hex(Address.phone) && result.leaks == [])
        expect(Array(result.octets[1][4..<10]), equals: new)
        expect(Array(result.octets[2][15..<21]), equals: new)
        expect(Array(result.octets[3][15..<21]), equals: new)
        expect(Array(result.octets[4][11..<17]), equals: new)
        expect(Array(result.octets[5][11..<17]), equals: new.reversed())
        let text = new.reversed().map { String($0, radix: 16, uppercase: true) }.map { $0.count == 1 ? "0" + $0 : $0 }
        expect(
            String(decoding: result.octets[6].dropFirst(11), as: UTF8.self), equals: "id " + text.joined(separator: ":")
        )
        expect(Array(result.octets[7][10..<16]), equals: new)
    }

    /// The specification's sample: an IRK, and an address that was made with it. Vol 3, Part H, D.7.
    @Test func aPrivateAddressResolvesWithTheNewKey() {
        let result = Anonymized([
            .connected("AAFB0D948170"), Self.smp("08 9B7D390AA610103405ADC857A33402EC"),
            Self.smp("0900" + Address.phone),
        ])
        let new = Array(result.octets[0][8..<14])
        let newKey = result.octets[1][9..<25].reversed().reduce(0 as UInt128) { $0 << 8 | UInt128($1) }
        #expect(newKey != 0xEC02_34A3_57C8_AD05_3410_10A6_0A39_7D9B)
        let prand = UInt32(new[3]) | UInt32(new[4]) << 8 | UInt32(new[5]) << 16
        let hash = UInt32(new[0]) | UInt32(new[1]) << 8 | UInt32(new[2]) << 16
        #expect(prand >> 22 == 0b01 && prand != 0x708194)
        expect(AddressHash.ah(newKey, prand), equals: hash)
    }

    @Test func aSecretInFragments() {
        let pdu = hex("1100 0600 06" + Self.key)
        for cut in 5..<pdu.count {
            let first = Packet.fragment(.rx, boundary: 0b10, Array(pdu[..<cut]))
            let last = Packet.fragment(.rx, boundary: 0b01, Array(pdu[cut...]))
            let result = Anonymized([.connected(), first, .event("130501400001 00"), last])
            expect(result.leaks, equals: [])
            let joined = Array(result.octets[1].dropFirst(4)) + result.octets[3].dropFirst(4)
            #expect(joined.prefix(5) == pdu.prefix(5) && joined.count == pdu.count)
            #expect(zip(joined, pdu).dropFirst(5).count { $0 == $1 } < 6)
        }
    }

    /// Of a fragment whose rest never comes nothing is known.
    @Test func whatIsNeverWholeIsNotUnderstood() {
        let result = Anonymized([
            .connected(), .start(.rx, "1100 0600 06 0102030405"), .start(.rx, "0100 0400 13"), .more(.rx, "AABBCC"),
        ])
        expect(result.octets[1], equals: hex("4020 0A00 1100 0600 06 0000000000"))
        expect(result.octets[2], equals: hex("4020 0500 0100 0400 13"))
        expect(result.octets[3], equals: hex("4010 0300 000000"))
        expect(result.outcome.unknownOctets, equals: 8)
    }

    /// Octets of a packet that its header does not announce.
    @Test func octetsAfterTheEnd() {
        let result = Anonymized([.connected(), .att(.rx, "13").with([1, 2, 3]), .command("030C00AABB")])
        expect(result.octets[1].suffix(4), equals: [0x13, 0, 0, 0])
        expect(result.octets[2], equals: hex("030C000000"))
        expect(result.outcome.unknownPlaces, equals: 2)
    }

    // MARK: Packets that are not of GATT

    @Test func vendorsPacketsAndOtherProtocols() {
        let result = Anonymized([
            .connected(), .command("01FC04 11223344"), .event("FF04 AABBCCDD"), .event("0E06 01 01FC 00 1122"),
            .command("120C02 0102"), Packet(.packet(.synchronous), .rx, hex("400004 11223344")),
            .frame(.rx, channel: 0x41, hex("112233")),
        ])
        expect(result.octets[1], equals: hex("01FC04 11000000"))
        expect(result.octets[2], equals: hex("FF04 AA000000"))
        expect(result.octets[3], equals: hex("0E06 01 01FC 00 0000"))
        expect(result.octets[5], equals: hex("400004 00000000"))
        expect(result.octets[6].suffix(3), equals: hex("110000"))
    }

    @Test func namesAndAdvertisedData() {
        let data = hex("020106 0409 4A616E 05FF4C001122 0416 0F1857 020A04 03AA1122")
        let result = Anonymized([
            .advertisement(data), .command("130CF8 4A616E27732050686F6E65" + String(repeating: "00", count: 237)),
        ])
        let new = Array(result.octets[0][13...].dropLast())
        #expect(new.prefix(5) == data.prefix(5) && new[5..<8] != data[5..<8])
        #expect(new[5..<8].allSatisfy { $0 >= 0x41 && $0 <= 0x7A })
        expect(new[8...], equals: hex("05FF4C000000 0416 0F1800 020A04 03AA0000")[...])
        #expect(
            !result.octets[1].contains(Array("Jan's Phone".utf8)) && result.octets[1].suffix(237).allSatisfy { $0 == 0 }
        )
        expect(result.leaks, equals: [])
    }

    // MARK: The air

    @Test func theCheckOfAPacketFromTheAirIsMadeAgain() {
        let air = Air()
        let packets = [
            air.advertising("400C 112233445566 0509 4C616D70"), air.connect(),
            air.att(.rx, sn: 0, nesn: 0, "1B1000 0102030405"),
        ]
        let result = Anonymized(packets)
        for (packet, initial) in zip(result.octets, [0x55_5555, 0x55_5555, air.crcInit]) {
            let pdu = Array(packet[4..<packet.count - 3])
            expect(Array(packet.suffix(3)), equals: linkLayerCRC(pdu, initial: initial))
        }
        let address = Array(result.octets[0][6..<12])
        #expect(address != hex(Air.peripheral) && Array(result.octets[1][12..<18]) == address)
        expect(result.octets[2].dropLast(3).suffix(5), equals: hex("0000000000"))
        expect(result.leaks, equals: [])
    }

    /// Sent again with other acknowledgements: the same payload, also of a part of a frame. Vol 6, Part B, 4.5.9.
    @Test func aRetransmissionIsTheSameOctets() {
        let air = Air()
        let frame = hex("0800 0400 1B1000 0102030405")
        let (start, rest) = (Array(frame.prefix(8)), Array(frame.dropFirst(8)))
        let packets = [
            air.connect(), air.data(.rx, 2, sn: 0, nesn: 0, frame), air.data(.rx, 2, sn: 0, nesn: 1, frame),
            air.data(.rx, 2, sn: 1, nesn: 0, start), air.data(.rx, 2, sn: 1, nesn: 1, start),
            air.data(.rx, 1, sn: 0, nesn: 0, rest), air.data(.rx, 1, sn: 0, nesn: 1, rest),
        ]
        var choice = Anonymizer.Choice()
        choice.keepsValues = true
        let result = Anonymized(packets, choice)
        for index in [1, 3, 5] {
            let (first, again) = (result.octets[index], result.octets[index + 1])
            expect(first.dropFirst(5).dropLast(3), equals: again.dropFirst(5).dropLast(3))
            expect(first.dropLast(3), equals: packets[index].octets.dropLast(3), "nothing in it is personal")
            expect(
                Array(again.suffix(3)), equals: linkLayerCRC(Array(again[4..<again.count - 3]), initial: air.crcInit))
        }
        expect(result.outcome.unknownPlaces, equals: 0)
    }

    /// The sample of Vol 6, Part C, 1: LL_ENC_REQ and LL_ENC_RSP, LL_START_ENC_RSP of both sides, and a packet of each; the last twice.
    private static var encrypted: [Packet] {
        let air = Air()
        let last = hex("F38881E7 BD94C9C3 69B9A668 46DD4786 AA8C39CE 540D0DAE 3ADCDF 89B96088")
        return [
            air.connect(), air.control(.tx, sn: 0, nesn: 0, "03 9078563412EFCDAB 7424 1302F1E0DFCEBDAC 24ABDCBA"),
            air.control(.rx, sn: 0, nesn: 1, "04 7968574635241302 BEBAAFDE"), air.control(.rx, sn: 1, nesn: 1, "05"),
            air.control(.tx, sn: 1, nesn: 0, "9F CDA7F448"), air.control(.rx, sn: 0, nesn: 0, "A3 4C13A415"),
            air.data(
                .tx, 2, sn: 0, nesn: 1, hex("7A70D664 15226DF2 6B17839A 06040559 6BD6564F 796B5B9C E6FF32 F75A6D33")),
            air.data(.rx, 2, sn: 1, nesn: 1, last), air.data(.rx, 2, sn: 1, nesn: 0, last),
        ]
    }

    @Test func encryptedPacketsAreWrittenDecrypted() {
        let result = Anonymized(Self.encrypted, key: 0x4C68_3841_39F5_74D8_36BC_F34E_9DFB_01BF)
        expect(result.octets[4].dropLast(3), equals: hex("78563412 0B 01 06")[...])
        // Channel 0x6463 of L2CAP is unknown: only its header stays, and the first octet.
        let payload = hex("17006364 65") + [UInt8](repeating: 0, count: 22)
        expect(result.octets[6].dropLast(3), equals: (hex("78563412 06 1B") + payload)[...])
        expect(result.octets[7].dropFirst(5).dropLast(3), equals: result.octets[8].dropFirst(5).dropLast(3))
        expect(result.octets[8].count, equals: Self.encrypted[8].octets.count - 4)
        for octets in result.octets[4...] {
            expect(
                Array(octets.suffix(3)),
                equals: linkLayerCRC(Array(octets[4..<octets.count - 3]), initial: Air().crcInit))
        }
        #expect(result.outcome.decrypted == 4 && result.outcome.encrypted == 0 && result.leaks == [])
    }

    @Test func encryptedPacketsWithoutAKeyBecomeRandomOctets() {
        let result = Anonymized(Self.encrypted)
        expect(result.octets.map(\.count), equals: Self.encrypted.map(\.octets.count))
        for (new, packet) in zip(result.octets, Self.encrypted).dropFirst(4) {
            expect(new.prefix(6), equals: packet.octets.prefix(6))
            #expect(new.dropFirst(6).dropLast(3) != packet.octets.dropFirst(6).dropLast(3))
            #expect(new.dropFirst(6).dropLast(3).contains { $0 != 0 })
        }
        expect(result.octets[7].dropFirst(5).dropLast(3), equals: result.octets[8].dropFirst(5).dropLast(3))
        // Rand, SKD and IV are replaced, and the EDIV stays.
        #expect(result.octets[1][7..<15] != Self.encrypted[1].octets[7..<15])
        expect(result.octets[1][15..<17], equals: Self.encrypted[1].octets[15..<17])
        #expect(
            result.octets == Anonymized(Self.encrypted).octets
                && result.octets != Anonymized(Self.encrypted, seed: 8).octets)
        #expect(result.outcome.decrypted == 0 && result.outcome.encrypted == 4 && result.outcome.unknownPlaces == 0)
    }

    /// A resolving list with placeholder addresses, and zeros in other packets: whatever the seed is.
    @Test func placeholderAddressesAreNotSearchedFor() {
        let list = (0..<16).map { number in
            let digits = "0" + String(number, radix: 16)
            return Packet.command("272027 01 \(digits)0000000000" + Self.key + String(repeating: "55", count: 16))
        }
        let packets =
            list + [
                .command("630C 0B 000000000000 0000000000"), .command("130C10" + String(repeating: "00", count: 16)),
            ]
        for seed in 0..<40 as Range<UInt8> {
            let result = Anonymized(packets, seed: seed)
            expect(result.leaks, equals: [])
            for index in 1..<16 { #expect(result.octets[index][4..<10] != packets[index].octets[4..<10]) }
        }
    }

    // MARK: Hostile input

    @Test func damagedConversations() {
        let conversation = Conversation(
            """
            advertise F2F2F2F2F2F2
            connect
            smp > 08 0102030405060708090A0B0C0D0E0F10
            smp < 06 1112131415161718191A1B1C1D1E1F20
            > 08 0100 FFFF 0328
            < 09 07 0200 02 0300 002A
            > 0A 0300
            < 0B 4A616E27732050686F6E65
            > 12 0400 0100
            < 1B 0300 4A616E27732050686F6E65
            disconnect
            """)
        var generator = SplitMix64(seed: 11)
        for _ in 0..<300 {
            let packets = conversation.damaged(by: &generator).packets
            let result = Anonymized(packets)
            expect(result.octets.map(\.count), equals: packets.map(\.octets.count))
            expect(result.leaks, equals: [])
        }
    }
}
