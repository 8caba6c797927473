import ArgumentParser

@main
struct Attlas: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attlas",
        abstract: "Tells what two Bluetooth LE devices said to each other.",
        version: "0.1.0",
        subcommands: [Show.self, Tree.self])
}
