import ArgumentParser
import AttlasCapture
import AttlasInput
import AttlasRecords

/// `--readers FILE …` and `--as NAME`: readers of logs besides the shipped ones.
struct ReaderOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Read logs with this file of a reader, before the shipped ones. May be repeated.", valueName: "file"),
        completion: .file(), transform: FilesRead.note)
    var readers: [String] = []

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "Read a text as a log of this reader alone, or a hex dump as these packets (h4, command, acl, event, att).",
            valueName: "name"))
    var reader: String?

    /// The kind of hex dump.
    var kind: TextKind? { reader.flatMap { TextKind(rawValue: $0) } }

    func validate() throws {
        if let kind { return LogReaders.use(kind: kind) }
        guard !readers.isEmpty || reader != nil else { return }
        var all = LogReaders.shipped.all
        for path in readers.reversed() {
            do throws(LogReaderMistake) { all.insert(try LogReader(path: path), at: 0) } catch {
                throw ValidationError(error.description)
            }
        }
        guard let reader else { return LogReaders.use(LogReaders(all), kind: nil) }
        let found = all.filter { $0.name == reader }
        guard !found.isEmpty else {
            throw ValidationError(
                "No reader is called \"\(reader)\": \(Set(all.map(\.name)).sorted().joined(separator: ", ")).")
        }
        LogReaders.use(LogReaders(found, isForced: true))
    }
}
