import AttlasCapture
import AttlasConversation
import AttlasFilter
import AttlasIncidents
import AttlasInference
import AttlasLint
import AttlasMetrics
import AttlasTables
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// All data of a report on one capture.
///
/// To add a part: its data here (the model of a document, or rows of a `Table`) and a file `ReportPage+….swift`; for two captures side by
/// side, `ReportComparison`, `ReportPage+Comparison.swift` and its table in `ReportMarkdown`. Markup is a literal, everything else goes
/// through `HTMLWriter.put`. Figures are in `<data value>` as in JSON. New elements and attributes belong in `OutputInspector+HTML.swift`,
/// and the expected behaviour in a browser in Tests/Report/.
public struct ReportModel: CaptureDocument {
    public let integrity: CaptureIntegrity
    /// Digests of the files that it was read from; none for a capture that is in no file.
    package var digests: [CaptureDigest] = []
    /// Why a selection found nothing; nil if it found something.
    package var whyNothing: String? { statistics.whyNothing }
    /// Whether only a part of the capture is selected.
    let isSelection: Bool
    let statistics: StatisticsModel
    /// Title of each connection's peer: a device has one name on all of its connections.
    let peerTitles: [Int: String]
    /// … of each connection.
    let groups: StatisticsGroups
    let tree: TreeModel
    let devices: DevicesModel
    let lint: LintModel
    let incidents: IncidentsModel
    let totals: ConversationTotals
    let operations: [PageRows.Operation]
    /// Operations that were selected, also those that are not kept.
    let operationCount: Int
    /// PDUs of the Security Manager.
    let pairing: [PageRows.Operation]
    let notes: [PageRows.Note]
    let notesLeftOut: Int
    /// Whether some operations have their octets, but not their layers.
    let lacksLayers: Bool
    let plots: [PagePlot]
    /// Values of characteristics without a name.
    let unknownValues: ValuesModel
    /// Data for a comparison with another capture, if requested.
    let snapshot: CaptureSnapshot?

    var names: UUIDNames { statistics.names }

    /// From the origin of the times to the last record; never 0.
    var span: Int64 {
        guard let first = integrity.start, let last = integrity.extent.last else { return 1_000_000 }
        return max(1_000_000, last.nanoseconds(since: first))
    }

    func title(of life: ConnectionLife) -> String { peerTitles[life.number] ?? life.title }

    fileprivate static func peerTitles(of connections: [ConnectionLife]) -> [Int: String] {
        var names: [BluetoothAddress: String] = [:]
        for life in connections {
            if let address = life.peer.address, let name = life.peer.name { names[address] = name }
        }
        let titles = connections.map { life in
            (life.number, life.peer.address.flatMap { names[$0] } ?? life.title)
        }
        return Dictionary(titles) { first, _ in first }
    }

    /// The axis of all drawings.
    var axis: TimeAxis {
        TimeAxis(
            span: span,
            leaps: integrity.leaps.map { TimeAxis.Leap(end: offset(of: $0.time), length: $0.length) })
    }

    /// Nanoseconds since the origin of the times.
    func offset(of time: Timestamp) -> Int64 { time.nanoseconds(since: integrity.start ?? time) }

    /// … of nanoseconds since 1970.
    func offset(of time: Int64) -> Int64 {
        time.subtracting(integrity.start?.nanoseconds(since: .epoch) ?? time)
    }

    /// Those of which something was selected.
    var connections: [ConnectionLife] { statistics.connections.filter(\.isSelected) }
}

/// Gathers all data of a report in one reading: the models of the other documents, rows of the tables, and numbers over time.
///
/// Devices, GATT trees, findings and incidents are those of the whole capture; a selection leaves out findings and incidents of other connections, frames and
/// times.
public struct ReportCollector: DocumentCollector {
    private var statistics: SelectedStatistics
    private var tree: TreeCollector
    private var devices = DeviceCollector()
    private var lint: LintCollector
    private var incidents: IncidentCollector
    private var totals = ConversationTotals()
    private var tables: TableWriter<PageRows>
    private var plots: PagePlotCollector
    private var unknownValues: ValuesCollector
    private var pairing: [PageRows.Operation] = []
    /// GATT servers whose trees are shown.
    private static let serverLimit = 50
    private static let pairingLimit = 500
    /// Octets of text left for the details of operations. Below 0, only their raw octets are kept; below -700,000, nothing.
    private var insideLeft = 120_000
    private var values: ValueInterpreter
    private let isSelection: Bool
    private var fields: FieldRanges?
    private var findings = 0

    /// - Parameters:
    ///   - isCompared: whether the model is for a `ReportComparison`.
    ///   - values: of the `Interpreted` that hands on the events.
    package init(
        selection: Selection, isCompared: Bool = false, values: ValueInterpreter
    ) {
        statistics = SelectedStatistics(selection: selection, values: values)
        tree = TreeCollector(values: values, serverLimit: Self.serverLimit)
        lint = LintCollector(values: values)
        incidents = IncidentCollector(values: values)
        tables = TableWriter(PageRows(), capture: 1, values: values)
        plots = PagePlotCollector(values: values)
        unknownValues = ValuesCollector(ofUnknown: values)
        self.values = values
        isSelection = !selection.isEverything
        fields = isCompared ? FieldRanges(values: values) : nil
    }

    public var wantsPackets: Bool { statistics.wantsPackets }
    public var wantsCompletedPackets: Bool { statistics.wantsCompletedPackets }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        statistics.receive(event, in: trace)
        switch event.detail {
        // Most events, of which nothing else takes any.
        case .l2cap, .air: return
        default: incidents.receive(event, in: trace)
        }
        switch event.detail {
        case .command, .hciEvent: return lint.receive(event, in: trace)
        case .identified(let identification): plots.follow(identification)
        default: break
        }
        lint.receive(event, in: trace)
        tree.receive(event, in: trace)
        devices.receive(event, in: trace)
        let isSelected = statistics.collector.isSelected
        if isSelected {
            totals.receive(event, in: trace)
            plots.receive(event, in: trace)
            unknownValues.receive(event, in: trace)
            fields?.receive(event, in: trace)
            if case .smp(let pdu) = event.detail { note(pdu, event, in: trace) }
        }
        tables.rows.sink.isSelected = isSelected
        tables.rows.sink.isTrouble = isTrouble(event)
        tables.rows.sink.inside = ""
        if case .att(let operation) = event.detail, tables.rows.sink.keepsNext {
            tables.rows.sink.inside = inside(operation, event, in: trace)
        }
        tables.receive(event, in: trace)
    }

    private mutating func inside(_ operation: ATTOperation, _ event: borrowing Event, in trace: borrowing Trace)
        -> String
    {
        guard insideLeft > -700_000 else { return "" }
        let layers = PacketLayers(att: operation, event, &values, in: trace)
        var text = TextBuffer()
        if insideLeft > 0 {
            layers.append(to: &text)
        } else {
            text.append(lines: layers.octets(of: .record)[...], of: 16)
        }
        insideLeft -= text.count
        return text.text
    }

    private mutating func note(_ pdu: SMPPDU, _ event: borrowing Event, in trace: borrowing Trace) {
        guard pairing.count < Self.pairingLimit else { return }
        var text = TextBuffer()
        text.append(pdu.fields)
        let failure: String? = if case .pairingFailed(let pdu) = pdu { pdu.reason.name } else { nil }
        pairing.append(
            PageRows.Operation(
                number: nil, frame: event.frame, time: event.time.nanoseconds(since: .epoch),
                connection: event.connection.map { trace.connections[$0].number }, direction: event.direction,
                method: "SMP \(pdu.name)", attribute: "", text: text.text, requestFrame: nil, roundTrip: nil,
                error: failure, isTrouble: failure != nil))
    }

    private mutating func isTrouble(_ event: borrowing Event) -> Bool {
        let count = lint.findings.findings.count
        defer { findings = count }
        if count > findings { return true }
        guard case .att(let operation) = event.detail else { return false }
        return operation.fault != nil || operation.opcode == .errorResponse && !operation.endsDiscovery
    }

    public mutating func finish(in trace: borrowing Trace, _ integrity: CaptureIntegrity) -> ReportModel {
        let frames = statistics.frames ?? 0...0
        let statistics = statistics.finish(in: trace, integrity)
        var lint = lint.finish(in: trace, integrity)
        var incidents = incidents.finish(in: trace, integrity)
        if isSelection {
            let connections = Set(statistics.connections.filter(\.isSelected).map(\.number))
            incidents.select(frames, statistics)
            lint.suppress { _, finding in
                guard let finding else { return nil }
                let isIn = finding.place.connection.map { connections.contains($0) } ?? true
                return isIn && frames.overlaps(finding.frame...max(finding.frame, finding.lastFrame))
                    ? nil : "not selected"
            }
        }
        return ReportModel(
            integrity: integrity, isSelection: isSelection, statistics: statistics,
            peerTitles: ReportModel.peerTitles(of: statistics.connections),
            groups: statistics.groups(by: .connection),
            tree: tree.finish(in: trace, integrity), devices: devices.finish(in: trace, integrity), lint: lint,
            incidents: incidents,
            totals: totals, operations: tables.rows.sink.operations, operationCount: tables.rows.sink.count,
            pairing: pairing, notes: tables.rows.sink.notes, notesLeftOut: tables.rows.sink.notesLeftOut,
            lacksLayers: insideLeft <= 0,
            plots: plots.plots(statistics.names, in: trace), unknownValues: unknownValues.finish(in: trace, integrity),
            snapshot: fields.map {
                CaptureSnapshot(statistics, $0, incidents, in: trace, file: integrity.info?.file ?? "")
            })
    }
}
