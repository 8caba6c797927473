import AttlasTestSupport
import Foundation
import Glibc
import Testing

/// Calls of the system fail, at the first and the last place where a command makes them, with an error that they may give, once or from
/// there on. Tests/Faults/system-faults.c plays the system.
///
/// A command then either does what it always does, or says why not and ends with status 1. What could not be removed is said with
/// status 0.
@Suite(
    .enabled(if: ProcessInfo.processInfo.environment["ATTLAS_SANITIZER"] == nil, "a sanitizer has to be loaded first"))
struct SystemFaultTests {
    /// The errors of each call; -1: fewer octets than there are. What lasts is in the second list.
    private static let errors: [String: (once: [CInt], lasting: [CInt])] = [
        "open": ([ENOENT, EACCES, EMFILE, EIO], [EMFILE]),
        "read": ([EIO, EINTR, EISDIR, -1], [EIO, -1]),
        "write": ([EIO, ENOSPC, EINTR, EFBIG, -1], [EIO, ENOSPC, -1]),
        "stat": ([EIO, EACCES], [EIO]), "close": ([EIO, EINTR], [EIO]), "seek": ([ESPIPE], [ESPIPE]),
        "mmap": ([ENOMEM], [ENOMEM]), "poll": ([EINTR, ENOMEM], [ENOMEM]), "fsync": ([EIO], [EIO]),
        "rename": ([EACCES], [EACCES]), "link": ([EACCES, EIO], [EIO]), "unlink": ([EACCES, EIO], [EACCES]),
        "flock": ([ENOLCK, EWOULDBLOCK], [ENOLCK]),
        "thread": ([EAGAIN], [EAGAIN]),
    ]

    /// What is put into the folder: a capture, the same compressed, a definition file, one that is recorded.
    private static let preparation = """
        cp '\(Repository.capture("heart-rate.btsnoop"))' a.btsnoop && cp '\(Repository.capture("ice-cream.btsnoop"))' b.btsnoop
        gzip --keep a.btsnoop && zip --quiet c.zip a.btsnoop b.btsnoop
        cp '\(Repository.path("Dissectors/vendors/nordic-uart.yaml"))' d.yaml || cp "$(ls '\(Repository.path("Dissectors/vendors"))'/*.yaml | head -n 1)" d.yaml
        cc -shared -fPIC -o faults.so '\(Repository.path("Tests/Faults/system-faults.c"))'
        """

    /// One that reads something compressed, and one that writes several files.
    static let commands = [
        "show --json a.btsnoop.gz", "live --json --write r.pcapng --rotate-size 2k --keep-files 2 a.btsnoop",
    ]
    static let others = [
        "show a.btsnoop b.btsnoop", "show --csv c.zip", "tree a.btsnoop", "stats a.btsnoop",
        "lint --json a.btsnoop", "devices b.btsnoop", "diff a.btsnoop b.btsnoop", "dissectors check d.yaml",
        "show --dissectors d.yaml a.btsnoop", "live --json a.btsnoop",
        "report a.btsnoop --output r.html", "live --json --write r.btsnoop a.btsnoop",
    ]

    private struct Outcome: Equatable {
        var status: Int32
        var output: Data
        var errors: String
        /// By name.
        var recordings: [String: Data]
    }

    private func run(_ command: String, in folder: URL, _ environment: [String: String]) throws -> Outcome {
        for name in try names(in: folder) where name.hasPrefix("r.") {
            try FileManager.default.removeItem(at: folder.appending(path: name))
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        // After a minute it is called hanging.
        process.arguments = [
            "-c",
            "exec timeout -s KILL 60 env LD_PRELOAD=./faults.so '\(Command.binary)' \(command) 9> counts > output 2> errors",
        ]
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        var recordings: [String: Data] = [:]
        for name in try names(in: folder) where name.hasPrefix("r.") {
            recordings[name] = try Data(contentsOf: folder.appending(path: name))
        }
        return Outcome(
            status: process.terminationReason == .exit ? process.terminationStatus : -1,
            output: try Data(contentsOf: folder.appending(path: "output")),
            errors: try String(contentsOf: folder.appending(path: "errors"), encoding: .utf8), recordings: recordings)
    }

    private func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
    }

    @Test(arguments: commands) func whateverFailsIsSaidOrMadeGood(_ command: String) throws {
        try tryFaults(of: command, isLong: false)
    }

    /// - Parameter isLong: at every place, and with every error that a call may have; otherwise one for each.
    func tryFaults(of command: String, isLong: Bool) throws {
        let folder = try TemporaryFolder()
        try #require(try folder.run(Self.preparation))
        let source = try Data(contentsOf: folder.url.appending(path: "a.btsnoop"))
        // With all files that were begun.
        let begun = try run(command.replacing(" --keep-files 2", with: ""), in: folder.url, [:]).recordings
        let good = try run(command, in: folder.url, ["FAULT_COUNTS": "9"])
        #expect(good.status == 0 || command.hasPrefix("lint"), "\(good.errors)")
        let counts = try String(contentsOf: folder.url.appending(path: "counts"), encoding: .utf8)
        var runs = 0
        for line in counts.split(separator: "\n") {
            let (call, count) = (
                String(line.split(separator: " ")[0]), try #require(Int(line.split(separator: " ")[1]))
            )
            let (once, lasting) = try #require(Self.errors[call])
            let all = once.map { ($0, "0") } + lasting.map { ($0, "1") }
            let faults = isLong ? all : [all[runs % all.count]]
            for number in 1...max(1, count) where number <= count && (isLong || number == 1 || number == count) {
                for (error, lasts) in faults {
                    let outcome = try run(
                        command, in: folder.url,
                        [
                            "FAULT_CALL": call, "FAULT_NUMBER": String(number), "FAULT_ERROR": String(error),
                            "FAULT_LASTS": lasts,
                        ])
                    let what: Comment =
                        "\(command): \(call) \(number), error \(error), lasting \(lasts): \(outcome.errors)"
                    judge(outcome, good, begun, what)
                    runs += 1
                }
            }
        }
        #expect(runs > (isLong ? 30 : 8))
        try expect(Data(contentsOf: folder.url.appending(path: "a.btsnoop")), equals: source)
    }

    private func judge(_ outcome: Outcome, _ good: Outcome, _ all: [String: Data], _ what: Comment) {
        if outcome.status == good.status, outcome.errors == good.errors {
            expect(outcome.output, equals: good.output, what)
            expect(outcome.recordings, equals: good.recordings, what)
            return
        }
        #expect(outcome.status == 1 || outcome.status == 0 && outcome.errors.contains("cannot be removed"), what)
        // Standard error itself may be what fails; mistakes in definition files are the answer.
        let isSaid = outcome.errors.hasPrefix("attlas: ") || what.rawValue.contains(": write ")
        #expect(isSaid || what.rawValue.hasPrefix("dissectors check") && !outcome.output.isEmpty, what)
        for (name, recording) in outcome.recordings {
            // What was recorded is whole records of what would have been.
            #expect(all[name]?.starts(with: recording) ?? false, what)
            #expect(!recording.isEmpty, what)
        }
    }
}

/// The same for the other commands, at every place, with every error.
@Suite(
    .enabled(if: ProcessInfo.processInfo.environment["ATTLAS_SANITIZER"] == nil, "a sanitizer has to be loaded first"))
struct SystemFaultLongTests {
    @Test(arguments: SystemFaultTests.commands + SystemFaultTests.others)
    func whateverFailsIsSaidOrMadeGood(_ command: String) throws {
        try SystemFaultTests().tryFaults(of: command, isLong: true)
    }
}
