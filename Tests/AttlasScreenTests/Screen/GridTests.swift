import AttlasTestSupport
import Testing

@testable import AttlasScreen
@testable import AttlasText

@Suite struct GridTests {
    private func grid(
        _ text: String, columns: Int = 10, isASCII: Bool = false, column: Int = 0, end: Int? = nil, skipping: Int = 0
    ) -> (text: String, column: Int) {
        var grid = Grid(size: Grid.Size(columns: columns, rows: 1), isASCII: isASCII)
        let behind = grid.put(Array(text.utf8), row: 0, column: column, end: end, skipping: skipping)
        return (grid.text(row: 0), behind)
    }

    @Test func textThatFitsStandsThere() {
        #expect(grid("abc", column: 2) == ("  abc", 5))
        #expect(grid("0123456789") == ("0123456789", 10))
    }

    @Test func whatIsCutSaysSo() {
        #expect(grid("0123456789a") == ("012345678…", 10))
        #expect(grid("0123456789", end: 4) == ("012…", 4))
        #expect(grid("0123456789a", isASCII: true) == ("012345678~", 10))
    }

    @Test func aWideCharacterTakesTwoColumns() {
        #expect(grid("日本x") == ("日本x", 5))
        // Its right half does not fit.
        #expect(grid("abc日", end: 4) == ("abc…", 4))
        #expect(grid("日本", end: 3) == ("日…", 3))
        // The mark of the cut never leaves half of one.
        expect(grid("日本本", end: 4).text, equals: "日 …")
    }

    @Test func marksStayWithTheirCharacter() {
        #expect(grid("e\u{301}x") == ("e\u{301}x", 2))
        // More than a cell can hold.
        expect(grid("e\u{301}\u{302}\u{303}\u{304}x").column, equals: 2)
        // Without a character before it.
        #expect(grid("\u{301}x") == ("x", 1))
    }

    @Test(arguments: ["\u{1B}[31m", "\u{7}", "\u{9B}0m", "\u{7F}", "\r\n", "\u{0}"])
    func nothingSteersTheTerminal(text: String) {
        let shown = grid(text).text
        #expect(!shown.isEmpty)
        #expect(!shown.unicodeScalars.contains { $0.value < 0x20 || 0x7F...0x9F ~= $0.value })
    }

    @Test func asciiIsForWhoHasNothingElse() {
        expect(grid("5 µs › ✗ …", columns: 20, isASCII: true).text, equals: "5 us > x ...")
        expect(grid("日本é", columns: 20, isASCII: true).text, equals: "???")
        expect(grid("21 °C", columns: 20, isASCII: true).text, equals: "21 deg C")
    }

    @Test func columnsCanBeLeftOut() {
        #expect(grid("0123456789abcdef", skipping: 4) == ("456789abc…", 10))
        expect(grid("abc", skipping: 5).text, equals: "")
    }

    @Test func whatIsSearchedForIsMarkedInAnyLetterCase() {
        var grid = Grid(size: Grid.Size(columns: 12, rows: 1), isASCII: false)
        grid.put("Heart heart!", row: 0, column: 0)
        grid.mark("HEART", row: 0)
        let marked = (0..<12).filter { grid[0, $0].style.isFound }
        expect(marked, equals: [0, 1, 2, 3, 4, 6, 7, 8, 9, 10])
    }

    @Test func runsGiveTheirStyle() {
        var grid = Grid(size: Grid.Size(columns: 8, rows: 1), isASCII: false)
        let runs = [StyledRun(style: .bad, start: 1, end: 3), StyledRun(style: .name, start: 4, end: 5)]
        grid.put(ScreenLog.Entry(text: Array("aµbc".utf8), runs: runs, place: nil), row: 0, column: 0)
        expect((0..<4).map { grid[0, $0].style.text }, equals: [.plain, .bad, .plain, .name])
    }
}

@Suite struct RateMeterTests {
    private static let second: Int64 = 1_000_000_000

    @Test func theLastSecondCounts() {
        var meter = RateMeter()
        for step in 0..<20 { meter.add(10, at: Int64(step) * Self.second / 10) }
        expect(meter.perSecond(at: 1_950_000_000), equals: 100)
        expect(meter.perSecond(at: 2_450_000_000), equals: 50)
        expect(meter.perSecond(at: 3_000_000_000), equals: 0)
        expect(meter.perSecond(at: .max), equals: 0)
    }

    @Test func aClockThatIsSetBackBeginsAnew() {
        var meter = RateMeter()
        meter.add(1_000, at: 100 * Self.second)
        meter.add(7, at: -Self.second)
        expect(meter.perSecond(at: -Self.second), equals: 7)
        meter.add(5, at: .min)
        meter.add(6, at: .max)
        expect(meter.perSecond(at: .max), equals: 6)
    }
}

@Suite struct CurveTests {
    @Test func heightsLieBetweenTheLeastAndTheGreatest() {
        expect(TreePane.curve([0, 7, 3.5]).string, equals: "▁█▅")
        expect(TreePane.curve([-4, -4]).string, equals: "▅▅")
        expect(TreePane.curve([Double]()).string, equals: "")
        #expect(TreePane.curve([-.greatestFiniteMagnitude, .greatestFiniteMagnitude]).count > 0)
    }
}
