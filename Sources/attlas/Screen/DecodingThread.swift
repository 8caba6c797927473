import AttlasInput
import AttlasMetrics
import AttlasScreen
import AttlasSources
import AttlasThreads
import AttlasValues
import Glibc

/// The thread that decodes. Its results are read with the lock held.
final class DecodingThread: @unchecked Sendable {
    private let session: LiveSession<Interpreted<ScreenModel>>
    private let lock: HandoverLock
    private(set) var isEnded = false
    /// The error that ended it, other than the end of the source.
    private(set) var failure: CaptureError?
    /// Nanoseconds spent on decoding.
    private(set) var decodingTime: Int64 = 0
    /// Microseconds from the kernel's timestamp to the decoded record, the last one of each read.
    private(set) var lag = Distribution()
    /// Records that can be browsed.
    private(set) var recent = RecentRecords()
    private var resumed: Int64 = 0

    private let messages: ScreenMessages

    init(_ session: LiveSession<Interpreted<ScreenModel>>, _ lock: HandoverLock, _ messages: ScreenMessages) {
        self.session = session
        self.lock = lock
        self.messages = messages
    }

    /// It runs until the process ends. Signals go to the thread that has the terminal.
    func start() {
        if let worker = TerminalRescue.withSignalsBlocked({ Worker { [self] in run() } }) {
            worker.detach()
        } else {
            messages.say("no thread to decode with: \(SystemCalls.message(EAGAIN))")
            isEnded = true
        }
    }

    private func run() {
        lock.lock()
        resumed = SystemCalls.nanoseconds(CLOCK_MONOTONIC)
        let isLive = session.options.source.hasKernelTime
        let wait = LiveSource.Wait { [self] in
            if isLive { noteLag() }
            decodingTime += SystemCalls.nanoseconds(CLOCK_MONOTONIC) - resumed
            lock.unlock()
        } end: { [self] in
            lock.lock()
            resumed = SystemCalls.nanoseconds(CLOCK_MONOTONIC)
        }
        do throws(CaptureError) {
            try session.decode(wait: wait) { _, _ in
            } take: { [self] session, batch in
                recent.add(batch, after: session.trace, session.sink)
            } note: { session, record in
                session.sink.sink.note(record)
            } step: { _ in
                true
            }
        } catch {
            failure = error
            messages.say(error.detailedDescription)
        }
        isEnded = true
        lock.unlock()
    }

    private func noteLag() {
        guard let last = session.extent.last else { return }
        let now = SystemCalls.time(CLOCK_REALTIME)
        let time = Timestamp(seconds: Int64(now.tv_sec), nanoseconds: UInt32(now.tv_nsec), precision: 9)
        lag.record(time.nanoseconds(since: last) / 1_000)
    }
}
