import AttlasCapture
import AttlasConversation
import AttlasDissection
import AttlasIncidents
import AttlasLint
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// What broke and what lint found, by frame.
package struct RecordNotes {
    fileprivate private(set) var texts: [Int: [String]] = [:]

    package init(_ incidents: IncidentsModel?, _ findings: [LintFinding]) {
        for incident in incidents?.incidents ?? [] {
            var text = TextBuffer()
            text.append("incident · ")
            if let incidents { text.append(headOf: incident, incidents) }
            text.append(" · ")
            text.append(display: incident.what)
            for frame in incident.occurrences {
                texts[frame, default: []].append(text.text)
            }
        }
        for finding in findings {
            var text = TextBuffer()
            text.append("lint · ")
            text.append(finding)
            texts[finding.frame, default: []].append(text.text)
        }
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

    /// Decodes the next record. Its comments are what it completed, or else what it is, and then what was found in it.
    package mutating func comments(on record: borrowing Record) -> [String] {
        trace.decodeUnspecialized(record, into: &sink)
        return sink.sink.take() + (notes?.texts[record.frame] ?? [])
    }
}

/// Makes a line of each event, without its time and the blanks of a table.
private struct AnnotationLines: EventSink {
    /// Of one record: it may hold any number of PDUs.
    private static let limit = 32

    private var text: ConversationText
    private var lines: [String] = []
    private var layers: [String] = []
    private var incidents: OptionalSink<IncidentCollector>
    private var found: [String] = []

    init(values: ValueInterpreter, showsIncidents: Bool) {
        incidents = OptionalSink(showsIncidents ? IncidentCollector(values: values, isFollowed: true) : nil)
        var options = ConversationText.Options()
        options.showsHCI = true
        text = ConversationText(values: values, options: options)
    }

    mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        text.receive(event, in: trace)
        note(takeLines(), of: event)
        guard incidents.wantsControl else { return }
        incidents.receive(event, in: trace)
        for incident in incidents.sink?.takeNew().compactMap(\.incident) ?? [] {
            text.write(incident, after: event.frame, in: trace)
        }
        found += takeLines().prefix(Self.limit - min(found.count, Self.limit))
    }

    private mutating func takeLines() -> [String] {
        guard text.lines.count > 0 else { return [] }
        defer { text.lines.removeAll() }
        return text.lines.text.split(separator: "\n").map(Self.packed)
    }

    private mutating func note(_ new: [String], of event: borrowing Event) {
        guard !new.isEmpty else { return }
        switch event.detail {
        case .command, .hciEvent, .data, .monitor, .packetLogger, .air, .l2cap:
            layers += new.prefix(Self.limit - min(layers.count, Self.limit))
        default: lines += new.prefix(Self.limit - min(lines.count, Self.limit))
        }
    }

    mutating func take() -> [String] {
        defer { (lines, layers, found) = ([], [], []) }
        return (lines.isEmpty ? layers : lines) + found
    }

    private static func packed(_ line: Substring) -> String {
        var words = line.split(separator: " ", omittingEmptySubsequences: false)
        // What is not below another line begins with its time.
        if let first = words.firstIndex(where: { !$0.isEmpty }), first < ConversationText.Column.arrow {
            words.removeFirst(first + 1)
        }
        var packed = ""
        var blanks = 0
        for word in words {
            guard !word.isEmpty else {
                blanks += 1
                continue
            }
            if !packed.isEmpty { packed += blanks > 0 ? "  " : " " }
            packed += word
            blanks = 0
        }
        return packed
    }
}
