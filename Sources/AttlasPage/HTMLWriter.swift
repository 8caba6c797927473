import AttlasDocuments
import AttlasText

/// HTML under construction. Markup is a literal of ours; whatever else is text, in which nothing is left that could be markup or steer
/// the display.
struct HTMLWriter {
    var text = TextBuffer()

    mutating func markup(_ literal: StaticString) { text.append(literal) }

    /// Text of an element, or of an attribute between double quotes.
    mutating func put(_ foreign: String) { text.append(xml: foreign) }

    mutating func put(_ piece: TextBuffer) { put(piece.text) }

    mutating func put(_ number: Int) { text.append(decimal: number) }

    /// Text that is put together.
    mutating func put(_ write: (inout TextBuffer) -> Void) {
        var piece = TextBuffer()
        write(&piece)
        put(piece)
    }

    /// A coordinate: two decimal places, within the range of drawings.
    mutating func put(coordinate: Double) {
        let hundredths = Int64((min(max(coordinate.isFinite ? coordinate : 0, -1e6), 1e6) * 100).rounded())
        if hundredths < 0 { text.append("-") }
        text.append(decimal: hundredths.magnitude / 100)
        let rest = hundredths.magnitude % 100
        guard rest > 0 else { return }
        text.append(".")
        if rest.isMultiple(of: 10) {
            text.append(decimal: rest / 10)
        } else {
            text.append(decimal: rest, minimumDigits: 2)
        }
    }

    /// ` name="text"`
    mutating func attribute(_ name: StaticString, _ value: String) {
        attribute(name) { $0.append(string: value) }
    }

    mutating func attribute(_ name: StaticString, _ write: (inout TextBuffer) -> Void) {
        markup(" ")
        markup(name)
        markup("=\"")
        put(write)
        markup("\"")
    }

    mutating func element(_ name: StaticString, _ content: String) {
        element(name) { $0.put(content) }
    }

    mutating func element(
        _ name: StaticString, _ style: StaticString? = nil, _ write: (inout HTMLWriter) -> Void
    ) {
        markup("<")
        markup(name)
        if let style { attribute("class") { $0.append(style) } }
        markup(">")
        write(&self)
        markup("</")
        markup(name)
        markup(">")
    }

    /// A cell of a table with a figure, as people read it and as JSON has it; empty if there is none.
    mutating func figure(_ value: Double?, _ write: (inout TextBuffer, Double) -> Void) {
        markup("<td class=\"n\">")
        if let value {
            markup("<data")
            attribute("value") { $0.append(number: .float64(value)) }
            markup(">")
            put { write(&$0, value) }
            markup("</data>")
        }
        markup("</td>")
    }

    mutating func figure(_ count: Int?) { figure(.count(count)) }

    mutating func figure(_ figure: Figure) {
        self.figure(figure.number) { text, _ in text.append(figure) }
    }

    /// The head of a column.
    enum Heading {
        case text(String)
        case number(String)
    }

    mutating func headings(_ caption: String, _ headings: [Heading]) {
        markup("<table><caption>")
        put(caption)
        markup("</caption><thead><tr>")
        for heading in headings {
            switch heading {
            case .text(let name):
                markup("<th scope=\"col\">")
                put(name)
            case .number(let name):
                markup("<th scope=\"col\" class=\"n\">")
                put(name)
            }
            markup("</th>")
        }
        markup("</tr></thead><tbody>")
    }
}
