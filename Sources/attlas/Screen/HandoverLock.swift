import Dispatch
import Glibc
import Synchronization

/// Two threads share one state: who holds the lock touches it.
///
/// The one that decodes has it all the time but while it waits for octets. The one that paints asks for it; what is asked for is
/// given before the next octets are decoded, however many there are.
final class HandoverLock: Sendable {
    // Nobody has it at first. A semaphore that begins above 0 could not be let go of while somebody has it.
    private let isFree = DispatchSemaphore(value: 0)
    private let isAsked = Atomic<Bool>(false)

    init() {
        isFree.signal()
    }

    /// Of the thread that decodes: takes the state, also when the other has just had it.
    func lock() {
        isFree.wait()
    }

    /// Of the thread that decodes: lets go of the state, and waits until the other has it if that asked for it.
    func unlock() {
        isFree.signal()
        while isAsked.load(ordering: .acquiring) { sched_yield() }
    }

    /// Of the thread that paints: takes the state and never gives it back.
    func lockForGood() {
        isAsked.store(true, ordering: .releasing)
        isFree.wait()
        isAsked.store(false, ordering: .releasing)
    }

    /// Of the thread that paints.
    func withLock<Value>(_ body: () -> Value) -> Value {
        lockForGood()
        defer { isFree.signal() }
        return body()
    }
}
