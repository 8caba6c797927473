import AttlasCapture
import AttlasIncidents
import AttlasLint
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// The conversation as NDJSON: one object a line, the keys described by Documentation/schemas/show.schema.json.
public struct ConversationJSON: LineSink {
    var json = JSONWriter()
    var attributes = RenderedTextCache<AttributeTextKey>()
    var methods = RenderedTextCache<MethodTextKey>()
    private var links = RenderedTextCache<LinkTextKey>()
    private var clock = UTCText()
    var values: ValueInterpreter
    /// The types `hci`, `l2cap` and `advertising`, too.
    let showsHCI: Bool
    private var hasBegun = false
    /// The capture's name on every line, when there are several.
    let file: String?
    private var comments = RecordComments()

    package init(values: ValueInterpreter, showsHCI: Bool, file: String?) {
        self.values = values
        self.showsHCI = showsHCI
        self.file = file
    }

    /// Finished objects, one a line.
    public var lines: TextBuffer {
        @inline(__always) _read { yield json.text }
        @inline(__always) _modify { yield &json.text }
    }

    /// Every line is an object.
    public func separateGroups() {}

    /// The comments go into the object of their record.
    public mutating func note(_ comments: [String], of frame: Int) {
        self.comments.note(comments, of: frame)
    }

    /// The first line: the capture's metadata.
    ///
    /// Called after the first record, because a pcapng has no link types before it; its output is put before that of the record.
    package mutating func begin(_ info: CaptureInfo, onlySide: Direction? = nil) {
        guard !hasBegun else { return }
        hasBegun = true
        let first = json.text
        json.text.removeAll()
        defer { json.text.append(contentsOf: first) }
        json.beginObject()
        json.member("type", literal: "capture")
        json.member("schema", literal: "attlas/show/1")
        json.member("file", file)
        json.member("format", info.format)
        json.member("link_type", info.linkType)
        if info.isText { json.member("source", literal: "text") }
        json.member("clock", info.radioClock == nil ? nil : "radio" as String?)
        if info.isRebuilt { json.member("rebuilt", true) }
        write(info.interfaces)
        write(comments: info.comments)
        json.write(onlySide: onlySide)
        json.endObject()
        json.endLine()
    }

    /// Those with a name.
    private mutating func write(_ interfaces: [CaptureInterface]) {
        let named = interfaces.filter { $0.name != nil || $0.description != nil }
        guard !named.isEmpty else { return }
        json.objects("interfaces", named) { json, interface in
            json.member("number", interface.number)
            json.member("name", interface.name)
            json.member("description", interface.description)
        }
    }

    /// The last lines: packets that the recording program left out, packets that only its final statistics count, and a summary.
    /// - Parameter incidents: Incidents of the whole capture, also where a selection left out lines; nil if not requested.
    package mutating func end(
        _ integrity: CaptureIntegrity, _ info: CaptureInfo, _ incidents: IncidentsModel? = nil
    ) {
        for cut in info.cuts {
            json.beginObject()
            json.member("type", literal: "capture")
            json.member("file", file)
            json.member("cut", cut.sentence)
            json.member("advice", cut.advice)
            json.endObject()
            json.endLine()
        }
        if info.lostAtEnd > 0 {
            json.beginObject()
            json.member("type", literal: "loss")
            json.member("file", file)
            json.member("lost", info.lostAtEnd)
            json.endObject()
            json.endLine()
        }
        if let incidents {
            for incident in incidents.incidents {
                json.beginObject()
                json.member("type", literal: "incident")
                json.member("file", file)
                json.write(incident, incidents)
                json.endObject()
                json.endLine()
            }
        }
        json.beginObject()
        json.member("type", literal: "summary")
        json.member("file", file)
        json.write(integrity)
        if let leftOut = incidents?.leftOut, leftOut > 0 { json.member("incidents_left_out", leftOut) }
        json.endObject()
        json.endLine()
    }

    public var wantsPackets: Bool { showsHCI }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        switch event.detail {
        case .att(let operation):
            begin("att", event, in: trace)
            write(operation, event, in: trace)
        case .assembled(let value):
            begin("assembled", event, in: trace)
            write(value, event, in: trace)
        case .exchange, .updateUnanswered: return
        case .mtu(let exchange):
            begin("mtu", event, in: trace)
            json.write(exchange)
        case .subscription(let subscription):
            begin("subscription", event, in: trace)
            write(subscription, in: trace)
        case .connection(let change):
            begin("connection", event, in: trace)
            write(change, event, in: trace)
        case .smp(let pdu):
            begin("smp", event, in: trace)
            json.member("code", code: pdu.code.rawValue, digits: 2)
            json.member("name", pdu.name)
            json.write(pdu.fields)
            if let octets = values.packet(of: event, in: trace) { json.write(octets.dropFirst(1), "parameters") }
        case .importedTable(let change, let server):
            begin("imported_table", event, in: trace)
            json.member("server", server.rawValue)
            write(change, in: trace)
        case .identified(let identification):
            begin("identity", event, in: trace)
            write(identification, in: trace)
        case .loss(let count):
            begin("loss", event, in: trace)
            json.member("lost", count)
        case .air(let packet):
            guard showsHCI, !packet.holdsAdvertisement else { return }
            write(packet, event, in: trace)
        case .missed(let missed):
            begin("loss", event, in: trace)
            write(missed)
        case .clockStep(let step):
            begin("capture", event, in: trace)
            json.member("clock_step_us", step)
        case .fault(let fault):
            begin("fault", event, in: trace)
            write(fault)
        case .limit(let limit, let number):
            begin("limit", event, in: trace)
            json.member("limit", limit.rawValue)
            json.member("number", number)
            json.member("consequence", literal: limit.consequence)
        case .sdu(let sdu):
            if showsHCI {
                writeHCI(event, in: trace)
                json.endObject()
                json.endLine()
            }
            if let transfer = values.objectTransfer(of: sdu) {
                begin("object_transfer", event, in: trace)
                write(transfer, sdu)
            } else if let data = sdu.serialData {
                begin("serial", event, in: trace)
                write(data, event, in: trace)
            } else {
                return
            }
        case .advertising(let report):
            if showsHCI {
                writeHCI(event, in: trace)
                json.endObject()
                json.endLine()
            }
            return writeMesh(report, event, in: trace)
        case .command, .hciEvent, .data, .monitor, .packetLogger, .l2cap, .signal:
            guard showsHCI else { return }
            writeHCI(event, in: trace)
        case .periodic(let report):
            guard showsHCI, report.airData != nil else { return }
            writeHCI(event, in: trace)
        // The packet shows it.
        case .stream: return
        }
        json.endObject()
        json.endLine()
    }

    /// Writes an object "finding".
    public mutating func write(_ finding: LintFinding, after frame: Int, in trace: borrowing Trace) {
        let peerName = finding.place.peer.flatMap { trace.name(of: $0) }
        write("finding") { $0.write(finding, peerName: peerName, $1) }
    }

    /// Writes an object "incident".
    public mutating func write(_ incident: Incident, after frame: Int, in trace: borrowing Trace) {
        let peerName = incident.place.peer.flatMap { trace.name(of: $0) }
        write("incident") { $0.write(incident, peerName: peerName, $1) }
    }

    /// An object that is not of one event.
    private mutating func write(
        _ type: StaticString, _ writeMembers: (inout JSONWriter, JSONWriter.NameLookup) -> Void
    ) {
        json.beginObject()
        json.member("type", literal: type)
        json.member("file", file)
        writeMembers(&json, values.knownName)
        json.endObject()
        json.endLine()
    }

    // MARK: What every line has

    mutating func begin(_ type: StaticString, _ event: borrowing Event, in trace: borrowing Trace) {
        json.beginObject()
        json.member("type", literal: type)
        json.member("file", file)
        json.member("frame", event.frame)
        if !event.frames.isEmpty { write(frames: event.frames) }
        if !comments.isEmpty { write(comments: comments.comments(of: event)) }
        json.key("time")
        json.value { text in
            text.append("\"")
            clock.write(event.time, to: &text)
            text.append("\"")
        }
        guard let connection = event.connection else {
            json.member("controller", event.controller)
            return json.write(event.direction)
        }
        let link = LinkTextKey(connection, event.direction, in: trace)
        // There is always a member before.
        if links.append(link, to: &json.text) != nil { return }
        let start = json.text.count
        json.member("controller", event.controller)
        json.member("connection", link.number)
        if let accessAddress = trace.connections[connection].accessAddress {
            json.member("access_address", code: accessAddress, digits: 8)
        } else {
            json.member("connection_handle", trace.connections[connection].handle)
        }
        json.write(event.direction)
        json.write(peer: link.address, resolvedFrom: link.privateAddress, name: link.name)
        links.keep(json.text.bytes[start...], of: link)
    }

    mutating func write(frames: Span<Int>) {
        json.key("frames")
        json.beginArray()
        for index in frames.indices { json.number(frames[index]) }
        json.endArray()
    }

    private mutating func write(comments: [String]) {
        guard !comments.isEmpty else { return }
        json.array("comments", comments) { $0.string($1) }
    }

    // MARK: Faults

    private mutating func write(_ fault: Fault) {
        switch fault {
        case .wire(let error): json.write(error)
        case .capture(let fault):
            json.object("fault") { json in
                json.member("layer", literal: "capture")
                json.member("reason", fault.reason)
                json.member("offset", fault.offset)
            }
        }
    }
}
