import ArgumentParser
import AttlasReport

@main
struct Attlas: ParsableCommand {
    // Every command says its name here: making them out of the names of the types was a fifth of starting up.
    static let configuration = CommandConfiguration(
        commandName: "attlas",
        abstract: "Decode Bluetooth LE captures at the GATT level.",
        version: "0.1.0",
        subcommands: [
            Show.self, Live.self, Tree.self, Devices.self, Stats.self, Lint.self, Diff.self, Dissect.self,
            Dissectors.self, Bench.self,
        ])

    static func main() {
        Output.guardStandardStreams()
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch {
            guard exitCode(for: error) == .success else { exit(withError: error) }
            // Help, the version, a completion script: an answer like others.
            var text = TextBuffer()
            text.append(string: fullMessage(for: error))
            if text.count > 0 { text.append(byte: UInt8(ascii: "\n")) }
            do { try print(text) } catch { exit(withError: error) }
        }
    }
}
