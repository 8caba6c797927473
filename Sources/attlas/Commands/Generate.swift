import ArgumentParser
import AttlasCapture
import AttlasDefinitionFiles
import AttlasDefinitions
import AttlasDissection
import AttlasDocuments
import AttlasGenerate
import AttlasIncidents
import AttlasInput
import AttlasRecords
import AttlasText
import AttlasWire

struct Generate: WritingCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Generate code that reads and writes the values of a device, or answers as a recorded one.",
        discussion: """
            attlas generate swift led-strip.yaml --output LEDStrip.swift
            Without a file, the definitions of attlas: attlas generate c 2A37 > heart_rate.h
            For tests without a radio, a recorded device for CoreBluetoothMock: attlas generate coremock led.btsnoop
            """)

    @Argument(
        help: "swift, c or python; coremock for a recorded device.",
        completion: .list(GeneratedCode.allCases.map(\.rawValue)))
    var language: GeneratedCode

    @Argument(
        help: ArgumentHelp(
            "Definition files or folders, and the UUIDs of what is generated (default: everything in the files); for coremock, a capture.",
            valueName: "file> … <uuid"), completion: .file(), transform: FilesRead.note)
    var inputs: [String]

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Write to this file; - is standard output. (default: -)", valueName: "out"),
        completion: .file())
    var output: String?

    @Flag(help: "Replace the file if it exists.")
    var force = false

    @Option(help: ArgumentHelp("Prefix of names outside of types. (default: the name of the file)", valueName: "name"))
    var name: String?

    @Option(
        help: ArgumentHelp(
            "Write the examples as tests that import this module; in C, this header.", valueName: "module"))
    var tests: String?

    @Flag(help: "Swift: read and write with Bluejay.")
    var bluejay = false

    @Flag(help: "Python: add a Home Assistant parser for advertised data.")
    var homeassistant = false

    @Flag(help: "Only report what cannot be generated, and why.")
    var check = false

    @Option(
        help: "With coremock: only devices whose name or address contains this text; local is the recorded host.",
        completion: .peers)
    var peer: String?

    @OptionGroup(title: ShortHelp.title) var decoding: DecodingOptions

    private var target: OutputPath? { output.map { OutputPath($0, replaces: force) } }
    var outputs: [OutputPath] { [target].compactMap(\.self) }

    func validate() throws {
        if language == .coremock ? tests != nil || check : peer != nil || decoding.areGiven {
            throw ValidationError(
                language == .coremock
                    ? "--tests and --check are for definitions."
                    : "--peer and the options that decode captures are for coremock.")
        }
        if homeassistant, language != .python { throw ValidationError("--homeassistant is for Python.") }
        if bluejay, language != .swift { throw ValidationError("--bluejay is for Swift.") }
        let isPlain = tests?.utf8.allSatisfy {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
                || "_./-".utf8.contains($0)
        }
        if isPlain == false { throw ValidationError("--tests takes a module or a header.") }
    }

    func run() throws {
        guard let language = CodeLanguage(rawValue: language.rawValue) else { return try writeMock() }
        let paths = inputs.filter { BluetoothUUID($0) == nil || FileSystem.exists($0) }
        let uuids = inputs.filter { !paths.contains($0) }.compactMap { BluetoothUUID($0) }
        let loader = try load(paths)
        let library = DissectorLibrary.shipped.adding(loader.files)
        var files = loader.files
        if !uuids.isEmpty {
            if paths.isEmpty {
                let known = uuids.compactMap(library.definition)
                files = [DefinitionFile(path: "", services: [], attributes: known)]
            }
            for index in files.indices { files[index].attributes.removeAll { !uuids.contains($0.uuid) } }
        }
        // What is named has to be generated; of a folder, what can be.
        let isWanted = { (path: String) in !uuids.isEmpty || paths.contains(path) }
        for uuid in uuids where !files.flatMap(\.attributes).contains(where: { $0.uuid == uuid && !$0.layouts.isEmpty })
        {
            printError("there is no definition of \(uuid)\(paths.isEmpty ? "" : " in the files")")
            throw ExitCode.failure
        }
        let form = CodecForm(
            files, name: name ?? paths.first.map(CodecForm.name(ofFile:)) ?? files.first?.attributes.first?.name ?? "",
            resolve: library.definition)
        let refusals = form.refusals.map(\.description)
        if check {
            let generated = counted(form.codecs.count, "layout")
            try print(lines: refusals + ["\(generated) generated, \(counted(refusals.count, "definition")) refused"])
        } else {
            for refusal in refusals { printError(refusal) }
        }
        guard !form.refusals.contains(where: { isWanted($0.path) }) else { throw ExitCode.failure }
        guard !check else { return }
        if form.codecs.isEmpty {
            printError("there is no definition with fields in the files")
            throw ExitCode.failure
        }
        if homeassistant, !form.codecs.contains(where: { $0.definition.kind.isAdvertised }) {
            printError("--homeassistant: no definition in the files is of manufacturer-data or service-data")
            throw ExitCode.failure
        }
        let text =
            tests.map { language.tests(of: form, importing: $0) }
            ?? language.code(of: form, conformsToBluejay: bluejay, isForHomeAssistant: homeassistant)
        try write(text)
    }

    private func write(_ text: String) throws {
        let file = try orExit { () throws(CaptureError) in try OutputFile(target) }
        var buffer = TextBuffer()
        buffer.append(string: text)
        var written = file.output
        written.write(&buffer)
        try file.finish(written)
    }

    private func writeMock() throws {
        try decoding.withLibrary { library in
            let recorded = try RecordedDevices(.parse(["--"] + inputs), decoding, library, peer: peer)
            if recorded.devices.isEmpty { throw recorded.complain(peer) }
            let name = name ?? CodecForm.name(ofFile: recorded.file)
            try write(
                CoreBluetoothMockCode(recorded.devices, of: recorded.model, file: recorded.file, name: name).text)
            if let failure = recorded.failure { throw failure }
        }
    }

    private func load(_ paths: [String]) throws -> DefinitionLoader {
        var sources: [DefinitionSource] = []
        do {
            sources = try paths.flatMap(DefinitionSource.files)
        } catch let mistake as DefinitionMistake {
            printError(mistake.description)
            throw ExitCode.failure
        }
        for source in sources { FilesRead.note(source.path) }
        let loader = DefinitionLoader(sources, above: .shipped, areSeparate: true)
        for mistake in loader.mistakes { printError(mistake.description) }
        if !loader.mistakes.isEmpty { throw ExitCode.failure }
        return loader
    }
}

/// The languages of code for definitions, and mocks of recorded devices.
enum GeneratedCode: String, CaseIterable, ExpressibleByArgument {
    case swift, c, python, coremock
}
