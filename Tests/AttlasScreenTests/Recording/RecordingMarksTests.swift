import AttlasTestSupport
import Testing

@testable import AttlasScreen
@testable import AttlasText

@Suite struct RecordingMarksTests {
    private func text(_ marks: RecordingMarks) -> String { String(decoding: marks.text.bytes, as: UTF8.self) }

    @Test func aFileHasANumberAndANoteInEachLine() {
        var marks = RecordingMarks()
        #expect(marks.isEmpty)
        marks.set(136, "first refusal")
        marks.set(12, "")
        expect(marks.frames, equals: [12, 136])
        #expect(text(marks).hasSuffix("\n12\n136 first refusal\n"))
        expect(RecordingMarks(Array(text(marks).utf8)), equals: marks)
        marks.set(12, nil)
        expect(marks.frames, equals: [136])
    }

    @Test func whatIsNoMarkIsPassedOver() {
        let marks = RecordingMarks(Array("# words\n\n-3 x\n0 x\n99999999999999999999 x\n7\n8 a b\nnine\n".utf8))
        expect(marks.frames, equals: [7, 8])
        expect(marks.notes, equals: [7: "", 8: "a b"])
    }

    @Test func aHostileFileSteersNoTerminalAndIsBounded() {
        let long = String(repeating: "x", count: 5_000)
        var octets = Array("1 \u{1B}[2J\u{7}\u{9B}1m\u{202E}abc\n2 \(long)\n3 ".utf8) + [0xFF, 0xC0, 0x0A]
        for frame in 4...50_000 { octets += Array("\(frame)\n".utf8) }
        let marks = RecordingMarks(octets)
        #expect(marks.frames.count <= RecordingMarks.limit)
        expect(marks.notes[2]?.count, equals: RecordingMarks.noteLimit)
        for note in marks.notes.values { #expect(note.unicodeScalars.allSatisfy { !$0.steersDisplay }) }
        expect(marks.notes[1], equals: "\\u{1B}[2J\\u{7}\\u{9B}1m\\u{202E}abc")
        // What was made readable is so when it is read again.
        expect(RecordingMarks(Array(text(marks).utf8)), equals: marks)
    }

    @Test func thereIsALimit() {
        var marks = RecordingMarks()
        for frame in 1...RecordingMarks.limit { _ = marks.set(frame, "") }
        let (hasRoom, isChanged) = (marks.set(RecordingMarks.limit + 1, ""), marks.set(1, "again"))
        #expect(!hasRoom)
        #expect(isChanged)
    }
}
