import ArgumentParser
import AttlasDissection
import AttlasDocuments
import AttlasImport
import AttlasMetrics
import AttlasText
import AttlasValues

struct Stats: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Show the latency, throughput and history of each connection.",
        discussion: "attlas help statistics defines every figure.")

    @OptionGroup var input: CaptureOptions
    @OptionGroup(title: ShortHelp.title) var decoding: DecodingOptions
    @OptionGroup var selection: SelectionOptions

    @Option(
        help: """
            Group the tables by connection, by peer (all its connections together), or by characteristic or method \
            (all connections together).
            """)
    var by = StatisticsGrouping.connection

    @Flag(help: "Print one JSON document for each capture instead of text.")
    var json = false

    @OptionGroup(title: ShortHelp.title) var color: ColorOptions

    func run() throws {
        try decoding.withLibrary(run)
    }

    private func run(_ library: DissectorLibrary) throws {
        let selection = try selection.selection(library)
        let databases = decoding.loadDatabases()
        let (grouping, json, isColoured) = (by, json, color.isColoured)
        try input.forEachDocument(databases) {
            let known = selection.knowingPeers(of: $0, databases.makeTrace)
            return Interpreted(library: library, readsValues: known.readsValues) {
                SelectedStatistics(selection: known, values: $0)
            }
        } print: { model, info, file, isFirst, output in
            if let reason = model.whyNothing { printError("\(info.file): \(reason)") }
            if json {
                var document = StatisticsJSON(model, grouping: grouping)
                document.write(file: info.file, into: &output)
            } else {
                var tables = StatisticsText(
                    model, grouping: grouping, width: Output.terminalWidth, isColoured: isColoured)
                if !isFirst { tables.separate() }
                tables.write(file: file, into: &output)
            }
        }
    }
}

extension StatisticsGrouping: ExpressibleByArgument {}
