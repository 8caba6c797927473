import AttlasTestSupport
import Foundation
import Testing

/// Every field that tshark reads in the recorded conversations, attlas reads with the same raw value.
@Suite struct ComparisonTests {
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/tshark"), "tshark is not installed"))
    func fieldsAreThoseOfTShark() throws {
        let script = Repository.path("Tests/CommandTests/compare-tshark.py")
        let captures = Repository.captureNames.filter { $0.hasSuffix(".btsnoop") }.map { Repository.capture($0) }
        let result = try Command.run("/usr/bin/python3", [script, Command.binary] + captures)
        #expect(result.status == 0, "\(result.output)")
    }
}
