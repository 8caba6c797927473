import AttlasDissection
import AttlasWire

/// Reads `fields:`.
struct FieldReader {
    /// The default for fields that do not state it.
    var isBigEndian = false
    /// They are of an SDU, or are advertised, whose octets are shown next to them.
    var showsOctets = false
    /// Facts about the file so far.
    let progress: ReadingProgress

    init(_ progress: ReadingProgress) {
        self.progress = progress
    }

    /// Keys of a field, besides its name and its place in others.
    private static let ofOne = [
        "type", "const", "order", "unit", "scale", "offset", "values", "bits", "special", "min", "max", "since",
        "check", "size", "until", "padding", "repeat", "text", "secret", "keep", "use", "compute", "description",
        "refuses", "harmless", "restarts", "asked",
    ]
    static let keys = ["name"] + ofOne + ["if", "fields", "summary", "variants", "switch", "cases"]

    /// A mistake in one field does not hide those of the next.
    func elements(_ node: YAMLNode) throws(CompileMistake) -> [Element] {
        var elements: [Element] = []
        for item in try node.list("a list of fields") {
            do {
                elements.append(try element(item))
            } catch {
                progress.note(error)
            }
        }
        checkNames(elements)
        return elements
    }

    private func element(_ node: YAMLNode) throws(CompileMistake) -> Element {
        let mapping = try YAMLMapping(node, what: "a field", keys: Self.keys)
        let element: Element
        var summary: SourceText?
        if mapping["switch"] != nil {
            element = .choice(try cases(mapping))
        } else if let variants = mapping["variants"] {
            element = .choice(try self.variants(variants, of: mapping))
        } else if mapping["name"] == nil, let fields = mapping["fields"], mapping["if"] != nil {
            // Fields that are present together, without a separate structure.
            try refuse(Self.ofOne, mapping)
            element = .choice([Branch(condition: nil, elements: try elements(fields))])
            summary = try mapping["summary"]?.source("a summary")
        } else if mapping["name"] == nil, let use = mapping["use"], let type = try namedType(use) {
            try refuse(Self.ofOne.filter { $0 != "use" } + ["fields", "summary"], mapping)
            element = .choice([Branch(condition: nil, elements: type.elements)])
        } else {
            element = .field(try field(mapping, base: nil))
        }
        guard let condition = mapping["if"] else { return element }
        return .choice([
            Branch(condition: try condition.source("an expression"), elements: [element], summary: summary)
        ])
    }

    /// nil for a UUID.
    private func namedType(_ node: YAMLNode) throws(CompileMistake) -> Layout? {
        try namesType(node) ? try progress.type(try node.text("the name of a type"), at: node) : nil
    }

    private func namesType(_ node: YAMLNode) throws(CompileMistake) -> Bool {
        let name = try node.text("a UUID or the name of a type")
        if progress.types[name] != nil { return true }
        if BluetoothUUID(name) != nil || progress.types.isEmpty { return false }
        throw node.mistake(
            "no type \"\(name)\"" + NearestWord.suggestion(for: name, among: progress.types.keys))
    }

    // MARK: One field

    func field(_ mapping: YAMLMapping, base: YAMLMapping?) throws(CompileMistake) -> FieldDefinition {
        func value(_ key: String) -> YAMLNode? { mapping[key] ?? base?[key] }
        let what = "a field"
        guard let name = value("name") else { throw mapping.node.mistake("\(what) needs a \"name\"") }
        var field = FieldDefinition(
            name: try fieldName(name), type: .bytes, labels: .none, bits: [], specials: [], repetition: .once,
            elements: [], position: mapping.node.position)
        try readType(value, mapping, into: &field)
        if field.type.isText { progress.texts.insert(field.name) } else { progress.texts.remove(field.name) }
        try readNumber(value, into: &field)
        field.summary = try value("summary")?.source("a summary")
        if let summary = value("summary"), field.type != .structure {
            guard case .use = field.type else { throw summary.mistake("only a structure has a summary") }
        }
        if let size = value("size") {
            guard field.type.octets == nil, !field.type.isInteger || field.type.isNumberInText, field.type != .utf8z,
                field.constant == nil
            else {
                throw size.mistake("the size of this type is fixed")
            }
            field.size = try size.source("a number of octets or an expression")
        }
        if let until = value("until") { field.marker = try marker(until, of: field) }
        if let padding = value("padding") {
            guard [.utf8, .bytes].contains(field.type), field.constant == nil, field.marker == nil else {
                throw padding.mistake("\"padding\" is for utf8 and bytes without \"until\"")
            }
            let octets = try octets(try padding.text("an octet in hexadecimal")[...], of: padding)
            guard octets.count == 1 else { throw padding.mistake("expected one octet in hexadecimal") }
            field.padding = octets[0]
        }
        field.note = try value("description")?.text("a description")
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
        field.outcome = try outcome(value, of: field)
        if let count = value("repeat") {
            let source = try count.source("\"rest\", a number or an expression")
            if source.text == "rest" {
                field.repetition = .toEnd
            } else if source.text.hasPrefix("until ") {
                field.repetition = .toMarker(try octets(source.text.dropFirst(6), of: count))
            } else {
                field.repetition = .count(source)
            }
        }
        if let use = value("use"), let type = try namedType(use) { return field.laidOut(as: type) }
        return field
    }

    /// `0D 0A`, or `2C or end` if the end of the value may take its place.
    private func marker(_ node: YAMLNode, of field: FieldDefinition) throws(CompileMistake) -> Marker {
        guard [.utf8, .bytes].contains(field.type) || field.type.isNumberInText, field.constant == nil else {
            throw node.mistake("\"until\" is for utf8, bytes, decimal-text and hex-text")
        }
        guard field.size == nil else { throw node.mistake("\"until\" and \"size\" exclude each other") }
        let text = try node.text("octets in hexadecimal")
        let isOptional = text.hasSuffix(" or end")
        return Marker(try octets(isOptional ? text.dropLast(7) : text[...], of: node), isOptional: isOptional)
    }

    private func octets(_ digits: Substring, of node: YAMLNode) throws(CompileMistake) -> [UInt8] {
        guard let octets = ScalarText.octets(String(digits)), 1...64 ~= octets.count else {
            throw node.mistake("expected 1 to 64 pairs of hexadecimal digits, found \"\(digits)\"")
        }
        return octets
    }

    private func readType(
        _ value: (String) -> YAMLNode?, _ mapping: YAMLMapping, into field: inout FieldDefinition
    ) throws(CompileMistake) {
        let given = ["type", "const", "use", "compute", "fields"].filter { value($0) != nil }
        guard given.count == 1 else {
            throw mapping.node.mistake(
                given.isEmpty
                    ? "\"\(field.name)\" needs a \"type\", \"fields\", \"const\", \"compute\", or \"use\" with a UUID or a type"
                    : "\"\(given[0])\" and \"\(given[1])\" exclude each other")
        }
        if let type = value("type") {
            field.type = try TypeReader.read(type)
        } else if let const = value("const") {
            let octets = try octets(try const.text("octets in hexadecimal")[...], of: const)
            field.constant = octets
            field.size = SourceText(text: "\(octets.count)", position: const.position)
        } else if let use = value("use") {
            // The layout of a named type is put in its place.
            field.type = try namesType(use) ? .structure : .use(try DefinitionReader.uuid(use))
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
                throw order.mistake("\"order\" is for integers, bcd8 to bcd64, and for float32 and float64")
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
            if progress.requiresListedUnits, Units.named(symbol) == nil {
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
            if case .coded(let code) = field.type, key != "bits" {
                guard code == .decimalText, key != "scale" else { continue }
                throw node.mistake("\"\(key)\" is not for decimal-text, whose number has its decimals")
            }
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

    /// A value outside the type's range would never appear.
    private func checkRange(_ node: YAMLNode, _ field: FieldDefinition) throws(CompileMistake) {
        for special in field.specials { try checkRange(special.first...special.last, of: field.type, node) }
    }

    func checkRange(_ range: ClosedRange<Int64>, of type: FieldType, _ node: YAMLNode) throws(CompileMistake) {
        guard let limits = type.rawLimits, limits.upperBound < .max,
            !limits.contains(range.lowerBound) || !limits.contains(range.upperBound)
        else { return }
        throw node.mistake(
            "a \(type) goes from \(limits.lowerBound) to \(limits.upperBound); \(range.lowerBound) is not in this range"
        )
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
}

extension FieldType {
    /// The range of an integer; nil for a uint64, which is compared as if it had a sign.
    fileprivate var rawLimits: ClosedRange<Int64>? {
        switch self {
        case .unsigned(let bits) where bits < 64: 0...Int64.max >> Int64(63 - bits)
        case .signed(let bits): Int64.min >> Int64(64 - bits)...Int64.max >> Int64(64 - bits)
        case .coded(.signMagnitude(let bits)): -(Int64.max >> Int64(64 - bits))...Int64.max >> Int64(64 - bits)
        case .coded(.decimalDigits(let bits)): 0...(0..<bits / 4).reduce(1) { power, _ in power * 10 } - 1
        case .coded(.zigzag): Int64.min...Int64.max
        default: nil
        }
    }
}
