import AttlasTestSupport
import Testing

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

    /// Clocks of hostile captures name any year; the screen is painted all the same. Two values 98 years apart were its end once.
    @Test(arguments: [98, 150, 292, 293, 100_000, 285_000] as [Int])
    func valuesMayBeAgesApart(years: Int) {
        let screen = PlayedScreen(library: .shipped)
        let age = years * 31_557_600 * 1_000_000
        screen.play([
            .connected(), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0500 0F18"),
            .att(.tx, "08 0100 0500 0328"), .att(.rx, "09 07 0200 12 0300 192A 0400 12 0500 382A"),
            Packet.att(.rx, "1B 0300 5A").at(microseconds: -age), Packet.att(.rx, "1B 0300 59").at(microseconds: 0),
            Packet.att(.rx, "1B 0300 58").at(microseconds: age), Packet.att(.rx, "1B 0300 57").at(microseconds: -age),
            Packet.att(.rx, "1B 0300 56").at(microseconds: age),
        ])
        #expect(screen.rows(120, 30).row("Battery Level")?.contains("86 %") == true)
        expect(screen.rows(20, 5).count, equals: 5)
    }
}
