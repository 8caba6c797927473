import ArgumentParser
import AttlasDissection
import AttlasDocuments
import AttlasMetrics
import AttlasText
import AttlasValues

struct Tree: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tree",
        abstract: "Show the GATT tree of each peer: services, characteristics, descriptors, and their traffic.")

    @OptionGroup var input: CaptureOptions
    @OptionGroup(title: ShortHelp.title) var decoding: DecodingOptions

    @Flag(help: "Print one JSON document for each capture instead of text.")
    var json = false

    @OptionGroup(title: ShortHelp.title) var color: ColorOptions

    func run() throws {
        try decoding.withLibrary(run)
    }

    private func run(_ library: DissectorLibrary) throws {
        let databases = decoding.loadDatabases()
        let (json, isColoured) = (json, color.isColoured)
        try input.forEachDocument(databases) { _ in
            Interpreted(library: library) { TreeCollector(values: $0) }
        } print: { model, info, file, _, output in
            if json {
                var document = TreeJSON(model)
                document.write(file: info.file, into: &output)
            } else {
                var tree = TreeText(model, width: Output.terminalWidth, isColoured: isColoured)
                tree.write(file: file, into: &output)
            }
        }
    }
}
