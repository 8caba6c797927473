import AttlasTestSupport
import Foundation
import Testing

/// What a person types who does not know the commands yet.
@Suite struct FirstMistakeTests {
    private func errors(_ arguments: String...) throws -> String {
        let result = try Command.attlas(arguments)
        expect(result.status, equals: 64)
        return result.errors
    }

    @Test func aCommandThatDoesNotExist() throws {
        #expect(try errors("shwo", "x.btsnoop").contains("no command and no file \"shwo\"; did you mean \"show\"?"))
        #expect(try errors("xyzzy").contains("There is no command and no file \"xyzzy\".\n"))
        #expect(try errors("dissectors", "lsit").contains("no command of dissectors \"lsit\"; did you mean \"list\"?"))
    }

    @Test func aPartOfAName() throws {
        let rule = try errors("lint", "--explain", "debug-key")
        #expect(rule.contains("There is no rule \"debug-key\"; did you mean \"security/debug-key\"?"))
        // Of several it is none.
        #expect(try errors("lint", "--explain", "mtu").contains("There is no rule \"mtu\"\n"))
    }

    @Test func anOptionOfOtherCommands() throws {
        let filter = try errors("tree", "--filter", "error", "x.btsnoop")
        #expect(
            filter.contains(
                "Unknown option '--filter'. These commands have it: show, open, live, stats, diff, report, convert."))
        #expect(try errors("lint", "--hex", "x").contains("'--hex'. These commands have it: show, live."))
        #expect(
            try errors("lint", "--fliter", "x").contains(
                "Did you mean '--filter' (show, open, live, stats, diff, report, convert)?"))
        #expect(try errors("tree", "--zzzz", "x").contains("Unknown option '--zzzz'\n"))
    }

    /// In a pipe a file alone is shown.
    @Test func aFileAlone() throws {
        let capture = Repository.capture("heart-rate.btsnoop")
        try expect(Command.attlas([capture]).output, equals: Command.attlas(["show", capture]).output)
        let octets = try Data(contentsOf: URL(filePath: capture))
        #expect(try Command.attlas(["-", "--frames", "42"], input: octets).output.contains("Exchange MTU"))
    }

    /// On a terminal it is opened; with what only `show` takes, or several files, shown.
    @Test(.enabled(if: TerminalSession.isPossible)) func aFileAloneOnATerminal() throws {
        let session = try TerminalSession(columns: 80, rows: 24)
        let capture = Repository.capture("heart-rate.btsnoop")
        try session.run("\(Command.binary) \(capture); echo stat''us $?")
        #expect(try session.shows("What broke"))
        try session.press("q")
        #expect(try session.shows("status 0"))
        try session.run("clear; \(Command.binary) \(capture) --frames 42-44; echo ag''ain $?")
        #expect(try session.shows("again 0"))
        #expect(try session.text().contains("in force 185"))
    }

    @Test func anAttributeByItsName() throws {
        let value = try Command.attlas(["dissect", "2A37", "0048"])
        for name in ["Heart Rate Measurement", "heart rate MEASUREMENT", "Rate Measurement"] {
            try expect(Command.attlas(["dissect", name, "0048"]).output, equals: value.output)
        }
        let several = try Command.attlas(["dissect", "Battery Level", "57"])
        #expect(several.output.contains("87 %"))
        let many = try Command.attlas(["dissect", "battery", "57"])
        expect(many.status, equals: 1)
        #expect(many.errors.contains("\"battery\" may be Battery Level (2A19), "))
        let none = try Command.attlas(["dissectors", "show", "Hart Rate Measurement"])
        expect(none.status, equals: 1)
        #expect(none.errors.contains("did you mean \"Heart Rate Measurement\"?"))
        #expect(
            try Command.attlas(["dissectors", "show", "Heart Rate Measurement"]).output.contains("sensitive: health\n"))
    }
}
