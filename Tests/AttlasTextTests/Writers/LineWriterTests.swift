import AttlasTestSupport
import Testing

@testable import AttlasText

@Suite struct LineWriterTests {
    private func piece(_ text: String) -> TextBuffer {
        var piece = TextBuffer()
        piece.append(string: text)
        return piece
    }

    @Test func aLineEndsAtTheEdgeOfTheTerminal() {
        var line = LineWriter(width: 10, isColoured: false)
        line.put(piece("Heart Rate › Battery"))
        line.endLine()
        expect(line.text.string, equals: "Heart Rat…\n")
    }

    @Test func nothingFollowsBehindTheEdge() {
        var line = LineWriter(width: 8, isColoured: false)
        line.put(piece("12345678"))
        line.advance(to: 20)
        line.put(piece("9"))
        line.endLine()
        line.put(piece("next"))
        line.endLine()
        expect(line.text.string, equals: "12345678\nnext\n")
    }

    @Test func aColumnThatIsPassedStillLeavesABlank() {
        var line = LineWriter(width: nil, isColoured: false)
        line.put(piece("abcdef"))
        line.advance(to: 3)
        line.put(piece("g"))
        expect(line.text.string, equals: "abcdef g")
    }

    @Test func aPieceIsCutToItsLimitAndTheLineGoesOn() {
        var line = LineWriter(width: nil, isColoured: false)
        line.put(piece("Thermometer"), limit: 5)
        line.put(piece("!"))
        expect(line.text.string, equals: "Ther…!")
    }

    @Test func scalarsOfSeveralOctetsCountOnce() {
        var line = LineWriter(width: nil, isColoured: false)
        line.put(piece("23 °C"))
        line.advance(to: 7)
        line.put(piece("x"))
        expect(line.text.string, equals: "23 °C  x")
    }

    /// East Asian Wide characters and emoji take two columns, combining marks none. Unicode, UAX #11 and UTS #51.
    @Test(arguments: [
        ("心拍計", 6), ("Grüße", 5), ("👋 ok", 5), ("e\u{301}", 1), ("ｱｲ", 2), ("→ · ✗ … › ≈ │ ▁", 15), ("", 0),
    ])
    func aCharacterTakesTheColumnsThatATerminalGivesIt(text: String, columns: Int) {
        expect(piece(text).columns, equals: columns)
    }

    @Test func whatFollowsAWideNameStandsInItsColumn() {
        var line = LineWriter(width: nil, isColoured: false)
        line.put(piece("心拍計"))
        line.advance(to: 8)
        line.put(piece("x"))
        expect(line.text.string, equals: "心拍計  x")
    }

    @Test func aWideCharacterIsNotCutInTwo() {
        var line = LineWriter(width: nil, isColoured: false)
        // Four columns and the mark: the third character has no room.
        line.put(piece("心拍計測定器"), limit: 6)
        line.put(piece("!"))
        expect(line.text.string, equals: "心拍…!")
        var narrow = LineWriter(width: 6, isColoured: false)
        narrow.put(piece("心拍計測定器"))
        expect(narrow.text.string, equals: "心拍…")
    }

    @Test func colourIsNoWidth() {
        var line = LineWriter(width: 6, isColoured: true)
        line.put(piece("abc"), .bad)
        line.put(piece("def"), .good)
        expect(line.text.string, equals: "\u{1B}[31;1mabc\u{1B}[0m\u{1B}[32;1mdef\u{1B}[0m")
    }
}
