import ArgumentParser
import AttlasCapture
import AttlasConversation
import AttlasDissection
import AttlasFilter
import AttlasInput
import AttlasMetrics
import AttlasRecords
import AttlasScreen
import AttlasText
import AttlasTrace

struct Open: WritingCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Browse a capture.",
        discussion: """
            Shows the conversation, the layers and octets of the selected line, and the GATT tree with the values at that \
            moment. ? shows the keys, q quits. A growing file is followed.
            """)

    @Argument(
        help: ArgumentHelp(
            "Captures, or folders and archives with captures, one on the screen at a time; - is standard input.",
            valueName: "file"),
        completion: .file(), transform: FilesRead.note)
    var files: [String]

    @OptionGroup(title: ShortHelp.title) var decoding: DecodingOptions

    @Option(
        help: ArgumentHelp("Start with this filter, as in `show`.", valueName: "expr"),
        completion: .filterNames)
    var filter: String?

    @Flag(help: "Also show HCI commands and events, packets from the air, L2CAP frames and advertising.")
    var hci = false

    @Option(
        help: """
            Time format: relative (since the first record), delta (since the previous line), absolute (UTC), local (date and \
            time in this machine's time zone), clock (local time of day).
            """)
    var time = ConversationText.Options.Time.relative

    @Flag(help: .hidden)
    var join = false

    @OptionGroup(title: ShortHelp.title) var color: ColorOptions

    /// For marks and exports: the folder of the first capture.
    var outputs: [OutputPath] { [OutputPath(folder, .folder)] }

    private var folder: String {
        let file = FilesRead.file(of: files[0])
        return SystemCalls.isFolder(file) ? file : OutputPath(file, .recording).folder ?? "."
    }

    func validate() throws {
        if join {
            throw ValidationError(
                "A line in the middle is made from a place in one file: open has one on the screen at a time, ) and ( go to the "
                    + "others. attlas show --join reads them as one.")
        }
        if time == .delta {
            throw ValidationError("A line may be looked at without the line before: --time delta is for show.")
        }
    }

    func run() throws {
        guard Output.isTerminal, Terminal.isPossible else {
            printError("attlas open needs a terminal; attlas show prints a capture")
            throw ExitCode(1)
        }
        try decoding.withLibrary(run)
    }

    private func run(_ library: DissectorLibrary) throws {
        let databases = decoding.loadDatabases()
        do {
            let filter = try filter.map { text throws(FilterMistake) in try Filter(text, library: library) }
            var options = options
            if filter?.findsPackets == true { options.showsHCI = true }
            func open(_ path: String) throws(CaptureError) -> Recording {
                let recording = try Recording(
                    SeekableCapture(path: path), databases.makeTrace(), library: library, options: options)
                if let filter { recording.find(filter, self.filter ?? "") }
                return recording
            }
            let (files, first) = try captures()
            var recording = try open(files[first])
            guard let terminal = Terminal(isColoured: color.isColoured) else {
                printError("the terminal cannot be opened")
                throw ExitCode(1)
            }
            terminal.takesMouse = true
            var (index, failures) = (first, [CaptureError]())
            var screen = OpenScreen(recording, terminal, files, index, folder: folder)
            while let step = screen.run() {
                var next = index + step
                var message: String? = step > 0 ? "there is no next file" : "there is no file before"
                // Those that cannot be opened are passed over.
                while files.indices.contains(next) {
                    do throws(CaptureError) {
                        let other = try open(files[next])
                        if let failure = recording.failure { failures.append(failure) }
                        if index + step == next { message = nil }
                        (recording, index) = (other, next)
                        screen = OpenScreen(recording, terminal, files, index, folder: folder)
                        break
                    } catch {
                        message = "\(error.file): \(error.reason)"
                        next += step
                    }
                }
                if let message { screen.say(message) }
            }
            terminal.close()
            TerminalRescue.dieIfAsked()
            for failure in failures { printError(failure.detailedDescription) }
            if let failure = recording.failure { throw failure }
            if !failures.isEmpty { throw ExitCode(1) }
        } catch let error as FilterMistake {
            printError("--filter, \(error)", excerpt: error.excerpt)
            throw ExitCode.validationFailure
        } catch let error as CaptureError {
            printError(error.detailedDescription)
            throw ExitCode(1)
        }
        if databases.hasFailed { throw ExitCode(1) }
    }

    /// The captures of all files, also those inside archives, and which one is on the screen first: of the first file, the one in
    /// which most connections were lost, or else the first with a connection.
    private func captures() throws -> (names: [String], first: Int) {
        var (names, first, mostLost) = ([String](), Int?.none, 0)
        let (files, lacksFolder) = expandFolders(files)
        if lacksFolder { throw ExitCode(1) }
        for path in files {
            var inside: [String] = []
            // A pipe can be read only once.
            var captures = SystemCalls.regularFileSize(path) == nil ? nil : CaptureSet(path: path)
            while var reader = try? captures?.next() {
                inside.append(reader.info.file)
                guard reader.info.file != path else { break }
                guard names.isEmpty else { continue }
                var trace = Trace()
                var ends = LostConnections()
                while let record = try? reader.next(), record.frame <= Self.mostLooked {
                    trace.decodeUnspecialized(record, into: &ends)
                }
                if ends.lost > mostLost || first == nil && ends.hasConnection {
                    (first, mostLost) = (inside.count - 1, ends.lost)
                }
            }
            names += inside.isEmpty ? [path] : inside
        }
        return (names, first ?? 0)
    }

    /// Records of a capture inside an archive that are looked at for lost connections.
    private static let mostLooked = 200_000

    private var options: ConversationText.Options {
        var options = ConversationText.Options()
        options.time = time
        options.showsHCI = hci
        options.width = Output.terminalWidth
        return options
    }
}

/// Counts connections that were lost.
private struct LostConnections: EventSink {
    private(set) var hasConnection = false
    private(set) var lost = 0

    mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        if event.connection != nil { hasConnection = true }
        if case .connection(.ended(.disconnected(_, by: .link))) = event.detail { lost += 1 }
    }
}
