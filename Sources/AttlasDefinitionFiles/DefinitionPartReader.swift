import AttlasDissection
import AttlasWire

/// Reads the members of a characteristic other than its fields: `confidence`, `sensitive`, `context`, `assemble`, `derived`.
enum DefinitionPartReader {
    /// `{ name: [GVH51, GVH5177], service: FEE5 }` after the number of a company, or `any`.
    ///
    /// - Returns: nil if there is no condition.
    static func condition(_ node: YAMLNode?, company: YAMLNode) throws(CompileMistake) -> AdvertisedCondition? {
        let isAny = try company.text("a company identifier") == "any"
        guard let node else {
            if isAny { throw company.mistake("\"any\" needs \"when\"") }
            return nil
        }
        let mapping = try YAMLMapping(node, what: "a condition", keys: ["name", "service", "octets"])
        var condition = AdvertisedCondition()
        if !isAny { condition.company = try DefinitionReader.company(company).uint16 }
        for name in try mapping["name"].map(list) ?? [] {
            let text = try name.text("the beginning of a name")
            guard !text.isEmpty else { throw name.mistake("the beginning of a name is empty") }
            condition.names.append(text)
        }
        for service in try mapping["service"].map(list) ?? [] {
            condition.services.append(try DefinitionReader.uuid(service))
        }
        for length in try mapping["octets"].map(list) ?? [] {
            let number = try length.integer("a number of octets")
            guard 0...255 ~= number else { throw length.mistake("manufacturer data have 0 to 255 octets") }
            condition.lengths.append(Int(number))
        }
        guard !condition.names.isEmpty || !condition.services.isEmpty else {
            throw node.mistake("a condition needs a name or a service")
        }
        return condition
    }

    /// One, or several in a list.
    private static func list(_ node: YAMLNode) throws(CompileMistake) -> [YAMLNode] {
        if case .list(let items) = node.content { return items }
        return [node]
    }

    static func confidence(_ node: YAMLNode) throws(CompileMistake) -> Confidence {
        let word = try node.text("A, B or C")
        guard let confidence = Confidence(rawValue: word) else {
            throw node.mistake("expected A, B or C, found \"\(word)\"")
        }
        return confidence
    }

    static func sensitivity(_ subject: YAMLNode?, encrypted: YAMLNode?) throws(CompileMistake) -> Sensitivity? {
        guard let subject else {
            if let encrypted { throw encrypted.mistake("\"encrypted\" is for a value that is \"sensitive\"") }
            return nil
        }
        var sensitivity = Sensitivity(try subject.word("what others would learn"))
        sensitivity.isEncryptionDemanded = try encrypted?.boolean("\"encrypted\"") ?? false
        return sensitivity
    }

    static func decoder(_ node: YAMLNode) throws(CompileMistake) -> NamedDecoder {
        try node.word("the name of a decoder")
    }

    static func operations(_ node: YAMLNode) throws(CompileMistake) -> [AttributeAccess] {
        var operations: [AttributeAccess] = []
        for word in try node.list("a list of operations") {
            let text = try word.text("an operation")
            guard let operation = AttributeAccess(word: text) else {
                throw word.mistake("expected read, write, notify or indicate, found \"\(text)\"")
            }
            guard !operations.contains(operation) else { throw word.mistake("\(text) is given twice") }
            operations.append(operation)
        }
        return operations
    }

    // MARK: Context

    static func context(_ node: YAMLNode) throws(CompileMistake) -> [ContextDefinition] {
        var context: [ContextDefinition] = []
        for (key, value) in try node.pairs("a mapping of names to where they come from") {
            let what = "a number from elsewhere"
            let mapping = try YAMLMapping(value, what: what, keys: ["from", "field", "otherwise"])
            let from = try mapping.required("from", of: what)
            let source: ContextDefinition.Source
            let word = try from.text("a UUID")
            if word == "request" {
                let field = try mapping.required("field", of: what).text("the name of a field or a flag")
                source = .request(field: field)
            } else if word == "service" {
                if let field = mapping["field"] { throw field.mistake("the service is a number itself") }
                source = .service
            } else {
                let field = try mapping.required("field", of: what).text("the name of a field or a flag")
                source = .attribute(try DefinitionReader.uuid(from), field: field)
            }
            context.append(
                ContextDefinition(
                    name: try key.text("a name"), source: source,
                    otherwise: try mapping.required("otherwise", of: what).source("an expression"),
                    position: key.position))
        }
        return context
    }

    // MARK: Derived numbers

    static func derived(_ node: YAMLNode, _ fields: FieldReader) throws(CompileMistake) -> [DerivedDefinition] {
        var derived: [DerivedDefinition] = []
        for item in try node.list("a list of derived numbers") {
            let what = "a derived number"
            let mapping = try YAMLMapping(item, what: what, keys: ["name", "change", "per", "scale", "unit"])
            derived.append(
                DerivedDefinition(
                    name: try mapping.required("name", of: what).text("a name"),
                    change: try mapping.required("change", of: what).text("the name of a field"),
                    per: try mapping.required("per", of: what).text("the name of a field, or clock"),
                    scale: try mapping["scale"].map { (node) throws(CompileMistake) in
                        try fields.ratio(node, "a scale")
                    } ?? .one,
                    unit: try mapping["unit"]?.text("a unit"), position: item.position))
        }
        return derived
    }

    // MARK: Assembly

    static func assembly(_ node: YAMLNode) throws(CompileMistake) -> AssemblyDefinition {
        let rules = ["length", "total", "terminator", "header", "framing"]
        let mapping = try YAMLMapping(
            node, what: "an assembly", keys: ["for", "timeout", "start", "escape", "xor", "aes"] + rules)
        let given = rules.filter { mapping[$0] != nil }
        guard given.count == 1 || given.isEmpty && (mapping["xor"] ?? mapping["aes"]) != nil else {
            throw node.mistake("expected exactly one of \(rules.joined(separator: ", "))")
        }
        if mapping["xor"] != nil, let other = mapping["aes"] {
            throw other.mistake("a message has \"xor\" or \"aes\", not both")
        }
        var rule = AssemblyDefinition.Rule.value
        if let key = given.first, let node = mapping[key] { rule = try self.rule(key, node) }
        var assembly = AssemblyDefinition(
            operations: try mapping["for"].map(operations) ?? AttributeAccess.allCases, rule: rule,
            timeoutMilliseconds: try mapping["timeout"].map(timeout) ?? 10_000)
        assembly.cipher = try mapping["xor"].map(exclusiveOr)
        if let cipher = mapping["aes"] { assembly.cipher = try aes(cipher) }
        if let start = mapping["start"] {
            switch rule {
            case .length, .total, .kind, .terminator: assembly.start = try octets(start)
            case .header, .value, .stuffed:
                throw start.mistake("\"start\" is for messages with a length, a total or a terminator")
            }
        }
        if let node = mapping["escape"] { assembly.escape = try escape(node, of: assembly) }
        return assembly
    }

    /// `{ octet: 0x7D, xor: 0x20 }`
    private static func escape(
        _ node: YAMLNode, of assembly: AssemblyDefinition
    ) throws(CompileMistake) -> AssemblyDefinition.Escape {
        guard case .terminator(let end) = assembly.rule else {
            throw node.mistake("\"escape\" is for messages with a terminator")
        }
        let what = "an escape"
        let mapping = try YAMLMapping(node, what: what, keys: ["octet", "xor"])
        func octet(_ key: String) throws(CompileMistake) -> UInt8 {
            UInt8(try number(try mapping.required(key, of: what), 0...0xFF))
        }
        let escape = AssemblyDefinition.Escape(octet: try octet("octet"), mask: try octet("xor"))
        guard !(assembly.start + end).contains(escape.octet) else {
            throw node.mistake("the octet of the escape is in \"start\" or \"terminator\"")
        }
        return escape
    }

    private static func octets(_ node: YAMLNode) throws(CompileMistake) -> [UInt8] {
        let digits = try node.text("octets in hexadecimal")
        guard let octets = ScalarText.octets(digits), 1...64 ~= octets.count else {
            throw node.mistake("expected 1 to 64 pairs of hexadecimal digits, found \"\(digits)\"")
        }
        return octets
    }

    /// `"5A A5"`, or `{ key: "5A A5", from: 2 }`.
    private static func exclusiveOr(_ node: YAMLNode) throws(CompileMistake) -> AssemblyDefinition.Cipher {
        if node.scalar != nil { return AssemblyDefinition.Cipher(.exclusiveOr, key: try octets(node)) }
        let mapping = try YAMLMapping(node, what: "an exclusive or", keys: ["key", "from"])
        return AssemblyDefinition.Cipher(
            .exclusiveOr, key: try octets(try mapping.required("key", of: "an exclusive or")),
            start: try cipherStart(mapping))
    }

    /// The key, or `{ key: …, counter: …, from: 2 }`.
    private static func aes(_ node: YAMLNode) throws(CompileMistake) -> AssemblyDefinition.Cipher {
        func block(_ node: YAMLNode, _ what: String) throws(CompileMistake) -> [UInt8] {
            let octets = try octets(node)
            guard octets.count == 16 else { throw node.mistake("\(what) has 16 octets, found \(octets.count)") }
            return octets
        }
        let key = "a key of AES-128"
        if node.scalar != nil { return AssemblyDefinition.Cipher(.blocks, key: try block(node, key)) }
        let mapping = try YAMLMapping(node, what: "a cipher", keys: ["key", "counter", "from"])
        let counter = try mapping["counter"].map { (node) throws(CompileMistake) in try block(node, "a counter of AES")
        }
        return AssemblyDefinition.Cipher(
            counter == nil ? .blocks : .counter, key: try block(try mapping.required("key", of: "a cipher"), key),
            counter: counter ?? [], start: try cipherStart(mapping))
    }

    private static func cipherStart(_ mapping: YAMLMapping) throws(CompileMistake) -> Int {
        try mapping["from"].map { (node) throws(CompileMistake) in try number(node, 0...512) } ?? 0
    }

    private static func rule(_ key: String, _ node: YAMLNode) throws(CompileMistake) -> AssemblyDefinition.Rule {
        switch key {
        case "total": return try total(node)
        case "terminator": return .terminator(try octets(node))
        case "framing": return .stuffed(try node.word("a framing"))
        case "length": return try length(node)
        default: return .header(try header(node))
        }
    }

    /// The total length of every message, or of each kind of message.
    private static func total(_ node: YAMLNode) throws(CompileMistake) -> AssemblyDefinition.Rule {
        let octets = 1...Int64(MessageAssembler.sizeLimit)
        if node.scalar != nil { return .total(try number(node, octets)) }
        let mapping = try YAMLMapping(node, what: "a total", keys: ["at", "lengths", "otherwise"])
        var lengths: [AssemblyDefinition.KindLength] = []
        let list = try mapping.required("lengths", of: "a total").pairs("a mapping of kinds to numbers of octets")
        for (key, value) in list {
            let text = try key.text("a kind")
            guard let kinds = ScalarText.range(text), kinds.lowerBound >= 0, kinds.upperBound <= 0xFF else {
                throw key.mistake("expected a kind from 0 to 255 or a range such as 1..3, found \"\(text)\"")
            }
            lengths.append(
                .init(kinds: Int(kinds.lowerBound)...Int(kinds.upperBound), octets: try number(value, octets)))
        }
        return .kind(
            offset: try mapping["at"].map { (node) throws(CompileMistake) in try number(node, 0...255) } ?? 0,
            lengths: lengths,
            otherwise: try mapping["otherwise"].map { (node) throws(CompileMistake) in try number(node, octets) })
    }

    private static func length(_ node: YAMLNode) throws(CompileMistake) -> AssemblyDefinition.Rule {
        let mapping = try YAMLMapping(node, what: "a length", keys: ["at", "type", "order", "plus"])
        let type = try mapping.required("type", of: "a length")
        guard case .unsigned(let bits) = try TypeReader.read(type), [8, 16, 24, 32].contains(bits) else {
            throw type.mistake("expected uint8, uint16, uint24 or uint32")
        }
        return .length(
            offset: try mapping["at"].map { (node) throws(CompileMistake) in try number(node, 0...512) } ?? 0,
            octets: bits / 8, isBigEndian: try mapping["order"].map(FieldReader.isBigEndian) ?? false,
            plus: try mapping["plus"].map { (node) throws(CompileMistake) in try number(node, -512...512) } ?? 0)
    }

    private static func header(_ node: YAMLNode) throws(CompileMistake) -> AssemblyDefinition.PartHeader {
        let states = ["complete", "first", "middle", "last"]
        let mapping = try YAMLMapping(
            node, what: "a header", keys: ["octets", "mask", "sequence", "keep", "lengths"] + states)
        func bits(_ key: String) throws(CompileMistake) -> UInt64? {
            try mapping[key].map { (node) throws(CompileMistake) in UInt64(try number(node, 0...0xFFFF_FFFF)) }
        }
        var header = AssemblyDefinition.PartHeader(
            octets: try mapping["octets"].map { (node) throws(CompileMistake) in try number(node, 1...4) } ?? 1,
            mask: 0, complete: 0, first: 0, middle: 0, last: 0, sequence: try bits("sequence") ?? 0,
            isKept: try mapping["keep"]?.boolean("whether the first header stays") ?? false)
        if let lengths = mapping["lengths"] {
            if let last = mapping["last"] ?? mapping["complete"] {
                throw last.mistake("the length determines which part is the last one")
            }
            for item in try lengths.list("a list of headers with a length") {
                header.lengths.append(try headerLength(item))
            }
            guard !header.lengths.isEmpty else { throw lengths.mistake("expected at least one header") }
            _ = try mapping.required("mask", of: "a header with lengths")
            header.mask = try bits("mask") ?? 0
            header.first = try bits("first") ?? 0
            header.complete = header.first
            header.middle = try bits("middle") ?? ~header.first & header.mask
            guard header.first & ~header.mask == 0, header.first != header.middle else {
                throw node.mistake("first and middle must differ in the bits of \"mask\"")
            }
            return header
        }
        let last = try mapping.required("last", of: "a header")
        header.last = try bits("last") ?? 0
        header.first = try bits("first") ?? 0
        if let mask = try bits("mask") {
            header.mask = mask
            header.complete = try bits("complete") ?? header.last
            header.middle = try bits("middle") ?? 0
        } else {
            if let other = mapping["complete"] ?? mapping["middle"] {
                throw other.mistake("without a \"mask\", first and last are separate bits")
            }
            guard header.last & header.first == 0, header.last != 0 else {
                throw last.mistake("the bits of the last part and of the first must differ")
            }
            header.mask = header.first | header.last
            header.complete = header.mask
        }
        return header
    }

    /// `{ when: 0x20, mask: 0x60, octets: 2, order: big, bits: 0x1FFF }`
    private static func headerLength(_ node: YAMLNode) throws(CompileMistake) -> AssemblyDefinition.HeaderLength {
        let what = "a header with a length"
        let mapping = try YAMLMapping(node, what: what, keys: ["when", "mask", "octets", "order", "bits"])
        func octet(_ key: String) throws(CompileMistake) -> UInt8 {
            UInt8(try mapping[key].map { (node) throws(CompileMistake) in try number(node, 0...0xFF) } ?? 0)
        }
        let bits = try number(try mapping.required("bits", of: what), 1...0xFFFF_FFFF)
        let length = AssemblyDefinition.HeaderLength(
            mask: try octet("mask"), value: try octet("when"),
            octets: try number(try mapping.required("octets", of: what), 1...4),
            isBigEndian: try mapping["order"].map(FieldReader.isBigEndian) ?? false, bits: UInt64(bits))
        guard try octet("when") & ~octet("mask") == 0 else {
            throw node.mistake("\"when\" has bits that are not in \"mask\"")
        }
        return length
    }

    private static func timeout(_ node: YAMLNode) throws(CompileMistake) -> Int {
        let text = try node.text("a time such as 5 s or 500 ms")
        let parts = text.split(separator: " ")
        guard parts.count == 2, let number = Int(parts[0]), 1...3_600_000 ~= number,
            let unit = ["s": 1_000, "ms": 1][parts[1]]
        else { throw node.mistake("expected a time such as 5 s or 500 ms, found \"\(text)\"") }
        return number * unit
    }

    private static func number(_ node: YAMLNode, _ range: ClosedRange<Int64>) throws(CompileMistake) -> Int {
        let number = try node.integer("a number from \(range.lowerBound) to \(range.upperBound)")
        guard range.contains(number) else {
            throw node.mistake("expected a number from \(range.lowerBound) to \(range.upperBound), found \(number)")
        }
        return Int(number)
    }
}
