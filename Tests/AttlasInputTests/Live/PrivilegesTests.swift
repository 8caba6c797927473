import Glibc
import Testing

@testable import AttlasCapture
@testable import AttlasInput

/// Under sudo the rights go back to who called, once the socket is open.
@Suite struct PrivilegesTests {
    /// What was called, in its order.
    private final class Calls {
        var names: [String] = []
        var user: uid_t = 0
    }

    private func privileges(_ calls: Calls, _ environment: [String: String], failing: String = "") -> Privileges {
        func call(_ name: String) -> CInt {
            calls.names.append(name)
            return name == failing ? -1 : 0
        }
        return Privileges(
            system: Privileges.System(
                effectiveUser: { calls.user }, environment: { environment[$0] },
                setGroups: { call("groups of \($0) with \($1)") }, setGroup: { call("group \($0)") },
                setUser: { user in
                    calls.user = user
                    return call("user \(user)")
                }, setOwner: { call("file \($0) to \($1) and \($2)") }))
    }

    @Test func groupsGoFirstAndTheUserLast() throws {
        let calls = Calls()
        try privileges(calls, ["SUDO_UID": "1000", "SUDO_GID": "1001"]).returnToCaller()
        #expect(calls.names == ["groups of 1000 with 1001", "group 1001", "user 1000"])
    }

    @Test(arguments: [
        [:], ["SUDO_UID": "0", "SUDO_GID": "0"], ["SUDO_UID": "x", "SUDO_GID": "1"], ["SUDO_UID": "1000"],
    ])
    func withoutACallerNothingChanges(_ environment: [String: String]) throws {
        let calls = Calls()
        try privileges(calls, environment).returnToCaller()
        #expect(calls.names.isEmpty)
    }

    @Test func whoIsNotRootHasNothingToGiveBack() throws {
        let calls = Calls()
        calls.user = 1_000
        try privileges(calls, ["SUDO_UID": "1000", "SUDO_GID": "1000"]).returnToCaller()
        #expect(calls.names.isEmpty)
    }

    /// A recording of a file or a pipe, which is read as root.
    @Test func aFileBecomesTheCallers() {
        let calls = Calls()
        privileges(calls, ["SUDO_UID": "1000", "SUDO_GID": "1001"]).giveToCaller(7)
        #expect(calls.names == ["file 7 to 1000 and 1001"])
        privileges(calls, [:]).giveToCaller(7)
        #expect(calls.names.count == 1)
    }

    @Test(arguments: ["groups of 1000 with 1000", "group 1000", "user 1000"])
    func whatCannotBeGivenBackIsAnError(_ failing: String) {
        let calls = Calls()
        let privileges = privileges(calls, ["SUDO_UID": "1000", "SUDO_GID": "1000"], failing: failing)
        #expect(throws: CaptureError.self) { try privileges.returnToCaller() }
        #expect(calls.names.last == failing)
    }
}
