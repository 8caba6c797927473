import AttlasCapture
import AttlasConversation
import AttlasFilter
import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// Numbers the lines of a conversation, and makes the requested ones.
struct LineCollector {
    /// Rows of a line; more are cut.
    private static let rowLimit = 40

    private(set) var text: ConversationText
    private var selector: EventSelector
    private var trouble: EventSelector
    /// Lines of the listing so far.
    var count = 0
    /// Records so far.
    private(set) var record = 0
    /// Lines of the record so far.
    private(set) var ordinal = 0
    /// Which of the listing's lines are made.
    var wanted = 0..<0
    private(set) var lines: [RecordedLine] = []
    /// Whether the last record had trouble.
    private(set) var hasTrouble = false
    /// The frame and the time of the last record.
    private(set) var last = (frame: 0, time: Timestamp.epoch)

    init(values: ValueInterpreter, options: ConversationText.Options) {
        var options = options
        options.isForScreen = true
        options.showsFrames = true
        options.isColoured = false
        text = ConversationText(values: values, options: options)
        var selection = Selection()
        selector = EventSelector(selection, values: values)
        selection.filter = .trouble
        trouble = EventSelector(selection, values: values)
    }

    /// From the next event on, it is part of another conversation with the same past. Lines that it has made are not taken along.
    mutating func attach(_ values: ValueInterpreter) {
        lines = []
        wanted = 0..<0
        text.use(values)
        selector.use(values)
        trouble.use(values)
    }

    mutating func note(_ record: borrowing Record) {
        if !record.comments.isEmpty { text.note(record.comments, of: record.frame) }
        self.record += 1
        last = (record.frame, record.time)
        ordinal = 0
        hasTrouble = false
    }

    /// From here on the lines are those that the selection holds.
    /// - Parameter count: how many there were.
    mutating func choose(_ selection: Selection?, from count: Int, width: Int?) {
        selector.select(selection ?? Selection())
        self.count = count
        if let width { layOut(width: width) }
    }

    mutating func layOut(width: Int) {
        if columns(for: width) != text.columns { text.layOut(width: width) }
    }

    /// The columns of lines on a screen of this width.
    func columns(for width: Int?) -> ConversationText.Columns {
        ConversationText.Columns(for: width, indent: text.line.indent, isForScreen: true)
    }

    var hasLines: Bool { !lines.isEmpty }

    /// The lines that were made since the last time.
    mutating func takeLines() -> [RecordedLine] {
        defer { lines = [] }
        return lines
    }

    /// Whether a line is made of the event.
    func isNumbered(_ event: borrowing Event) -> Bool { text.hasLine(event) && !text.isShownWithNext(event) }

    mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        guard text.hasLine(event) else { return }
        let isTrouble = Self.mayBeTrouble(event) && trouble.isFound(event, in: trace)
        if isTrouble { hasTrouble = true }
        let isSelected = selector.isSelected(event, in: trace)
        if text.isShownWithNext(event) { return text.receive(event, in: trace) }
        defer { ordinal += 1 }
        guard isSelected else { return text.pass(event) }
        defer { count += 1 }
        guard wanted.contains(count) else {
            text.line.removeAll()
            return text.pass(event)
        }
        text.receive(event, in: trace)
        let owner = event.connection.map { TableOwner(event.server ?? .peer, $0, in: trace) }
        var place: AttributePlace?
        if let owner {
            event.forEachAttribute(in: trace) { value in
                place = value.handle.map {
                    AttributePlace(owner: owner, handle: value.attribute?.valueHandle ?? $0)
                }
                return place == nil
            }
        }
        var request: Int?
        if case .att(let operation) = event.detail { request = operation.request?.frame }
        lines.append(
            RecordedLine(
                number: count, record: record, frame: event.frame, ordinal: ordinal, time: event.time,
                rows: Array(ScreenLog.entries(&text.line, place).prefix(Self.rowLimit)),
                peer: event.connection.map { trace.connections[$0].peer }, owner: owner, place: place,
                request: request, isTrouble: isTrouble))
    }

    /// Most events need not be asked about.
    private static func mayBeTrouble(_ event: borrowing Event) -> Bool {
        guard case .att(let operation) = event.detail else { return true }
        if operation.fault != nil { return true }
        switch operation.pdu {
        case .errorResponse, .unknown: return true
        default: return false
        }
    }
}
