import ArgumentParser
import AttlasDocuments
import AttlasInput
import AttlasRecords
import AttlasSources

/// The source and the recording of `live`.
struct LiveOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp("A pipe to read; - is standard input.", valueName: "pipe"), completion: .file(),
        transform: FilesRead.note)
    var pipe: String?

    @Option(help: "Read only this controller of the HCI monitor, such as hci0.")
    var controller: String?

    @Option(help: "Read a libpcap device: bluetooth-monitor, bluetooth0, or another of --list-devices.")
    var device: String?

    @Flag(help: "List the libpcap devices.")
    var listDevices = false

    @Option(
        help: ArgumentHelp("Follow a capture that another program writes, across rotations.", valueName: "file"),
        completion: .file(), transform: FilesRead.note)
    var follow: String?

    @Option(
        help: ArgumentHelp(
            "Record to this file: btsnoop, or pcapng if the name ends in .pcapng.", valueName: "out"),
        completion: .file())
    var write: String?

    @Option(
        help: ArgumentHelp("With --write: start a new file at this size in octets (500k, 10M, 1G).", valueName: "size"))
    var rotateSize: ByteCount?

    @Option(help: ArgumentHelp("With --write: start a new file after this time (90s, 10m, 1h).", valueName: "time"))
    var rotateTime: Interval?

    @Option(
        help: ArgumentHelp(
            "With --rotate-size, --rotate-time or --keep: keep this number of files and remove older ones of this recording.",
            valueName: "number"))
    var keepFiles: Int?

    @Option(
        help: ArgumentHelp(
            "With --rotate-size: keep files up to this total size and remove older ones of this recording.",
            valueName: "size"))
    var keepSize: ByteCount?

    @Flag(help: "With --write: add the start time (UTC) to each file name: log.20261121T064145Z.btsnoop.")
    var timeNames = false

    @Flag(help: "Replace files that exist.")
    var force = false

    @OptionGroup var flight: FlightOptions

    @Option(
        help: ArgumentHelp(
            "Write counts to this file every 5 seconds, in the format of Prometheus' text files (.prom).",
            valueName: "out"),
        completion: .file())
    var metrics: String?

    @Option(
        help: ArgumentHelp(
            """
            Switch to this user once the source is open, if root started attlas without sudo. (default: the owner of the \
            recording's folder, or nobody)
            """, valueName: "user"))
    var runAs: String?

    func validate() throws {
        guard given.count <= 1 else {
            throw ValidationError("A pipe, --device, --follow and --controller exclude each other.")
        }
        if let controller, Self.index(of: controller) == nil {
            throw ValidationError("\"\(controller)\" is not a controller; an example is hci0.")
        }
        if write == nil, rotateSize != nil || rotateTime != nil || timeNames {
            throw ValidationError("--rotate-size, --rotate-time and --time-names need --write.")
        }
        if write == nil, metrics == nil, force { throw ValidationError("--force needs --write or --metrics.") }
        if let metrics, metrics == write { throw ValidationError("--metrics and --write need different files.") }
        if write == nil, flight.window != nil { throw ValidationError("--keep and --on need --write.") }
        if let keepFiles {
            guard keepFiles > 0 else { throw ValidationError("--keep-files needs a number from 1.") }
            guard rotateSize != nil || rotateTime != nil || flight.window != nil else {
                throw ValidationError("--keep-files needs --rotate-size, --rotate-time or --keep.")
            }
        }
        if let keepSize {
            guard let rotateSize, rotateSize.octets <= keepSize.octets / 2 else {
                throw ValidationError("--keep-size needs --rotate-size, of half the size or less.")
            }
        }
    }

    /// A source, its name on the screen, and whether its records come with the time of this machine's kernel, as they happen.
    typealias Source = (live: LiveSource, name: String, hasKernelTime: Bool)

    private var given: [Source] {
        [
            pipe.map { (.pipe(path: $0), $0 == "-" ? "standard input" : $0, false) },
            device.map { (.device($0), $0, true) },
            follow.map { (.growing(path: $0), $0, false) },
            controller.map { (.monitor(controller: Self.index(of: $0)), $0, true) },
        ].compactMap { $0 }
    }

    var source: Source { given.first ?? (.monitor(controller: nil), "HCI monitor", true) }

    private var rotation: RecordWriter.Rotation {
        .init(
            octets: rotateSize?.octets, seconds: rotateTime?.seconds, keptFiles: keepFiles,
            keptOctets: keepSize?.octets, isNamedByTime: timeNames)
    }

    /// A recording named by time takes a name that is free.
    private var writeOutput: OutputPath? {
        write.map {
            timeNames
                ? OutputPath(OutputPath($0, .recording).folder ?? ".", .folder)
                : OutputPath($0, .recording, replaces: force)
        }
    }
    var metricsOutput: OutputPath? {
        metrics.map { OutputPath($0, .refreshed(beginning: MetricsText.beginning), replaces: force) }
    }
    var outputs: [OutputPath] { [writeOutput, metricsOutput].compactMap(\.self) }

    /// Opens it, and gives up all privileges.
    func open() throws(CaptureError) -> OpenSource {
        let opened = try source.live.open(as: runAs, writing: outputs)
        for notice in opened.notices { printError(notice) }
        return opened
    }

    /// Makes the recording's first file.
    var writerMaker: @Sendable () throws(CaptureError) -> sending RecordWriter? {
        let (write, rotation, force) = (write, rotation, force)
        let isInPieces = flight.window != nil
        return { () throws(CaptureError) in
            guard let write else { return nil }
            if isInPieces { return try RecordWriter(piecesOf: write, rotation: rotation, replaces: force) }
            return try RecordWriter(path: write, rotation: rotation, replaces: force)
        }
    }

    static func index(of controller: String) -> UInt16? {
        UInt16(controller.hasPrefix("hci") ? String(controller.dropFirst(3)) : controller)
    }
}

/// `500k`, `10M`, `1G`: thousands.
struct ByteCount: ExpressibleByArgument {
    let octets: Int

    init?(argument: String) {
        let units: [Character: Int] = ["k": 1_000, "M": 1_000_000, "G": 1_000_000_000]
        let unit = argument.last.flatMap { units[$0] }
        guard let number = Int(unit == nil ? argument : String(argument.dropLast())), 1...1_000_000_000 ~= number
        else { return nil }
        octets = number * (unit ?? 1)
    }
}

/// `90s`, `10m`, `1h`.
struct Interval: ExpressibleByArgument {
    let seconds: Int64

    init?(argument: String) {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600]
        guard let unit = argument.last.flatMap({ units[$0] }), let number = Int64(argument.dropLast()),
            1...1_000_000 ~= number
        else { return nil }
        seconds = number * unit
    }
}
