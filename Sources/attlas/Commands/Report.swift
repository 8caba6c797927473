import ArgumentParser
import AttlasCapture
import AttlasDissection
import AttlasImport
import AttlasInput
import AttlasLocks
import AttlasPage
import AttlasRecords
import AttlasValues
import Glibc

struct Report: WritingCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Create a shareable report: one HTML page, or Markdown.",
        discussion: """
            Summary, findings, timeline, plots, message sequence, devices, GATT trees, statistics and the conversation. The page \
            works offline and loads no other files. attlas help report.md describes it.
            """)

    @OptionGroup var input: CaptureOptions
    @OptionGroup(title: ShortHelp.title) var decoding: DecodingOptions
    @OptionGroup var selection: SelectionOptions

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case html, markdown
    }

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Write to this file; - is standard output. (default: -)", valueName: "out"),
        completion: .file())
    var output: String?

    @Flag(help: "Replace the file if it exists.")
    var force = false

    @Option(help: "Report format: html; or markdown, short enough for a ticket.")
    var format = Format.html

    @Option(help: ArgumentHelp("Set the title of the report.", valueName: "text"))
    var title: String?

    @Flag(name: .customLong("no-values"), help: "Leave out values and their meaning, to share the report.")
    var hidesValues = false

    @Flag(help: "Compare two captures of the same devices side by side, A and B, then show each.")
    var compare = false

    @Flag(help: "Report on the captures as attlas anonymize writes them, without their names.")
    var anonymous = false

    @Option(help: AnonymizedCapture.seedHelp, completion: .file(), transform: FilesRead.note)
    var seed: String?

    private var target: OutputPath? { output.map { OutputPath($0, replaces: force) } }
    /// The file, and where the anonymized captures are until they are read.
    var outputs: [OutputPath] {
        [target, anonymous ? try? Self.scratch.get().output : nil].compactMap(\.self)
    }

    private static let scratch = Result { () throws(CaptureError) in try ScratchFolder() }

    func validate() throws {
        if compare, input.reading.join == true { throw ValidationError("--compare and --join exclude each other.") }
        if compare, input.files.count > 2 { throw ValidationError("--compare takes two captures.") }
        if seed != nil, !anonymous { throw ValidationError("--seed is for --anonymous.") }
        if anonymous, input.reading.join == true { throw ValidationError("--anonymous and --join exclude each other.") }
    }

    func run() throws {
        try decoding.withLibrary { library in
            let databases = decoding.loadDatabases()
            guard anonymous else { return try run(library, input, databases) }
            let scratch = try orExit(Self.scratch.get)
            defer { scratch.remove() }
            let files = try AnonymizedFiles(input.files, in: scratch.path, seedFile: seed, library, databases)
            var input = input
            input.files = files.paths
            // Tables that were given name devices again.
            try run(library, input, ImportedDatabases(databases: [], identity: decoding.identity))
            if files.hasFailed { throw ExitCode(1) }
        }
    }

    private func run(_ library: DissectorLibrary, _ input: CaptureOptions, _ databases: ImportedDatabases) throws {
        let selection = try selection.selection(library)
        let file = try orExit { () throws(CaptureError) in try OutputFile(target) }
        let options = ReportOptions(title: title ?? defaultTitle, showsValues: !hidesValues)
        let (isCompared, isPage) = (compare, format == .html)
        let state = Locked(
            (
                output: file.output, page: ReportPage(options, values: ValueInterpreter(library: library)),
                models: [ReportComparison.Capture](), count: 0
            ))
        let digests = FileDigests()
        var status: Error?
        do {
            try input.forEachDocument(databases, joinsPieces: !compare && !anonymous) {
                let known = selection.knowingPeers(of: $0, databases.makeTrace)
                digests.begin($0.paths)
                return Interpreted(library: library) {
                    ReportCollector(selection: known, isCompared: isCompared, values: $0)
                }
            } print: { model, info, _, _, _ in
                var model = model
                model.digests = digests.digests(of: info.paths)
                if let reason = model.whyNothing { printError("\(info.file): \(reason)") }
                state.withLock { state in
                    state.count += 1
                    let file = anonymous ? "capture \(state.count)" : Self.name(of: info.file)
                    if anonymous { model.digests = model.digests.map { .init(file: file, sha256: $0.sha256) } }
                    if isPage, !isCompared {
                        state.page.write(model, file: file, number: state.count)
                    } else if !isCompared || state.count <= 2 {
                        state.models.append((file, model))
                    }
                }
            }
        } catch {
            // Data decoded before an error is in the report.
            status = error
        }
        let (written, isEmpty) = state.withLock { state in
            let (models, count) = (state.models, state.count)
            let comparison = isCompared && count == 2 ? ReportComparison(models[0], models[1]) : nil
            if isCompared, comparison == nil {
                printError("--compare takes two captures; there \(count == 1 ? "is" : "are") \(count)")
                status = ExitCode(1)
                return (state.output, true)
            }
            if isPage {
                if let comparison { state.page.write(comparison) }
                state.page.finish(into: &state.output)
            } else {
                var document = ReportMarkdown(options, values: ValueInterpreter(library: library))
                if let comparison {
                    document.write(comparison, into: &state.output)
                } else {
                    document.write(models, into: &state.output)
                }
            }
            return (state.output, state.count == 0)
        }
        try file.finish(written, isKept: !isEmpty)
        if let status { throw status }
    }

    /// Without its folders, which recipients of the report need not know.
    private static func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    private var defaultTitle: String {
        if anonymous { return "Bluetooth LE capture" }
        if compare { return input.files.map(Self.name).joined(separator: " and ") }
        let name = Self.name(of: input.files[0])
        let rest = input.files.count - 1
        return name == "-" ? "Bluetooth LE capture" : "\(name)\(rest > 0 ? " and \(rest) more" : "")"
    }
}
