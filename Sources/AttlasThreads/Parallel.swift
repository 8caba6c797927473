import AttlasLocks
import Glibc

/// Independent work on all processors. The decode path itself has no threads: each piece of work is a separate trace.
package enum Parallel {
    package static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// Calls `body` with each item, as many at a time as there are threads. They are begun in their order.
    ///
    /// - Throws: The first error, when all work is done.
    package static func forEach<Item: Sendable, Failure: Error>(
        _ items: [Item], threads: Int = processors, _ body: @escaping @Sendable (Item) throws(Failure) -> Void
    ) throws(Failure) {
        let queue = Queue(items, body)
        // The calling thread works as well. Without another there is only less help.
        let helpers = max(0, min(threads, items.count) - 1)
        let workers = (0..<helpers).compactMap { _ in Worker { queue.work() } }
        queue.work()
        for worker in workers { worker.join() }
        if let failure = queue.failure { throw failure }
    }

    /// The remaining items.
    private final class Queue<Item: Sendable, Failure: Error>: Sendable {
        private let items: [Item]
        private let body: @Sendable (Item) throws(Failure) -> Void
        private let next = Locked(0)
        private let firstFailure = Locked<Failure?>(nil)

        var failure: Failure? { firstFailure.withLock { $0 } }

        init(_ items: [Item], _ body: @escaping @Sendable (Item) throws(Failure) -> Void) {
            self.items = items
            self.body = body
        }

        func work() {
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
