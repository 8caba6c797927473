import AttlasCapture
import Glibc

/// The process's use of the machine.
struct ProcessMeter {
    /// Nanoseconds between two measurements, so that they do not jitter.
    private static let interval: Int64 = 1_000_000_000

    private var lastTime = SystemCalls.nanoseconds(CLOCK_MONOTONIC)
    private var lastProcessor = SystemCalls.nanoseconds(CLOCK_PROCESS_CPUTIME_ID)
    private var lastDecoding: Int64 = 0
    private var lastRecords = 0

    private(set) var recordsPerSecond = 0
    private(set) var processorPercent = 0
    /// Octets.
    private(set) var memory = ProcessMeter.residentMemory
    /// Nanoseconds.
    private(set) var recordCost: Double?

    /// Measures the work since the last call; does nothing if that was just now.
    /// - Parameters:
    ///   - records: decoded so far.
    ///   - decoding: nanoseconds that went into them.
    mutating func update(records: Int, decoding: Int64) {
        let now = SystemCalls.nanoseconds(CLOCK_MONOTONIC)
        let span = now - lastTime
        guard span >= Self.interval || recordCost == nil && records > 0 else { return }
        let processor = SystemCalls.nanoseconds(CLOCK_PROCESS_CPUTIME_ID)
        if span > 0 {
            recordsPerSecond = Int(Double(records - lastRecords) * 1e9 / Double(span))
            processorPercent = Int(Double(processor - lastProcessor) * 100 / Double(span) + 0.5)
        }
        if records > lastRecords { recordCost = Double(decoding - lastDecoding) / Double(records - lastRecords) }
        memory = Self.residentMemory
        (lastTime, lastProcessor, lastDecoding, lastRecords) = (now, processor, decoding, records)
    }

    /// The second number of /proc/self/statm, in pages.
    private static var residentMemory: Int {
        let file = SystemCalls.open("/proc/self/statm", O_RDONLY)
        guard file >= 0 else { return 0 }
        defer { close(file) }
        let line = [UInt8](capacity: 128) { _ = SystemCalls.read(file, into: &$0) }
        let parts = String(decoding: line, as: UTF8.self).split(separator: " ")
        return parts.count > 1 ? (Int(parts[1]) ?? 0) * sysconf(CInt(_SC_PAGESIZE)) : 0
    }
}
