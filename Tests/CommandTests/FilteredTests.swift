import AttlasTestSupport
import Foundation
import Testing

/// What `attlas show --filter` prints.
@Suite struct FilteredTests {
    /// Four readings: Documentation/filter.md.
    @Test(arguments: [[], ["--json"]]) func signalStrengthsNeedNoOption(_ format: [String]) throws {
        let arguments = ["show", "--filter", "rssi < -45", Repository.capture("heart-rate.btsnoop")] + format
        let (plain, packets) = try (Command.attlas(arguments), Command.attlas(arguments + ["--hci"]))
        #expect(plain.output == packets.output && plain.errors.isEmpty)
        #expect(plain.output.contains("advertising"))
    }

    @Test func aResultWithoutLinesSaysWhy() throws {
        let path = Repository.capture("heart-rate.btsnoop")
        let result = try Command.attlas(["show", "--filter", "rtt > 9s", path])
        expect(
            result.errors,
            equals: "attlas: \(path): nothing meets --filter 'rtt > 9s'; without it there are 97 ATT operations\n")
    }
}
