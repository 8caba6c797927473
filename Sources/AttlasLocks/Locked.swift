import Synchronization

/// A value that one thread reaches at a time.
///
/// A `Mutex`, and an order that ThreadSanitizer sees: on Linux the kernel hands on a contended mutex, and ThreadSanitizer, which does not
/// see that, takes the second thread's access for a race.
public struct Locked<Value: ~Copyable>: ~Copyable, Sendable {
    private let mutex: Mutex<Value>
    private let turns = Atomic(0)

    /// Takes over the value.
    public init(_ value: consuming sending Value) {
        mutex = Mutex(value)
    }

    /// Runs `body` while no other thread has the value.
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock { value throws(Failure) in
            _ = turns.load(ordering: .acquiring)
            defer { turns.add(1, ordering: .releasing) }
            return try body(&value)
        }
    }
}
