import AttlasTestSupport
import Testing

@testable import AttlasScreen
@testable import AttlasText

/// What is on the screen of a recording, at every size. The values are those that Captures/heart-rate.md tells.
@Suite struct RecordingViewTests {
    // MARK: Sizes

    @Test func aSmallScreenFoldsThePanesThatAreNotLookedAt() throws {
        let screen = try PlayedRecording("heart-rate.btsnoop", 60, 16)
        var rows = screen.rows
        #expect(rows[0].hasPrefix(" attlas open · "))
        #expect(rows[1].hasPrefix("─ Conversation · line 1 of 99 ─"))
        #expect(rows[2].hasPrefix("›     0.308506  ⇄ HRM-7"))
        #expect(rows.row(" Layers of frame 41 ") != nil)
        #expect(rows.row(" GATT of ") == nil)
        #expect(rows[15].hasPrefix("q quit  ? help"))
        screen.press(.backTab)
        rows = screen.rows
        #expect(rows.row(" GATT of ") != nil)
        #expect(rows.row(" Layers of frame 41 ") == nil)
        #expect(rows.allSatisfy { $0.count <= 60 })
    }

    @Test(arguments: [(60, 16), (80, 23), (120, 40), (200, 60), (40, 8), (300, 9)])
    func everyPaneCanBeLookedAtOnEveryScreen(columns: Int, rows: Int) throws {
        let screen = try PlayedRecording("heart-rate.btsnoop", columns, rows)
        for title in [" Conversation ", " Layers ", " Octets ", " GATT "] {
            #expect(screen.rows.row(title) != nil, "\(title): \(screen.rows)")
            screen.press(.character("z"))
            #expect(screen.rows.row(title) != nil)
            screen.press(.character("z"), .tab)
        }
        expect(screen.view.pane, equals: .conversation)
    }

    @Test func aLargeScreenHasAllPanesWithTheValuesOfThen() throws {
        let screen = try PlayedRecording("heart-rate.btsnoop", 200, 60)
        #expect(screen.rows.row("nothing discovered and nothing accessed") != nil)
        screen.press(.character("G"))
        let rows = screen.rows
        #expect(rows.row("›     177     9.453062  ✗ HRM-7") != nil)
        let name = try #require(rows.row("  Device Name "))
        #expect(name.contains("\"HRM-7\""))
        #expect(rows.last { $0.contains("  Heart Rate Measurement ") }?.contains("72 bpm · contact") == true)
        // Before the first measurement.
        screen.press(.character(":"))
        screen.type("136")
        screen.press(.enter)
        #expect(screen.line.contains("Error"))
        #expect(screen.rows.row("0x001") != nil)
        #expect(screen.rows.last { $0.contains("  Heart Rate Measurement ") }?.contains("bpm") == false)
    }

    /// The lines since the last checkpoint are read again: for a moment there are none.
    @Test func theLineStaysWhenTheFileGrows() throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let octets = try Repository.packets(of: "heart-rate.btsnoop").btsnoop
        let path = try folder.write(octets.prefix(octets.count / 2), to: "log")
        let screen = try PlayedRecording(path)
        screen.press(.character("v"), .down, .down, .down, .down)
        let (line, count, number) = (screen.line, screen.recording.lineCount, screen.view.selected)
        try folder.write(octets, to: "log")
        #expect(screen.recording.follow())
        screen.view.layOut(screen.recording, screen.size)
        #expect(screen.rows[1].contains("line \(number + 1) of "))
        #expect(screen.line == line && screen.recording.lineCount > count && screen.view.anchor == 0)
    }

    @Test func aScreenThatIsTooSmallSaysSo() throws {
        let screen = try PlayedRecording("heart-rate.btsnoop", 20, 3)
        expect(screen.rows, equals: ["too small: 20 x 3", "attlas needs 40 x 8", "q quits"])
        expect(screen.press(.character("q")), equals: .quit)
        screen.resize(120, 40)
        #expect(screen.rows.row(" Conversation ") != nil)
    }

    /// Numbers in the last values have a curve, for which a narrow screen has no room.
    @Test(arguments: [(40, 8), (40, 11), (48, 11), (54, 14), (61, 16), (69, 16), (70, 23)])
    func aNarrowScreenHasTheTableWithoutItsCurves(columns: Int, rows: Int) throws {
        let screen = try PlayedRecording("heart-rate.btsnoop", columns, rows)
        screen.press(.end, .character("s"), .character("s"), .character(":"))
        screen.type("8.5s")
        screen.press(.enter, .character("z"))
        let rows = screen.rows
        let row = try #require(rows.row("0x0010"))
        #expect(row.contains("Heart") && row.count <= columns)
        expect(rows.row(" GATT by ")?.contains("Curve"), equals: columns >= 70)
    }

    // MARK: Keys

    @Test func theCursorMovesAndStaysInSight() throws {
        let screen = try PlayedRecording("heart-rate.btsnoop", 80, 23)
        screen.press(.character("G"))
        #expect(screen.line.contains("177     9.453062"))
        screen.press(.character("k"), .up, .character("j"))
        expect(screen.view.selected, equals: 97)
        screen.press(.home, .down, .character("\u{4}"), .character("\u{15}"), .pageDown, .pageUp)
        expect(screen.view.selected, equals: 1)
        for _ in 0..<30 { screen.press(.down) }
        #expect(screen.rows.row("›") != nil)
        expect(screen.view.selected, equals: 31)
        screen.resize(200, 60)
        #expect(screen.rows.row("›   ") != nil)
        expect(screen.view.selected, equals: 31)
        screen.press(.character("l"), .left, .character("x"))
        #expect(screen.rows.last?.hasPrefix("this key does nothing here") == true)
        screen.press(.character("?"))
        #expect(screen.rows.row("from a response to its request") != nil)
        screen.press(.character("x"))
        #expect(screen.rows.row("from a response to its request") == nil)
    }

    @Test func framesAndTimesAreJumpedTo() throws {
        let screen = try PlayedRecording("heart-rate.btsnoop", 80, 23)
        func go(_ text: String) {
            screen.press(.character(":"))
            screen.type(text)
            screen.press(.enter)
        }
        go("57")
        #expect(screen.line.contains(" 57     0.631956"))
        // No line is of this frame: the first one after it.
        go("50")
        #expect(screen.line.contains(" 51     0.513846"))
        go("2.05s")
        #expect(screen.line.contains("     2.07"))
        go("100000")
        #expect(screen.line.contains("177     9.453062"))
        go("0s")
        #expect(screen.line.contains(" 41     0.308506"))
        go("soon")
        expect(screen.rows.last, equals: "soon is no frame (120), no time (12.5s, 14:03:22) and no action")
        screen.press(.character(":"), .character("q"))
        expect(screen.press(.enter), equals: .quit)
    }

    @Test func errorsRequestsAndEqualCharacteristicsAreJumpedTo() throws {
        let screen = try PlayedRecording("heart-rate.btsnoop", 120, 40)
        screen.press(.character("]"))
        #expect(screen.line.contains("136     2.191627"))
        #expect(screen.line.contains("Error"))
        screen.press(.character("%"))
        #expect(screen.line.contains("System ID"))
        #expect(!screen.line.contains("Error"))
        screen.press(.character("%"))
        #expect(screen.line.contains("136     2.191627"))
        screen.press(.character("C"))
        #expect(!screen.line.contains("Error"))
        screen.press(.character("]"), .character("]"), .character("]"))
        #expect(screen.rows.last?.hasPrefix("No later errors or incidents") == true)
        screen.press(.character("["))
        #expect(screen.line.contains("136     2.191627"))
        screen.press(.character("["))
        #expect(screen.line.contains("136     2.191627"))
        #expect(screen.rows.last?.hasPrefix("No earlier errors or incidents") == true)
        screen.press(.character("g"), .character("c"))
        #expect(screen.rows.last?.hasPrefix("this line is about no characteristic") == true)
        screen.press(.character("%"))
        #expect(screen.rows.last?.hasPrefix("not found: an answer to frame 41") == true)
    }

    @Test func findingsAreMarkedExplainedAndJumpedTo() throws {
        let path = Repository.capture("many-sensors.btsnoop")
        let screen = try PlayedRecording(path, columns: 120, rows: 60)
        let frames = screen.recording.findingFrames
        let first = try #require(frames.first)
        if screen.frame != first { screen.press(.character("}")) }
        expect(screen.frame, equals: first)
        let finding = try #require(screen.recording.findings[first]?.first)
        #expect(screen.layers.contains("\(finding.rule.id): \(finding.rule.title)"))
        #expect(screen.layers.contains { $0.hasPrefix("  why: ") })
        #expect(screen.layers.contains { $0.hasPrefix("  do: ") })
        #expect(screen.rows.row("›!") != nil)
        for frame in frames.dropFirst() {
            screen.press(.character("}"))
            expect(screen.frame, equals: frame)
        }
        screen.press(.character("}"))
        #expect(screen.rows.last?.hasPrefix("No later findings") == true)
    }

    @Test func theMouseSelectsAndScrolls() throws {
        let screen = try PlayedRecording("heart-rate.btsnoop", 120, 40)
        screen.press(.click(row: 4, column: 30, isDouble: false))
        expect(screen.view.selected, equals: 2)
        screen.press(.wheel(row: 5, column: 3, isUp: false), .wheel(row: 5, column: 3, isUp: true))
        expect(screen.view.selected, equals: 2)
        screen.press(.click(row: 4, column: 30, isDouble: true))
        expect(screen.view.pane, equals: .layers)
        // 0000  40 20 07 00 03 00 04 00: the fifth octet, and the same next to it as text.
        let octets = try #require(screen.view.areas[.octets])
        screen.press(.click(row: octets.heading + 1, column: octets.columns.lowerBound + 6 + 12, isDouble: false))
        expect(screen.view.octet, equals: 4)
        #expect(screen.rows.row("›  PDU Length  3") != nil)
        screen.press(.click(row: octets.heading + 1, column: octets.columns.lowerBound + 6 + 24 + 6, isDouble: false))
        expect(screen.view.octet, equals: 6)
        #expect(screen.rows.row("›  Channel ID  0x0004") != nil)
        screen.press(.click(row: 0, column: 0, isDouble: false), .click(row: 39, column: 119, isDouble: true))
        expect(screen.view.octet, equals: 6)
        screen.press(.click(row: 1, column: 9, isDouble: false))
        expect(screen.view.pane, equals: .conversation)
    }

    @Test func aSearchGoesThroughAllLines() throws {
        let screen = try PlayedRecording("heart-rate.btsnoop", 80, 23)
        screen.press(.character("n"))
        #expect(screen.rows.last?.hasPrefix("nothing was searched for") == true)
        screen.press(.character("/"))
        screen.type("RESET energy")
        #expect(screen.rows.last?.hasPrefix("/RESET energy") == true)
        screen.press(.enter)
        #expect(screen.line.contains("Reset Energy Expended"))
        let first = screen.view.selected
        screen.press(.character("n"))
        #expect(screen.view.selected > first)
        screen.press(.character("n"))
        expect(screen.view.selected, equals: first)
        expect(screen.rows.last, equals: "found from the beginning on")
        screen.press(.character("N"))
        #expect(screen.view.selected > first)
        expect(screen.rows.last, equals: "found from the end on")
        screen.press(.character("/"))
        screen.type("no such text")
        screen.press(.enter)
        expect(screen.rows.last, equals: "not found: no such text")
        screen.press(.character("/"))
        screen.type("RESET energy")
        screen.press(.enter)
        screen.press(.character("/"), .up)
        #expect(screen.rows.last?.hasPrefix("/RESET energy") == true)
        screen.press(.down)
        #expect(screen.rows.last?.hasPrefix("/RESET") == false)
        screen.press(.escape, .escape)
        #expect(screen.view.search.isEmpty)
    }

    @Test func aFilterKeepsThePlace() throws {
        let screen = try PlayedRecording("heart-rate.btsnoop", 120, 40)
        screen.press(.character("G"), .character("f"))
        screen.type("method == notification")
        expect(screen.press(.enter), equals: .filter("method == notification"))
        try screen.recording.find("method == notification")
        screen.view.follow(filterOf: screen.recording)
        #expect(screen.rows[1].contains("line 25 of 25 · filter method == notification"))
        screen.press(.character("g"))
        #expect(screen.line.contains("Notification"))
        let frame = screen.view.moment?.line.frame
        screen.recording.find(nil, "")
        screen.view.follow(filterOf: screen.recording)
        _ = screen.rows
        expect(screen.view.moment?.line.frame, equals: frame)
        screen.view.refuse(filter: "metod", "column 1: there is no name \"metod\"")
        #expect(screen.rows[38].hasPrefix("column 1: there is no name \"metod\""))
        #expect(screen.rows[39].hasPrefix("filter: metod"))
    }

    @Test func aFilterWithoutALineSaysSo() throws {
        let screen = try PlayedRecording("heart-rate.btsnoop", 120, 40)
        _ = screen.rows
        let count = screen.recording.lineCount
        try screen.recording.find("rtt > 9s")
        screen.view.follow(filterOf: screen.recording)
        #expect(
            screen.rows[2].hasSuffix(
                "No line matches the filter. Without it: \(count) lines. f and an empty filter remove it."))
    }

    @Test func fieldsAndOctetsFindEachOther() throws {
        let screen = try PlayedRecording("heart-rate.btsnoop", 120, 40)
        screen.press(.character("]"), .enter)
        // 40 20 09 00 · 05 00 04 00 · 01 0a 24 00 05
        #expect(screen.rows.row("›Attribute Protocol  Error Response") != nil)
        screen.press(.end, .up)
        #expect(screen.rows.row("›  Error Code  Insufficient Authentication (0x05)") != nil)
        expect(screen.view.octet, equals: 12)
        screen.press(.tab, .left, .left)
        expect(screen.view.octet, equals: 10)
        #expect(screen.rows.row("›  Attribute Handle In Error  0x0024") != nil)
        screen.press(.up)
        expect(screen.view.octet, equals: 2)
        #expect(screen.rows.row("›  Data Total Length  9") != nil)
        screen.press(.enter)
        expect(screen.view.pane, equals: .conversation)
    }

    @Test func linesAreMarkedWithNotesAndJumpedTo() throws {
        let screen = try PlayedRecording("heart-rate.btsnoop", 120, 40)
        screen.press(.character("]"))
        expect(screen.press(.character("m")), equals: .marked)
        #expect(screen.rows[1].contains("line 63 of 99 · marked ─"))
        screen.press(.character("G"), .character("M"))
        screen.type("the end")
        expect(screen.press(.enter), equals: .marked)
        #expect(screen.rows[1].contains("line 99 of 99 · marked: the end ─"))
        screen.press(.up)
        #expect(screen.rows.row("*     177     9.453062") != nil)
        screen.press(.character("\""))
        expect(screen.frame, equals: 136)
        screen.press(.character("'"))
        expect(screen.frame, equals: 177)
        screen.press(.character("'"))
        #expect(screen.rows.last?.hasPrefix("No later marks") == true)
        screen.press(.character("M"), .character("\u{15}"))
        screen.type("\u{9B}2J")
        screen.press(.enter)
        for row in screen.rows { #expect(row.unicodeScalars.allSatisfy { !$0.steersDisplay }) }
        expect(screen.press(.character("m")), equals: .marked)
        expect(screen.view.marks.frames, equals: [136])
    }

    @Test func linesAreSelectedAndExported() throws {
        let screen = try PlayedRecording("heart-rate.btsnoop", 120, 40)
        screen.press(.character("e"))
        screen.type("a.txt")
        expect(screen.press(.enter), equals: .export(name: "a.txt", format: .text, frames: nil))
        screen.press(.character("]"), .character("v"), .up, .up, .up)
        #expect(screen.rows.row("│     136     2.191627") != nil)
        screen.press(.character("e"))
        for (name, mistake) in [("a.doc", ".txt .ndjson .csv .pcapng"), ("../a.txt", "a name without a folder")] {
            screen.press(.character("\u{15}"))
            screen.type(name)
            expect(screen.press(.enter), equals: .none)
            #expect(screen.rows[38].contains(mistake))
        }
        screen.press(.character("\u{15}"))
        screen.type("a.pcapng")
        expect(screen.press(.enter), equals: .export(name: "a.pcapng", format: .records, frames: 131...136))
        #expect(screen.rows.row("│     136") == nil)
        screen.view.exportProgress = 0.5
        #expect(screen.rows.last?.hasSuffix("exporting 50 %") == true)
        expect(screen.press(.escape), equals: .endExport)
    }

    @Test func helpNamesTheKeysOfThePaneAndEachKeyDoesOneThing() throws {
        let screen = try PlayedRecording("heart-rate.btsnoop", 120, 70)
        for pane in RecordingPane.allCases where pane != .plot && pane != .values {
            if pane == .overview { screen.press(.character("w")) }
            screen.press(.character("?"))
            let help = screen.rows
            #expect(help.row("── Keys of \(pane.name) ──") != nil)
            for binding in ScreenBinding.recording {
                let isThere = binding.panes.isEmpty || binding.panes.contains(pane)
                expect(help.row("│  \(binding.label) ") != nil, equals: isThere, "\(binding.label)")
                if isThere { for line in binding.help { #expect(help.row(line) != nil) } }
            }
            screen.press(.escape, .tab)
        }
        let keys = ScreenBinding.recording.flatMap(\.keys).map(\.key)
        for (index, key) in keys.enumerated() { #expect(!keys[..<index].contains(key)) }
        // Where it is longer than the screen, it moves.
        screen.resize(60, 16)
        screen.press(.character("?"))
        #expect(screen.rows.row("quit") == nil)
        for _ in 0..<20 { screen.press(.down) }
        #expect(screen.rows.row("│  q, control-C ") != nil)
        screen.press(.up, .character("x"))
        #expect(screen.rows.row("Keys of") == nil)
    }

    @Test func helpAndHintsAreCutNowhere() throws {
        for (columns, rows) in [(60, 16), (80, 23), (120, 40)] {
            let screen = try PlayedRecording("heart-rate.btsnoop", columns, rows)
            #expect(ScreenBinding.recording.compactMap(\.hint).contains { screen.rows[rows - 1].hasSuffix($0) })
            var help = ""
            screen.press(.character("?"))
            for _ in 0..<20 {
                for row in screen.rows {
                    let box = row.drop { $0 != "│" }.reversed().drop { $0 != "│" }
                    #expect(!box.contains("…"))
                }
                help += screen.rows.joined()
                screen.press(.down)
            }
            let all = ScreenBinding.recording.filter(\.panes.isEmpty).flatMap(\.help)
            for word in all.flatMap({ $0.split(separator: " ") }) { #expect(help.contains(word), "\(word)") }
        }
    }

    @Test func everyActionHasAName() throws {
        let screen = try PlayedRecording("heart-rate.btsnoop", 80, 23)
        screen.press(.character(":"))
        screen.type("next er")
        #expect(screen.rows.row("│  ] ")?.contains("next error") == true)
        screen.press(.enter)
        expect(screen.frame, equals: 136)
        screen.press(.character(":"))
        screen.type("mark")
        #expect(screen.rows.row("previous mark") != nil)
        // The list has mark, next mark, previous mark, in the order of the table.
        screen.press(.tab, .tab, .backTab, .enter)
        #expect(screen.rows.last?.hasPrefix("No later marks") == true)
        screen.press(.character(":"))
        screen.type("no such thing")
        screen.press(.enter)
        #expect(
            screen.rows.last?.hasPrefix("no such thing is no frame (120), no time (12.5s, 14:03:22) and no action")
                == true)
        let all = ScreenBinding.actions("", in: ScreenBinding.recording)
        expect(Set(all.map(\.command.rawValue)).count, equals: all.count)
        #expect(all.contains { $0.command == .down && $0.keys == "↓ j" })
    }

    @Test func timesOfDayAreJumpedTo() throws {
        // 09:55:20.369922 UTC.
        let screen = try PlayedRecording("heart-rate.btsnoop", 80, 23)
        let offset = LocalTime(at: screen.recording.line(0)?.time ?? .epoch).offset
        func clock(_ seconds: Int64) -> String {
            let time = (9 * 3_600 + 55 * 60 + seconds + offset + 86_400) % 86_400
            return [time / 3_600, time / 60 % 60, time % 60].map { String("0\($0)".suffix(2)) }.joined(separator: ":")
        }
        func go(_ text: String) {
            screen.press(.character(":"))
            screen.type(text)
            screen.press(.enter)
        }
        go(clock(22) + ".501998")
        expect(screen.frame, equals: 134)
        go(clock(0))
        expect(screen.frame, equals: 41)
        go(clock(59))
        expect(screen.frame, equals: 177)
        go("2026-11-21 \(clock(22)).501998")
        expect(screen.frame, equals: 134)
        go("2025-11-21 10:00")
        expect(screen.frame, equals: 41)
        for text in ["25:00", "10:61:00", "2026-13-01 10:00", "2026-11-21", "10:00:00:00", "9:x"] {
            go(text)
            #expect(screen.rows.last?.contains("is no frame") == true)
        }
    }

    @Test func otherPeersAreJumpedTo() throws {
        let screen = try PlayedRecording("two-peripherals.btsnoop", 120, 40)
        let peer = screen.recording.line(0)?.peer
        _ = screen.rows
        screen.press(.character(">"))
        _ = screen.rows
        let other = screen.view.moment?.line.peer
        #expect(other != nil && other != peer)
        screen.press(.character("<"))
        _ = screen.rows
        expect(screen.view.moment?.line.peer, equals: peer)
    }

    @Test func theTableIsSortedAndIdleRowsHidden() throws {
        let screen = try PlayedRecording("heart-rate.btsnoop", 120, 60)
        screen.press(.character("G"), .character("i"))
        #expect(screen.rows.row(" GATT in use of HRM-7 ") != nil)
        func rows() -> [String] { Array(screen.rows.drop { !$0.contains(" GATT ") }.dropFirst().dropLast()) }
        #expect(rows().row("System ID") != nil)
        #expect(rows().row("Service Changed") == nil)
        screen.press(.character("s"))
        #expect(screen.rows.row(" GATT in use by count of HRM-7 ") != nil)
        #expect(rows().first?.contains("Heart Rate Measurement") == true)
        screen.press(.character("s"), .character("s"), .character("i"))
        #expect(rows().first?.contains("Generic Access") == true)
    }

    @Test func whatIsSelectedIsCopied() throws {
        let screen = try PlayedRecording("heart-rate.btsnoop", 120, 40)
        screen.press(.character("]"))
        expect(screen.press(.character("y")), equals: .copy(screen.line))
        #expect(screen.line.hasPrefix("    136     2.191627  ← HRM-7             Error"))
        screen.press(.enter, .end, .up)
        expect(screen.press(.character("y")), equals: .copy("Insufficient Authentication (0x05)"))
        screen.press(.tab)
        expect(screen.press(.character("y")), equals: .copy("05"))
        screen.press(.enter, .character("G"), .character("s"), .home)
        expect(screen.press(.character("y")), equals: .copy("72 bpm · contact · 0 kJ · RR 0.83 s"))
    }

    /// A shell runs each line of a paste that ends with a line break.
    @Test func aCopyHasNoLineBreak() throws {
        let screen = try PlayedRecording("heart-rate.btsnoop", 120, 40)
        var isOneOfSeveralRows = false
        for _ in 0..<60 {
            guard case .copy(let text) = screen.press(.character("y")) else { continue }
            #expect(!text.contains { $0.isNewline })
            isOneOfSeveralRows = isOneOfSeveralRows || text.contains("   ") && text.count > 120
            screen.press(.down)
        }
        #expect(isOneOfSeveralRows)
    }

    @Test func headingsAreDraggedAndPanesResized() throws {
        let screen = try PlayedRecording("heart-rate.btsnoop", 120, 40)
        func heading(_ pane: RecordingPane) -> Int? {
            _ = screen.grid
            return screen.view.areas[pane]?.heading
        }
        let (layers, tree) = (try #require(heading(.layers)), try #require(heading(.tree)))
        screen.press(.click(row: layers, column: 3, isDouble: false), .drop(row: layers - 5, column: 3))
        expect(heading(.layers), equals: layers - 5)
        expect(heading(.tree), equals: tree - 5)
        screen.press(.click(row: tree - 5, column: 3, isDouble: false), .drop(row: tree + 1, column: 3))
        expect(heading(.tree), equals: tree + 1)
        // Not beyond the screen.
        screen.press(.click(row: tree + 1, column: 3, isDouble: false), .drop(row: 39, column: 3))
        #expect(try #require(heading(.tree)) < 38)
        screen.press(.click(row: layers - 5, column: 3, isDouble: false), .drop(row: 0, column: 3))
        expect(heading(.layers), equals: 4)
        screen.press(.click(row: 3, column: 3, isDouble: false), .drop(row: 9, column: 3))
        expect(heading(.layers), equals: 4)
        screen.press(.character("+"), .character("+"), .character("-"))
        expect(heading(.layers), equals: 5)
        screen.resize(80, 23)
        screen.press(.character("+"))
        expect(screen.rows.count, equals: 23)
    }

    @Test func filtersAreCompleted() throws {
        let screen = try PlayedRecording("heart-rate.btsnoop", 80, 23)
        screen.press(.character("f"))
        screen.type("char == h")
        screen.press(.tab)
        #expect(screen.rows.last?.hasPrefix("filter: char == \"Heart Rate Control Point\"") == true)
        #expect(screen.rows.row("│  char == \"Heart Rate Measurement\"") != nil)
        screen.press(.tab)
        expect(screen.press(.enter), equals: .filter("char == \"Heart Rate Measurement\""))
    }

    @Test func theDocumentationHasTheKeys() throws {
        try ScreenBinding.checkTable(ScreenBinding.recording, in: "Documentation/open.md")
    }

    @Test func hostileNamesAreNoControlSequences() throws {
        let name = "1B5B324A"
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let path = try folder.write(
            [
                Packet.connected(), .att(.tx, "0A 0300"), .att(.rx, "0B \(name) 0A 07"),
            ].recorded)
        let screen = try PlayedRecording(path, columns: 120, rows: 40)
        screen.press(.character("G"))
        for row in screen.rows { #expect(row.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }) }
    }
}
