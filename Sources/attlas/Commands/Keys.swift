import ArgumentParser
import AttlasCapture
import AttlasDocuments
import AttlasLocks
import AttlasMetrics
import AttlasRecords
import AttlasText

struct Keys: WritingCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "List the keys that a capture holds, and what each of them opens.",
        discussion: """
            Long Term Keys, Identity Resolving Keys, Connection Signature Resolving Keys and link keys of BR/EDR. They are withheld without \
            --show-keys. -o FILE writes them for --keys of the other commands.
            """)

    @OptionGroup var input: CaptureOptions

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Write the keys to this file, which --keys takes. Only its owner can read it.", valueName: "out"),
        completion: .file())
    var output: String?

    @Flag(help: "Replace the file if it exists.")
    var force = false

    @OptionGroup(title: ShortHelp.title) var dissectors: DissectorOptions
    @OptionGroup(title: ShortHelp.title) var identity: IdentityOptions

    @Flag(help: "Print one JSON document for each capture instead of text.")
    var json = false

    @OptionGroup(title: ShortHelp.title) var color: ColorOptions

    private var target: OutputPath? { output.map { OutputPath($0, replaces: force) } }
    var outputs: [OutputPath] { [target].compactMap(\.self) }

    func run() throws {
        let (json, isColoured, showsValues) = (json, color.isColoured, dissectors.showKeys)
        let file = try target.map { target in try orExit { () throws(CaptureError) in try OutputFile(target) } }
        let written = Locked(file?.output)
        var status: Error?
        do {
            try input.forEachDocument(ImportedDatabases(databases: [], identity: identity)) { _ in
                KeysCollector()
            } print: { model, info, name, _, output in
                written.withLock { file in
                    for key in model.keys {
                        var text = TextBuffer("\(own: key.line)")
                        file?.write(&text)
                    }
                }
                if json {
                    var document = KeysJSON(model, showsValues: showsValues)
                    document.write(file: info.file, into: &output)
                } else {
                    var text = KeysText(
                        model, showsValues: showsValues, width: Output.terminalWidth, isColoured: isColoured)
                    text.write(file: name, into: &output)
                }
            }
        } catch {
            // The keys that were found before an error are in the file.
            status = error
        }
        if let file, let output = written.withLock({ $0 }) { try file.finish(output) }
        if let status { throw status }
    }
}
