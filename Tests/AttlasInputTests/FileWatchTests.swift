import AttlasInput
import AttlasTestSupport
import Glibc
import Testing

@testable import AttlasCapture

@Suite struct FileWatchTests {
    /// Milliseconds of a wait.
    private func wait(_ watch: FileWatch) -> Int64 {
        let start = SystemCalls.nanoseconds(CLOCK_MONOTONIC)
        watch.wait()
        return (SystemCalls.nanoseconds(CLOCK_MONOTONIC) - start) / 1_000_000
    }

    /// The shortest of several waits, because a busy machine makes one longer.
    @Test func whatIsWrittenEndsTheWait() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("log")
        let file = SystemCalls.open(path, O_WRONLY | O_CREAT | O_APPEND, mode: 0o600)
        defer { close(file) }
        let watch = FileWatch(path)
        #expect(wait(watch) >= 40)
        let waits = (0..<5).map { _ in
            // Both are one change of the file.
            for _ in 0..<2 { expect(SystemCalls.write(file, ([1] as [UInt8]).span), equals: 1) }
            return wait(watch)
        }
        #expect(waits.min() ?? .max < 20)
        #expect(wait(watch) >= 40)
    }

    @Test func aFileThatCannotBeWatchedIsLookedAt() {
        #expect(wait(FileWatch("/no/such/file")) >= 40)
    }
}
