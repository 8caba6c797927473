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
        var sink = Both(first: Nobody(), second: Nobody())
        let extent = try trace.decode(&reader, into: &sink)
        var selection = Selection()
        change(&selection)
        #expect(!selection.isEverything)
        return selection.whyNothing(in: trace, extent, .shipped)
    }

    private struct Nobody: EventSink {
        mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {}
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

    @Test func optionsThatFindSomethingOneByOneAreNamedTogether() throws {
        #expect(
            try whyNothing {
                $0.peer = "HRM"
                $0.frames = 1...2
            } == "nothing meets --frames and --peer \"HRM\"")
    }
}
