import AttlasDissection
import AttlasWire

/// Reads `fields:`.
struct FieldReader {
    /// Shipped definitions take their units from the table; a vendor's may be anything.
    let requiresListedUnits: Bool
    /// What holds for fields that do not say.
    var isBigEndian = false
    /// They are of an SDU, or are advertised, whose octets are shown next to them.
    var showsOctets = false

    private static let keys = [
        "name", "type", "order", "unit", "scale", "offset", "values", "bits", "special", "min", "max", "since", "check",
        "size", "repeat", "text", "secret", "keep", "if",
        "use", "compute", "fields", "summary", "variants", "switch", "cases",
    ]

    func elements(_ node: YAMLNode) throws(CompileMistake) -> [Element] {
        var elements: [Element] = []
        for item in try node.list("a list of fields") { elements.append(try element(item)) }
        try checkNames(elements)
        return elements
    }

    private func element(_ node: YAMLNode) throws(CompileMistake) -> Element {
        let mapping = try YAMLMapping(node, what: "a field", keys: Self.keys)
        let element: Element
        if mapping["switch"] != nil {
            element = .choice(try cases(mapping))
        } else if let variants = mapping["variants"] {
            element = .choice(try self.variants(variants, of: mapping))
        } else if mapping["name"] == nil, let fields = mapping["fields"], mapping["if"] != nil {
            // Fields that are present together, without a separate structure.
            try refuse(
                [
                    "type", "order", "unit", "scale", "offset", "values", "bits", "special", "min", "max", "since",
                    "check",
                    "size", "repeat", "text", "secret", "keep", "use", "compute",
                ],
                mapping)
            element = .choice([Branch(condition: nil, elements: try elements(fields))])
        } else {
            element = .field(try field(mapping, base: nil))
        }
        guard let condition = mapping["if"] else { return element }
        return .choice([Branch(condition: try condition.source("an expression"), elements: [element])])
    }

    // MARK: One field

    private func field(_ mapping: YAMLMapping, base: YAMLMapping?) throws(CompileMistake) -> FieldDefinition {
        func value(_ key: String) -> YAMLNode? { mapping[key] ?? base?[key] }
        let what = "a field"
        guard let name = value("name") else { throw mapping.node.mistake("\(what) needs a \"name\"") }
        var field = FieldDefinition(
            name: try fieldName(name), type: .bytes, labels: .none, bits: [], specials: [], repetition: .once,
            elements: [], position: mapping.node.position)
        try readType(value, mapping, into: &field)
        try readNumber(value, into: &field)
        field.summary = try value("summary")?.source("a summary")
        if let summary = value("summary"), field.type != .structure {
            guard case .use = field.type else { throw summary.mistake("only a structure has a summary") }
        }
        if let size = value("size") {
            guard field.type.octets == nil, !field.type.isInteger, field.type != .utf8z else {
                throw size.mistake("the size of this type is fixed")
            }
            field.size = try size.source("a number of octets or an expression")
        }
        if let text = value("text") {
            guard field.type == .bytes else { throw text.mistake("\"text\" is for bytes") }
            field.mayBeText = try text.boolean("\"text\"")
        }
        if let secret = value("secret") {
            guard value("type") != nil else { throw secret.mistake("\"secret\" is for a field with a \"type\"") }
            guard !showsOctets else { throw secret.mistake("the octets next to these fields are always shown") }
            field.isSecret = try secret.boolean("\"secret\"")
        }
        if let keep = value("keep") {
            guard field.type.isInteger else { throw keep.mistake("\"keep\" is for integers") }
            field.keptName = try fieldName(keep)
        }
        if let count = value("repeat") {
            let source = try count.source("\"rest\", a number or an expression")
            field.repetition = source.text == "rest" ? .toEnd : .count(source)
        }
        return field
    }

    private func readType(
        _ value: (String) -> YAMLNode?, _ mapping: YAMLMapping, into field: inout FieldDefinition
    ) throws(CompileMistake) {
        let given = ["type", "use", "compute", "fields"].filter { value($0) != nil }
        guard given.count == 1 else {
            throw mapping.node.mistake(
                given.isEmpty
                    ? "\"\(field.name)\" needs a \"type\", \"fields\", \"compute\", or \"use\" with a UUID"
                    : "\"\(given[0])\" and \"\(given[1])\" exclude each other")
        }
        if let type = value("type") {
            field.type = try TypeReader.read(type)
        } else if let use = value("use") {
            field.type = .use(try DefinitionReader.uuid(use))
        } else if let compute = value("compute") {
            field.type = .signed(bits: 64)
            field.computed = try compute.source("an expression")
            for key in ["order", "check", "repeat"] {
                if let node = value(key) { throw node.mistake("a computed number has no \"\(key)\"") }
            }
            return
        } else if let fields = value("fields") {
            field.type = .structure
            field.elements = try elements(fields)
        }
        if let order = value("order") {
            guard field.type.hasOrder else {
                throw order.mistake("\"order\" is for integers and for float32 and float64")
            }
            field.isBigEndian = try Self.isBigEndian(order)
        } else {
            field.isBigEndian = isBigEndian && field.type.hasOrder && !field.type.isPartOfOctet
        }
    }

    static func isBigEndian(_ node: YAMLNode) throws(CompileMistake) -> Bool {
        let word = try node.text("an order of octets")
        guard word == "big" || word == "little" else {
            throw node.mistake("expected little or big, found \"\(word)\"")
        }
        return word == "big"
    }

    private func readNumber(
        _ value: (String) -> YAMLNode?, into field: inout FieldDefinition
    ) throws(CompileMistake) {
        if let unit = value("unit") {
            let symbol = try unit.text("a unit")
            if requiresListedUnits, Units.named(symbol) == nil {
                throw unit.mistake(
                    "the unit \"\(symbol)\" is not in the table"
                        + NearestWord.suggestion(for: symbol, among: Units.all.map(\.symbol)))
            }
            field.unit = symbol
        }
        for key in ["scale", "offset", "values", "bits", "min", "max", "since"] {
            guard let node = value(key), field.type.bitWidth == nil else { continue }
            if key == "values", field.type.isInteger { continue }
            if ["scale", "offset", "since"].contains(key), field.type == .varint { continue }
            throw node.mistake("\"\(key)\" is for integers, uint1 to uint64 and sint2 to sint64")
        }
        if let special = value("special") {
            guard field.type.isInteger else { throw special.mistake("\"special\" is for integers") }
            field.specials = try LabelReader.ranges(special, what: "a mapping of raw values to their meaning")
            try checkRange(special, field)
        }
        if let check = value("check") { field.check = try ChecksumReader.read(check, type: field.type) }
        if let since = value("since") { field.epoch = try epoch(since, unit: field.unit) }
        if let values = value("values") { field.labels = try LabelReader.labels(values) }
        if let bits = value("bits") { field.bits = try LabelReader.bits(bits, width: field.type.bitWidth ?? 0) }
        let scale = try value("scale").map { (node) throws(CompileMistake) in try ratio(node, "a scale") }
        let offset = try value("offset").map { (node) throws(CompileMistake) in try ratio(node, "an offset") }
        let whole = Scale(scale ?? .one, offset: offset ?? .zero)
        field.permitted = try permitted(value("min"), value("max"), whole, field.type)
        guard scale != nil || offset != nil else { return }
        // Writing the decimals takes ten times the product of both denominators.
        if let node = value("offset"), Int128(whole.denominator) * Int128(whole.offset.denominator) > 1 << 100 {
            throw node.mistake("scale and offset have too many decimals together")
        }
        field.scale = whole
    }

    /// The raw values of the numbers from `least` to `greatest`.
    private func permitted(
        _ least: YAMLNode?, _ greatest: YAMLNode?, _ scale: Scale, _ type: FieldType
    ) throws(CompileMistake) -> ClosedRange<Int64>? {
        guard let node = least ?? greatest else { return nil }
        let least = try least.map { (node) throws(CompileMistake) in try ratio(node, "a number") }
        let greatest = try greatest.map { (node) throws(CompileMistake) in try ratio(node, "a number") }
        guard let limits = type.rawLimits else {
            throw node.mistake("\"min\" and \"max\" are for integers of up to 63 bits, and for sint64")
        }
        guard let range = scale.raws(from: least, to: greatest, inside: limits) else {
            throw node.mistake("no value of a \(type) is in this range")
        }
        guard range != limits else { throw node.mistake("every value of a \(type) is in this range") }
        return range
    }

    private func epoch(_ node: YAMLNode, unit: String?) throws(CompileMistake) -> Epoch {
        let text = try node.text("a date such as 2000-01-01")
        guard let epoch = Epoch(text) else {
            throw node.mistake("expected a date such as 2000-01-01, found \"\(text)\"")
        }
        guard let unit, Units.nanoseconds(unit) != nil else {
            throw node.mistake("\"since\" needs a unit of time: µs, ms, s, min, h or d")
        }
        return epoch
    }

    /// What no raw value of the type can be would never be seen.
    private func checkRange(_ node: YAMLNode, _ field: FieldDefinition) throws(CompileMistake) {
        guard let limits = field.type.rawLimits, limits.upperBound < .max else { return }
        for special in field.specials where !limits.contains(special.first) || !limits.contains(special.last) {
            throw node.mistake(
                "a \(field.type) goes from \(limits.lowerBound) to \(limits.upperBound); \(special.first) is not in this range"
            )
        }
    }

    func ratio(_ node: YAMLNode, _ what: String) throws(CompileMistake) -> Scale.Ratio {
        let text = try node.text(what)
        guard let ratio = Scale.Ratio(text) else {
            throw node.mistake("expected \(what) such as 0.01, 1/1024 or 5 * 10^-3, found \"\(text)\"")
        }
        return ratio
    }

    private func fieldName(_ node: YAMLNode) throws(CompileMistake) -> String {
        let name = try node.text("a name")
        guard !name.isEmpty, !["left", "next", "and", "or", "not"].contains(name), !name.contains("`") else {
            throw node.mistake("\"\(name)\" cannot be the name of a field")
        }
        return name
    }

    // MARK: Choices

    private func variants(_ node: YAMLNode, of base: YAMLMapping) throws(CompileMistake) -> [Branch] {
        var branches: [Branch] = []
        let items = try node.list("a list of variants")
        for (index, item) in items.enumerated() {
            let keys = Self.keys.filter { !["name", "variants", "switch", "cases"].contains($0) }
            let mapping = try YAMLMapping(item, what: "a variant", keys: keys)
            let condition = try mapping["if"]?.source("an expression")
            guard condition != nil || index == items.count - 1 else {
                throw item.mistake("a variant without \"if\" must be the last one")
            }
            branches.append(
                Branch(condition: condition, elements: [.field(try field(mapping, base: base))]))
        }
        return branches
    }

    private func cases(_ mapping: YAMLMapping) throws(CompileMistake) -> [Branch] {
        try refuse(Self.keys.filter { !["switch", "cases", "if"].contains($0) }, mapping)
        let subject = try mapping.required("switch", of: "a switch").source("an expression")
        // A name is written as it is; an expression with operators needs parentheses.
        let isName = subject.text.allSatisfy { $0.isLetter || $0.isNumber || " -".contains($0) }
        let value = isName ? subject.text : "(\(subject.text))"
        var branches: [Branch] = []
        var otherwise: [Element]?
        for (key, fields) in try mapping.required("cases", of: "a switch").pairs("a mapping of numbers to fields") {
            let text = try key.text("a number, a range or a list of them")
            let isEmpty = fields.scalar == ""
            let elements = isEmpty ? [] : try elements(fields)
            if text == "default" {
                otherwise = elements
                continue
            }
            var tests: [String] = []
            for part in text.split(separator: ",") {
                guard let range = ScalarText.range(String(part)) else {
                    throw key.mistake(
                        "expected a number, a range such as 1..3, a list of them or \"default\", found "
                            + "\"\(text)\"")
                }
                tests.append(
                    range.lowerBound == range.upperBound
                        ? "\(value) == \(range.lowerBound)"
                        : "\(value) >= \(range.lowerBound) and \(value) <= \(range.upperBound)")
            }
            let condition = SourceText(text: tests.joined(separator: " or "), position: subject.position)
            branches.append(Branch(condition: condition, elements: elements))
        }
        if let otherwise { branches.append(Branch(condition: nil, elements: otherwise)) }
        return branches
    }

    private func refuse(_ keys: [String], _ mapping: YAMLMapping) throws(CompileMistake) {
        for key in keys {
            if let node = mapping[key] { throw node.mistake("\"\(key)\" cannot be used together with these keys") }
        }
    }

    /// Fields that are always both present need different names.
    private func checkNames(_ elements: [Element]) throws(CompileMistake) {
        var seen: Set<String> = []
        for case .field(let field) in elements where !seen.insert(field.name).inserted {
            throw CompileMistake(position: field.position, message: "two fields have the name \"\(field.name)\"")
        }
    }
}

extension FieldType {
    /// What an integer can be; nil for a uint64, which is compared as if it had a sign.
    fileprivate var rawLimits: ClosedRange<Int64>? {
        switch self {
        case .unsigned(let bits) where bits < 64: 0...Int64.max >> Int64(63 - bits)
        case .signed(let bits): Int64.min >> Int64(64 - bits)...Int64.max >> Int64(64 - bits)
        default: nil
        }
    }
}
