import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasCapture

/// What sniffers put before a packet of the air.
@Suite struct AirTests {
    /// ADV_IND of C1:22:33:44:55:66 without a check sequence.
    private let packet = hex("D6BE898E 4006 6655443322C1 AABBCC")
    private let data = hex("78563412 0600 AABBCC")

    private func read(_ linkType: UInt32, _ octets: [UInt8]) -> (radio: RadioInfo?, PlainRecord)? {
        let kind = PCAPKind()
        guard let record = Reading(kind.header(linkType) + kind.record(octets)).records.first else { return nil }
        guard case .air(let radio) = record.content else { return (nil, record) }
        return (radio, record)
    }

    @Test func linkLayerWithoutAnything() throws {
        let (radio, record) = try #require(read(251, packet))
        expect(radio, equals: RadioInfo())
        expect(record.bytes, equals: packet)
        expect(record.direction, equals: .unknown)
    }

    /// https://www.tcpdump.org/linktypes/LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR.html: RF channel 12 is the advertising channel 38;
    /// de-whitened, signal power valid, CRC checked and right, LE 2M.
    @Test func pseudoHeader() throws {
        let (radio, record) = try #require(read(256, hex("0C C4 80 00 D6BE898E 034C") + packet))
        expect(radio?.channel, equals: 38)
        expect(radio?.rssi, equals: -60)
        expect(radio?.crc, equals: .ok)
        expect(radio?.phy, equals: LEPHY(rawValue: 2))
        expect(radio?.kind, equals: .unspecified)
        #expect(radio?.mic == .unchecked && radio?.isDecrypted == false && radio?.eventCounter == nil)
        expect(record.bytes, equals: packet)
        expect(record.direction, equals: .unknown)
    }

    /// RF channels in the order of their frequencies, 2 402 MHz to 2 480 MHz. Vol 6, Part B, 1.4.1.
    @Test(arguments: [(0, 37), (1, 0), (11, 10), (12, 38), (13, 11), (38, 36), (39, 39)])
    func channels(rf: UInt8, index: UInt8) throws {
        try expect(#require(read(256, [rf] + hex("C4 80 00 00000000 0100") + packet)).radio?.channel, equals: index)
    }

    @Test(arguments: [
        (UInt16(2), Direction.tx, RadioInfo.Channel.data), (3, .rx, .data), (4, .tx, .connectedIsochronous),
        (5, .rx, .connectedIsochronous), (6, .unknown, .broadcastIsochronous), (1, .unknown, .auxiliaryAdvertising),
        (0, .unknown, .unspecified), (7, .unknown, .unspecified),
    ])
    func pduTypes(type: UInt16, direction: Direction, kind: RadioInfo.Channel) throws {
        let flags = little(UInt16(0x0401) | type << 7)
        let (radio, record) = try #require(read(256, hex("01 C4 80 00 00000000") + flags + data))
        expect(radio?.kind, equals: kind)
        expect(record.direction, equals: direction)
        // Checked, and wrong.
        expect(radio?.crc, equals: .bad)
        // The signal power was not marked valid.
        #expect(radio?.rssi == nil)
    }

    /// On secondary advertising channels the bits of the MIC tell the kind of the PDU.
    @Test func decryptedAndMIC() throws {
        let encrypted = try #require(read(256, hex("01 C4 80 00 00000000 0931") + data)).radio
        #expect(encrypted?.isDecrypted == true && encrypted?.mic == .ok)
        let wrong = try #require(read(256, hex("01 C4 80 00 00000000 0111") + data)).radio
        #expect(wrong?.isDecrypted == false && wrong?.mic == .bad)
        let auxiliary = try #require(read(256, hex("01 C4 80 00 00000000 8130") + packet)).radio
        expect(auxiliary?.mic, equals: .unchecked)
        expect(auxiliary?.auxiliaryPDU, equals: .auxScanRsp)
    }

    @Test func codedPHY() throws {
        let (radio, record) = try #require(read(256, hex("01 C4 80 00 00000000 0185") + hex("78563412 00 0600 AABBCC")))
        #expect(radio?.phy == LEPHY(rawValue: 3) && radio?.hasCodingIndicator == true)
        expect(record.bytes, equals: hex("78563412 00 0600 AABBCC"))
    }

    @Test func whitenedPacketsAreFaults() {
        let kind = PCAPKind()
        let reading = Reading(kind.header(256) + kind.record(hex("01 C4 80 00 00000000 0000") + data + [0]))
        expect(reading.faults, equals: ["packet from the air that is still whitened: not supported"])
        expect(reading.records.first?.offset, equals: 24)
    }

    /// scapy leaves the flags out: an advertisement whose CRC is right, and a data packet as long as it says, are not whitened.
    @Test func flagsThatWereLeftOut() throws {
        let pdu = hex("4006 6655443322C1")
        let advertising = hex("D6BE898E") + pdu + linkLayerCRC(pdu, initial: 0x55_5555)
        try expect(#require(read(256, hex("00 00 00 00 00000000 0000") + advertising)).radio?.crc, equals: .unchecked)
        #expect(try #require(read(256, hex("00 00 00 00 00000000 0000") + data)).radio != nil)
        #expect(try #require(read(256, hex("00 00 00 00 00000000 0000") + packet)).radio == nil)
    }

    /// nRF Sniffer, protocol version 3: board, payload length, version, counter, packet id; then length, flags, channel, RSSI,
    /// event counter, time.
    @Test func nRFSnifferVersion3() throws {
        let head = "07 1300 03 0100 06 0A"
        let (radio, record) = try #require(read(272, hex("\(head) 13 05 3C 2A00 40420F00") + data))
        expect(radio?.kind, equals: .data)
        expect(record.direction, equals: .tx)
        #expect(radio?.crc == .ok && radio?.channel == 5 && radio?.rssi == -60 && radio?.eventCounter == 42)
        expect(radio?.phy, equals: LEPHY(rawValue: 2))
        expect(radio?.mic, equals: .unchecked)
        expect(record.bytes, equals: data)

        let encrypted = try #require(read(272, hex("\(head) 0D 05 3C 2A00 40420F00") + data))
        expect(encrypted.1.direction, equals: .rx)
        #expect(encrypted.radio?.isDecrypted == true && encrypted.radio?.mic == .ok)
        let undecrypted = try #require(read(272, hex("\(head) 05 05 3C 2A00 40420F00") + data))
        #expect(undecrypted.radio?.isDecrypted == false && undecrypted.radio?.mic == .bad)

        let advertising = try #require(read(272, hex("07 1300 03 0100 02 0A 00 26 3C 0000 40420F00") + packet))
        #expect(advertising.radio?.kind == .unspecified && advertising.radio?.channel == 38)
        #expect(advertising.radio?.crc == .bad && advertising.radio?.eventCounter == nil)
        let auxiliary = try #require(read(272, hex("07 1300 03 0100 02 0A 01 05 3C 0000 40420F00") + packet))
        #expect(auxiliary.radio?.kind == .auxiliaryAdvertising && auxiliary.radio?.auxiliaryPDU == .auxAdvInd)
    }

    /// Versions 1 and 2 have one packet id for all; version 0 begins with a marker.
    @Test(arguments: ["07 06 13 01 0100 06 0A", "07 1300 02 0100 06 0A", "BEEF 06 0100 0000 13"])
    func olderNRFSniffers(head: String) throws {
        let (radio, record) = try #require(read(272, hex("\(head) 03 05 3C 2A00 40420F00") + data))
        #expect(radio?.kind == .data && radio?.crc == .ok && radio?.eventCounter == 42)
        #expect(record.direction == .tx && record.bytes == data)
        let advertising = try #require(read(272, hex("\(head) 01 26 3C 0000 40420F00") + packet))
        #expect(advertising.radio?.kind == .unspecified && advertising.1.direction == .unknown)
        expect(advertising.1.bytes, equals: packet)
    }

    /// Programs that are no sniffers write the header with another packet id: 0, or another that is no message of the firmware.
    /// All else is as Nordic lays it out.
    @Test(arguments: ["02 0000 00", "03 0000 00", "02 0000 02", "03 0000 42"])
    func packetIdsOfOtherTools(versionToId: String) throws {
        let head = "4B 1300 \(versionToId) 0A"
        let (radio, record) = try #require(read(272, hex("\(head) 03 05 3C 2A00 40420F00") + data))
        #expect(radio?.kind == .data && radio?.crc == .ok && radio?.channel == 5 && radio?.eventCounter == 42)
        #expect(record.direction == .tx && record.bytes == data)
        // What they leave out is 0: no channel, no event.
        let bare = try #require(read(272, hex("\(head) 01 00 00 0000 00000000") + data))
        #expect(bare.radio?.kind == .data && bare.radio?.channel == nil && bare.radio?.eventCounter == nil)
        expect(bare.1.direction, equals: .rx)
        let advertisement = hex("D6BE898E 0003 AABBCC")
        let advertising = try #require(read(272, hex("\(head) 03 00 00 0000 00000000") + advertisement))
        #expect(advertising.radio?.kind == .unspecified && advertising.radio?.channel == nil)
        #expect(advertising.1.direction == .unknown && advertising.1.bytes == advertisement)
    }

    /// A length that is not the record's, heads of another length, channels that there are none of, messages of the firmware.
    @Test(arguments: [
        "4B 1400 02 0000 00 0A 03 05", "4B 1300 02 0000 00 0B 03 05", "4B 1300 02 0000 00 0A 03 28",
        "4B 1300 03 0000 05 0A 03 05", "4B 1300 03 0000 0E 0A 03 05", "4B 13 01 0000 00 0A 03 05 00",
    ])
    func packetIdsThatStayUnknown(head: String) throws {
        let record = try #require(read(272, hex("\(head) 3C 2A00 40420F00") + data))
        #expect(record.radio == nil)
        guard case .unknownPacket = record.1.content else {
            Issue.record("\(record.1.content)")
            return
        }
    }

    @Test func whatNRFSniffersSayBesides() throws {
        let message = try #require(read(272, hex("07 1300 03 0100 0E 0A 03 05 3C 2A00 40420F00 00")))
        expect(message.1.content, equals: .unknownPacket(type: 0x0E))
        let kind = PCAPKind()
        let reading = Reading(
            kind.header(272) + kind.record(hex("07 1300 09 0100 06 0A 03 05 3C 2A00 40420F00") + data))
        expect(reading.faults, equals: ["nRF Sniffer protocol version 9: not supported, only versions 0 to 3 are"])
    }

    /// PPI of 24 octets: version 0, around 147, with Ubertooth's field: 2 440 MHz is channel 17.
    @Test func perPacketInformation() throws {
        let field = hex("3675 0C00 00 8809 00 40420F00 EC E2 E4 10")
        let (radio, record) = try #require(read(192, hex("00 00 1800 93000000") + field + packet))
        expect(radio?.channel, equals: 17)
        // The mean, -28, of a register that is 54 dB above.
        expect(radio?.rssi, equals: -82)
        expect(radio?.crc, equals: .unchecked)
        expect(record.bytes, equals: packet)
        try expect(#require(read(192, hex("00 00 0800 FB000000") + packet)).1.bytes, equals: packet)
        let inner = try #require(read(192, hex("00 00 0800 00010000 0C C4 80 00 D6BE898E 010C") + packet))
        #expect(inner.radio?.crc == .ok && inner.1.bytes == packet)
    }

    @Test func perPacketInformationAroundOtherThings() {
        let kind = PCAPKind()
        let reading = Reading(
            kind.header(192) + kind.record(hex("00 00 0800 69000000 0102"))
                + kind.record(hex("00 00 FF00 93000000 0102"))
                + kind.record(hex("00 00 0800 93")))
        expect(
            reading.faults,
            equals: [
                "per-packet information around a packet of link type 105 (IEEE 802.11)",
                "packet of 10 octets is too short for the header of its link type",
                "packet of 5 octets is too short for the header of its link type",
            ])
    }

    @Test(arguments: [(UInt32(251), 0), (256, 10), (272, 17), (192, 7)])
    func aPacketShorterThanItsPseudoHeaderIsBroken(linkType: UInt32, length: Int) {
        let kind = PCAPKind()
        // Of the nRF Sniffer, a packet of version 3 as far as it goes; zeros of the others.
        let octets = linkType == 272 ? hex("07 0A00 03 0100 06 0A") : []
        let rest = [UInt8](repeating: 0, count: length - octets.count)
        let reading = Reading(kind.header(linkType) + kind.record(octets + rest))
        let isEmpty = linkType == 251
        expect(
            reading.faults,
            equals: isEmpty ? [] : ["packet of \(length) octets is too short for the header of its link type"])
        #expect(reading.records.count == 1 && reading.error == nil)
    }

    /// Both HCI and the air in one file, as a sniffer next to a host gives them.
    @Test(arguments: PCAPNGBlocks.both)
    func pcapngOfBoth(blocks: PCAPNGBlocks) {
        let reading = Reading(
            blocks.section() + blocks.interface(187) + blocks.interface(251) + blocks.enhanced(Sample.acl)
                + blocks.enhanced(packet, interface: 1))
        #expect(reading.error == nil)
        expect(reading.records.map(\.content), equals: [.packet(.acl), .air(RadioInfo())])
        expect(reading.records.map(\.controller), equals: [0, 1])
        expect(reading.info?.interfaces.map(\.isSupported), equals: [true, true])
    }
}
