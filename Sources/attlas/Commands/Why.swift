import ArgumentParser
import AttlasCapture
import AttlasDocuments
import AttlasIncidents
import AttlasLint
import AttlasLocks
import AttlasRecords
import AttlasText
import AttlasValues

struct Why: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract: "List what broke and why, or explain one characteristic or device.",
        discussion: "attlas help what-broke describes the kinds of incidents.")

    @Argument(help: AnswerOptions.captureHelp, completion: .file(), transform: FilesRead.note)
    var capture: String

    @Argument(
        help: """
            A characteristic or a device: a name, a UUID or an address, or a part of one. (default: all incidents)
            """,
        completion: .subjects)
    var subject: String?

    enum Failure: String, ExpressibleByArgument, CaseIterable {
        case broke, hindered
    }

    @Option(help: "Exit with status 2 if something broke, or (hindered) was slow or repeated.")
    var failOn: Failure?

    @OptionGroup(title: ShortHelp.title) var output: OutputOptions
    @OptionGroup var options: AnswerOptions

    struct OutputOptions: ParsableArguments {
        @Option(
            help: """
                Output format: text, json (one document per capture), or one document for all captures: sarif (code scanning), \
                junit, github (annotations), gitlab (Code Quality) or markdown.
                """)
        var format = FindingsOptions.Format.text
    }

    func validate() throws {
        if options.json, ![.text, .json].contains(output.format) { throw ValidationError("--json is --format json.") }
        if subject != nil, ![.text, .json].contains(output.format) {
            throw ValidationError(
                "--format \(output.format.rawValue) lists what broke, without a characteristic or a device.")
        }
        if let subject, SystemCalls.status(of: subject) != nil {
            throw ValidationError(
                "“\(subject)” is a file, not a characteristic or a device: attlas why reads one capture or one folder.")
        }
    }

    func run() throws {
        if ![.text, .json].contains(output.format) { return try printFindings() }
        let subject = subject
        let worst = Locked(Incident.Weight?.none)
        var options = options
        options.json = options.json || output.format == .json
        let hasAnswer = try options.print(capture) {
            WhyCollector(subject, values: $0)
        } hasAnswer: { model, _ in
            worst.withLock { $0 = [$0, model.incidents.incidents.map(\.weight).max()].compactMap(\.self).max() }
            return !model.answers.isEmpty
        } json: { model, file, output in
            var document = WhyJSON(model)
            document.write(file: file, into: &output)
        } text: { model, file, isColoured, output in
            var text = WhyText(model, width: Output.terminalWidth, isColoured: isColoured)
            text.write(file: file, into: &output)
        }
        if subject != nil, !hasAnswer { throw ExitCode(1) }
        if let least = failOn?.weight, let worst = worst.withLock({ $0 }), worst >= least { throw ExitCode(2) }
    }

    /// With the printers of `lint`.
    private func printFindings() throws {
        let findings = try FindingsOptions.parse(["--format", output.format.rawValue])
        try options.decoding.withLibrary { library in
            try findings.print(
                options.captures(capture), options.decoding.loadDatabases(),
                failOn: failOn.map { LintRule.Severity($0.weight) }
            ) { _ in
                Interpreted(library: library) { IncidentFindings(values: $0) }
            } _: { model, _ in
                model
            }
        }
    }
}

extension Why.Failure {
    fileprivate var weight: Incident.Weight {
        switch self {
        case .broke: .broke
        case .hindered: .hindered
        }
    }
}
