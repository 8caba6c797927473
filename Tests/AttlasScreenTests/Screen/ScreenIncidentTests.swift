import AttlasTestSupport
import Testing

/// What breaks, on the screen of `live`.
@Suite struct ScreenIncidentTests {
    private func screen(_ script: String) -> PlayedScreen {
        let screen = PlayedScreen(columns: 120)
        screen.play(Conversation(script).packets)
        return screen
    }

    /// Connection Timeout (0x08) in Disconnection Complete. Core Specification, Vol 1, Part F, 2.8.
    @Test func isLoggedBelowItsLineAndCounted() throws {
        let rows = screen("connect\nwait 5000\ndisconnect 08").rows(120, 40)
        let row = try #require(rows.firstIndex { $0.contains("incident · ") })
        #expect(rows[row].contains("F2:F2:F2:F2:F2:F2: Connection lost: nothing heard for "))
        #expect(rows[row - 1].contains("Connection Timeout (0x08)"))
        #expect(rows[2].contains("1 incident  "))
    }

    /// Each loss of a connection is a line; the same refusal again on one connection is not.
    @Test func nothingIsLoggedTwice() {
        let lost = screen(String(repeating: "connect\nwait 5000\ndisconnect 08\n", count: 3)).rows(120, 40)
        expect(lost.count { $0.contains("incident · ") }, equals: 3)
        let refused = screen("connect\n" + String(repeating: "> 0A 1500\n< 01 0A 1500 02\n", count: 5)).rows(120, 40)
        expect(refused.count { $0.contains("incident · ") }, equals: 1)
        #expect(refused[2].contains("5 incidents"))
    }

    /// Remote User Terminated Connection (0x13) after a finished exchange.
    @Test func nothingIsInvented() {
        let rows = screen("connect\ndisconnect 13").rows(120, 40)
        #expect(!rows.contains { $0.contains("incident · ") })
        #expect(rows[2].contains("0 incidents"))
    }
}
