import Glibc

/// The monotonic clock, and what asking it costs.
enum Clock {
    /// Nanoseconds since some moment.
    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// What a reading adds to the time between two of them: the median of many pairs with nothing between.
    static func cost() -> Int64 {
        var differences = (0..<4_001).map { _ in
            let start = now()
            return now() - start
        }
        differences.sort()
        return differences[differences.count / 2]
    }
}

/// Memory of this process.
enum Memory {
    /// Octets resident at most so far. The corresponding C function is `getrusage`.
    static func peak() -> Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss * 1_024
    }
}
