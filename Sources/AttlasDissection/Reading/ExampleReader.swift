/// Reads what stands in `examples:`.
enum ExampleReader {
    static func read(_ node: YAMLNode) throws(CompileMistake) -> Example {
        let mapping = try YAMLMapping(
            node, what: "an example", keys: ["hex", "op", "shows", "text", "fault", "unexplained", "reserved"])
        let hex = try mapping.required("hex", of: "an example")
        let digits = try hex.text("octets in hexadecimal")
        guard let octets = ScalarText.octets(digits) else {
            throw hex.mistake("pairs of hexadecimal digits can stand here, not \"\(digits)\"")
        }
        var operation = AttributeAccess.read
        if let node = mapping["op"] {
            let word = try node.text("an operation")
            guard let named = AttributeAccess(word: word) else {
                throw node.mistake("read, write, notify or indicate can stand here, not \"\(word)\"")
            }
            operation = named
        }
        var example = Example(
            octets: octets, operation: operation, shows: [], text: try mapping["text"]?.text("a line of text"),
            isFault: try mapping["fault"]?.boolean("a fault") ?? false,
            unexplained: Int(try mapping["unexplained"]?.integer("a number of octets") ?? 0),
            hasReservedBits: try mapping["reserved"]?.boolean("a reserved bit") ?? false, position: node.position)
        for (key, value) in try mapping["shows"]?.pairs("a mapping of fields to what they show") ?? [] {
            let name = try key.source("a field")
            example.shows.append(.init(name: name.text, expectation: try expectation(value), position: name.position))
        }
        return example
    }

    private static func expectation(_ node: YAMLNode) throws(CompileMistake) -> Example.Expectation {
        if let scalar = node.node.scalar { return .text(scalar.string) }
        if node.node.sequence != nil {
            var list: [Example.Expectation] = []
            for item in try node.list("a list") { list.append(try expectation(item)) }
            return .list(list)
        }
        var fields: [Example.Named] = []
        for (key, value) in try node.pairs("a mapping") {
            let name = try key.source("a field")
            fields.append(.init(name: name.text, expectation: try expectation(value), position: name.position))
        }
        return .fields(fields)
    }
}
