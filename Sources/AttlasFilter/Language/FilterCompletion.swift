import AttlasWire

/// Completions of an expression that is being typed.
package struct FilterCompletion {
    private let characteristics: [String]
    private let services: [String]
    private let peers: [String]
    private let fields: [String]

    /// - Parameters: the names that can be compared with.
    package init(characteristics: [String], services: [String], peers: [String], fields: [String]) {
        // There is no way to write a quote in quotes.
        func writable(_ names: [String]) -> [String] { names.filter { !$0.contains("\"") } }
        self.characteristics = writable(characteristics)
        self.services = writable(services)
        self.peers = writable(peers)
        self.fields = fields
    }

    /// - Returns: the expression with each of them in the place of its last word.
    package func completions(of expression: String) -> [String] {
        let isQuoted = !expression.count(where: { $0 == "\"" }).isMultiple(of: 2)
        if isQuoted, let quote = expression.lastIndex(of: "\"") {
            let isField = expression[..<quote].filter { $0 != " " }.hasSuffix("field(")
            let found = matches(
                String(expression[quote...].dropFirst()), isField ? fields : names(after: expression[..<quote]))
            return found.map { expression[...quote] + $0 + (isField ? "\")" : "\"") }
        }
        let word = String(expression.reversed().prefix { $0.isLetter || $0 == "_" }.reversed())
        let head = expression.dropLast(word.count)
        return matches(word, words(after: head)).map { head + $0 }
    }

    /// The property that is compared, when the last word is a comparison.
    private func property(before head: Substring) -> FilterProperty? {
        let parts = head.split(separator: " ").suffix(2)
        guard let sign = parts.last, FilterComparison(rawValue: String(sign)) != nil, let name = parts.first else {
            return nil
        }
        return FilterProperty(name: String(name))
    }

    private func names(after head: Substring) -> [String] {
        switch property(before: head) {
        case .characteristic: characteristics
        case .service: services
        case .peer: peers
        default: []
        }
    }

    /// Words that can follow a comparison, or else the names of properties.
    private func words(after head: Substring) -> [String] {
        guard let property = property(before: head) else {
            return FilterProperty.allCases.map(\.rawValue) + ["and", "or", "not"]
        }
        if property == .method {
            let all = (UInt8.min...UInt8.max).flatMap { ATTOpcode(rawValue: $0).filterNames }
            return Set(all.map { $0.lowercased().replacing(" ", with: "_") }).sorted()
        }
        return property.words + names(after: head).map { "\"\($0)\"" }
    }

    /// In any letter case; quotes need not be typed.
    private func matches(_ typed: String, _ words: [String]) -> [String] {
        let typed = typed.lowercased()
        var seen: Set<String> = []
        return words.filter { word in
            let word = word.lowercased()
            return (word.hasPrefix(typed) || word.hasPrefix("\"" + typed)) && word != typed
                && seen.insert(word).inserted
        }
    }
}
