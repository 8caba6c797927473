import ArgumentParser
import AttlasCapture
import AttlasDissection
import AttlasDocuments
import AttlasImport
import AttlasInput
import AttlasLocks
import AttlasMetrics
import AttlasPage
import AttlasRecords
import AttlasText
import AttlasValues

struct Fleet: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet",
        abstract: "Compare many captures: losses, reconnection, procedures, incidents.",
        discussion: """
            Use it to see whether a new firmware is worse: only differences that chance does not explain are listed. \
            attlas help fleet.md has the figures and the tests.
            """)

    @Argument(help: CaptureOptions.filesHelp, completion: .file(), transform: FilesRead.note)
    var files: [String]

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Compare with these captures or folders.", valueName: "file"), completion: .file(),
        transform: FilesRead.note)
    var against: [String] = []

    enum Grouping: String, ExpressibleByArgument, CaseIterable {
        case folder, name, firmware, phone
    }

    @Option(
        help: """
            Without --against, group by: folder; or device name, Firmware Revision, or the phone that recorded a bug report. Each \
            group is compared with the first.
            """)
    var by = Grouping.folder

    @Flag(inversion: .prefixedNo, help: ReadingOptions.joinHelp)
    var join: Bool?

    @Option(help: ArgumentHelp("Number of decoding threads. (default: one for each processor)", valueName: "number"))
    var threads: Int?

    @OptionGroup(title: ShortHelp.title) var decoding: DecodingOptions

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, markdown, html
    }

    @Option(help: "Output format: text, json, markdown or html.")
    var format = Format.text

    @Flag(help: "Short for --format json.")
    var json = false

    enum Failure: String, ExpressibleByArgument, CaseIterable {
        case worse, incomplete
    }

    @Option(
        help: "Exit with status 2 if a figure is worse (worse), or if data is missing (incomplete). May be repeated.")
    var failOn: [Failure] = []

    @OptionGroup(title: ShortHelp.title) var color: ColorOptions

    func validate() throws {
        if !against.isEmpty, by != .folder { throw ValidationError("--against compares folders: leave out --by.") }
        if against.isEmpty, by == .folder, files.count < 2 {
            throw ValidationError("Give captures to compare with: --against FOLDER, or --by name, firmware or phone.")
        }
        let sides = (files + against).map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
        if let both = sides.first(where: { side in sides.count { $0 == side } > 1 }) {
            throw ValidationError("\(both) is on both sides of the comparison.")
        }
        if json, ![.text, .json].contains(format) { throw ValidationError("--json is --format json.") }
        _ = try captures()
    }

    private func captures() throws -> CaptureOptions {
        var options = ReadingOptions.words(join: join)
        if let threads { options += ["--threads", "\(threads)"] }
        if failOn.contains(.incomplete) { options += ["--fail-on", "incomplete"] }
        return try CaptureOptions.parse(options + ["--"] + against + files)
    }

    func run() throws {
        try decoding.withLibrary(run)
    }

    private func run(_ library: DissectorLibrary) throws {
        let sides = against.isEmpty ? files.map { [$0] } : [against, files]
        let isByFolder = by == .folder
        let groups = Locked(FleetGroups(names: isByFolder ? sides.map { $0.joined(separator: ", ") } : []))
        let key = by
        var status: ExitCode?
        do {
            try captures().forEachDocument(decoding.loadDatabases()) { _ in
                Interpreted(library: library) { FleetCollector(values: $0) }
            } print: { capture, info, _, _, _ in
                let side = sides.first {
                    $0.contains { argument in info.paths.contains { Self.isPath($0, of: argument) } }
                }
                groups.withLock {
                    $0.add(capture.devices, of: info.file, hours: capture.hours) { device in
                        switch key {
                        case .folder: side?.joined(separator: ", ")
                        case .name: device.name
                        case .firmware: device.firmware
                        case .phone: info.recordingDevice
                        }
                    }
                }
            }
        } catch let code as ExitCode {
            status = code
        }
        let (all, unnamed) = groups.withLock { ($0.groups.filter { $0.captures > 0 }, $0.unnamed) }
        if unnamed > 0 { printError("captures left out, because no \(by.rawValue) is known: \(unnamed)") }
        guard let base = all.first, all.count > 1 else {
            printError(
                "there is nothing to compare: "
                    + (all.isEmpty ? "no capture was read" : "all captures are of one group, \(all[0].name)"))
            throw ExitCode(1)
        }
        let comparisons = all.dropFirst().map { FleetComparison($0, against: base) }
        try printing { output in
            switch format {
            case _ where json, .json:
                var document = FleetJSON()
                document.write(comparisons, into: &output)
            case .markdown:
                var document = FleetMarkdown()
                document.write(comparisons, into: &output)
            case .html:
                let options = ReportOptions(title: "Captures compared")
                var page = FleetPage(options, values: ValueInterpreter(library: library))
                page.write(comparisons, into: &output)
            case .text:
                var text = FleetText(width: Output.terminalWidth, isColoured: color.isColoured)
                text.write(comparisons, into: &output)
            }
        }
        if let status { throw status }
        if failOn.contains(.worse), comparisons.contains(where: \.isWorse) { throw ExitCode(2) }
    }

    private static func isPath(_ path: String, of argument: String) -> Bool {
        path == argument || path.hasPrefix(argument.hasSuffix("/") ? argument : "\(argument)/")
    }
}
