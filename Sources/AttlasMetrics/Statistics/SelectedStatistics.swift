import AttlasDissection
import AttlasFilter
import AttlasTrace
import AttlasValues

/// Measures a selection.
public struct SelectedStatistics: DocumentCollector {
    package private(set) var collector = StatisticsCollector()
    private let library: DissectorLibrary
    private let selection: Selection
    private var selector: EventSelector
    private let optionPrefix: String
    /// Range of the selected frames; nil if nothing, or everything, is selected.
    package private(set) var frames: ClosedRange<Int>?

    /// - Parameters:
    ///   - values: of the `Interpreted` that hands on the events.
    ///   - optionPrefix: before the names of options, in the reason why nothing was selected.
    package init(selection: Selection, values: ValueInterpreter, optionPrefix: String = "--") {
        self.selection = selection
        self.optionPrefix = optionPrefix
        selector = EventSelector(selection, values: values)
        library = values.library
    }

    public var wantsCompletedPackets: Bool { collector.wantsCompletedPackets }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        if selector.isEverything { collector.receive(event, in: trace) } else { select(event, in: trace) }
    }

    @inline(never)
    private mutating func select(_ event: borrowing Event, in trace: borrowing Trace) {
        collector.isWithin = selector.isWithin(event, in: trace)
        let isInScope = collector.isWithin && selector.isInScope(event, in: trace)
        collector.isSelected = isInScope && selector.isFound(event, in: trace)
        if collector.isSelected { frames = min(frames?.lowerBound ?? event.frame, event.frame)...event.frame }
        collector.receive(event, in: trace)
    }

    public mutating func finish(in trace: borrowing Trace, _ integrity: CaptureIntegrity) -> StatisticsModel {
        collector.finish(in: trace)
        return StatisticsModel(
            collector, UUIDNames(trace, library),
            whyNothing: selector.foundNothing(withPackets: false)
                ? selection.whyNothing(in: trace, integrity.extent, library, optionPrefix: optionPrefix) : nil,
            integrity)
    }
}
