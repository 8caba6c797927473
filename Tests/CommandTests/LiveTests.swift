import AttlasTestSupport
import Foundation
import Testing

/// `attlas live` from what needs no Bluetooth: pipes and growing files.
@Suite struct LiveTests {
    private func withFolder(_ body: (URL) throws -> Void) throws {
        try withExtendedLifetime(TemporaryFolder()) { try body($0.url) }
    }

    @Test func aPipeIsShownAndRecorded() throws {
        try withFolder { folder in
            let capture = try Data(contentsOf: URL(fileURLWithPath: Repository.capture("heart-rate.btsnoop")))
            let copy = folder.appendingPathComponent("copy.btsnoop").path
            let live = try Command.attlas(["live", "--json", "--write", copy, "-"], input: capture)
            #expect(live.status == 0)
            let shown = try Command.attlas(["show", "--json", Repository.capture("heart-rate.btsnoop")])
            #expect(lines(live.output, type: "att") == lines(shown.output, type: "att"))
            let recorded = try Command.attlas(["show", "--json", copy])
            #expect(lines(recorded.output, type: "att").count == 97)
        }
    }

    private func lines(_ output: String, type: String) -> [Substring] {
        output.split(separator: "\n").filter { $0.hasPrefix("{\"type\":\"\(type)\"") }
    }

    /// Written in two pieces, replaced, and cut: everything is shown, until SIGINT ends it.
    @Test func aGrowingFileIsFollowed() throws {
        try withFolder { folder in
            let log = folder.appendingPathComponent("log.btsnoop")
            let first = try Data(contentsOf: URL(fileURLWithPath: Repository.capture("heart-rate.btsnoop")))
            let second = try Data(contentsOf: URL(fileURLWithPath: Repository.capture("ice-cream.btsnoop")))
            try first.prefix(3_000).write(to: log)
            let output = folder.appendingPathComponent("output")
            _ = FileManager.default.createFile(atPath: output.path, contents: nil)
            let process = Process()
            process.executableURL = URL(fileURLWithPath: Command.binary)
            process.arguments = ["live", "--json", "--follow", log.path]
            process.standardOutput = try FileHandle(forWritingTo: output)
            process.standardError = FileHandle.nullDevice
            try process.run()
            func waitFor(_ count: Int) throws {
                for _ in 0..<300 {
                    let text = try String(contentsOf: output, encoding: .utf8)
                    if lines(text, type: "att").count >= count { return }
                    usleep(100_000)
                }
            }
            try waitFor(1)
            let handle = try FileHandle(forWritingTo: log)
            try handle.seekToEnd()
            try handle.write(contentsOf: first.dropFirst(3_000))
            try waitFor(97)
            let new = folder.appendingPathComponent("new")
            try second.write(to: new)
            try FileManager.default.removeItem(at: log)
            try FileManager.default.moveItem(at: new, to: log)
            try waitFor(97 + 58)
            process.interrupt()
            for _ in 0..<100 where process.isRunning { usleep(100_000) }
            if process.isRunning { process.terminate() }
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            #expect(lines(try String(contentsOf: output, encoding: .utf8), type: "att").count == 97 + 58)
        }
    }

    @Test func whatIsWrongIsSaid() throws {
        let both = try Command.attlas(["live", "--device", "x", "--follow", "y"])
        #expect(both.status == 64)
        let controller = try Command.attlas(["live", "--controller", "wlan0"])
        #expect(controller.errors.contains("\"wlan0\" is not a controller; an example is hci0."))
        let missing = try Command.attlas(["live", "--follow", "/no/such/file"])
        #expect(missing.status == 1)
        #expect(missing.errors.contains("No such file"))
        let device = try Command.attlas(["live", "--device", "no-such-device"])
        #expect(device.status == 1)
        #expect(device.errors.hasPrefix("attlas: no-such-device: "))
    }
}
