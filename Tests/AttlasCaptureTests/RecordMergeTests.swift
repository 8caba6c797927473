import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasCapture

/// Captures as one, in the order of their times.
@Suite struct RecordMergeTests {
    private struct Found: Equatable {
        var frame: Int
        var microseconds: UInt32
        var controller: UInt16
        var interface: Int
    }

    private func merged(_ captures: [[UInt8]], clocks: [ClockCorrection] = []) throws -> [Found] {
        var sources: [RecordMerge.Source] = []
        for (index, bytes) in captures.enumerated() {
            sources.append(
                .init(
                    try CaptureReader(bytes: bytes, name: "test"),
                    clock: index < clocks.count ? clocks[index] : ClockCorrection()))
        }
        var merge = RecordMerge(sources)
        var found: [Found] = []
        while let record = merge.next() {
            found.append(
                Found(
                    frame: record.frame, microseconds: record.time.nanoseconds / 1_000,
                    controller: record.controller, interface: record.interface))
        }
        return found
    }

    private static let kind = PCAPKind()
    private func monitor(_ records: [(adapter: UInt8, microseconds: UInt32)]) -> [UInt8] {
        Self.kind.header(254)
            + records.flatMap { Self.kind.record([0, $0.adapter, 0, 2] + hex("030C00"), fraction: $0.microseconds) }
    }
    private func air(_ microseconds: [UInt32]) -> [UInt8] {
        Self.kind.header(256)
            + microseconds.flatMap {
                Self.kind.record(hex("0CC4000000000000034C 78563412 0600 AABBCC"), fraction: $0)
            }
    }

    @Test func oneCaptureStays() throws {
        try expect(
            merged([monitor([(3, 9), (1, 2)])]),
            equals: [
                Found(frame: 1, microseconds: 9, controller: 3, interface: 0),
                Found(frame: 2, microseconds: 2, controller: 1, interface: 0),
            ])
    }

    /// Two hosts that both call their adapter 0, and a sniffer: three controllers.
    @Test func controllersStayApart() throws {
        let found = try merged([monitor([(0, 1), (0, 6)]), monitor([(0, 2), (7, 3)]), air([4, 5])])
        expect(found.map(\.microseconds), equals: [1, 2, 3, 4, 5, 6])
        expect(found.map(\.frame), equals: [1, 2, 3, 4, 5, 6])
        expect(found.map(\.controller), equals: [0, 3, 7, 2, 2, 0])
        expect(found.map(\.interface), equals: [0, 1, 1, 2, 2, 0])
    }

    /// The number of a sniffer's interface is that of an adapter.
    @Test func anInterfaceMakesRoomForAnAdapter() throws {
        let found = try merged([monitor([(1, 1)]), air([2])])
        expect(found.map(\.controller), equals: [1, 2])
        expect(found.map(\.interface), equals: [0, 2])
    }

    /// 1.5 s ahead at the beginning, and 50 µs more each second.
    @Test func aClockIsCorrected() throws {
        let reference = Timestamp(seconds: 1_767_225_600, nanoseconds: 0, precision: 6)
        let clock = ClockCorrection(offset: 1_500_000_000, drift: 50_000, reference: reference)
        let time = Timestamp(seconds: 1_767_225_610, nanoseconds: 0, precision: 6)
        expect(clock.corrected(time), equals: Timestamp(seconds: 1_767_225_608, nanoseconds: 499_500_000, precision: 6))
        let found = try merged(
            [monitor([(0, 10)]), air([5])], clocks: [.init(), .init(offset: -8_000, drift: 0, reference: reference)])
        expect(found.map(\.microseconds), equals: [10, 13])
    }

    @Test func aBrokenBlockIsOfNoInterface() throws {
        let blocks = PCAPNGBlocks()
        let bytes =
            blocks.section() + blocks.enhanced([1, 3, 12, 0]) + blocks.interface(201)
            + blocks.enhanced(hex("00000000 01030C00"))
        let found = try merged([bytes, monitor([(0, 1)])])
        expect(found.map(\.frame), equals: [1, 2, 3])
    }
}
