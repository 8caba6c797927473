extension ScreenBinding {
    /// Every key of `attlas open` but those that type in the last line.
    static let recording: [ScreenBinding] = [
        ScreenBinding(
            label: "tab, shift-tab", keys: [(.tab, .nextPane), (.backTab, .previousPane)],
            help: ["the next pane, the previous pane"],
            documentation: "next, previous pane: conversation, layers, octets, GATT, plot",
            hint: "tab pane"),
        ScreenBinding(
            label: "↓ ↑, j k",
            keys: [(.down, .down), (.up, .up), (.character("j"), .down), (.character("k"), .up)],
            help: ["move in the pane"], documentation: "move in the pane", hint: "←↓↑→ move"),
        ScreenBinding(
            label: "page up, page down",
            keys: [
                (.pageUp, .pageUp), (.pageDown, .pageDown), (.character("\u{2}"), .pageUp),
                (.character("\u{6}"), .pageDown),
            ],
            help: ["by the height of the pane; also ^B ^F"],
            documentation: "move by the height of the pane; also control-B and control-F"),
        ScreenBinding(
            label: "space", keys: [(.character(" "), .pause)], help: ["as page down; in attlas live: resume"],
            documentation: "as page down; on a paused screen of `attlas live`, return"),
        ScreenBinding(
            label: "control-U, control-D",
            keys: [(.character("\u{15}"), .halfPageUp), (.character("\u{4}"), .halfPageDown)],
            help: ["by half of it"], documentation: "move by half the height of the pane"),
        ScreenBinding(
            label: "g G, home end",
            keys: [(.character("g"), .start), (.character("G"), .end), (.home, .start), (.end, .end)],
            help: ["to the beginning, to the end"], documentation: "beginning, end"),
        ScreenBinding(
            label: "← →, h l",
            keys: [
                (.left, .left), (.right, .right), (.character("h"), .left), (.character("l"), .right),
            ],
            help: ["to the side; octets: the one before, after;", "overview: scroll the text below the list"],
            documentation:
                "scroll sideways; in the octets, previous, next octet; in the overview, scroll the text below the list",
            panes: [.conversation, .octets, .plot, .overview]),
        ScreenBinding(
            label: "enter", keys: [(.enter, .enter)],
            help: ["overview: the incident; conversation: its", "layers; elsewhere: back to the conversation"],
            documentation:
                "go to the incident's frame in the overview, to the line's layers in the conversation; elsewhere, return to the "
                + "conversation", hint: "⏎ go"),
        ScreenBinding(
            label: "w", keys: [(.character("w"), .overview)], help: ["the overview: what broke; again: back"],
            documentation: "overview of what broke; again: the conversation", hint: "w what broke"),
        ScreenBinding(
            label: "z", keys: [(.character("z"), .zoom)], help: ["this pane alone; all panes"],
            documentation: "this pane alone; again: all panes"),
        ScreenBinding(
            label: ":", keys: [(.character(":"), .jump)],
            help: [":120 to frame 120 · :12.5s to 12.5 s from the", "first record · :14:03:22 · any action by name"],
            documentation:
                "`:120` goes to frame 120, `:12.5s` to 12.5 s after the first record, `:14:03:22` to a time of the line's day, "
                + "`:2026-11-21 14:03:22` to one of another day, in the time zone of the lines. Other words find actions and their "
                + "keys: tab chooses, enter runs. `:q` quits",
            hint: ": jump"),
        ScreenBinding(
            label: "/, n N",
            keys: [(.character("/"), .search), (.character("n"), .findNext), (.character("N"), .findPrevious)],
            help: ["search in the lines; next, previous match"],
            documentation: "search in the lines, ignoring case; next, previous match",
            hint: "/ search"),
        ScreenBinding(
            label: "> <", keys: [(.character(">"), .nextPeer), (.character("<"), .previousPeer)],
            help: ["next, previous line of another peer"],
            documentation: "next, previous line of another peer"),
        ScreenBinding(
            label: "+ -", keys: [(.character("+"), .grow), (.character("-"), .shrink)],
            help: ["a row more, or less, for this pane"], documentation: "make this pane taller, shorter"),
        ScreenBinding(
            label: "y", keys: [(.character("y"), .copy)],
            help: ["copy the line, the field, the octets, the value"],
            documentation:
                "copy the line, the field's value or octets (hexadecimal), or the attribute's value to the clipboard of a terminal "
                + "with OSC 52",
            panes: [.conversation, .layers, .octets, .tree, .overview]),
        ScreenBinding(
            label: "s i", keys: [(.character("s"), .sort), (.character("i"), .hideIdle)],
            help: ["sort the GATT table; hide what has no values"],
            documentation:
                "sort the GATT table by handle, number of values, or age of the last; hide or show attributes without values",
            panes: [.tree]),
        ScreenBinding(
            label: "f", keys: [(.character("f"), .filter)],
            help: ["filter the conversation: method == notification", "error · rtt > 100ms · peer == \"HRM-7\""],
            documentation:
                "filter the whole capture by an [expression](filter.md). A mistake is shown with its column; tab completes, arrow "
                + "up recalls the previous filter or search, an empty filter removes it", hint: "f filter"),
        ScreenBinding(
            label: "] [", keys: [(.character("]"), .nextTrouble), (.character("["), .previousTrouble)],
            help: ["next, previous incident, error, fault or loss"],
            documentation: "next, previous incident, error, fault or loss. A message names the incident",
            hint: "] incident"),
        ScreenBinding(
            label: "} {", keys: [(.character("}"), .nextFinding), (.character("{"), .previousFinding)],
            help: ["next, previous finding of lint (lines with !)"],
            documentation: "next, previous finding of [`lint`](lint.md)"),
        ScreenBinding(
            label: "c C", keys: [(.character("c"), .nextAlike), (.character("C"), .previousAlike)],
            help: ["next, previous line of the same characteristic"],
            documentation: "next, previous line of the same characteristic"),
        ScreenBinding(
            label: "%", keys: [(.character("%"), .counterpart)], help: ["from a response to its request, and back"],
            documentation: "from a response to its request, and back"),
        ScreenBinding(
            label: "p o", keys: [(.character("p"), .plot), (.character("o"), .cover)],
            help: ["plot the values; ↓↑ another number, ← → a time,", "enter its line · o a second number over it"],
            documentation:
                "p plots this characteristic's numbers, and its peer's round trips and throughput: ↓ ↑ choose a number, ← → a "
                + "time, enter goes to its line. o adds a second number, and then the next", hint: "p plot"),
        ScreenBinding(
            label: "b", keys: [(.character("b"), .values)], help: ["all values of this characteristic, by octet"],
            documentation:
                "all values of this characteristic: distinct ones, and the range, entropy and frequency of each octet, as "
                + "[`attlas values`](commands.md#values) prints them. With a selection, in their order, with ·· for octets that are as in "
                + "the value of its first line"),
        ScreenBinding(
            label: "m M", keys: [(.character("m"), .mark), (.character("M"), .note)],
            help: ["mark the line, or no more; M with a note"],
            documentation:
                "m marks the line with `*`, or removes the mark. M adds a note. Marks are kept in a file next to the capture"
        ),
        ScreenBinding(
            label: "' \"", keys: [(.character("'"), .nextMark), (.character("\""), .previousMark)],
            help: ["next, previous mark"], documentation: "next, previous mark"),
        ScreenBinding(
            label: "v e", keys: [(.character("v"), .select), (.character("e"), .export)],
            help: ["e exports what is shown: name.txt .ndjson .csv", ".pcapng · v: only the lines from here on"],
            documentation:
                "v starts or ends a selection of lines. e writes the selection, or all shown lines, to a file next to the capture: "
                + "`.txt`, `.ndjson` and `.csv` as `show` writes them, `.pcapng` the records"),
        ScreenBinding(
            label: ") (", keys: [(.character(")"), .nextFile), (.character("("), .previousFile)],
            help: ["next, previous file, of several"],
            documentation: "next, previous file"),
        ScreenBinding(
            label: "mouse", keys: [], help: ["selects, its wheel moves; twice: enter;", "drags the heading of a pane"],
            documentation:
                "click to select, double-click for enter, scroll with the wheel, drag a pane's heading to resize. Most terminals "
                + "select text with shift and the mouse"),
        ScreenBinding(
            label: "escape", keys: [(.escape, .release)], help: ["end the search, selection, export, plot"],
            documentation:
                "end the search and its marks, the export, the selection, the plot; show all panes"),
        ScreenBinding(
            label: "?", keys: [(.character("?"), .help)], help: ["these keys"], documentation: "show the keys",
            hint: "? help"),
        // The terminal's own, which come as signals.
        ScreenBinding(
            label: "control-Z", keys: [], help: ["to the shell; fg comes back"],
            documentation: "go to the shell; `fg` returns"),
        ScreenBinding(
            label: "q, control-C", keys: [(.character("q"), .quit), (.character("Q"), .quit)],
            help: ["quit; in attlas live: resume"],
            documentation: "quit; on a paused screen of `attlas live`, q returns", hint: "q quit"),
    ]
}
