import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// The user's view: the pane, the row and the part of the log.
package struct ScreenView {
    enum Pane: Int, CaseIterable {
        case peers, tree, log
    }

    /// A row that was chosen, and stays chosen where it goes; before that, the first.
    struct Cursor<Key: Equatable> {
        var index = 0
        var key: Key?
        /// The first row that is shown.
        var top = 0

        mutating func move(by rows: Int) {
            index = max(0, index + rows)
            key = nil
        }

        /// Finds its row again among those of now.
        mutating func settle(_ keys: [Key], height: Int, isPinned: Bool) {
            if let key, let found = keys.firstIndex(of: key) { index = found }
            index = max(0, min(index, keys.count.room(without: 1)))
            key = isPinned && index < keys.count ? keys[index] : nil
            if index < top { top = index }
            if index >= top + height { top = index - height + 1 }
            top = max(0, min(top, keys.count.room(without: height)))
        }
    }

    /// The text that is being typed in the last line.
    struct Prompt {
        enum Kind {
            case search, filter, note

            var label: StaticString {
                switch self {
                case .search: "/"
                case .filter: "filter: "
                case .note: "what you did: "
                }
            }
        }

        let kind: Kind
        var text: String
        /// The mistake in it.
        var mistake: String?
    }

    /// Whose table it is: a peer's as it is met on one controller, or the host's own.
    struct TableSelection: Equatable {
        let owner: TableOwner
        let controller: UInt16
        /// nil for the host's own.
        let transport: Connection.Transport?
    }

    /// More rows than there are.
    private static let far = Int(Int32.max)

    let isASCII: Bool
    /// The scope of the log besides the filter.
    let scope: String?
    var pane = Pane.peers
    var tables = Cursor<TableSelection>()
    /// Whether the user has chosen among the peers; before that it is the one that connected last.
    var hasChosen = false
    var tree = TreePane()
    /// Columns of the log's lines that are left out.
    var logLeft = 0
    /// The one attribute that the log is about.
    var followed: AttributePlace?
    var followedName = ""
    var prompt: Prompt?
    var search = ""
    private(set) var filter: String
    /// The first line of the help that is shown; nil: none.
    var help: Int?
    var message: (text: String, style: TextStyle)?
    /// Heights of the panes, in rows of content, when they were laid out last.
    var heights: [Pane: Int] = [:]
    /// The rows of the first pane.
    var tableRows: [TableSelection] = []

    /// - Parameter filter: the expression that the log began with.
    /// - Parameter scope: further limits of the log, as they are written on a command line.
    package init(isASCII: Bool, filter: String = "", scope: String? = nil) {
        self.isASCII = isASCII
        self.scope = scope
        self.filter = filter
    }

    /// Says something in the last line, until a key is pressed.
    package mutating func say(_ text: String, isBad: Bool = false) {
        message = (text, isBad ? .bad : .name)
    }

    /// A requested filter is in force.
    package mutating func accept(filter: String) {
        self.filter = filter
        prompt = nil
    }

    /// The filter that was typed is a mistake: it can be put right.
    package mutating func refuse(filter: String, _ mistake: String) {
        prompt = Prompt(kind: .filter, text: filter, mistake: mistake)
    }

    // MARK: Keys

    package mutating func handle(_ key: ScreenKey, in trace: borrowing Trace) -> ScreenAction {
        if prompt != nil { return type(key, in: trace) }
        message = nil
        if let help {
            self.help = key.scrolled(help: help)
            return .none
        }
        guard let command = ScreenBinding.command(of: key) else {
            say("this key does nothing here; ? shows the keys", isBad: true)
            return .none
        }
        // The log only follows.
        if pane == .log, Self.looksBack.contains(command) { return .look(key == .enter ? nil : key) }
        return perform(command, in: trace)
    }

    private static let looksBack: [ScreenCommand] = [
        .up, .pageUp, .start, .enter, .search, .findNext, .findPrevious,
    ]

    private mutating func perform(_ command: ScreenCommand, in trace: borrowing Trace) -> ScreenAction {
        switch command {
        case .quit: return .quit
        case .help: help = 0
        case .search: prompt = Prompt(kind: .search, text: "")
        case .filter: prompt = Prompt(kind: .filter, text: filter)
        case .mark:
            prompt = Prompt(kind: .note, text: "")
            return .marking
        case .pause: return .look(nil)
        case .findNext: find(isForward: true, in: trace)
        case .findPrevious: find(isForward: false, in: trace)
        case .nextPane: pane = Pane(rawValue: (pane.rawValue + 1) % Pane.allCases.count) ?? .peers
        case .previousPane: pane = Pane(rawValue: (pane.rawValue + 2) % Pane.allCases.count) ?? .peers
        case .enter: return enter()
        case .release:
            followed = nil
            search = ""
            return .follow
        case .up: move(by: -1)
        case .down: move(by: 1)
        case .pageUp: move(by: -max(1, heights[pane] ?? 1))
        case .pageDown: move(by: max(1, heights[pane] ?? 1))
        case .start: move(by: -Self.far)
        case .end: move(by: Self.far)
        case .left: moveAside(by: -1)
        case .right: moveAside(by: 1)
        // Keys of a recording.
        default: break
        }
        return .none
    }

    private mutating func move(by rows: Int) {
        switch pane {
        case .peers: choose(by: rows)
        case .tree: tree.rows.move(by: rows)
        case .log: break
        }
    }

    /// In the log to the side; elsewhere to another peer.
    private mutating func moveAside(by steps: Int) {
        if pane == .log { logLeft = max(0, logLeft + 8 * steps) } else { choose(by: steps) }
    }

    private mutating func choose(by rows: Int) {
        tables.move(by: rows)
        hasChosen = true
    }

    private mutating func enter() -> ScreenAction {
        switch pane {
        case .peers: pane = .tree
        case .log: break
        case .tree:
            guard let (place, name) = tree.selected else { return .none }
            if followed == place {
                followed = nil
            } else {
                followed = place
                followedName = name
            }
            return .follow
        }
        return .none
    }

    /// The filter, and the attribute that the log follows, as one expression.
    package func expression(in trace: borrowing Trace) -> String {
        guard let followed else { return filter }
        var terms = filter.isEmpty ? [] : ["(\(filter))"]
        var handle = TextBuffer()
        handle.append("\(hex: followed.handle)")
        terms.append("handle == \(handle.text)")
        switch followed.owner {
        case .local: terms.append("server == local")
        case .peer(let index):
            terms.append("server == peer")
            if let address = trace.peerAddress(index) { terms.append("peer == \(address)") }
        }
        return terms.joined(separator: " and ")
    }

    // MARK: Typing

    private mutating func type(_ key: ScreenKey, in trace: borrowing Trace) -> ScreenAction {
        guard var typed = prompt else { return .none }
        typed.mistake = nil
        switch key {
        case .escape:
            prompt = nil
            return .none
        case .enter:
            prompt = nil
            switch typed.kind {
            case .filter: return .filter(typed.text)
            case .note: return .mark(typed.text)
            case .search:
                search = typed.text
                find(isForward: true, in: trace)
                return .none
            }
        default: typed.text.type(key)
        }
        prompt = typed
        return .none
    }

    // MARK: Searching

    /// The next row with the text.
    private mutating func find(isForward: Bool, in trace: borrowing Trace) {
        guard !search.isEmpty else { return }
        let wanted = FoldedText(search)
        func isFound(_ text: String) -> Bool { FoldedText(text).contains(wanted) }
        switch pane {
        case .log: return
        case .tree:
            let names = tree.shown.map(\.name)
            if let index = Self.next(names, after: tree.rows.index, isForward: isForward, isFound) {
                tree.rows.move(by: index - tree.rows.index)
                return
            }
        case .peers:
            let names = tableRows.map { title(of: $0, in: trace) }
            if let index = Self.next(names, after: tables.index, isForward: isForward, isFound) {
                return choose(by: index - tables.index)
            }
        }
        say("not found: \(search)", isBad: true)
    }

    /// Round and round.
    private static func next(
        _ texts: [String], after index: Int, isForward: Bool, _ isFound: (String) -> Bool
    ) -> Int? {
        guard !texts.isEmpty else { return nil }
        for step in 1...texts.count {
            let place = (index + (isForward ? step : texts.count - step)) % texts.count
            if isFound(texts[place]) { return place }
        }
        return nil
    }
}
