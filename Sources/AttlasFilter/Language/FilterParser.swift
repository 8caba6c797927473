import AttlasDissection

/// Reads a filter expression. From the weakest binding to the strongest: `or`, `and`, `not`, comparisons.
struct FilterParser {
    static let lengthLimit = 1_000
    static let depthLimit = 32

    let expression: String
    let library: DissectorLibrary
    private let tokens: [FilterToken]
    private var position = 0
    private var depth = 0
    var uuidCount = 0
    var fields: [String] = []

    init(_ expression: String, library: DissectorLibrary) throws(FilterMistake) {
        self.expression = expression
        self.library = library
        guard expression.unicodeScalars.count <= Self.lengthLimit else {
            throw FilterMistake(
                expression: expression, column: Self.lengthLimit + 1,
                message: "the expression has more than \(Self.lengthLimit) characters")
        }
        tokens = try FilterLexer.tokens(of: expression)
    }

    mutating func parse() throws(FilterMistake) -> Filter {
        let result = try parseOr()
        guard token.kind == .end else { throw misplaced(token) }
        var filter = Filter(result, uuidCount: uuidCount)
        filter.fields = fields
        return filter
    }

    // MARK: Grammar

    private mutating func parseOr() throws(FilterMistake) -> FilterExpression {
        try nest()
        defer { depth -= 1 }
        var terms = [try parseAnd()]
        while take(word: "or") { terms.append(try parseAnd()) }
        return terms.count == 1 ? terms[0] : .any(terms)
    }

    private mutating func parseAnd() throws(FilterMistake) -> FilterExpression {
        var terms = [try parseNot()]
        while take(word: "and") { terms.append(try parseNot()) }
        return terms.count == 1 ? terms[0] : .all(terms)
    }

    private mutating func parseNot() throws(FilterMistake) -> FilterExpression {
        if take(word: "not") {
            try nest()
            defer { depth -= 1 }
            return .not(try parseNot())
        }
        guard take(sign: "(") else { return try parseTest() }
        let inside = try parseOr()
        guard take(sign: ")") else {
            throw mistake(
                token.kind == .end
                    ? "a \")\" is missing" : "expected \"and\", \"or\" or \")\", found \(token.description)")
        }
        return inside
    }

    private mutating func parseTest() throws(FilterMistake) -> FilterExpression {
        let start = token
        guard case .word(let name) = start.kind else { throw misplacedName(start) }
        guard let property = FilterProperty(name: name) else { throw unknownName(name, start) }
        advance()
        let field = property == .field ? try parseFieldName() : nil
        let sign = token
        guard let comparison = FilterComparison(sign) else {
            if let field { return .test(.field(fieldTest(field, nil, nil, ""))) }
            return .test(.has(property))
        }
        guard property.comparisons.contains(comparison) else { throw wrong(comparison, property, sign) }
        advance()
        // The negation of equality, so that of several values none equals.
        let test = try parseOperand(
            of: property, comparison == .notEqual ? .equal : comparison, field: field ?? "", sign)
        return comparison == .notEqual ? .not(.test(test)) : .test(test)
    }

    private mutating func parseFieldName() throws(FilterMistake) -> String {
        guard take(sign: "(") else {
            throw mistake("expected a field's name in parentheses: field(\"Battery Level\")")
        }
        let start = token
        let name: String
        switch start.kind {
        case .text(let text), .word(let text): name = text
        case .sign, .end: throw mistake("expected a field's name in quotes", start)
        }
        advance()
        guard take(sign: ")") else {
            throw mistake(
                token.kind == .end
                    ? "a \")\" is missing" : "expected \")\"; put a name of several words in quotes")
        }
        if ValueShape.mayName(name, in: library.assignedNumbers) { return name }
        try check(
            name, isAmong: library.fieldNames, what: "no definition has a field",
            otherwise: "; \"attlas dissectors show UUID\" lists the fields of a definition", start)
        return name
    }

    // MARK: Tokens

    var token: FilterToken { tokens[position] }

    mutating func advance() {
        if position < tokens.count - 1 { position += 1 }
    }

    private mutating func take(word: String) -> Bool {
        guard token.kind == .word(word) else { return false }
        advance()
        return true
    }

    mutating func take(sign: String) -> Bool {
        guard token.kind == .sign(sign) else { return false }
        advance()
        return true
    }

    /// Bounds the recursion of the parser and of the evaluation.
    private mutating func nest() throws(FilterMistake) {
        depth += 1
        guard depth <= Self.depthLimit else {
            throw mistake("the expression is nested more than \(Self.depthLimit) levels deep")
        }
    }
}
