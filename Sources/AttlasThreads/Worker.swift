import Glibc

/// A thread that does one thing. It is to be joined or detached, once.
@safe package final class Worker: Sendable {
    private let thread: pthread_t

    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }

    /// nil when the system gives no thread.
    package init?(_ body: @escaping @Sendable () -> Void) {
        let work = unsafe Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        let status = unsafe pthread_create(
            &thread, nil,
            { work in
                if let work = unsafe work { unsafe Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
                return nil
            }, unsafe work.toOpaque())
        guard status == 0 else {
            unsafe work.release()
            return nil
        }
        self.thread = thread
    }

    /// Waits until it is done.
    package func join() {
        pthread_join(thread, nil)
    }

    /// Lets the thread end without being awaited.
    package func detach() {
        pthread_detach(thread)
    }
}
