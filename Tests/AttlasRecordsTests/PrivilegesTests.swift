import AttlasLocks
import AttlasTestSupport
import AttlasThreads
import Foundation
import Testing

@testable import AttlasCapture
@testable import AttlasInput
@testable import AttlasRecords

/// What needs no rights any more has none, once the socket is open.
@Suite struct PrivilegesTests {
    /// What was called, in its order.
    private final class Calls {
        var names: [String] = []
        var user: uid_t = 0
    }

    private static let sudo = ["SUDO_UID": "1000", "SUDO_GID": "1001"]

    private func privileges(_ calls: Calls, _ environment: [String: String], failing: String = "") -> Privileges {
        func call(_ name: String) -> CInt {
            calls.names.append(name)
            return name == failing ? -1 : 0
        }
        return Privileges(
            system: Privileges.System(
                effectiveUser: { calls.user }, environment: { environment[$0] },
                account: { ["nobody": (65_534, 65_534), "ann": (1_002, 1_003)][$0] },
                owner: { ["/home/bob": (1_004, 1_005), "/tmp": (0, 0)][$0] },
                setGroups: { call("groups of \($0) with \($1)") }, setGroup: { call("group \($0)") },
                setUser: { user in
                    calls.user = user
                    return call("user \(user)")
                }, setOwner: { call("file \($0) to \($1) and \($2)") }, dropCapabilities: { call("capabilities") }))
    }

    @Test func groupsGoFirstThenTheUserThenCapabilities() throws {
        let calls = Calls()
        #expect(try privileges(calls, Self.sudo).giveUp(for: nil, "/home/bob") == nil)
        expect(calls.names, equals: ["groups of 1000 with 1001", "group 1001", "user 1000", "capabilities"])
    }

    /// As a service, or in a shell of root.
    @Test(
        arguments: [
            [:], ["SUDO_UID": "0", "SUDO_GID": "0"], ["SUDO_UID": "x", "SUDO_GID": "1"], ["SUDO_UID": "1000"],
        ] as [[String: String]])
    func withoutSudoItIsTheOwnerOfTheFolderOrNobody(_ environment: [String: String]) throws {
        for (folder, user, group) in [("/home/bob", 1_004, 1_005), ("/tmp", 65_534, 65_534), (nil, 65_534, 65_534)] {
            let calls = Calls()
            let notice = try privileges(calls, environment).giveUp(for: nil, folder)
            expect(
                calls.names,
                equals: ["groups of \(user) with \(group)", "group \(group)", "user \(user)", "capabilities"])
            expect(notice, equals: "continues as user \(user) instead of root; --run-as chooses another user.")
        }
    }

    @Test func whoIsNamedPrecedesTheOthers() throws {
        let calls = Calls()
        #expect(try privileges(calls, Self.sudo).giveUp(for: "ann", "/home/bob") == nil)
        expect(calls.names, equals: ["groups of 1002 with 1003", "group 1003", "user 1002", "capabilities"])
        #expect(throws: CaptureError.self) { try privileges(Calls(), [:]).giveUp(for: "carl", nil) }
    }

    /// What setcap gave goes; another user one does not become.
    @Test func whoIsNotRootLosesCapabilities() throws {
        let calls = Calls()
        calls.user = 1_000
        #expect(try privileges(calls, Self.sudo).giveUp(for: nil, nil) == nil)
        expect(calls.names, equals: ["capabilities"])
        #expect(throws: CaptureError.self) { try privileges(calls, [:]).giveUp(for: "ann", nil) }
    }

    /// A recording of a file or a pipe, which is read as root.
    @Test func aFileBecomesTheCallers() {
        let calls = Calls()
        privileges(calls, Self.sudo).giveToCaller(7)
        expect(calls.names, equals: ["file 7 to 1000 and 1001"])
        privileges(calls, [:]).giveToCaller(7)
        expect(calls.names.count, equals: 1)
    }

    @Test(arguments: ["groups of 1000 with 1001", "group 1001", "user 1000", "capabilities"])
    func whatCannotBeGivenUpIsAnError(_ failing: String) {
        let calls = Calls()
        let privileges = privileges(calls, Self.sudo, failing: failing)
        #expect(throws: CaptureError.self) { try privileges.giveUp(for: nil, nil) }
        expect(calls.names.last, equals: failing)
    }
}
