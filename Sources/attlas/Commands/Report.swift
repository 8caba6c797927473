import ArgumentParser
import AttlasCapture
import AttlasDissection
import AttlasImport
import AttlasInput
import AttlasLocks
import AttlasReport
import AttlasValues

struct Report: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Write a report to look at and to send: one HTML page, or Markdown.",
        discussion: """
            Summary, findings, timeline, plots, message sequence, devices, GATT trees, statistics and the conversation. The page has \
            all it needs inside and asks for nothing from anywhere. attlas help report.md describes it.
            """)

    @OptionGroup var input: CaptureOptions
    @OptionGroup var dissectors: DissectorOptions
    @OptionGroup var selection: SelectionOptions
    @OptionGroup var gattDatabase: GATTDatabaseOptions
    @OptionGroup var identity: IdentityOptions

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case html, markdown
    }

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The file to write; standard output without it.", valueName: "file"), completion: .file())
    var output: String?

    @Option(help: "The form of the report: html; or markdown, short enough for a ticket.")
    var format = Format.html

    @Option(help: ArgumentHelp("The title of the report.", valueName: "text"))
    var title: String?

    @Flag(name: .customLong("no-values"), help: "Leave out values and what they mean, for a report that others see.")
    var hidesValues = false

    /// The only one in which this command writes.
    var folder: String? { output.map { Privileges.folder(of: $0) } }

    func validate() throws {
        try selection.refuseContext()
    }

    func run() throws {
        try dissectors.withLibrary(run)
    }

    private func run(_ library: DissectorLibrary) throws {
        let selection = try selection.selection(library)
        let databases = gattDatabase.load(identity)
        let file: ReportFile
        do throws(CaptureError) {
            file = try ReportFile(output)
        } catch {
            printError(error.detailedDescription)
            throw ExitCode(1)
        }
        let options = ReportOptions(title: title ?? defaultTitle, showsValues: !hidesValues)
        let (isJoined, isPage) = (input.join, format == .html)
        let state = Locked(
            (
                output: file.output, page: ReportPage(options, values: ValueInterpreter(library: library)),
                models: [(file: String, model: ReportModel)](), count: 0
            ))
        if isPage { state.withLock { $0.page.begin(into: &$0.output) } }
        var status: Error?
        do {
            try input.forEachDocument(databases) {
                let known = isJoined ? selection : selection.knowingPeers(of: $0, databases.makeTrace)
                return Interpreted(library: library) { ReportCollector(selection: known, values: $0) }
            } print: { model, info, _, _, _ in
                if let reason = model.whyNothing { printError("\(info.file): \(reason)") }
                let file = Self.name(of: info.file)
                state.withLock { state in
                    state.count += 1
                    if isPage {
                        state.page.write(model, file: file, number: state.count, into: &state.output)
                    } else {
                        state.models.append((file, model))
                    }
                }
            }
        } catch {
            // What was decoded before an error is in the report.
            status = error
        }
        let (written, isEmpty) = state.withLock { state in
            if isPage {
                state.page.end(into: &state.output)
            } else {
                var document = ReportMarkdown(options)
                document.write(state.models, into: &state.output)
            }
            return (state.output, state.count == 0)
        }
        do throws(CaptureError) {
            try file.finish(written, isKept: !isEmpty && !Interruption.isRequested)
        } catch {
            printError(error.detailedDescription)
            throw ExitCode(1)
        }
        if let status { throw status }
    }

    /// Without its folders, which whoever gets the report need not know.
    private static func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    private var defaultTitle: String {
        let name = Self.name(of: input.files[0])
        let rest = input.files.count - 1
        return name == "-" ? "Bluetooth LE capture" : "\(name)\(rest > 0 ? " and \(rest) more" : "")"
    }
}
