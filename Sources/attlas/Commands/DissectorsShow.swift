import ArgumentParser
import AttlasDissection
import AttlasReport
import AttlasWire

struct DissectorsShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the layout of the value of a characteristic or descriptor.")

    @Argument(help: "The UUID of the characteristic or descriptor.")
    var uuid: String

    @OptionGroup var options: DissectorOptions

    func run() throws {
        try options.withLibrary(run)
    }

    private func run(_ library: DissectorLibrary) throws {
        guard let uuid = BluetoothUUID(uuid) else {
            printError("\"\(self.uuid)\" is not a UUID")
            throw ExitCode.failure
        }
        guard let definition = library.definition(of: uuid), !definition.layouts.isEmpty else {
            printError("there is no definition of \(uuid)")
            throw ExitCode.failure
        }
        var output = TextBuffer()
        output.append(layoutOf: definition)
        try print(output)
    }
}
