import ArgumentParser
import AttlasCapture
import AttlasDissection
import AttlasReport
import AttlasTrace

struct Tree: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tree",
        abstract: "Show the GATT tree of each peer: services, characteristics, descriptors, and what passed over them.")

    @OptionGroup var input: CaptureOptions
    @OptionGroup var dissectors: DissectorOptions
    @OptionGroup var gattDatabase: GATTDatabaseOptions
    @OptionGroup var identity: IdentityOptions

    @Flag(help: "One JSON document for each capture instead of text.")
    var json = false

    @OptionGroup var color: ColorOptions

    func run() throws {
        try dissectors.withLibrary(run)
    }

    private func run(_ library: DissectorLibrary) throws {
        let databases = gattDatabase.load(identity)
        let (json, isColoured) = (json, color.isColoured)
        try input.forEachCapture { reader, file, turn throws(CaptureError) in
            let values = ValueReader(library: library)
            var collector = Both(first: Following(values), second: TreeCollector())
            var trace = databases.makeTrace()
            // What was decoded before an error is shown all the same.
            defer {
                turn.write { output, _ in
                    if json {
                        var tree = TreeJSON(collector: collector.second, values: values)
                        tree.write(trace, file: reader.info.file, into: &output)
                    } else {
                        var tree = TreeText(
                            collector: collector.second, values: values, width: Output.terminalWidth,
                            isColoured: isColoured)
                        tree.write(trace, file: file)
                        tree.drain(into: &output)
                    }
                    databases.report(trace, reader.info)
                    reportLimits(of: trace, reader.info.file)
                }
            }
            while let record = try reader.next() { trace.decode(record, into: &collector) }
        }
        if databases.hasFailed { throw ExitCode(1) }
    }
}
