import Glibc
import Synchronization

/// Two threads share one state: who holds the baton touches it.
///
/// The one that decodes has it all the time but while it waits for octets. The one that paints asks for it; what is asked for is
/// given before the next octets are decoded, however many there are.
final class Baton: Sendable {
    nonisolated(unsafe) private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let isAsked = Atomic<Bool>(false)

    init() {
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Of the thread that decodes: takes the state, also when the other has just had it.
    func take() {
        pthread_mutex_lock(mutex)
    }

    /// Of the thread that decodes: lets go of the state, and waits until the other has it if that asked for it.
    func give() {
        pthread_mutex_unlock(mutex)
        while isAsked.load(ordering: .acquiring) { sched_yield() }
    }

    /// Of the thread that paints: takes the state and never gives it back.
    func keep() {
        isAsked.store(true, ordering: .releasing)
        pthread_mutex_lock(mutex)
        isAsked.store(false, ordering: .releasing)
    }

    /// Of the thread that paints.
    func with<Value>(_ body: () -> Value) -> Value {
        keep()
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }
}
