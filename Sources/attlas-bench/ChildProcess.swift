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
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var vector = arguments.map { strdup($0) } + [nil]
        defer { for argument in vector { free(argument) } }
        let start = Self.now()
        var child = pid_t()
        let status = posix_spawnp(&child, arguments[0], &actions, nil, &vector, environ)
        guard status == 0 else { throw SystemFailure(arguments[0], status) }
        var exit: CInt = 0
        var usage = rusage()
        while wait4(child, &exit, 0, &usage) < 0 {
            guard errno == EINTR else { throw SystemFailure(arguments[0], errno) }
        }
        wallTime = Self.now() - start
        processorTime = Self.nanoseconds(usage.ru_utime) + Self.nanoseconds(usage.ru_stime)
        peakMemory = usage.ru_maxrss * 1_024
        succeeded = exit == 0
    }

    private static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private static func nanoseconds(_ time: timeval) -> Int64 {
        Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_usec) * 1_000
    }
}
