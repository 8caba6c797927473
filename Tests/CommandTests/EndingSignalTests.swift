import AttlasFuzz
import AttlasTestSupport
import Foundation
import Testing

/// Signals while a command reads: it ends with 128 and the number of the signal, says so in one line, and leaves nothing unfinished.
///
/// Tests/Faults/system-faults.c lets it wait in the middle of a capture.
@Suite(
    .enabled(if: ProcessInfo.processInfo.environment["ATTLAS_SANITIZER"] == nil, "a sanitizer has to be loaded first"))
struct EndingSignalTests {
    /// A call of each command that reads. `open` needs a terminal (OpenScreenTests); `live` and `extcap` end no other way (LiveTests,
    /// ExtcapTests); the rest reads nothing that could make it wait.
    private static let calls = [
        "show": "show a.btsnoop", "tree": "tree a.btsnoop", "devices": "devices a.btsnoop", "stats": "stats a.btsnoop",
        "lint": "lint --fail-on error a.btsnoop b.btsnoop", "why": "why a.btsnoop",
        "check": "check a.btsnoop expectations.yaml", "diff": "diff a.btsnoop b.btsnoop",
        "fleet": "fleet a.btsnoop b.btsnoop",
        "report": "report a.btsnoop -o out.html", "export": "export --sqlite out.db a.btsnoop",
        "convert": "convert a.btsnoop out.pcapng", "anonymize": "anonymize a.btsnoop out.pcapng",
        "infer": "infer a.btsnoop", "values": "values a.btsnoop 2A37", "bench": "bench a.btsnoop",
        "dissectors check": "dissectors check d.yaml --capture a.btsnoop",
        "generate": "generate swift d.yaml -o out.swift",
        "dissect": "dissect --dissectors d.yaml 2A37 0648",
        "dissectors list": "dissectors list --dissectors d.yaml",
        "dissectors show": "dissectors show --dissectors d.yaml 2A37",
        "dissectors new": "dissectors new FFF1 Example --from a.btsnoop",
        "keys": "keys a.btsnoop", "readers check": "readers check reader.yaml",
    ]
    private static let elsewhere: Set = ["open", "live", "extcap", "readers list", "readers new"]

    @Test func everyCommandIsTried() throws {
        let names = try CommandDescription.all(of: Command.binary).map { $0.words.joined(separator: " ") }
        expect(Set(names), equals: Set(Self.calls.keys).union(Self.elsewhere))
    }

    private static let preparation = """
        cp '\(Repository.capture("heart-rate.btsnoop"))' a.btsnoop && cp a.btsnoop b.btsnoop
        cp "$(ls '\(Repository.path("Dissectors/vendors"))'/*.yaml | head -n 1)" d.yaml
        \(Command.binary) readers new App > reader.yaml
        printf 'expectations:\\n  - rtt: { below: 30000 ms }\\n' > expectations.yaml
        cc -shared -fPIC -o faults.so '\(Repository.path("Tests/Faults/system-faults.c"))'
        """

    /// - Parameter number: the read that waits; the first reads are of definitions and tables.
    private func end(_ call: String, by signal: String, number: Int, in folder: TemporaryFolder) throws
        -> Command.Result
    {
        // bash gives SIGINT to what it runs in the background as ignored, and attlas takes it all the same.
        let script = """
            cd '\(folder.url.path)' && ls -A > before && : > state && : > errors && : > after
            FAULT_CALL=read FAULT_NUMBER=\(number) FAULT_ERROR=-2 FAULT_LASTS=0 FAULT_COUNTS=9 LD_PRELOAD=./faults.so \
                timeout -s KILL 60 '\(Command.binary)' \(call) > printed 2> errors 9> state &
            for i in $(seq 3000); do grep -q waiting state && break; kill -0 $! 2> /dev/null || break; sleep 0.01; done
            grep -q waiting state || { echo "did not wait"; cat errors; }
            pkill -\(signal) -P $!
            wait $!; status=$?
            cat errors; ls -A | grep out
            exit $status
            """
        return try Command.run("/bin/bash", ["-c", script])
    }

    @Test(arguments: calls.keys.sorted()) func aSignalEndsIt(_ name: String) throws {
        let folder = try TemporaryFolder()
        try #require(try folder.run(Self.preparation))
        for (signal, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
            let result = try end(Self.calls[name] ?? "", by: signal, number: 1, in: folder)
            expect(result.status, equals: 128 + Int32(number), "\(name), SIG\(signal): \(result.output)")
            // That line, and no file.
            expect(
                result.output, equals: "attlas: interrupted by SIG\(signal): the output ends here\n",
                "\(name), SIG\(signal): \(result.output)")
        }
    }

    /// Later, when an output has begun.
    @Test(arguments: ["report", "export", "convert", "anonymize"]) func aSignalLeavesNoFile(_ name: String) throws {
        let folder = try TemporaryFolder()
        try #require(try folder.run(Self.preparation))
        for number in [2, 3, 4] {
            let result = try end(Self.calls[name] ?? "", by: "TERM", number: number, in: folder)
            guard !result.output.contains("did not wait") else { continue }
            expect(result.status, equals: 143, "\(name): \(result.output)")
            expect(
                result.output, equals: "attlas: interrupted by SIGTERM: the output ends here\n",
                "\(name): \(result.output)")
        }
    }

    /// A database keeps the captures that it had.
    @Test func aSignalKeepsADatabase() throws {
        let folder = try TemporaryFolder()
        try #require(try folder.run(Self.preparation + "\n'\(Command.binary)' export --sqlite kept.db a.btsnoop"))
        for number in 1...2 {
            let result = try end("export --sqlite kept.db a.btsnoop", by: "TERM", number: number, in: folder)
            expect(result.status, equals: 143, "\(result.output)")
            let captures = try Command.run(
                "/usr/bin/sqlite3", [folder.path("kept.db"), "SELECT count(*) FROM captures"])
            expect(captures.output, equals: "1\n")
        }
    }

    /// Before it reads a capture, too: the keys of `--keys` are read with the command line.
    @Test(arguments: [
        ("INT", "show --keys keys a.btsnoop"), ("TERM", "report --keys keys a.btsnoop -o out"),
        ("HUP", "live --keys keys a.btsnoop"),
    ])
    func aSignalEndsItBeforeItReads(_ signal: String, _ call: String) throws {
        let folder = try TemporaryFolder()
        try #require(try folder.run("cp '\(Repository.capture("heart-rate.btsnoop"))' a.btsnoop && mkfifo keys"))
        let script = """
            cd '\(folder.url.path)' && '\(Command.binary)' \(call) > printed 2> errors &
            exec 3> '\(folder.path("keys"))'
            pkill -\(signal) -P $! || kill -\(signal) $!
            wait $!; status=$?
            cat '\(folder.path("errors"))'; exit $status
            """
        let result = try Command.run("/bin/bash", ["-c", script])
        expect(result.status, equals: 128 + (signal == "INT" ? 2 : signal == "HUP" ? 1 : 15))
        expect(result.output, equals: "attlas: interrupted by SIG\(signal): the output ends here\n")
    }

    /// nohup(1): a hangup that is ignored stays so.
    @Test func anIgnoredHangupIsIgnored() throws {
        let folder = try TemporaryFolder()
        #expect(
            try folder.run(
                """
                mkfifo input; exec 3<>input
                (trap '' HUP; exec '\(Command.binary)' show input) > output 2> errors &
                sleep 0.5; kill -HUP $!; sleep 0.2; kill -0 $! && kill -TERM $!; wait $!; [ $? = 143 ]
                """))
    }

    /// A mistake of attlas is said, too. The signal plays it.
    @Test(arguments: ["ILL", "SEGV", "ABRT"]) func aCrashIsSaid(_ signal: String) throws {
        let folder = try TemporaryFolder()
        #expect(
            try folder.run(
                """
                mkfifo input; exec 3<>input
                '\(Command.binary)' show input > output 2> errors &
                sleep 0.5; kill -\(signal) $!; wait $!; [ $? -gt 128 ] && grep -q 'an internal error ended this run' errors
                """))
    }
}
