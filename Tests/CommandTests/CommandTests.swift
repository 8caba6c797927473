import Foundation
import Testing

/// The command as a user runs it: what it prints where, and its exit status.
@Suite struct CommandTests {
    @Test func showReadsACaptureAndSumsItUp() throws {
        let result = try attlas("show", capture("heart-rate.btsnoop"))
        #expect(result.status == 0)
        #expect(result.errors.isEmpty)
        #expect(result.output.contains("72 bpm"))
        #expect(result.output.contains("1 peer · 1 connection · 97 ATT operations"))
    }

    @Test func standardInputIsACapture() throws {
        let file = try Data(contentsOf: URL(fileURLWithPath: capture("heart-rate.btsnoop")))
        let result = try attlas("show", "--json", "-", input: file)
        #expect(result.status == 0)
        #expect(result.output.split(separator: "\n").count { $0.contains(#""type":"att""#) } == 97)
    }

    @Test func aMissingFileIsStatus1AndTheOthersAreShown() throws {
        let result = try attlas("show", "/nonexistent.btsnoop", capture("after-discovery.btsnoop"))
        #expect(result.status == 1)
        #expect(result.errors.contains("/nonexistent.btsnoop: cannot be opened: No such file or directory"))
        #expect(result.output.contains("19 ATT operations"))
    }

    @Test func aCaptureCutShortIsShownThenReported() throws {
        let whole = try Data(contentsOf: URL(fileURLWithPath: capture("heart-rate.btsnoop")))
        let result = try attlas("show", "-", input: whole.prefix(whole.count - 5))
        #expect(result.status == 1)
        #expect(result.output.contains("176 records"))
        #expect(result.errors.contains("standard input"))
    }

    @Test func aFileThatIsNoCaptureIsRefused() throws {
        let result = try attlas("show", "-", input: Data("This is a letter.".utf8))
        #expect(result.status == 1)
        #expect(result.output.isEmpty || !result.output.contains("ATT operations"))
        #expect(!result.errors.isEmpty)
    }

    @Test func anEmptyCaptureIsNoError() throws {
        let header: [UInt8] = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x03, 0xEA]
        let result = try attlas("show", "-", input: Data(header))
        #expect(result.status == 0)
        #expect(result.output.contains("0 records"))
    }

    @Test func aReaderThatGoesAwayIsNoError() throws {
        let result = try shell(
            "'\(binary)' show --json --hci '\(capture("l2cap-tester.btsnoop"))' | head -n 1; exit ${PIPESTATUS[0]}")
        #expect(result.status == 0)
        #expect(result.errors.isEmpty)
        #expect(result.output.split(separator: "\n").count == 1)
    }

    @Test func aFullDiskIsStatus1() throws {
        let result = try shell("'\(binary)' show '\(capture("heart-rate.btsnoop"))' > /dev/full")
        #expect(result.status == 1)
        #expect(result.errors.contains("No space left on device"))
    }

    @Test func wrongUsageIsStatus64() throws {
        #expect(try attlas("show").status == 64)
        #expect(try attlas("show", "--time", "never", capture("heart-rate.btsnoop")).status == 64)
        #expect(try attlas("show", "--frames", "9-3", capture("heart-rate.btsnoop")).status == 64)
    }

    @Test func interruptedReadingIsSummedUp() throws {
        let result = try shell(
            """
            exec 3< <(cat '\(capture("heart-rate.btsnoop"))'; sleep 5)
            timeout --foreground -s INT 1 '\(binary)' show - <&3
            """)
        #expect(result.output.contains("97 ATT operations"))
        // timeout reports 124 when the command ended by itself after the signal.
        #expect(result.status == 124 || result.status == 0)
        #expect(result.errors.isEmpty)
    }

    // MARK: What is shown

    @Test func framesSelectRecords() throws {
        let result = try attlas("show", "--json", "--frames", "140-142", capture("heart-rate.btsnoop"))
        let lines = result.output.split(separator: "\n").dropFirst()
        #expect(lines.count == 3)
        #expect(lines.first?.contains(#""frame":140,"#) == true)
    }

    @Test func aCharacteristicIsSelectedByUUIDAndByName() throws {
        let byUUID = try attlas("show", "--json", "--characteristic", "2A37", capture("heart-rate.btsnoop"))
        let byName = try attlas("show", "--json", "--characteristic", "rate meas", capture("heart-rate.btsnoop"))
        #expect(byUUID.output == byName.output)
        let notifications = byUUID.output.split(separator: "\n").count { $0.contains(#""opcode":"0x1b""#) }
        #expect(notifications == 25)
        #expect(!byUUID.output.contains("Battery"))
    }

    @Test func aPeerIsSelectedByNameAndByAddress() throws {
        let byName = try attlas("show", "--json", "--peer", "oven", capture("two-peripherals.btsnoop"))
        let byAddress = try attlas("show", "--json", "--peer", "e6:0a:33", capture("two-peripherals.btsnoop"))
        #expect(byName.output == byAddress.output)
        #expect(byName.output.contains("Oven Probe"))
        #expect(!byName.output.contains("HRM-7"))
    }

    @Test func aFilterSelects() throws {
        let result = try attlas("show", "--json", "--filter", "error or fault", capture("heart-rate.btsnoop"))
        #expect(result.status == 0)
        #expect(result.output.split(separator: "\n").count == 3)
    }

    @Test func aWrongFilterIsWrongUsage() throws {
        let result = try attlas("show", "--filter", "frame > 3 and chr == 2A37", capture("heart-rate.btsnoop"))
        #expect(result.status == 64)
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
        #expect(lines.count == 1 + 97 + 19)
        #expect(lines.count { $0.hasPrefix("file,frame,time,") } == 1)
    }

    @Test func aFieldBecomesASeries() throws {
        let file = capture("heart-rate.btsnoop")
        let result = try attlas("show", "--csv", "--field", "heart rate measurement value", file)
        let lines = result.output.split(separator: "\n")
        #expect(lines.first == "frame,time,peer,characteristic,Heart Rate Measurement Value")
        #expect(lines.count == 26)
        let wrong = try attlas("show", "--csv", "--field", "Batery Level", file)
        #expect(wrong.status == 64)
        #expect(wrong.errors.contains("did you mean \"Battery Level\"?"))
    }

    @Test(
        arguments: [
            ["--json", "--csv"], ["--csv", "--hci"], ["--csv", "--hex"], ["--csv", "-C", "3"],
            ["--field", "Battery Level"],
            ["-C", "-1"], ["-C", "1001"],
        ])
    func optionsThatExcludeEachOtherAreWrongUsage(options: [String]) throws {
        #expect(try Command.attlas(["show"] + options + [capture("heart-rate.btsnoop")]).status == 64)
    }

    @Test func contextStandsAroundErrors() throws {
        let result = try attlas("show", "-C", "1", capture("heart-rate.btsnoop"))
        let lines = result.output.split(separator: "\n")
        #expect(lines.count == 1 + 7 + 2)
        #expect(lines[4] == "--")
        #expect(result.output.contains("97 ATT operations"))
    }

    @Test(
        arguments: [
            ("UTC0", "2026-11-21 09:55:20.743081+00:00"),
            ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-11-21 10:55:20.743081+01:00"),
            ("NST3:30NDT", "2026-11-21 06:25:20.743081-03:30"), ("<+14>-14", "2026-11-21 23:55:20.743081+14:00"),
        ])
    func localTimesHaveTheirOffset(zone: String, time: String) throws {
        let result = try shell("TZ='\(zone)' '\(binary)' show --time local '\(capture("heart-rate.btsnoop"))'")
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
        #expect(result.output.contains("LE Create Connection (0x200D) · peer address F2:F2:F2:F2:F2:F2"))
        #expect(result.output.contains("advertising · F2:F2:F2:F2:F2:F2 random-static"))
    }

    // MARK: Tables from elsewhere

    @Test func anotherCaptureNamesEveryHandle() throws {
        let result = try attlas(
            "show", "--json", "--gatt-db", capture("heart-rate.btsnoop"), capture("after-discovery.btsnoop"))
        #expect(result.status == 0)
        #expect(result.errors.isEmpty)
        let operations = result.output.split(separator: "\n").filter { $0.contains(#""type":"att""#) }
        // 0x0042 is no attribute of the strap.
        #expect(operations.count { !$0.contains(#""known_from":"imported""#) } == 2)
        #expect(operations.count { $0.contains(#""handle":66"#) } == 2)
    }

    @Test func aTreeNamesWhatItsCaptureNames() throws {
        let tree = try attlas("tree", "--json", capture("heart-rate.btsnoop")).output
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(tree.utf8).write(to: file)
        for arguments in [["show", "--json"], ["show"], ["tree"], ["tree", "--json"]] {
            let after = [capture("after-discovery.btsnoop")]
            let byTree = try Command.attlas(arguments + ["--gatt-db", file.path] + after)
            let byCapture = try Command.attlas(arguments + ["--gatt-db", capture("heart-rate.btsnoop")] + after)
            #expect(byTree.output == byCapture.output)
            #expect(byTree.output.contains("imported"))
        }
    }

    @Test func aTableOfNoUseIsSaid() throws {
        let result = try attlas("tree", "--gatt-db", capture("heart-rate.btsnoop"), capture("ice-cream.btsnoop"))
        #expect(result.status == 0)
        #expect(result.errors.contains("not used: it holds the table of F2:F2:F2:F2:F2:F2, and no such peer is in"))
    }

    @Test func amongSeveralTablesNoneIsGuessed() throws {
        let result = try attlas(
            "show", "--gatt-db", capture("two-peripherals.btsnoop"), capture("after-discovery.btsnoop"))
        #expect(result.errors.contains("of 2 tables none can be chosen"))
        #expect(!result.output.contains("(imported)"))
    }

    @Test func aTableThatCannotBeReadIsStatus1AndTheCaptureIsShown() throws {
        let result = try attlas("show", "--gatt-db", "/nonexistent", capture("heart-rate.btsnoop"))
        #expect(result.status == 1)
        #expect(result.output.contains("97 ATT operations"))
        #expect(result.errors.contains("/nonexistent: cannot be opened"))
    }

    // MARK: Private addresses

    /// An LE Connection Complete with 70:81:94:0D:FB:AA, as the only record of a btsnoop log.
    private var privateConnection: Data {
        let event: [UInt8] = [
            0x04, 0x3E, 0x13, 0x01, 0x00, 0x40, 0x00, 0x00, 0x01, 0xAA, 0xFB, 0x0D, 0x94, 0x81, 0x70, 0x18, 0x00, 0x00,
            0x00, 0x48, 0x00, 0x00,
        ]
        let header: [UInt8] = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x03, 0xEA]
        let length: [UInt8] = [0, 0, 0, UInt8(event.count)]
        let record: [UInt8] = length + length + [0, 0, 0, 3, 0, 0, 0, 0, 0, 0xE0, 0x3A, 0xB4, 0x4A, 0x67, 0x60, 0]
        return Data(header + record + event)
    }

    @Test func aGivenKeyResolvesAPrivateAddress() throws {
        let key = "EC0234A357C8AD05341010A60A397D9B"
        let named = try attlas("show", "--json", "--irk", key + "=F2:F2:F2:F2:F2:F2", "-", input: privateConnection)
        #expect(named.status == 0)
        #expect(
            named.output.contains(
                #""peer":{"address":"F2:F2:F2:F2:F2:F2","address_type":"random-static","resolved_from":"70:81:94:0D:FB:AA"}"#
            ))
        let other = try attlas("devices", "--irk", key + "=f2:f2:f2:f2:f2:f2/public", "-", input: privateConnection)
        #expect(other.output.contains("F2:F2:F2:F2:F2:F2  public"))
        #expect(other.output.contains("as 70:81:94:0D:FB:AA"))
        let wrong = try attlas("tree", "--irk", String(key.reversed()), "-", input: privateConnection)
        #expect(wrong.output.contains("70:81:94:0D:FB:AA random-resolvable"))
    }

    @Test(arguments: [
        "EC0234A357C8AD05341010A60A397D9", "XC0234A357C8AD05341010A60A397D9B", "+C0234A357C8AD05341010A60A397D9B",
        "EC0234A357C8AD05341010A60A397D9B=", "EC0234A357C8AD05341010A60A397D9B=F2:F2:F2:F2:F2",
        "EC0234A357C8AD05341010A60A397D9B=F2:F2:F2:F2:F2:F2/static",
    ])
    func whatIsNoKeyIsWrongUsageAndNotRepeated(_ key: String) throws {
        let result = try attlas("show", "--irk", key, "-", input: privateConnection)
        #expect(result.status == 64)
        #expect(result.errors.contains("--irk takes 32 hexadecimal digits"))
        #expect(!result.errors.contains("C0234A357C8AD05341010A60A397D9"))
    }

    @Test func keysOfTheCaptureAreNotShown() throws {
        // LE Enable Encryption stands in frame 113, with the Long Term Key behind handle, random number and diversifier.
        for arguments in [["show", "--hci"], ["show", "--hci", "--hex"], ["show", "--hci", "--json"]] {
            let result = try Command.attlas(arguments + [capture("pairing.btsnoop")])
            #expect(result.output.contains("LE Enable Encryption"))
            let digits = result.output.filter { !$0.isWhitespace }.lowercased()
            #expect(!digits.contains("31147a5834d4829b54b32baa3583c9fa"))
        }
    }

    private var binary: String { Command.binary }

    private func capture(_ name: String) -> String { Command.capture(name) }

    private func attlas(_ arguments: String..., input: Data? = nil) throws -> Command.Result {
        try Command.attlas(arguments, input: input)
    }

    private func shell(_ script: String) throws -> Command.Result {
        try Command.run("/bin/bash", ["-c", script])
    }
}
