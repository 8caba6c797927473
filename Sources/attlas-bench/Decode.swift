import ArgumentParser
import AttlasBench
import AttlasDefinitions
import AttlasInput

/// `attlas-bench decode`: the decode path and nothing else, for a profiler.
struct Decode: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Decode a capture once, print nothing: what callgrind or perf is to look at.")

    @Argument(help: ArgumentHelp("The capture.", valueName: "file"))
    var file: String

    func run() throws {
        let run = try DecodeRun(CaptureReader(path: file), library: .shipped)
        print("\(run.records) records, \(run.operations) ATT PDUs, \(run.fields) fields")
    }
}
