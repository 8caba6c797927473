import ArgumentParser
import AttlasCapture
import AttlasInput
import AttlasLive
import AttlasWire

struct Convert: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Write a capture or a pasted log as btsnoop or pcapng.",
        discussion: """
            OUT appears only when it is complete. Data that its format cannot hold is reported. btsnoop is written as Linux \
            monitor (2001). In pcapng, packets rebuilt from a text have a comment.
            """)

    @Argument(
        help: ArgumentHelp("A capture or a text with a log; - is standard input.", valueName: "in"), completion: .file()
    )
    var input: String

    @Argument(
        help: ArgumentHelp("The file to write; its name ends in .btsnoop or .pcapng.", valueName: "out"),
        completion: .file())
    var output: String

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("What the lines of a hex dump are, if they do not show it.", valueName: "kind"))
    var kind: TextKind?

    @Flag(help: "Replace OUT if it exists.")
    var force = false

    /// The only one in which this command writes.
    var folder: String? { Privileges.folder(of: output) }

    private var isPCAPNG: Bool { output.hasSuffix(".pcapng") }

    func validate() throws {
        guard isPCAPNG || output.hasSuffix(".btsnoop") else {
            throw ValidationError("The name of the file to write ends in .btsnoop or .pcapng.")
        }
    }

    func run() throws {
        Interruption.install()
        let isWhole = try orExit(write)
        if !isWhole || Interruption.isRequested { throw ExitCode(1) }
    }

    /// - Returns: whether the input could be read to its end.
    private func write() throws(CaptureError) -> Bool {
        // In an archive and in a text, the name of a capture follows that of the file.
        let source = input.split(separator: "!/", maxSplits: 1).first.map(String.init) ?? input
        try RecordWriter.check(path: output, rotation: .init(), replaces: force, sources: [source])
        var captures = CaptureSet(path: input, as: kind)
        var reader = try captures.first()
        if kind != nil, !reader.info.isText {
            throw CaptureError(.unsupported, file: input, "is not a text: --as says what the lines of a hex dump are")
        }
        let writer = try RecordWriter(whole: output, of: reader.info, replaces: force, sources: [source])
        var losses = Losses(isPCAPNG: isPCAPNG)
        var damage: CaptureError?
        do throws(CaptureError) {
            while writer.failure == nil, let record = try reader.next() {
                losses.note(record)
                writer.write(record)
            }
        } catch {
            damage = error
        }
        (losses.isText, losses.isAppLog) = (reader.info.isText, reader.info.isAppLog)
        if let damage { printError(damage.detailedDescription) }
        for notice in writer.takeNotices() { printError(notice.detailedDescription) }
        if Interruption.isRequested {
            printError("\(output): interrupted; nothing was written")
        } else if writer.failure == nil {
            for sentence in losses.sentences { printError("\(output): \(sentence)") }
        }
        let isKept = losses.packets > 0 && !Interruption.isRequested
        try writer.complete(isKept: isKept)
        if !isKept, !Interruption.isRequested {
            throw CaptureError(.empty, file: input, "it has no packets: nothing was written")
        }
        if let other = try? captures.next() {
            printError("\(input): only the first capture was converted; another one is \(other.info.file)")
        }
        return damage == nil
    }
}

extension TextKind: ExpressibleByArgument {}

/// What the file to write does not have of the records.
private struct Losses {
    let isPCAPNG: Bool
    private(set) var packets = 0
    private var others = 0
    private var undirected = 0
    private var comments = 0
    private var rebuilt = 0
    private var hasFineTimes = false
    private var hasTimes = false
    /// Whether no record has a later time than 1970-01-01.
    private var isFirstDay = true
    var isText = false
    package var isAppLog = false

    init(isPCAPNG: Bool) {
        self.isPCAPNG = isPCAPNG
    }

    mutating func note(_ record: borrowing Record) {
        switch record.content {
        case .broken, .packetLogger:
            others += 1
            return
        case .packet where record.direction == .unknown: undirected += 1
        default: break
        }
        packets += 1
        comments += record.comments.count
        if record.isRebuilt { rebuilt += 1 }
        if record.time.nanoseconds % 1_000 != 0 { hasFineTimes = true }
        if record.time != .epoch { hasTimes = true }
        if record.time.seconds >= 86_400 { isFirstDay = false }
    }

    var sentences: [String] {
        var sentences: [String] = []
        func add(_ count: Int, _ one: String, _ many: String) {
            if count > 0 { sentences.append("\(count) \(count == 1 ? one : many)") }
        }
        add(others, "record without a packet is left out", "records without a packet are left out")
        add(
            undirected, "packet has no direction and is written as received",
            "packets have no direction and are written as received")
        if isText, !hasTimes {
            sentences.append("the text has no times: all packets have that of 1970-01-01")
        } else if isText, isFirstDay {
            sentences.append("the text has no dates: its times count from 1970-01-01")
        }
        guard !isPCAPNG else { return sentences }
        if isAppLog {
            add(
                rebuilt,
                "packet was made from an app's log: btsnoop cannot mark that its handles are attlas's own; pcapng can",
                "packets were made from an app's log: btsnoop cannot mark that their handles are attlas's own; pcapng can"
            )
        } else {
            add(
                rebuilt, "packet was rebuilt from the text, which btsnoop cannot mark; pcapng can",
                "packets were rebuilt from the text, which btsnoop cannot mark; pcapng can")
        }
        add(comments, "comment is left out; pcapng has comments", "comments are left out; pcapng has comments")
        if hasFineTimes { sentences.append("btsnoop has times in microseconds: they are rounded down") }
        return sentences
    }
}
