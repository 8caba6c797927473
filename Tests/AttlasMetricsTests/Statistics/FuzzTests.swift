import AttlasCapture
import AttlasTestSupport
import AttlasTrace
import AttlasWire
import Testing

@testable import AttlasMetrics

/// Whatever the capture holds, measuring it ends, and the figures fit each other.
@Suite struct FuzzTests {
    /// Times that a file can name: close to each other, or at the ends of what there is.
    private func time(after last: Timestamp, _ generator: inout SplitMix64) -> Timestamp {
        let nanoseconds = UInt32.random(in: 0..<1_000_000_000, using: &generator)
        switch Int.random(in: 0..<40, using: &generator) {
        case 0: return Timestamp(seconds: .max, nanoseconds: nanoseconds, precision: 9)
        case 1: return Timestamp(seconds: .min, nanoseconds: nanoseconds, precision: 9)
        case 2: return Timestamp(seconds: 0, nanoseconds: nanoseconds, precision: 9)
        case 3...6:
            let step = Int64.random(in: -2...86_400, using: &generator)
            return Timestamp(seconds: last.seconds &+ step, nanoseconds: nanoseconds, precision: 9)
        default: return Timestamp(seconds: last.seconds, nanoseconds: nanoseconds, precision: 9)
        }
    }

    /// Packets that mean something often enough: known handles, channels and opcodes, and anything after them.
    private func packet(_ generator: inout SplitMix64) -> (HCIPacketType, [UInt8]) {
        var octets = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
            UInt8.random(in: 0...255, using: &generator)
        }
        let handle = little(0x40 + Int.random(in: 0...2, using: &generator))
        switch Int.random(in: 0..<10, using: &generator) {
        case 0:
            let address = [UInt8.random(in: 0...3, using: &generator), 1, 2, 3, 4, 0xC0]
            return (.event, hex("3E 13 01 00") + handle + [0, 1] + address + octets.prefix(2) + hex("0000 4800 00"))
        case 1:
            let header = [hex("3E 0A 03 00"), hex("3E 06 0C 00"), hex("3E 0B 07"), hex("08 04 00"), hex("05 04 00")]
            return (.event, (header.randomElement(using: &generator) ?? []) + handle + octets)
        case 2: return (.event, hex("13 05 01") + handle + octets.prefix(2))
        case 3: return (.event, octets)
        default:
            let opcodes: [UInt8] = [
                0x01, 0x02, 0x03, 0x08, 0x09, 0x0A, 0x0B, 0x12, 0x13, 0x16, 0x1B, 0x1D, 0x1E, 0x23, 0x52,
            ]
            octets.insert(opcodes.randomElement(using: &generator) ?? 0, at: 0)
            let channel = Int.random(in: 3...7, using: &generator)
            let data = little(octets.count) + little(channel) + octets
            let length = Int.random(in: 0..<20, using: &generator) == 0 ? Int(octets[0]) : data.count
            return (
                .acl, [handle[0], [0x00, 0x10, 0x20].randomElement(using: &generator) ?? 0] + little(length) + data
            )
        }
    }

    @Test(arguments: 1...4)
    func anythingIsMeasured(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        var trace = Trace()
        var collector = StatisticsCollector()
        var now = Timestamp(seconds: 1_000, nanoseconds: 0, precision: 9)
        var maker = RecordMaker()
        for _ in 1...5_000 {
            now = time(after: now, &generator)
            let (type, octets) = packet(&generator)
            var packet = Packet(.packet(type), .rx, octets, time: now)
            packet.direction = [.tx, .rx, .unknown].randomElement(using: &generator) ?? .rx
            packet.missing = Int.random(in: 0..<30, using: &generator) == 0 ? 7 : 0
            packet.lost = Int.random(in: 0..<100, using: &generator) == 0 ? 1 : 0
            maker.make(packet) { trace.decode($0, into: &collector) }
        }
        trace.finish(into: &collector)
        collector.finish(in: trace)

        var counts: [Int] = []
        for grouping in StatisticsGrouping.allCases {
            let groups = collector.groups(by: grouping)
            counts.append(groups.flatMap(\.values).map(\.count).reduce(0, +))
            for row in groups.flatMap(\.exchanges) where row.roundTrips.count > 0 {
                let figures = [
                    row.roundTrips.minimum, row.roundTrips.percentile(50), row.roundTrips.percentile(90),
                    row.roundTrips.percentile(99), row.roundTrips.maximum,
                ].compactMap(\.self)
                expect(figures, equals: figures.sorted())
                expect(row.roundTrips.parts(12).map(\.count).reduce(0, +), equals: row.roundTrips.count)
            }
            for row in groups.flatMap(\.values) {
                #expect(row.gaps.count < row.count)
                #expect(row.bestSecond <= row.octets.value)
            }
        }
        // However the rows are put together, nothing is lost.
        expect(Set(counts).count, equals: 1)
        #expect(counts[0] > 100)
        for life in collector.connections {
            for traffic in [life.transmitted, life.received, life.undirected] {
                #expect(traffic.octets.hci >= traffic.octets.l2cap)
            }
        }
    }
}

@Suite struct FuzzLongTests {
    @Test(arguments: 5...20) func anythingIsMeasured(seed: UInt64) { FuzzTests().anythingIsMeasured(seed: seed) }
}
