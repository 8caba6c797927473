import AttlasTestSupport
import Testing

@testable import AttlasReport

/// The last values in the tree of the full screen.
@Suite struct ScreenValueTests {
    /// Battery Level at handle 3 and Body Sensor Location at handle 5, notified together.
    @Test func valuesThatCameTogetherStandApart() {
        let screen = PlayedScreen(library: .shipped)
        screen.play([
            .connected(), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0500 0F18"),
            .att(.tx, "08 0100 0500 0328"), .att(.rx, "09 07 0200 12 0300 192A 0400 12 0500 382A"),
            .att(.rx, "23 0300 0100 5A 0500 0100 01"),
        ])
        #expect(screen.rows(120, 30).row("Battery Level")?.contains("90 %") == true)
        #expect(screen.rows(120, 30).row("Body Sensor Location")?.contains("Chest") == true)
    }

    /// Mesh Proxy Data Out: the first and the last segment. Mesh Protocol 1.1, 6.3.1.
    @Test func aMessageInPartsIsShownWhole() {
        let screen = PlayedScreen(library: .shipped)
        screen.play([
            .connected(), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0400 2818"),
            .att(.tx, "08 0100 0400 0328"), .att(.rx, "09 07 0200 10 0300 DE2A"),
            .att(.rx, "1B 0300 40 10 11 12"), .att(.rx, "1B 0300 C0 13 14"),
        ])
        #expect(screen.rows(300, 30).row("Mesh Proxy Data Out")?.contains("Data 11 12 13 14") == true)
    }
}
