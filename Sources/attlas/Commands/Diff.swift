import ArgumentParser
import AttlasDissection
import AttlasDocuments
import AttlasFilter
import AttlasImport
import AttlasInput
import AttlasMetrics
import AttlasRecords
import AttlasText
import AttlasTrace
import AttlasValues

struct Diff: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compare two captures of the same devices: incidents, GATT trees, round trips, values.",
        discussion:
            "Use it to find regressions after a firmware update. attlas help statistics defines every figure.")

    @Argument(
        help: ArgumentHelp("The first capture; - is standard input.", valueName: "a"), completion: .file(),
        transform: FilesRead.note)
    var first: String

    @Argument(help: ArgumentHelp("The second capture.", valueName: "b"), completion: .file(), transform: FilesRead.note)
    var second: String

    @OptionGroup(title: ShortHelp.title) var decoding: DecodingOptions
    @OptionGroup var selection: SelectionOptions

    @Flag(help: "Print one JSON document instead of text.")
    var json = false

    @Option(
        name: .customLong("fail-on"),
        help: ArgumentHelp(
            "Exit with status 2 if the GATT tree of a peer changed (tree), if the p50 or p99 of a round trip increased, given at "
                + "least 20 in each capture (slower), if an incident is new or more frequent in B (incidents), or if data is "
                + "missing (incomplete). May be repeated.",
            valueName: "tree|slower|incidents|incomplete"))
    var failOn: [DifferenceVerdict.Criterion] = []

    @Option(help: ArgumentHelp("Report slower round trips only above this increase.", valueName: "percent"))
    var tolerance = DifferenceVerdict.usualTolerance

    @OptionGroup(title: ShortHelp.title) var color: ColorOptions

    func validate() throws {
        if first == "-" && second == "-" { throw ValidationError("Standard input (-) can be read only once.") }
        if !(0...1_000_000).contains(tolerance) {
            throw ValidationError("--tolerance takes a percentage from 0 to 1000000.")
        }
    }

    func run() throws {
        try decoding.withLibrary(run)
    }

    private func run(_ library: DissectorLibrary) throws {
        let selection = try selection.selection(library)
        let databases = decoding.loadDatabases()
        var hasFailed = databases.hasFailed
        var snapshots: [CaptureSnapshot] = []
        for path in [first, second] {
            guard let snapshot = read(path, selection, library, databases, &hasFailed) else { throw ExitCode(1) }
            snapshots.append(snapshot)
        }
        let difference = CaptureDifference(snapshots[0], snapshots[1])
        let verdict = DifferenceVerdict(difference, failOn: failOn, tolerance: tolerance)
        let values = ValueInterpreter(library: library)
        try printing { output in
            if json {
                var document = DifferenceJSON(values: values)
                document.write(difference, verdict, into: &output)
            } else {
                var tables = DifferenceText(values: values, width: Output.terminalWidth, isColoured: color.isColoured)
                tables.write(difference, verdict, into: &output)
            }
        }
        if hasFailed { throw ExitCode(1) }
        if !verdict.failures.isEmpty { throw ExitCode(2) }
    }

    /// nil if there is nothing to compare; the reason was reported.
    private func read(
        _ path: String, _ selection: Selection, _ library: DissectorLibrary, _ databases: ImportedDatabases,
        _ hasFailed: inout Bool
    ) -> CaptureSnapshot? {
        var captures = WholeCaptures(path: path)
        let selection = selection.knowingPeers(of: path, databases.makeTrace)
        var snapshot: CaptureSnapshot?
        do throws(CaptureError) {
            guard var reader = try captures.next() else {
                printError("\(path): contains no capture")
                return nil
            }
            let collector = Interpreted(library: library) {
                SnapshotCollector(file: path, selection: selection, values: $0)
            }
            do throws(CaptureError) {
                try gather(&reader, collector, databases.makeTrace()) { document, info, trace in
                    snapshot = document
                    if let reason = document.whyNothing { printError("\(info.file): \(reason)") }
                    databases.report(trace, info)
                }
            } catch {
                // Data decoded before the error is compared.
                printError(error.detailedDescription)
                hasFailed = true
            }
            if try captures.next() != nil {
                printError("\(path): contains more than one capture; only \(reader.info.file) is compared")
                hasFailed = true
            }
        } catch {
            printError(error.detailedDescription)
            return nil
        }
        return snapshot
    }
}

extension DifferenceVerdict.Criterion: ExpressibleByArgument {}
