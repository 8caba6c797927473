import AttlasCapture
import AttlasConversation
import AttlasDocuments
import AttlasIncidents
import AttlasLint
import AttlasMetrics
import AttlasText
import AttlasTrace

/// A mark of the timeline.
enum PageMark: String {
    case broke, hindered, change, security, subscription, error, finding, end, lost, loss

    var word: String {
        switch self {
        case .broke: "what broke"
        case .hindered: "slow or repeated"
        case .change: "link change"
        case .security: "encryption or pairing"
        case .subscription: "subscription"
        case .error: "error"
        case .finding: "finding"
        case .end: "end of a connection"
        case .lost: "end with an error"
        case .loss: "fault or loss"
        }
    }

    static let all: [PageMark] = [
        .change, .security, .subscription, .error, .finding, .end, .lost, .loss, .hindered, .broke,
    ]

    /// From the top of its lane.
    fileprivate var height: Int {
        switch self {
        case .change, .security, .subscription: 9
        case .end, .lost: 27
        case .error, .finding, .loss: 44
        case .broke, .hindered: 46
        }
    }
}

/// The capture from its first record to its last: a lane for each peer, its connections as bars, and marks.
extension ReportPage {
    private static let laneLimit = 40
    private static let barLimit = 200
    /// Marks of one lane, of each kind.
    private static let markLimit = 150

    struct Mark {
        let kind: PageMark
        let offset: Int64
        let frame: Int
        let text: String
        /// The incident's number, on its first mark.
        var number: Int?
        /// `i3`: the incident that a click leads to, instead of the row of its record.
        var story: String?
    }

    struct Lane {
        let title: String
        var lives: [ConnectionLife] = []
        var marks: [Mark] = []

        init(title: String) { self.title = title }

        /// As many of each kind as are drawn.
        fileprivate var drawn: [Mark] {
            var counts: [PageMark: Int] = [:]
            return marks.filter { mark in
                counts[mark.kind, default: 0] += 1
                return counts[mark.kind, default: 0] <= ReportPage.markLimit
            }
        }
    }

    /// Frames of findings that have a mark.
    func marked(in lanes: [Lane]) -> Set<Int> {
        Set(lanes.prefix(Self.laneLimit).flatMap(\.drawn).lazy.filter { $0.kind == .finding }.map(\.frame))
    }

    func lanes(of model: ReportModel) -> [Lane] {
        var lanes: [Lane] = []
        var laneOfPeer: [String: Int] = [:]
        var laneOfConnection: [Int: Int] = [:]
        let broken = Set(model.incidents.incidents(of: .broke).flatMap(\.occurrences))
        for life in model.connections {
            let key = life.peer.address?.description ?? "connection \(life.number)"
            let lane = laneOfPeer[key] ?? lanes.count
            if lane == lanes.count { lanes.append(Lane(title: model.title(of: life))) }
            laneOfPeer[key] = lane
            laneOfConnection[life.number] = lane
            lanes[lane].lives.append(life)
            for step in life.steps {
                lanes[lane].marks.append(
                    Mark(
                        kind: step.mark, offset: model.offset(of: step.moment.time), frame: step.moment.frame,
                        text: TextBuffer("\({ $0.append(step.kind, model.names) })").text))
            }
            if let end = life.end {
                lanes[lane].marks.append(
                    Mark(
                        kind: broken.contains(end.moment.frame) ? .lost : .end,
                        offset: model.offset(of: end.moment.time), frame: end.moment.frame,
                        text: TextBuffer("\({ $0.append(end, of: life) })").text))
            }
        }
        var others = Lane(title: "Capture")
        func add(_ mark: Mark, _ connection: Int?) {
            if let lane = connection.flatMap({ laneOfConnection[$0] }) {
                lanes[lane].marks.append(mark)
            } else {
                others.marks.append(mark)
            }
        }
        for (index, story) in stories.enumerated() {
            let incident = story.incident
            guard let kind = incident.weight.mark else { continue }
            // A device that never connected has a separate lane.
            var lane = incident.place.connection.flatMap { laneOfConnection[$0] }
            if lane == nil, let peer = incident.place.peer {
                lane = laneOfPeer[peer.description] ?? lanes.count
                if lane == lanes.count {
                    lanes.append(Lane(title: model.incidents.peerName(peer) ?? peer.description))
                    laneOfPeer[peer.description] = lane
                }
            }
            for (place, moment) in incident.moments.enumerated() {
                var text = TextBuffer("\(display: incident.headline)")
                text.append(clock: moment.time, model.integrity)
                let mark = Mark(
                    kind: kind, offset: model.offset(of: moment.time), frame: moment.frame, text: text.text,
                    number: place == 0 ? index + 1 : nil, story: story.id)
                if let lane { lanes[lane].marks.append(mark) } else { others.marks.append(mark) }
            }
        }
        let toldFrames = Set(stories.flatMap(\.incident.toldFrames))
        for operation in model.operations
        where operation.error != nil && operation.isTrouble && !toldFrames.contains(operation.frame) {
            add(
                Mark(
                    kind: .error, offset: model.offset(of: operation.time), frame: operation.frame,
                    text: "\(operation.attribute): \(operation.error ?? "")"), operation.connection)
        }
        for finding in model.lint.findings where !isTold(finding) {
            add(
                Mark(
                    kind: .finding, offset: model.offset(of: finding.time), frame: finding.frame,
                    text: "\(finding.rule.severity.rawValue) \(finding.rule.id): \(finding.rule.title)"),
                finding.place.connection)
        }
        for note in model.notes {
            add(
                Mark(kind: .loss, offset: model.offset(of: note.time), frame: note.frame, text: note.text),
                note.connection)
        }
        return lanes + (others.marks.isEmpty ? [] : [others])
    }

    mutating func writeTimeline(_ model: ReportModel) {
        beginPart("timeline", isHeard: true)
        if lanes.isEmpty { html.markup("<p>No connection in this capture.</p>") }
        guard hasRange(model) else { return endPart() }
        html.markup("<div class=\"time\" role=\"group\"")
        html.attribute("aria-label", "Timeline of capture \(capture)")
        html.markup(">")
        for lane in lanes.prefix(Self.laneLimit) { write(lane, model) }
        if lanes.isEmpty { html.markup("<svg class=\"lane\" height=\"0\" width=\"100%\"></svg>") }
        writeTicks(model.axis, model.integrity)
        html.markup("</div>\n")
        if !lanes.isEmpty { writeLegend() }
        if lanes.count > Self.laneLimit { putNote("\(lanes.count - Self.laneLimit) more lanes are not on this page.") }
        writeControls(
            "Drag over the timeline or a plot to choose a range: the findings and everything below follow it. With the timeline in focus,"
        )
        endPart()
    }

    /// The legend of the bars and marks that occur.
    private mutating func writeLegend() {
        html.markup("<p class=\"legend\">")
        html.markup(
            "<span><svg width=\"26\" height=\"12\" aria-hidden=\"true\"><rect class=\"bar\" width=\"26\" height=\"12\"/></svg> connection</span> "
        )
        html.markup(
            "<span><svg width=\"26\" height=\"12\" aria-hidden=\"true\"><rect class=\"bar encrypted\" width=\"26\" height=\"12\"/></svg> encrypted</span> "
        )
        let kinds = Set(lanes.flatMap { $0.marks.map(\.kind) })
        for mark in PageMark.all where kinds.contains(mark) {
            html.markup("<span><svg width=\"20\" height=\"20\" aria-hidden=\"true\"><use x=\"10\" y=\"10\"")
            putShape(mark)
            html.markup("/></svg> ")
            html.put(mark.word)
            html.markup("</span> ")
        }
        html.markup("</p>\n")
    }

    /// Controls for the script; invisible without one.
    mutating func writeControls(_ hint: StaticString) {
        html.markup(
            """
            <form class="controls" hidden><label>From <input type="number" name="from" step="any" min="0"> s</label> \
            <label>to <input type="number" name="to" step="any" min="0"> s</label> \
            <button type="button" name="in">Zoom in</button> <button type="button" name="out">Zoom out</button> \
            <button type="button" name="back">Earlier</button> <button type="button" name="on">Later</button> \
            <button type="button" name="all">Whole capture</button> <output></output><p>
            """)
        html.markup(hint)
        html.markup(" arrow keys move the range, + and - zoom, Escape shows all.</p></form>\n")
    }

    private mutating func write(_ lane: Lane, _ model: ReportModel) {
        html.markup("<p class=\"lane\"><bdi>")
        html.put(lane.title)
        html.markup("</bdi></p><svg class=\"lane\" height=\"56\" width=\"100%\" role=\"img\"")
        html.attribute("aria-label") { piece in
            piece.append(string: lane.title)
            piece.append(string: ": \(lane.lives.count) connections")
            for kind in PageMark.all {
                let count = lane.marks.count { $0.kind == kind }
                if count > 0 { piece.append(string: ", \(kind.word): \(count)") }
            }
        }
        html.markup("><line class=\"axis\" x1=\"0\" x2=\"100%\" y1=\"27\" y2=\"27\"/>")
        for leap in model.axis.leaps {
            html.markup("<rect class=\"gap\" y=\"0\" height=\"56\" x=\"")
            put(percent: leap.start, model)
            html.markup("\" width=\"")
            html.put(coordinate: 100 * (model.axis.share(of: leap.end) - model.axis.share(of: leap.start)))
            html.markup("%\"")
            html.attribute("data-t") { $0.append(secondsOf: leap.start) }
            html.attribute("data-u") { $0.append(secondsOf: leap.end) }
            html.markup("><title>the clock leapt ahead by ")
            html.put { $0.append(duration: leap.length) }
            html.markup("</title></rect>")
        }
        for life in lane.lives.prefix(Self.barLimit) { write(life, model, isAlone: lane.lives.count == 1) }
        let marks = lane.drawn
        for mark in marks {
            html.markup("<use x=\"")
            put(percent: mark.offset, model)
            html.markup("\" y=\"")
            html.put(mark.kind.height)
            html.markup("\"")
            putShape(mark.kind)
            putTime(mark.offset)
            // Only the first of several findings of one record.
            if mark.kind == .finding, unanchored.remove(mark.frame) != nil {
                html.attribute("id", "c\(capture)-m\(mark.frame)")
            }
            if let story = mark.story {
                html.attribute("data-to", story)
            } else if shown.contains(mark.frame) {
                html.attribute("data-to", "f\(mark.frame)")
            }
            html.markup("><title>")
            html.put { $0.append("\(secondsOf: mark.offset) s · \(display: mark.text) (frame \(mark.frame))") }
            html.markup("</title></use>")
            if let number = mark.number {
                html.markup("<text class=\"middle number\" y=\"50\" x=\"")
                put(percent: mark.offset, model)
                html.markup("\"")
                putTime(mark.offset)
                html.markup(">")
                html.put(number)
                html.markup("</text>")
            }
        }
        html.markup("</svg>")
        let hidden = max(0, lane.lives.count - Self.barLimit) + lane.marks.count - marks.count
        if hidden > 0 { putNote("\(hidden) more connections and marks of this lane are not drawn.") }
    }

    private mutating func write(_ life: ConnectionLife, _ model: ReportModel, isAlone: Bool) {
        let begin = model.offset(of: life.begun.time)
        let end = max(begin, life.end.map { model.offset(of: $0.moment.time) } ?? model.span)
        var encrypted: Int64?
        var parameters: String?
        var phy: String?
        var mtu: Int?
        for step in life.steps {
            switch step.kind {
            case .encryption(true, .success): encrypted = encrypted ?? model.offset(of: step.moment.time)
            case .parameters(let new):
                parameters = TextBuffer("interval \(exact: new.intervalMicroseconds)").text
            case .phy: phy = TextBuffer("\({ $0.append(step.kind, model.names) })").text
            case .mtu(let exchange): mtu = exchange.inForce
            default: break
            }
        }
        let facts = [parameters, phy, mtu.map { "MTU \($0)" }, encrypted == nil ? nil : "encrypted"].compactMap(\.self)
            .joined(separator: " · ")
        func bar(_ begin: Int64, _ name: StaticString, _ html: inout HTMLWriter) {
            html.markup("<rect y=\"20\" height=\"14\" x=\"")
            Self.put(percent: begin, model, &html)
            html.markup("\" width=\"")
            html.put(coordinate: 100 * max(0, model.axis.share(of: end) - model.axis.share(of: begin)))
            html.markup("%\" class=\"")
            html.markup(name)
            html.markup("\"")
            html.attribute("data-t") { $0.append(secondsOf: begin) }
            html.attribute("data-u") { $0.append(secondsOf: end) }
            html.markup("><title>")
            html.put("connection \(life.number)\(facts.isEmpty ? "" : ": \(facts)")")
            html.markup("</title></rect>")
        }
        bar(begin, "bar", &html)
        if let encrypted { bar(encrypted, "bar encrypted", &html) }
        // Where there is room for it.
        if isAlone, end.subtracting(begin) > model.span / 3, !facts.isEmpty {
            html.markup("<text y=\"31\" dx=\"6\" x=\"")
            put(percent: begin, model)
            html.markup("\"")
            putTime(begin)
            html.attribute("data-u") { $0.append(secondsOf: end) }
            html.markup(">")
            html.put(facts)
            html.markup("</text>")
        }
    }

    private mutating func putShape(_ mark: PageMark) {
        html.attribute("href", "#m-\(mark.rawValue)")
        html.attribute("class", mark.rawValue)
    }

    /// Where in the capture, from 0% to 100%.
    private mutating func put(percent offset: Int64, _ model: ReportModel) { Self.put(percent: offset, model, &html) }

    private static func put(percent offset: Int64, _ model: ReportModel, _ html: inout HTMLWriter) {
        html.put(coordinate: 100 * model.axis.share(of: offset))
        html.markup("%")
    }

    /// The times below a drawing. Those near an end are shifted.
    ///
    /// - Parameter integrity: of the capture whose clock is shown as well.
    mutating func writeTicks(_ axis: TimeAxis, _ integrity: CaptureIntegrity? = nil) {
        if let start = integrity?.start, let time = integrity?.clock(of: start) {
            html.markup("<svg class=\"ticks\" height=\"32\"")
            let second = start.seconds - start.seconds.flooredQuotient(86_400) * 86_400
            html.attribute("data-clock", "\(second).\(start.nanoseconds / 100_000_000)")
            html.attribute("data-zone", String(time.dropFirst(8)))
        } else {
            html.markup("<svg class=\"ticks\" height=\"18\"")
        }
        html.markup(" width=\"100%\" aria-hidden=\"true\">")
        for tick in axis.ticks {
            html.markup("<g><rect width=\"1\" height=\"4\" x=\"")
            html.put(coordinate: 100 * tick.place)
            html.markup("%\"/>")
            writeTick(tick.place, y: 15) {
                $0.append(number: tick.seconds)
                $0.append(" s")
            }
            if let start = integrity?.start,
                let time = integrity?.clock(of: start.earlier(by: -Int64(min(tick.seconds.double * 1e9, 9e18))))
            {
                writeTick(tick.place, y: 29) { $0.append(string: time) }
            }
            html.markup("</g>")
        }
        html.markup("</svg>")
    }

    private mutating func writeTick(_ place: Double, y: Int, _ write: (inout TextBuffer) -> Void) {
        html.markup("<text y=\"")
        html.put(y)
        html.markup("\" x=\"")
        html.put(coordinate: 100 * place)
        html.markup(place < 0.04 ? "%\">" : place > 0.96 ? "%\" class=\"last\">" : "%\" class=\"middle\">")
        html.put(write)
        html.markup("</text>")
    }
}

extension ConnectionLife.Step {
    fileprivate var mark: PageMark {
        switch kind {
        case .parameters, .mtu, .phy, .dataLength, .endpoint: .change
        case .encryption, .pairing, .pairingFailed: .security
        case .subscription: .subscription
        }
    }
}

extension Incident.Weight {
    fileprivate var mark: PageMark? {
        switch self {
        case .broke: .broke
        case .hindered: .hindered
        case .noted: nil
        }
    }
}
