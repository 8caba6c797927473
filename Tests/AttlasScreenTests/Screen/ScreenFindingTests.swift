import AttlasTestSupport
import Foundation
import Testing

@testable import AttlasConversation
@testable import AttlasScreen

/// What lint finds, on the screen of `live`. Captures/hasty-app.md says what is wrong in that capture.
@Suite struct ScreenFindingTests {
    private func screen(showsFindings: Bool = true) throws -> PlayedScreen {
        let screen = PlayedScreen(columns: 120, showsFindings: showsFindings)
        try screen.play("hasty-app.btsnoop")
        return screen
    }

    @Test func theyStandBelowTheLineByWhichTheyAreFound() throws {
        let rows = try screen().rows(120, 120)
        let row = try #require(
            rows.firstIndex { $0.contains("error att/request-overlap: Read Request before") })
        #expect(rows[row - 1].contains("→ Thermostat        Read  "))
        // Settled by a later record.
        #expect(rows.contains { $0.contains("warning att/prepared-write-left: Prepared in frame 140") })
        #expect(rows[2].contains("11 findings"))
    }

    @Test func theAttributeIsMarkedAndTellsTheLastOne() throws {
        let screen = try screen()
        screen.view.pane = .tree
        let rows = screen.rows(120, 50)
        let temperature = try #require(rows.firstIndex { $0.contains(#/0x0010!• Temperature/#) })
        var last = ""
        for _ in 0..<40 where !last.contains("configuration-not-permitted") {
            screen.press(.down, columns: 120, rows: 50)
            last = screen.rows(120, 50)[49]
        }
        #expect(
            last.hasPrefix(
                "error gatt/configuration-not-permitted: 0x0002 was written; the characteristic declares read, notify.")
        )
        #expect(screen.rows(120, 50)[temperature].hasPrefix("›0x"))
        screen.view.pane = .log
        #expect(screen.rows(120, 50)[49].hasPrefix("q quit"))
    }

    @Test func whoDoesNotAskHasNone() throws {
        let rows = try screen(showsFindings: false).rows(120, 120)
        #expect(!rows.contains { $0.contains("finding") || $0.contains("att/request-overlap") })
        #expect(!rows.contains { $0.contains(#/^.0x[0-9A-F]{4}!/#) })
    }

    /// Memory ends at 256 of each rule; those beyond are counted.
    @Test func daysOfTheSameFault() {
        let screen = PlayedScreen(columns: 120, showsFindings: true)
        for _ in 0..<300 {
            screen.play([
                .connected(), .att(.tx, "0A 0300"), .att(.tx, "0A 0500"), .att(.rx, "0B 57"), .disconnected(),
            ])
        }
        #expect(screen.rows(120, 50)[2].contains("300 findings"))
        expect(screen.model.findings.lines.all(in: screen.trace).count, equals: 256)
    }
}
