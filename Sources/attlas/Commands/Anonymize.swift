import ArgumentParser
import AttlasAnonymize
import AttlasCapture
import AttlasDissection
import AttlasInput
import AttlasRecords
import AttlasWire

struct Anonymize: WritingCommand {
    static let configuration = CommandConfiguration(
        commandName: "anonymize",
        abstract: "Write a capture without addresses, keys, names and personal values.",
        discussion: """
            Addresses, keys, names, serial numbers, health data and locations are replaced, and vendor-specific data is zeroed. Times, \
            handles, lengths, errors and the packet order are kept. OUT is searched for all original addresses, keys and names before it is \
            saved.
            """)

    @Argument(help: ArgumentHelp("A capture.", valueName: "in"), completion: .file(), transform: FilesRead.note)
    var input: String

    @Argument(help: ArgumentHelp("The file to write.", valueName: "out"), completion: .file())
    var output: String

    @Option(help: AnonymizedCapture.seedHelp, completion: .file(), transform: FilesRead.note)
    var seed: String?

    @Flag(help: "Keep all characteristic values, for example to debug firmware. Identities in them are still replaced.")
    var keepValues = false

    @Option(
        name: .customLong("keep"),
        help: ArgumentHelp(
            "Keep values of this attribute or service data (repeatable).", valueName: "uuid"))
    var kept: [String] = []

    @Flag(help: "Exit with status 2, and write nothing, if any octets are not understood.")
    var strict = false

    @Option(help: RecordFormat.help)
    var format: RecordFormat?

    @Flag(help: "Replace OUT if it exists.")
    var force = false

    @OptionGroup(title: ShortHelp.title) var decoding: DecodingOptions

    var outputs: [OutputPath] { [OutputPath(output, .searched, replaces: force)] }

    func validate() throws {
        if output == "-" { throw ValidationError("OUT is a file: it is searched before it appears.") }
        guard format != nil || RecordFormat(path: output) != nil else {
            throw ValidationError(RecordFormat.mistake)
        }
        for text in kept where BluetoothUUID(text) == nil { throw ValidationError("--keep \(text) is not a UUID.") }
    }

    func run() throws {
        try decoding.withLibrary(run)
    }

    private func run(_ library: DissectorLibrary) throws {
        guard let format = format ?? RecordFormat(path: output) else { return }
        let databases = decoding.loadDatabases()
        var choice = Anonymizer.Choice()
        choice.keepsValues = keepValues
        choice.keptTypes = Set(kept.compactMap { BluetoothUUID($0) })
        let result = try orExit { () throws(CaptureError) in
            let capture = AnonymizedCapture(
                decoding: CaptureDecoding(paths: [input], kind: nil, library: library, databases: databases),
                choice: choice, pseudonyms: try AnonymizedCapture.pseudonyms(seedFile: seed))
            return try capture.write(to: outputs[0], format, isStrict: strict)
        }
        if strict, result.outcome.unknownPlaces > 0 {
            try print(lines: result.unknownLines)
            printError("\(output): some octets were not understood; nothing was written")
            throw ExitCode(2)
        }
        for failure in result.failures { printError(failure.detailedDescription) }
        for sentence in result.losses { printError("\(output): \(sentence)") }
        try print(lines: result.lines)
        if !result.failures.isEmpty || databases.hasFailed { throw ExitCode(1) }
    }
}
