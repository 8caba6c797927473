import ArgumentParser
import AttlasFuzz

@main
struct AttlasFuzzCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attlas-fuzz", abstract: "Hostile input for attlas.",
        discussion: "make fuzz and make mutate call it; CONTRIBUTING.md explains how.",
        subcommands: [Run.self, Seeds.self, Mutate.self, Screens.self, Commands.self, MakeAttack.self])
}

extension FuzzTarget: ExpressibleByArgument {}
