import ArgumentParser
import AttlasDissection
import AttlasText
import AttlasWire

struct DissectorsShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the layout of the value of a characteristic or descriptor.")

    @Argument(
        help: "The UUID of the characteristic or descriptor, or text in its name.", completion: .characteristics)
    var uuid: String

    @OptionGroup var options: DissectorOptions

    func run() throws {
        try options.withLibrary(run)
    }

    private func run(_ library: DissectorLibrary) throws {
        let uuid: BluetoothUUID
        do throws(NameMistake) {
            uuid = try library.attribute(named: self.uuid)
        } catch {
            printError(error.message)
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
