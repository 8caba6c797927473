import ArgumentParser

struct Dissectors: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dissectors",
        abstract: "List, show, check and create the definitions of values.",
        subcommands: [DissectorsList.self, DissectorsShow.self, DissectorsCheck.self, DissectorsNew.self])
}
