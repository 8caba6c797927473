import AttlasTestSupport
import Foundation
import Testing

/// Every field that tshark reads in recorded conversations, attlas reads with the same raw value.
@Suite struct ComparisonTests {
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/tshark"), "tshark is not installed"))
    func fieldsAreThoseOfTShark() throws {
        try expectFields(in: ["heart-rate.btsnoop", "many-sensors.btsnoop", "eatt.btsnoop"])
    }

    fileprivate func expectFields(in captures: [String]) throws {
        let script = Repository.path("Tests/CommandTests/compare-tshark.py")
        let result = try Command.run("/usr/bin/python3", [script, Command.binary] + captures.map(Repository.capture))
        expect(result.status, equals: 0, "\(result.output)")
    }
}

@Suite struct ComparisonLongTests {
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/tshark"), "tshark is not installed"))
    func fieldsAreThoseOfTShark() throws {
        try ComparisonTests().expectFields(in: Repository.captureNames.filter { $0.hasSuffix(".btsnoop") })
    }
}
