import AttlasDissection

/// What is wrong with a filter expression, and where.
public struct FilterMistake: Error, Sendable {
    public let expression: String
    /// Counted from 1, in Unicode scalars; one behind the last for what is missing at the end.
    public let column: Int
    /// What is wrong and what could stand there, without a full stop.
    public let message: String
}

extension FilterMistake: CustomStringConvertible {
    /// The message, the expression and a caret under the place. Of a long expression, what is around the place.
    public var description: String {
        let scalars = Array(expression.unicodeScalars)
        let place = min(column - 1, scalars.count)
        let start = max(0, place - Self.reach)
        let end = min(scalars.count, place + Self.reach)
        var text = TextBuffer()
        text.append("column ")
        text.append(decimal: column)
        text.append(": ")
        text.append(display: message)
        text.append("\n  ")
        let lineStart = text.count
        if start > 0 { text.append("…") }
        text.append(display: Self.text(scalars[start..<place]))
        var caret = TextBuffer()
        caret.append(repeating: UInt8(ascii: " "), count: text.columns(from: lineStart))
        text.append(display: Self.text(scalars[place..<end]))
        if end < scalars.count { text.append("…") }
        text.append("\n  ")
        text.append(contentsOf: caret)
        text.append("^")
        return String(decoding: text.bytes, as: UTF8.self)
    }

    /// Scalars of the expression that are shown on either side.
    private static let reach = 50

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }
}
