import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasCapture

/// One conversation, laid out by hand in every format: the records are the same but for their places and times.
@Suite struct SameConversationTests {
    struct Packet: Equatable {
        let direction: Direction
        let h4: [UInt8]

        var isReceived: Bool { direction == .rx }
        var body: [UInt8] { Array(h4.dropFirst()) }

        /// The upper octet of Android's message, the type of PacketLogger, and Linux's opcode.
        var snooz: UInt8 { [1: 0x20, 4: 0x10][h4[0]] ?? (isReceived ? 0x11 : 0x21) }
        var packetLogger: UInt8 { [1: 0x00, 4: 0x01][h4[0]] ?? (isReceived ? 0x03 : 0x02) }
        var opcode: UInt16 { [1: 2, 4: 3][h4[0]] ?? (isReceived ? 5 : 4) }
        var flags: UInt32 { (isReceived ? 1 : 0) | (h4[0] == 2 ? 0 : 2) }
    }

    static let conversation = [
        Packet(direction: .tx, h4: Sample.command), Packet(direction: .rx, h4: Sample.event),
        Packet(direction: .tx, h4: Sample.acl),
        Packet(direction: .rx, h4: hex("02 4020 0600 0200 0400 0B 64")),
        Packet(direction: .rx, h4: hex("02 4020 0900 0500 0400 1B 1900 1648")),
    ]

    static func file(_ header: [UInt8], _ record: (Packet) -> [UInt8]) -> [UInt8] {
        header + conversation.flatMap(record)
    }

    static var files: [(name: String, bytes: [UInt8])] {
        var files: [(String, [UInt8])] = [
            ("btsnoop 1001", file(btsnoopHeader(1001)) { btsnoopRecord($0.body, flags: $0.flags) }),
            ("btsnoop 1002", file(btsnoopHeader(1002)) { btsnoopRecord($0.h4, flags: $0.flags) }),
            ("btsnoop 2001", file(btsnoopHeader(2001)) { btsnoopRecord($0.body, flags: UInt32($0.opcode)) }),
            ("hcidump", file([]) { hcidumpRecord($0.h4, received: $0.isReceived ? 1 : 0) }),
            (
                "btsnooz",
                BTSnoozTests.report(conversation.flatMap { BTSnoozTests.record($0.body, type: $0.snooz) })
            ),
        ]
        for log in PacketLoggerRecords.both {
            files.append(("PacketLogger \(log.order)", file([]) { log.record($0.packetLogger, $0.body) }))
        }
        for kind in PCAPKind.all {
            files.append(("pcap 201 \(kind.testDescription)", file(kind.header(201)) { kind.record(phdr($0)) }))
            let monitor = file(kind.header(254)) { kind.record(hex("0000") + big($0.opcode) + $0.body) }
            files.append(("pcap 254 \(kind.testDescription)", monitor))
        }
        for blocks in PCAPNGBlocks.both {
            let header = blocks.section() + blocks.interface(201)
            files.append(("pcapng 201 \(blocks)", file(header) { blocks.enhanced(phdr($0)) }))
            let flagged = blocks.section() + blocks.interface(187)
            files.append(
                (
                    "pcapng 187 \(blocks)",
                    file(flagged) {
                        let flags = blocks.option(2, blocks.uint32($0.isReceived ? 1 : 2))
                        return blocks.enhanced($0.h4, options: flags + blocks.option(0, []))
                    }
                ))
        }
        return files
    }

    static func phdr(_ packet: Packet) -> [UInt8] { hex("000000") + [packet.isReceived ? 1 : 0] + packet.h4 }

    @Test func everyFormatGivesTheSameRecords() throws {
        for file in Self.files {
            let set = CaptureSetReading(file.bytes)
            #expect(set.failures.isEmpty, "\(file.name)")
            let records = try #require(set.records.first, "\(file.name)")
            let packets = records.map { record in
                guard case .packet(let type) = record.content else { return Packet(direction: .unknown, h4: []) }
                return Packet(direction: record.direction, h4: [type.rawValue] + record.bytes)
            }
            #expect(packets == Self.conversation, "\(file.name)")
            #expect(records.map(\.frame) == Array(1...5), "\(file.name)")
            #expect(records.allSatisfy { $0.missing == 0 && $0.controller == 0 }, "\(file.name)")
        }
    }

    /// Wireshark's programs write the formats that they can, from one of ours.
    @Test(arguments: ["btsnoop", "pcap", "nsecpcap", "pcapng"])
    func editcapGivesTheSameRecords(format: String) throws {
        guard let editcap = Tool("editcap") else { return }
        let bytes = Self.file(btsnoopHeader(1002)) { btsnoopRecord($0.h4, flags: $0.flags) }
        let folder = try TemporaryFolder([("in", bytes)])
        _ = try editcap.run(["-F", format, folder.path("in"), folder.path("out")])
        let records = try #require(CaptureSetReading(path: folder.path("out")).records.first)
        let expected = Reading(bytes).records
        #expect(records.map(\.content) == expected.map(\.content))
        #expect(records.map(\.direction) == expected.map(\.direction))
        #expect(records.map(\.bytes) == expected.map(\.bytes))
        #expect(records.map(\.time.seconds) == expected.map(\.time.seconds))
    }

    /// The logs that have no signature are also such for Wireshark, which counts the same frames.
    @Test func tsharkCountsTheSameFrames() throws {
        guard let tshark = Tool("tshark") else { return }
        for file in Self.files where file.name.hasPrefix("hcidump") || file.name.hasPrefix("PacketLogger") {
            let folder = try TemporaryFolder([("in", file.bytes)])
            let lines = try tshark.run(["-r", folder.path("in"), "-T", "fields", "-e", "frame.number"])
            #expect(lines.count { $0 == UInt8(ascii: "\n") } == Self.conversation.count, "\(file.name)")
        }
    }
}
