import AttlasDefinitions
import AttlasInput
import AttlasTestSupport
import AttlasTrace
import Testing

@testable import AttlasFilter

/// What is said of a selection that finds nothing.
@Suite struct SelectionTests {
    /// HRM-7, F2:F2:F2:F2:F2:F2, in 177 records and 9.5 s. Captures/heart-rate.md.
    private func whyNothing(_ change: (inout Selection) -> Void) throws -> String {
        var trace = Trace()
        var reader = try CaptureReader(capture: "heart-rate.btsnoop")
        var sink = SinkPair(first: Nobody(), second: Nobody())
        let extent = try trace.decode(&reader, into: &sink)
        var selection = Selection()
        change(&selection)
        #expect(!selection.isEverything)
        return selection.whyNothing(in: trace, extent, .shipped)
    }

    private struct Nobody: EventSink {
        mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {}
    }

    /// More than 64 bits of nanoseconds lie between them.
    @Test(
        arguments: [
            ("12.5", .sinceStart(12_500_000_000)), ("0", .sinceStart(0)),
            ("999999999.999999999", .sinceStart(999_999_999_999_999_999)),
            // date -u -d 2024-02-29T23:59:59Z +%s
            ("2024-02-29T23:59:59Z", .moment(Timestamp(seconds: 1_709_251_199, nanoseconds: 0, precision: 9))),
            (
                "2026-11-21 09:55:20.5",
                .moment(Timestamp(seconds: 1_795_254_920, nanoseconds: 500_000_000, precision: 9))
            ),
        ] as [(String, TimeBound)])
    func aTimeIsReadFromText(_ text: String, _ bound: TimeBound) {
        expect(TimeBound(text), equals: bound)
    }

    @Test(arguments: [
        "", "-1", "1.", "1.0000000001", "5Z", "2026-11-21", "2026-13-21T00:00:00", "2026-11-21T24:00:00",
        "2026-11-21T00:00:60",
        "2026-11-21T00:00:5", "2026-11-21T00:00:00+01", "26-11-21T00:00:00", "2026-11-21T00:00:00ZZ",
        "２０26-11-21T00:00:00",
    ])
    func whatIsNoTimeIsNone(_ text: String) {
        #expect(TimeBound(text) == nil)
    }

    @Test func aTimeBoundHoldsForAnyClock() {
        let first = Timestamp(seconds: .max, nanoseconds: 0, precision: 0)
        let last = Timestamp(seconds: .min, nanoseconds: 0, precision: 0)
        expect(TimeBound.sinceStart(1_000_000_000).nanoseconds(to: last, start: first), equals: .min)
        expect(TimeBound.sinceStart(1_000_000_000).nanoseconds(to: first, start: last), equals: .max - 1_000_000_000)
        expect(TimeBound.moment(first).nanoseconds(to: last, start: first), equals: .min)
    }

    @Test func withoutOptionsItIsEverything() {
        #expect(Selection().isEverything)
    }

    @Test func aPeerOfAnotherNameHasTheNearestOne() throws {
        #expect(
            try whyNothing { $0.peer = "HRM-8" }
                == "no peer has \"HRM-8\" in its name or address; did you mean \"HRM-7\"?")
    }

    @Test func peersAreListedWhenNoneIsNear() throws {
        #expect(
            try whyNothing { $0.peer = "kettle" }
                == "no peer has \"kettle\" in its name or address: the peers are HRM-7, F2:F2:F2:F2:F2:F2")
    }

    @Test func aCharacteristicOfAnotherNameHasTheNearestOne() throws {
        #expect(
            try whyNothing { $0.characteristic = "Battery Levle" }
                == "no characteristic has \"Battery Levle\" in its name or UUID; did you mean \"Battery Level\"?")
    }

    @Test func framesBehindTheEndSayWhereThatIs() throws {
        #expect(try whyNothing { $0.frames = 178...200 } == "no frame 178: there are 177 records")
    }

    @Test func timesBehindTheEndSayWhenThatIs() throws {
        #expect(
            try whyNothing { $0.from = .sinceStart(60_000_000_000) }
                == "nothing after --from: the capture ends 9.4 s after its first record")
    }

    @Test func aFilterIsNamedAsItWasWritten() throws {
        let filter = try Filter("rtt > 9s", library: .shipped)
        #expect(try whyNothing { $0.filter = filter } == "nothing meets --filter 'rtt > 9s'")
    }

    @Test func optionsThatFindSomethingOneByOneAreNamedTogether() throws {
        #expect(
            try whyNothing {
                $0.peer = "HRM"
                $0.frames = 1...2
            } == "nothing meets --frames 1-2 and --peer \"HRM\"")
    }

    // MARK: Peers

    /// Two devices, of which 0x0041 gives its Device Name, "One", in frame 5, after a notification.
    private static let named: [Packet] = [
        .connected(), .connected(Address.probe, handle: 0x41), .att(.rx, "1B 1900 01", handle: 0x41),
        .att(.tx, "08 0100 FFFF 002A", handle: 0x41), .att(.rx, "09 05 0300 4F6E65", handle: 0x41),
        .att(.rx, "1B 1900 02"), .disconnected(handle: 0x41),
    ]

    /// The frames of the events that are in scope.
    private struct InScope: EventSink {
        var selector: EventSelector
        var frames: Set<Int> = []

        var wantsPackets: Bool { false }

        mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
            if selector.isInScope(event, in: trace) { frames.insert(event.frame) }
        }
    }

    private func frames(_ selection: Selection) -> [Int] {
        decoded(Self.named) { InScope(selector: EventSelector(selection, values: $0)) }.frames.sorted()
    }

    @Test func aNameThatComesLateNamesThePeerInTheWholeCapture() {
        var search = PeerSearch()
        var trace = Trace()
        trace.decode(Self.named, into: &search)
        var selection = Selection()
        selection.peer = "one"
        // As far as it was known when each event came.
        expect(frames(selection), equals: [7])
        selection.peers = search.peers(named: "one", in: trace)
        expect(frames(selection), equals: [2, 3, 4, 5, 7])
    }

    /// Two connections under private addresses, which turn out to be of one device: its name is theirs.
    @Test func aNameIsThatOfAllConnectionsWithTheDevice() {
        func connection(_ octet: String) -> [Packet] {
            [
                .event("3E 13 01 00 4000 00 01 \(octet)0000000040 1800 0000 4800 00"),
                .frame(.rx, channel: 6, hex("08 000102030405060708090A0B0C0D0E0F")),
                .frame(.rx, channel: 6, hex("09 00 010000000000")),
            ]
        }
        let named: [Packet] = [.att(.tx, "08 0100 FFFF 002A"), .att(.rx, "09 05 0300 6F6E65")]
        var search = PeerSearch()
        var trace = Trace()
        trace.decode(
            connection("01") + [.disconnected(), .connected(), .disconnected()] + connection("02") + named,
            into: &search)
        expect(search.peers(named: "one", in: trace).connections, equals: [1, 3])
        expect(search.peers(named: "two", in: trace).connections, equals: [])
    }
}
