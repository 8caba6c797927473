import AttlasFilter
import AttlasTestSupport
import AttlasTrace
import AttlasValues
import AttlasWire
import Testing

@testable import AttlasMetrics

@Suite struct CaptureDifferenceTests {
    private func snapshot(_ packets: [Packet], _ selection: Selection = Selection()) -> CaptureSnapshot {
        document(of: packets) { SnapshotCollector(file: "a", selection: selection, values: $0) }
    }

    private func difference(_ first: [Packet], _ second: [Packet]) -> CaptureDifference {
        CaptureDifference(snapshot(first), snapshot(second))
    }

    /// One service with these characteristics: handle of the value, properties, UUID.
    private static func server(
        _ characteristics: String, service: String = "0F18", address: String = Address.strap
    ) -> [Packet] {
        [
            .connected(address), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0F00 \(service)"),
            .att(.tx, "08 0100 0F00 0328"), .att(.rx, "09 07 \(characteristics)"),
        ]
    }

    // MARK: Trees

    @Test func theSameTreeHasNoChanges() {
        let server = Self.server("0200 02 0300 192A")
        let difference = difference(server, server)
        expect(difference.servers.map(\.changes.count), equals: [0])
        #expect(failures(difference, .tree).isEmpty)
    }

    @Test func attributesMoveChangeComeAndGo() throws {
        let difference = difference(
            Self.server("0200 02 0300 192A 0400 12 0500 382A 0600 08 0700 392A"),
            Self.server("0200 02 0300 192A 0400 02 0600 382A 0700 02 0800 372A"))
        let changes = try #require(difference.servers.first).changes
        expect(failures(difference, .tree).count, equals: 1)
        expect(changes.map { $0.path.last?.uuid?.uint16 }, equals: [0x2A38, 0x2A39, 0x2A37])
        expect(changes.map { $0.first?.handle }, equals: [5, 7, nil])
        expect(changes.map { $0.second?.handle }, equals: [6, nil, 8])
        expect(changes.map(\.isMoved), equals: [true, false, false])
        expect(changes.map(\.hasOtherProperties), equals: [true, false, false])
    }

    /// Which one of its UUID an attribute is, tells it apart.
    @Test func attributesOfOneUUIDAreCounted() throws {
        let changes = try #require(
            difference(
                Self.server("0200 02 0300 192A 0400 02 0500 192A"), Self.server("0200 02 0300 192A 0400 08 0500 192A")
            )
            .servers.first
        ).changes
        expect(changes.map { $0.path.map(\.occurrence) }, equals: [[0, 1]])
        expect(changes.map(\.hasOtherProperties), equals: [true])
    }

    // MARK: Peers

    @Test func peersBelongTogetherByTheirAddresses() {
        let (strap, probe) = (
            Self.server("0200 02 0300 192A"), Self.server("0200 02 0300 382A", address: Address.probe)
        )
        let difference = difference(strap + [.disconnected()] + probe, probe + [.disconnected()] + strap)
        expect(difference.servers.map { $0.first?.address == $0.second?.address }, equals: [true, true])
        #expect(failures(difference, .tree).isEmpty)
    }

    @Test func twoThatAreLeftBelongTogether() {
        let phone = Self.server("0200 02 0300 192A", address: Address.phone)
        let difference = difference(
            Self.server("0200 02 0300 192A"), Self.server("0200 02 0300 192A", address: Address.probe))
        expect(difference.servers.count, equals: 1)
        // Of three nobody knows which two.
        let three = self.difference(
            Self.server("0200 02 0300 192A"),
            Self.server("0200 02 0300 192A", address: Address.probe) + [.disconnected()] + phone)
        expect(three.servers.map { $0.first != nil }, equals: [true, false, false])
        #expect(failures(three, .tree).isEmpty)
    }

    // MARK: Round trips

    /// Reads of Battery Level, answered after some milliseconds.
    private static func reads(_ count: Int, _ milliseconds: Double) -> [Packet] {
        server("0200 02 0300 192A")
            + (0..<count).flatMap { index in
                let start = 2_000 + 1_000 * Double(index)
                return [
                    Packet.att(.tx, "0A 0300").at(milliseconds: start),
                    .att(.rx, "0B 5A").at(milliseconds: start + milliseconds),
                ]
            }
    }

    @Test(arguments: [
        (20, 50.0, 60.0, 20.0, false), (20, 50, 60, 19, true), (20, 60, 50, 0, false), (19, 50, 500, 20, false),
        (20, 50, 50, 0, false),
    ])
    func slowerIsBeyondTheTolerance(
        count: Int, before: Double, after: Double, tolerance: Double, isSlower: Bool
    ) {
        let difference = difference(Self.reads(count, before), Self.reads(count, after))
        let verdict = DifferenceVerdict(difference, failOn: [.slower], tolerance: tolerance)
        #expect(verdict.failures.isEmpty != isSlower)
        // The three requests of the discovery are two kinds.
        expect(verdict.notCompared.map { $0.first?.roundTrips.count }, equals: (count < 20 ? [1, 1, count] : [1, 1]))
        #expect(DifferenceVerdict(difference, failOn: [.tree], tolerance: tolerance).notCompared.isEmpty)
    }

    /// 18 reads of 50 ms and two of 90 ms: the 99th percentile is the greatest of 20.
    @Test func aFailureHasItsFigures() throws {
        let difference = difference(Self.reads(20, 50), Self.reads(18, 50) + Self.reads(20, 90).suffix(4))
        let failure = try #require(failures(difference, .slower).first)
        guard case .slower(let key, let percentile, let before, let after) = failure else {
            Issue.record("\(failure)")
            return
        }
        expect(key.characteristic?.uint16, equals: 0x2A19)
        expect([percentile, before, after], equals: [99, 50_000, 90_000])
        expect(failures(difference, .slower).count, equals: 1)
    }

    private func failures(
        _ difference: CaptureDifference, _ criterion: DifferenceVerdict.Criterion
    ) -> [DifferenceVerdict.Failure] {
        DifferenceVerdict(difference, failOn: [criterion], tolerance: 20).failures
    }

    @Test func measuresOfOneCaptureOnlyHaveNoOther() {
        let difference = difference(Self.reads(1, 50), Self.server("0200 02 0300 192A"))
        let reads = difference.exchanges.filter { $0.key.opcode.rawValue == 0x0A }
        expect(reads.map { $0.first != nil }, equals: [true])
        expect(reads.map { $0.second != nil }, equals: [false])
        expect(difference.values.map { $0.second != nil }, equals: [false])
    }

    /// A characteristic is the same wherever it is.
    @Test func measuresGoByUUIDs() {
        let moved =
            Self.server("0400 02 0500 192A") + [.att(.tx, "0A 0500"), .att(.rx, "0B 5A")]
        let reads = difference(Self.reads(1, 50), moved).exchanges.filter { $0.key.opcode.rawValue == 0x0A }
        expect(reads.count, equals: 1)
        #expect(reads.allSatisfy { $0.first != nil && $0.second != nil })
    }

    // MARK: Incidents

    /// Error Response of a Read Request: Insufficient Authentication. Vol 3, Part F, 3.4.1.1.
    private static let refusal: [Packet] = [.att(.tx, "0A 0300"), .att(.rx, "01 0A 0300 05")]
    private static let battery = server("0200 02 0300 192A")
    /// Supervision timeout. Vol 1, Part F, 2.8.
    private static let lost = Packet.disconnected(reason: 0x08)

    private func changes(_ difference: CaptureDifference) -> [String] {
        difference.incidents.map { pair in
            let counts = "\(pair.first?.count ?? 0) → \(pair.second?.count ?? 0)"
            return "\(pair.first?.key.kind.rawValue ?? pair.second?.key.kind.rawValue ?? ""): \(counts), \(pair.change)"
        }
    }

    @Test func incidentsComeAndGo() {
        let first = Self.battery + [Self.lost, .connected()] + Self.refusal + [.disconnected()]
        let second =
            Self.battery + Self.refusal + Self.refusal + [.disconnected(), .connected(), .disconnected(reason: 0x3D)]
        let difference = difference(first, second)
        expect(
            changes(difference),
            equals: [
                "integrity check failed: 0 → 1, new", "link lost: 1 → 0, gone", "request refused: 1 → 2, same",
            ])
        let refused = difference.incidents[2].second
        #expect(refused?.frame == 7 && refused?.key.characteristic?.uint16 == 0x2A19 && refused?.key.handle == nil)
        expect(failures(difference, .incidents).count, equals: 1)
        #expect(failures(difference, .tree).isEmpty && failures(difference, .incomplete).isEmpty)
        let reversed = self.difference(second, first)
        expect(
            changes(reversed),
            equals: [
                "link lost: 0 → 1, new", "integrity check failed: 1 → 0, gone", "request refused: 2 → 1, same",
            ])
        expect(failures(reversed, .incidents).count, equals: 1)
        #expect(changes(self.difference(first, first)).allSatisfy { $0.hasSuffix("same") })
        #expect(failures(self.difference(first, first), .incidents).isEmpty)
    }

    /// 1 and 12 of 12 reads are refused, in equal times: 2 × 14 ÷ 2¹³ = 0.0034. In 12 times the time, 12 are no more than 1.
    @Test func incidentsAreComparedByTheHour() {
        let answered: [Packet] = [.att(.tx, "0A 0200"), .att(.rx, "0B 12")]
        func reads(refused: Int, of count: Int) -> [Packet] {
            Self.battery + (0..<count).flatMap { $0 < refused ? Self.refusal : answered } + [.disconnected()]
        }
        let (one, all) = (reads(refused: 1, of: 12), reads(refused: 12, of: 12))
        expect(changes(difference(one, all)), equals: ["request refused: 1 → 12, more"])
        expect(changes(difference(all, one)), equals: ["request refused: 12 → 1, fewer"])
        expect(changes(difference(one, reads(refused: 12, of: 144))), equals: ["request refused: 1 → 12, same"])
    }

    /// A handle is the same attribute only where its UUID is.
    @Test func incidentsGoByUUIDs() {
        let moved = Self.server("0400 02 0500 192A") + [.att(.tx, "0A 0500"), .att(.rx, "01 0A 0500 05")]
        expect(changes(difference(Self.battery + Self.refusal, moved)), equals: ["request refused: 1 → 1, same"])
        let other = Self.server("0200 02 0300 382A") + Self.refusal
        expect(
            changes(difference(Self.battery + Self.refusal, other)),
            equals: [
                "request refused: 0 → 1, new", "request refused: 1 → 0, gone",
            ])
        let unknown: [Packet] = [.connected()] + Self.refusal
        expect(changes(difference(unknown, unknown)), equals: ["request refused: 1 → 1, same"])
    }

    /// As the trees: two that are left belong together.
    @Test func incidentsOfADeviceThatWasExchanged() {
        let probe = Self.server("0200 02 0300 192A", address: Address.probe) + [Self.lost]
        expect(changes(difference(Self.battery + [Self.lost], probe)), equals: ["link lost: 1 → 1, same"])
        // A device without a tree is another one.
        let bare: [Packet] = [.connected(Address.probe), Self.lost]
        expect(
            changes(difference(Self.battery + [Self.lost], bare)),
            equals: [
                "link lost: 0 → 1, new", "link lost: 1 → 0, gone",
            ])
    }

    @Test func whatIsNotSelectedIsNotCompared() {
        let packets =
            Self.battery + [Self.lost] + Self.server("0200 02 0300 192A", address: Address.probe) + [Self.lost]
        expect(snapshot(packets).incidents.map(\.frame), equals: [6, 12])
        var selection = Selection()
        selection.frames = 7...12
        expect(snapshot(packets, selection).incidents.map(\.frame), equals: [12])
        selection.frames = 2...4
        #expect(snapshot(packets, selection).incidents.isEmpty)
    }

    // MARK: Fields

    @Test func fieldsInOtherRanges() throws {
        let start = Self.server("0200 12 0300 192A")
        let difference = difference(
            start + [.att(.rx, "1B 0300 50"), .att(.rx, "1B 0300 5A")],
            start + [.att(.rx, "1B 0300 5A"), .att(.rx, "1B 0300 4F")])
        let field = try #require(difference.fields.first)
        expect(difference.fields.count, equals: 1)
        expect(field.key.field, equals: "Battery Level")
        expect(field.key.unit, equals: "%")
        expect(field.first.map { [$0.least.double, $0.greatest.double] }, equals: [80, 90])
        expect(field.second.map { [$0.least.double, $0.greatest.double] }, equals: [79, 90])
        let same = self.difference(start + [.att(.rx, "1B 0300 50")], start + [.att(.rx, "1B 0300 50")])
        #expect(same.fields.isEmpty)
    }
}
