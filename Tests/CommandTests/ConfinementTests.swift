import AttlasTestSupport
import Foundation
import Testing

/// What the kernel knows of a process that reads: proc_pid_status(5).
@Suite struct ConfinementTests {
    /// 2: a filter of system calls. 1: nothing that it runs would have more rights.
    @Test(arguments: ["show", "tree", "stats", "lint", "devices", "live"])
    func whoReadsIsConfined(_ command: String) throws {
        let script = """
            mkfifo input
            exec 3<>input
            '\(Command.binary)' \(command) - < input > output 2>&1 &
            for i in $(seq 600); do
                grep -q '^Seccomp:.*2$' /proc/$!/status && grep -q '^NoNewPrivs:.*1$' /proc/$!/status && kill $! && exit 0
                sleep 0.1
            done
            kill $!
            exit 1
            """
        #expect(try TemporaryFolder().run(script))
    }

    /// A call of each command, and what it may do that others may not.
    static let calls: [(call: String, allowed: Set<String>)] = [
        ("show a.btsnoop", []), ("show --time local --json a.btsnoop", []), ("tree a.btsnoop", []),
        ("devices a.btsnoop", []), ("stats a.btsnoop", []), ("lint a.btsnoop", []), ("why a.btsnoop", []),
        ("diff a.btsnoop a.btsnoop", []), ("fleet a.btsnoop ./a.btsnoop", []), ("infer a.btsnoop", []),
        ("values a.btsnoop 2A37", []),
        ("bench a.btsnoop", []), ("dissect 2A37 0648", ["file:read-input"]), ("dissectors list", ["file:read-input"]),
        ("generate c 2A37 -o out/a.h", ["file:read-input"]), ("generate coremock a.btsnoop -o out/A.swift", []),
        ("report a.btsnoop -o out/a.html", []),
        ("report a.btsnoop --anonymous -o out/b.html", []), ("export --sqlite out/a.db a.btsnoop", []),
        ("export --arrow out/a.arrows a.btsnoop", []), ("export --perfetto out/a.pftrace a.btsnoop", []),
        ("convert a.btsnoop out/a.pcapng", []), ("anonymize a.btsnoop out/b.pcapng", []),
        ("live --plain a.btsnoop", ["file:read-other"]), ("live --write out/a.btsnoop a.btsnoop", ["file:read-other"]),
    ]

    /// A decoder that does what an attacker wants: Tests/Faults/confinement-probe.c tries it in each command, as root and as nobody.
    @Test(
        .enabled(
            if: ProcessInfo.processInfo.environment["ATTLAS_SANITIZER"] == nil, "a sanitizer has to be loaded first"),
        arguments: [true, false])
    func aDecoderUnderAttackCanDoNothing(_ isRoot: Bool) throws {
        // Only root can become another user.
        guard isRoot == (getuid() == 0) || getuid() == 0 else { return }
        let folder = try TemporaryFolder()
        // With the command: nobody cannot reach that of a clone in a folder of its owner alone.
        try #require(
            try folder.run(
                """
                cp '\(Repository.capture("heart-rate.btsnoop"))' a.btsnoop && echo other > other && mkdir out &&
                cp '\(Command.binary)' attlas &&
                chmod -R a+rwX . && cc -shared -fPIC -o probe.so '\(Repository.path("Tests/Faults/confinement-probe.c"))'
                """))
        for (call, allowed) in Self.calls {
            let user = isRoot || getuid() != 0 ? "" : "setpriv --reuid=65534 --regid=65534 --clear-groups"
            let script = """
                cd '\(folder.url.path)' && rm -f out/* && PROBE_OUTPUT=9 exec \(user) env LD_PRELOAD=./probe.so \
                    ./attlas \(call) 9>&1 > output 2> errors < /dev/null
                """
            let result = try Command.run("/bin/bash", ["-c", script])
            expect(result.status, equals: 0, "\(call)")
            let lines = result.output.split(separator: "\n").map { $0.split(separator: " ") }
            #expect(lines.count > 40, "\(call): \(result.output)")
            let hasLandlock = lines.first?.last.map { $0 != "-1" } ?? false
            for line in lines.dropFirst() {
                let (name, number) = (String(line[0]), Int32(line[1]) ?? -1)
                if name.hasPrefix("file:"), !hasLandlock { continue }
                if name == "file:read-input", !allowed.contains(name) {
                    expect(number, equals: 0, "\(call): \(name)")
                } else if allowed.contains(name) {
                    continue
                } else {
                    #expect([EPERM, EACCES, ENOSYS].contains(number), "\(call): \(name) \(number)")
                }
            }
        }
    }
}
