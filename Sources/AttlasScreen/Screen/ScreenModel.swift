import AttlasCapture
import AttlasConversation
import AttlasDissection
import AttlasFilter
import AttlasIncidents
import AttlasLint
import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// The model of the full screen of `attlas live`: a sink that keeps the state of everything.
///
/// Its memory is bounded: the limits are documented with its parts.
public struct ScreenModel: EventSink {
    /// Values of a recording of which a number is taken after `beginSamples`.
    private static let sampleLimit = 1_000

    package private(set) var totals = ConversationTotals()
    private(set) var extent = CaptureExtent()
    private(set) var tree: TreeCollector
    private(set) var links = ScreenLinks()
    private(set) var series = SeriesTable()
    private(set) var log = ScreenLog()
    /// The lines about one attribute, which the log may have dropped.
    private(set) var followed: (place: AttributePlace, log: ScreenLog)?
    /// Whether only the followed attribute has lines.
    private var isOnlyFollowed = false
    private(set) var findings = ScreenFindings()
    /// The incidents. Its memory ends with that of `IncidentCollector`.
    private(set) var incidents = OptionalSink<IncidentCollector>(nil)
    /// Octets of attribute values, and of all HCI packets.
    private(set) var valueOctets = RateMeter()
    private(set) var hciOctets = RateMeter()

    var values: ValueInterpreter
    private var text: ConversationText
    private var selector: EventSelector
    private var samplesLeft = sampleLimit
    private let isLive: Bool
    private let onIncident: (IncidentCollector.News) -> Void

    /// - Parameters:
    ///   - selection: the selection of the log; its `context` is not used.
    ///   - options: how the lines of the log look. Their `width` is that of the screen.
    ///   - values: of the `Interpreted` that hands on the events.
    ///   - showsFindings: whether the findings of lint are shown.
    ///   - isLive: false for a recording, whose lines are made by other means: neither log, links nor meters are kept.
    ///   - onIncident: Called with incidents as they happen.
    package init(
        values: ValueInterpreter, selection: Selection, options: ConversationText.Options, showsFindings: Bool = false,
        isLive: Bool = true, onIncident: @escaping (IncidentCollector.News) -> Void = { _ in }
    ) {
        self.isLive = isLive
        self.onIncident = onIncident
        if isLive {
            findings = ScreenFindings(following: values, isShown: showsFindings)
            incidents = OptionalSink(IncidentCollector(values: values, isFollowed: true))
        }
        var options = options
        options.isForScreen = true
        options.showsFrames = false
        options.isColoured = false
        self.values = values
        tree = TreeCollector(values: values)
        text = ConversationText(values: values, options: options)
        selector = EventSelector(selection, values: values)
    }

    public var wantsPackets: Bool { text.wantsPackets }
    public var wantsControl: Bool { text.wantsControl || findings.lines.wantsControl || incidents.wantsControl }

    // MARK: What happens

    /// To be called with every record, before it is decoded.
    public mutating func note(_ record: borrowing Record) {
        extent.note(record)
        if isLive, !record.comments.isEmpty { text.note(record.comments, of: record.frame) }
        if isLive, case .packet = record.content {
            hciOctets.add(record.bytes.count + record.missing, at: time(record.time))
        }
    }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        let isWithin = isLive && selector.isWithin(event, in: trace)
        if isLive { totals.receive(event, in: trace) }
        tree.receive(event, in: trace)
        if isLive { links.receive(event, in: trace) }
        if case .identified(let identification) = event.detail { series.follow(identification) }
        if isLive, case .att(let operation) = event.detail, let octets = operation.valueOctets {
            valueOctets.add(octets, at: time(event.time))
        }
        let place = followValues(event, in: trace)
        if isWithin, selector.isInScope(event, in: trace), selector.isFound(event, in: trace), text.hasLine(event) {
            write(event, place, in: trace)
        }
        if findings.lines.isActive {
            for (finding, place) in findings.follow(event, in: trace) {
                text.write(finding, after: event.frame, in: trace)
                append(place)
            }
        }
        guard incidents.wantsControl else { return }
        incidents.receive(event, in: trace)
        for news in incidents.sink?.takeNew(in: trace) ?? [] {
            if let incident = news.incident {
                text.write(incident, after: event.frame, in: trace)
                append(place)
            }
            onIncident(news)
        }
    }

    private mutating func write(_ event: borrowing Event, _ place: AttributePlace?, in trace: borrowing Trace) {
        let isFollowed = place != nil && place == followed?.place
        guard isFollowed || !isOnlyFollowed else { return text.pass(event) }
        text.receive(event, in: trace)
        append(place)
    }

    /// Takes the lines out of the writer.
    private mutating func append(_ place: AttributePlace?) {
        for entry in ScreenLog.entries(&text.line, place) {
            log.append(entry)
            if place != nil, place == followed?.place { followed?.log.append(entry) }
        }
    }

    /// - Returns: the attribute that the event is about, when it is about one.
    private mutating func followValues(_ event: borrowing Event, in trace: borrowing Trace) -> AttributePlace? {
        guard let connection = event.connection, let server = event.server else { return nil }
        let owner = TableOwner(server, connection, in: trace)
        let moment = time(event.time)
        var first: AttributePlace?
        event.forEachAttribute(in: trace) { value in
            guard let handle = value.handle else { return true }
            let place = AttributePlace(owner: owner, handle: handle)
            // A descriptor's line belongs to its characteristic.
            if first == nil {
                first = AttributePlace(owner: owner, handle: value.attribute?.valueHandle ?? handle)
            }
            guard value.isWhole else { return true }
            series.note(place, moment, of: value.type)
            guard value.type != nil, isLive || samplesLeft > 0, !value.isPartial else { return true }
            if !isLive { samplesLeft -= 1 }
            if let reading = values.read(value, in: trace), reading.isDissected {
                series.note(place, values.dissection, reading.dissector)
            }
            return true
        }
        return first
    }

    /// Nanoseconds since the first record.
    func time(_ time: Timestamp) -> Int64 { time.nanoseconds(since: extent.first ?? time) }

    // MARK: What the user does

    /// In a recording, begins the curves with the next values.
    mutating func beginSamples() { samplesLeft = Self.sampleLimit }

    /// The log is about one attribute, and begins with these lines; about all for nil.
    mutating func follow(_ place: AttributePlace?, _ log: ScreenLog?) {
        followed = place.map { ($0, log ?? ScreenLog()) }
    }

    /// A model that makes the lines about one attribute again.
    ///
    /// - Parameter values: of the `Interpreted` that hands on the events.
    func onlyFollowing(_ place: AttributePlace, _ values: ValueInterpreter) -> ScreenModel {
        var model = ScreenModel(values: values, selection: Selection(), options: text.options)
        model.selector = selector
        model.selector.use(values)
        model.findings = ScreenFindings()
        model.incidents = OptionalSink(nil)
        model.followed = (place, ScreenLog())
        model.isOnlyFollowed = true
        return model
    }

    /// From now on the log shows lines that match the filter; earlier lines stay.
    package mutating func find(_ filter: Filter?, _ expression: String) {
        selector.find(filter)
        say(filter == nil ? "no filter from here on" : "from here on: \(expression)", .name)
    }

    /// Definitions that have changed.
    ///
    /// - Parameter values: the result of `Interpreted.use`.
    package mutating func use(_ values: ValueInterpreter) {
        self.values = values
        text.use(values)
        selector.use(values)
        findings.use(values)
        incidents.sink?.use(values)
        series.forgetSamples()
    }

    /// From the next event on, it is part of another conversation with the same past.
    ///
    /// - Parameter values: of the `Interpreted` that hands on the events.
    mutating func attach(_ values: ValueInterpreter) {
        self.values = values
        tree.use(values)
        text.use(values)
        selector.use(values)
    }

    /// Relative times are those of a conversation that began before.
    mutating func begin(with former: ScreenModel) { extent = former.extent }

    /// The start of a recording that continues from here.
    ///
    /// - Parameter values: of the `Interpreted` that hands on the events.
    func ofRecording(_ values: ValueInterpreter) -> ScreenModel {
        var model = ScreenModel(values: values, selection: Selection(), options: text.options, isLive: false)
        model.extent = extent
        model.series = series
        model.tree = tree
        model.tree.use(values)
        return model
    }

    /// The rules' state so far.
    var lint: LintCollector { findings.lines.collector ?? LintCollector(values: values) }

    /// The incidents so far.
    var incidentCollector: IncidentCollector { incidents.sink ?? IncidentCollector(values: values) }

    /// All findings of lint, when nothing more will come.
    package mutating func finishFindings(in trace: borrowing Trace) -> [LintFinding] { findings.takeAll(in: trace) }

    /// The incidents, when nothing more will come.
    package mutating func finishIncidents(_ integrity: CaptureIntegrity, in trace: borrowing Trace) -> IncidentsModel? {
        incidents.sink?.finish(in: trace, integrity)
    }

    /// The terminal has another width: the lines from now on are laid out for it.
    package mutating func resize(columns: Int) {
        text.layOut(width: columns)
    }

    /// A line of the log that no event caused.
    package mutating func say(_ message: String, _ style: TextStyle) {
        var line = TextBuffer()
        line.append("              ── \(display: message)")
        log.append(
            ScreenLog.Entry(
                text: Array(line.bytes), runs: [StyledRun(style: style, start: 0, end: line.count)], place: nil))
    }
}
