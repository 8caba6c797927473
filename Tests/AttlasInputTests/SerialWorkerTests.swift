import AttlasLocks
import AttlasTestSupport
import AttlasThreads
import Testing

@Suite struct SerialWorkerTests {
    @Test func allItemsAreTakenInTheirOrder() {
        let taken = Locked<[Int]>([])
        let worker = SerialWorker<Int>(limit: 2) { item in taken.withLock { $0.append(item) } }
        for item in 0..<10_000 { worker.put(item) }
        worker.finish()
        expect(taken.withLock { $0 }, equals: Array(0..<10_000))
    }

    /// One item is worked on and two wait: who puts a fourth waits as well.
    @Test func noMoreThanTheLimitWait() {
        let counts = Locked<(put: Int, most: Int, taken: Int)>((0, 0, 0))
        let worker = SerialWorker<Int>(limit: 2) { _ in
            counts.withLock { counts in
                counts.most = max(counts.most, counts.put - counts.taken)
                counts.taken += 1
            }
        }
        for item in 0..<1_000 {
            worker.put(item)
            counts.withLock { $0.put += 1 }
        }
        worker.finish()
        expect(counts.withLock { $0.taken }, equals: 1_000)
        #expect(counts.withLock { $0.most } <= 3)
    }

    @Test func withoutItemsItEnds() {
        SerialWorker<Int>(limit: 1) { _ in }.finish()
    }
}
