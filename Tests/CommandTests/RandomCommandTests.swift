import AttlasFuzz
import AttlasTestSupport
import Foundation
import Testing

/// Random command lines, files and signals: each call ends by itself, with a message, and changes no file that it was not told to write.
@Suite struct RandomCommandTests {
    @Test func aFewCommandLinesKeepThePromises() throws {
        try run(count: 40, seconds: 15)
    }
}

@Suite struct RandomCommandLongTests {
    @Test func manyCommandLinesKeepThePromises() throws {
        try run(count: 2_000, seconds: 240)
    }
}

private func run(count: Int, seconds: Double) throws {
    let captures = ["heart-rate", "eatt", "ice-cream", "pairing"].map { Repository.capture("\($0).btsnoop") }
    var run = try CommandRun(attlas: Command.binary, captures: captures)
    try run.run(seed: seed(for: "command lines"), count: count, until: Date(timeIntervalSinceNow: seconds)) {
        Issue.record("\($0)")
    }
    #expect(run.calls > 5)
}
