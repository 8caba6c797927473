import AttlasCapture
import Glibc

/// A program that was run to its end.
struct ChildProcess {
    /// Nanoseconds by the clock on the wall, and of the processor.
    let wallTime: Int64
    let processorTime: Int64
    /// Octets resident at most.
    let peakMemory: Int
    let succeeded: Bool

    /// Runs a program of the path with its output in a file. The corresponding C function is `posix_spawnp`.
    init(_ arguments: [String], output: String) throws(SystemFailure) {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var vector = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { for place in 0..<arguments.count { unsafe free(vector[place]) } }
        // Until a child runs its own program it is this process, and Linux counts for it the most that this one ever had.
        SystemCalls.forgetPeakMemory()
        let start = SystemCalls.nanoseconds(CLOCK_MONOTONIC)
        var child = pid_t()
        let status = unsafe posix_spawnp(&child, arguments[0], &actions, nil, &vector, environ)
        guard status == 0 else { throw SystemFailure(arguments[0], status) }
        var exit: CInt = 0
        var usage = rusage()
        while unsafe wait4(child, &exit, 0, &usage) < 0 {
            guard errno == EINTR else { throw SystemFailure(arguments[0], errno) }
        }
        wallTime = SystemCalls.nanoseconds(CLOCK_MONOTONIC) - start
        processorTime = Self.nanoseconds(usage.ru_utime) + Self.nanoseconds(usage.ru_stime)
        peakMemory = usage.ru_maxrss * 1_024
        succeeded = exit == 0
    }

    private static func nanoseconds(_ time: timeval) -> Int64 {
        Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_usec) * 1_000
    }
}
