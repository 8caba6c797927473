import AttlasTestSupport
import Foundation
import Testing

/// A file that is large enough is shown by several threads; from a pipe there is always one.
@Suite struct LargeCaptureTests {
    /// The conversation over and over, its records as they are, until there are 12 stretches of them or more.
    private static func large(_ name: String) throws -> [UInt8] {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: Repository.capture(name))))
        var large = bytes[..<16]
        while large.count < 1_200_000 { large += bytes[16...] }
        return Array(large)
    }

    @Test func threadsWriteWhatOneDoes() throws {
        try expectTheSame("many-sensors.btsnoop", options: ["--filter", "method == notification", "--hex"])
    }

    fileprivate func expectTheSame(_ name: String, options: [String]) throws {
        let folder = try TemporaryFolder()
        let bytes = Data(try Self.large(name))
        let path = try folder.write(Array(bytes))
        let shared = try Command.attlas(["show", "--threads", "3"] + options + [path])
        let alone = try Command.attlas(["show"] + options + ["-"], input: bytes)
        expect(shared.status, equals: alone.status)
        // The first line and the last one name the file.
        let lines = shared.output.utf8.split(separator: UInt8(ascii: "\n")).dropFirst().dropLast()
        let wanted = alone.output.utf8.split(separator: UInt8(ascii: "\n")).dropFirst().dropLast()
        #expect(wanted.count > 500)
        expect(lines.count, equals: wanted.count, "\(options)")
        if let place = zip(lines, wanted).enumerated().first(where: { !$0.element.0.elementsEqual($0.element.1) }) {
            let (got, expected) = (String(place.element.0), String(place.element.1))
            Issue.record("\(options), line \(place.offset):\n  got    \(got ?? "")\n  wanted \(expected ?? "")")
        }
    }

    @Test func aSelectionAndACutEndAreShownAlike() throws {
        try expectTheSameOfACutCapture(threads: "2", options: ["--json", "--frames", "1000-5000"])
    }

    fileprivate func expectTheSameOfACutCapture(threads: String, options: [String]) throws {
        let folder = try TemporaryFolder()
        var bytes = try Self.large("many-sensors.btsnoop")
        bytes.removeLast(5)
        let path = try folder.write(bytes)
        let input = Data(bytes)
        let shared = try Command.attlas(["show", "--threads", threads] + options + [path])
        let alone = try Command.attlas(["show"] + options + ["-"], input: input)
        expect(shared.output, equals: alone.output, "\(options)")
        expect(shared.status, equals: alone.status)
    }

    @Test func whoReadsTheFirstLinesOnlyEndsIt() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(try Self.large("many-sensors.btsnoop"))
        #expect(try folder.run("'\(Command.binary)' show --json in | head -n 5 > out; exit ${PIPESTATUS[0]}"))
    }

    /// Several files are decoded at once, the small ones long before the large one that is named first.
    @Test(arguments: ["stats"])
    func filesAreShownInTheirOrder(_ command: String) throws {
        let folder = try TemporaryFolder()
        let large = try folder.write(try Self.large("many-sensors.btsnoop"))
        let files = [
            large, Repository.capture("heart-rate.btsnoop"), "/nonexistent", Repository.capture("eatt.btsnoop"),
        ]
        let together = try Command.attlas([command, "--json"] + files)
        let alone = try files.map { try Command.attlas([command, "--json", $0]) }
        expect(together.output, equals: alone.map(\.output).joined())
        expect(together.errors, equals: alone.map(\.errors).joined())
        expect(together.status, equals: 1)
    }
}

/// … with other captures, options, numbers of threads and commands.
@Suite struct LargeCaptureLongTests {
    @Test(
        arguments: ["many-sensors.btsnoop", "eatt.btsnoop"],
        [["--json", "--hci"], ["--filter", "method == notification", "--hex"]])
    func threadsWriteWhatOneDoes(_ name: String, options: [String]) throws {
        try LargeCaptureTests().expectTheSame(name, options: options)
    }

    @Test(arguments: ["2", "4"], [["--json", "--frames", "1000-5000"], ["--json"]])
    func aSelectionAndACutEndAreShownAlike(threads: String, options: [String]) throws {
        try LargeCaptureTests().expectTheSameOfACutCapture(threads: threads, options: options)
    }

    @Test(arguments: ["tree", "devices", "lint"]) func filesAreShownInTheirOrder(_ command: String) throws {
        try LargeCaptureTests().filesAreShownInTheirOrder(command)
    }
}
