import AttlasCapture
import AttlasWire

/// Conversations of LE Audio, written by hand from the Core Specification, the Basic Audio Profile and the Audio Stream Control Service.
public enum Audio {
    /// The Basic Audio Announcement as an AD structure: LC3, 48 kHz, 10 ms, 100 octets, Media; stream 1 Front Left, stream 2 Front
    /// Right; presentation after 40 ms. Basic Audio Profile, 3.7.2.2.
    public static let announcement = """
        2D 16 5118 409C00 01 02 0600000000 0A 020108 020201 03046400 04 03020400 \
        01 06 050301000000 02 06 050302000000
        """

    /// BIGInfo: two streams, ISO interval 10 ms, SDUs of up to 100 octets every 10 ms, LE 2M. Core, Vol 6, Part B, 4.4.6.11.
    public static let bigInfo = "23410410 23E80300 E8033078 00 78563412 10274006 3412 FFFFFFFF3F 0500000000"

    /// A host finds a broadcast, follows its train, receives the two streams and loses them. Core, Vol 4, Part E, 7.7.65.
    public static let broadcast: [Packet] = {
        let base = hex(announcement)
        func report(_ status: UInt8, _ part: ArraySlice<UInt8>) -> Packet {
            Packet(
                .packet(.event), .rx,
                [0x3E, UInt8(8 + part.count)] + hex("0F 1000 7F C4 FF") + [status, UInt8(part.count)] + part)
        }
        return [
            // An extended advertisement: SID 1, periodic advertising every 100 ms, Broadcast_ID 0x123456.
            .event("3E 21 0D 01 0000 01 6655443322C1 01 02 01 7F C4 5000 00 000000000000 07 06165218563412"),
            .event("3E 10 0E 00 1000 01 01 6655443322C1 02 5000 00"),
            report(0x01, base[..<20]), report(0x00, base[20...]),
            .event("3E 14 22 1000 02 03 0800 01 00 03 7800 102700 6400 02 00 01"),
            // LE BIG Create Sync: encrypted, streams 1 and 2.
            .command("6B20 1A 00 1000 01 00112233445566778899AABBCCDDEEFF 00 6400 02 0102"),
            .event("3E 13 1D 00 00 102700 03 01 00 03 7800 0800 02 4200 4300"),
            // SDUs 0, 1 and 4 of stream 1; 5 was not received, 6 may have errors.
            iso(.rx, "4220 0600 0000 0200 AABB"), iso(.rx, "4220 0600 0100 0200 AABB"),
            iso(.rx, "4220 0600 0400 0200 AABB"), iso(.rx, "4220 0400 0500 0080"),
            iso(.rx, "4220 0600 0600 0240 AABB"),
            // BIG Sync Lost: Connection Timeout.
            .event("3E 03 1E 00 08"),
            .event("3E 03 10 1000"),
        ]
    }()

    /// The commands with which a host broadcasts the same, each with its Command Complete: advertising set 1 with SID 3 from a static address on
    /// LE 2M, periodic advertising every 100 ms, the announcement in two fragments; then a group of two encrypted streams. Core, Vol 4,
    /// Part E, 7.8.52 to 7.8.63, 7.8.103 and 7.7.65.27.
    public static let ownBroadcast: [Packet] = {
        let base = hex(announcement)
        func data(_ operation: UInt8, _ part: ArraySlice<UInt8>) -> Packet {
            Packet(
                .packet(.command), .tx,
                hex("3F20") + [UInt8(3 + part.count), 0x01, operation, UInt8(part.count)] + part)
        }
        return [
            .command("3620 19 01 0000 A00000 A00000 07 01 00 000000000000 00 7F 01 00 02 03 00"),
            .event("0E 05 01 3620 00 07"),
            .command("3520 07 01 6655443322C1"), .event("0E 04 01 3520 00"),
            .command("3E20 07 01 5000 5000 0000"), .event("0E 04 01 3E20 00"),
            data(0x01, base[..<20]), .event("0E 04 01 3F20 00"),
            data(0x02, base[20...]), .event("0E 04 01 3F20 00"),
            .command("4020 02 01 01"), .event("0E 04 01 4020 00"),
            .command("6820 1F 00 01 02 102700 6400 0A00 02 02 00 00 01 00112233445566778899AABBCCDDEEFF"),
            .event("0F 04 00 01 6820"),
            .event("3E 17 1B 00 00 102700 204E00 02 03 01 00 03 7800 0800 02 4200 4300"),
        ]
    }()

    /// This host is an earbud: it configures its only endpoint, a phone makes a CIS, sends two SDUs, of which the second is in two
    /// fragments, and ends the CIS.
    public static let unicast: [Packet] = [
        .connected(Address.phone, role: 1, random: false),
        .att(.rx, "02 B900"), .att(.tx, "03 B900"),
        .att(.rx, "08 0100 FFFF C42B"), .att(.tx, "09 04 0300 0100"),
        .att(
            .tx,
            """
            1B 0300 01 01 00 02 05 1400 102700 409C00 102700 409C00 0600000000 13 020108 020201 050301000000 03047800 \
            020501
            """),
        .att(.tx, "1B 0300 01 02 02 05 102700 00 02 7800 05 1400 409C00"),
        .event("3E 07 1A 4000 4100 02 05"),
        .event("3E 1D 19 00 4100 B80B00 B80B00 102700 102700 02 01 03 01 00 01 01 7800 2800 0800"),
        .att(.tx, "1B 0300 01 04 02 05 00"),
        iso(.rx, "4120 0700 0000 0300 AABBCC"),
        // With a time stamp; the SDU has 5 octets.
        iso(.rx, "4140 0B00 78563412 0100 0500 AABBCC"), iso(.rx, "4130 0200 DDEE"),
        iso(.tx, "4120 0600 0000 0200 AABB"),
        .disconnected(handle: 0x41),
        .att(.tx, "1B 0300 01 00"),
        .disconnected(),
    ]

    public static func iso(_ direction: Direction, _ octets: String) -> Packet {
        Packet(.packet(.isochronous), direction, hex(octets))
    }
}
