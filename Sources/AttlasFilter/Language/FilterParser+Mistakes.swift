import AttlasDissection
import AttlasValues

/// The messages of mistakes: what was expected, what was found, and the nearest valid word.
extension FilterParser {
    func mistake(_ message: String, _ token: FilterToken? = nil) -> FilterMistake {
        FilterMistake(expression: expression, column: (token ?? self.token).column, message: message)
    }

    /// For a missing name or parenthesis.
    func misplacedName(_ token: FilterToken) -> FilterMistake {
        switch token.kind {
        case .end: mistake("expected a name, found the end of the expression; \(Self.names)", token)
        case .sign("!"): mistake("\"!\" is written \"not\"", token)
        case .text: mistake("expected a name before the comparison; \(Self.names)", token)
        case .word, .sign: mistake("expected a name, found \(token.description); \(Self.names)", token)
        }
    }

    func unknownName(_ name: String, _ token: FilterToken) -> FilterMistake {
        if FilterComparison(token) != nil || ["and", "or"].contains(name) { return misplacedName(token) }
        let suggestion = NearestWord.suggestion(for: name, among: FilterProperty.allCases.map(\.rawValue))
        return mistake(
            "there is no name \(token.description)" + (suggestion.isEmpty ? "; \(Self.names)" : suggestion), token)
    }

    /// For a token where the expression should end or continue with a word.
    func misplaced(_ token: FilterToken) -> FilterMistake {
        switch token.kind {
        case .sign("="): mistake("expected \"==\", found \"=\"", token)
        case .sign("&&"), .sign("&"), .sign(","): mistake("\(token.description) is written \"and\"", token)
        case .sign("||"), .sign("|"): mistake("\(token.description) is written \"or\"", token)
        case .sign("!"): mistake("expected \"!=\" or \"not\", found \"!\"", token)
        case .sign(")"): mistake("\")\" without \"(\"", token)
        default:
            mistake(
                "expected \"and\", \"or\" or a comparison, found \(token.description) "
                    + "(put text of several words in quotes)", token)
        }
    }

    func wrong(_ comparison: FilterComparison, _ property: FilterProperty, _ token: FilterToken) -> FilterMistake {
        let name = property.rawValue
        if property.isCondition {
            return mistake("\"\(name)\" takes no comparison: write \(name) or not \(name)", token)
        }
        let signs = property.comparisons.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        return mistake("\(token.description) does not work with \"\(name)\"; use \(signs)", token)
    }

    /// For a missing operand.
    func noOperand(_ property: FilterProperty, _ token: FilterToken) -> FilterMistake {
        let found = token.kind == .end ? "the end of the expression" : token.description
        return mistake("expected \(property.expectation); found \(found)", token)
    }

    func check(
        _ name: String, isAmong names: @autoclosure () -> Set<String>, what: String, otherwise: String = "",
        _ token: FilterToken
    ) throws(FilterMistake) {
        let names = names()
        guard !names.contains(name) else { return }
        let folded = FoldedText(name)
        guard !names.contains(where: { FoldedText($0) == folded }) else { return }
        let suggestion = NearestWord.suggestion(for: name, among: names)
        throw mistake("\(what) \"\(name.prefix(100))\"\(suggestion.isEmpty ? otherwise : suggestion)", token)
    }

    private static let names: String = {
        let names = FilterProperty.allCases.map { $0 == .field ? "field(\"…\")" : $0.rawValue }
        return "the names are \(names.joined(separator: ", "))"
    }()
}
