import AttlasCapture
import AttlasConversation
import AttlasDissection
import AttlasIncidents
import AttlasLint
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// Incidents and lint findings, by frame.
package struct RecordNotes {
    /// As options of pcapng.
    fileprivate private(set) var comments: [Int: [UInt8]] = [:]

    package init(_ incidents: IncidentsModel?, _ findings: [LintFinding]) {
        for incident in incidents?.incidents ?? [] {
            var text = TextBuffer()
            text.append("incident · ")
            if let incidents { text.append(headOf: incident, incidents) }
            text.append(" · ")
            text.append(display: incident.what)
            for frame in incident.occurrences {
                note(text, frame)
            }
        }
        for finding in findings {
            var text = TextBuffer()
            text.append("lint · ")
            text.append(finding)
            note(text, finding.frame)
        }
    }

    private mutating func note(_ text: TextBuffer, _ frame: Int) {
        PacketOptions.append(comment: text.text, to: &comments[frame, default: []])
    }
}

/// The lines of a conversation as comments on its records: for other programs to show, filter and keep.
package struct RecordAnnotator: ~Copyable {
    private var trace: Trace
    private var sink: Interpreted<AnnotationLines>
    private let notes: RecordNotes?

    /// - Parameter notes: nil if they are not known yet: then incidents are on the record that shows them.
    package init(_ trace: consuming Trace, _ notes: RecordNotes? = nil, library: DissectorLibrary) {
        self.trace = trace
        self.notes = notes
        sink = Interpreted(library: library) { AnnotationLines(values: $0, showsIncidents: notes == nil) }
    }

    /// Decodes the next record, and appends its comments as options of pcapng: the operation that it completed, or else its type, and then
    /// its findings.
    package mutating func annotate(_ record: borrowing Record, _ options: inout [UInt8]) {
        trace.decodeUnspecialized(record, into: &sink)
        sink.sink.take(&options)
        if let notes = notes?.comments[record.frame] { options += notes }
    }
}

/// Makes a line of each event, without its time and the blanks of a table.
private struct AnnotationLines: EventSink {
    /// Lines of a record.
    private struct Lines {
        /// Maximum number of lines per record: it may hold any number of PDUs.
        private static let limit = 32

        private var octets: [UInt8] = []

        var isEmpty: Bool { octets.isEmpty }

        /// Appends the lines of `text`, and empties it.
        mutating func take(_ text: inout TextBuffer) {
            guard text.count > 0 else { return }
            octets += text.bytes
            text.removeAll()
        }

        /// Appends them as options of pcapng.
        func append(to options: inout [UInt8]) {
            var rest = octets[...]
            for _ in 0..<Self.limit {
                rest = rest.drop { $0 == UInt8(ascii: "\n") }
                guard !rest.isEmpty else { return }
                let line = rest.prefix { $0 != UInt8(ascii: "\n") }
                PacketOptions.append(1, to: &options) { line.appendPacked(to: &$0) }
                rest = rest[line.endIndex...]
            }
        }

        mutating func removeAll() {
            octets.removeAll(keepingCapacity: true)
        }
    }

    private var text: ConversationText
    private var lines = Lines()
    private var layers = Lines()
    private var incidents: OptionalSink<IncidentCollector>
    private var found = Lines()

    init(values: ValueInterpreter, showsIncidents: Bool) {
        incidents = OptionalSink(showsIncidents ? IncidentCollector(values: values, isFollowed: true) : nil)
        var options = ConversationText.Options()
        options.showsHCI = true
        text = ConversationText(values: values, options: options)
    }

    mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        text.receive(event, in: trace)
        switch event.detail {
        case .command, .hciEvent, .data, .monitor, .packetLogger, .air, .l2cap: layers.take(&text.lines)
        default: lines.take(&text.lines)
        }
        guard incidents.wantsControl else { return }
        incidents.receive(event, in: trace)
        for incident in incidents.sink?.takeNew(in: trace).compactMap(\.incident) ?? [] {
            text.write(incident, after: event.frame, in: trace)
        }
        found.take(&text.lines)
    }

    mutating func take(_ options: inout [UInt8]) {
        if lines.isEmpty { layers.append(to: &options) } else { lines.append(to: &options) }
        found.append(to: &options)
        lines.removeAll()
        layers.removeAll()
        found.removeAll()
    }
}

extension ArraySlice<UInt8> {
    /// Appends a line without its time and with two blanks at most between words.
    fileprivate func appendPacked(to octets: inout [UInt8]) {
        let blank = UInt8(ascii: " ")
        var rest = drop { $0 == blank }
        // Lines that are not below another begin with their time.
        if rest.startIndex - startIndex < ConversationText.Column.arrow { rest = rest.drop { $0 != blank } }
        rest = rest.drop { $0 == blank }
        while !rest.isEmpty {
            let word = rest.prefix { $0 != blank }
            octets += word
            let next = rest[word.endIndex...].drop { $0 == blank }
            if !next.isEmpty { octets.append(blank) }
            if !next.isEmpty, next.startIndex - word.endIndex > 1 { octets.append(blank) }
            rest = next
        }
    }
}
