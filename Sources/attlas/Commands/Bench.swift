import ArgumentParser
import AttlasBench
import AttlasCapture
import AttlasDissection
import AttlasInput
import AttlasRecords
import AttlasText

struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure how fast this machine decodes a capture.",
        discussion: """
            Everything is decoded and nothing is printed. Throughput, stages, latency and allocations are measured in separate \
            passes. attlas help performance explains the columns.
            """)

    @Argument(
        help: ArgumentHelp(
            "Captures to decode. They must be files, because they are read many times.", valueName: "file"),
        completion: .file(), transform: FilesRead.note)
    var files: [String]

    @OptionGroup var dissectors: DissectorOptions

    @Flag(help: "Print one JSON document instead of text.")
    var json = false

    func validate() throws {
        if files.contains("-") { throw ValidationError("Standard input (-) can be read only once: save it first.") }
    }

    func run() throws {
        try dissectors.withLibrary(run)
    }

    private func run(_ library: DissectorLibrary) throws {
        let (files, lacksFolder) = expandFolders(files)
        if lacksFolder { throw ExitCode(1) }
        var measurements: [Measurement] = []
        var together: ParallelMeasurement?
        do throws(CaptureError) {
            for file in files {
                let measurement = try Measurement(path: file, library: library)
                measurements.append(measurement)
            }
            if files.count > 1 { together = try ParallelMeasurement(paths: files, of: measurements, library: library) }
        } catch {
            // Half of a capture has no speed that could be compared with anything.
            printError(error.detailedDescription)
            throw ExitCode(1)
        }
        var text = TextBuffer()
        if json {
            text.append(jsonOf: measurements, together: together)
        } else {
            for (index, measurement) in measurements.enumerated() {
                if index > 0 { text.append("\n") }
                text.append(measurement)
            }
            if let together { text.append(together) }
        }
        try print(text)
    }
}
