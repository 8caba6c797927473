import AttlasMetrics
import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasScreen

/// Heart Rate Measurement at 0x0019: 60, 62, … 74 bpm in the seconds 1 to 8, 76 and 78 in the seconds 30 and 31.
@Suite struct PlotPaneTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func screen(_ columns: Int, _ rows: Int, isASCII: Bool = false) throws -> PlayedRecording {
        var packets: [Packet] = [
            .connected().at(milliseconds: 0),
            .att(.tx, "08 0100 FFFF 0328").at(milliseconds: 100),
            .att(.rx, "09 07 1800 10 1900 372A").at(milliseconds: 145),
        ]
        for (index, second) in [1, 2, 3, 4, 5, 6, 7, 8, 30, 31].enumerated() {
            let rate = String(60 + 2 * index, radix: 16)
            packets.append(.att(.rx, "1B 1900 00 \(rate)").at(milliseconds: Double(second) * 1_000))
        }
        let screen = try PlayedRecording(
            try folder.write(packets.btsnoop), columns: columns, rows: rows, isASCII: isASCII)
        screen.press(.character("G"), .character("p"))
        return screen
    }

    /// From the heading of the plot on, without the last line.
    private func plot(_ screen: PlayedRecording) -> [String] {
        Array(screen.rows.drop { !$0.contains(" Plot of ") }.dropLast())
    }

    @Test(arguments: [(60, 16), (80, 23), (120, 40), (200, 60)])
    func theValuesHaveAxesAndWhatTheyComeTo(columns: Int, rows: Int) throws {
        let screen = try screen(columns, rows)
        let picture = plot(screen)
        #expect(picture.row(" Plot of Heart Rate Measurement") != nil)
        #expect(picture.row(" — Heart Rate Measurement Value: 60–78 bpm · mean 69 · 10 v") != nil)
        if columns >= 120 { #expect(picture.row("10 values · 1 gap, 22 s from 8.000000 s") != nil) }
        #expect(picture.row("  1.000000 s")?.hasSuffix(" 31.000000 s") == true)
        // The greatest at the top right, the least at the bottom left, and nothing in the gap.
        let top = try #require(picture.row(" 78 "))
        let bottom = try #require(picture.row(" 60 "))
        #expect(top.unicodeScalars.last.map { 0x2801...0x28FF ~= $0.value } == true)
        #expect(bottom.unicodeScalars.dropFirst(4).first.map { 0x2801...0x28FF ~= $0.value } == true)
        #expect(top.count > columns - 4)
        #expect(bottom.count < columns / 2)
        for row in picture { #expect(row.count <= columns) }
    }

    @Test func aSecondNumberStandsOverTheFirst() throws {
        let screen = try screen(120, 40)
        screen.press(.character("o"))
        #expect(screen.rows.row(" o Round trip: 45 ms · mean 45 · 1 value") != nil)
        screen.press(.character("o"))
        let picture = plot(screen)
        #expect(picture.row(" o Value octets received: 0–2 B/s · mean 0.6452 B/s") == nil)
        #expect(picture.row(" o Value octets received: 0–2 B/s · mean 0.6452 · 10 values") != nil)
        #expect(picture.row(" 78 ")?.hasSuffix(" 2") == true)
        #expect(picture.row(" 60 ")?.hasSuffix(" 0") == true)
        // Two octets in nine seconds; some share a column.
        #expect((picture.row(" 78 ") ?? "").count { $0 == "o" } > 7)
        screen.press(.character("o"))
        #expect(screen.rows.row(" o ") == nil)
        // Another number as the curve.
        screen.press(.down)
        #expect(screen.rows.row(" — Round trip: 45 ms") != nil)
        screen.press(.down, .down, .up, .up)
        #expect(screen.rows.row(" — Heart Rate Measurement Value: ") != nil)
    }

    @Test func aTimeIsChosenAndItsLineGoneTo() throws {
        let screen = try screen(120, 40)
        screen.press(.right)
        #expect(screen.rows.row("at 1.000000 s: 60 bpm") != nil)
        screen.press(.right, .right)
        #expect(screen.rows.row(": 64 bpm") != nil)
        screen.press(.end)
        #expect(screen.rows.row(": 78 bpm") != nil)
        screen.press(.home)
        #expect(screen.rows.row(": 60 bpm") != nil)
        screen.press(.end, .left, .enter)
        expect(screen.view.pane, equals: .conversation)
        #expect(screen.line.contains("30.000000"))
        let plot = try #require(screen.view.areas[.plot])
        screen.press(.click(row: plot.heading + 4, column: 4, isDouble: true))
        #expect(screen.line.contains(" 1.000000"))
    }

    /// 60 bpm under a private address, 70 bpm when its key is known.
    @Test func valuesThatCameBeforeTheIdentityWasKnownAreThere() throws {
        let discovery: [Packet] = [.att(.tx, "08 0100 FFFF 0328"), .att(.rx, "09 07 1800 10 1900 372A")]
        let packets: [Packet] =
            [.connected()] + discovery + [.disconnected(), .connected("AAFB0D948170")] + discovery + [
                .att(.rx, "1B 1900 00 3C"),
                .frame(.rx, channel: 6, hex("08 9B7D390AA610103405ADC857A33402EC")),
                .frame(.rx, channel: 6, hex("09 01 \(Address.strap)")),
                .att(.rx, "1B 1900 00 46"),
            ]
        let screen = try PlayedRecording(try folder.write(packets.recorded), columns: 120, rows: 40)
        screen.press(.character("G"), .character("p"))
        #expect(screen.rows.row("Heart Rate Measurement Value: 60–70 bpm · mean 65 · 2 values") != nil)
    }

    @Test func withoutUnicodeItIsDrawnWithASCII() throws {
        let screen = try screen(80, 23, isASCII: true)
        screen.press(.character("o"), .character("o"))
        let picture = plot(screen)
        #expect(picture.row(" 78 ")?.contains("*") == true)
        for row in picture { #expect(row.utf8.allSatisfy { $0 < 0x7F }) }
        #expect(!picture.joined().contains("?"))
    }

    @Test func whatHasNoNumbersSaysSo() throws {
        let screen = try PlayedRecording("heart-rate.btsnoop", 120, 40)
        screen.press(.character("o"))
        #expect(screen.rows.last?.hasPrefix("p plots; then o") == true)
        screen.press(.character("p"))
        #expect(screen.rows.row(" Plot of HRM-7") != nil)
        #expect(screen.rows.row(" — Round trip: ") != nil)
        screen.press(.escape)
        #expect(screen.rows.row(" Plot of ") == nil)
        expect(screen.view.pane, equals: .conversation)
    }

    @Test(arguments: [(0, .max), (.min, .max), (.max, .max)] as [(Int64, Int64)])
    func aHostileClockHasAnAxis(first: Int64, last: Int64) {
        var series = TimeSeries(name: "x", unit: nil)
        series.note(1, at: first)
        series.note(2, at: last)
        for columns in [1, 7, 80, 100, 200] {
            var pane = PlotPane(title: "x")
            pane.layOut([series], columns: 0..<columns)
            pane.moveCursor(toEnd: true)
            #expect(pane.time.map { series.start...series.end ~= $0 } == true)
            var grid = Grid(size: Grid.Size(columns: columns, rows: 10), isASCII: false)
            pane.paint(&grid, heading: 0, height: 8, isFocused: true, isASCII: false)
        }
    }
}
