import AttlasLint
import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasValues

/// Options of a report.
package struct ReportOptions: Sendable {
    let title: String
    /// Whether values, and their meanings, are shown.
    let showsValues: Bool

    package init(title: String, showsValues: Bool = true) {
        self.title = title
        self.showsValues = showsValues
    }
}

/// One page of HTML about captures, with all its resources inside. It loads nothing, and has the same contents without its script.
///
/// The drawings are SVG made here. Chart.js 3.9.1 and D3 5.7.0 were tried for the heart-rate page: 326 kB and 365 kB
/// instead of 131 kB, first paint 25 to 30 % later, and no drawing without the script.
package struct ReportPage {
    var html = HTMLWriter()
    let options: ReportOptions
    let values: ValueInterpreter
    private let room: (whole: Int, brief: Int)
    /// Which of the captures is written, counted from 1.
    var capture = 0
    /// Lines of the capture's conversation.
    var entries: [PageEntry] = []
    /// The frames of these.
    var shown: Set<Int> = []
    /// A line for each capture so far.
    private var index: [IndexLine] = []
    /// Whether the captures are compared: their links are in the part before them.
    var isComparison = false
    /// Its incidents that are written out.
    var stories: [Story] = []
    /// Findings that are shown with an incident.
    private var told: Set<LintFinding.Key> = []
    var lanes: [Lane] = []
    /// Frames of findings with a mark on the timeline, and those whose mark is not written yet.
    var marked: Set<Int> = []
    var unanchored: Set<Int> = []

    /// - Parameter room: the octets after which a capture has its incidents alone, and after which it has its line in the index alone.
    package init(
        _ options: ReportOptions, values: ValueInterpreter, room: (whole: Int, brief: Int) = (12_000_000, 18_000_000)
    ) {
        self.options = options
        self.values = values
        self.room = room
    }

    /// - Parameters:
    ///   - number: which of the captures it is, counted from 1.
    ///   - heading: the name of the file, if nil.
    package mutating func write(_ model: ReportModel, file: String, number: Int, heading: String? = nil) {
        capture = number
        let isWhole = html.text.count < room.whole
        entries = isWhole ? PageEntry.all(of: model) : []
        shown = Set(entries.map(\.frame))
        stories = Story.all(of: model)
        told = Set(stories.flatMap { $0.findings.map(\.key) })
        lanes = isWhole ? lanes(of: model) : []
        marked = marked(in: lanes)
        unanchored = marked
        let heading = heading ?? file
        let isShown = html.text.count < room.brief
        index.append(IndexLine(heading, model, id: isShown ? "c\(capture)" : nil, isWhole: isWhole))
        guard isShown else { return }
        html.markup("<section class=\"capture\"")
        html.attribute("id", "c\(capture)")
        if isWhole, hasRange(model) {
            html.attribute("data-span") { $0.append(secondsOf: model.span) }
            let leaps = model.axis.leaps
            if !leaps.isEmpty {
                html.attribute("data-leaps") { piece in
                    for (place, leap) in leaps.enumerated() {
                        if place > 0 { piece.append(" ") }
                        piece.append("\(secondsOf: leap.start) \(secondsOf: leap.end)")
                    }
                }
            }
        }
        // Screen readers need the heading; others have read it.
        html.markup(heading == options.title ? "><h2 class=\"heard\">" : "><h2>")
        html.put(heading)
        html.markup("</h2>\n")
        if isWhole { writeNavigation(model) }
        writeSummary(model)
        if isWhole { writeTimeline(model) }
        writeIncidents(model)
        if isWhole {
            writeCapture(model, file: file)
            writeFindings(model)
            writePlots(model)
            writeSequence(model)
            writeDevices(model)
            writeTrees(model)
            writeStatistics(model)
            writeConversation(model)
        } else {
            putNote("The page is full: of this capture it has the incidents alone. attlas report makes a page of it.")
        }
        html.markup("</section>\n")
    }

    /// The page: an index if it has several captures, and the captures written.
    package mutating func finish(into output: inout Output) {
        var piece = TextBuffer()
        piece.append(xml: options.title)
        var head = TextBuffer()
        head.append(string: PageFrame.parts[0].replacing("{{title}}", with: piece.text))
        output.write(&head)
        if index.count > 1, !isComparison {
            var page = ReportPage(options, values: values)
            page.writeIndex(index)
            output.write(&page.html.text)
        }
        html.text.append(string: PageFrame.parts[1])
        output.write(&html.text)
    }

    func isTold(_ finding: LintFinding) -> Bool { told.contains(finding.key) }

    // MARK: Pieces

    /// The parts of a capture, by the ends of their ids.
    private static let parts: [(id: String, name: StaticString)] = [
        ("summary", "Summary"), ("timeline", "Timeline"), ("incidents", "What went wrong"), ("capture", "The capture"),
        ("findings", "Findings"), ("plots", "Plots"),
        ("sequence", "Sequence"), ("devices", "Devices"), ("trees", "GATT trees"), ("statistics", "Statistics"),
        ("conversation", "Conversation"),
    ]

    /// Whether there is anything in it of which a part could be chosen.
    func hasRange(_ model: ReportModel) -> Bool { !(lanes.isEmpty && entries.isEmpty && figures(of: model).isEmpty) }

    private mutating func writeNavigation(_ model: ReportModel) {
        html.markup("<nav")
        html.attribute("aria-label", "Capture \(capture)")
        html.markup(">")
        for (id, name) in Self.parts where id != "plots" || !figures(of: model).isEmpty {
            putLink("c\(capture)-\(id)") { $0.markup(name) }
            html.markup(" ")
        }
        if capture > 1, !isComparison { putLink("index") { $0.markup("All captures") } }
        html.markup("</nav>\n")
    }

    mutating func putLink(_ id: String, _ write: (inout HTMLWriter) -> Void) {
        html.markup("<a")
        html.attribute("href", "#\(id)")
        html.markup(">")
        write(&html)
        html.markup("</a>")
    }

    /// - Parameter isHeard: whether its heading is for screen readers alone.
    mutating func beginPart(_ id: String, isHeard: Bool = false) {
        beginPart(id, Self.parts.first { $0.id == id }?.name ?? "", isHeard: isHeard)
    }

    /// A part of the page. It is ended by `endPart`.
    mutating func beginPart(_ id: String, _ name: StaticString, isHeard: Bool = false) {
        html.markup("<section")
        html.attribute("id", "c\(capture)-\(id)")
        html.attribute("aria-labelledby", "c\(capture)-\(id)-title")
        html.markup(isHeard ? "><h3 class=\"heard\"" : "><h3")
        html.attribute("id", "c\(capture)-\(id)-title")
        html.markup(">")
        html.markup(name)
        html.markup("</h3>\n")
    }

    mutating func endPart() { html.markup("</section>\n") }

    /// The number of a record, as a link if the conversation has it.
    mutating func putFrame(_ frame: Int) {
        guard shown.contains(frame) else { return html.put(frame) }
        putLink("c\(capture)-f\(frame)") { $0.put(frame) }
    }

    /// ` data-t="12.345678"`, by which the script finds elements in a range of time.
    mutating func putTime(_ offset: Int64) {
        html.attribute("data-t") { $0.append(secondsOf: offset) }
    }

    /// … and ` data-u="15.5"`, if it was seen from then to here; nothing if that is unknown.
    mutating func putTimes(_ times: SeenTimes?, _ model: ReportModel) {
        guard let times else { return }
        putTime(model.offset(of: times.first))
        guard times.first != times.last else { return }
        html.attribute("data-u") { $0.append(secondsOf: model.offset(of: times.last)) }
    }

    /// The note of the script on a part while a range is chosen, after the number of its elements in the range.
    mutating func putRangeNote(of elements: StaticString, _ text: StaticString) {
        html.markup("<p class=\"note\" hidden data-of=\"")
        html.markup(elements)
        html.markup("\"><span></span>")
        html.markup(text)
        html.markup("</p>\n")
    }

    /// A wide table scrolls by itself, also with the keyboard.
    mutating func beginScrolling(_ label: String, isTall: Bool = false) {
        html.markup(isTall ? "<div class=\"scroll tall\"" : "<div class=\"scroll\"")
        html.attribute("aria-label", label)
        html.markup(" role=\"region\" tabindex=\"0\">")
    }

    mutating func endScrolling() { html.markup("</div>\n") }

    /// `write` writes rows without their end.
    mutating func putTable<Row>(
        _ label: String, caption: String? = nil, _ headings: [HTMLWriter.Heading], _ rows: some Sequence<Row>,
        _ write: (inout ReportPage, Row) -> Void
    ) {
        beginScrolling(label)
        html.headings(caption ?? label, headings)
        for row in rows {
            write(&self, row)
            html.markup("</tr>\n")
        }
        html.markup("</tbody></table>")
        endScrolling()
    }

    /// A sentence about omissions of the page.
    mutating func putNote(_ text: String) {
        html.markup("<p class=\"note\">")
        html.put(text)
        html.markup("</p>\n")
    }
}
