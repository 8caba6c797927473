import Attlas
import AttlasCapture
import AttlasInput
import AttlasLocks
import AttlasSources
import AttlasThreads
import AttlasTrace
import AttlasValues
import Dispatch
import Glibc

/// A conversation that is happening.
///
/// ```swift
/// for try await operation in LiveCapture(.standardInput).operations {
///     print(operation.time, operation)
/// }
/// ```
/// It handles no signals and keeps the privileges of the process.
public struct LiveCapture: Sendable {
    /// Where packets come from.
    public enum Source: Sendable {
        /// A capture that another program writes: `btmon -w /dev/stdout | …`
        case standardInput
        /// The same through a named pipe.
        case pipe(String)
        /// A file that another program writes. It ends when another takes its place.
        case growingFile(String)
        /// The Linux HCI monitor, of every controller or of the one with this index. It needs the capability CAP_NET_RAW.
        case monitor(controller: UInt16? = nil)
        /// A device of libpcap.
        case device(String)
    }

    private let source: Source
    private let dissectors: [Dissector]

    /// Nothing is opened before the first operation is requested.
    /// - Parameter dissectors: definitions of your own devices.
    public init(_ source: Source, dissectors: [Dissector] = []) {
        self.source = source
        self.dissectors = dissectors
    }

    /// Each ATT PDU as it comes, as `Capture.operations`. The loop ends with the source, or when its task is cancelled.
    public var operations: Operations { Operations(capture: self) }

    /// Operations that a thread reads; it waits while 1024 operations were not taken.
    public struct Operations: AsyncSequence, Sendable {
        /// An operation.
        public typealias Element = Capture.Operation
        /// The error that ends the source.
        public typealias Failure = CaptureError

        let capture: LiveCapture

        /// Opens the source.
        public func makeAsyncIterator() -> Iterator { Iterator(capture) }

        /// Takes operations as they come.
        public final class Iterator: AsyncIteratorProtocol {
            let queue: OperationQueue

            init(_ capture: LiveCapture) {
                let queue = OperationQueue()
                self.queue = queue
                let worker = Worker {
                    do throws(CaptureError) {
                        try capture.read(into: queue)
                        queue.end(nil)
                    } catch {
                        queue.end(error)
                    }
                }
                if let worker { worker.detach() } else { queue.end(CaptureError(withoutThread: "the live capture")) }
            }

            deinit { queue.cancel() }

            /// The next operation; nil at the end, and when the task is cancelled.
            /// - Throws: once, the error that ended the source.
            public func next(isolation: isolated (any Actor)?) async throws(CaptureError) -> Capture.Operation? {
                try await queue.next(isolation: isolation)
            }
        }
    }

    private func read(into queue: OperationQueue) throws(CaptureError) {
        var set = CaptureSet(InputBuffer(try octets { queue.goesOn }))
        var reader = try set.first()
        var trace = Trace()
        var collector = Interpreted(library: .shipped(with: dissectors)) { OperationCollector(values: $0) }
        var operations: [Capture.Operation] = []
        while queue.goesOn, let record = try reader.next() {
            trace.decode(record, into: &collector)
            collector.sink.exchange(&operations)
            if !operations.isEmpty { queue.put(&operations) }
        }
    }

    /// In milliseconds, between two questions whether to continue.
    private static let pause: CInt = 100

    /// - Parameter goesOn: asked before each wait; false ends it.
    private func octets(_ goesOn: @escaping () -> Bool) throws(CaptureError) -> ByteSource {
        switch source {
        case .standardInput:
            return octets("standard input", OpenFile(number: STDIN_FILENO, isOwned: false), goesOn)
        case .pipe(let path):
            // Opening it to read would wait for a writer.
            return try octets(path, O_RDONLY | O_NONBLOCK, goesOn)
        case .growingFile(let path): return try octets(path, O_RDONLY, goesOn)
        case .monitor(let controller):
            let socket = try MonitorSocket(controller: controller)
            return ByteSource(name: "HCI monitor") { buffer in
                while goesOn() { if socket.isReady(within: Self.pause) { return socket.read(into: &buffer) } }
                return .octets
            }
        case .device(let name):
            let device = try PacketDevice(name: name)
            return ByteSource(name: name) { buffer in
                while goesOn() { if device.isReady(within: Self.pause) { return device.read(into: &buffer) } }
                return .octets
            }
        }
    }

    private func octets(
        _ path: String, _ flags: CInt, _ goesOn: @escaping () -> Bool
    ) throws(CaptureError) -> ByteSource {
        let number = SystemCalls.open(path, flags)
        guard number >= 0 else { throw CaptureError(errno, opening: path) }
        return octets(path, OpenFile(number: number, isOwned: true), goesOn)
    }

    private func octets(_ name: String, _ file: OpenFile, _ goesOn: @escaping () -> Bool) -> ByteSource {
        let octets = LiveOctets(descriptor: file.number, path: name, follows: file.isOwned)
        octets.goesOn = goesOn
        return ByteSource(name: name) { buffer in withExtendedLifetime(file) { octets.read(into: &buffer) } }
    }

    /// Closed when it is not read any more.
    private final class OpenFile {
        let number: CInt
        /// Standard input is not: its file ends.
        let isOwned: Bool

        init(number: CInt, isOwned: Bool) {
            self.number = number
            self.isOwned = isOwned
        }

        deinit {
            if isOwned { close(number) }
        }
    }
}

/// Operations between the thread that reads and the task that takes them.
final class OperationQueue: Sendable {
    /// Maximum number of waiting operations. Those of one record are never parted.
    static let limit = 1_024

    private struct State {
        var operations: [Capture.Operation] = []
        /// Index of the next one.
        var head = 0
        var isEnded = false
        var isCancelled = false
        /// Whether the thread waits for room.
        var isBlocked = false
        var error: CaptureError?
        var waiting: CheckedContinuation<Void, Never>?

        mutating func wake() { waiting.take()?.resume() }
    }

    private let state = Locked(State())
    private let room = DispatchSemaphore(value: 0)

    /// Whether to continue.
    var goesOn: Bool { state.withLock { !$0.isCancelled } }
    /// Operations that wait.
    var count: Int { state.withLock { $0.operations.count - $0.head } }

    /// Waits for room.
    func put(_ operations: inout [Capture.Operation]) {
        let isFull = state.withLock { state in
            state.operations += operations
            state.wake()
            state.isBlocked = state.operations.count - state.head >= Self.limit && !state.isCancelled
            return state.isBlocked
        }
        operations.removeAll(keepingCapacity: true)
        if isFull { room.wait() }
    }

    func end(_ error: CaptureError?) {
        state.withLock { state in
            state.isEnded = true
            state.error = error
            state.wake()
        }
    }

    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.wake()
            unblock(&state)
        }
    }

    func next(isolation: isolated (any Actor)?) async throws(CaptureError) -> Capture.Operation? {
        while true {
            let taken = try take()
            if taken.isSettled || Task.isCancelled { return taken.operation }
            await withTaskCancellationHandler {
                await withCheckedContinuation(isolation: isolation) { continuation in
                    state.withLock { state in
                        state.waiting = continuation
                        if state.head < state.operations.count || state.isEnded || state.isCancelled { state.wake() }
                    }
                }
            } onCancel: {
                cancel()
            }
        }
    }

    /// The next operation; nothing yet is not settled.
    private func take() throws(CaptureError) -> (operation: Capture.Operation?, isSettled: Bool) {
        try state.withLock { state throws(CaptureError) in
            if state.isCancelled { return (nil, true) }
            guard state.head < state.operations.count else {
                if let error = state.error.take() { throw error }
                return (nil, state.isEnded)
            }
            let operation = state.operations[state.head]
            state.head += 1
            if state.head == state.operations.count || state.head == Self.limit {
                state.operations.removeFirst(state.head)
                state.head = 0
            }
            if state.operations.count - state.head <= Self.limit / 2 { unblock(&state) }
            return (operation, true)
        }
    }

    private func unblock(_ state: inout State) {
        guard state.isBlocked else { return }
        state.isBlocked = false
        room.signal()
    }
}
