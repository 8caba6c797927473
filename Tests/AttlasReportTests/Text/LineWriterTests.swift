import Testing

@testable import AttlasReport

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
        #expect(line.text.string == "Heart Rat…\n")
    }

    @Test func nothingFollowsBehindTheEdge() {
        var line = LineWriter(width: 8, isColoured: false)
        line.put(piece("12345678"))
        line.advance(to: 20)
        line.put(piece("9"))
        line.endLine()
        line.put(piece("next"))
        line.endLine()
        #expect(line.text.string == "12345678\nnext\n")
    }

    @Test func aColumnThatIsPassedStillLeavesABlank() {
        var line = LineWriter(width: nil, isColoured: false)
        line.put(piece("abcdef"))
        line.advance(to: 3)
        line.put(piece("g"))
        #expect(line.text.string == "abcdef g")
    }

    @Test func aPieceIsCutToItsLimitAndTheLineGoesOn() {
        var line = LineWriter(width: nil, isColoured: false)
        line.put(piece("Thermometer"), limit: 5)
        line.put(piece("!"))
        #expect(line.text.string == "Ther…!")
    }

    @Test func scalarsOfSeveralOctetsCountOnce() {
        var line = LineWriter(width: nil, isColoured: false)
        line.put(piece("23 °C"))
        line.advance(to: 7)
        line.put(piece("x"))
        #expect(line.text.string == "23 °C  x")
    }

    @Test func colourIsNoWidth() {
        var line = LineWriter(width: 6, isColoured: true)
        line.put(piece("abc"), .bad)
        line.put(piece("def"), .good)
        #expect(line.text.string == "\u{1B}[31;1mabc\u{1B}[0m\u{1B}[32;1mdef\u{1B}[0m")
    }
}
