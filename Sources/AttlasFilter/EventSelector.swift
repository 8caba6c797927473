import AttlasCapture
import AttlasTrace
import AttlasValues

/// Decides of one event after the other whether a selection holds it.
public struct EventSelector {
    private var selection: Selection
    private var values: ValueInterpreter
    private var scope: FilterMatcher?
    private var filter: FilterMatcher?
    /// Whether the ATT operation that came last was selected.
    private var hadOperation = false
    /// Whether nothing is left out, so that nothing needs to be asked.
    package private(set) var isEverything = true
    /// Whether it takes HCI commands and events, whatever is shown of them: some of the incidents follow from them. Stored, because every
    /// HCI packet asks.
    package private(set) var wantsControl = false
    private var matches = 0
    /// Those that only `--hci` shows.
    private var packetMatches = 0

    /// Whether a selection found nothing that is shown.
    package func foundNothing(withPackets: Bool) -> Bool {
        !isEverything && matches == 0 && !(withPackets && packetMatches > 0)
    }

    /// - Parameter values: of the `Interpreted` that hands on the events.
    package init(_ selection: Selection, values: ValueInterpreter) {
        self.selection = selection
        self.values = values
        makeMatchers()
    }

    private mutating func makeMatchers() {
        isEverything = selection.isEverything
        scope = selection.scope.map { FilterMatcher($0, values: values) }
        let filter = selection.filter ?? (selection.context == nil ? nil : .trouble)
        self.filter = filter.map { FilterMatcher($0, values: values) }
        wantsControl = selection.scope?.needsControl == true || filter?.needsControl == true
    }

    /// From the next event on, the selection is this one.
    package mutating func select(_ selection: Selection) { self = EventSelector(selection, values: values) }

    /// From the next event on, the filter is this one.
    package mutating func find(_ filter: Filter?) {
        selection.filter = filter
        makeMatchers()
    }

    /// From the next event on, values are read with this.
    package mutating func use(_ values: ValueInterpreter) {
        self.values = values
        makeMatchers()
    }

    /// Whether the event lies within the frames and the times. Mutating, because a selector is copied to be asked otherwise.
    public mutating func isWithin(_ event: borrowing Event, in trace: borrowing Trace) -> Bool {
        selection.holds(event.frame, event.time, start: trace.start ?? event.time)
    }

    /// Whether it belongs to the conversation.
    public mutating func isInScope(_ event: borrowing Event, in trace: borrowing Trace) -> Bool {
        scope?.matches(event, in: trace) ?? true
    }

    /// Whether it meets all of the selection.
    public mutating func isSelected(_ event: borrowing Event, in trace: borrowing Trace) -> Bool {
        isEverything || isWithin(event, in: trace) && isInScope(event, in: trace) && isFound(event, in: trace)
    }

    /// Whether it matches the filter. To be asked of all events in scope.
    public mutating func isFound(_ event: borrowing Event, in trace: borrowing Trace) -> Bool {
        // The MTU in force belongs to the response that settled it, and has no other property.
        if case .mtu = event.detail { return hadOperation }
        // These events report PDUs that never came: they have no line.
        switch event.detail {
        case .exchange, .updateUnanswered: return false
        default: break
        }
        let isFound = filter?.matches(event, in: trace) ?? true
        if case .att = event.detail { hadOperation = isFound }
        if isFound, !isEverything {
            if event.isOfConversation { matches += 1 } else { packetMatches += 1 }
        }
        return isFound
    }
}

extension Event {
    /// Whether it is more than a packet of the layers below, or advertising.
    fileprivate var isOfConversation: Bool {
        switch detail {
        case .command, .hciEvent, .data, .monitor, .packetLogger, .advertising, .periodic, .stream, .air, .l2cap, .sdu:
            false
        case .loss, .clockStep, .fault, .limit, .missed, .connection, .signal, .smp, .att, .mtu, .subscription,
            .assembled, .importedTable, .identified, .exchange, .updateUnanswered:
            true
        }
    }
}
