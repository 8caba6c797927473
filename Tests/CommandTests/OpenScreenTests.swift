import AttlasTestSupport
import Foundation
import Testing

/// `attlas open` on a terminal: keys, sizes, signals, and how it leaves the terminal.
@Suite(.enabled(if: TerminalSession.isPossible)) struct OpenScreenTests {
    private static let attlas = Command.binary

    private func open(
        _ capture: String, columns: Int, rows: Int, options: String = "", locale: String = "C.UTF-8"
    ) throws -> TerminalSession {
        let session = try TerminalSession(columns: columns, rows: rows, locale: locale)
        try session.run("\(Self.attlas) open \(options) \(Repository.capture(capture)); echo stat''us $?")
        try showConversation(session)
        return session
    }

    /// It begins with the overview.
    private func showConversation(_ session: TerminalSession) throws {
        #expect(try session.shows("─ What broke ─"))
        try session.press("w")
    }

    @Test(arguments: [(60, 16), (120, 40)])
    func allValuesOfACharacteristic(columns: Int, rows: Int) throws {
        let session = try open("led-strip.btsnoop", columns: columns, rows: rows)
        try session.type(":99")
        try session.press("Enter", "b", "z")
        #expect(try session.shows("8 values written, 8 distinct"))
        #expect(try session.shows("1 ×    4 octets  00 00 FF 00"))
        try session.press("G")
        #expect(try session.shows("5 values of 5 octets"))
        try session.press("Escape")
        #expect(try session.wait { !$0.contains("values of 5 octets") })
        // A connection has no values.
        try session.press("g", "b")
        #expect(try session.shows("this line is about no attribute"))
        try session.press("q")
        #expect(try session.shows("status 0"))
    }

    @Test(arguments: [(60, 16), (80, 23), (120, 40), (200, 60)])
    func keysDoTheSameOnEveryTerminal(columns: Int, rows: Int) throws {
        let session = try open("heart-rate.btsnoop", columns: columns, rows: rows)
        #expect(try session.shows("Conversation · line 1 of 99"))
        #expect(try session.state.hasPrefix("1"))
        try session.press("G")
        #expect(try session.shows("line 99 of 99"))
        try session.press("Up", "k", "PPage", "NPage", "Home", "End", "C-u", "C-d", "g")
        #expect(try session.shows("line 1 of 99"))
        try session.press("]")
        #expect(try session.shows("Layers of frame 136"))
        #expect(try session.shows("01 0a 24 00 05"))
        try session.press("%")
        #expect(try session.shows("Layers of frame 134"))
        try session.type(":57")
        try session.press("Enter")
        #expect(try session.shows("Layers of frame 57"))
        try session.press("Tab", "Tab", "Tab")
        #expect(try session.shows("GATT of HRM-7"))
        try session.press("Enter", "/")
        try session.type("control")
        try session.press("Enter")
        #expect(try session.shows("Heart Rate"))
        try session.press("f")
        try session.type("metod == notification")
        try session.press("Enter")
        #expect(try session.shows("column 1: there is no name \"metod\""))
        try session.press("C-u")
        try session.type("error")
        try session.press("Enter")
        #expect(try session.shows("of 2 · filter error"))
        // The button is pressed in the tenth column of the fourth row.
        try session.type("\u{1B}[M *$")
        #expect(try session.shows("line 2 of 2"))
        try session.press("?")
        #expect(try session.shows("closes this"))
        try session.press("x", "q")
        #expect(try session.shows("status 0"))
        #expect(try session.isSane())
    }

    @Test(arguments: [(60, 16), (80, 24), (120, 40)])
    func itBeginsWithWhatBroke(columns: Int, rows: Int) throws {
        let session = try TerminalSession(columns: columns, rows: rows)
        try session.run("\(Self.attlas) open \(Repository.capture("heart-rate.btsnoop")); echo stat''us $?")
        #expect(try session.shows("1 thing broke · 177 records in 9.5 s"))
        #expect(try session.shows("136 ✗ System ID cannot be read"))
        try session.press("Down", "Enter")
        #expect(try session.shows("Write Request of Heart Rate Control Point by the host"))
        try session.press("w")
        #expect(try session.shows("Incident 2 of 2"))
        try session.press("q")
        #expect(try session.shows("status 0"))
        #expect(try session.isSane())
    }

    @Test func theTerminalMayChangeItsSize() throws {
        let session = try open("heart-rate.btsnoop", columns: 200, rows: 60)
        #expect(try session.shows("GATT of HRM-7"))
        try session.press("G")
        #expect(try session.shows("line 99 of 99"))
        try session.resize(columns: 60, rows: 16)
        #expect(try session.wait { !$0.contains("GATT of") && $0.contains("line 99 of 99") })
        #expect(try session.text().split(separator: "\n").allSatisfy { $0.count <= 60 })
        try session.resize(columns: 20, rows: 4)
        #expect(try session.shows("too small"))
        try session.resize(columns: 120, rows: 40)
        #expect(try session.wait { $0.contains("GATT of") && $0.contains("line 99 of 99") })
        try session.press("q")
        #expect(try session.shows("status 0"))
    }

    @Test(arguments: [("TERM", 143), ("HUP", 129)])
    func signalsLeaveTheTerminalSane(signal: String, status: Int) throws {
        let session = try TerminalSession(columns: 80, rows: 23)
        let file = session.folder.appendingPathComponent("pid").path
        let capture = Repository.capture("heart-rate.btsnoop")
        try session.run("sh -c 'echo $$ > \(file); exec \(Self.attlas) open \(capture)'; echo stat''us $?")
        try showConversation(session)
        #expect(try session.shows("line 1 of 99"))
        let process = try String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        _ = try Command.run("/bin/kill", ["-\(signal)", process])
        #expect(try session.shows("status \(status)"))
        #expect(try session.isSane())
    }

    @Test func itStopsAndComesBack() throws {
        let session = try open("heart-rate.btsnoop", columns: 80, rows: 23)
        #expect(try session.shows("line 1 of 99"))
        try session.press("C-z")
        #expect(try session.wait { _ in (try? session.state) == "0 1" })
        try session.run("fg")
        #expect(try session.shows("line 1 of 99"))
        try session.press("C-c")
        #expect(try session.isSane())
    }

    @Test func aPipeAndATerminalWithoutUnicodeAreNoObstacles() throws {
        let session = try TerminalSession(columns: 100, rows: 30, locale: "C")
        let file = Repository.capture("ice-cream.btsnoop")
        try session.run("cat \(file) | NO_COLOR=1 \(Self.attlas) open --hci --filter 'not known' -; echo stat''us $?")
        #expect(try session.shows("attlas open - standard input"))
        #expect(try session.shows("filter not known"))
        try session.press("q")
        #expect(try session.shows("status 0"))
    }

    @Test func aFileThatGrowsIsFollowed() throws {
        let session = try TerminalSession(columns: 80, rows: 23)
        let octets = try Data(contentsOf: URL(filePath: Repository.capture("heart-rate.btsnoop")))
        let log = session.folder.appendingPathComponent("log")
        try octets.prefix(3_001).write(to: log)
        try session.run("\(Self.attlas) open \(log.path); echo stat''us $?")
        #expect(try session.shows("✗ not to its end · "))
        try session.press("w", "G")
        let handle = try FileHandle(forWritingTo: log)
        try handle.seekToEnd()
        try handle.write(contentsOf: octets.dropFirst(3_001))
        try handle.close()
        #expect(try session.shows("177 records"))
        try session.press("G")
        #expect(try session.shows("line 99 of 99"))
        try session.press("q")
        #expect(try session.shows("status 0"))
    }

    @Test func whatIsShownIsExportedAndMarksAreKeptBesideTheCapture() throws {
        let session = try TerminalSession(columns: 100, rows: 30)
        let octets = try Data(contentsOf: URL(filePath: Repository.capture("heart-rate.btsnoop")))
        let file = session.folder.appendingPathComponent("log")
        try octets.write(to: file)
        try session.run("\(Self.attlas) open \(file.path); echo stat''us $?")
        try showConversation(session)
        #expect(try session.shows("line 1 of 99"))
        try session.press("]", "M")
        try session.type("first refusal")
        try session.press("Enter", "f")
        try session.type("error")
        try session.press("Enter")
        #expect(try session.shows("filter error"))
        for name in ["out.csv", "out.pcapng"] {
            try session.press("e")
            try session.type(name)
            try session.press("Enter")
            #expect(try session.shows("wrote \(session.folder.path)/\(name)"))
        }
        try session.press("e")
        try session.type("log.txt")
        try session.press("C-u")
        try session.type("out.csv")
        try session.press("Enter")
        #expect(try session.shows("exists already"))
        try session.press("Escape", "q")
        #expect(try session.shows("status 0"))
        let folder = session.folder.path
        let shown = try Command.attlas(["show", "--csv", "--filter", "error", file.path])
        let exported = try String(contentsOfFile: "\(folder)/out.csv", encoding: .utf8)
        expect(exported, equals: shown.output)
        let records = try Command.attlas(["show", "\(folder)/out.pcapng"])
        #expect(records.output.contains("2 records in 4.7 s"))
        try expect(Data(contentsOf: file), equals: octets)
        #expect(
            try String(contentsOfFile: "\(folder)/log.attlas-marks", encoding: .utf8).hasSuffix("\n136 first refusal\n")
        )
        // They are shown again.
        try session.run("\(Self.attlas) open \(file.path)")
        try showConversation(session)
        #expect(try session.shows("line 1 of 99"))
        try session.press("'")
        #expect(try session.shows("marked: first refusal"))
        try session.press("m")
        #expect(try session.wait { _ in !FileManager.default.fileExists(atPath: "\(folder)/log.attlas-marks") })
        try session.press("q")
    }

    @Test(arguments: [(60, 16), (80, 23), (120, 40), (200, 60)])
    func plotsActionsAndMarksAreThereOnEveryTerminal(columns: Int, rows: Int) throws {
        let session = try TerminalSession(columns: columns, rows: rows)
        let file = session.folder.appendingPathComponent("log")
        try Data(contentsOf: URL(filePath: Repository.capture("heart-rate.btsnoop"))).write(to: file)
        try session.takeClipboard()
        try session.run("\(Self.attlas) open \(file.path); echo stat''us $?")
        try showConversation(session)
        #expect(try session.shows("line 1 of 99"))
        try session.press("G", "k", "p")
        #expect(try session.shows(" — Heart Rate Measurement Value: 72–300 bpm · mean 121.5"))
        try session.press("o", "Left")
        #expect(try session.shows(" o RR-Interval: 0.19921875–0.830078125 s"))
        #expect(try session.shows("8.943126 s"))
        try session.press("Enter", "Escape")
        #expect(try session.wait { !$0.contains("Plot of") })
        try session.type(":previous err")
        #expect(try session.shows("│  ["))
        try session.press("Enter")
        #expect(try session.shows("Layers of frame 162"))
        try session.press("m", ">", "y")
        #expect(try session.shows("sent to the terminal's clipboard"))
        #expect(
            try session.wait { _ in (try? session.clipboard.contains("162     6.842138  ← HRM-7 ")) == true })
        try session.type(":0s")
        try session.press("Enter", "'")
        #expect(try session.shows("marked"))
        try session.press("f")
        try session.type("direction == t")
        try session.press("Tab", "Enter")
        #expect(try session.shows("filter direction == tx"))
        try session.press("Tab", "Tab", "Tab", "i", "s")
        #expect(try session.shows("GATT in use by count"))
        try session.press("Enter", "+", "-", "z", "z", "?")
        #expect(try session.shows("Keys of the conversation"))
        try session.press("x", "v", "Up", "e", "C-u")
        try session.type("a.ndjson")
        try session.press("Enter")
        #expect(try session.wait { _ in FileManager.default.fileExists(atPath: session.folder.path + "/a.ndjson") })
        try session.press("q")
        #expect(try session.shows("status 0"))
        #expect(try session.isSane())
    }

    @Test func severalFilesAreLookedAtOneAfterTheOther() throws {
        let second = Repository.capture("ice-cream.btsnoop")
        let session = try open("heart-rate.btsnoop /nowhere.pcap \(second)", columns: 200, rows: 30)
        #expect(try session.shows("heart-rate.btsnoop · file 1 of 3"))
        try session.press("(")
        #expect(try session.shows("there is no file before"))
        try session.press(")")
        #expect(try session.shows("/nowhere.pcap: "))
        #expect(try session.shows("ice-cream.btsnoop · file 3 of 3"))
        try session.press("(")
        try showConversation(session)
        #expect(try session.shows("line 1 of 99"))
        try session.press(")")
        #expect(try session.shows("file 3 of 3"))
        try session.press(")")
        #expect(try session.shows("there is no next file"))
        try session.press("q")
        #expect(try session.shows("status 0"))
        #expect(try session.isSane())
    }

    @Test func theMouseDragsTheHeadingOfAPane() throws {
        let session = try open("heart-rate.btsnoop", columns: 80, rows: 23)
        #expect(try session.shows("line 1 of 99") && session.shows("─ Layers of"))
        func row(_ text: String) throws -> Int? {
            try session.text().split(separator: "\n", omittingEmptySubsequences: false).firstIndex { $0.contains(text) }
        }
        let start = try #require(try row("─ Layers of"))
        // X10 encoding: a press, and the button coming up four rows above it. A busy machine may take the sequences apart.
        let (from, to) = (UnicodeScalar(UInt8(33 + start)), UnicodeScalar(UInt8(29 + start)))
        var isMoved = false
        for _ in 0..<20 where !isMoved {
            try session.press("Escape")
            try session.type("\u{1B}[M *\(from)")
            try session.type("\u{1B}[M#*\(to)")
            usleep(500_000)
            isMoved = try row("─ Layers of") == start - 4
        }
        #expect(isMoved)
        try session.press("q")
        #expect(try session.isSane())
    }

    // MARK: Without a screen

    @Test func filesAreNotJoined() throws {
        let joined = try Command.attlas(["open", "--join", "a", "b"])
        expect(joined.status, equals: 64)
        #expect(joined.errors.contains("attlas show --join reads them as one"))
    }

    @Test func itNeedsATerminalAndACapture() throws {
        let piped = try Command.attlas(["open", Repository.capture("heart-rate.btsnoop")])
        expect(piped.status, equals: 1)
        #expect(piped.errors.contains("attlas open needs a terminal; attlas show prints a capture"))
        let session = try TerminalSession(columns: 100, rows: 30)
        try session.run("\(Self.attlas) open /nowhere; echo stat''us $?")
        #expect(try session.shows("status 1"))
        #expect(try session.shows("/nowhere"))
        try session.run(
            "\(Self.attlas) open --filter 'metod == 1' \(Repository.capture("heart-rate.btsnoop")); echo st''atus $?")
        #expect(try session.shows("status 64"))
        #expect(try session.isSane())
    }
}
