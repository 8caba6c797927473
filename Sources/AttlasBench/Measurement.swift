import AttlasDissection
import AttlasInput
import AttlasThreads

/// The decode path's own speed over one capture. Each figure has a separate pass, so that none disturbs another.
package struct Measurement: Sendable {
    let info: CaptureInfo
    /// The file's size.
    let octets: Int
    let counts: DecodeRun
    let fromDisk: Sample
    let fromMemory: Sample
    /// Octets of this process at most, up to the end of the passes that read from disk.
    let peakMemory: Int
    let stages: StageTimes
    let latency: Latency
    /// nil in a build that cannot count them.
    let allocations: Allocations?

    /// Measures the first capture in a file.
    package init(path: String, library: DissectorLibrary) throws(CaptureError) {
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
package struct ParallelMeasurement: Sendable {
    let records: Int
    let octets: Int
    let threads: Int
    let time: Sample

    package init(paths: [String], of measurements: [Measurement], library: DissectorLibrary) throws(CaptureError) {
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
