import ArgumentParser
import AttlasDocuments
import AttlasInput
import AttlasLint
import AttlasLocks
import AttlasText
import AttlasTrace
import AttlasValues

/// The form in which findings are printed.
struct FindingsOptions: ParsableArguments {
    /// To add one: a printer of `[LintReport]` in AttlasDocuments/Lint/, a line in Documentation/lint.md, an
    /// expectation by hand and a hostile name in `LintFormatsTests`, and a call in `Fuzzer+Pipeline.swift`.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, sarif, junit, github, gitlab, markdown
    }

    @Option(
        help: """
            Output format: text, json (one document per capture), or one document for all captures: sarif (code scanning), \
            junit, github (annotations), gitlab (Code Quality) or markdown.
            """)
    var format = Format.text

    @Flag(help: "Short for --format json.")
    var json = false

    @OptionGroup var color: ColorOptions

    var isJSON: Bool { json || format == .json }

    func validate() throws {
        if json && ![.text, .json].contains(format) { throw ValidationError("--json is --format json.") }
    }

    /// Prints the findings of each capture; exits with 2 if there is one of `least` or above.
    ///
    /// - Parameter makeModel: gets the collector's document, and the path of the capture.
    func print<Collector: DocumentCollector & SendableMetatype>(
        _ captures: CaptureOptions, _ databases: ImportedDatabases, failOn least: LintRule.Severity?,
        _ makeCollector: @escaping @Sendable (CaptureInfo) -> Collector,
        _ makeModel: @escaping @Sendable (Collector.Document, String) -> LintModel
    ) throws {
        let (options, isColoured) = (self, color.isColoured)
        let kept = Locked((highest: LintRule.Severity?.none, reports: [LintReport]()))
        var status: ExitCode?
        do {
            try captures.forEachDocument(databases, makeCollector) { document, info, file, isFirst, output in
                let model = makeModel(document, info.file)
                kept.withLock { $0.highest = [$0.highest, model.highestSeverity].compactMap(\.self).max() }
                if options.isJSON {
                    var document = LintJSON(model)
                    document.write(file: info.file, into: &output)
                } else if options.format == .text {
                    var text = LintText(model, width: Output.terminalWidth, isColoured: isColoured)
                    if !isFirst { text.separate() }
                    text.write(file: file, into: &output)
                } else {
                    var report = LintReport(file: relative(info.file), model)
                    if options.format == .sarif { report.offsets = offsets(of: model, in: info) }
                    kept.withLock { $0.reports.append(report) }
                }
            }
        } catch let code as ExitCode {
            status = code
        }
        // Findings before an error count.
        try printing { write(kept.withLock { $0.reports }, failingFrom: least ?? .warning, into: &$0) }
        if let status { throw status }
        if let least, let highest = kept.withLock({ $0.highest }), highest >= least { throw ExitCode(2) }
    }

    private func write(_ reports: [LintReport], failingFrom least: LintRule.Severity, into output: inout Output) {
        switch format {
        case .text, .json: break
        case .sarif:
            var document = LintSARIF(reports, version: "\(AttlasVersion.text)")
            document.write(into: &output)
        case .junit:
            var document = LintJUnit(reports, failingFrom: least)
            document.write(into: &output)
        case .github:
            var document = LintAnnotations(reports)
            document.write(into: &output)
        case .gitlab:
            var document = LintCodeQuality(reports)
            document.write(into: &output)
        case .markdown:
            var document = LintMarkdown(reports)
            document.write(into: &output)
        }
    }
}

/// A path as seen from the current folder, if it leads into it.
private func relative(_ path: String) -> String {
    if path.hasPrefix("./") { return String(path.dropFirst(2)) }
    guard let folder = SystemCalls.currentFolder(), path.hasPrefix(folder + "/") else { return path }
    return String(path.dropFirst(folder.utf8.count + 1))
}

/// Where the records of findings begin in a file; empty for inputs that cannot be read twice.
private func offsets(of model: LintModel, in info: CaptureInfo) -> [Int: UInt64] {
    let frames = Set(model.findings.map(\.frame))
    var offsets: [Int: UInt64] = [:]
    guard info.joined.isEmpty, SystemCalls.regularFileSize(info.file) != nil,
        var reader = try? CaptureReader(path: info.file)
    else { return offsets }
    while offsets.count < frames.count, let record = try? reader.next() {
        if frames.contains(record.frame) { offsets[record.frame] = record.offset }
    }
    return offsets
}
