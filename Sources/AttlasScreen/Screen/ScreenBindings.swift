/// The action of a key on the full screen, by its name in the list of actions.
enum ScreenCommand: String, Sendable {
    case nextPane = "next pane"
    case previousPane = "previous pane"
    case up = "up"
    case down = "down"
    case pageUp = "page up"
    case pageDown = "page down"
    case start = "beginning"
    case end = "end"
    case left = "left"
    case right = "right"
    case pause = "pause"
    case enter = "enter"
    case release = "escape"
    case search = "search"
    case findNext = "next match"
    case findPrevious = "previous match"
    case filter = "filter"
    case help = "keys of this pane"
    case quit = "quit"
    // Only in a recording.
    case halfPageUp = "half a page up"
    case halfPageDown = "half a page down"
    case jump = "jump to a frame, a time, an action"
    case overview = "what broke"
    case nextTrouble = "next error or incident"
    case previousTrouble = "previous error or incident"
    case nextAlike = "next line of this characteristic"
    case previousAlike = "previous line of this characteristic"
    case nextFinding = "next finding"
    case previousFinding = "previous finding"
    case nextPeer = "next line of another peer"
    case previousPeer = "previous line of another peer"
    case counterpart = "request, or response"
    case zoom = "this pane alone"
    case grow = "larger pane"
    case shrink = "smaller pane"
    case sort = "sort the table"
    case hideIdle = "hide what has no values"
    case plot = "plot the values"
    case cover = "plot a second number"
    case values = "octets of all values"
    case mark = "mark"
    case note = "note"
    case nextMark = "next mark"
    case previousMark = "previous mark"
    case select = "select lines"
    case export = "export"
    case copy = "copy"
    case nextFile = "next file"
    case previousFile = "previous file"
}

/// A part of the screen of a recording.
enum RecordingPane: Int, CaseIterable, Sendable {
    case conversation, layers, octets, tree, plot, values, overview

    var name: String {
        switch self {
        case .overview: "the overview"
        case .conversation: "the conversation"
        case .layers: "the layers"
        case .octets: "the octets"
        case .tree: "the GATT table"
        case .plot: "the plot"
        case .values: "the values"
        }
    }
}

/// Keys that belong together: a row of the help, and of the table in Documentation/live.md.
///
/// To add a key: a row in `all` (live) or `recording` (open), in Documentation/live.md or open.md, and in
/// `LiveScreenTests` or `OpenScreenTests`, which type it in tmux.
///
/// To add a part of a screen: bounded data in `ScreenModel` and its drawing in `ScreenView+….swift`, or in
/// `Recording` and `RecordingView+….swift`, tested without a terminal. A pane that both screens have is one type, as
/// `TreePane`. The screen of a recording uses no threads: the index continues between two keys.
struct ScreenBinding: Sendable {
    /// As a person reads them.
    let label: String
    let keys: [(key: ScreenKey, command: ScreenCommand)]
    /// One line of the help, or several.
    let help: [String]
    /// A row of the documentation.
    let documentation: String
    /// In the last line of the screen.
    var hint: String?
    /// Where it does something; empty: everywhere.
    var panes: [RecordingPane] = []

    /// Every key of the full screen but those that type a search or a filter.
    static let all: [ScreenBinding] = [
        ScreenBinding(
            label: "tab, shift-tab", keys: [(.tab, .nextPane), (.backTab, .previousPane)],
            help: ["the next pane, the previous pane"], documentation: "next, previous pane",
            hint: "tab pane"),
        ScreenBinding(
            label: "↓ ↑, j k",
            keys: [
                (.down, .down), (.up, .up), (.character("j"), .down), (.character("k"), .up),
            ],
            help: ["move in the pane; log: look back"],
            documentation: "move in the pane; in the log, up looks back",
            hint: "←↓↑→ move"),
        ScreenBinding(
            label: "page up, page down", keys: [(.pageUp, .pageUp), (.pageDown, .pageDown)],
            help: ["move by the height of the pane"],
            documentation: "move by the height of the pane"),
        ScreenBinding(
            label: "g G, home end",
            keys: [
                (.character("g"), .start), (.character("G"), .end), (.home, .start), (.end, .end),
            ],
            help: ["to the beginning, to the end"], documentation: "beginning, end"),
        ScreenBinding(
            label: "← →, h l",
            keys: [
                (.left, .left), (.right, .right), (.character("h"), .left), (.character("l"), .right),
            ],
            help: ["the previous, the next peer; log: to the side"],
            documentation: "previous, next peer; in the log, scroll sideways"),
        ScreenBinding(
            label: "space", keys: [(.character(" "), .pause)], help: ["look into what came; more comes meanwhile"],
            documentation:
                "browse the packets so far (below); again: return. Decoding never pauses, and nothing is lost",
            hint: "space look"),
        ScreenBinding(
            label: "enter", keys: [(.enter, .enter)],
            help: ["peers: its tree · tree: log only this", "attribute · log: as space"],
            documentation:
                "on a peer, go to its tree; on a characteristic, show only it in the log, from the beginning; again, or "
                + "escape: all. In the log as space", hint: "⏎ follow"),
        ScreenBinding(
            label: "escape", keys: [(.escape, .release)], help: ["log every attribute; end the search"],
            documentation: "stop following an attribute, end the search"),
        ScreenBinding(
            label: "/, n N",
            keys: [(.character("/"), .search), (.character("n"), .findNext), (.character("N"), .findPrevious)],
            help: ["search in the pane; next, previous match"],
            documentation:
                "search in the pane, ignoring case (in the log, look back); next, previous match",
            hint: "/ search"),
        ScreenBinding(
            label: "f", keys: [(.character("f"), .filter)],
            help: ["filter the log: method == notification", "error · rtt > 100ms · peer == \"HRM-7\""],
            documentation:
                "filter new lines of the log by an [expression](filter.md). A mistake is shown with its column; an empty "
                + "filter removes it", hint: "f filter"),
        ScreenBinding(
            label: "m", keys: [(.character("m"), .mark)], help: ["mark this moment, with a note of what you did"],
            documentation:
                "mark the moment of this key, and note what you did. Marks are kept in a file next to the recording (`--write`), "
                + "for `attlas open` and [`attlas infer --marks`](your-own-device.md)"),
        ScreenBinding(
            label: "?", keys: [(.character("?"), .help)], help: ["these keys"], documentation: "show the keys",
            hint: "? help"),
        // The terminal's own, which come as signals.
        ScreenBinding(
            label: "control-Z", keys: [], help: ["to the shell; fg comes back"],
            documentation: "go to the shell; `fg` returns"),
        ScreenBinding(
            label: "q, control-C", keys: [(.character("q"), .quit), (.character("Q"), .quit)],
            help: ["quit, with a summary"],
            documentation: "quit, and print the summary of `show`", hint: "q quit"),
    ]

    /// The last line of the screen, as far as it has room: the keys that leave it come first.
    static func hints(_ bindings: [ScreenBinding], columns: Int) -> String {
        var text = ""
        for hint in (bindings.suffix(3).reversed() + bindings.dropLast(3)).compactMap(\.hint) {
            let longer = text.isEmpty ? hint : "\(text)  \(hint)"
            guard longer.count <= columns else { break }
            text = longer
        }
        return text
    }

    static func command(of key: ScreenKey, in bindings: [ScreenBinding] = all) -> ScreenCommand? {
        for binding in bindings {
            for (bound, command) in binding.keys where bound == key { return command }
        }
        return nil
    }

    /// The actions whose names have these words, with their keys.
    static func actions(_ words: String, in bindings: [ScreenBinding]) -> [(command: ScreenCommand, keys: String)] {
        let words = words.lowercased().split(separator: " ")
        var actions: [(command: ScreenCommand, keys: String)] = []
        for (key, command) in bindings.flatMap(\.keys) where words.allSatisfy({ command.rawValue.contains($0) }) {
            if let known = actions.firstIndex(where: { $0.command == command }) {
                actions[known].keys += " \(key.name)"
            } else {
                actions.append((command, key.name))
            }
        }
        // Those that are called so first.
        let phrase = words.joined(separator: " ")
        return actions.filter { $0.command.rawValue.contains(phrase) }
            + actions.filter { !$0.command.rawValue.contains(phrase) }
    }
}
