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
        main(GivenKeys.hidingArguments())
    }
}
