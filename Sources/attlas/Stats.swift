import ArgumentParser
import AttlasCapture
import AttlasDissection
import AttlasMetrics
import AttlasReport
import AttlasTrace

struct Stats: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Show what was slow and how much went over: round trips, values, and the life of each connection.",
        discussion: "Documentation/statistics.md defines every figure.")

    @OptionGroup var input: CaptureOptions
    @OptionGroup var dissectors: DissectorOptions
    @OptionGroup var selection: SelectionOptions
    @OptionGroup var gattDatabase: GATTDatabaseOptions
    @OptionGroup var identity: IdentityOptions

    @Option(
        help: """
            What stands together in a table: each connection, each peer with all its connections, or of the whole capture \
            each characteristic or each method.
            """)
    var by = StatisticsGrouping.connection

    @Flag(help: "One JSON document for each capture instead of text.")
    var json = false

    @OptionGroup var color: ColorOptions

    func validate() throws {
        if selection.context != nil { throw ValidationError("-C goes with show.") }
    }

    func run() throws {
        try dissectors.withLibrary(run)
    }

    private func run(_ library: DissectorLibrary) throws {
        let selection = try selection.selection(library)
        let databases = gattDatabase.load(identity)
        let (grouping, json, isColoured) = (by, json, color.isColoured)
        try input.forEachCapture { reader, file, turn throws(CaptureError) in
            let values = ValueReader(library: library)
            var statistics = SelectedStatistics(selection: selection, values: values)
            var trace = databases.makeTrace()
            // What was decoded before an error is shown all the same.
            defer {
                trace.finish(into: &statistics)
                statistics.finish(in: trace)
                turn.write { output, isFirst in
                    if json {
                        var document = StatisticsJSON(values: values, grouping: grouping)
                        document.write(statistics.collector, trace, file: reader.info.file, into: &output)
                    } else {
                        var tables = StatisticsText(
                            values: values, grouping: grouping, width: Output.terminalWidth, isColoured: isColoured)
                        if !isFirst { tables.separate() }
                        tables.write(statistics.collector, trace, file: file, into: &output)
                    }
                    databases.report(trace, reader.info)
                    reportLimits(of: trace, reader.info.file)
                }
            }
            while let record = try reader.next() { trace.decode(record, into: &statistics) }
        }
        if databases.hasFailed { throw ExitCode(1) }
    }
}

extension StatisticsGrouping: ExpressibleByArgument {}
