import AttlasCapture
import Glibc

/// The monotonic clock, and the cost of reading it.
enum Clock {
    /// Nanoseconds since some moment.
    static func now() -> Int64 {
        SystemCalls.nanoseconds(CLOCK_MONOTONIC)
    }

    /// The time that one reading adds: the median of many pairs with nothing between.
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
    /// Octets resident at most so far.
    static func peak() -> Int {
        SystemCalls.peakMemory
    }
}
