import Glibc
import Synchronization

/// Independent work on all processors. The decode path itself has no threads: each piece of work is a trace of its own.
public enum Parallel {
    public static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// Calls `body` with each item, several at a time, in their order as far as threads keep one.
    ///
    /// - Throws: The first error, when all work is done.
    public static func forEach<Item: Sendable, Failure: Error>(
        _ items: [Item], _ body: @escaping @Sendable (Item) throws(Failure) -> Void
    ) throws(Failure) {
        let queue = Queue(items, body)
        // The calling thread works as well.
        var threads: [pthread_t] = []
        for _ in 1..<max(2, min(processors, items.count)) where items.count > 1 {
            var thread = pthread_t()
            let box = Unmanaged.passRetained(queue as QueueBase)
            let status = pthread_create(
                &thread, nil,
                { box in
                    guard let box else { return nil }
                    Unmanaged<QueueBase>.fromOpaque(box).takeRetainedValue().work()
                    return nil
                }, box.toOpaque())
            // Without a thread there is only less help.
            if status == 0 { threads.append(thread) } else { box.release() }
        }
        queue.work()
        for thread in threads { pthread_join(thread, nil) }
        if let failure = queue.failure { throw failure }
    }

    private class QueueBase: @unchecked Sendable {
        func work() {}
    }

    /// What is left to do.
    private final class Queue<Item: Sendable, Failure: Error>: QueueBase, @unchecked Sendable {
        private let items: [Item]
        private let body: @Sendable (Item) throws(Failure) -> Void
        private let next = Mutex(0)
        private let firstFailure = Mutex<Failure?>(nil)

        var failure: Failure? { firstFailure.withLock { $0 } }

        init(_ items: [Item], _ body: @escaping @Sendable (Item) throws(Failure) -> Void) {
            self.items = items
            self.body = body
        }

        override func work() {
            while true {
                let index = next.withLock { next in
                    defer { next += 1 }
                    return next
                }
                guard index < items.count else { return }
                do throws(Failure) {
                    try body(items[index])
                } catch {
                    firstFailure.withLock { if $0 == nil { $0 = error } }
                }
            }
        }
    }
}
