import AttlasMetrics
import AttlasTestSupport
import Testing

@testable import AttlasScreen
@testable import AttlasText

@Suite struct ScreenLogTests {
    private func entry(_ text: String, handle: UInt16? = nil) -> ScreenLog.Entry {
        ScreenLog.Entry(
            text: Array(text.utf8), runs: [], place: handle.map { AttributePlace(owner: .peer(0), handle: $0) })
    }

    @Test func theLastLinesAreKept() {
        var log = ScreenLog()
        for number in 0..<ScreenLog.limit + 10 { log.append(entry("\(number)")) }
        expect(log.first, equals: 10)
        expect(log.end, equals: ScreenLog.limit + 10)
        expect(log[10].text, equals: Array("10".utf8))
        expect(log[log.end - 1].text, equals: Array("\(ScreenLog.limit + 9)".utf8))
    }

    @Test func linesOfOneAttributeAreFound() {
        var log = ScreenLog()
        for number in 0..<10 { log.append(entry("\(number)", handle: number.isMultiple(of: 3) ? 3 : 4)) }
        let place = AttributePlace(owner: .peer(0), handle: 3)
        expect(log.line(before: 9, about: place), equals: 6)
        #expect(log.line(before: 0, about: place) == nil)
        expect(log.line(before: 100, about: nil), equals: 9)
    }

    @Test func aWritersLinesKeepTheirStyles() {
        var log = ScreenLog()
        var writer = LineWriter(width: nil, isColoured: false)
        writer.runs = []
        writer.put("plain ")
        writer.put("first", .bad)
        writer.endLine()
        writer.put("second", .name)
        writer.endLine()
        for entry in ScreenLog.entries(&writer, nil) { log.append(entry) }
        expect(log.end, equals: 2)
        #expect(log[0].runs.map(\.start) == [6] && log[0].runs.map(\.end) == [11])
        #expect(log[1].runs.map(\.start) == [0] && log[1].runs.map(\.end) == [6])
        #expect(writer.text.count == 0 && writer.runs?.isEmpty == true)
    }

    @Test func aLongLineIsCutAtACharacter() {
        var log = ScreenLog()
        var writer = LineWriter(width: nil, isColoured: false)
        var text = TextBuffer()
        text.append(string: String(repeating: "µ", count: ScreenLog.longestLine))
        // So that the limit lies within a character.
        writer.put("x")
        writer.put(text)
        writer.endLine()
        for entry in ScreenLog.entries(&writer, nil) { log.append(entry) }
        #expect(log[0].text.count <= ScreenLog.longestLine + 3)
        #expect(String(validating: log[0].text, as: UTF8.self) != nil)
    }
}
