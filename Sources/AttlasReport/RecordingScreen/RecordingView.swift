import AttlasCapture
import AttlasLint
import AttlasMetrics
import AttlasTrace
import AttlasValues

/// What the user looks at in a recording: which line, which of its fields, which pane.
public struct RecordingView {
    enum Pane: Int, CaseIterable {
        case conversation, layers, octets, tree, plot
    }

    /// What is being typed in the last line.
    struct Prompt {
        enum Kind {
            case search, filter, jump
        }

        let kind: Kind
        var text = ""
        /// What is wrong with it.
        var mistake: String?
        /// Which of the texts before is shown; the number of them for none.
        var past: Int
    }

    /// What was known when the selected line came.
    final class Moment {
        var playback: Playback
        let line: RecordedLine
        let expression: String

        /// With what the rules say of the packet.
        private(set) var layers: PacketLayers?
        /// Its innermost layer.
        let innermost: Int
        private(set) var findings: Int

        init(
            _ playback: consuming Playback, _ line: RecordedLine, _ expression: String
        ) {
            layers = playback.sink.sink.layers
            innermost = layers?.fields.lastIndex { $0.depth == 0 } ?? 0
            findings = 0
            self.playback = playback
            self.line = line
            self.expression = expression
        }

        func add(_ findings: [LintFinding]) {
            guard self.findings == 0 else { return }
            self.findings = findings.count
            for finding in findings { layers?.add(finding) }
        }
    }

    /// What is looked for, line by line.
    struct Hunt {
        let what: String
        let isForward: Bool
        /// The next line to look at.
        var line: Int
        let isFound: (RecordedLine) -> Bool
    }

    /// More rows than there are.
    private static let far = Int(Int32.max)

    let isASCII: Bool
    var pane = Pane.conversation
    var isZoomed = false
    /// The pane that is shown where there is room for one besides the conversation.
    var lowerPane = Pane.layers
    /// Numbers of lines.
    var selected = 0
    var top = 0
    /// Columns of the lines that are left out.
    var left = 0
    var moment: Moment?
    var fields = ScreenView.Cursor<Int>()
    /// Of the source of the selected field.
    var octet = 0
    var octetTop = 0
    var tree = TreePane()
    var plot: PlotPane?
    var prompt: Prompt?
    /// What was typed before, the last one last.
    var history: [Prompt.Kind: [String]] = [:]
    var search = ""
    var hunt: Hunt?
    var isHelpShown = false
    var message: (text: String, style: TextStyle)?
    /// Where to go as soon as the index reaches it.
    var wantedFrame: Int?
    /// Where the panes were when they were laid out last.
    var areas: [Pane: Area] = [:]

    public init(isASCII: Bool) {
        self.isASCII = isASCII
    }

    /// Says something in the last line, until a key is pressed.
    public mutating func say(_ text: String, isBad: Bool = false) {
        message = (text, isBad ? .bad : .name)
    }

    /// The filter that was typed is a mistake: it can be put right.
    public mutating func refuse(filter: String, _ mistake: String) {
        prompt = Prompt(kind: .filter, text: filter, mistake: mistake, past: history[.filter]?.count ?? 0)
    }

    /// Another filter is in force: the selected line stays, or the first one behind it.
    public mutating func follow(filterOf recording: Recording) {
        wantedFrame = moment?.line.frame
        (selected, top) = (0, 0)
        hunt = nil
    }

    /// Whether it has something to do besides waiting for keys.
    public var isBusy: Bool { hunt != nil }

    // MARK: Keys

    public mutating func handle(_ key: ScreenKey, _ recording: Recording) -> ScreenAction {
        if prompt != nil { return type(key, recording) }
        message = nil
        if isHelpShown {
            isHelpShown = false
            return .none
        }
        switch key {
        case .click(let row, let column, let isDouble):
            hunt = nil
            click(row, column, isDouble: isDouble, recording)
            return .none
        case .wheel(let row, let column, let isUp):
            hunt = nil
            if let hit = pane(at: row, column) { go(to: hit.pane) }
            move(by: isUp ? -3 : 3, recording)
            return .none
        default: break
        }
        guard let command = ScreenBinding.command(of: key, in: ScreenBinding.recording) else {
            say("this key does nothing here; ? shows the keys", isBad: true)
            return .none
        }
        if command != .help, command != .quit { hunt = nil }
        return perform(command, recording)
    }

    private mutating func perform(_ command: ScreenCommand, _ recording: Recording) -> ScreenAction {
        let page = max(1, areas[pane]?.height ?? 1)
        switch command {
        case .quit: return .quit
        case .help: isHelpShown = true
        case .search: open(.search, "")
        case .filter: open(.filter, recording.filterExpression)
        case .jump: open(.jump, "")
        case .findNext: findAgain(isForward: true)
        case .findPrevious: findAgain(isForward: false)
        case .nextPane: goToPane(by: 1)
        case .previousPane: goToPane(by: -1)
        case .enter:
            if pane == .plot { goToPlottedTime(recording) }
            go(to: pane == .conversation ? .layers : .conversation)
        case .zoom: isZoomed.toggle()
        case .release:
            search = ""
            isZoomed = false
            closePlot(recording)
        case .plot: openPlot(recording)
        case .cover:
            if pane == .plot { plot?.cover() } else { say("p plots; then o puts a second number over it", isBad: true) }
        case .up: move(by: -1, recording)
        case .down: move(by: 1, recording)
        case .halfPageUp: move(by: -max(1, page / 2), recording)
        case .halfPageDown: move(by: max(1, page / 2), recording)
        case .pageUp: move(by: -page, recording)
        case .pageDown: move(by: page, recording)
        case .start: move(by: -Self.far, recording)
        case .end: move(by: Self.far, recording)
        case .left: moveAside(by: -1)
        case .right: moveAside(by: 1)
        case .nextTrouble: goToTrouble(isForward: true, recording)
        case .previousTrouble: goToTrouble(isForward: false, recording)
        case .nextFinding: goToFinding(isForward: true, recording)
        case .previousFinding: goToFinding(isForward: false, recording)
        case .nextAlike: findAlike(isForward: true)
        case .previousAlike: findAlike(isForward: false)
        case .counterpart: goToCounterpart(recording)
        case .pause: break
        }
        return .none
    }

    private mutating func goToPane(by steps: Int) {
        let panes = Pane.allCases.filter { $0 != .plot || plot != nil }
        let place = panes.firstIndex(of: pane) ?? 0
        go(to: panes[(place + steps + panes.count) % panes.count])
    }

    mutating func go(to pane: Pane) {
        self.pane = pane
        if pane != .conversation { lowerPane = pane == .octets ? .layers : pane }
    }

    private mutating func move(by rows: Int, _ recording: Recording) {
        switch pane {
        case .conversation: select(selected + rows, recording)
        case .layers: selectField(fields.index + rows)
        case .octets: selectOctet(octet + rows * octetsPerRow)
        case .tree: tree.rows.move(by: rows)
        case .plot:
            if abs(rows) == Self.far { plot?.moveCursor(toEnd: rows > 0) } else { plot?.move(by: rows) }
        }
    }

    private mutating func moveAside(by steps: Int) {
        switch pane {
        case .conversation: left = max(0, left + 8 * steps)
        case .octets: selectOctet(octet + steps)
        case .plot: plot?.moveCursor(by: steps)
        case .layers, .tree: say("this key does nothing in this pane; ? shows the keys", isBad: true)
        }
    }

    /// Columns of octets, when they were laid out last.
    var octetsPerRow = 8

    mutating func select(_ line: Int, _ recording: Recording) {
        selected = max(0, min(line, recording.lineCount - 1))
        wantedFrame = nil
    }

    private mutating func selectField(_ field: Int) {
        guard let layers = moment?.layers, !layers.fields.isEmpty else { return }
        fields.index = max(0, min(field, layers.fields.count - 1))
        fields.key = fields.index
        if let range = layers.fields[fields.index].range { octet = range.lowerBound }
    }

    /// Its field is selected with it.
    private mutating func selectOctet(_ octet: Int) {
        guard let layers = moment?.layers, layers.fields.indices.contains(fields.index) else { return }
        let source = layers.fields[fields.index].source
        self.octet = max(0, min(octet, layers.octets(of: source).count - 1))
        if let field = layers.field(at: self.octet, in: source) {
            fields.index = field
            fields.key = field
        }
    }

    // MARK: The mouse

    /// The pane at a place of the screen, and the row of its content; -1 for its heading.
    private func pane(at row: Int, _ column: Int) -> (pane: Pane, row: Int)? {
        for (pane, area) in areas where area.columns.contains(column) {
            if area.heading...area.heading + area.height ~= row { return (pane, row - area.heading - 1) }
        }
        return nil
    }

    /// Selects what stands there. Twice is enter.
    private mutating func click(_ row: Int, _ column: Int, isDouble: Bool, _ recording: Recording) {
        guard let (pane, row) = pane(at: row, column) else { return }
        go(to: pane)
        guard row >= 0 else { return }
        switch pane {
        case .conversation:
            var (line, rest) = (top, row)
            while let rows = recording.line(line)?.rows.count, rest >= rows {
                rest -= rows
                line += 1
            }
            select(line, recording)
            if isDouble { go(to: .layers) }
        case .layers: selectField(fields.top + row)
        case .octets:
            guard let start = areas[.octets]?.columns.lowerBound, column >= start + 6 else { return }
            let place = column - start - 6
            let text = place - 3 * octetsPerRow
            selectOctet((octetTop + row) * octetsPerRow + (text >= 0 ? text : place / 3))
        case .tree: tree.rows.move(by: tree.rows.top + row - tree.rows.index)
        case .plot:
            plot?.select(column: column)
            if isDouble { _ = perform(.enter, recording) }
        }
    }

    // MARK: Jumps

    private mutating func goToTrouble(isForward: Bool, _ recording: Recording) {
        var record = moment?.line.record ?? 0
        // A filter may leave it out.
        while let next = recording.trouble(isForward: isForward, from: record) {
            record = next
            if let line = recording.line(ofRecord: record), let found = recording.line(line), found.record == record {
                var line = line
                while let other = recording.line(line), other.record == record, !other.isTrouble { line += 1 }
                return select(recording.line(line)?.record == record ? line : found.number, recording)
            }
        }
        let isKnown = recording.isComplete || !isForward
        say(
            (isForward ? "no error behind this line" : "no error before this line")
                + (isKnown ? "" : ", as far as the capture was read"), isBad: true)
    }

    private mutating func goToFinding(isForward: Bool, _ recording: Recording) {
        let frame = moment?.line.frame ?? 0
        let frames = recording.findingFrames
        let next = isForward ? frames.first { $0 > frame } : frames.last { $0 < frame }
        guard let next, let line = recording.line(atFrame: next) else {
            let isKnown = !recording.isBusy
            return say(
                (isForward ? "no finding behind this line" : "no finding before this line")
                    + (isKnown ? "" : ", as far as is known"), isBad: true)
        }
        select(line, recording)
    }

    private mutating func findAlike(isForward: Bool) {
        guard let place = moment?.line.place else { return say("this line is about no characteristic", isBad: true) }
        start(
            Hunt(what: "the same characteristic", isForward: isForward, line: selected + (isForward ? 1 : -1)) {
                $0.place == place
            })
    }

    private mutating func goToCounterpart(_ recording: Recording) {
        guard let line = moment?.line else { return }
        if let request = line.request {
            if let number = recording.line(atFrame: request), recording.line(number)?.frame == request {
                return select(number, recording)
            }
            return say("the request, frame \(request), is not among these lines", isBad: true)
        }
        let frame = line.frame
        start(Hunt(what: "an answer to frame \(frame)", isForward: true, line: selected + 1) { $0.request == frame })
    }

    private mutating func findAgain(isForward: Bool) {
        guard !search.isEmpty else { return say("nothing was searched for; / searches", isBad: true) }
        let wanted = FoldedText(search)
        start(
            Hunt(what: search, isForward: isForward, line: selected + (isForward ? 1 : -1)) { line in
                line.rows.contains { FoldedText(String(decoding: $0.text, as: UTF8.self)).contains(wanted) }
            })
    }

    private mutating func start(_ hunt: Hunt) {
        self.hunt = hunt
    }

    /// Goes on with what is looked for, chunk by chunk. To be called again as long as `isBusy`.
    public mutating func advance(_ recording: Recording) {
        guard var hunt else { return }
        for _ in 0..<256 {
            guard let line = recording.line(hunt.line) else {
                // The index may not be there yet.
                if hunt.isForward, hunt.line >= recording.lineCount, !recording.isComplete {
                    self.hunt = hunt
                    return
                }
                self.hunt = nil
                return say("not found: \(hunt.what)", isBad: true)
            }
            if hunt.isFound(line) {
                self.hunt = nil
                return select(line.number, recording)
            }
            hunt.line += hunt.isForward ? 1 : -1
        }
        self.hunt = hunt
    }

    // MARK: Typing

    private mutating func open(_ kind: Prompt.Kind, _ text: String) {
        prompt = Prompt(kind: kind, text: text, past: history[kind]?.count ?? 0)
    }

    private mutating func type(_ key: ScreenKey, _ recording: Recording) -> ScreenAction {
        guard var typed = prompt else { return .none }
        typed.mistake = nil
        let past = history[typed.kind] ?? []
        switch key {
        case .escape:
            prompt = nil
            return .none
        case .enter:
            prompt = nil
            if !typed.text.isEmpty, past.last != typed.text {
                history[typed.kind] = (past + [typed.text]).suffix(100)
            }
            return accept(typed, recording)
        case .up, .down:
            typed.past = max(0, min(past.count, typed.past + (key == .up ? -1 : 1)))
            typed.text = typed.past < past.count ? past[typed.past] : ""
        case .backspace:
            if !typed.text.isEmpty { typed.text.removeLast() }
        // Control-U, as in a shell: all of it.
        case .character("\u{15}"): typed.text = ""
        case .character(let scalar) where scalar.value >= 0x20 && scalar.value != 0x7F && typed.text.count < 500:
            typed.text.unicodeScalars.append(scalar)
        default: break
        }
        prompt = typed
        return .none
    }

    private mutating func accept(_ typed: Prompt, _ recording: Recording) -> ScreenAction {
        switch typed.kind {
        case .filter: return .filter(typed.text)
        case .search:
            search = typed.text
            if !search.isEmpty { findAgain(isForward: true) }
        case .jump: return jump(typed.text, recording)
        }
        return .none
    }

    private mutating func jump(_ text: String, _ recording: Recording) -> ScreenAction {
        if text == "q" { return .quit }
        var line: Int?
        if let frame = Int(text) {
            line = recording.line(atFrame: frame)
            wantedFrame = recording.isComplete ? nil : frame
        } else if text.hasSuffix("s"), let seconds = Double(text.dropLast()), abs(seconds) < 1e9,
            let start = moment?.playback.trace.start
        {
            line = recording.line(at: Int64(seconds * 1e9), since: start)
        } else if !text.isEmpty {
            say("\(text) is no frame (120) and no time (12.5s)", isBad: true)
        }
        if let line { selected = line }
        return .none
    }
}
