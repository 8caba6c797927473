import ArgumentParser
import AttlasDissection
import AttlasLint
import AttlasLocks
import AttlasReport
import AttlasValues

struct Lint: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Find protocol errors and risks, with their frame, the reason, and advice.",
        discussion: """
            Documentation/lint.md lists every rule. The exit status is 2 when there is a finding that --fail-on selects.
            """)

    // Not an option group of `CaptureOptions`, because `--list` needs no file.
    @Argument(help: CaptureOptions.filesHelp)
    var files: [String] = []

    @Flag(help: CaptureOptions.joinHelp)
    var join = false

    @OptionGroup var dissectors: DissectorOptions
    @OptionGroup var gattDatabase: GATTDatabaseOptions
    @OptionGroup var identity: IdentityOptions

    enum Failure: String, ExpressibleByArgument, CaseIterable {
        case info, warning, error, incomplete
    }

    @Option(
        help:
            "Exit with status 2 when there is a finding of this severity or above, or when something is missing from a capture. May be repeated."
    )
    var failOn: [Failure] = []

    @Option(
        help: ArgumentHelp("Disable this rule, for example att/request-overlap. May be repeated.", valueName: "rule"))
    var disable: [String] = []

    @Flag(help: "List the rules and what each of them needs in a capture.")
    var list = false

    @Flag(help: "Print one JSON document for each capture instead of text.")
    var json = false

    @OptionGroup var color: ColorOptions

    func validate() throws {
        if !list { _ = try captures() }
        let known = LintRule.all.map(\.id)
        for rule in disable where !known.contains(rule) {
            throw ValidationError("There is no rule \"\(rule)\"\(NearestWord.suggestion(for: rule, among: known))")
        }
    }

    private func captures() throws -> CaptureOptions {
        if files.isEmpty { throw ValidationError("Missing expected argument '<file> ...'") }
        let options = (join ? ["--join"] : []) + (failOn.contains(.incomplete) ? ["--fail-on", "incomplete"] : [])
        return try CaptureOptions.parse(options + ["--"] + files)
    }

    func run() throws {
        if list { return listRules() }
        try dissectors.withLibrary(run)
    }

    private func listRules() {
        var output = Output()
        if json {
            var document = LintRulesJSON()
            document.write(LintRule.all, into: &output)
        } else {
            var text = LintRulesText(width: Output.terminalWidth, isColoured: color.isColoured)
            text.write(LintRule.all, into: &output)
        }
    }

    private func run(_ library: DissectorLibrary) throws {
        let databases = gattDatabase.load(identity)
        let (disabled, json, isColoured) = (Set(disable), json, color.isColoured)
        let highest = Locked<LintRule.Severity?>(nil)
        try captures().forEachDocument(databases) { _ in
            Interpreted(library: library) { LintCollector(values: $0, disabled: disabled) }
        } print: { model, info, file, isFirst, output in
            if let severity = model.highestSeverity { highest.withLock { $0 = max($0 ?? severity, severity) } }
            if json {
                var document = LintJSON(model)
                document.write(file: info.file, into: &output)
            } else {
                var text = LintText(model, width: Output.terminalWidth, isColoured: isColoured)
                if !isFirst { text.separate() }
                text.write(file: file, into: &output)
            }
        }
        let least = failOn.compactMap { LintRule.Severity(rawValue: $0.rawValue) }.min()
        if let least, let highest = highest.withLock({ $0 }), highest >= least { throw ExitCode(2) }
    }
}
