import AttlasTestSupport
import AttlasTrace
import Testing

@testable import AttlasFilter

/// What a selection cannot be decoded without.
@Suite struct ContextFramesTests {
    /// A response brings its request, with all records of it.
    @Test func aRequestInSeveralRecords() {
        let packets: [Packet] = [
            .connected(),
            .start(.tx, "0B00 0400 12 1000 01 02"), .more(.tx, "03 04 05 06 07 08"),
            .att(.rx, "13"),
            .start(.tx, "0500 0400 12 1000"), .more(.tx, "09 0A"), .att(.rx, "13"),
        ]
        var selected = FrameSet()
        selected.insert(4)
        var trace = Trace()
        var chosen = SelectedFrames(selected)
        trace.decode(packets, into: &chosen)
        let context = decoded(packets) { [context = chosen.context(in: trace)] _ in context }
        expect((1...7).filter { context.frames.contains($0) }, equals: [1, 2, 3, 4])
    }
}
