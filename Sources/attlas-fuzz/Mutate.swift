import ArgumentParser
import AttlasFuzz
import Foundation

/// Damages captures and reads the rest.
struct Mutate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Read captures truncated at every octet, with every length field a lie, and changed at random.",
        discussion: "Fails when memory grows by more than 64 MB, when a record becomes nothing, or by stopping.")

    @Argument(help: "Captures.", completion: .file())
    var files: [String]

    @Option(help: "Random mutations in all.")
    var count = 20_000

    @Option(help: "Of which as many go through the command.")
    var commandCount = 500

    @Option(help: "The command.")
    var attlas = ".build/release/attlas"

    @Option(help: "Where the random numbers begin.")
    var seed = UInt64.random(in: 0...UInt64.max)

    func run() throws {
        print("seed \(seed)")
        var run = MutationRun(seed: seed)
        let captures = try files.map { FileMutations([UInt8](try Data(contentsOf: URL(filePath: $0))), name: $0) }
        for (number, (file, mutations)) in zip(files, captures).enumerated() {
            run.systematic(mutations, file)
            print("\(number + 1) of \(files.count): \(run.inputs) systematic mutations, \(run.records) records")
        }
        run.random(captures, files, count: count)
        if commandCount > 0 { try run.command(attlas, captures, count: commandCount) }
        print(run.summary)
        if !run.findings.isEmpty { throw ExitCode(1) }
    }
}
