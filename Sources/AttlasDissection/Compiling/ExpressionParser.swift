/// Reads an expression into postfix steps.
///
/// Names may hold spaces and hyphens ("RR-Interval Present"), so the longest known name at a place is taken; a name in
/// backquotes is taken as it is. From the weakest binding to the strongest: `or`, `and`, `not`, comparisons, `+ -`,
/// `* / % &`, a sign.
struct ExpressionParser {
    private let source: SourceText
    private let text: [Unicode.Scalar]
    private let names: [(text: [Unicode.Scalar], name: String)]
    private let symbols: [String: Symbol]
    private var position = 0
    private var depth = 0
    private var operands = 0
    private var steps: [ExpressionProgram.Step] = []
    /// The bits it looks at, by field.
    private(set) var usedBits: [(field: Int, mask: UInt64)] = []
    /// The registers of the texts that it compares.
    private(set) var usedTexts: Set<UInt16> = []
    private var literals: [[UInt8]] = []

    init(_ source: SourceText, symbols: [String: Symbol]) {
        self.source = source
        text = Array(source.text.unicodeScalars)
        self.symbols = symbols
        names = symbols.keys.map { (Array($0.unicodeScalars), $0) }.sorted { $0.0.count > $1.0.count }
    }

    mutating func parse() throws(CompileMistake) -> ExpressionProgram {
        guard text.count <= 1_000 else { throw mistake("the expression has more than 1000 characters") }
        try parseOr()
        skipSpaces()
        guard position == text.count else {
            throw mistake("expected \"and\", \"or\" or an operator, found \"\(rest)\"")
        }
        return ExpressionProgram(steps: steps, literals: literals)
    }

    // MARK: Grammar

    private mutating func parseOr() throws(CompileMistake) {
        try nest()
        try parseAnd()
        while take(word: "or") {
            try parseAnd()
            emit(.or)
        }
        depth -= 1
    }

    private mutating func parseAnd() throws(CompileMistake) {
        try parseNot()
        while take(word: "and") {
            try parseNot()
            emit(.and)
        }
    }

    private mutating func parseNot() throws(CompileMistake) {
        guard take(word: "not") else { return try parseComparison() }
        try nest()
        try parseNot()
        depth -= 1
        steps.append(.not)
    }

    private mutating func parseComparison() throws(CompileMistake) {
        try parseSum()
        let comparisons: [(String, ExpressionProgram.Step)] = [
            ("==", .equal), ("!=", .notEqual), ("<=", .lessOrEqual), (">=", .greaterOrEqual),
            ("<", .less), (">", .greater),
        ]
        for (sign, step) in comparisons where take(sign: sign) {
            try parseSum()
            emit(step)
            return
        }
        skipSpaces()
        if position < text.count, text[position] == "=" {
            throw mistake("expected \"==\", found \"=\"")
        }
    }

    private mutating func parseSum() throws(CompileMistake) {
        try parseProduct()
        while true {
            if take(sign: "+") {
                try parseProduct()
                emit(.add)
            } else if take(sign: "-") {
                try parseProduct()
                emit(.subtract)
            } else {
                return
            }
        }
    }

    private mutating func parseProduct() throws(CompileMistake) {
        try parseOperand()
        let signs: [(String, ExpressionProgram.Step)] = [
            ("*", .multiply), ("/", .divide), ("%", .remainder), ("&", .bitAnd),
        ]
        while let sign = signs.first(where: { take(sign: $0.0) }) {
            try parseOperand()
            emit(sign.1)
        }
    }

    private mutating func parseOperand() throws(CompileMistake) {
        skipSpaces()
        if take(sign: "(") {
            try parseOr()
            guard take(sign: ")") else { throw mistake("a \")\" is missing") }
        } else if take(sign: "-") {
            try nest()
            try parseOperand()
            depth -= 1
            steps.append(.negate)
        } else if let name = takeName() {
            try emit(name: name)
        } else if let digits = takeNumber() {
            guard let value = ScalarText.integer(digits) else {
                throw mistake("\"\(digits)\" is not a number of 64 bits")
            }
            try emit(operand: .constant(value))
        } else if take(word: "left") {
            try emit(operand: .left)
        } else if take(word: "next") {
            try emit(operand: .next(try parseDistance()))
        } else {
            throw unknownName()
        }
    }

    /// `(6)` after `next`: the octet six after it.
    private mutating func parseDistance() throws(CompileMistake) -> UInt8 {
        guard take(sign: "(") else { return 0 }
        skipSpaces()
        guard let digits = takeNumber(), let distance = ScalarText.integer(digits).flatMap(UInt8.init(exactly:)),
            take(sign: ")")
        else { throw mistake("expected a number of octets from 0 to 255 and a \")\"") }
        return distance
    }

    // MARK: Steps

    private mutating func emit(_ step: ExpressionProgram.Step) {
        operands -= 1
        steps.append(step)
    }

    private mutating func emit(operand: ExpressionProgram.Step) throws(CompileMistake) {
        operands += 1
        guard operands <= ExpressionProgram.stackLimit else {
            throw mistake("the expression needs more than \(ExpressionProgram.stackLimit) operands at once")
        }
        steps.append(operand)
    }

    private mutating func emit(name: String) throws(CompileMistake) {
        switch symbols[name] {
        case .field(let register):
            try emit(operand: .register(register))
        case .bits(let register, let field, let bits):
            usedBits.append((field, bits.mask))
            let mask = UInt64.max >> UInt64(64 - bits.width)
            try emit(operand: .bits(register: register, shift: UInt8(bits.first), mask: mask))
        case .ambiguous(let choices):
            throw mistake("\"\(name)\" is ambiguous; write \(choices.map { "`\($0)`" }.joined(separator: " or "))")
        case .text(let register): try parseTextComparison(name, register)
        case .unusable:
            throw mistake("\"\(name)\" is neither an integer nor a text")
        case nil:
            throw unknownName()
        }
    }

    /// `== "AT"` after the name of a text.
    private mutating func parseTextComparison(_ name: String, _ register: UInt16) throws(CompileMistake) {
        let isEqual = take(sign: "==")
        guard isEqual || take(sign: "!="), let text = takeQuoted() else {
            throw mistake("\"\(name)\" is a text: expected == or != and a text in double quotes")
        }
        usedTexts.insert(register)
        try emit(operand: .text(register: register, literal: UInt16(literals.count)))
        literals.append(Array(text.utf8))
        if !isEqual { steps.append(.not) }
    }

    private mutating func nest() throws(CompileMistake) {
        depth += 1
        guard depth <= 16 else { throw mistake("the expression is nested more than 16 levels deep") }
    }

    // MARK: Tokens

    private var rest: String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: self.text[position...].prefix(40))
        return String(text)
    }

    private mutating func skipSpaces() {
        while position < text.count, text[position] == " " || text[position].properties.isWhitespace { position += 1 }
    }

    private mutating func take(sign: String) -> Bool {
        skipSpaces()
        guard text[position...].starts(with: sign.unicodeScalars) else { return false }
        position += sign.unicodeScalars.count
        return true
    }

    private mutating func take(word: String) -> Bool {
        skipSpaces()
        guard text[position...].starts(with: word.unicodeScalars),
            endsWord(at: position + word.unicodeScalars.count)
        else { return false }
        position += word.unicodeScalars.count
        return true
    }

    private func endsWord(at end: Int) -> Bool {
        end >= text.count || text[end] == " "
            || !(text[end].properties.isAlphabetic || "0"..."9" ~= text[end] || text[end] == "_")
    }

    private mutating func takeName() -> String? {
        if position < text.count, text[position] == "`",
            let end = text[(position + 1)...].firstIndex(of: "`")
        {
            var name = String.UnicodeScalarView()
            name.append(contentsOf: text[(position + 1)..<end])
            guard symbols[String(name)] != nil else { return nil }
            position = end + 1
            return String(name)
        }
        for (scalars, name) in names where text[position...].starts(with: scalars) {
            guard endsWord(at: position + scalars.count) else { continue }
            position += scalars.count
            return name
        }
        return nil
    }

    /// A text in double quotes, in which a backslash precedes one of these and itself.
    private mutating func takeQuoted() -> String? {
        skipSpaces()
        guard position < text.count, text[position] == "\"" else { return nil }
        var content = String.UnicodeScalarView()
        var index = position + 1
        while index < text.count, text[index] != "\"" {
            if text[index] == "\\", index + 1 < text.count { index += 1 }
            content.append(text[index])
            index += 1
        }
        guard index < text.count else { return nil }
        position = index + 1
        return String(content)
    }

    private mutating func takeNumber() -> String? {
        guard position < text.count, "0"..."9" ~= text[position] else { return nil }
        var digits = String.UnicodeScalarView()
        while position < text.count, text[position].properties.isAlphabetic || "0"..."9" ~= text[position] {
            digits.append(text[position])
            position += 1
        }
        return String(digits)
    }

    // MARK: Mistakes

    private func unknownName() -> CompileMistake {
        guard position < text.count else { return mistake("expected a value, found the end of the expression") }
        var found = rest
        for end in [" and ", " or ", "==", "!=", "<", ">", ")", " + ", " - "] {
            if let range = found.firstRange(of: end) { found = String(found[..<range.lowerBound]) }
        }
        found = found.trimmingSpaces.replacing("`", with: "")
        return mistake(
            "no field or flag \"\(found)\" is read before this"
                + NearestWord.suggestion(for: found, among: symbols.keys))
    }

    private func mistake(_ message: String) -> CompileMistake {
        var position = source.position
        if position.line > 0 { position.column += self.position }
        return CompileMistake(position: position, message: message)
    }
}

extension StringProtocol {
    package var trimmingSpaces: String {
        var text = Substring(self)
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text.drop { $0.isWhitespace })
    }
}
