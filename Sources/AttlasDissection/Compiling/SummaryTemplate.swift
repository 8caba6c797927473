/// The line that shows a value or a structure, as its definition has it: text with fields in braces.
///
/// `{Field}` the value, `{Field:.3 unit}` with a format, `{Name?then|else}` by whether a field is present or a flag is set;
/// `{{` and `}}` are braces.
public struct SummaryTemplate: Sendable {
    /// A part of the line.
    public indirect enum Piece: Sendable {
        case text(String)
        case value(fields: [UInt16], format: Format)
        /// A few bits of a field that are a separate number.
        case bits(Bits)
        case ifPresent(fields: [UInt16], then: [Piece], otherwise: [Piece])
        case ifSet(Bits, then: [Piece], otherwise: [Piece])
    }

    /// Bits of a field that are a separate number.
    public struct Bits: Sendable {
        /// Place and labels of the bits.
        public var bits: BitField
        /// Indexes into `Dissector.fields`; several if they exclude each other.
        public var fields: [UInt16]
    }

    /// `02X`: at least two upper-case hexadecimal digits. `04`: at least four digits. `.3`: at most three decimals.
    /// `unit`: the unit after the value.
    public struct Format: Sendable, Equatable {
        /// Digits at least, filled with zeros.
        public var minimumDigits = 1
        /// Upper-case hexadecimal; otherwise decimal.
        public var isHexadecimal = false
        /// Decimals at most; nil shows all of them.
        public var maximumDecimals: Int?
        /// Whether the unit follows the value.
        public var hasUnit = false

        /// The value as it is, without its unit.
        static let plain = Format()

        /// The value as it is, with its unit.
        public static var withUnit: Format {
            var format = Format()
            format.hasUnit = true
            return format
        }

        private init() {}

        init?(_ text: Substring) {
            for part in text.split(separator: " ") {
                if part == "unit" {
                    hasUnit = true
                } else if part.hasPrefix("."), let decimals = Int(part.dropFirst()), 0...18 ~= decimals {
                    maximumDecimals = decimals
                } else {
                    isHexadecimal = part.hasSuffix("X")
                    let digits = isHexadecimal ? part.dropLast() : part
                    guard digits.isEmpty || Int(digits) != nil else { return nil }
                    minimumDigits = Int(digits) ?? 1
                    guard 1...20 ~= minimumDigits else { return nil }
                }
            }
        }
    }

    /// Parts of the line, in order.
    public var pieces: [Piece]
}

/// Reads a summary against the fields of the structure it belongs to.
struct SummaryParser {
    private let source: SourceText
    private let text: [Character]
    private let scope: Scope
    private var position = 0
    private var depth = 0

    init(_ source: SourceText, scope: Scope) {
        self.source = source
        text = Array(source.text)
        self.scope = scope
    }

    mutating func parse() throws(CompileMistake) -> SummaryTemplate {
        let pieces = try parsePieces(until: [])
        guard position == text.count else { throw mistake("\"\(text[position])\" without a \"{\" before it") }
        return SummaryTemplate(pieces: pieces)
    }

    private mutating func parsePieces(until ends: [Character]) throws(CompileMistake) -> [SummaryTemplate.Piece] {
        depth += 1
        defer { depth -= 1 }
        guard depth <= 8 else { throw mistake("the summary is nested more than 8 levels deep") }
        var pieces: [SummaryTemplate.Piece] = []
        var literal = ""
        func flush() {
            if !literal.isEmpty { pieces.append(.text(literal)) }
            literal = ""
        }
        while position < text.count {
            let character = text[position]
            if character == "{" || character == "}", position + 1 < text.count, text[position + 1] == character,
                !ends.contains(character)
            {
                literal.append(character)
                position += 2
            } else if ends.contains(character) || character == "}" {
                break
            } else if character == "{" {
                flush()
                position += 1
                pieces.append(try parseBraces())
            } else {
                literal.append(character)
                position += 1
            }
        }
        flush()
        return pieces
    }

    private mutating func parseBraces() throws(CompileMistake) -> SummaryTemplate.Piece {
        let start = position
        while position < text.count, !":?}".contains(text[position]) { position += 1 }
        guard position < text.count else { throw mistake("a \"}\" is missing") }
        let name = String(text[start..<position])
        let fields = scope.fields[name]
        let bits = scope.bits[name]
        guard fields != nil || bits != nil else {
            let names = Array(scope.fields.keys) + Array(scope.bits.keys)
            throw mistake("no field or flag \"\(name)\"" + NearestWord.suggestion(for: name, among: names))
        }
        let sign = text[position]
        position += 1
        switch sign {
        case "?":
            let then = try parsePieces(until: ["|", "}"])
            var otherwise: [SummaryTemplate.Piece] = []
            if position < text.count, text[position] == "|" {
                position += 1
                otherwise = try parsePieces(until: ["}"])
            }
            try close()
            if let bits { return .ifSet(bits, then: then, otherwise: otherwise) }
            return .ifPresent(fields: fields ?? [], then: then, otherwise: otherwise)
        case ":":
            let start = position
            while position < text.count, text[position] != "}" { position += 1 }
            let format = Substring(String(text[start..<position]))
            guard let fields, let format = SummaryTemplate.Format(format) else {
                throw mistake(
                    "\"\(format)\" is not a format; the formats are \"02X\", \"04\", \".3\", \"unit\" and \".3 unit\"")
            }
            try close()
            return .value(fields: fields, format: format)
        default:
            if let fields { return .value(fields: fields, format: .plain) }
            return .bits(bits ?? .init(bits: .init(first: 0, last: 0, name: name, labels: []), fields: []))
        }
    }

    private mutating func close() throws(CompileMistake) {
        guard position < text.count, text[position] == "}" else { throw mistake("a \"}\" is missing") }
        position += 1
    }

    private func mistake(_ message: String) -> CompileMistake {
        CompileMistake(position: source.position, message: "in the summary: " + message)
    }
}
