import Yams

/// A node of a definition file, taken as text: only the schema says whether `2800` is a UUID, a number or a name.
struct YAMLNode {
    let node: Node

    var position: SourcePosition {
        // Yams has no mark for an empty mapping or sequence at the very end of a file.
        SourcePosition(line: node.mark?.line ?? 1, column: node.mark?.column ?? 1)
    }

    func mistake(_ message: String) -> CompileMistake {
        CompileMistake(position: position, message: message)
    }

    /// The scalar as it was written.
    func text(_ what: String) throws(CompileMistake) -> String {
        guard let scalar = node.scalar else { throw mistake("\(what) can stand here, not \(kind)") }
        return scalar.string
    }

    func source(_ what: String) throws(CompileMistake) -> SourceText {
        SourceText(text: try text(what), position: position)
    }

    func list(_ what: String) throws(CompileMistake) -> [YAMLNode] {
        guard let sequence = node.sequence else { throw mistake("\(what) can stand here, not \(kind)") }
        return sequence.map(YAMLNode.init)
    }

    func pairs(_ what: String) throws(CompileMistake) -> [(key: YAMLNode, value: YAMLNode)] {
        guard let mapping = node.mapping else { throw mistake("\(what) can stand here, not \(kind)") }
        return mapping.map { (YAMLNode(node: $0.key), YAMLNode(node: $0.value)) }
    }

    /// One of the words of an enumeration.
    func word<Value: RawRepresentable<String> & CaseIterable>(_ what: String) throws(CompileMistake) -> Value {
        let text = try text(what)
        if let value = Value(rawValue: text) { return value }
        let words = Value.allCases.map(\.rawValue)
        throw mistake(
            "\(words.joined(separator: ", ")) can stand here, not \"\(text)\""
                + NearestWord.suggestion(for: text, among: words))
    }

    func integer(_ what: String) throws(CompileMistake) -> Int64 {
        let text = try text(what)
        guard let value = ScalarText.integer(text) else { throw mistake("\(what) can stand here, not \"\(text)\"") }
        return value
    }

    func boolean(_ what: String) throws(CompileMistake) -> Bool {
        let text = try text("true or false")
        guard let value = ScalarText.boolean(text) else {
            throw mistake("\(what) is true or false, not \"\(text)\"")
        }
        return value
    }

    private var kind: String {
        switch node {
        case .scalar(let scalar): "\"\(scalar.string.prefix(40))\""
        case .mapping: "a mapping"
        case .sequence: "a list"
        case .alias: "an alias"
        }
    }

    static let depthMessage = "nested more than 64 deep"

    /// What a person wrote by hand stays far below these; a file that grows by aliases does not.
    static func checkLimits(_ root: Node) throws(CompileMistake) {
        var budget = 200_000
        var pending = [(root, 0)]
        while let (node, depth) = pending.popLast() {
            budget -= 1
            guard budget > 0 else { throw CompileMistake(position: .none, message: "more than 200000 YAML nodes") }
            guard depth < 64 else { throw YAMLNode(node: node).mistake(depthMessage) }
            switch node {
            case .scalar, .alias: break
            case .mapping(let mapping):
                for (key, value) in mapping { pending += [(key, depth + 1), (value, depth + 1)] }
            case .sequence(let sequence):
                for value in sequence { pending.append((value, depth + 1)) }
            }
        }
    }
}

/// A mapping whose keys the schema knows.
struct YAMLMapping {
    let node: YAMLNode
    private let values: [String: YAMLNode]

    /// - Throws: at the first key that is not one of `keys`.
    init(_ node: YAMLNode, what: String, keys: [String]) throws(CompileMistake) {
        self.node = node
        var values: [String: YAMLNode] = [:]
        for (key, value) in try node.pairs(what) {
            let name = try key.text("a key")
            guard keys.contains(name) else {
                let suggestion = NearestWord.suggestion(for: name, among: keys)
                let list = suggestion.isEmpty ? "; there are " + keys.joined(separator: ", ") : suggestion
                throw key.mistake("\(what) has no key \"\(name)\"\(list)")
            }
            values[name] = value
        }
        self.values = values
    }

    subscript(key: String) -> YAMLNode? { values[key] }

    func required(_ key: String, of what: String) throws(CompileMistake) -> YAMLNode {
        guard let value = values[key] else { throw node.mistake("\(what) needs a \"\(key)\"") }
        return value
    }
}
