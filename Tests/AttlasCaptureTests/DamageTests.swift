import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasCapture
@testable import AttlasInput

/// One small capture of each format.
struct SampleFile: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    /// Where a file may end without an error: behind the header and each record or block.
    let ends: [Int]
    /// Octets that tell the format.
    let signatureLength: Int

    init(_ name: String, _ parts: [[UInt8]], signature: Int = 4) {
        signatureLength = signature
        testDescription = name
        bytes = parts.flatMap(\.self)
        ends = parts.indices.map { parts[...$0].reduce(0) { $0 + $1.count } }
    }

    static let btsnoop = SampleFile(
        "btsnoop",
        [
            btsnoopHeader(), btsnoopRecord(Sample.command), btsnoopRecord(Sample.event, drops: 1),
            btsnoopRecord(Sample.acl, original: 20), btsnoopRecord([]), btsnoopRecord(Sample.vendor),
        ])

    static func pcap(_ kind: PCAPKind) -> SampleFile {
        SampleFile(
            "pcap \(kind.testDescription)",
            [kind.header(201), kind.record(Sample.sent), kind.record(Sample.received, original: 30), kind.record([1])])
    }

    static func pcapng(_ blocks: PCAPNGBlocks) -> SampleFile {
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

    static func packetLogger(_ log: PacketLoggerRecords) -> SampleFile {
        SampleFile(
            "PacketLogger \(log.testDescription)",
            log.conversation + [log.record(0xFC, Array("a note".utf8)), log.record(0x0A, [1]), log.record(0x42, [])],
            signature: 16)
    }

    static let hcidump = SampleFile(
        "hcidump",
        [
            hcidumpRecord(Sample.command), hcidumpRecord(Sample.event, received: 1), hcidumpRecord(Sample.acl),
            hcidumpRecord(Sample.vendor),
        ],
        signature: 16)

    static let all =
        [btsnoop, hcidump] + PCAPKind.all.map(pcap) + PCAPNGBlocks.both.map(pcapng)
        + PacketLoggerRecords.both.map(packetLogger)
}

@Suite struct DamageTests {
    @Test(arguments: SampleFile.all)
    func aFileCutAnywhereGivesItsWholeRecordsThenTheError(file: SampleFile) {
        let whole = Reading(file.bytes)
        #expect(whole.error == nil)
        for length in 1..<file.bytes.count {
            let reading = Reading(Array(file.bytes.prefix(length)))
            #expect(reading.records == Array(whole.records.prefix(reading.records.count)))
            if length < file.signatureLength {
                #expect(reading.error?.kind == .unknownFormat)
            } else if file.ends.contains(length) {
                #expect(reading.error == nil)
            } else {
                let start = file.ends.last { $0 < length } ?? 0
                guard case .cutShort(let need, let have) = reading.error?.kind else {
                    Issue.record("cut at \(length): \(String(describing: reading.error))")
                    continue
                }
                #expect(reading.error?.offset == UInt64(start))
                #expect(need > have && have == length - start)
            }
        }
    }

    @Test(arguments: SampleFile.all)
    func mutatedFilesNeitherTrapNorLastForever(file: SampleFile) {
        var generator = SplitMix64(seed: 1)
        for _ in 0..<3000 {
            var bytes = file.bytes
            for _ in 0...Int.random(in: 0..<4, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<5, using: &generator) {
                case 0: bytes[place] = UInt8(Int.random(in: 0..<256, using: &generator))
                case 1: bytes[place] ^= 1 << UInt8(Int.random(in: 0..<8, using: &generator))
                case 2: bytes[place] = [0, 0x7F, 0x80, 0xFF][Int.random(in: 0..<4, using: &generator)]
                case 3: bytes.insert(UInt8(Int.random(in: 0..<256, using: &generator)), at: place)
                default: bytes.remove(at: place)
                }
            }
            let reading = Reading(bytes)
            #expect(reading.records.count <= bytes.count)
            #expect(reading.records.allSatisfy { $0.offset < UInt64(bytes.count) && $0.missing >= 0 })
            let frames = reading.records.map(\.frame)
            #expect(frames == frames.sorted())
        }
    }

    /// Small numbers everywhere look like lengths, and types, and times.
    @Test func noiseBehindAHeaderEnds() {
        var generator = SplitMix64(seed: 7)
        for file in SampleFile.all {
            for _ in 0..<200 {
                let noise = (0..<500).map { _ in
                    UInt8(Int.random(in: 0..<3, using: &generator) == 0 ? Int.random(in: 0..<32, using: &generator) : 0)
                }
                let reading = Reading(Array(file.bytes.prefix(file.ends[1])) + noise)
                #expect(reading.records.count <= 500)
            }
        }
    }

    @Test func searchingBehindABrokenBlockTakesTimeInProportionToTheFile() {
        // Each four octets begin a block that claims the longest length: all would be looked into to its end.
        let blocks = PCAPNGBlocks()
        let claim = blocks.uint32(6) + blocks.uint32(UInt32(PCAPNG.blockLimit - 4))
        let file =
            blocks.section() + blocks.interface(187) + blocks.uint32(6) + blocks.uint32(7)
            + (0..<400_000).flatMap { _ in claim }
        var left = file[...]
        let reading = Reading { () throws(CaptureError) in
            try CaptureReader(
                ByteSource(name: "test") { buffer in
                    let chunk = left.prefix(min(buffer.freeCapacity, 4096))
                    for octet in chunk { buffer.append(octet) }
                    left = left.dropFirst(chunk.count)
                    return .octets
                })
        }
        #expect(reading.error?.kind == .unreadable)
    }
}
