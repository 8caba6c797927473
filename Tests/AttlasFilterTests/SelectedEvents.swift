import AttlasTestSupport
import AttlasTrace
import AttlasValues

@testable import AttlasFilter

/// The events of a capture that a selection holds.
struct SelectedEvents: EventSink {
    /// Of the ATT operations.
    private(set) var frames: [Int] = []
    private(set) var losses = 0
    private(set) var others = 0
    private var selector: EventSelector

    init(_ selection: Selection, in capture: String) throws {
        self = try decoded(capture: capture) { Self(EventSelector(selection, values: $0)) }
    }

    init(_ filter: String, in capture: String) throws {
        var selection = Selection()
        selection.filter = try Filter(filter, library: .withExamples)
        try self.init(selection, in: capture)
    }

    init(_ filter: String, of packets: [Packet]) throws {
        var selection = Selection()
        selection.filter = try Filter(filter, library: .shipped)
        self = decoded(packets) { [selection] in Self(EventSelector(selection, values: $0)) }
    }

    private init(_ selector: EventSelector) {
        self.selector = selector
    }

    mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        guard selector.isWithin(event, in: trace), selector.isInScope(event, in: trace),
            selector.isFound(event, in: trace)
        else { return }
        switch event.detail {
        case .att: frames.append(event.frame)
        case .loss: losses += 1
        default: others += 1
        }
    }
}
