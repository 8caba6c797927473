import AttlasCapture
import AttlasConversation
import AttlasLint
import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasValues

/// The request of a key to the owner of the screen.
package enum RecordingAction: Sendable, Equatable {
    case none, quit
    /// The expression, which may be a mistake; empty for none.
    case filter(String)
    /// All lines shown, or those of these records, to a file next to the capture.
    case export(name: String, format: RecordingExport.Format, frames: ClosedRange<Int>?)
    case endExport
    /// The marks are others now.
    case marked
    /// The next of the files that were given, or the one before.
    case file(Int)
    /// Readable text, to the terminal's clipboard.
    case copy(String)
}

/// The user's view of a recording: the line, its field and the pane.
package struct RecordingView {
    typealias Pane = RecordingPane

    /// The text that is being typed in the last line.
    struct Prompt {
        enum Kind {
            case search, filter, jump, note, export
        }

        let kind: Kind
        var text = "" { didSet { if text != oldValue { chosen = 0 } } }
        /// Which of the actions with the typed words enter performs.
        var chosen = 0
        /// Expressions that tab goes through, and which one it is at.
        var completions: [String] = []
        /// The mistake in it.
        var mistake: String?
        /// Which of the texts before is shown; the number of them for none.
        var past: Int
    }

    /// The state at the selected line.
    final class Moment {
        var playback: Playback
        let line: RecordedLine
        let expression: String

        /// Layers with the findings of the rules.
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

    /// A search in progress.
    struct Hunt {
        let what: String
        var search: RecordingSearch
        /// Whether it wraps around.
        var wraps: Bool

        init(
            what: String, isForward: Bool, line: Int, wraps: Bool = false, isFound: @escaping (RecordedLine) -> Bool
        ) {
            self.what = what
            self.wraps = wraps
            search = RecordingSearch(from: line, isForward: isForward, isFound: isFound)
        }
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
    /// Selected octet in the source of the selected field.
    var octet = 0
    var octetTop = 0
    var tree = TreePane()
    var plot: PlotPane?
    var values: ValuesPane?
    var overview = OverviewPane()
    var prompt: Prompt?
    /// Earlier texts, the last one last.
    var history: [Prompt.Kind: [String]] = [:]
    var search = ""
    var hunt: Hunt?
    /// The first line of the help that is shown; nil: none.
    var help: Int?
    var message: (text: String, style: TextStyle)?
    /// Where to go as soon as the index reaches it.
    var wantedFrame: Int?
    package internal(set) var marks = RecordingMarks()
    /// Its place among several files, or its delay behind the live session.
    package var place = ""
    /// Whether it is a live session up to now.
    let isOfLive: Bool
    /// The other end of the selected lines.
    var anchor: Int?
    /// The share of an export that was read; nil without an export.
    package var exportProgress: Double?
    /// Where the panes were when they were laid out last.
    var areas: [Pane: Area] = [:]

    /// - Parameter showsOverview: whether it begins with the overview, not with the conversation.
    package init(
        isASCII: Bool, isOfLive: Bool = false, showsOverview: Bool = false, marks: RecordingMarks = RecordingMarks()
    ) {
        self.isASCII = isASCII
        if showsOverview { pane = .overview }
        self.isOfLive = isOfLive
        // Start at the last line.
        if isOfLive { wantedFrame = .max }
        self.marks = marks
    }

    /// Says something in the last line, until a key is pressed.
    package mutating func say(_ text: String, isBad: Bool = false) {
        message = (text, isBad ? .bad : .name)
    }

    /// The filter that was typed is a mistake: it can be put right.
    package mutating func refuse(filter: String, _ mistake: String) { refuse(.filter, filter, mistake) }

    /// The file cannot be made: another name can be typed.
    package mutating func refuse(export name: String, _ mistake: String) { refuse(.export, name, mistake) }

    mutating func refuse(_ kind: Prompt.Kind, _ text: String, _ mistake: String) {
        prompt = Prompt(kind: kind, text: text, mistake: mistake, past: history[kind]?.count ?? 0)
    }

    /// Follows a change of the filter: the selected line stays selected, or else the first one after it.
    package mutating func follow(filterOf recording: Recording) {
        wantedFrame = moment?.line.frame
        (selected, top) = (0, 0)
        hunt = nil
        anchor = nil
    }

    /// Whether it has something to do besides waiting for keys.
    package var isBusy: Bool { hunt != nil }

    // MARK: Keys

    package mutating func handle(_ key: ScreenKey, _ recording: Recording) -> RecordingAction {
        if prompt != nil { return type(key, recording) }
        message = nil
        if let help {
            self.help = key.scrolled(help: help)
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
        case .drop(let row, _):
            drop(row)
            return .none
        default: break
        }
        guard let command = ScreenBinding.command(of: key, in: ScreenBinding.recording) else {
            say("this key does nothing here; ? shows the keys", isBad: true)
            return .none
        }
        return perform(anew: command, recording)
    }

    /// Ends a running search first.
    mutating func perform(anew command: ScreenCommand, _ recording: Recording) -> RecordingAction {
        if command != .help, command != .quit { hunt = nil }
        return perform(command, recording)
    }

    mutating func perform(_ command: ScreenCommand, _ recording: Recording) -> RecordingAction {
        if pane == .overview, !command.isOfOverview { go(to: .conversation) }
        let page = max(1, pane == .overview ? overview.height : areas[pane]?.height ?? 1)
        switch command {
        case .quit: return .quit
        case .help: help = 0
        case .search: open(.search, "")
        case .filter: open(.filter, recording.filterExpression)
        case .jump: open(.jump, "")
        case .findNext: findAgain(isForward: true)
        case .findPrevious: findAgain(isForward: false)
        case .nextPane: goToPane(by: 1)
        case .previousPane: goToPane(by: -1)
        case .enter:
            if pane == .overview { goToSelected(recording) }
            if pane == .plot { goToPlottedTime(recording) }
            go(to: pane == .conversation ? .layers : .conversation)
        case .overview: go(to: pane == .overview ? .conversation : .overview)
        case .zoom: isZoomed.toggle()
        case .grow: resize(by: 1)
        case .shrink: resize(by: -1)
        case .sort: sortTree()
        case .hideIdle: hideIdle()
        case .copy: return copy(recording)
        case .nextPeer: findOtherPeer(isForward: true)
        case .previousPeer: findOtherPeer(isForward: false)
        case .release:
            anchor = nil
            if exportProgress != nil { return .endExport }
            search = ""
            isZoomed = false
            if pane == .overview { go(to: .conversation) }
            closePlot(recording)
            closeValues(recording)
        case .select:
            go(to: .conversation)
            anchor = anchor == nil ? selected : nil
        case .export: openExport(recording)
        case .mark: return toggleMark()
        case .note: openNote()
        case .nextMark: goToMark(isForward: true, recording)
        case .previousMark: goToMark(isForward: false, recording)
        case .nextFile: return .file(1)
        case .previousFile: return .file(-1)
        case .plot: openPlot(recording)
        case .values: openValues(recording)
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
        case .pause:
            if isOfLive { return .quit }
            move(by: page, recording)
        }
        return .none
    }

    private mutating func sortTree() {
        let orders = TreePane.Order.allCases
        let place = orders.firstIndex(of: tree.order) ?? 0
        tree.order = orders[(place + 1) % orders.count]
        go(to: .tree)
        say("the table is sorted \(tree.order.rawValue)")
    }

    private mutating func hideIdle() {
        tree.hidesIdle.toggle()
        go(to: .tree)
    }

    mutating func goToPane(by steps: Int) {
        guard pane != .overview else { return go(to: .conversation) }
        let panes = Pane.allCases.filter {
            $0 != .overview && ($0 != .plot || plot != nil) && ($0 != .values || values != nil)
        }
        let place = panes.firstIndex(of: pane) ?? 0
        go(to: panes[(place + steps + panes.count) % panes.count])
    }

    mutating func go(to pane: Pane) {
        self.pane = pane
        if pane != .conversation, pane != .overview { lowerPane = pane == .octets ? .layers : pane }
    }

    mutating func move(by rows: Int, _ recording: Recording) {
        switch pane {
        case .overview: overview.move(by: rows)
        case .conversation: select(selected + rows, recording)
        case .layers: selectField(fields.index + rows)
        case .octets: selectOctet(octet + rows * octetsPerRow)
        case .tree: tree.rows.move(by: rows)
        case .values: values?.move(by: rows)
        case .plot:
            if abs(rows) == Self.far { plot?.moveCursor(toEnd: rows > 0) } else { plot?.move(by: rows) }
        }
    }

    mutating func moveAside(by steps: Int) {
        switch pane {
        case .conversation: left = max(0, left + 8 * steps)
        case .octets: selectOctet(octet + steps)
        case .plot: plot?.moveCursor(by: steps)
        case .overview: overview.scroll(by: steps)
        case .layers, .tree, .values:
            say("this key does nothing in this pane; ? shows the keys", isBad: true)
        }
    }

    /// Columns of octets, when they were laid out last.
    var octetsPerRow = 8
    /// Shares of the height that the user gave to panes.
    var shares = Layout.Shares()
    /// The pane whose heading the mouse holds.
    var held: Pane?

    mutating func select(_ line: Int, _ recording: Recording) {
        selected = max(0, min(line, recording.lineCount - 1))
        wantedFrame = nil
    }

    mutating func selectField(_ field: Int) {
        guard let layers = moment?.layers, !layers.fields.isEmpty else { return }
        fields.index = max(0, min(field, layers.fields.count - 1))
        fields.key = fields.index
        if let range = layers.fields[fields.index].range { octet = range.lowerBound }
    }

    /// Its field is selected with it.
    mutating func selectOctet(_ octet: Int) {
        guard let layers = moment?.layers, layers.fields.indices.contains(fields.index) else { return }
        let source = layers.fields[fields.index].source
        self.octet = max(0, min(octet, layers.octets(of: source).count - 1))
        if let field = layers.field(at: self.octet, in: source) {
            fields.index = field
            fields.key = field
        }
    }
}
