import AttlasCapture
import AttlasIncidents
import AttlasLint
import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// The conversation as a timeline: a line for each ATT operation and for each step of a connection.
public struct ConversationText: LineSink {
    package struct Options: Sendable {
        package enum Time: String, Sendable, CaseIterable {
            case absolute, local, relative, delta
            /// The time of day, in the time zone of this machine, to the millisecond.
            case clock
        }

        package var time = Time.relative
        /// HCI commands and events, L2CAP frames and advertising, too.
        package var showsHCI = false
        /// The octets of every packet below its line, but for those that hold a key.
        package var showsHex = false
        /// The number of the frame at the beginning of each line.
        package var showsFrames = false
        package var width: Int?
        package var isColoured = false
        /// There is a file to look at next.
        package var suggestsTree = true
        /// For the full screen: `width` chooses the layout, and cuts no line; styles are kept apart from the text.
        package var isForScreen = false

        package init() {}

        /// Whether lines of this width have room for the numbers of frames.
        package static func hasRoomForFrames(width: Int?) -> Bool { width ?? .max > Columns.wideWidth + frameWidth }
    }

    package var line: LineWriter
    package private(set) var columns: Columns
    /// The piece of a line under construction.
    package var piece = TextBuffer()
    package var values: ValueInterpreter
    var attributes = RenderedTextCache<AttributeTextKey>()
    var subjects = RenderedTextCache<SubjectTextKey>()
    package let options: Options
    private var lastTime: Timestamp?
    var hasBegun = false
    /// An Exchange MTU Response, which is shown with the MTU that it put in force.
    var pendingMTU: (roundTrip: Int64?, octets: [UInt8])?
    private var comments = RecordComments()

    package init(values: ValueInterpreter, options: Options) {
        self.values = values
        self.options = options
        var line = LineWriter(
            width: options.isForScreen ? nil : options.width, isColoured: options.isColoured,
            indent: options.time.extraWidth + (options.showsFrames ? Self.frameWidth + 1 : 0))
        if options.isForScreen { line.runs = [] }
        columns = Columns(for: options.width, indent: line.indent, isForScreen: options.isForScreen)
        self.line = line
    }

    /// The lines from here on are laid out for another width.
    package mutating func layOut(width: Int) {
        columns = Columns(for: width, indent: line.indent, isForScreen: options.isForScreen)
        attributes = RenderedTextCache()
        subjects = RenderedTextCache()
    }

    /// The lines from here on are read with other definitions.
    package mutating func use(_ values: ValueInterpreter) {
        self.values = values
        attributes = RenderedTextCache()
        subjects = RenderedTextCache()
    }

    /// Finished lines.
    public var lines: TextBuffer {
        @inline(__always) _read { yield line.text }
        @inline(__always) _modify { yield &line.text }
    }

    /// Writes "--", as grep does.
    public mutating func separateGroups() {
        line.put("--", .faint)
        line.endLine()
    }

    /// An empty line before the next capture.
    package mutating func separate() {
        line.endLine()
    }

    /// A comment may be about any event.
    public var wantsPackets: Bool { options.showsHCI || !comments.isEmpty }

    /// Whether there is something to write about an event.
    package func hasLine(_ event: borrowing Event) -> Bool {
        if !comments.isEmpty { return true }
        switch event.detail {
        // The write of the descriptor shows it.
        case .subscription: return false
        case .periodic(let report): return options.showsHCI && report.airData != nil
        // The packet shows it; devices and stats have its meaning.
        case .stream, .exchange, .updateUnanswered: return false
        // Credits are granted every few frames, and do not matter to the conversation.
        case .signal(let signal): return options.showsHCI || !signal.grantsCredits
        case .sdu(let sdu): return options.showsHCI || values.objectTransfer(of: sdu) != nil || sdu.serialData != nil
        case .advertising: return options.showsHCI || !values.meshReadings(of: event).isEmpty
        case .command, .hciEvent, .data, .monitor, .packetLogger, .l2cap: return options.showsHCI
        default: return true
        }
    }

    /// An MTU response that answers a request is shown with the MTU that it put in force.
    package func isShownWithNext(_ event: borrowing Event) -> Bool {
        guard case .att(let operation) = event.detail, case .exchangeMTUResponse = operation.pdu else { return false }
        return operation.request != nil
    }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        guard hasLine(event) else { return }
        if !comments.isEmpty { writeComments(of: event) }
        switch event.detail {
        case .att(let operation): write(operation, event, in: trace)
        case .mtu(let exchange): write(exchange, event, in: trace)
        case .assembled(let value): write(value, event, in: trace)
        case .connection(let change): write(change, event, in: trace)
        case .smp(let pdu): write(pdu, event, in: trace)
        case .signal(let signal):
            if options.showsHCI || !signal.grantsCredits { write(signal, event, in: trace) }
        case .importedTable(let change, let server): write(change, server, event, in: trace)
        case .identified(let identification): write(identification, event, in: trace)
        case .loss(let count): write(loss: count, event, in: trace)
        case .air(let packet): write(packet, event, in: trace)
        case .missed(let missed): write(missed, event, in: trace)
        case .clockStep(let step): write(clockStep: step, event, in: trace)
        case .fault(let fault): write(fault, event, in: trace)
        case .limit(let limit, let number): write(limit, number, event, in: trace)
        case .subscription, .stream, .exchange, .updateUnanswered: break
        case .sdu(let sdu):
            if options.showsHCI { writeHCI(event, in: trace) }
            if let transfer = values.objectTransfer(of: sdu) {
                write(transfer, event, in: trace)
            } else if let data = sdu.serialData {
                write(data, event, in: trace)
            }
        case .advertising(let report):
            if options.showsHCI { writeHCI(event, in: trace) }
            writeMesh(report, event, in: trace)
        case .command, .hciEvent, .data, .monitor, .packetLogger, .l2cap, .periodic:
            if options.showsHCI { writeHCI(event, in: trace) }
        }
    }

    /// Drops the comments of an event without a line.
    public mutating func pass(_ event: borrowing Event) {
        if !comments.isEmpty { _ = comments.take(for: event) }
    }

    /// The comments go below the line of their record.
    public mutating func note(_ comments: [String], of frame: Int) {
        self.comments.note(comments, of: frame)
    }

    /// Above the first line of the packet, and also when that is not shown.
    private mutating func writeComments(of event: borrowing Event) {
        let records = comments.take(for: event)
        // The line says the same.
        if event.reported == .notInLog { return }
        for record in records {
            for comment in record.comments {
                line.advance(to: Column.peer)
                piece.removeAll()
                piece.append("frame ")
                piece.append(decimal: record.frame)
                piece.append(": “")
                piece.append(display: comment)
                piece.append("”")
                line.put(piece, .faint)
                line.endLine()
            }
        }
    }

    /// Writes the finding below the lines that it is about.
    public mutating func write(_ finding: LintFinding, after frame: Int, in trace: borrowing Trace) {
        line.advance(to: Column.peer)
        piece.removeAll()
        piece.append(finding)
        if finding.frame != frame {
            piece.append(" Frame ")
            piece.append(decimal: finding.frame)
            piece.append(".")
        }
        line.put(piece, finding.rule.severity.style)
        line.endLine()
    }

    /// `incident · HRM-7: Connection lost: nothing heard for 5.0 s (supervision timeout).`
    public mutating func write(_ incident: Incident, after frame: Int, in trace: borrowing Trace) {
        line.advance(to: Column.peer)
        piece.removeAll()
        piece.append("incident · ")
        if let peer = incident.place.peer {
            piece.append(display: trace.name(of: peer) ?? "\(peer)")
            piece.append(": ")
        }
        piece.append(display: incident.what)
        if incident.frame != frame {
            piece.append(" Frame ")
            piece.append(decimal: incident.frame)
            piece.append(".")
        }
        line.put(piece, incident.weight.style)
        line.endLine()
    }

    // MARK: Columns

    fileprivate static let timeWidth = 12
    private static let frameWidth = 7

    package enum Column {
        package static let arrow = 14
        static let peer = 16
    }

    /// Where the pieces of a line begin. A terminal of fewer than 120 columns has shorter names, and the round trip after
    /// the value.
    package struct Columns: Equatable {
        let method: Int
        let attribute: Int
        let attributeWidth: Int
        /// nil after the value.
        let roundTrip: Int?
        let value: Int

        /// - Parameter isForScreen: whether the line can be scrolled beyond the edge of the screen, but values should be visible.
        package init(for width: Int?, indent: Int, isForScreen: Bool) {
            let room = width.map { $0 - indent } ?? .max
            self =
                switch room {
                case ..<Self.narrowWidth where !isForScreen: .tiny
                case ..<112 where isForScreen: .narrow
                case ..<160 where isForScreen: .medium
                case ..<Self.wideWidth: .narrow
                default: .wide
                }
        }

        fileprivate static let wideWidth = 120
        fileprivate static let narrowWidth = 76

        private init(method: Int, attribute: Int, attributeWidth: Int, roundTrip: Int?, value: Int) {
            self.method = method
            self.attribute = attribute
            self.attributeWidth = attributeWidth
            self.roundTrip = roundTrip
            self.value = value
        }

        static let wide = Columns(method: 34, attribute: 54, attributeWidth: 47, roundTrip: 102, value: 112)
        static let narrow = Columns(method: 26, attribute: 40, attributeWidth: 20, roundTrip: nil, value: 61)
        static let tiny = Columns(method: 22, attribute: 35, attributeWidth: 13, roundTrip: nil, value: 49)
        /// For a screen on which a peer's address fits.
        static let medium = Columns(method: 34, attribute: 48, attributeWidth: 24, roundTrip: nil, value: 73)
    }

    var isNarrow: Bool { columns.roundTrip == nil }

    /// Time, arrow of the direction and peer: how every line begins.
    mutating func begin(_ event: borrowing Event, in trace: borrowing Trace) {
        let (arrow, style) = Self.arrow(event.direction)
        begin(event, in: trace, arrow: arrow, style)
    }

    mutating func begin(
        _ event: borrowing Event, in trace: borrowing Trace, arrow: StaticString, _ style: LineWriter.Style
    ) {
        beginTime(event, in: trace)
        putLink(event, in: trace, arrow: arrow, style)
    }

    mutating func putLink(
        _ event: borrowing Event, in trace: borrowing Trace, arrow: StaticString, _ style: LineWriter.Style
    ) {
        line.advance(to: Column.arrow)
        line.put(arrow, style)
        guard let connection = event.connection else { return }
        line.advance(to: Column.peer)
        piece.removeAll()
        appendPeer(connection, in: trace)
        line.put(piece, .plain, limit: columns.method - Column.peer - 1)
    }

    mutating func beginTime(_ event: borrowing Event, in trace: borrowing Trace) {
        piece.removeAll()
        if options.showsFrames, !line.begin(with: event.frame, width: Self.frameWidth) {
            piece.append(decimal: event.frame)
            line.put(piece, before: Self.frameWidth - line.indent, .faint)
            piece.removeAll()
        }
        switch options.time {
        case .absolute: piece.append(utc: event.time, separator: UInt8(ascii: " "), suffix: "")
        case .local: piece.append(local: event.time)
        case .relative: piece.append(secondsFrom: trace.start ?? event.time, to: event.time)
        case .clock: piece.append(clock: event.time)
        case .delta: piece.append(secondsFrom: lastTime ?? event.time, to: event.time)
        }
        lastTime = event.time
        line.advance(to: Self.timeWidth - piece.count)
        line.put(piece, .faint)
    }

    /// The peer's name, its address, or the handle when neither is known.
    package mutating func appendPeer(_ connection: Int, in trace: borrowing Trace) {
        let peer = trace.connections[connection].peer
        if let name = trace.peerName(peer) {
            piece.append(display: name)
        } else if let address = trace.peerAddress(peer) {
            piece.append(address)
        } else if let accessAddress = trace.connections[connection].accessAddress {
            piece.append(string: accessAddressText(accessAddress))
        } else {
            piece.append(isNarrow ? "0x" : "handle 0x")
            piece.append(hex: trace.connections[connection].handle, digits: 4, uppercase: true)
        }
    }

    package static func arrow(_ direction: Direction) -> (StaticString, LineWriter.Style) {
        switch direction {
        case .tx: ("→", .sent)
        case .rx: ("←", .received)
        case .unknown: ("·", .plain)
        }
    }
}

extension ConversationText.Options.Time {
    /// Columns of a time to the microsecond beyond those of a relative one.
    fileprivate var extraWidth: Int {
        switch self {
        case .absolute: "2026-11-21 09:55:20.369922".utf8.count - ConversationText.timeWidth
        case .local: "2026-11-21 10:55:20.369922+01:00".utf8.count - ConversationText.timeWidth
        case .relative, .delta, .clock: 0
        }
    }
}
