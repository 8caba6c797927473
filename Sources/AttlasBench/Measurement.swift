import AttlasDissection
import AttlasInput
import AttlasReport
import AttlasThreads

/// The decode path's own speed over one capture. Each figure has a separate pass, so that none disturbs another.
public struct Measurement: Sendable {
    public let info: CaptureInfo
    /// Of the file.
    public let octets: Int
    public let counts: DecodeRun
    public let fromDisk: Sample
    public let fromMemory: Sample
    /// Octets of this process at most, up to the end of the passes that read from disk.
    public let peakMemory: Int
    public let stages: StageTimes
    public let latency: Latency
    /// nil in a build that cannot count them.
    public let allocations: Allocations?

    /// Measures the first capture in a file.
    public init(path: String, library: DissectorLibrary) throws(CaptureError) {
        info = try CaptureReader(path: path).info
        counts = try DecodeRun(CaptureReader(path: path), library: library)
        fromDisk = try Sample.repeating { () throws(CaptureError) in
            _ = try DecodeRun(CaptureReader(path: path), library: library)
        }
        peakMemory = Memory.peak()
        let bytes = try [UInt8](contentsOf: path)
        octets = bytes.count
        fromMemory = try Sample.repeating { () throws(CaptureError) in
            _ = try DecodeRun(CaptureReader(bytes: bytes, name: path), library: library)
        }
        stages = try StageTimes(bytes, name: path, library: library)
        latency = try Latency(bytes, name: path, library: library)
        allocations =
            Allocations.areCounted
            ? try Allocations(bytes, name: path, records: counts.records, library: library) : nil
    }
}

/// Several files at once: a trace for each, on as many threads as there are processors.
public struct ParallelMeasurement: Sendable {
    public let records: Int
    public let octets: Int
    public let threads: Int
    public let time: Sample

    public init(paths: [String], of measurements: [Measurement], library: DissectorLibrary) throws(CaptureError) {
        records = measurements.reduce(0) { $0 + $1.counts.records }
        octets = measurements.reduce(0) { $0 + $1.octets }
        let threads = min(Parallel.processors, paths.count)
        self.threads = threads
        time = try Sample.repeating { () throws(CaptureError) in
            try Parallel.forEach(paths) { path throws(CaptureError) in
                _ = try DecodeRun(CaptureReader(path: path), library: library)
            }
        }
    }
}
