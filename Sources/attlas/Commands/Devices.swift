import ArgumentParser
import AttlasDissection
import AttlasDocuments
import AttlasMetrics
import AttlasText
import AttlasValues

struct Devices: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List the devices of a capture: every address that advertised or connected, with its advertised data."
    )

    @OptionGroup var input: CaptureOptions
    @OptionGroup(title: ShortHelp.title) var dissectors: DissectorOptions
    @OptionGroup(title: ShortHelp.title) var logs: ReaderOptions
    @OptionGroup(title: ShortHelp.title) var identity: IdentityOptions

    @Flag(help: "Print one JSON document for each capture instead of text.")
    var json = false

    @OptionGroup(title: ShortHelp.title) var color: ColorOptions

    func run() throws {
        try dissectors.withLibrary(run)
    }

    private func run(_ library: DissectorLibrary) throws {
        let (json, isColoured) = (json, color.isColoured)
        let databases = ImportedDatabases(databases: [], identity: identity)
        try input.forEachDocument(databases) { _ in
            DeviceCollector()
        } print: { model, info, _, _, output in
            let values = ValueInterpreter(library: library)
            if json {
                var document = DevicesJSON(model, values: values)
                document.write(file: info.file, into: &output)
            } else {
                var text = DevicesText(
                    model, values: values, width: Output.terminalWidth, isColoured: isColoured)
                text.write(into: &output)
            }
        }
    }
}
