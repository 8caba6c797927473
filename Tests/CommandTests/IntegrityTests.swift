import AttlasTestSupport
import Foundation
import Testing

/// What is missing from a capture is told by every command, and makes the status 2 with `--fail-on incomplete`.
@Suite struct IntegrityTests {
    private static let commands = ["show", "stats", "tree", "lint", "devices"]
    private static let whole = Repository.capture("heart-rate.btsnoop")
    /// A Read Request, 5 records that the counter says were dropped, and its response.
    private static let lossy = Repository.capture("malformed/btsnoop-drops-counter-restarts.btsnoop")
    /// A packet of an interface that no block describes.
    private static let unreadable = Repository.capture("malformed/pcapng-interface-unknown.pcapng")
    private static let cut = Repository.capture("malformed/btsnoop-record-cut-short.btsnoop")

    @Test(arguments: commands)
    func aCompleteCaptureHasNoPartBelow(_ command: String) throws {
        let result = try Command.attlas([command, "--fail-on", "incomplete", Self.whole])
        expect(result.status, equals: 0)
        #expect(!result.output.contains("\n✗"))
        #expect(result.errors.isEmpty)
        #expect(
            try last(command, Self.whole)
                == #"{"complete":true,"cut":0,"cuts":[],"ends_early":false,"limits":[],"lost":0,"missed":0,"records":177,"#
                + #""skipped":0,"unreadable":0}"#)
    }

    @Test(arguments: commands)
    func lostRecordsAreTold(_ command: String) throws {
        #expect(
            try Command.attlas([command, Self.lossy]).output.contains("✗ 5 records lost before the capture got them\n"))
        let json = try last(command, Self.lossy)
        #expect(json.contains(#""complete":false"#))
        #expect(json.contains(#""lost":5"#))
        try expect(status(command, Self.lossy), equals: 0)
        try expect(status(command, "--fail-on", "incomplete", Self.lossy), equals: 2)
        // A capture that is complete does not hide another one.
        try expect(status(command, "--fail-on", "incomplete", Self.lossy, Self.whole), equals: 2)
    }

    @Test(arguments: commands)
    func unreadableRecordsAreTold(_ command: String) throws {
        let result = try Command.attlas([command, Self.unreadable])
        #expect(result.output.contains("✗ 1 record of the file could not be read\n"))
        #expect(try last(command, Self.unreadable).contains(#""unreadable":1"#))
        try expect(status(command, "--fail-on", "incomplete", Self.unreadable), equals: 2)
    }

    /// An HCI event of 6 octets, cut to 4.
    @Test(arguments: commands)
    func cutPacketsAreTold(_ command: String) throws {
        try withExtendedLifetime(TemporaryFolder()) { folder in
            let octets = btsnoopHeader() + btsnoopRecord(hex("04 05 04 00"), flags: 3, original: 7)
            let capture = try folder.write(octets, to: "cut.btsnoop")
            let text = try Command.attlas([command, "--fail-on", "incomplete", capture])
            expect(text.status, equals: 2)
            #expect(text.output.contains("✗ 1 packet cut by the capture: record with a longer snapshot length\n"))
            #expect(try last(command, capture).contains(#""cut":1"#))
        }
    }

    /// What cannot be read to its end has status 1 in any case.
    @Test(arguments: commands)
    func aCaptureThatEndsEarlyIsTold(_ command: String) throws {
        let result = try Command.attlas([command, "--fail-on", "incomplete", Self.cut])
        expect(result.status, equals: 1)
        #expect(result.output.contains("✗ the capture could not be read to its end: the last record is cut short"))
        let json = try last(command, Self.cut)
        #expect(json.contains(#""ends_early":true"#))
        #expect(json.contains(#""reason":"the last record is cut short: 35 octets needed, 32 available""#))
    }

    @Test(arguments: commands)
    func aReachedLimitIsTold(_ command: String) throws {
        let capture = Repository.capture("two-peripherals.btsnoop")
        let limit = ["--limit", "connections=1"]
        let text = try Command.attlas([command] + limit + [capture])
        #expect(text.output.contains("limit of 1 live connections reached"))
        #expect(text.errors.isEmpty)
        #expect(try last(command, more: limit, capture).contains(#""limits":[{"limit":"connections","number":1}]"#))
        try expect(Command.attlas([command, "--fail-on", "incomplete"] + limit + [capture]).status, equals: 2)
        try expect(status(command, "--fail-on", "incomplete", capture), equals: 0)
    }

    @Test func bothCapturesOfADifferenceHaveTheirPart() throws {
        let text = try Command.attlas(["diff", Self.whole, Self.lossy]).output
        #expect(text.contains("✗ B: 5 records lost before the capture got them\n"))
        let json = try Command.attlas(["diff", "--json", Self.whole, Self.lossy]).output
        #expect(json.contains(#""integrity":{"a":{"complete":true,"#))
        #expect(json.contains(#""b":{"complete":false,"#))
        try expect(status("diff", "--fail-on", "incomplete", Self.whole, Self.lossy), equals: 2)
        try expect(status("diff", "--fail-on", "incomplete", Self.whole, Self.whole), equals: 0)
    }

    @Test func aTableHasItsPartOnStandardError() throws {
        for arguments in [["--csv"], ["--csv", "--field", "Heart Rate Measurement Value"]] {
            let result = try Command.attlas(["show"] + arguments + [Self.lossy])
            #expect(result.errors.contains("\(Self.lossy): 5 records lost before the capture got them\n"))
            #expect(!result.output.contains("lost"))
        }
    }

    @Test func lintFailsForFindingsOrForWhatIsMissing() throws {
        let findings = Repository.capture("many-sensors.btsnoop")
        try expect(status("lint", "--fail-on", "incomplete", findings), equals: 0)
        try expect(status("lint", "--fail-on", "incomplete", "--fail-on", "error", findings), equals: 2)
        try expect(status("lint", "--fail-on", "incomplete", "--fail-on", "error", Self.lossy), equals: 2)
        try expect(status("lint", "--fail-on", "error", Self.lossy), equals: 0)
    }

    /// Two records, the second one an hour before the first.
    @Test func aClockThatGoesBackGivesNoDuration() throws {
        let reset = hex("01 03 0C 00")
        let capture = btsnoopHeader() + btsnoopRecord(reset) + btsnoopRecord(reset, time: btsnoopTime - 3_600_000_000)
        let result = try Command.attlas(["show", "-"], input: Data(capture))
        #expect(result.output.contains("\n2 records · "))
        let late = try Command.attlas(["show", "--from", "1", "-"], input: Data(capture))
        #expect(late.errors.contains("nothing after --from\n"))
    }

    /// Findings do not hide what makes the status 1.
    @Test func aDefinitionWithAMistakeIsStatus1() throws {
        try withExtendedLifetime(TemporaryFolder()) { folder in
            let definition = try folder.write(Array("characteristics: 7\n".utf8), to: "mistaken.yaml")
            let arguments = ["--fail-on", "incomplete", "--dissectors", definition, Self.lossy]
            for command in ["show", "lint"] { try expect(Command.attlas([command] + arguments).status, equals: 1) }
        }
    }

    private func status(_ arguments: String...) throws -> Int32 { try Command.attlas(arguments).status }

    /// The integrity of the last line, with its keys in order.
    private func last(_ command: String, more: [String] = [], _ capture: String) throws -> String {
        let output = try Command.attlas([command, "--json"] + more + [capture]).output
        let line = try #require(output.split(separator: "\n").last)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let integrity = try #require(object["integrity"])
        let data = try JSONSerialization.data(withJSONObject: integrity, options: [.sortedKeys])
        return String(decoding: data, as: UTF8.self)
    }
}
