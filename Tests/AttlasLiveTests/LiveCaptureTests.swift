import Attlas
import AttlasCapture
import AttlasTestSupport
import AttlasTesting
import Glibc
import Testing

@testable import AttlasLive

/// A conversation that is happening, as an asynchronous sequence.
@Suite(.timeLimit(.minutes(1))) struct LiveCaptureTests {
    private static func notifications(_ count: Int) throws -> [UInt8] {
        try AttlasTesting.Conversation("connect\n" + repeated("< 1B 0300 06 48", count)).octets
    }

    @Test func operationsOfAPipeComeWhileItIsOpen() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("pipe")
        expect(unsafe mkfifo(path, 0o600), equals: 0)
        let octets = try Self.notifications(3)
        // Opening it waits until it is read.
        async let writer: Void = Task.detached {
            let file = SystemCalls.open(path, O_WRONLY)
            for part in [octets.dropLast(), octets.suffix(1)] {
                expect(SystemCalls.write(file, Array(part).span), equals: part.count)
                usleep(200_000)
            }
            close(file)
        }.value
        var frames: [Int] = []
        for try await operation in LiveCapture(.pipe(path)).operations { frames.append(operation.frame) }
        expect(frames, equals: [2, 3, 4])
        await writer
    }

    @Test func aCancelledTaskEndsTheLoop() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Self.notifications(1), to: "log")
        let (first, isFirst) = AsyncStream.makeStream(of: Void.self)
        // The file may grow for ever.
        let task = Task {
            var count = 0
            for try await _ in LiveCapture(.growingFile(path)).operations {
                count += 1
                isFirst.finish()
            }
            return count
        }
        for await _ in first {}
        task.cancel()
        try await expect(task.value, equals: 1)
    }

    @Test func aSlowReaderLosesNothingAndIsWaitedFor() async throws {
        let folder = try TemporaryFolder()
        let count = 5 * OperationQueue.limit
        let path = try folder.write(Self.notifications(count), to: "log")
        let iterator = LiveCapture(.growingFile(path)).operations.makeAsyncIterator()
        _ = try await iterator.next(isolation: nil)
        try await Task.sleep(for: .milliseconds(300))
        #expect(iterator.queue.count <= OperationQueue.limit)
        for frame in 3..<(count + 2) { try await expect(iterator.next(isolation: nil)?.frame, equals: frame) }
    }

    @Test func whatCannotBeReadIsThrown() async throws {
        let folder = try TemporaryFolder()
        await #expect(throws: CaptureError.self) {
            for try await _ in LiveCapture(.pipe(folder.path("missing"))).operations {}
        }
        let path = try folder.write(Array("not a capture".utf8) + [UInt8](repeating: 0, count: 64), to: "log")
        let iterator = LiveCapture(.growingFile(path)).operations.makeAsyncIterator()
        iterator.queue.cancel()
        #expect(try await iterator.next(isolation: nil) == nil)
    }
}
