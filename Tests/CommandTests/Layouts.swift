import AttlasTestSupport
import Foundation

/// A recorded conversation, taken out of its btsnoop log and laid out anew in every format that can hold it.
struct Layouts {
    struct Packet {
        /// Behind its H4 indicator.
        let h4: [UInt8]
        let isReceived: Bool
        /// Microseconds since 1970.
        let time: UInt64

        var body: [UInt8] { Array(h4.dropFirst()) }
        var seconds: UInt32 { UInt32(time / 1_000_000) }
        var microseconds: UInt32 { UInt32(time % 1_000_000) }
        var isData: Bool { h4[0] == 2 }
    }

    var packets: [Packet]

    /// - Parameter btsnoop: A log of datalink 1002, none of whose packets was cut.
    init(btsnoop: Data) {
        let octets = [UInt8](btsnoop)
        var packets: [Packet] = []
        var place = 16
        while place < octets.count {
            func number(_ offset: Int, _ count: Int) -> UInt64 {
                octets[(place + offset)..<(place + offset + count)].reduce(0) { $0 << 8 | UInt64($1) }
            }
            let length = Int(number(4, 4))
            // Microseconds since midnight, January 1st, 0 AD.
            packets.append(
                Packet(
                    h4: Array(octets[(place + 24)..<(place + 24 + length)]), isReceived: number(8, 4) & 1 == 1,
                    time: number(16, 8) - 0x00DC_DDB3_0F2F_8000))
            place += 24 + length
        }
        self.packets = packets
    }

    // MARK: Formats

    /// Those that say who sent each packet.
    var files: [(name: String, bytes: [UInt8])] {
        [
            ("btsnoop 1001", btsnoop(1001) { ($0.body, ($0.isReceived ? 1 : 0) | ($0.isData ? 0 : 2)) }),
            ("btsnoop 1002", btsnoop(1002) { ($0.h4, ($0.isReceived ? 1 : 0) | ($0.isData ? 0 : 2)) }),
            ("btsnoop 2001", btsnoop(2001) { ($0.body, UInt32(opcode($0))) }),
            ("pcap 201 little endian", pcap(201, little, 0xA1B2_C3D4, phdr)),
            ("pcap 201 big endian", pcap(201, big, 0xA1B2_C3D4, phdr)),
            ("pcap 201 nanoseconds", pcap(201, little, 0xA1B2_3C4D, phdr)),
            ("pcap 254", pcap(254, little, 0xA1B2_C3D4) { big(0, 2) + big(UInt64(opcode($0)), 2) + $0.body }),
            ("pcapng 201", pcapng(201, packet: phdr)),
            ("pcapng 201 nanoseconds", pcapng(201, ticksPerMicrosecond: 1_000, packet: phdr)),
            ("pcapng 187", pcapng(187) { $0.h4 }),
            ("PacketLogger little endian", packetLogger(little)),
            ("PacketLogger big endian", packetLogger(big)),
            ("hcidump", hcidump),
            ("btsnooz", btsnooz),
        ]
    }

    /// The link type that has no place for the direction.
    var withoutDirections: [UInt8] { pcap(187, little, 0xA1B2_C3D4) { $0.h4 } }

    private typealias Order = (UInt64, Int) -> [UInt8]

    private func btsnoop(_ datalink: UInt64, _ record: (Packet) -> ([UInt8], UInt32)) -> [UInt8] {
        var file = Array("btsnoop\0".utf8) + big(1, 4) + big(datalink, 4)
        for packet in packets {
            let (bytes, flags) = record(packet)
            let length = big(UInt64(bytes.count), 4)
            file += length + length + big(UInt64(flags), 4) + big(0, 4) + big(packet.time + 0x00DC_DDB3_0F2F_8000, 8)
            file += bytes
        }
        return file
    }

    /// Linux's monitor: command, event, ACL sent, ACL received.
    private func opcode(_ packet: Packet) -> UInt8 { [1: 2, 4: 3][packet.h4[0]] ?? (packet.isReceived ? 5 : 4) }

    /// LINKTYPE_BLUETOOTH_HCI_H4_WITH_PHDR: the direction in 32 bits, big endian.
    private func phdr(_ packet: Packet) -> [UInt8] { [0, 0, 0, packet.isReceived ? 1 : 0] + packet.h4 }

    private func pcap(_ linkType: UInt64, _ order: Order, _ magic: UInt64, _ record: (Packet) -> [UInt8]) -> [UInt8] {
        var file = order(magic, 4) + order(2, 2) + order(4, 2) + order(0, 8) + order(65_535, 4) + order(linkType, 4)
        for packet in packets {
            let bytes = record(packet)
            let fraction = UInt64(packet.microseconds) * (magic == 0xA1B2_3C4D ? 1_000 : 1)
            let length = order(UInt64(bytes.count), 4)
            file += order(UInt64(packet.seconds), 4) + order(fraction, 4) + length + length + bytes
        }
        return file
    }

    private func pcapng(
        _ linkType: UInt64, ticksPerMicrosecond: UInt64 = 1, packet record: (Packet) -> [UInt8]
    ) -> [UInt8] {
        func padded(_ bytes: [UInt8]) -> [UInt8] { bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4) }
        func block(_ type: UInt64, _ body: [UInt8]) -> [UInt8] {
            let length = little(UInt64(body.count) + 12, 4)
            return little(type, 4) + length + body + length
        }
        // if_tsresol: a power of ten.
        let resolution = ticksPerMicrosecond == 1 ? [] : little(9, 2) + little(1, 2) + [9, 0, 0, 0] + little(0, 4)
        var file = block(0x0A0D_0D0A, little(0x1A2B_3C4D, 4) + little(1, 2) + little(0, 2) + little(UInt64.max, 8))
        file += block(1, little(linkType, 2) + little(0, 2) + little(0, 4) + resolution)
        for packet in packets {
            let bytes = record(packet)
            let ticks = packet.time * ticksPerMicrosecond
            let length = little(UInt64(bytes.count), 4)
            // epb_flags: 1 is inbound, 2 outbound.
            let flags = little(2, 2) + little(4, 2) + little(packet.isReceived ? 1 : 2, 4) + little(0, 4)
            let times = little(ticks >> 32, 4) + little(ticks & 0xFFFF_FFFF, 4)
            file += block(6, little(0, 4) + times + length + length + padded(bytes) + flags)
        }
        return file
    }

    private func packetLogger(_ order: Order) -> [UInt8] {
        packets.flatMap { packet in
            let type: UInt8 = [1: 0x00, 4: 0x01][packet.h4[0]] ?? (packet.isReceived ? 0x03 : 0x02)
            let times = order(UInt64(packet.seconds), 4) + order(UInt64(packet.microseconds), 4)
            return order(UInt64(packet.body.count + 9), 4) + times + [type] + packet.body
        }
    }

    private var hcidump: [UInt8] {
        packets.flatMap { packet in
            let times = little(UInt64(packet.seconds), 4) + little(UInt64(packet.microseconds), 4)
            return little(UInt64(packet.h4.count), 2) + [packet.isReceived ? 1 : 0, 0] + times + packet.h4
        }
    }

    /// The log inside an Android bug report, version 2, in one stored block of deflate.
    private var btsnooz: [UInt8] {
        var log: [UInt8] = []
        var before = packets.first?.time ?? 0
        for packet in packets {
            let type: UInt8 = [1: 0x20, 4: 0x10][packet.h4[0]] ?? (packet.isReceived ? 0x11 : 0x21)
            let length = little(UInt64(packet.h4.count), 2)
            log += length + length + little(packet.time - before, 4) + [type] + packet.body
            before = packet.time
        }
        var (a, b): (UInt64, UInt64) = (1, 0)
        for octet in log {
            a = (a + UInt64(octet)) % 65_521
            b = (b + a) % 65_521
        }
        let length = UInt64(log.count)
        let stream = [0x78, 0x01, 0x01] + little(length, 2) + little(~length & 0xFFFF, 2) + log + big(b << 16 | a, 4)
        let base64 = Data([2] + little(before, 8) + stream).base64EncodedString()
        let text = """
            == dumpstate: 2026-01-01 00:00:00
            --- BEGIN:BTSNOOP_LOG_SUMMARY (\(log.count) bytes in) ---
            \(base64)
            --- END:BTSNOOP_LOG_SUMMARY ---

            """
        return Array(text.utf8)
    }
}
