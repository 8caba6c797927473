import ArgumentParser
import AttlasDefinitions
import AttlasDissection
import AttlasInput
import AttlasReport
import AttlasWire

struct DissectorsNew: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Print a commented definition file to start from.",
        discussion: """
            attlas dissectors new 6E40FF02-B5A3-F393-E0A9-E50E24DCCA9E Colour --value 01051E9000 > led-strip.yaml
            Each --value becomes an example. The first one also gives a field for each octet.
            """)

    @Argument(help: "The UUID of the characteristic.")
    var uuid: String

    @Argument(help: "The name of the characteristic.")
    var name: String

    @Option(help: ArgumentHelp("The UUID of its service.", valueName: "uuid"))
    var service: String?

    @Option(help: ArgumentHelp("The name of its service.", valueName: "name"))
    var serviceName = "My Service"

    @Option(
        name: .customLong("value"), help: ArgumentHelp("A value from a capture. May be repeated.", valueName: "hex")
    )
    var values: [String] = []

    func run() throws {
        guard let uuid = BluetoothUUID(uuid) else {
            throw complaint(
                "\"\(self.uuid)\" is not a UUID; expected four or eight hexadecimal digits, or the 128-bit form")
        }
        let service = try service.map { (text) throws -> BluetoothUUID in
            guard let uuid = BluetoothUUID(text) else { throw complaint("\"\(text)\" is not a UUID") }
            return uuid
        }
        let values = try values.map { (text) throws -> [UInt8] in
            guard let octets = CopiedValue.octets(text) else {
                throw complaint("\"\(text)\" is not a value; \(CopiedValue.expectation)")
            }
            return octets
        }
        if let known = DissectorLibrary.shipped.dissector(for: uuid) {
            printError("\(uuid) already has a definition (\(known.name)); yours will replace it")
        }
        var output = TextBuffer()
        output.append(
            string:
                StartingFile(uuid: uuid, name: name, service: service, serviceName: serviceName, values: values).text)
        try print(output)
    }

    private func complaint(_ message: String) -> ExitCode {
        printError(message)
        return .failure
    }
}
