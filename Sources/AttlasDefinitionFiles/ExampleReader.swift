import AttlasDissection

/// Reads `examples:`.
enum ExampleReader {
    static func read(_ node: YAMLNode) throws(CompileMistake) -> Example {
        let mapping = try YAMLMapping(
            node, what: "an example",
            keys: [
                "hex", "parts", "op", "context", "shows", "text", "fault", "unexplained", "reserved", "out-of-range",
                "check",
            ])
        var parts: [[UInt8]] = []
        for part in try mapping["parts"]?.list("a list of values") ?? [] { parts.append(try octets(part)) }
        if let parts = mapping["parts"], mapping["hex"] != nil {
            throw parts.mistake("\"parts\" and \"hex\" exclude each other")
        }
        let octets = parts.isEmpty ? try octets(try mapping.required("hex", of: "an example")) : []
        var operation = AttributeAccess.read
        if let node = mapping["op"] {
            let word = try node.text("an operation")
            guard let named = AttributeAccess(word: word) else {
                throw node.mistake("expected read, write, notify or indicate, found \"\(word)\"")
            }
            operation = named
        }
        var example = Example(
            octets: octets, parts: parts, operation: operation, context: try context(mapping["context"]), shows: [],
            text: try mapping["text"]?.text("a line of text"),
            isFault: try mapping["fault"]?.boolean("a fault") ?? false,
            unexplained: Int(try mapping["unexplained"]?.integer("a number of octets") ?? 0),
            hasReservedBits: try mapping["reserved"]?.boolean("a reserved bit") ?? false,
            hasOutOfRange: try mapping["out-of-range"]?.boolean("a number outside its range") ?? false,
            hasWrongCheck: try hasWrongCheck(mapping["check"]), position: node.position)
        for (key, value) in try mapping["shows"]?.pairs("a mapping of fields to what they show") ?? [] {
            let name = try key.source("a field")
            example.shows.append(.init(name: name.text, expectation: try expectation(value), position: name.position))
        }
        return example
    }

    private static func octets(_ node: YAMLNode) throws(CompileMistake) -> [UInt8] {
        let digits = try node.text("octets in hexadecimal")
        guard let octets = ScalarText.octets(digits) else {
            throw node.mistake("expected pairs of hexadecimal digits, found \"\(digits)\"")
        }
        return octets
    }

    private static func context(_ node: YAMLNode?) throws(CompileMistake) -> [Example.Context] {
        var context: [Example.Context] = []
        for (key, value) in try node?.pairs("a mapping of names to numbers") ?? [] {
            let name = try key.source("a name")
            context.append(.init(name: name.text, value: try value.integer("a number"), position: name.position))
        }
        return context
    }

    private static func hasWrongCheck(_ node: YAMLNode?) throws(CompileMistake) -> Bool {
        guard let node else { return false }
        let word = try node.text("wrong")
        guard word == "wrong" || word == "right" else {
            throw node.mistake("expected right or wrong, found \"\(word)\"")
        }
        return word == "wrong"
    }

    private static func expectation(_ node: YAMLNode) throws(CompileMistake) -> Example.Expectation {
        switch node.content {
        case .scalar(let text): return .text(text)
        case .list(let items):
            var list: [Example.Expectation] = []
            for item in items { list.append(try expectation(item)) }
            return .list(list)
        case .mapping(let pairs):
            var fields: [Example.Named] = []
            for (key, value) in pairs {
                let name = try key.source("a field")
                fields.append(.init(name: name.text, expectation: try expectation(value), position: name.position))
            }
            return .fields(fields)
        }
    }
}
