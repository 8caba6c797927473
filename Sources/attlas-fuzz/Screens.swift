import ArgumentParser
import AttlasFuzz
import Foundation

/// Random sessions at the full screens.
struct Screens: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Use the full screens at random over captures.",
        discussion: "Prints the seed of each session before it, because a fault stops the program.")

    @Argument(help: "Captures.", completion: .file())
    var files: [String]

    @Option(help: "The seed of the first session; the others count up from it.")
    var seed = UInt64.random(in: 0...UInt64.max >> 1)

    @Option(help: "Sessions.")
    var count = 1_000

    @Option(help: "Seconds after which no session begins.")
    var seconds = 3_600

    func run() throws {
        let fuzzer = Fuzzer()
        fuzzer.inspector.onFinding = { print("FINDING \($0)") }
        let captures = try files.map { [UInt8](try Data(contentsOf: URL(filePath: $0))) }
        let end = Date(timeIntervalSinceNow: Double(seconds))
        for number in 0..<count where Date() < end {
            let seed = seed &+ UInt64(number)
            var generator = SeededGenerator(seed: seed)
            let place = generator.pick(in: captures.indices)
            // Not held back: it may be the last line.
            FileHandle.standardOutput.write(Data("session \(number + 1), seed \(seed), \(files[place])\n".utf8))
            fuzzer.screens(captures[place], script: generator.screenScript())
        }
        print("\(fuzzer.inputs) sessions, \(fuzzer.records) records")
    }
}
