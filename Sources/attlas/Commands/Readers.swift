import ArgumentParser
import AttlasCapture
import AttlasInput
import AttlasRecords
import AttlasText

struct Readers: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "readers",
        abstract: "List, check and create log readers.",
        subcommands: [ReadersList.self, ReadersCheck.self, ReadersNew.self])
}

struct ReadersList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the built-in log readers.")

    func run() throws {
        var output = TextBuffer()
        output.append(
            rows: LogReaders.shipped.all.map { reader in
                [reader.name, reader.about].map { text in
                    var cell = TextBuffer()
                    cell.append(display: text)
                    return cell
                }
            })
        try print(output)
    }
}

struct ReadersCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Find mistakes in readers and run their examples.",
        discussion: """
            attlas readers check mylog.yaml --log log.txt
            The exit status is 1 if there is a mistake or an example fails.
            """)

    @Argument(help: "Reader files (YAML).", completion: .file(), transform: FilesRead.note)
    var files: [String]

    @Option(
        help: ArgumentHelp("Also print the packets that the readers find in this log.", valueName: "file"),
        completion: .file(), transform: FilesRead.note)
    var log: String?

    func run() throws {
        var mistakes: [LogReaderMistake] = []
        var readers: [LogReader] = []
        var examples = 0
        for file in files {
            do throws(LogReaderMistake) {
                let reader = try LogReader(path: file)
                readers.append(reader)
                examples += reader.examples.count
                let all = LogReaders([reader] + LogReaders.shipped.all)
                mistakes += LogReaderCheck(reader, among: all, file: file).mistakes
            } catch {
                mistakes.append(error)
            }
        }
        try print(lines: mistakes.map(\.description))
        guard mistakes.isEmpty else { throw ExitCode.failure }
        if let log {
            let text: String
            do throws(CaptureError) { text = try LogReader.text(path: log) } catch {
                printError("\(error)")
                throw ExitCode.failure
            }
            try print(lines: LogReaderCheck.packets(of: text, LogReaders(readers)))
            return
        }
        func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
        try print(lines: ["\(count(readers.count, "reader")), \(count(examples, "example")): all right"])
    }
}

struct ReadersNew: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Print a commented reader to start from.",
        discussion: """
            attlas readers new "My app" > myapp.yaml
            attlas readers check myapp.yaml --log log.txt
            """)

    @Argument(help: "The name of the program that writes the log.")
    var name: String

    func validate() throws {
        let rule = LogReaderFile.nameRule
        guard LogReaderFile.isName(name) else {
            throw ValidationError("\(rule.prefix(1).uppercased())\(rule.dropFirst()).")
        }
    }

    func run() throws {
        var output = TextBuffer()
        output.append(string: "name: '\(name)'")
        output.append(string: Self.template)
        try print(output)
    }

    private static let template = """

        about: Its log, with times
        lines:
          # A line is recognized by its text. Fields: attlas help readers.md.
          - line: 'Connected to {peer}'
            means: connected
          - line: 'Write {uuid}: {value:hex}'
            means: write
          - line: 'Notification {uuid}: {value:hex}'
            means: notification
          - line: 'Disconnected, reason {status}'
            means: disconnected
        examples:
          - text: |
              10:00:00.000 Connected to F2:11:22:33:44:55
              10:00:01.000 Notification 2a37: 00 48
              10:00:02.000 Disconnected, reason 8
            gives:
              - '!3e130100010000015544332211f200000000000000'
              - '>0402000200'
              - '<05010200372a'
              - '<1b02000048'
              - '!050400010008'

        """
}
