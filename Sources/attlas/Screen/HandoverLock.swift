import Dispatch
import Glibc
import Synchronization

/// Two threads share one state, which only the holder of the lock touches.
///
/// The decoding thread has it except while it waits for octets. The painting thread asks for it, and gets it before the next octets are
/// decoded, however many there are.
final class HandoverLock: Sendable {
    // Nobody has it at first. A semaphore that begins above 0 could not be let go of while somebody has it.
    private let isFree = DispatchSemaphore(value: 0)
    private let isAsked = Atomic<Bool>(false)

    init() {
        isFree.signal()
    }

    /// Called by the decoding thread: takes the state, even if the other thread has just had it.
    func lock() {
        isFree.wait()
    }

    /// Called by the decoding thread: releases the state, and waits until the other thread has it if that requested it.
    func unlock() {
        isFree.signal()
        while isAsked.load(ordering: .acquiring) { sched_yield() }
    }

    /// Called by the painting thread: takes the state and never gives it back.
    func lockForGood() {
        isAsked.store(true, ordering: .releasing)
        isFree.wait()
        isAsked.store(false, ordering: .releasing)
    }

    /// Called by the painting thread.
    func withLock<Value>(_ body: () -> Value) -> Value {
        lockForGood()
        defer { isFree.signal() }
        return body()
    }
}
