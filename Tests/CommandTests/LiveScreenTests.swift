import AttlasTestSupport
import Foundation
import Testing

/// `attlas live` on a terminal: every key, sizes, signals, and how it leaves the terminal.
@Suite(.enabled(if: TerminalSession.isPossible)) struct LiveScreenTests {
    private static let attlas = Command.binary

    /// The screen with a capture in it.
    private func watching(
        _ capture: String, columns: Int = 80, rows: Int = 24, options: String = "", locale: String = "C.UTF-8"
    ) throws -> TerminalSession {
        let session = try TerminalSession(columns: columns, rows: rows, locale: locale)
        try session.run("\(Self.attlas) live \(options) --follow \(Repository.capture(capture)); echo stat''us $?")
        return session
    }

    // MARK: Keys

    @Test func everyKeyOnASmallTerminal() throws {
        let session = try watching("heart-rate.btsnoop")
        #expect(try session.shows("177 records in 9.5 s"))
        #expect(try session.shows("› HRM-7              F2:F2:F2:F2:F2:F2"))
        #expect(try session.state.hasPrefix("1"))

        try session.press("Tab", "Down", "j")
        #expect(try session.shows("›0x0005   Appearance        Heart Rate Belt"))
        try session.press("Up", "k", "G")
        #expect(try session.shows("›0x0026   PnP ID"))
        try session.press("Enter")
        #expect(try session.shows("Log · only PnP ID"))
        try session.press("Escape")
        #expect(try session.wait { !$0.contains("only PnP ID") })
        try session.press("g", "PPage", "NPage", "Home", "End")
        #expect(try session.shows("›0x0026   PnP ID"))

        try session.press("Tab", "l", "h", "Right", "Left", "Space")
        #expect(try session.shows("PAUSED, 0 newer records"))
        #expect(try session.shows("Conversation · line 99 of 99"))
        try session.press("Space")
        #expect(try session.shows("─ Log ─"))
        try session.press("/")
        try session.type("connected, this")
        #expect(try session.shows("/connected, this"))
        try session.press("Enter")
        #expect(try session.shows("F2:F2:F2:F2:F2:F2 random-static  connected, this"))
        #expect(try session.shows("found from the beginning on"))
        try session.press("q")
        #expect(try session.shows("─ Log ─"))

        try session.press("f")
        try session.type("metod == notification")
        try session.press("Enter")
        #expect(try session.shows("column 1: there is no name \"metod\""))
        try session.press("C-u")
        try session.type("method == notification")
        try session.press("Enter")
        #expect(try session.shows("── from here on: method == notification"))
        #expect(try session.shows("Log · filter method == notification"))
        try session.press("Space")
        #expect(try session.shows("filter method == notification"))
        try session.press("Space")

        try session.press("?")
        #expect(try session.shows("any key closes this"))
        try session.press("x")
        #expect(try session.wait { !$0.contains("any key closes this") })
        try session.press("BTab", "BTab", "Enter", "q")
        #expect(try session.shows("status 0"))
        #expect(try session.shows("177 records in 9.5 s · 1 peer"))
        #expect(try session.isSane())
    }

    @Test func marksOfTheMomentAreKeptNextToTheRecording() throws {
        let folder = try TemporaryFolder()
        let recording = folder.url.appendingPathComponent("recorded.btsnoop").path
        let session = try watching("heart-rate.btsnoop", options: "--write \(recording)")
        #expect(try session.shows("177 records in 9.5 s"))
        try session.press("m")
        #expect(try session.shows("what you did:"))
        try session.type("lights on")
        try session.press("Enter")
        #expect(try session.shows("marked record 177"))
        try session.press("q")
        #expect(try session.shows("status 0"))
        #expect(try String(contentsOfFile: recording + ".attlas-marks", encoding: .utf8).hasSuffix("\n177 lights on\n"))

        let unrecorded = try watching("heart-rate.btsnoop")
        #expect(try unrecorded.shows("177 records in 9.5 s"))
        try unrecorded.press("m", "Enter")
        #expect(try unrecorded.shows("marks are kept next to a recording: attlas live --write FILE"))
        try unrecorded.press("q")
        #expect(try unrecorded.shows("status 0"))
    }

    @Test(arguments: [(60, 16), (80, 23), (200, 60)])
    func whatIsSelectedIsSelectedInAPausedScreen(columns: Int, rows: Int) throws {
        let session = try watching(
            "two-peripherals.btsnoop", columns: columns, rows: rows, options: "--peer 'oven' --characteristic 2A1E")
        #expect(try session.shows("Log · only --peer \"oven\" and --char"))
        try session.press("Space")
        #expect(try session.shows("PAUSED, "))
        #expect(try session.shows(" · only --peer "))
        try session.press("g")
        #expect(try session.wait { $0.contains("line 1 of ") && !$0.contains("connected, this") })
        try session.press("q", "q")
        #expect(try session.shows("status 0"))
    }

    @Test func aLargeTerminal() throws {
        let session = try watching("many-sensors.btsnoop", columns: 200, rows: 50)
        #expect(try session.shows("206 records in 6.3 s"))
        #expect(try session.shows("• CSC Measurement           wheel 2 at 0.5 s"))
        #expect(try session.shows("Human Interface Device › Report                           Button 1 pressed"))
        try session.press("/")
        try session.type("many")
        try session.press("Enter", "Tab", "/")
        try session.type("report map")
        try session.press("Enter")
        #expect(try session.shows("›0x0022   Report Map"))
        try session.press("q")
        #expect(try session.shows("status 0"))
        #expect(try session.isSane())
    }

    @Test func theTerminalMayChangeItsSize() throws {
        let session = try watching("heart-rate.btsnoop", columns: 200, rows: 50)
        #expect(try session.shows("Remote User Terminated Connection"))
        try session.resize(columns: 50, rows: 20)
        #expect(try session.shows("too small: 50 x 20"))
        try session.resize(columns: 60, rows: 16)
        #expect(try session.shows("q quit"))
        #expect(try session.text().split(separator: "\n").allSatisfy { $0.count <= 60 })
        try session.resize(columns: 80, rows: 24)
        #expect(try session.shows("177 records in 9.5 s"))
        #expect(try session.text().split(separator: "\n").allSatisfy { $0.count <= 80 })
        try session.resize(columns: 132, rows: 43)
        #expect(try session.wait { $0.split(separator: "\n").first?.count == 131 })
        try session.press("q")
        #expect(try session.shows("status 0"))
    }

    // MARK: Sources

    @Test func aPipeIsWatchedAndTheKeysComeFromTheTerminal() throws {
        let session = try TerminalSession(columns: 100, rows: 30)
        try session.run("cat \(Repository.capture("ice-cream.btsnoop")) | \(Self.attlas) live -; echo stat''us $?")
        #expect(try session.shows("ENDED · "))
        #expect(try session.shows("attlas live · standard input"))
        try session.press("q")
        #expect(try session.shows("status 0"))
        #expect(try session.isSane())
    }

    /// What came is looked into as in a capture that is opened. What comes meanwhile is counted, and shown when it continues; a recording
    /// has all of it.
    @Test(arguments: [(60, 16), (80, 23), (120, 40)]) func aFileThatGrowsWhileItIsLookedInto(columns: Int, rows: Int)
        throws
    {
        let session = try TerminalSession(columns: columns, rows: rows)
        let log = session.folder.appendingPathComponent("log.btsnoop")
        let copy = session.folder.appendingPathComponent("copy.btsnoop").path
        let whole = try Data(contentsOf: URL(fileURLWithPath: Repository.capture("heart-rate.btsnoop")))
        try whole.prefix(6_000).write(to: log)
        try session.run("\(Self.attlas) live --follow \(log.path) --write \(copy); echo stat''us $?")
        #expect(try session.shows("─ Log ─"))
        #expect(try session.shows("HRM-7"))
        try session.press("Space")
        #expect(try session.shows("PAUSED, 0 newer records"))
        let frame = try #require(try session.text().firstMatch(of: #/Layers of frame (\d+)/#)?.1)
        let handle = try FileHandle(forWritingTo: log)
        try handle.seekToEnd()
        try handle.write(contentsOf: whole.dropFirst(6_000))
        #expect(try session.wait { $0.contains("PAUSED, ") && !$0.contains("PAUSED, 0 newer") })
        #expect(try session.shows("Layers of frame \(frame)"))
        #expect(try !session.text().contains("ended by the peer"))
        // Its layers, its octets, the table as it was then, and a plot.
        try session.press("Up", "Down", "Enter", "Down")
        #expect(try session.shows("─ Octets "))
        try session.press("Tab", "Tab")
        #expect(try session.shows("GATT of HRM-7"))
        try session.press("Enter", "p")
        #expect(try session.shows("Plot of "))
        try session.press("e")
        try session.type("part.pcapng")
        try session.press("Enter")
        #expect(try session.shows("wrote "))
        try session.press("q")
        #expect(try session.shows("177 records in 9.5 s"))
        #expect(try session.shows("ended by the peer"))
        try session.press("C-c")
        #expect(try session.shows("status 0"))
        #expect(try Command.attlas(["show", copy]).output.contains("177 records in 9.5 s"))
    }

    /// Opening a named pipe waits for its writer; the screen and its keys do not.
    @Test func aPipeThatNobodyWritesToHoldsNothing() throws {
        let session = try TerminalSession(columns: 80, rows: 24)
        let pipe = session.folder.appendingPathComponent("pipe").path
        try session.run("mkfifo \(pipe); \(Self.attlas) live \(pipe); echo stat''us $?")
        #expect(try session.shows("no connection yet"))
        try session.press("q")
        #expect(try session.shows("status 0"))
        #expect(try session.isSane())
    }

    @Test func linesArePrintedWhereTheyAreAskedFor() throws {
        let session = try TerminalSession(columns: 80, rows: 24)
        try session.run("\(Self.attlas) live --plain \(Repository.capture("heart-rate.btsnoop")); echo stat''us $?")
        #expect(try session.shows("status 0"))
        #expect(try session.shows("177 records in 9.5 s"))
        try expect(session.state, equals: "0 1")
        try session.run("TERM=dumb \(Self.attlas) live \(Repository.capture("ice-cream.btsnoop")); echo dumb $?")
        #expect(try session.shows("dumb 0"))
    }

    @Test func aSourceThatIsNotThereEndsIt() throws {
        let session = try TerminalSession(columns: 80, rows: 24)
        try session.run("\(Self.attlas) live --follow /no/such/file; echo stat''us $?")
        #expect(try session.shows("status 1"))
        #expect(try session.shows("attlas: /no/such/file: cannot be opened"))
        #expect(try session.isSane())
    }

    // MARK: Definitions

    @Test func definitionsAreReadAgainAndMistakesAreShown() throws {
        let session = try TerminalSession(columns: 160, rows: 50)
        let file = session.folder.appendingPathComponent("my.yaml")
        func define(_ unit: String, type: String = "uint8") throws {
            let text = """
                characteristics:
                  - uuid: 2A19
                    name: Battery Level
                    confidence: A
                    fields:
                      - name: Charge
                        type: \(type)
                        unit: "\(unit)"
                """
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        try define("%")
        try session.run(
            "\(Self.attlas) live --dissectors \(file.path) --follow \(Repository.capture("heart-rate.btsnoop"))")
        #expect(try session.shows("87 % "))
        try define("pears", type: "uint9000")
        #expect(try session.shows("my.yaml:7:15: "))
        #expect(try session.shows("── definitions as before: /"))
        #expect(try session.shows("87 % "))
        try define("apples")
        #expect(try session.shows("87 apples "))
        #expect(try session.shows("definitions read again"))
        try session.press("q")
    }

    // MARK: Signals

    @Test func controlZGoesToTheShellAndBack() throws {
        let session = try watching("heart-rate.btsnoop")
        #expect(try session.shows("177 records in 9.5 s"))
        try session.press("C-z")
        #expect(try session.shows("Stopped"))
        #expect(try session.isSane())
        try session.run("fg")
        #expect(try session.shows("› HRM-7              F2:F2:F2:F2:F2:F2"))
        try session.press("?")
        #expect(try session.shows("any key closes this"))
        try session.press("x", "q")
        #expect(try session.wait { !$0.contains("any key closes this") })
        #expect(try session.isSane())
    }

    /// The process of the screen, which is told to die by the signal.
    @Test(arguments: [
        ("TERM", 143), ("HUP", 129), ("SEGV", 139), ("ABRT", 134), ("SYS", 159), ("USR1", 138), ("ALRM", 142),
        ("PWR", 158),
        ("RTMIN", 162), ("XCPU", 152),
    ])
    func signalsLeaveTheTerminalSane(signal: String, status: Int) throws {
        let session = try TerminalSession(columns: 80, rows: 24)
        let file = session.folder.appendingPathComponent("pid").path
        let capture = Repository.capture("heart-rate.btsnoop")
        try session.run(
            "sh -c 'ulimit -c 0; echo $$ > \(file); exec \(Self.attlas) live --follow \(capture)'; echo stat''us $?")
        #expect(try session.shows("177 records in 9.5 s"))
        let process = try String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        _ = try Command.run("/bin/kill", ["-\(signal)", process])
        #expect(try session.shows("status \(status)"))
        #expect(try session.isSane())
    }

    /// A terminal whose output is stopped, as control-S does: the screen cannot be painted, and SIGTERM ends the process.
    @Test func aTerminalThatTakesNothingHoldsNobody() throws {
        let folder = try TemporaryFolder()
        let script = """
            import os, pty, signal, sys, termios, time
            child, terminal = pty.fork()
            if child == 0:
                os.environ["TERM"] = "xterm"
                os.execv(sys.argv[1], [sys.argv[1], "live", "--follow", sys.argv[2], "--write", "copy.btsnoop"])
            shown = b""
            while b"177" not in shown:
                shown += os.read(terminal, 65536)
            slave = os.open(f"/proc/{child}/fd/1", os.O_RDWR | os.O_NOCTTY)
            termios.tcflow(slave, termios.TCOOFF)
            time.sleep(3)
            os.kill(child, signal.SIGTERM)
            for tenth in range(1200):
                ended, status = os.waitpid(child, os.WNOHANG)
                if ended:
                    print("signal", os.WTERMSIG(status))
                    sys.exit()
                time.sleep(0.1)
            os.kill(child, signal.SIGKILL)
            """
        try script.write(to: folder.url.appendingPathComponent("stopped.py"), atomically: true, encoding: .utf8)
        let command = "python3 stopped.py '\(Self.attlas)' '\(Repository.capture("heart-rate.btsnoop"))'"
        let result = try Command.run("/bin/bash", ["-c", "cd '\(folder.url.path)' && \(command)"])
        expect(result.output, equals: "signal 15\n")
        let copy = folder.url.appendingPathComponent("copy.btsnoop").path
        #expect(try Command.attlas(["show", copy]).output.contains("177 records in 9.5 s"))
    }

    // MARK: Terminals that have less

    /// Bold, faint and reversed, but no colour: of SGR 30 to 49 only what means the terminal's own, 39 and 49.
    private func isColoured(_ session: TerminalSession) throws -> Bool {
        try session.text(escapes: true).contains(#/\u{1B}\[([0-9;]*;)?[34][0-8]m/#)
    }

    @Test func withoutColourAndWithoutUnicode() throws {
        let session = try watching("heart-rate.btsnoop", options: "--color never", locale: "C")
        #expect(try session.shows("q quit"))
        #expect(try session.shows("> HRM-7              F2:F2:F2:F2:F2:F2"))
        #expect(try session.text().utf8.allSatisfy { $0 < 0x80 })
        #expect(try !isColoured(session))
        try session.press("q")
        #expect(try session.shows("status 0"))
    }

    @Test func coloursAreThereUnlessNobodyWantsThem() throws {
        let session = try watching("heart-rate.btsnoop")
        #expect(try session.shows("q quit"))
        #expect(try isColoured(session))
        try session.press("q")
        #expect(try session.shows("status 0"))
        try session.run("export NO_COLOR=1; clear")
        try session.run("\(Self.attlas) live --follow \(Repository.capture("ice-cream.btsnoop"))")
        #expect(try session.shows("q quit"))
        #expect(try !isColoured(session))
        try session.press("q")
    }
}
