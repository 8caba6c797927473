import ArgumentParser
import AttlasDefinitions
import AttlasDissection
import AttlasDocuments
import AttlasInference
import AttlasInput
import AttlasLocks
import AttlasRecords
import AttlasText
import AttlasValues
import AttlasWire

struct DissectorsNew: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Print a commented definition file to start from.",
        discussion: """
            attlas dissectors new 6E40FF02-B5A3-F393-E0A9-E50E24DCCA9E Colour --value 01051E9000 > led-strip.yaml
            Each --value becomes an example. The first one also gives a field for each octet. With --from, fields and examples are \
            what attlas infer proposes.
            """)

    @Argument(
        help: """
            The UUID of the characteristic; with --from also manufacturer-data:0x0499, service-data:FCD2, ad-structure:0xEE, rfcomm:5 or psm:0x1001.
            """)
    var uuid: String

    @Argument(help: "The name of the characteristic. (with --from: optional)")
    var name: String?

    @Option(
        help: ArgumentHelp("Propose fields and examples from the values of this capture.", valueName: "capture"),
        completion: .file(), transform: FilesRead.note)
    var from: String?

    @Option(help: ArgumentHelp("The UUID of its service.", valueName: "uuid"))
    var service: String?

    @Option(help: ArgumentHelp("The name of its service.", valueName: "name"))
    var serviceName = "My Service"

    @Option(
        name: .customLong("value"), help: ArgumentHelp("A value from a capture. May be repeated.", valueName: "hex")
    )
    var values: [String] = []

    @OptionGroup var gattDatabase: GATTDatabaseOptions
    @OptionGroup var identity: IdentityOptions

    func validate() throws {
        if from == nil, name == nil { throw ValidationError("Missing the name of the characteristic.") }
        if from != nil, !values.isEmpty || service != nil {
            throw ValidationError("--from excludes --value and --service: the capture has both.")
        }
    }

    func run() throws {
        if let from, uuid.contains(":") { return try propose(uuid, from) }
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
        if let from { return try propose(uuid.description, from) }
        var output = TextBuffer()
        output.append(
            string:
                StartingFile(
                    uuid: uuid, name: name ?? "", service: service, serviceName: serviceName, values: values
                ).text)
        try print(output)
    }

    /// - Parameter subject: as `attlas infer` takes it.
    private func propose(_ subject: String, _ capture: String) throws {
        let isFound = Locked(false)
        let name = name
        try CaptureOptions.parse(["--", capture]).forEachDocument(gattDatabase.load(identity)) { _ in
            Interpreted(library: .shipped) { InferenceCollector(subject, values: $0) }
        } print: { model, info, _, _, output in
            if let reason = model.whyNothing { printError("\(info.file): \(reason)") }
            guard !model.characteristics.isEmpty else { return }
            isFound.withLock { $0 = true }
            var text = TextBuffer()
            text.append(string: DraftFile(model.characteristics, name: name).text)
            output.write(&text)
        }
        if !isFound.withLock({ $0 }) { throw ExitCode.failure }
    }

    private func complaint(_ message: String) -> ExitCode {
        printError(message)
        return .failure
    }
}
