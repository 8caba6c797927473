import AttlasTestSupport
import Foundation
import Testing

/// The command as a user runs it: what it prints where, and its exit status.
@Suite struct CommandTests {
    @Test func theVersionIsAlone() throws {
        let result = try attlas("--version")
        #expect(result.output.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+\n/) != nil)
        expect(result.status, equals: 0)
    }

    @Test(arguments: [["--version", "--verbose"], ["--verbose", "--version"]])
    func theVersionsOfAReport(arguments: [String]) throws {
        let result = try Command.attlas(arguments)
        #expect(result.output.hasPrefix("attlas " + (try attlas("--version").output) + "commit "))
        for library in ["glibc", "libarchive", "libpcap version", "zlib", "liblzma", "sqlite", "ncurses"] {
            #expect(result.output.contains(try Regex("(?m)^\(library) [0-9]+\\.[0-9]+")), "\(library)")
        }
        expect(result.status, equals: 0)
        try expect(attlas("--verbose").status, equals: 64)
    }

    @Test func showReadsACaptureAndSumsItUp() throws {
        let result = try attlas("show", capture("heart-rate.btsnoop"))
        expect(result.status, equals: 0)
        #expect(result.errors.isEmpty)
        #expect(result.output.contains("72 bpm"))
        #expect(result.output.contains("1 peer · 1 connection · 97 ATT operations"))
    }

    @Test func standardInputIsACapture() throws {
        let file = try Data(contentsOf: URL(fileURLWithPath: capture("heart-rate.btsnoop")))
        let result = try attlas("show", "--json", "-", input: file)
        expect(result.status, equals: 0)
        #expect(result.output.split(separator: "\n").count { $0.contains(#""type":"att""#) } == 97)
    }

    @Test func aMissingFileIsStatus1AndTheOthersAreShown() throws {
        let result = try attlas("show", "/nonexistent.btsnoop", capture("after-discovery.btsnoop"))
        expect(result.status, equals: 1)
        #expect(result.errors.contains("/nonexistent.btsnoop: cannot be opened: No such file or directory"))
        #expect(result.output.contains("19 ATT operations"))
    }

    @Test func aCaptureCutShortIsShownThenReported() throws {
        let whole = try Data(contentsOf: URL(fileURLWithPath: capture("heart-rate.btsnoop")))
        let result = try attlas("show", "-", input: whole.prefix(whole.count - 5))
        expect(result.status, equals: 1)
        #expect(result.output.contains("176 records"))
        #expect(result.errors.contains("standard input"))
    }

    @Test func aFileThatIsNoCaptureIsRefused() throws {
        let result = try attlas("show", "-", input: Data("This is a letter.".utf8))
        expect(result.status, equals: 1)
        #expect(result.output.isEmpty)
        #expect(!result.errors.isEmpty)
    }

    @Test func anEmptyCaptureIsNoError() throws {
        let header: [UInt8] = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x03, 0xEA]
        let result = try attlas("show", "-", input: Data(header))
        expect(result.status, equals: 0)
        #expect(result.output.contains("0 records"))
    }

    @Test func aReaderThatGoesAwayIsNoError() throws {
        let result = try shell(
            "'\(binary)' show --json --hci '\(capture("l2cap-tester.btsnoop"))' | head -n 1; exit ${PIPESTATUS[0]}")
        expect(result.status, equals: 0)
        #expect(result.errors.isEmpty)
        expect(result.output.split(separator: "\n").count, equals: 1)
    }

    @Test func aFullDiskIsStatus1() throws {
        let result = try shell("'\(binary)' show '\(capture("heart-rate.btsnoop"))' > /dev/full")
        expect(result.status, equals: 1)
        #expect(result.errors.contains("No space left on device"))
    }

    @Test func anArgumentBreaksNoLineOfAMessage() throws {
        let errors = try attlas("sh\now").errors
        #expect(errors.contains(#"There is no command and no file "sh\now""#))
    }

    @Test func wrongUsageIsStatus64() throws {
        try expect(attlas("show").status, equals: 64)
        try expect(attlas("show", "--time", "never", capture("heart-rate.btsnoop")).status, equals: 64)
        try expect(attlas("show", "--frames", "9-3", capture("heart-rate.btsnoop")).status, equals: 64)
    }

    /// What came before the signal is printed before the next wait.
    @Test func whatWasReadBeforeASignalIsPrinted() throws {
        let result = try shell(
            """
            exec 3< <(cat '\(capture("heart-rate.btsnoop"))'; sleep 5)
            timeout --foreground --preserve-status -s INT 1 '\(binary)' show - <&3
            """)
        #expect(result.output.contains("ended by the peer after 9.1 s"))
        expect(result.status, equals: 130)
        expect(result.errors, equals: "attlas: interrupted by SIGINT: the output ends here\n")
    }

    @Test func theHintAtTheEndCanBePasted() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("it's \(UUID().uuidString)!")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let paths = ["-1 of 2.log", "2.log"].map { folder.appendingPathComponent($0).path }
        for path in paths {
            try FileManager.default.copyItem(atPath: capture("heart-rate.btsnoop"), toPath: path)
        }
        for arguments in ["--join '-1 of 2.log' 2.log", "2.log"] {
            let enter = "cd \"\(folder.path)\" && '\(binary)'"
            let shown = try shell("\(enter) show \(arguments.replacing("'-1", with: "'./-1"))")
            let hint = try #require(shown.output.split(separator: "\n").last)
            let command = self.command(hint)
            let tree = try shell("\(enter) \(command)")
            expect(tree.status, equals: 0, "\(command): \(tree.errors)")
            let expected = command.hasPrefix("why") ? "System ID cannot be read" : "Heart Rate Measurement"
            #expect(tree.output.contains(expected), "\(command)")
        }
        for path in paths {
            let hint = try attlas("show", path).output.split(separator: "\n").last ?? ""
            let command = self.command(hint)
            #expect(try shell("'\(binary)' \(command)").output.contains("System ID cannot be read"), "\(command)")
        }
    }

    /// Without what the command is for.
    private func command(_ hint: Substring) -> String {
        String(hint.dropFirst("Next: attlas ".count)).replacing(" shows what is on each device.", with: "")
            .replacing(" lists what broke, why, and what to do.", with: "")
    }

    // MARK: What is shown

    @Test func framesSelectRecords() throws {
        let result = try attlas("show", "--json", "--frames", "140-142", capture("heart-rate.btsnoop"))
        // The capture is the first line, the summary the last.
        let lines = result.output.split(separator: "\n").dropFirst().dropLast()
        expect(lines.count, equals: 3)
        #expect(lines.first?.contains(#""frame":140,"#) == true)
    }

    @Test func aCharacteristicIsSelectedByUUIDAndByName() throws {
        let byUUID = try attlas("show", "--json", "--characteristic", "2A37", capture("heart-rate.btsnoop"))
        let byName = try attlas("show", "--json", "--characteristic", "rate meas", capture("heart-rate.btsnoop"))
        expect(byUUID.output, equals: byName.output)
        let notifications = byUUID.output.split(separator: "\n").count { $0.contains(#""opcode":"0x1b""#) }
        expect(notifications, equals: 25)
        #expect(!byUUID.output.contains("Battery"))
    }

    @Test func aPeerIsSelectedByNameAndByAddress() throws {
        let byName = try attlas("show", "--json", "--peer", "oven", capture("two-peripherals.btsnoop"))
        let byAddress = try attlas("show", "--json", "--peer", "e6:0a:33", capture("two-peripherals.btsnoop"))
        expect(byName.output, equals: byAddress.output)
        #expect(byName.output.contains("Oven Probe"))
        #expect(!byName.output.contains("HRM-7"))
    }

    @Test func aFilterSelects() throws {
        let result = try attlas("show", "--json", "--filter", "error or fault", capture("heart-rate.btsnoop"))
        expect(result.status, equals: 0)
        expect(result.output.split(separator: "\n").count, equals: 1 + 2 + 1)
    }

    @Test func aWrongFilterIsWrongUsage() throws {
        let result = try attlas("show", "--filter", "frame > 3 and chr == 2A37", capture("heart-rate.btsnoop"))
        expect(result.status, equals: 64)
        #expect(result.output.isEmpty)
        #expect(
            result.errors == """
                attlas: --filter, column 15: there is no name "chr"; did you mean "char"?
                frame > 3 and chr == 2A37
                              ^

                """)
    }

    @Test func aTableHasOneHeader() throws {
        let result = try attlas("show", "--csv", capture("heart-rate.btsnoop"), capture("after-discovery.btsnoop"))
        let lines = result.output.split(separator: "\n")
        expect(lines.count, equals: 1 + 97 + 19)
        expect(lines.count { $0.hasPrefix("file,frame,time,") }, equals: 1)
    }

    @Test func aFieldBecomesASeries() throws {
        let file = capture("heart-rate.btsnoop")
        let result = try attlas("show", "--csv", "--field", "heart rate measurement value", file)
        let lines = result.output.split(separator: "\n")
        expect(lines.first, equals: "frame,time,peer,characteristic,Heart Rate Measurement Value")
        expect(lines.count, equals: 26)
        let wrong = try attlas("show", "--csv", "--field", "Batery Level", file)
        expect(wrong.status, equals: 64)
        #expect(wrong.errors.contains("did you mean \"Battery Level\"?"))
    }

    @Test(
        arguments: [
            ["--json", "--csv"], ["--csv", "--hci"], ["--csv", "--hex"], ["--csv", "-C", "3"],
            ["--field", "Battery Level"],
            ["-C", "-1"], ["-C", "1001"], ["--from", "5", "--to", "2"],
        ])
    func optionsThatExcludeEachOtherAreWrongUsage(options: [String]) throws {
        try expect(Command.attlas(["show"] + options + [capture("heart-rate.btsnoop")]).status, equals: 64)
    }

    /// The heart rate without what the host received, as a filter of the capture tool leaves it.
    @Test func aLogOfOneSideIsNamedAboveAndBelow() throws {
        let records = try Repository.packets(of: "heart-rate.btsnoop").filter { packet in
            packet.content != .packet(.acl) || packet.direction == .tx
        }.flatMap { packet -> [UInt8] in
            guard case .packet(let type) = packet.content else { return [] }
            return btsnoopRecord([type.rawValue] + packet.octets, flags: packet.direction == .rx ? 1 : 0)
        }
        let folder = try TemporaryFolder()
        let path = try folder.write(btsnoopHeader() + records, to: "sent.btsnoop")
        let lines = try attlas("show", path).output.split(separator: "\n")
        #expect(lines[1].hasPrefix("✗ This log holds only what this host sent."))
        expect(lines.count { $0.hasPrefix("✗ This log holds only what this host sent.") }, equals: 2)
        #expect(try attlas("show", "--json", path).output.split(separator: "\n")[0].contains(#""only_side":"tx""#))
        #expect(try attlas("stats", path).output.contains("This log holds only what this host sent."))
        #expect(!(try attlas("stats", path).output.contains("unanswered")))
        let findings = try attlas("lint", path).output
        #expect(findings.contains("\n✗ This log holds only what this host sent."))
        #expect(findings.contains("\nSilent because of that, in whole or after a gap: att/request-overlap, "))
        #expect(findings.hasPrefix("Nothing found."))
    }

    @Test func contextStandsAroundErrors() throws {
        let result = try attlas("show", "-C", "1", capture("heart-rate.btsnoop"))
        let lines = result.output.split(separator: "\n")
        expect(lines.count, equals: 1 + 7 + 4)
        expect(lines[4], equals: "--")
        #expect(result.output.contains("97 ATT operations"))
    }

    /// HCI_LE_Create_Connection of any device of the Filter Accept List: one attempt is cancelled, the other one fails (Connection
    /// Limit Exceeded).
    @Test func whatIsOnlyNotedIsNoMatchOfContext() throws {
        let folder = try TemporaryFolder()
        let create = """
            command 0D 20 19 60003000 01 00 000000000000 00 18002800 0000 2A00 0000 0000
            event 0F 04 00 01 0D 20
            """
        let octets = Conversation(
            "\(create)\nwait 3000\nevent 3E 13 01 02 0000 00 00 000000000000 0000 0000 0000 00\n"
                + "\(create)\nevent 3E 13 01 09 0000 00 00 000000000000 0000 0000 0000 00"
        ).packets.btsnoop
        let path = try folder.write(octets)
        #expect(try attlas("show", path).output.contains("connection attempt cancelled"))
        let matches = try attlas("show", "-C", "0", path).output
        #expect(matches.contains("Connection Limit Exceeded") && !matches.contains("connection attempt cancelled"))
        let all = try attlas("show", "--filter", "incident", path).output
        #expect(all.contains("connection attempt cancelled"))
    }

    @Test(
        arguments: [
            ("UTC0", "2026-11-21 09:55:20.743081+00:00"),
            ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-11-21 10:55:20.743081+01:00"),
            ("NST3:30NDT", "2026-11-21 06:25:20.743081-03:30"), ("<+14>-14", "2026-11-21 23:55:20.743081+14:00"),
        ])
    func localTimesHaveTheirOffset(zone: String, time: String) throws {
        let result = try shell(
            "TZ='\(zone)' '\(binary)' show --no-frame-numbers --time local '\(capture("heart-rate.btsnoop"))'")
        #expect(result.output.contains("\n\(time)  → HRM-7             Exchange MTU        247\n"))
        let name = zone.prefix { $0.isLetter }
        #expect(result.output.split(separator: "\n").first?.hasSuffix(name.isEmpty ? "+14" : " \(name)") == true)
    }

    @Test func jsonStaysInUTC() throws {
        let file = capture("heart-rate.btsnoop")
        let result = try shell("TZ=CET-1 '\(binary)' show --json --time local --frames 42 '\(file)'")
        #expect(result.output.contains("\"time\":\"2026-11-21T09:55:20.743081Z\""))
    }

    @Test func narrowTerminalsAndColour() throws {
        let plain = try attlas("show", capture("heart-rate.btsnoop"))
        #expect(!plain.output.contains("\u{1B}"))
        let coloured = try attlas("show", "--color", "always", capture("heart-rate.btsnoop"))
        #expect(coloured.output.contains("\u{1B}[31;1m"))
    }

    @Test func hciShowsWhatIsBelow() throws {
        let result = try attlas("show", "--hci", capture("heart-rate.btsnoop"))
        #expect(result.output.contains(#/LE Create Connection \(0x200D\) · .* · Peer Address F2:F2:F2:F2:F2:F2 · /#))
        #expect(result.output.contains("advertising · F2:F2:F2:F2:F2:F2 random-static"))
    }

    private var binary: String { Command.binary }

    private func capture(_ name: String) -> String { Repository.capture(name) }

    private func attlas(_ arguments: String..., input: Data? = nil) throws -> Command.Result {
        try Command.attlas(arguments, input: input)
    }

    private func shell(_ script: String) throws -> Command.Result {
        try Command.run("/bin/bash", ["-c", script])
    }

    /// Every result says that handles are not in an app's log, and lint takes nothing for granted.
    @Test(arguments: ["show", "tree", "stats", "lint", "devices", "why", "show --json", "report --format markdown"])
    func aLogOfAnAppIsMarkedEverywhere(_ command: String) throws {
        let text = """
            V\t11:36:44.000\tConnecting to F2:11:22:33:44:55...
            I\t11:36:45.000\tConnected to F2:11:22:33:44:55
            I\t11:36:48.427\tNotification received from 00002a37-0000-1000-8000-00805f9b34fb, value: (0x) 16-4B-2B-03
            I\t11:36:48.427\tNotification received from 00002a37-0000-1000-8000-00805f9b34fb, value: (0x) \
            16-4B\(String(repeating: "-2B-03", count: 20))
            """
        let result = try Command.attlas(command.split(separator: " ").map(String.init) + ["-"], input: Data(text.utf8))
        #expect(result.status == 0 && result.output.contains("handles are not in this log"), "\(result.output)")
        if command == "lint" { #expect(!result.output.contains("✗ error") && !result.output.contains("info    ")) }
        if command == "show" {
            #expect(result.output.contains("Heart Rate Measurement") && result.output.contains("75 bpm"))
        }
        if command == "show --json" { #expect(result.output.contains(#""source":"text","rebuilt":true"#)) }
    }
}
