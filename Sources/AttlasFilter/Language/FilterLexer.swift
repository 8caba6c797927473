/// A piece of a filter expression.
struct FilterToken: Equatable {
    enum Kind: Equatable {
        /// Letters, digits and the punctuation of UUIDs, addresses and numbers.
        case word(String)
        /// The text in quotes.
        case text(String)
        case sign(String)
        case end
    }

    let kind: Kind
    /// Counted from 1.
    let column: Int

    /// As a message quotes it.
    var description: String {
        switch kind {
        case .word(let text), .text(let text), .sign(let text): "\"\(text.prefix(40))\""
        case .end: "the end"
        }
    }
}

/// Takes a filter expression apart.
struct FilterLexer {
    private let expression: String
    private let text: [Unicode.Scalar]
    private var position = 0

    /// Longer signs first. Those that the language does not have are read whole, so that a message can name them.
    private static let signs = ["==", "!=", "<=", ">=", "&&", "||", "(", ")", "<", ">", "~", "=", "!", "&", "|", ","]

    static func tokens(of expression: String) throws(FilterMistake) -> [FilterToken] {
        var lexer = FilterLexer(expression: expression)
        var tokens: [FilterToken] = []
        repeat { tokens.append(try lexer.next()) } while tokens.last?.kind != .end
        return tokens
    }

    private init(expression: String) {
        self.expression = expression
        text = Array(expression.unicodeScalars)
    }

    private mutating func next() throws(FilterMistake) -> FilterToken {
        while position < text.count, text[position].properties.isWhitespace { position += 1 }
        let column = position + 1
        guard position < text.count else { return FilterToken(kind: .end, column: column) }
        if text[position] == "\"" || text[position] == "'" { return try quoted(column) }
        if let sign = Self.signs.first(where: { text[position...].starts(with: $0.unicodeScalars) }) {
            position += sign.unicodeScalars.count
            return FilterToken(kind: .sign(sign), column: column)
        }
        var word = String.UnicodeScalarView()
        while position < text.count, Self.isWord(text[position]) {
            word.append(text[position])
            position += 1
        }
        return FilterToken(kind: .word(String(word)), column: column)
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.properties.isWhitespace && !"()\"'=!<>~&|,".unicodeScalars.contains(scalar)
    }

    /// Text up to the quote that began it; a backslash takes the next character as it is.
    private mutating func quoted(_ column: Int) throws(FilterMistake) -> FilterToken {
        let quote = text[position]
        var content = String.UnicodeScalarView()
        position += 1
        while position < text.count, text[position] != quote {
            if text[position] == "\\", position + 1 < text.count { position += 1 }
            content.append(text[position])
            position += 1
        }
        guard position < text.count else {
            throw FilterMistake(
                expression: expression, column: column, message: "the quote that begins here is not closed")
        }
        position += 1
        return FilterToken(kind: .text(String(content)), column: column)
    }
}
