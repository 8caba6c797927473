import AttlasTestSupport
import Testing

@testable import AttlasAnonymize

/// Places in which a text or a key is easily overlooked.
@Suite struct HiddenSecretsTests {
    /// Packets that hold the octets `416E6E61` ("Anna") in a row.
    struct Place: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let packets: [Packet]

        init(_ name: String, _ packets: [Packet]) {
            testDescription = name
            self.packets = packets
        }
    }

    private static let anna = "416E6E61"

    /// A characteristic of a service at 0x0010, discovered.
    private static func discovered(_ service: String, _ characteristic: String, _ lines: String) -> [Packet] {
        Conversation(
            """
            connect
            > 10 0100 FFFF 0028
            < 11 06 0E00 1F00 \(service)
            > 08 0E00 1F00 0328
            < 09 07 0F00 10 1000 \(characteristic)
            \(lines)
            """
        ).packets
    }

    private static let air = Air()

    static let places: [Place] = [
        Place(
            "LL_PERIODIC_SYNC_IND",
            [air.connect(), air.control(.tx, sn: 0, nesn: 0, "1C" + anna + String(repeating: "00", count: 30))]),
        Place("an unknown control PDU", [air.connect(), air.control(.tx, sn: 0, nesn: 0, "77" + anna)]),
        Place(
            "periodic advertising on the air",
            [Packet(.air(air.radio), .unknown, hex("11223344 07 07 00 0509" + anna + "000000"))]),
        Place("after the addresses of SCAN_REQ", [air.advertising("4310 112233445566 665544332211" + anna)]),
        Place("octets after a CRC", [air.advertising("4006 112233445566").with(hex(anna))]),
        Place(
            "an echo request",
            [
                .connected(), .frame(.rx, channel: 1, hex("0801 0400" + anna)),
                .frame(.rx, channel: 5, hex("0801 0400" + anna)),
            ]),
        Place("Find By Type Value", [.connected(), .att(.tx, "06 0100 FFFF 002A" + anna)]),
        Place(
            "after the end of a name",
            [.event("07FF 00" + Address.phone + "426F6200" + anna + String(repeating: "00", count: 240))]),
        Place(
            "after the zero of a name, and elsewhere",
            discovered("0A18", "242A", "< 1B 1000 \(anna)")
                + [.advertisement(hex("0909 426F6200" + anna))]),
        Place(
            "as a name in UTF-16, and elsewhere",
            discovered("0A18", "242A", "< 1B 1000 \(anna)") + [.advertisement(hex("0909 41006E006E006100"))]),
        Place(
            "another L2CAP header",
            [
                .connected(), .fragment(.rx, boundary: 0b10, hex("0700")),
                .fragment(.rx, boundary: 0b01, hex("0400 1B1000" + anna)),
            ]),
        Place(
            "advertising data that begins in another report",
            [
                .event("3E 1D 0D 01 2000 01 010203040506 01 00 00 7F C4 0000 00 000000000000 03 270800"),
                .event("3E 1F 0D 01 0000 01 010203040506 01 00 00 7F C4 0000 00 000000000000 05 04" + anna),
            ]),
        Place("Indoor Positioning", [.advertisement(hex("0625 01" + anna))]),
        Place("a long Flags structure", [.advertisement(hex("0601 06" + anna))]),
        Place(
            "a prepared write of a Broadcast_Code",
            discovered(
                "4F18", "C72B",
                "> 16 1000 0000 04 01 \(anna)\(anna)\(anna)\(anna)\n< 17 1000 0000 04 01 \(anna)\(anna)\(anna)\(anna)")),
        Place("a middle name", discovered("1C18", "482B", "< 1B 1000 \(anna)")),
        Place("a track title", discovered("4818", "972B", "< 1B 1000 \(anna)")),
        Place(
            "a description that a user wrote",
            Conversation(
                "connect\n> 10 0100 FFFF 0028\n< 11 06 0E00 1F00 0F18\n> 08 0E00 1F00 0328\n< 09 07 0F00 10 1000 192A\n> 04 1100 1F00\n< 05 01 1100 0129\n> 0A 1100\n< 0B \(anna)"
            ).packets),
        Place("the pairing features", [.connected(), .frame(.rx, channel: 6, hex("01 03 00 05 10 07 07" + anna))]),
        Place("completed packets", [.event("1309 01 4000 0100" + anna)]),
    ]

    @Test(arguments: places) func nothingIsLeft(_ place: Place) {
        let before = place.packets.map(\.octets)
        #expect(before.contains { $0.contains(hex(Self.anna)) } || place.testDescription == "another L2CAP header")
        let result = Anonymized(place.packets)
        #expect(result.octets.map(\.count) == before.map(\.count) && result.leaks == [])
        for octets in result.octets {
            #expect(!octets.contains(hex(Self.anna)) && !octets.contains(hex("41006E006E006100")))
        }
    }

    /// Replacements are none of the originals, and no part of them.
    @Test func manyShortNames() {
        let names = (0..<300).map { number in Array(String(1_000 + number * 7).utf8) }
        let packets = names.enumerated().map { index, name in
            Packet.advertisement(of: "\(hexadecimal(index))03040506", [5, 9] + name)
        }
        expect(Anonymized(packets).leaks, equals: [])
        expect(Anonymized([.advertisement([5, 9] + Array("----".utf8))]).leaks, equals: [])
    }

    private func hexadecimal(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}
