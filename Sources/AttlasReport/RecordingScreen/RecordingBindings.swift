extension ScreenBinding {
    /// Every key of `attlas open` but those that type in the last line.
    static let recording: [ScreenBinding] = [
        ScreenBinding(
            label: "tab, shift-tab", keys: [(.tab, .nextPane), (.backTab, .previousPane)],
            help: ["the next pane, the previous pane"],
            documentation: "the next pane, the previous pane: conversation, layers, octets, GATT, plot",
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
            documentation: "as page down; on a paused screen of `attlas live`, back to what happens"),
        ScreenBinding(
            label: "control-U, control-D",
            keys: [(.character("\u{15}"), .halfPageUp), (.character("\u{4}"), .halfPageDown)],
            help: ["by half of it"], documentation: "move by half of the height of the pane"),
        ScreenBinding(
            label: "g G, home end",
            keys: [(.character("g"), .start), (.character("G"), .end), (.home, .start), (.end, .end)],
            help: ["to the beginning, to the end"], documentation: "to the beginning, to the end"),
        ScreenBinding(
            label: "← →, h l",
            keys: [
                (.left, .left), (.right, .right), (.character("h"), .left), (.character("l"), .right),
            ],
            help: ["to the side; octets: the one before, after"],
            documentation: "in the conversation, scroll to the side; in the octets, the one before, the one after",
            panes: [.conversation, .octets, .plot]),
        ScreenBinding(
            label: "enter", keys: [(.enter, .enter)],
            help: ["overview: the incident; conversation: its", "layers; elsewhere: back to the conversation"],
            documentation:
                "in the overview, go to the frame of the incident; in the conversation, go to the layers of the line; "
                + "elsewhere, back to the conversation", hint: "⏎ go"),
        ScreenBinding(
            label: "w", keys: [(.character("w"), .overview)], help: ["the overview: what broke; again: back"],
            documentation: "the overview of what broke; again: back to the conversation", hint: "w what broke"),
        ScreenBinding(
            label: "z", keys: [(.character("z"), .zoom)], help: ["this pane alone; all panes"],
            documentation: "show this pane alone; again: all panes"),
        ScreenBinding(
            label: ":", keys: [(.character(":"), .jump)],
            help: [":120 to frame 120 · :12.5s to 12.5 s from the", "first record · :14:03:22 · any action by name"],
            documentation:
                "`:120` goes to frame 120, `:12.5s` to the time 12.5 s after the first record, `:14:03:22` to that time of "
                + "the line's day, `:2026-11-21 14:03:22` to that of another day, both in the zone of the lines' times. Other "
                + "words find actions, with their keys: tab chooses one, enter performs it. `:q` quits",
            hint: ": jump"),
        ScreenBinding(
            label: "/, n N",
            keys: [(.character("/"), .search), (.character("n"), .findNext), (.character("N"), .findPrevious)],
            help: ["search in the lines; next, previous match"],
            documentation: "search in the lines, without letter case; n finds the next match, N the previous one",
            hint: "/ search"),
        ScreenBinding(
            label: "> <", keys: [(.character(">"), .nextPeer), (.character("<"), .previousPeer)],
            help: ["next, previous line of another peer"],
            documentation: "the next, the previous line that is about another peer"),
        ScreenBinding(
            label: "+ -", keys: [(.character("+"), .grow), (.character("-"), .shrink)],
            help: ["a row more, or less, for this pane"], documentation: "a row more, or less, for this pane"),
        ScreenBinding(
            label: "y", keys: [(.character("y"), .copy)],
            help: ["copy the line, the field, the octets, the value"],
            documentation:
                "copy the line, the value of the field, the octets of the field in hexadecimal, or the value of the "
                + "attribute, to the clipboard of a terminal that has OSC 52",
            panes: [.conversation, .layers, .octets, .tree, .overview]),
        ScreenBinding(
            label: "s i", keys: [(.character("s"), .sort), (.character("i"), .hideIdle)],
            help: ["sort the GATT table; hide what has no values"],
            documentation:
                "sort the GATT table: by handle, by the count of values, by the age of the last one. i hides what has no values, and "
                + "shows it again", panes: [.tree]),
        ScreenBinding(
            label: "f", keys: [(.character("f"), .filter)],
            help: ["filter the conversation: method == notification", "error · rtt > 100ms · peer == \"HRM-7\""],
            documentation:
                "show only what meets a filter, in the language of [`--filter`](filter.md), of the whole capture. A "
                + "mistake is shown with its column and can be corrected. Tab goes through what may come next. An empty filter "
                + "removes it. Arrow up: the filter, or the search, before", hint: "f filter"),
        ScreenBinding(
            label: "] [", keys: [(.character("]"), .nextTrouble), (.character("["), .previousTrouble)],
            help: ["next, previous incident, error, fault or loss"],
            documentation: "the next, the previous incident, error, fault or loss. A message names the incident",
            hint: "] incident"),
        ScreenBinding(
            label: "} {", keys: [(.character("}"), .nextFinding), (.character("{"), .previousFinding)],
            help: ["next, previous finding of lint (lines with !)"],
            documentation: "the next, the previous finding of [`lint`](lint.md)"),
        ScreenBinding(
            label: "c C", keys: [(.character("c"), .nextAlike), (.character("C"), .previousAlike)],
            help: ["next, previous line of the same characteristic"],
            documentation: "the next, the previous line of the same characteristic"),
        ScreenBinding(
            label: "%", keys: [(.character("%"), .counterpart)], help: ["from a response to its request, and back"],
            documentation: "from a response to its request, and from a request to its response"),
        ScreenBinding(
            label: "p o", keys: [(.character("p"), .plot), (.character("o"), .cover)],
            help: ["plot the values; ↓↑ another number, ← → a time,", "enter its line · o a second number over it"],
            documentation:
                "p plots the numbers in the values of this characteristic, the round trips and the throughput of its "
                + "peer over time: ↓ ↑ choose a number, ← → a time, enter goes to the line of that time. o puts a "
                + "second number over the first, and then the next one", hint: "p plot"),
        ScreenBinding(
            label: "m M", keys: [(.character("m"), .mark), (.character("M"), .note)],
            help: ["mark the line, or no more; M with a note"],
            documentation:
                "m marks the line with `*`, and again: no more. M writes a note for the mark. Marks are kept in a file "
                + "next to the capture"),
        ScreenBinding(
            label: "' \"", keys: [(.character("'"), .nextMark), (.character("\""), .previousMark)],
            help: ["next, previous mark"], documentation: "the next, the previous mark"),
        ScreenBinding(
            label: "v e", keys: [(.character("v"), .select), (.character("e"), .export)],
            help: ["e exports what is shown: name.txt .ndjson .csv", ".pcapng · v: only the lines from here on"],
            documentation:
                "v begins to select lines, and again: no more. e writes the selected lines, or all that is shown, to a file "
                + "next to the capture. The end of its name says what: `.txt`, `.ndjson` and `.csv` as `show` writes "
                + "them, `.pcapng` the records themselves"),
        ScreenBinding(
            label: ") (", keys: [(.character(")"), .nextFile), (.character("("), .previousFile)],
            help: ["next, previous file, of several"],
            documentation: "the next, the previous one of the files that were given"),
        ScreenBinding(
            label: "mouse", keys: [], help: ["selects, its wheel moves; twice: enter;", "drags the heading of a pane"],
            documentation:
                "a press selects a line, a field, an octet or an attribute, a double one is enter, the wheel moves, and the heading of a pane "
                + "is dragged to where the pane is to begin. Most "
                + "terminals select text with shift and the mouse"),
        ScreenBinding(
            label: "escape", keys: [(.escape, .release)], help: ["end the search, selection, export, plot"],
            documentation:
                "end a running search, and its marks; an export, the selection, the plot; show all panes"),
        ScreenBinding(
            label: "?", keys: [(.character("?"), .help)], help: ["these keys"], documentation: "show the keys",
            hint: "? help"),
        // The terminal's own, which come as signals.
        ScreenBinding(
            label: "control-Z", keys: [], help: ["to the shell; fg comes back"],
            documentation: "go to the shell; `fg` comes back"),
        ScreenBinding(
            label: "q, control-C", keys: [(.character("q"), .quit), (.character("Q"), .quit)],
            help: ["quit; in attlas live: resume"],
            documentation: "quit; on a paused screen of `attlas live`, q goes back to what happens", hint: "q quit"),
    ]
}
