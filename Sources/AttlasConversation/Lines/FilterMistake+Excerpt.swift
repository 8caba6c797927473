import AttlasFilter
import AttlasText

extension FilterMistake {
    /// The expression in a line, with a caret below the place. A long expression is shortened to the part around it. Characters that could
    /// steer a terminal are escaped.
    package var excerpt: String {
        let scalars = Array(expression.unicodeScalars)
        let place = min(column - 1, scalars.count)
        let start = max(0, place - Self.reach)
        let end = min(scalars.count, place + Self.reach)
        var text = TextBuffer()
        if start > 0 { text.append("…") }
        text.append(display: Self.text(scalars[start..<place]))
        let caret = text.columns
        text.append(display: Self.text(scalars[place..<end]))
        if end < scalars.count { text.append("…") }
        text.append("\n")
        text.append(repeating: UInt8(ascii: " "), count: caret)
        text.append("^")
        return text.text
    }

    /// Scalars of the expression that are shown on either side.
    private static let reach = 50

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }
}
