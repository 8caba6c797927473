import Foundation
import Testing

/// Every field that tshark reads in the recorded conversations, attlas reads with the same raw value.
@Suite struct ComparisonTests {
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/tshark"), "tshark is not installed"))
    func fieldsAreThoseOfTShark() throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "compare-tshark.py").path()
        let captures = try FileManager.default.contentsOfDirectory(
            at: Command.captures, includingPropertiesForKeys: nil
        )
        .filter { $0.pathExtension == "btsnoop" }.map { $0.path() }.sorted()
        let result = try Command.run("/usr/bin/python3", [script, Command.binary] + captures)
        #expect(result.status == 0, "\(result.output)")
    }
}
