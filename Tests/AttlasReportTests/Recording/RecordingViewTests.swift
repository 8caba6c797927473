import AttlasTestSupport
import Testing

@testable import AttlasReport

/// What stands on the screen of a recording, at every size. The values are those that Captures/heart-rate.md tells.
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
        #expect(screen.view.pane == .conversation)
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

    @Test func aScreenThatIsTooSmallSaysSo() throws {
        let screen = try PlayedRecording("heart-rate.btsnoop", 20, 3)
        #expect(screen.rows[0] == "too small; q quits")
        #expect(screen.press(.character("q")) == .quit)
        screen.resize(120, 40)
        #expect(screen.rows.row(" Conversation ") != nil)
    }

    // MARK: Keys

    @Test func theCursorMovesAndStaysInSight() throws {
        let screen = try PlayedRecording("heart-rate.btsnoop", 80, 23)
        screen.press(.character("G"))
        #expect(screen.line.contains("177     9.453062"))
        screen.press(.character("k"), .up, .character("j"))
        #expect(screen.view.selected == 97)
        screen.press(.home, .down, .character("\u{4}"), .character("\u{15}"), .pageDown, .pageUp)
        #expect(screen.view.selected == 1)
        for _ in 0..<30 { screen.press(.down) }
        #expect(screen.rows.row("›") != nil)
        #expect(screen.view.selected == 31)
        screen.resize(200, 60)
        #expect(screen.rows.row("›   ") != nil)
        #expect(screen.view.selected == 31)
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
        // No line is of this frame: the first one behind it.
        go("50")
        #expect(screen.line.contains(" 51     0.513846"))
        go("2.05s")
        #expect(screen.line.contains("     2.07"))
        go("100000")
        #expect(screen.line.contains("177     9.453062"))
        go("0s")
        #expect(screen.line.contains(" 41     0.308506"))
        go("soon")
        #expect(screen.rows.last == "soon is no frame (120) and no time (12.5s)")
        screen.press(.character(":"), .character("q"))
        #expect(screen.press(.enter) == .quit)
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
        #expect(screen.rows.last?.hasPrefix("no error behind this line") == true)
        screen.press(.character("["))
        #expect(screen.line.contains("136     2.191627"))
        screen.press(.character("["))
        #expect(screen.line.contains("136     2.191627"))
        #expect(screen.rows.last?.hasPrefix("no error before this line") == true)
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
        #expect(screen.frame == first)
        let finding = try #require(screen.recording.findings[first]?.first)
        #expect(screen.layers.contains("\(finding.rule.id): \(finding.rule.title)"))
        #expect(screen.layers.contains { $0.hasPrefix("  why: ") })
        #expect(screen.layers.contains { $0.hasPrefix("  do: ") })
        #expect(screen.rows.row("›!") != nil)
        for frame in frames.dropFirst() {
            screen.press(.character("}"))
            #expect(screen.frame == frame)
        }
        screen.press(.character("}"))
        #expect(screen.rows.last?.hasPrefix("no finding behind this line") == true)
    }

    @Test func theMouseSelectsAndScrolls() throws {
        let screen = try PlayedRecording("heart-rate.btsnoop", 120, 40)
        screen.press(.click(row: 4, column: 30, isDouble: false))
        #expect(screen.view.selected == 2)
        screen.press(.wheel(row: 5, column: 3, isUp: false), .wheel(row: 5, column: 3, isUp: true))
        #expect(screen.view.selected == 2)
        screen.press(.click(row: 4, column: 30, isDouble: true))
        #expect(screen.view.pane == .layers)
        // 0000  40 20 07 00 03 00 04 00: the fifth octet, and the same beside it as text.
        let octets = try #require(screen.view.areas[.octets])
        screen.press(.click(row: octets.heading + 1, column: octets.columns.lowerBound + 6 + 12, isDouble: false))
        #expect(screen.view.octet == 4)
        #expect(screen.rows.row("›  PDU Length  3") != nil)
        screen.press(.click(row: octets.heading + 1, column: octets.columns.lowerBound + 6 + 24 + 6, isDouble: false))
        #expect(screen.view.octet == 6)
        #expect(screen.rows.row("›  Channel ID  0x0004") != nil)
        screen.press(.click(row: 0, column: 0, isDouble: false), .click(row: 39, column: 119, isDouble: true))
        #expect(screen.view.octet == 6)
        screen.press(.click(row: 1, column: 9, isDouble: false))
        #expect(screen.view.pane == .conversation)
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
        #expect(screen.rows.last == "not found: RESET energy")
        screen.press(.character("N"))
        #expect(screen.view.selected == first)
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
        #expect(screen.press(.enter) == .filter("method == notification"))
        try screen.recording.find("method == notification")
        screen.view.follow(filterOf: screen.recording)
        #expect(screen.rows[1].contains("line 25 of 25 · filter method == notification"))
        screen.press(.character("g"))
        #expect(screen.line.contains("Notification"))
        let frame = screen.view.moment?.line.frame
        screen.recording.find(nil, "")
        screen.view.follow(filterOf: screen.recording)
        _ = screen.rows
        #expect(screen.view.moment?.line.frame == frame)
        screen.view.refuse(filter: "metod", "column 1: there is no name \"metod\"")
        #expect(screen.rows[38].hasPrefix("column 1: there is no name \"metod\""))
        #expect(screen.rows[39].hasPrefix("filter: metod"))
    }

    @Test func fieldsAndOctetsFindEachOther() throws {
        let screen = try PlayedRecording("heart-rate.btsnoop", 120, 40)
        screen.press(.character("]"), .enter)
        // 40 20 09 00 · 05 00 04 00 · 01 0a 24 00 05
        #expect(screen.rows.row("›Attribute Protocol  Error Response") != nil)
        screen.press(.end, .up)
        #expect(screen.rows.row("›  Error Code  Insufficient Authentication (0x05)") != nil)
        #expect(screen.view.octet == 12)
        screen.press(.tab, .left, .left)
        #expect(screen.view.octet == 10)
        #expect(screen.rows.row("›  Attribute Handle In Error  0x0024") != nil)
        screen.press(.up)
        #expect(screen.view.octet == 2)
        #expect(screen.rows.row("›  Data Total Length  9") != nil)
        screen.press(.enter)
        #expect(screen.view.pane == .conversation)
    }

    @Test func linesAreMarkedWithNotesAndJumpedTo() throws {
        let screen = try PlayedRecording("heart-rate.btsnoop", 120, 40)
        screen.press(.character("]"))
        #expect(screen.press(.character("m")) == .marked)
        #expect(screen.rows[1].contains("line 63 of 99 · marked ─"))
        screen.press(.character("G"), .character("M"))
        screen.type("the end")
        #expect(screen.press(.enter) == .marked)
        #expect(screen.rows[1].contains("line 99 of 99 · marked: the end ─"))
        screen.press(.up)
        #expect(screen.rows.row("*     177     9.453062") != nil)
        screen.press(.character("\""))
        #expect(screen.frame == 136)
        screen.press(.character("'"))
        #expect(screen.frame == 177)
        screen.press(.character("'"))
        #expect(screen.rows.last?.hasPrefix("no mark behind this line") == true)
        screen.press(.character("M"), .character("\u{15}"))
        screen.type("\u{9B}2J")
        screen.press(.enter)
        for row in screen.rows { #expect(row.unicodeScalars.allSatisfy { !$0.steersDisplay }) }
        #expect(screen.press(.character("m")) == .marked)
        #expect(screen.view.marks.frames == [136])
    }

    @Test func linesAreSelectedAndExported() throws {
        let screen = try PlayedRecording("heart-rate.btsnoop", 120, 40)
        screen.press(.character("e"))
        screen.type("a.txt")
        #expect(screen.press(.enter) == .export(name: "a.txt", format: .text, frames: nil))
        screen.press(.character("]"), .character("v"), .up, .up, .up)
        #expect(screen.rows.row("│     136     2.191627") != nil)
        screen.press(.character("e"))
        for (name, mistake) in [("a.doc", ".txt .ndjson .csv .pcapng"), ("../a.txt", "a name without a folder")] {
            screen.press(.character("\u{15}"))
            screen.type(name)
            #expect(screen.press(.enter) == .none)
            #expect(screen.rows[38].contains(mistake))
        }
        screen.press(.character("\u{15}"))
        screen.type("a.pcapng")
        #expect(screen.press(.enter) == .export(name: "a.pcapng", format: .records, frames: 131...136))
        #expect(screen.rows.row("│     136") == nil)
        screen.view.exportProgress = 0.5
        #expect(screen.rows.last?.hasSuffix("exporting 50 %") == true)
        #expect(screen.press(.escape) == .endExport)
    }

    @Test func helpNamesEveryKeyAndEachKeyDoesOneThing() throws {
        let screen = try PlayedRecording("heart-rate.btsnoop", 120, 40)
        screen.press(.character("?"))
        let help = screen.rows
        for binding in ScreenBinding.recording {
            #expect(help.row(binding.label) != nil)
            for line in binding.help { #expect(help.row(line) != nil) }
        }
        let keys = ScreenBinding.recording.flatMap(\.keys).map(\.key)
        for (index, key) in keys.enumerated() { #expect(!keys[..<index].contains(key)) }
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
