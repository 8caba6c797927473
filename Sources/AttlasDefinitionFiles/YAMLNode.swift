import AttlasDissection

/// A node of a file of the project, taken as text: only the schema determines whether `2800` is a UUID, a number or a name.
package struct YAMLNode {
    package typealias Pair = (key: YAMLNode, value: YAMLNode)

    package enum Content {
        /// As it was written, without quotes.
        case scalar(String)
        case list([YAMLNode])
        case mapping([Pair])
    }

    package let content: Content
    package let position: SourcePosition

    package func mistake(_ message: String) -> CompileMistake {
        CompileMistake(position: position, message: message)
    }

    package var scalar: String? {
        if case .scalar(let text) = content { text } else { nil }
    }

    package func text(_ what: String) throws(CompileMistake) -> String {
        guard let scalar else { throw mistake("expected \(what), found \(kind)") }
        return scalar
    }

    func source(_ what: String) throws(CompileMistake) -> SourceText {
        SourceText(text: try text(what), position: position)
    }

    package func list(_ what: String) throws(CompileMistake) -> [YAMLNode] {
        guard case .list(let items) = content else { throw mistake("expected \(what), found \(kind)") }
        return items
    }

    package func pairs(_ what: String) throws(CompileMistake) -> [Pair] {
        guard case .mapping(let pairs) = content else { throw mistake("expected \(what), found \(kind)") }
        return pairs
    }

    /// One of the words of an enumeration.
    package func word<Value: RawRepresentable<String> & CaseIterable>(_ what: String) throws(CompileMistake) -> Value {
        let text = try text(what)
        if let value = Value(rawValue: text) { return value }
        let words = Value.allCases.map(\.rawValue)
        throw mistake(
            "expected \(words.joined(separator: ", ")), found \"\(text)\""
                + NearestWord.suggestion(for: text, among: words))
    }

    package func integer(_ what: String) throws(CompileMistake) -> Int64 {
        let text = try text(what)
        guard let value = ScalarText.integer(text) else { throw mistake("expected \(what), found \"\(text)\"") }
        return value
    }

    package func boolean(_ what: String) throws(CompileMistake) -> Bool {
        let text = try text("true or false")
        guard let value = ScalarText.boolean(text) else {
            throw mistake("expected true or false for \(what), found \"\(text)\"")
        }
        return value
    }

    private var kind: String {
        switch content {
        case .scalar(let text): "\"\(text.prefix(40))\""
        case .list: "a list"
        case .mapping: "a mapping"
        }
    }
}

/// A mapping whose keys the schema knows.
package struct YAMLMapping {
    private static let mistakeLimit = 8

    package let node: YAMLNode
    private let values: [String: YAMLNode]

    /// - Throws: all keys that are not in `keys`.
    package init(_ node: YAMLNode, what: String, keys: [String]) throws(CompileMistake) {
        self.node = node
        var values: [String: YAMLNode] = [:]
        var mistakes: [CompileMistake] = []
        for (key, value) in try node.pairs(what) {
            let name = try key.text("a key")
            if keys.contains(name) {
                values[name] = value
            } else if mistakes.count < Self.mistakeLimit {
                let suggestion = NearestWord.suggestion(for: name, among: keys)
                let list = suggestion.isEmpty ? "; the keys are " + keys.joined(separator: ", ") : suggestion
                mistakes.append(key.mistake("\(what) has no key \"\(name)\"\(list)"))
            }
        }
        self.values = values
        guard var first = mistakes.first else { return }
        first.others = Array(mistakes.dropFirst())
        throw first
    }

    package subscript(key: String) -> YAMLNode? { values[key] }

    package func required(_ key: String, of what: String) throws(CompileMistake) -> YAMLNode {
        guard let value = values[key] else { throw node.mistake("\(what) needs a \"\(key)\"") }
        return value
    }
}
