import ArgumentParser
import AttlasFuzz
import Foundation

/// Random command lines of attlas.
struct Commands: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run random command lines of attlas in a temporary folder.",
        discussion:
            "Fails when a call hangs, crashes, says nothing, or changes a file that it was not told to write. A call's seed repeats it: --count 1."
    )

    @Argument(help: "Captures.", completion: .file())
    var files: [String]

    @Option(help: "The command.")
    var attlas = ".build/release/attlas"

    @Option(help: "Calls.")
    var count = 1_000

    @Option(help: "Seconds after which no call begins.")
    var seconds = 3_600

    @Option(help: "The seed of the first call; the others count up from it.")
    var seed = UInt64.random(in: 0...UInt64.max >> 1)

    func run() throws {
        // nohup(1) would let each call ignore it, too.
        signal(SIGHUP, SIG_DFL)
        FileHandle.standardOutput.write(Data("seed \(seed)\n".utf8))
        var run = try CommandRun(attlas: attlas, captures: files)
        try run.run(seed: seed, count: count, until: Date(timeIntervalSinceNow: Double(seconds))) { finding in
            FileHandle.standardOutput.write(Data("FINDING \(finding)\n".utf8))
        }
        print(run.summary)
        if !run.findings.isEmpty { throw ExitCode(1) }
    }
}
