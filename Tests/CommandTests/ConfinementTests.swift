import AttlasTestSupport
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
}
