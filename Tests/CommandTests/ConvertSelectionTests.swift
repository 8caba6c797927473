import AttlasTestSupport
import Foundation
import Testing

/// `attlas convert` of a part of a capture. tshark counts what is in it.
@Suite struct ConvertSelectionTests {
    private static let tshark = Tool("tshark")

    /// The numbers of the frames that match a display filter.
    private func frames(_ path: String, _ filter: String = "frame") throws -> [Int] {
        let output = try Self.tshark?.run(["-r", path, "-Y", filter, "-T", "fields", "-e", "frame.number"]) ?? []
        return String(decoding: output, as: UTF8.self).split(separator: "\n").compactMap { Int($0) }
    }

    private func times(_ path: String, _ frames: [Int]) throws -> [String] {
        let output = try Self.tshark?.run(["-r", path, "-T", "fields", "-e", "frame.time_epoch"]) ?? []
        let all = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
        return frames.map { all.indices.contains($0 - 1) ? all[$0 - 1] : "" }
    }

    private func convert(_ arguments: [String], _ name: String, to out: String) throws -> Command.Result {
        try Command.attlas(["convert", "--force", Repository.capture(name), out] + arguments)
    }

    @Test(
        .enabled(if: tshark != nil),
        arguments: [
            (["--frames", "100-120"], "frame.number >= 100 and frame.number <= 120"),
            (["--filter", "error"], "btatt.opcode == 0x01 and btatt.error_code != 0x0a"),
            (["--filter", "method == \"Read Request\""], "btatt.opcode == 0x0a"),
            (["--from", "1", "--to", "2"], "frame.time_relative >= 1 and frame.time_relative <= 2"),
            (["--from", "2026-11-21T09:53:37Z"], "frame.time >= \"2026-11-21 09:53:37\""),
        ])
    func aPartHasTheRecordsThatTsharkFinds(_ arguments: [String], _ filter: String) throws {
        let folder = try TemporaryFolder()
        let name = "pairing.btsnoop"
        let expected = try frames(Repository.capture(name), filter)
        try #require(!expected.isEmpty && expected.count < 161, "\(filter)")
        let out = folder.path("part.pcapng")
        let result = try convert(arguments, name, to: out)
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        try expect(times(out, Array(1...expected.count)), equals: times(Repository.capture(name), expected))
        try expect(frames(out).count, equals: expected.count)
    }

    /// The values of one peripheral of two, with their names; nothing of the other.
    @Test func aPartWithContextIsDecodedAsBefore() throws {
        let folder = try TemporaryFolder()
        let out = folder.path("part.btsnoop")
        let filter = "method == notification"
        let name = "two-peripherals.btsnoop"
        let result = try convert(["--filter", filter, "--with-context"], name, to: out)
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        func values(_ path: String) throws -> [String] {
            try Command.attlas(["show", "--csv", "--filter", filter, path]).output.split(separator: "\n").map {
                // Frames have other numbers.
                $0.split(separator: ",", omittingEmptySubsequences: false).filter { Int($0) == nil }
                    .joined(separator: ",")
            }
        }
        try expect(values(out), equals: values(Repository.capture(name)))
        #expect(try values(out).count > 20)
        // Alone they have no names.
        _ = try convert(["--filter", filter], name, to: out)
        #expect(try values(out) != values(Repository.capture(name)))
    }

    /// An incident alone is the same incident, with its request.
    @Test func anIncidentIsStillOne() throws {
        let folder = try TemporaryFolder()
        let out = folder.path("part.pcapng")
        let name = "careless-scale.btsnoop"
        let result = try convert(["--incident", "2", "--with-context"], name, to: out)
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        func titles(_ path: String) throws -> [Substring] {
            try Command.attlas(["why", path]).output.split(separator: "\n").filter { $0.first?.isNumber == true }
        }
        let whole = try titles(Repository.capture(name)).filter { $0.hasPrefix("2  ") }
        let part = try titles(out)
        expect(whole.count, equals: 1)
        #expect(
            part.contains { $0.dropFirst(3).split(separator: "·")[0] == whole[0].dropFirst(3).split(separator: "·")[0] }
        )
        let none = try convert(["--incident", "77"], name, to: out)
        #expect(none.status == 1 && none.errors.contains("--incident 77: there is no such incident, attlas why lists"))
    }

    @Test func nothingSelectedIsNothingWritten() throws {
        let folder = try TemporaryFolder()
        for arguments in [["--peer", "nobody"], ["--frames", "5000-"], ["--filter", "rtt > 100s"]] {
            let result = try convert(arguments, "pairing.btsnoop", to: folder.path("part.pcapng"))
            #expect(result.status == 1 && result.errors.contains("nothing was written"), "\(result.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("part.pcapng")))
        for arguments in [["--with-context"], ["--incident", "1", "--peer", "x"], ["-C", "3"]] {
            try expect(convert(arguments, "pairing.btsnoop", to: folder.path("part.pcapng")).status, equals: 64)
        }
    }

    /// What must be decoded first is read twice.
    @Test func aStreamIsSelectedByItsRecordsOnly() throws {
        let folder = try TemporaryFolder()
        let input = try Data(contentsOf: URL(filePath: Repository.capture("pairing.btsnoop")))
        let out = folder.path("part.pcapng")
        try expect(Command.attlas(["convert", "--frames", "1-9", "-", out], input: input).status, equals: 0)
        let refused = try Command.attlas(["convert", "--force", "--filter", "error", "-", out], input: input)
        #expect(refused.status == 1 && refused.errors.contains("it can be read only once"))
    }

    /// Three hosts that call their adapter 0: all packets, in the order of their times.
    @Test(.enabled(if: tshark != nil)) func severalInputsAreMerged() throws {
        let folder = try TemporaryFolder()
        let names = ["pairing.btsnoop", "led-strip.btsnoop", "heart-rate.btsnoop"]
        let paths = names.map(Repository.capture)
        let out = folder.path("all.pcapng")
        try expect(Command.attlas(["convert"] + paths + [out]).status, equals: 0)
        let all = try frames(out)
        #expect(try all.count == paths.reduce(0) { $0 + (try frames($1).count) })
        let found = try times(out, all)
        expect(found, equals: found.sorted())
        let operations = try Command.attlas(["show", "--json", "--filter", "method == notification", out]).output
        let expected = try paths.map {
            try Command.attlas(["show", "--json", "--filter", "method == notification", $0]).output
        }
        func values(_ text: String) -> Set<String> {
            Set(text.matches(of: /"value":"([0-9a-f]*)"/).map { String($0.1) })
        }
        expect(values(operations), equals: expected.reduce(into: []) { $0.formUnion(values($1)) })
        let refused = try Command.attlas(["convert"] + paths + [folder.path("all.pklg")])
        #expect(refused.status == 1 && refused.errors.contains("cannot hold packets of several controllers"))
    }
}
