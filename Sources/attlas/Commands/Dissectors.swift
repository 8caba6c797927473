import ArgumentParser

struct Dissectors: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dissectors",
        abstract: "The definitions that say how values are laid out.",
        subcommands: [DissectorsList.self, DissectorsShow.self, DissectorsCheck.self, DissectorsNew.self])
}
