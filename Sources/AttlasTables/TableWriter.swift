import AttlasCapture
import AttlasConversation
import AttlasFilter
import AttlasIncidents
import AttlasLint
import AttlasMetrics
import AttlasProcedures
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// Writes a decoded conversation to tables, row by row, while it is decoded.
///
/// Its memory is bounded: open connections as the trace keeps them, `peerLimit` devices, and lint's memory.
public struct TableWriter<Sink: TableSink>: DocumentCollector {
    package var rows: TableRows<Sink>
    /// Formats PDUs and values as in the conversation.
    var text: ConversationText
    private var lint: LintCollector
    private var incidents: IncidentCollector
    var procedures = ProcedureFollower(withExchanges: true)
    /// The facts of connections.
    var lives = StatisticsCollector(measuresRows: false)
    private let selection: Selection
    private var selector: EventSelector
    private let digest: (CaptureInfo) -> String?
    private var recordCount = 0
    /// The number of the last one.
    var operation: Int
    /// The number of the last field of this operation.
    var field = 0
    /// The connections of the trace, by their index.
    var begun: [Begun?] = []
    var peers = TablePeers()
    /// Text of the value that is being written.
    var decoded = TextBuffer()
    /// The names from the outermost structure of the value that is written.
    var path: [String] = []

    struct Begun {
        let number: Int
        let frame: Int
    }

    /// - Parameters:
    ///   - capture: its number.
    ///   - operation: the number of the last operation of the captures before.
    ///   - selection: whose events become rows of the tables that are selected.
    ///   - digest: the SHA-256 of the file.
    ///   - values: of the `Interpreted` that hands on the events.
    public init(
        _ sink: Sink, capture: Int, after operation: Int = 0, selection: Selection = Selection(),
        digest: @escaping (CaptureInfo) -> String? = { _ in nil }, values: ValueInterpreter
    ) {
        self.digest = digest
        rows = TableRows(sink, capture: capture)
        text = ConversationText(values: values, options: .init())
        lint = LintCollector(values: values)
        incidents = IncidentCollector(values: values)
        self.selection = selection
        selector = EventSelector(selection, values: values)
        self.operation = operation
    }

    /// Where the rows go.
    public var sink: Sink {
        @inline(__always) _read { yield rows.sink }
        @inline(__always) _modify { yield &rows.sink }
    }

    public var wantsPackets: Bool { rows.sink.wants(.connections) }
    @inlinable public var wantsControl: Bool { true }

    /// Writes the row of `records`.
    public mutating func note(_ record: Record) {
        recordCount += 1
        guard rows.sink.wants(.records) else { return }
        rows.begin(.records)
        rows.add(recordCount)
        rows.add(record.frame)
        rows.add(record.time)
        rows.add(text: record.content.kind)
        rows.add(record.direction)
        rows.add(Int(record.controller))
        rows.add(record.bytes.count)
        rows.add(record.missing)
        rows.add(Int(record.lost))
        rows.end()
    }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        if rows.sink.wants(.findings) { lint.receive(event, in: trace) }
        if wantsIncidents { incidents.receive(event, in: trace) }
        if rows.sink.wants(.procedures) {
            procedures.receive(event, in: trace)
            writeProcedures(in: trace)
        }
        if rows.sink.wants(.connections) { lives.receive(event, in: trace) }
        if let slot = event.connection { noteBeginning(of: slot, event, in: trace) }
        switch event.detail {
        // Connections and devices are complete.
        case .connection(.ended(let end)): writeConnection(end, event, in: trace)
        case .identified(let identification): note(identification, in: trace)
        default: if selector.isEverything || selects(event, in: trace) { write(event, in: trace) }
        }
    }

    private mutating func selects(_ event: borrowing Event, in trace: borrowing Trace) -> Bool {
        selector.isWithin(event, in: trace) && selector.isInScope(event, in: trace)
            && selector.isFound(event, in: trace)
    }

    private mutating func write(_ event: borrowing Event, in trace: borrowing Trace) {
        switch event.detail {
        case .att(let operation): if wantsOperations { write(operation, event, in: trace) }
        case .assembled(let assembled): if wantsOperations { write(assembled, event, in: trace) }
        case .connection(let change): write(change, event, in: trace)
        case .mtu(let exchange): write(mtu: exchange, event, in: trace)
        case .advertising(let report): if rows.sink.wants(.advertisements) { write(report, event) }
        case .sdu(let sdu):
            if rows.sink.wants(.channelData), let data = sdu.serialData { write(data, event, in: trace) }
        case .fault(.wire(let error)): write(error, operation: nil, event, in: trace)
        case .fault(.capture(let fault)):
            begin(fault: "fault", event, in: trace)
            rows.add(text: "capture")
            rows.add(text: fault.reason)
            rows.addNulls(5)
            rows.end()
        case .loss(let count): write("lost", number: Int(count), event, in: trace)
        case .missed(let missed): write("missed", number: missed.total, event, in: trace)
        case .clockStep(let step):
            let (number, overflow) = step.multipliedReportingOverflow(by: 1_000)
            write("clock_step", number: Int(overflow ? (step < 0 ? .min : .max) : number), event, in: trace)
        case .limit(let limit, let number): write("limit", limit.rawValue, number: number, event, in: trace)
        case .command, .hciEvent, .data, .monitor, .packetLogger, .air, .l2cap, .signal, .smp, .subscription,
            .importedTable, .identified, .periodic, .stream, .exchange, .updateUnanswered:
            break
        }
    }

    /// The faults of values are numbered as their operations.
    private var wantsOperations: Bool {
        rows.sink.wants(.operations) || rows.sink.wants(.fields) || rows.sink.wants(.faults)
    }

    private var wantsIncidents: Bool { rows.sink.wants(.incidents) || rows.sink.wants(.incidentFrames) }

    mutating func begin(fault kind: StaticString, _ event: borrowing Event, in trace: borrowing Trace) {
        rows.begin(.faults)
        rows.add(event, in: trace)
        rows.add(text: kind)
    }

    private mutating func write(
        _ kind: StaticString, _ reason: String? = nil, number: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        begin(fault: kind, event, in: trace)
        rows.addNulls(1)
        rows.add(text: reason)
        rows.addNulls(2)
        rows.add(number)
        rows.addNulls(2)
        rows.end()
    }

    mutating func write(
        _ error: WireError, operation: Int?, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        begin(fault: "fault", event, in: trace)
        rows.add(text: error.layer.rawValue)
        rows.add(text: error.reason)
        rows.add(error.need)
        rows.add(error.have)
        rows.addNulls(1)
        rows.add(operation)
        rows.addNulls(1)
        rows.end()
    }

    private mutating func write(_ report: AdvertisingReport, _ event: borrowing Event) {
        let data = AdvertisedData(report.data, isTruncated: report.isTruncated)
        rows.begin(.advertisements)
        rows.add(event.frame)
        rows.add(event.time)
        rows.add(Int(event.controller))
        rows.add(report.address)
        if let identity = report.identity { rows.addText { $0.append(identity) } } else { rows.addNulls(1) }
        rows.add(report.rssi)
        rows.add(data.txPower)
        rows.sink.add(report.isConnectable)
        rows.sink.add(report.isScanResponse)
        rows.sink.add(report.isExtended)
        rows.add(text: data.name)
        let company = data.manufacturerData.first?.company
        rows.add(company)
        rows.add(text: company.map { text.values.companyName($0) })
        if data.services.isEmpty {
            rows.addNulls(1)
        } else {
            rows.addText { piece in
                for (index, uuid) in data.services.enumerated() {
                    if index > 0 { piece.append(" ") }
                    piece.append(uuid)
                }
            }
        }
        rows.sink.add(octets: report.data.bytes)
        rows.end()
    }

    private mutating func write(_ data: borrowing SerialData, _ event: borrowing Event, in trace: borrowing Trace) {
        guard let slot = event.connection else { return }
        rows.begin(.channelData)
        rows.add(event.frame)
        rows.add(event.time)
        rows.add(trace.connections[slot].number)
        rows.add(event.direction)
        switch data.channel.number {
        case .rfcomm(let number):
            rows.add(Int(number))
            rows.addNulls(1)
        case .psm(let psm):
            rows.addNulls(1)
            rows.add(Int(psm))
        }
        add(data.channel.server)
        rows.add(text: text.values.service(of: data.channel, slot, in: trace)?.classes.first?.description)
        rows.add(text: text.values.name(of: data.channel, slot, in: trace))
        rows.sink.add(octets: data.octets)
        if let reading = text.values.read(data, event.direction, slot, in: trace) {
            rows.addText { $0.append(reading, text.values.dissection) }
        } else {
            rows.addNulls(1)
        }
        rows.sink.add(!data.isWhole)
        rows.end()
    }

    // MARK: The end

    public mutating func finish(in trace: borrowing Trace, _ integrity: CaptureIntegrity) -> TableSummary {
        lives.finish(in: trace)
        for slot in begun.indices { writeOpen(slot, in: trace) }
        if rows.sink.wants(.procedures) {
            procedures.finish(in: trace)
            writeProcedures(in: trace)
        }
        // Devices get numbers by the attributes, too.
        if rows.sink.wants(.attributes) || rows.sink.wants(.peers) { writeAttributes(in: trace) }
        for (number, peer) in peers.all.enumerated() {
            rows.begin(.peers)
            rows.add(number + 1)
            rows.add(peer.address)
            rows.add(text: peer.name)
            rows.add(peer.sameAs)
            rows.end()
        }
        if rows.sink.wants(.findings) {
            for finding in lint.finish(in: trace, integrity).findings { write(finding) }
        }
        if wantsIncidents { write(incidents.finish(in: trace, integrity), in: trace) }
        rows.begin(.captures)
        rows.add(text: integrity.info?.file)
        rows.add(text: rows.sink.wants(.captures) ? integrity.info.flatMap(digest) : nil)
        rows.add(text: integrity.info?.format)
        rows.add(text: integrity.info?.linkType)
        rows.add(text: integrity.info?.recordingDevice)
        rows.add(integrity.extent.records)
        rows.add(integrity.extent.first)
        rows.add(integrity.extent.last)
        rows.sink.add(integrity.isComplete)
        rows.add(text: integrity.error?.description)
        rows.add(text: AttlasVersion.text)
        rows.end()
        rows.sink.finish()
        let whyNothing =
            selector.foundNothing(withPackets: true)
            ? selection.whyNothing(in: trace, integrity.extent, text.values.library, optionPrefix: "") : nil
        return TableSummary(integrity, rows.counts, whyNothing: whyNothing)
    }

    private mutating func write(_ finding: LintFinding) {
        rows.begin(.findings)
        rows.add(text: finding.rule.id)
        rows.add(text: finding.rule.severity.rawValue)
        rows.add(finding.frame)
        rows.add(finding.time)
        rows.add(finding.place.connection)
        if let peer = finding.place.peer { rows.addText { $0.append(peer) } } else { rows.addNulls(1) }
        rows.add(finding.place.handle)
        rows.add(text: finding.sentence)
        rows.add(finding.count)
        rows.add(finding.lastFrame)
        rows.add(text: finding.fingerprint)
        rows.end()
    }
}

/// Summary of the rows written for one capture.
public struct TableSummary: CaptureDocument {
    public let integrity: CaptureIntegrity
    private let counts: [Int]

    /// The reason why a selection matched no event, as a sentence without a full stop.
    package let whyNothing: String?

    init(_ integrity: CaptureIntegrity, _ counts: [Int], whyNothing: String?) {
        self.integrity = integrity
        self.counts = counts
        self.whyNothing = whyNothing
    }

    /// Rows of a table.
    package func count(of table: Table) -> Int { counts[table.rawValue] }
}

extension Record.Content {
    fileprivate var kind: StaticString {
        switch self {
        case .packet(.command): "command"
        case .packet(.acl): "acl"
        case .packet(.synchronous): "synchronous"
        case .packet(.event): "event"
        case .packet(.isochronous): "isochronous"
        case .air: "air"
        case .monitor: "monitor"
        case .packetLogger: "packetlogger"
        case .unknownPacket: "unknown"
        case .broken: "broken"
        }
    }
}
