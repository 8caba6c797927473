import ArgumentParser
import AttlasCapture
import AttlasImport
import AttlasInput
import AttlasRecords
import AttlasText
import Glibc

@main
struct Attlas: ParsableCommand {
    // Every command sets its name here: making them out of the names of the types was a fifth of starting up.
    static let configuration = CommandConfiguration(
        commandName: "attlas",
        abstract: "Decode Bluetooth LE captures at the GATT level.",
        discussion:
            "attlas FILE browses a capture. attlas help topics lists the documentation, attlas help PAGE shows a page. --version --verbose shows the commit and the libraries.",
        version: "\(AttlasVersion.text)",
        subcommands: [
            Show.self, Open.self, Live.self, Tree.self, Devices.self, Keys.self, Stats.self, Lint.self, Why.self,
            Check.self,
            Diff.self, Fleet.self, Report.self, Export.self, Convert.self, Anonymize.self, Extcap.self, Infer.self,
            Values.self,
            Dissect.self, Dissectors.self, Readers.self, Generate.self, Bench.self,
        ])

    static func main() {
        Output.guardStandardStreams()
        EndingSignals.sayCrashes()
        EndingSignals.install()
        // Swift takes the arguments from there: without them, each command would print the help.
        guard CommandLine.argc > 0 else {
            printError("/proc is not mounted: the command line cannot be read")
            Glibc.exit(1)
        }
        do {
            var arguments = GivenKeys.hidingArguments().map { $0 == ShortHelp.flag ? "--help" : $0 }
            // As other programs have it; -V, too.
            if arguments == ["-v"] || arguments == ["-V"] { arguments = ["--version"] }
            if Versions.areAsked(by: arguments) { return try print(lines: Versions.lines) }
            if try HelpPage.print(arguments, besides: FirstMistake.names) { return }
            var command = try parseAsRoot(FirstMistake.completed(arguments))
            let outputs = (command as? any WritingCommand)?.outputs ?? []
            try orExit { () throws(CaptureError) in
                for output in outputs { try output.check() }
            }
            // `live` and `extcap` open their sources first.
            if !(command is Live || command is Extcap) {
                Privileges.confine(outputs)
                EndingSignals.installCleanup()
            }
            try command.run()
        } catch {
            exit(after: error)
        }
    }

    /// Help and errors. The arguments may contain names from untrusted input.
    private static func exit(after error: Error) -> Never {
        Cleanup.run()
        let code = exitCode(for: error)
        var text = TextBuffer()
        // Its line breaks are those of the message, and not of an argument.
        var full = FirstMistake.explained(fullMessage(for: error))
        if code.isSuccess, CommandLine.arguments.dropFirst().first == "--generate-completion-script" {
            full = HelpPage.completing(full, besides: FirstMistake.names)
        }
        let isFolded = code.isSuccess && !CommandLine.arguments.contains(ShortHelp.flag)
        let message = CommandLine.arguments.filter { $0.contains("\n") }
            .reduce(isFolded ? ShortHelp.folding(full) : full) {
                $0.replacing($1, with: $1.replacing("\n", with: #"\n"#))
            }
        for line in message.split(separator: "\n", omittingEmptySubsequences: false) where !message.isEmpty {
            if code.isSuccess { text.append(string: String(line)) } else { text.append(display: String(line)) }
            text.append("\n")
        }
        var output = Output(descriptor: code.isSuccess ? STDOUT_FILENO : STDERR_FILENO)
        output.write(&text)
        Glibc.exit(code.isSuccess && output.hasFailed ? 1 : code.rawValue)
    }
}
