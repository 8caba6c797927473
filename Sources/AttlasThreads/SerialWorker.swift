import AttlasLocks
import Dispatch

/// Work on items in their order, by a separate thread, while further items are made.
package struct SerialWorker<Item: Sendable>: Sendable {
    private let queue: Queue
    private let worker: Worker?

    /// - Parameter limit: how many items may wait.
    package init(limit: Int, _ body: @escaping @Sendable (Item) -> Void) {
        let queue = Queue(body)
        for _ in 0..<limit { queue.room.signal() }
        worker = Worker { queue.work() }
        self.queue = queue
    }

    /// Waits while there is no room.
    package func put(_ item: Item) {
        // Without a thread it is done here.
        guard worker != nil else { return queue.body(item) }
        queue.room.wait()
        queue.items.withLock { $0.append(item) }
        queue.filled.signal()
    }

    /// Waits until the work on all items is done. It is to be called once, after the last `put`.
    package func finish() {
        queue.filled.signal()
        worker?.join()
    }

    private final class Queue: Sendable {
        let body: @Sendable (Item) -> Void
        let items = Locked<[Item]>([])
        let filled = DispatchSemaphore(value: 0)
        /// A semaphore that begins above 0 could not be let go of below that.
        let room = DispatchSemaphore(value: 0)

        init(_ body: @escaping @Sendable (Item) -> Void) {
            self.body = body
        }

        func work() {
            while true {
                filled.wait()
                // Nothing, after all items: the end.
                guard let item = items.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
                room.signal()
                body(item)
            }
        }
    }
}
