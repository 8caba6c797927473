import ArgumentParser
import AttlasDissection
import AttlasMetrics
import AttlasReport
import AttlasValues

struct Devices: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "Show who was seen: every address that advertised or connected, and what it said of itself.")

    @OptionGroup var input: CaptureOptions
    @OptionGroup var dissectors: DissectorOptions
    @OptionGroup var identity: IdentityOptions

    @Flag(help: "One JSON document for each capture instead of text.")
    var json = false

    @OptionGroup var color: ColorOptions

    func run() throws {
        try dissectors.withLibrary(run)
    }

    private func run(_ library: DissectorLibrary) throws {
        let (json, isColoured) = (json, color.isColoured)
        let databases = ImportedDatabases(databases: [], identity: identity)
        try input.forEachDocument(databases) {
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
