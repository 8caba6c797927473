import ArgumentParser
import AttlasDissection
import AttlasLint
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

    @OptionGroup var findings: FindingsOptions

    func validate() throws {
        if !list { _ = try captures() }
        if list && ![.text, .json].contains(findings.format) {
            throw ValidationError("--list takes --format text or json.")
        }
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
        if findings.isJSON {
            var document = LintRulesJSON()
            document.write(LintRule.all, into: &output)
        } else {
            var text = LintRulesText(width: Output.terminalWidth, isColoured: findings.color.isColoured)
            text.write(LintRule.all, into: &output)
        }
    }

    private func run(_ library: DissectorLibrary) throws {
        let disabled = Set(disable)
        let least = failOn.compactMap { LintRule.Severity(rawValue: $0.rawValue) }.min()
        try findings.print(captures(), gattDatabase.load(identity), failOn: least) { _ in
            Interpreted(library: library) { LintCollector(values: $0, disabled: disabled) }
        } _: { model, _ in
            var model = model
            model.rules.removeAll { disabled.contains($0.id) }
            return model
        }
    }
}
