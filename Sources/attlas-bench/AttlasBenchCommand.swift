import ArgumentParser

@main
struct AttlasBenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attlas-bench",
        abstract: "Compare attlas with its peers on the same records, in one run.",
        subcommands: [Compare.self, Make.self, Decode.self], defaultSubcommand: Compare.self)
}
