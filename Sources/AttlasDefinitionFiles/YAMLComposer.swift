import AttlasDissection

extension YAMLNode {
    /// Octets of a file.
    static let sizeLimit = 1 << 20

    /// The root of the only document in a file.
    package init(fileOf text: String) throws(CompileMistake) {
        let start = SourcePosition(line: 1, column: 1)
        guard text.utf8.count <= Self.sizeLimit else {
            throw CompileMistake(position: start, message: "the file is larger than 1 MiB")
        }
        var composer = YAMLComposer(text)
        guard let root = try composer.root() else {
            throw CompileMistake(position: start, message: "the file is empty")
        }
        self = root
    }
}

/// Makes a tree of the parser's events.
///
/// Its limits are far above files written by hand.
struct YAMLComposer: ~Copyable {
    private static let depthLimit = 64
    private static let nodeLimit = 200_000

    private var parser: YAMLParser
    private var nodeCount = 0
    private var firstAnchor: SourcePosition?

    init(_ text: String) {
        parser = YAMLParser(text)
    }

    /// The root of the only document; nil if there is none.
    mutating func root() throws(CompileMistake) -> YAMLNode? {
        guard case .documentStart = try parser.next().content else { return nil }
        let root = try node(try parser.next(), depth: 0)
        _ = try parser.next()
        let end = try parser.next()
        guard case .streamEnd = end.content else {
            throw CompileMistake(
                position: end.position,
                message: "but found another document (expected a single document in the stream, from line 1)")
        }
        return root
    }

    private mutating func node(_ event: YAMLParser.Event, depth: Int) throws(CompileMistake) -> YAMLNode {
        nodeCount += 1
        guard nodeCount <= Self.nodeLimit else {
            throw CompileMistake(position: .none, message: "more than \(Self.nodeLimit) YAML nodes")
        }
        guard depth < Self.depthLimit else {
            throw CompileMistake(position: event.position, message: "nested more than \(Self.depthLimit) deep")
        }
        if event.hasAnchor, firstAnchor == nil { firstAnchor = event.position }
        let content: YAMLNode.Content
        switch event.content {
        case .scalar(let text): content = .scalar(text)
        case .listStart: content = .list(try list(depth: depth + 1))
        case .mappingStart: content = .mapping(try mapping(depth: depth + 1))
        default:
            // A few lines of aliases can expand to more nodes than any memory holds, and the format has no use for them.
            throw CompileMistake(
                position: firstAnchor ?? event.position,
                message: "YAML anchors and aliases are not part of the format")
        }
        return YAMLNode(content: content, position: event.position)
    }

    private mutating func list(depth: Int) throws(CompileMistake) -> [YAMLNode] {
        var items: [YAMLNode] = []
        while true {
            let event = try parser.next()
            if case .listEnd = event.content { return items }
            items.append(try node(event, depth: depth))
        }
    }

    private mutating func mapping(depth: Int) throws(CompileMistake) -> [YAMLNode.Pair] {
        var pairs: [YAMLNode.Pair] = []
        while true {
            let event = try parser.next()
            if case .mappingEnd = event.content { break }
            let key = try node(event, depth: depth)
            pairs.append((key, try node(try parser.next(), depth: depth)))
        }
        try Self.checkKeys(of: pairs)
        return pairs
    }

    private static func checkKeys(of pairs: [YAMLNode.Pair]) throws(CompileMistake) {
        var positions: [String: SourcePosition] = [:]
        var twice: Set<String> = []
        for (key, _) in pairs {
            guard case .scalar(let text) = key.content else { continue }
            if positions[text] == nil { positions[text] = key.position } else { twice.insert(text) }
        }
        let names = twice.sorted()
        guard let first = names.first, let position = positions[first] else { return }
        throw CompileMistake(
            position: position,
            message: names.prefix(3).map { "\"\($0)\"" }.joined(separator: ", ") + " appears twice in one mapping")
    }
}
