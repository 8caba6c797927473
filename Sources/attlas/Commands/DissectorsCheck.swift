import ArgumentParser
import AttlasDefinitionFiles
import AttlasDefinitions
import AttlasDissection
import AttlasDocuments
import AttlasLocks
import AttlasMetrics
import AttlasRecords
import AttlasText
import AttlasValues

struct DissectorsCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Find mistakes in definition files and run their examples.",
        discussion: """
            attlas dissectors check led-strip.yaml --capture capture.btsnoop
            The exit status is 1 if there is a mistake, an example fails, or the capture has no values to read; it is 2 if a \
            value of the capture has a problem.
            """)

    @Argument(help: "Definition files, or folders of them.", completion: .file(), transform: FilesRead.note)
    var files: [String]

    @Option(
        help: ArgumentHelp(
            "Also count the octets of a capture's values that are explained, and list what values lack.",
            valueName: "file"),
        completion: .file(), transform: FilesRead.note)
    var capture: String?

    @Flag(help: "Print the counts of --capture as one JSON document.")
    var json = false

    @OptionGroup var gattDatabase: GATTDatabaseOptions
    @OptionGroup var identity: IdentityOptions
    @OptionGroup(title: ShortHelp.title) var color: ColorOptions

    func validate() throws {
        if json && capture == nil { throw ValidationError("--json needs --capture.") }
    }

    func run() throws {
        var sources: [DefinitionSource] = []
        var mistakes: [DefinitionMistake] = []
        for path in files {
            do {
                let found = try DefinitionSource.files(at: path)
                sources += found
                if found.isEmpty {
                    mistakes.append(
                        DefinitionMistake(file: path, line: 0, column: 0, message: "the folder has no .yaml files"))
                }
            } catch let mistake as DefinitionMistake {
                mistakes.append(mistake)
            }
        }
        let loader = DefinitionLoader(sources, above: .shipped)
        mistakes += loader.mistakes
        let library = DissectorLibrary.shipped.adding(loader.files)
        var definitions = 0
        var examples = 0
        for file in loader.files {
            let check = ExampleCheck(file, library: library)
            definitions += file.attributes.count
            examples += check.count
            mistakes += check.mistakes
        }
        if json {
            for mistake in mistakes { printError(mistake.description) }
        } else {
            try print(lines: mistakes.map(\.description))
        }
        if mistakes.isEmpty, !json {
            func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
            let counts = [
                count(sources.count, "file"), count(definitions, "definition"), count(examples, "example"),
            ]
            try print(lines: ["\(counts.joined(separator: ", ")): all right"])
        }
        var isWhole = true
        if let capture { isWhole = try score(capture, loader.files, library) }
        if !mistakes.isEmpty { throw ExitCode.failure }
        if !isWhole { throw ExitCode(2) }
    }

    /// - Returns: whether all values are read whole.
    private func score(_ capture: String, _ files: [DefinitionFile], _ library: DissectorLibrary) throws -> Bool {
        let definitions = files.flatMap(\.attributes).filter { !$0.key.space.isPacket && !$0.layouts.isEmpty }
        let found = Locked((isUsed: false, isWhole: true))
        let (json, isColoured) = (json, color.isColoured)
        try CaptureOptions.parse(["--", capture]).forEachDocument(gattDatabase.load(identity)) { _ in
            Interpreted(library: library) { DefinitionScoreCollector(definitions, values: $0) }
        } print: { model, info, file, _, output in
            found.withLock {
                $0.isUsed = $0.isUsed || model.isUsed
                $0.isWhole = $0.isWhole && model.isWhole
            }
            if json {
                var document = DefinitionScoreJSON(model)
                document.write(file: info.file, into: &output)
            } else {
                var text = DefinitionScoreText(model, width: Output.terminalWidth, isColoured: isColoured)
                text.write(file: file, into: &output)
            }
        }
        let (isUsed, isWhole) = found.withLock { ($0.isUsed, $0.isWhole) }
        guard isUsed else {
            printError("\(capture): no values of these definitions")
            throw ExitCode.failure
        }
        return isWhole
    }
}
