import AttlasLocks
import AttlasTestSupport
import AttlasThreads
import Testing

@Suite struct LockedTests {
    /// Also ThreadSanitizer is to see that they come one after the other.
    @Test func threadsComeOneAfterTheOther() {
        let counts = Locked<[Int]>([0])
        Parallel.forEach(Array(0..<4), threads: 4) { _ in
            for _ in 0..<10_000 { counts.withLock { $0[0] += 1 } }
        }
        expect(counts.withLock { $0 }, equals: [40_000])
    }
}
