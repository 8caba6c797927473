import AttlasDissection
import AttlasFilter
import AttlasTestSupport
import Foundation
import Testing

@testable import AttlasScreen

/// What is on the full screen. The values are those that Captures/heart-rate.md and its expected output tell.
@Suite struct ScreenTests {
    // MARK: What is shown

    @Test func everythingHasItsPlaceOnASmallScreen() throws {
        let screen = try PlayedScreen("heart-rate.btsnoop")
        screen.status.source = "a pipe"
        let rows = screen.rows()
        expect(rows[0], equals: " attlas live · a pipe" + String(repeating: " ", count: 38) + "177 records in 9.5 s")
        #expect(rows[1].contains("round trip p50 59.4 ms p99 89.8 ms"))
        #expect(rows[2].contains("2 errors  0 lost  0 malformed"))
        #expect(rows[3].hasPrefix("─ Peers ─"))
        #expect(rows[4].hasPrefix("› HRM-7              F2:F2:F2:F2:F2:F2 "))
        #expect(rows[4].contains(" 185  15 ms    1M    no   gone "))
        #expect(rows[5].contains(" GATT of HRM-7"))
        expect(rows[7], equals: " 0x0003   Device Name       \"HRM-7\"                  1             7.8 s")
        #expect(rows[13].hasPrefix("─ Log ─"))
        #expect(rows[22].contains("✗ HRM-7     ended by the peer after 9.1 s: Remote User"))
        #expect(rows[23].hasPrefix("q quit"))
    }

    @Test func aLargeScreenHasMoreOfEverything() throws {
        let rows = try PlayedScreen("heart-rate.btsnoop", columns: 200).rows(200, 50)
        #expect(rows[4].hasSuffix("Remote User Terminated Connection"))
        let measurement = try #require(rows.row("  Heart Rate Measurement "))
        #expect(measurement.contains("72 bpm · contact · 0 kJ · RR 0.83 s"))
        // 25 notifications, and the curve of their rates: up, and down at the end.
        #expect(measurement.contains(" 25 "))
        #expect(measurement.hasSuffix("▇██▄▁"))
        #expect(rows.row("  Heart Rate Control Point ")?.contains("✗ 1 error Reset Energy Expended") == true)
        #expect(rows.row(" Heart Rate › Heart Rate Control Point ")?.contains("Reset Energy Expended") == true)
    }

    @Test func aLiveConnectionTellsItsAge() throws {
        let screen = try PlayedScreen("heart-rate.btsnoop", limit: 150)
        screen.status.idle = 60_000_000_000
        let rows = screen.rows()
        #expect(!rows[4].contains("gone"))
        // Connected at 0.3 s, the last record at 5.2 s.
        #expect(rows[4].hasSuffix(" 64.9 s"))
    }

    @Test func ratesAreThoseOfTheLastValues() throws {
        let screen = try PlayedScreen("heart-rate.btsnoop", limit: 170)
        let rows = screen.rows(200, 50)
        // The last 16 of them within 3.961 s.
        #expect(try #require(rows.row("• Heart Rate Measurement ")).contains(" 3.8/s "))
        screen.status.idle = 10_000_000_000
        #expect(try #require(screen.rows(200, 50).row("• Heart Rate Measurement ")).contains("/s") == false)
    }

    @Test func aSubscriptionIsMarked() throws {
        let rows = try PlayedScreen("heart-rate.btsnoop", limit: 150).rows(200, 50)
        #expect(rows.row("• Heart Rate Measurement") != nil)
        #expect(rows.row("• Battery Level") == nil)
    }

    @Test func anotherPeerShowsItsTree() throws {
        let screen = try PlayedScreen("two-peripherals.btsnoop")
        let names = screen.rows()[4...5].map { $0.dropFirst(2).prefix(18) }
        expect(Set(names).count, equals: 2)
        #expect(screen.rows().row(" GATT of \(names[0].trimmingSuffix())") != nil)
        screen.press(.down)
        #expect(screen.rows().row(" GATT of \(names[1].trimmingSuffix())") != nil)
        screen.press(.up, .tab, .right)
        #expect(screen.rows().row(" GATT of \(names[1].trimmingSuffix())") != nil)
    }

    @Test func theHostsOwnTableIsOneOfThem() throws {
        let screen = try PlayedScreen("both-roles.btsnoop")
        #expect(screen.rows().row("  This host") != nil)
        screen.press(.end)
        #expect(screen.rows().row(" GATT of This host") != nil)
    }

    @Test func nothingYetIsSaid() {
        #expect(PlayedScreen().rows().row("no connection yet") != nil)
    }

    /// More lines than the log keeps between two pictures: the newest are kept.
    @Test func aFloodEndsWithItsNewestLines() throws {
        let screen = PlayedScreen()
        for _ in 0..<60 { try screen.play("heart-rate.btsnoop") }
        let rows = screen.rows()
        expect(screen.model.totals.operations, equals: 60 * 97)
        #expect(rows[2].contains("120 errors"))
        #expect(rows[22].contains("ended by the peer"))
        #expect(screen.model.log.end > ScreenLog.limit && screen.model.log.first > 0)
    }

    // MARK: Every screen

    fileprivate static let sizes = [(60, 16), (80, 23), (80, 24), (119, 30), (120, 40), (200, 50), (500, 200)]

    @Test(arguments: sizes)
    func capturesFit(columns: Int, rows: Int) throws {
        try Self.expectFit(Repository.someCaptureNames, columns, rows)
    }

    fileprivate static func expectFit(_ names: [String], _ columns: Int, _ rows: Int) throws {
        for name in names {
            let screen = try PlayedScreen(name, columns: columns)
            let lines = screen.rows(columns, rows)
            #expect(lines[0].hasPrefix(" attlas live"))
            #expect(lines[rows - 1].hasPrefix("q quit"))
        }
    }

    @Test(arguments: [(59, 24), (80, 15), (20, 5), (1, 1), (0, 0)])
    func whatIsTooSmallSaysSo(columns: Int, rows: Int) throws {
        let lines = try PlayedScreen("heart-rate.btsnoop").rows(columns, rows)
        if columns > 20 { expect(lines[0], equals: "too small: \(columns) x \(rows)") }
        if columns > 20 { expect(lines[1], equals: "attlas needs 60 x 16") }
    }

    @Test func asciiIsEnough() throws {
        for name in Repository.captureNames {
            let screen = try PlayedScreen(name, isASCII: true)
            for line in screen.rows() { #expect(line.utf8.allSatisfy { 0x20...0x7E ~= $0 }) }
        }
        #expect(try PlayedScreen("heart-rate.btsnoop", isASCII: true).rows()[13].hasPrefix("- Log -"))
    }

    /// A device whose name would clear the screen, ring the bell and write from right to left; advertised, then connected.
    @Test func aNameCannotSteerTheTerminal() {
        let screen = PlayedScreen()
        let name = Array("\u{1B}[2J\u{7}a\u{202E}b".utf8)
        let address = "0102030405C6"
        screen.play([
            .advertisement(of: address, [UInt8(name.count + 1), 0x09] + name), .connected(address),
        ])
        let rows = screen.rows()
        #expect(rows[4].contains("\\u{1B}[2J\\u{7}a"))
        #expect(rows[4].contains("C6:05:04:03:02:01 -60 "))
        for row in rows {
            #expect(!row.unicodeScalars.contains { $0.value < 0x20 || 0x7F...0x9F ~= $0.value || $0 == "\u{202E}" })
        }
    }

    // MARK: Keys

    @Test func tabGoesFromPaneToPane() throws {
        let screen = try PlayedScreen("heart-rate.btsnoop")
        func reversed() -> [Int] {
            let grid = screen.grid()
            return (0..<24).filter { grid[$0, 79].style.isReversed }
        }
        // The title; the pane's heading, and its row.
        expect(reversed(), equals: [0, 3, 4])
        screen.press(.tab)
        expect(reversed(), equals: [0, 5, 6])
        screen.press(.tab)
        expect(reversed(), equals: [0, 13])
        screen.press(.tab)
        expect(reversed(), equals: [0, 3, 4])
        screen.press(.backTab)
        expect(reversed(), equals: [0, 13])
    }

    @Test func theCursorMovesThroughTheTree() throws {
        let screen = try PlayedScreen("heart-rate.btsnoop")
        screen.press(.tab, .down, .character("j"))
        #expect(screen.rows()[8].hasPrefix("›0x0005"))
        screen.press(.up, .character("k"), .character("k"))
        #expect(screen.rows()[6].hasPrefix("›0x0001"))
        screen.press(.character("G"))
        #expect(screen.rows()[12].hasPrefix("›0x0026"))
        screen.press(.pageUp)
        #expect(screen.rows().row("›0x0018") != nil)
        screen.press(.home)
        #expect(screen.rows()[6].hasPrefix("›0x0001"))
    }

    /// A screen that looks back shows what the log shows.
    @Test func theFollowedAttributeIsPartOfTheFilter() throws {
        let screen = try PlayedScreen("heart-rate.btsnoop")
        expect(screen.view.expression(in: screen.trace), equals: "")
        screen.press(.tab, .down, .character("j"), .enter)
        let expression = screen.view.expression(in: screen.trace)
        expect(expression, equals: "handle == 0x0005 and server == peer and peer == F2:F2:F2:F2:F2:F2")
        _ = try Filter(expression, library: .withExamples)
        screen.view.accept(filter: "error or fault")
        expect(screen.view.expression(in: screen.trace), equals: "(error or fault) and \(expression)")
        screen.press(.enter)
        expect(screen.view.expression(in: screen.trace), equals: "error or fault")
    }

    /// What came is looked into on the screen of a recording.
    @Test func theLogFollowsAndOtherKeysLookBack() throws {
        let screen = try PlayedScreen("heart-rate.btsnoop")
        expect(screen.press(.character(" ")), equals: .look(nil))
        screen.press(.tab, .tab)
        let last = screen.rows()[22]
        for key in [ScreenKey.up, .pageUp, .home, .character("k"), .character("/"), .character("n"), .character("N")] {
            expect(screen.press(key), equals: .look(key))
        }
        expect(screen.press(.enter), equals: .look(nil))
        expect(screen.press(.down, .pageDown, .end), equals: .none)
        expect(screen.rows()[22], equals: last)
        screen.press(.character("l"), .character("l"))
        #expect(!screen.rows()[22].contains("⇄"))
        screen.press(.left, .left, .left)
        expect(screen.rows()[22], equals: last)
        screen.press(.character("x"))
        expect(screen.rows()[23], equals: "this key does nothing here; ? shows the keys")
    }

    @Test func enterFollowsOneCharacteristic() throws {
        let screen = try PlayedScreen("heart-rate.btsnoop")
        screen.press(.enter)
        screen.press(.character("/"))
        screen.type("battery level")
        screen.press(.enter)
        #expect(screen.rows().row("›0x0018") != nil)
        screen.press(.enter)
        let followed = screen.rows()
        #expect(followed.row("Log · only Battery Level") != nil)
        #expect(followed[14].contains("→ HRM-7     Read          Battery Level"))
        #expect(followed[15].contains("87 % 89.8 ms"))
        #expect(followed[16].isEmpty)
        screen.press(.escape)
        #expect(!screen.rows()[16].isEmpty)
    }

    @Test func aFilterIsAskedForAndItsMistakeCanBePutRight() throws {
        let screen = try PlayedScreen("heart-rate.btsnoop", limit: 100)
        screen.press(.character("f"))
        screen.type("metod == error")
        expect(screen.rows()[23], equals: "filter: metod == error")
        expect(screen.press(.enter), equals: .filter("metod == error"))
        screen.view.refuse(filter: "metod == error", "column 1: no such name")
        expect(screen.rows()[22], equals: "column 1: no such name")
        screen.press(.character("\u{15}"))
        screen.type("error")
        expect(screen.press(.enter), equals: .filter("error"))
        screen.model.find(try Filter("error", library: .withExamples), "error")
        screen.view.accept(filter: "error")
        #expect(screen.rows().row("filter error") != nil)
        try screen.play("heart-rate.btsnoop")
        let rows = screen.rows()
        let start = try #require(rows.firstIndex { $0.contains("── from here on: error") })
        let log = rows[(start + 1)...].dropLast().filter { !$0.contains("incident · ") }
        #expect(log.count == 2 && log.allSatisfy { $0.contains("Error") })
        // What breaks is logged whatever is selected.
        #expect(rows.row("incident · HRM-7: Controller reset") != nil)
    }

    @Test func helpNamesEveryKeyAndGoesAway() throws {
        let screen = try PlayedScreen("heart-rate.btsnoop")
        screen.press(.character("?"))
        let help = screen.rows()
        for binding in ScreenBinding.all {
            #expect(help.row(binding.label) != nil)
            for line in binding.help { #expect(help.row(line) != nil) }
        }
        expect(screen.press(.character("q")), equals: .none)
        #expect(screen.rows().row(" Keys ") == nil)
        expect(screen.press(.character("q")), equals: .quit)
    }

    @Test func eachKeyDoesOneThing() {
        let keys = ScreenBinding.all.flatMap(\.keys).map(\.key)
        for (index, key) in keys.enumerated() { #expect(!keys[..<index].contains(key)) }
    }

    @Test func theDocumentationHasTheKeys() throws {
        try ScreenBinding.checkTable(ScreenBinding.all, in: "Documentation/live.md")
    }

    @Test func whatIsSaidStaysUntilAKey() throws {
        let screen = try PlayedScreen("heart-rate.btsnoop")
        screen.view.say("my.yaml:3:5: no such key", isBad: true)
        expect(screen.rows()[23], equals: "my.yaml:3:5: no such key")
        screen.press(.down)
        #expect(screen.rows()[23].hasPrefix("q quit"))
    }

    // MARK: Definitions

    @Test func newDefinitionsReadTheValuesFromThen() throws {
        let screen = PlayedScreen(library: .shipped)
        try screen.play("led-strip.btsnoop")
        let before = screen.rows(200, 50)
        screen.use(.withExamples)
        let after = screen.rows(200, 50)
        #expect(before != after)
    }
}

extension Substring {
    fileprivate func trimmingSuffix() -> Substring {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}

@Suite struct ScreenLongTests {
    @Test(arguments: ScreenTests.sizes) func everyCaptureFits(columns: Int, rows: Int) throws {
        try ScreenTests.expectFit(Repository.captureNames, columns, rows)
    }
}
