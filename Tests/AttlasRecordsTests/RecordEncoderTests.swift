import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasCapture
@testable import AttlasRecords

/// Each format, octet by octet as its specification has it.
@Suite struct RecordEncoderTests {
    private static let command = hex("030C00")
    private static let data = hex("402008000400040002F700")
    /// 2026-01-01 00:00:00.000005 UTC.
    private static let start: UInt32 = 1_767_225_600

    /// A Reset, data of the peer, one octet of which is missing, and an ISO packet, as pcapng has them in H4.
    private static let blocks = PCAPNGBlocks()
    private static let capture =
        blocks.section() + blocks.interface(187, options: blocks.option(9, [9]))
        + blocks.enhanced([1] + command, ticks: UInt64(start) * 1_000_000_000 + 5_000)
        + blocks.enhanced(
            [2] + data, ticks: UInt64(start) * 1_000_000_000 + 6_001, original: 13,
            options: blocks.option(2, [1, 0, 0, 0]) + blocks.option(4, blocks.uint64(3)) + blocks.option(0, []))
        + blocks.enhanced([5] + hex("40000000"), ticks: UInt64(start) * 1_000_000_000 + 7_000)

    private func encoded(_ bytes: [UInt8], _ format: RecordFormat) throws -> (octets: [UInt8], RecordEncoder) {
        var merge = RecordMerge([.init(try CaptureReader(bytes: bytes, name: "test"))])
        var encoder = RecordEncoder(format, about: nil)
        encoder.begin()
        let interfaces = merge.interfaces
        while let record = merge.next() {
            if case .refused(let reason, _) = encoder.append(record, of: interfaces.list) {
                Issue.record("\(reason)")
            }
        }
        return (encoder.octets, encoder)
    }

    private func firstRecord(of reader: inout CaptureReader) throws -> [UInt8] {
        guard let record = try reader.next() else { return [] }
        return record.framedBytes.copy()
    }

    /// The time is µs since 0000-01-01: 1970 is 0x00DCDDB30F2F8000.
    private func btsnoopTime(_ microseconds: UInt64) -> [UInt8] {
        OctetOrder.big.octets(0x00DC_DDB3_0F2F_8000 + UInt64(Self.start) * 1_000_000 + microseconds, 8)
    }

    @Test func btsnoopH4() throws {
        let (octets, encoder) = try encoded(Self.capture, .btsnoopH4)
        let expected =
            Array("btsnoop\0".utf8) + hex("00000001 000003EA")
            + hex("00000004 00000004 00000002 00000000") + btsnoopTime(5) + [1] + Self.command
            + hex("0000000D 0000000C 00000001 00000003") + btsnoopTime(6) + [2] + Self.data
            + hex("00000005 00000005 00000001 00000003") + btsnoopTime(7) + hex("0540000000")
        expect(octets, equals: expected)
        #expect(encoder.hasRoundedTime && !encoder.hasMovedTime)
    }

    /// H1 has neither an indicator nor a word for ISO.
    @Test func btsnoopH1() throws {
        let expected =
            Array("btsnoop\0".utf8) + hex("00000001 000003E9")
            + hex("00000003 00000003 00000002 00000000") + btsnoopTime(5) + Self.command
            + hex("0000000C 0000000B 00000001 00000003") + btsnoopTime(6) + Self.data
        try expect(encoded(Self.capture, .btsnoopH1).octets, equals: expected)
    }

    /// In nanoseconds, because the capture has them.
    @Test func pcap() throws {
        let kind = PCAPKind(isNanoseconds: true)
        let expected =
            kind.header(201) + kind.record(hex("0000000001") + Self.command, fraction: 5_000)
            + kind.record(hex("0000000102") + Self.data, fraction: 6_001, original: 17)
            + kind.record(hex("00000001 0540000000"), fraction: 7_000)
        try expect(encoded(Self.capture, .pcap).octets, equals: expected)
    }

    @Test func pcapMonitor() throws {
        let kind = PCAPKind(isNanoseconds: true)
        let expected =
            kind.header(254) + kind.record(hex("00000002") + Self.command, fraction: 5_000)
            + kind.record(hex("00000005") + Self.data, fraction: 6_001, original: 16)
            + kind.record(hex("00000013 40000000"), fraction: 7_000)
        try expect(encoded(Self.capture, .pcapMonitor).octets, equals: expected)
    }

    @Test func packetLogger() throws {
        let log = PacketLoggerRecords(order: .big)
        let expected = log.record(0, Self.command, microseconds: 5) + log.record(3, Self.data, microseconds: 6)
        try expect(encoded(Self.capture, .packetLogger).octets, equals: expected)
    }

    /// Interfaces keep their names and the precision of their times, and packets what they had.
    @Test func pcapngStaysWhatItWas() throws {
        let options = Self.blocks.option(1, Array("made here".utf8)) + Self.blocks.option(0, [])
        let about =
            Self.blocks.option(2, Array("usb0".utf8)) + Self.blocks.option(3, Array("a dongle".utf8))
            + Self.blocks.option(9, [3, 0, 0, 0]) + Self.blocks.option(0, [])
        let packet = Self.blocks.enhanced(hex("0000000001") + Self.command, interface: 1, ticks: 1_767_225_600_123)
        let bytes =
            Self.blocks.section(options: options) + Self.blocks.interface(272)
            + Self.blocks.interface(201, options: about)
            + packet
        var reader = try CaptureReader(bytes: bytes, name: "test")
        _ = try reader.next()
        var encoder = RecordEncoder(.pcapng, about: reader.info)
        encoder.begin()
        var merge = RecordMerge([.init(try CaptureReader(bytes: bytes, name: "test"))])
        let interfaces = merge.interfaces
        while let record = merge.next() { expect(encoder.append(record, of: interfaces.list), equals: .written) }
        var copy = try CaptureReader(bytes: encoder.octets, name: "copy")
        let octets = try firstRecord(of: &copy)
        expect(octets, equals: Self.command)
        expect(copy.info.comments, equals: ["made here"])
        expect(copy.info.interfaces, equals: reader.info.interfaces)
        #expect(copy.info.interfaces[1].name == "usb0" && copy.info.interfaces[1].precision == 3)
        expect(encoder.octets.suffix(packet.count), equals: packet[...])
    }

    /// A sniffer's header stays as it is.
    @Test(arguments: [RecordFormat.pcap, .pcapng])
    func snifferHeadersStay(_ format: RecordFormat) throws {
        let kind = PCAPKind()
        let nordic = hex("0B 1700 02 0100 06 0A 01 25 3C 0700 00000000 D6BE898E 4006 AABBCCDDEEFF 000000")
        let bytes = kind.header(272) + kind.record(nordic)
        let octets = try encoded(bytes, format).octets
        if format == .pcap {
            expect(octets, equals: bytes)
        } else {
            var copy = try CaptureReader(bytes: octets, name: "copy")
            try expect(firstRecord(of: &copy), equals: nordic)
        }
    }
}
