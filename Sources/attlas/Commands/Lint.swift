import ArgumentParser
import AttlasCheck
import AttlasDissection
import AttlasDocuments
import AttlasLint
import AttlasRecords
import AttlasText
import AttlasValues

struct Lint: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Find protocol errors and risks, with frame, reason and advice.",
        discussion: """
            attlas help lint.md lists every rule. The exit status is 2 if there are findings that --fail-on selects.
            """)

    // Not an option group of `CaptureOptions`, because `--list` needs no file.
    @Argument(help: CaptureOptions.filesHelp, completion: .file(), transform: FilesRead.note)
    var files: [String] = []

    @Flag(inversion: .prefixedNo, help: ReadingOptions.joinHelp)
    var join: Bool?

    @OptionGroup(title: ShortHelp.title) var decoding: DecodingOptions

    enum Failure: String, ExpressibleByArgument, CaseIterable {
        case info, warning, error, incomplete
    }

    @Option(
        help:
            "Exit with status 2 if there are findings of this severity or above, or (incomplete) if data is missing. May be repeated."
    )
    var failOn: [Failure] = []

    @Option(
        help: ArgumentHelp("Disable this rule, for example att/request-overlap. May be repeated.", valueName: "rule"),
        completion: .rules)
    var disable: [String] = []

    @OptionGroup var project: ProjectOptions

    @Flag(help: "List the rules and the data that each needs.")
    var list = false

    @Option(help: ArgumentHelp("Explain this rule.", valueName: "rule"), completion: .rules)
    var explain: String?

    @OptionGroup var findings: FindingsOptions

    func validate() throws {
        for file in files {
            if let path = LintConfiguration.path(above: file) { FilesRead.note(path) }
        }
        let isAboutRules = list || explain != nil
        if !isAboutRules { _ = try captures() }
        if isAboutRules && ![.text, .json].contains(findings.format) {
            throw ValidationError("--list and --explain take --format text or json.")
        }
        let known = LintRule.all.map(\.id)
        for rule in disable + [explain].compactMap(\.self) where !known.contains(rule) {
            throw ValidationError("There is no rule \"\(rule)\"\(NearestWord.suggestion(for: rule, among: known))")
        }
    }

    private func captures() throws -> CaptureOptions {
        if files.isEmpty { throw ValidationError("Missing expected argument '<file> ...'") }
        let options =
            ReadingOptions.words(join: join) + (failOn.contains(.incomplete) ? ["--fail-on", "incomplete"] : [])
        return try CaptureOptions.parse(options + ["--"] + files)
    }

    func run() throws {
        if let explain { return try printing { write(LintRule.all.filter { $0.id == explain }, into: &$0) } }
        if list { return try printing { write(LintRule.all, into: &$0) } }
        try decoding.withLibrary(run)
    }

    private func write(_ rules: [LintRule], into output: inout Output) {
        if findings.isJSON {
            var document = LintRulesJSON()
            document.write(rules, into: &output)
        } else {
            var text = LintRulesText(width: Output.terminalWidth, isColoured: findings.color.isColoured)
            if explain == nil { text.write(rules, into: &output) } else { text.explain(rules, into: &output) }
        }
    }

    private func run(_ library: DissectorLibrary) throws {
        let disabled = Set(disable)
        let captures = try captures()
        let project = try project.load(for: captures.files, library)
        let least = failOn.compactMap { LintRule.Severity(rawValue: $0.rawValue) }.min()
        try findings.print(captures, decoding.loadDatabases(), failOn: least) { info in
            let limits = project.limits(of: info.file)
            return Interpreted(library: library) {
                CheckCollector(limits, disabled: disabled, isStrict: false, values: $0)
            }
        } _: { model, capture in
            var model = model
            project.apply(to: &model, of: capture)
            return model
        }
    }
}
