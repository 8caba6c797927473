import AttlasCapture
import AttlasTestSupport
import AttlasTrace
import AttlasWire
import Testing

@testable import AttlasMetrics
@testable import AttlasValues

/// What passed over each attribute.
@Suite struct TreeCollectorTests {
    /// Battery Level at handle 3, and Body Sensor Location at handle 5, of one service.
    private static let discovery: [Packet] = [
        .connected(), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0500 0F18"),
        .att(.tx, "08 0100 0500 0328"), .att(.rx, "09 07 0200 12 0300 192A 0400 12 0500 382A"),
    ]

    private func activities(_ packets: [Packet]) throws -> [AttributeHandle: TreeCollector.Activity] {
        try #require(tree(packets).peers.first).activities
    }

    private func tree(_ packets: [Packet]) -> TreeModel { document(of: packets) { TreeCollector(values: $0) } }

    @Test func severalValuesOfOnePDUCountForEachAttribute() throws {
        let notified = try activities(Self.discovery + [.att(.rx, "23 0300 0100 5A 0500 0100 01")])
        expect(notified[3]?.notifications, equals: 1)
        expect(notified[3]?.lastValue?.octets, equals: [0x5A])
        expect(notified[5]?.notifications, equals: 1)
        let read = try activities(Self.discovery + [.att(.tx, "20 0300 0500"), .att(.rx, "21 0100 5A 0100 01")])
        expect(read[5]?.reads, equals: 1)
        expect(read[5]?.lastValue?.octets, equals: [0x01])
    }

    /// The values of a Read Multiple Response have no lengths: where one ends is not known.
    @Test func whatCannotBeTakenApartIsCountedOnly() throws {
        let activities = try activities(Self.discovery + [.att(.tx, "0E 0300 0500"), .att(.rx, "0F 5A 01")])
        expect(activities[3]?.reads, equals: 1)
        #expect(activities[3]?.lastValue == nil)
    }

    /// Mesh Proxy Data Out: the first and the last segment. Mesh Protocol 1.1, 6.3.1.
    @Test func aMessageInPartsIsKeptWhole() throws {
        let packets: [Packet] = [
            .connected(), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0400 2818"),
            .att(.tx, "08 0100 0400 0328"), .att(.rx, "09 07 0200 10 0300 DE2A"),
            .att(.rx, "1B 0300 40 10 11 12"), .att(.rx, "1B 0300 C0 13 14"),
        ]
        let whole = try #require(try activities(packets)[3])
        expect(whole.lastValue?.octets, equals: hex("40 10 11 12 13 14"))
        expect(whole.notifications, equals: 2)
        // The next message has begun: the last whole one stays.
        let begun = try #require(try activities(packets + [.att(.rx, "1B 0300 40 10 21 22")])[3])
        expect(begun.lastValue?.octets, equals: hex("40 10 11 12 13 14"))
        expect(begun.notifications, equals: 3)
    }

    /// The descriptors of Battery Level, at handle 4: Client Characteristic Configuration.
    private static let configurable: [Packet] = [
        .connected(), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0500 0F18"),
        .att(.tx, "08 0100 0500 0328"), .att(.rx, "09 07 0200 12 0300 192A"), .att(.tx, "04 0400 0500"),
        .att(.rx, "05 01 0400 0229"),
    ]

    /// Insufficient Authentication (0x05) in answer to a Write Request.
    @Test func aConfigurationThatIsRefusedStaysWhatItWas() throws {
        let refused = try activities(Self.configurable + [.att(.tx, "12 0400 0100"), .att(.rx, "01 12 0400 05")])
        #expect(refused[4]?.lastValue == nil)
        expect(refused[4]?.errors, equals: 1)
        let taken = Self.configurable + [.att(.tx, "12 0400 0100"), .att(.rx, "13")]
        try expect(activities(taken)[4]?.lastValue?.octets, equals: [0x01, 0x00])
        let then = try activities(taken + [.att(.tx, "12 0400 0200"), .att(.rx, "01 12 0400 05")])
        expect(then[4]?.lastValue?.octets, equals: [0x01, 0x00])
        // A later error is about another request.
        let read = try activities(taken + [.att(.tx, "0A 0400"), .att(.rx, "01 0A 0400 05")])
        expect(read[4]?.lastValue?.octets, equals: [0x01, 0x00])
    }

    /// A use is a value, an error, or an answer that has values of several attributes; a discovery is none.
    @Test func usesHaveTimes() throws {
        func uses(_ handle: AttributeHandle, _ packets: [Packet]) throws -> [Int64]? {
            try activities(Self.discovery + packets)[handle]?.uses
                .map { [$0.first, $0.last].map { $0.nanoseconds(since: Timestamp(microseconds: 0)) / 1_000_000 } }
        }
        #expect(try uses(3, []) == nil)
        let read: [Packet] = [.att(.tx, "0A 0300").at(milliseconds: 100), .att(.rx, "0B 5A").at(milliseconds: 150)]
        try expect(uses(3, read), equals: [150, 150])
        let refused: [Packet] = [
            .att(.tx, "0A 0300").at(milliseconds: 300), .att(.rx, "01 0A 0300 05").at(milliseconds: 350),
        ]
        try expect(uses(3, refused), equals: [350, 350])
        try expect(uses(3, read + refused), equals: [150, 350])
        let several: [Packet] = [
            .att(.tx, "0E 0300 0500").at(milliseconds: 500), .att(.rx, "0F 5A 01").at(milliseconds: 550),
        ]
        try expect(uses(3, read + refused + several), equals: [150, 550])
        try expect(uses(5, read + refused + several), equals: [550, 550])
    }
}
