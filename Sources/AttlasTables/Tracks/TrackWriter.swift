import AttlasCapture
import AttlasConversation
import AttlasIncidents
import AttlasMetrics
import AttlasProcedures
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// Writes a conversation as the tracks of a Perfetto trace, while it is decoded.
///
/// A connection is a track: a slice from its beginning to its end, its parameters as slices in that, and incidents and other
/// changes as instants. Its children are its procedures and the transactions of each side and bearer as slices, PDUs that have no
/// answer as instants, and the numbers of values as counters.
public struct TrackWriter: DocumentCollector {
    var packets = TrackPackets()
    /// Formats PDUs and values as in the conversation.
    var text: ConversationText
    private var incidents: IncidentCollector
    private var spans = ConnectionSpans()
    var procedures = ProcedureFollower(withExchanges: false)
    /// By the trace's index of the connection.
    var links: [LinkTracks?] = []
    private let capture: Int
    private let file: String?
    private let take: (inout TextBuffer) -> Void
    private var hasBegun = false
    private(set) var connections = 0
    var transactions = 0
    var counters = 0

    /// - Parameters:
    ///   - capture: Its number in the trace, from 1.
    ///   - file: The capture's name, when there are several.
    ///   - values: of the `Interpreted` that hands on the events.
    ///   - take: Gets finished octets, and empties the buffer.
    public init(capture: Int, file: String?, values: ValueInterpreter, take: @escaping (inout TextBuffer) -> Void) {
        self.capture = capture
        self.file = file
        self.take = take
        text = ConversationText(values: values, options: .init())
        incidents = IncidentCollector(values: values)
    }

    public var wantsPackets: Bool { false }
    public var wantsControl: Bool { true }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        // Also of each further capture of a trace: the clock is the same.
        if !hasBegun { packets.beginTrace(Self.nanoseconds(event.time)) }
        hasBegun = true
        incidents.receive(event, in: trace)
        spans.receive(event, in: trace)
        procedures.receive(event, in: trace)
        writeProcedures(at: event.time)
        guard let slot = event.connection else { return }
        begin(slot, event, in: trace)
        switch event.detail {
        case .att(let operation): write(operation, slot, event, in: trace)
        case .exchange(let end): write(end, slot, event, in: trace)
        case .assembled(let value): write(value, slot, event, in: trace)
        case .connection(let change): write(change, slot, event, in: trace)
        case .mtu(let exchange):
            writeInstant("link", slot, event) {
                $0.append("MTU ")
                $0.append(decimal: exchange.inForce)
            }
        default: break
        }
        if packets.octets.count >= Output.chunk { take(&packets.octets) }
    }

    /// No time of a trace is before 1970.
    static func nanoseconds(_ time: Timestamp) -> UInt64 { UInt64(max(0, time.nanoseconds(since: .epoch))) }

    /// The track of a connection, or of the capture for the number 0. Its children follow it.
    private func track(_ connection: Int) -> UInt64 {
        UInt64(truncatingIfNeeded: capture) << 48 | UInt64(truncatingIfNeeded: connection) << 16
    }

    // MARK: Connections

    private mutating func begin(_ slot: Int, _ event: borrowing Event, in trace: borrowing Trace) {
        let number = trace.connections[slot].number
        if slot < links.count, links[slot]?.number == number { return }
        while links.count <= slot { links.append(nil) }
        connections += 1
        let link = LinkTracks(number: number, track: track(number), isHeard: trace.connections[slot].isHeard)
        links[slot] = link
        packets.begin(.begin, link.track, at: links[slot]?.advance(to: event.time) ?? 0)
        packets.name("connection", TextBuffer("connected"))
        packets.annotate("frame", event.frame)
        if case .connection(let change) = event.detail {
            packets.annotate("beginning", text.content(of: change, event, in: trace))
        }
        packets.end()
        links[slot]?.isOpen = true
        writeParameters(slot, event, in: trace)
    }

    private mutating func write(
        _ change: ConnectionChange, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        switch change {
        case .parametersUpdated: writeParameters(slot, event, in: trace)
        case .phyUpdated, .dataLengthUpdated, .encryption, .decryption:
            let content = text.content(of: change, event, in: trace)
            writeInstant("link", slot, event) { $0.append(contentsOf: content) }
        case .ended: end(slot, text.content(of: change, event, in: trace), event, in: trace)
        case .made, .presumed, .announced, .notReached, .constantNumbers, .unheard, .version, .features,
            .channelMapUpdated,
            .rejected, .failed:
            break
        }
    }

    private mutating func writeParameters(_ slot: Int, _ event: borrowing Event, in trace: borrowing Trace) {
        guard let parameters = trace.connections[slot].parameters, let link = links[slot], link.isOpen else { return }
        let time = links[slot]?.advance(to: event.time) ?? 0
        if link.hasParameters {
            packets.begin(.end, link.track, at: time)
            packets.end()
        }
        links[slot]?.hasParameters = true
        packets.begin(.begin, link.track, at: time)
        text.piece.removeAll()
        text.piece.append("interval \(exact: parameters.intervalMicroseconds)")
        text.piece.append(" · latency \(parameters.latency)")
        text.piece.append(" · timeout \(duration: Int64(parameters.supervisionTimeout) * 10_000_000)")
        packets.name("parameters", text.piece)
        packets.annotate("frame", event.frame)
        packets.annotate("interval_us", parameters.intervalMicroseconds)
        packets.annotate("latency", Int(parameters.latency))
        packets.annotate("supervision_timeout_us", Int(parameters.supervisionTimeout) * 10_000)
        packets.end()
    }

    private mutating func writeInstant(
        _ category: StaticString, _ slot: Int, _ event: borrowing Event, _ writeName: (inout TextBuffer) -> Void
    ) {
        guard let link = links[slot] else { return }
        packets.begin(.instant, link.track, at: Self.nanoseconds(event.time))
        text.piece.removeAll()
        writeName(&text.piece)
        packets.name(category, text.piece)
        packets.annotate("frame", event.frame)
        packets.end()
    }

    private mutating func end(
        _ slot: Int, _ reason: borrowing TextBuffer, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        guard let link = links[slot], link.isOpen else { return }
        let time = links[slot]?.advance(to: event.time) ?? 0
        if link.hasParameters {
            packets.begin(.end, link.track, at: time)
            packets.end()
        }
        packets.begin(.end, link.track, at: time)
        packets.annotate("end_frame", event.frame)
        packets.annotate("end", reason)
        packets.end()
        links[slot]?.isOpen = false
        describe(slot, in: trace)
    }

    /// To be called when the connection is over: by then, the peer's name is known.
    private mutating func describe(_ slot: Int, in trace: borrowing Trace) {
        guard let link = links[slot] else { return }
        text.piece.removeAll()
        text.appendPeer(slot, in: trace)
        let peer = text.piece
        packets.describe(link.track) { word in
            if let file {
                word.append(display: file)
                word.append(" · ")
            }
            word.append(decimal: link.number)
            word.append(" · ")
            word.append(contentsOf: peer)
        }
    }

    // MARK: The end

    public mutating func finish(in trace: borrowing Trace, _ integrity: CaptureIntegrity) -> TrackSummary {
        for slot in links.indices where links[slot]?.isOpen ?? false {
            describe(slot, in: trace)
        }
        procedures.finish(in: trace)
        if let time = integrity.extent.last { writeProcedures(at: time) }
        let model = incidents.finish(in: trace, integrity)
        write(model, spans.finished(in: trace))
        take(&packets.octets)
        return TrackSummary(
            integrity: integrity, connections: connections, transactions: transactions, counters: counters,
            incidents: model.incidents.count)
    }

    private mutating func write(_ model: IncidentsModel, _ spans: FinishedSpans) {
        var hasOthers = false
        for incident in model.incidents {
            for moment in incident.moments {
                let place = spans.place(of: incident, at: moment.frame)
                if place == nil { hasOthers = true }
                write(incident, moment, on: track(place.map { spans.spans[$0].number } ?? 0), model)
            }
        }
        guard hasOthers else { return }
        packets.describe(track(0)) { word in
            if let file {
                word.append(display: file)
                word.append(" · ")
            }
            word.append("Incidents outside connections")
        }
    }

    private mutating func write(_ incident: Incident, _ moment: Moment, on track: UInt64, _ model: IncidentsModel) {
        packets.begin(.instant, track, at: Self.nanoseconds(moment.time))
        text.piece.removeAll()
        text.piece.append(display: incident.title)
        packets.name("incident", text.piece)
        packets.annotate("frame", moment.frame)
        packets.annotate("kind", display: incident.kind.rawValue)
        packets.annotate("weight", display: incident.weight.rawValue)
        packets.annotate("count", incident.count)
        packets.annotate("frames", display: incident.frames.prefix(32).map { "\($0)" }.joined(separator: ", "))
        packets.annotate(
            "peer", display: incident.place.peer.map { model.peerName($0) ?? "\($0)" })
        packets.annotate("what", display: incident.what)
        packets.annotate("before", display: incident.before)
        packets.annotate("certainty", display: incident.cause.certainty.rawValue)
        packets.annotate("cause", display: incident.cause.text)
        packets.annotate("next", display: incident.next)
        packets.end()
        if packets.octets.count >= Output.chunk { take(&packets.octets) }
    }
}

/// Summary of the tracks written for one capture.
public struct TrackSummary: CaptureDocument {
    public let integrity: CaptureIntegrity
    fileprivate let connections: Int
    fileprivate let transactions: Int
    fileprivate let counters: Int
    fileprivate let incidents: Int

    /// `: 2 connections · 120 transactions · 3 counters · 1 incident`
    package func write(to text: inout TextBuffer) {
        text.append(": \(connections, "connection") · \(transactions, "transaction")")
        text.append(" · \(counters, "counter") · \(incidents, "incident")")
    }
}

/// The tracks of a connection.
struct LinkTracks {
    let number: Int
    let track: UInt64
    let isHeard: Bool
    var isOpen = false
    var hasParameters = false
    var lanes: [TransactionLane] = []
    var procedures: [ProcedureLane] = []
    /// At most one of each side and bearer.
    var asked: [AskedText] = []
    /// PDUs that have no answer, by their direction.
    var streams: [Direction: UInt64] = [:]
    /// By the handle, and whose it is.
    var counters: [CounterPlace: [ValueCounter]] = [:]
    private var children: UInt64 = 0
    private var last: UInt64 = 0

    init(number: Int, track: UInt64, isHeard: Bool) {
        self.number = number
        self.track = track
        self.isHeard = isHeard
    }

    /// The next track in that of the connection; nil if there are too many.
    mutating func child() -> UInt64? {
        guard children < 0xFFFF else { return nil }
        children += 1
        return track | children
    }

    /// Nested slices need times in order: while the clock is back, their time does not change.
    mutating func advance(to time: Timestamp) -> UInt64 {
        last = max(last, TrackWriter.nanoseconds(time))
        return last
    }
}
