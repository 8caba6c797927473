/// One small capture of each format.
public struct SampleFile: Sendable, CustomStringConvertible {
    public let description: String
    public let bytes: [UInt8]
    /// Where a file may end without an error: after the header and each record or block.
    public let ends: [Int]
    /// Octets that tell the format.
    public let signatureLength: Int

    public init(_ name: String, _ parts: [[UInt8]], signature: Int = 4) {
        signatureLength = signature
        description = name
        bytes = parts.flatMap(\.self)
        ends = parts.indices.map { parts[...$0].reduce(0) { $0 + $1.count } }
    }

    public static let btsnoop = SampleFile(
        "btsnoop",
        [
            btsnoopHeader(), btsnoopRecord(Sample.command), btsnoopRecord(Sample.event, drops: 1),
            btsnoopRecord(Sample.acl, original: 20), btsnoopRecord([]), btsnoopRecord(Sample.vendor),
        ])

    public static func pcap(_ kind: PCAPKind) -> SampleFile {
        SampleFile(
            "pcap \(kind)",
            [kind.header(201), kind.record(Sample.sent), kind.record(Sample.received, original: 30), kind.record([1])])
    }

    public static func pcapng(_ blocks: PCAPNGBlocks) -> SampleFile {
        let dropped = blocks.option(4, blocks.uint64(7)) + blocks.option(0, [])
        return SampleFile(
            "pcapng \(blocks)",
            [
                blocks.section(), blocks.interface(187, snapLength: 40, options: blocks.option(9, [9])),
                blocks.interface(254), blocks.enhanced(Sample.acl, options: dropped), blocks.simple(Sample.event),
                blocks.block(0x1234, hex("AABB")), blocks.obsolete(Sample.command, drops: 2),
                blocks.statistics(options: blocks.option(5, blocks.uint64(70))),
                blocks.enhanced(hex("0001 0003 0E00"), interface: 1, original: 9), blocks.section(),
                blocks.interface(201), blocks.enhanced(Sample.sent),
            ])
    }

    public static func packetLogger(_ log: PacketLoggerRecords) -> SampleFile {
        SampleFile(
            "PacketLogger \(log)",
            log.conversation + [log.record(0xFC, Array("a note".utf8)), log.record(0x0A, [1]), log.record(0x42, [])],
            signature: 16)
    }

    public static let hcidump = SampleFile(
        "hcidump",
        [
            hcidumpRecord(Sample.command), hcidumpRecord(Sample.event, received: 1), hcidumpRecord(Sample.acl),
            hcidumpRecord(Sample.vendor),
        ],
        signature: 16)

    public static func usb(_ records: USBRecords) -> SampleFile {
        let kind = PCAPKind(order: records.order)
        return SampleFile(
            "USB \(records)",
            [
                kind.header(UInt32(records.linkType)), kind.record(records.command(hex("030C00"))),
                kind.record(records.transfer(.event, hex("0E0401030C00"))),
                kind.record(records.transfer(.sent, Sample.aclPacket)),
                kind.record(records.transfer(.received, Sample.aclPacket), original: 200), kind.record([1]),
            ])
    }

    public static let all =
        [btsnoop, hcidump] + USBRecords.all(.little).map(usb) + PCAPKind.all.map(pcap) + PCAPNGBlocks.both.map(pcapng)
        + PacketLoggerRecords.both.map(packetLogger)
}
