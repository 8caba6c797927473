import ArgumentParser
import AttlasDissection
import AttlasReport

struct DissectorsList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Every characteristic and descriptor with a definition.")

    @Flag(help: "One JSON document.")
    var json = false

    @OptionGroup var options: DissectorOptions

    func run() throws {
        try options.withLibrary(run)
    }

    private func run(_ library: DissectorLibrary) throws {
        let definitions = library.definitions
        var output = TextBuffer()
        if json {
            append(definitions, to: &output)
        } else {
            output.append(
                rows: definitions.map { definition in
                    [
                        definition.uuid.description, definition.name, "\(definition.kind)",
                        definition.confidence == .a ? "" : "confidence \(definition.confidence.rawValue)",
                        definition.isAdded ? "yours" : "",
                    ]
                    .map { text in
                        var cell = TextBuffer()
                        cell.append(display: text)
                        return cell
                    }
                })
        }
        try print(output)
    }

    private func append(_ definitions: [DissectorLibrary.Summary], to output: inout TextBuffer) {
        output.append("{\"definitions\":[")
        for (index, definition) in definitions.enumerated() {
            if index > 0 { output.append(",") }
            output.append("{\"uuid\":")
            output.append(jsonString: definition.uuid.description)
            output.append(",\"kind\":")
            output.append(jsonString: "\(definition.kind)")
            output.append(",\"name\":")
            output.append(jsonString: definition.name)
            output.append(",\"confidence\":")
            output.append(jsonString: definition.confidence.rawValue)
            if let decoder = definition.decoder {
                output.append(",\"decoder\":")
                output.append(jsonString: decoder.rawValue)
            }
            output.append(definition.isAdded ? ",\"added\":true}" : ",\"added\":false}")
        }
        output.append("]}\n")
    }
}
