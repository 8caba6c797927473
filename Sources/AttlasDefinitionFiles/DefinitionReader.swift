import AttlasDissection
import AttlasWire

/// Reads one file: YAML to definitions. Expressions and summaries stay text until they are compiled.
struct DefinitionReader {
    private let path: String
    private let fields: FieldReader
    private var file: DefinitionFile
    private var mistakes: [DefinitionMistake] = []

    init(path: String, requiresListedUnits: Bool) {
        self.path = path
        fields = FieldReader(ReadingProgress(requiresListedUnits: requiresListedUnits))
        file = DefinitionFile(path: path, services: [], attributes: [])
    }

    /// Reads all valid parts and reports every mistake: one in a field does not hide those of the next.
    mutating func read(_ text: String) -> (DefinitionFile, [DefinitionMistake]) {
        do throws(CompileMistake) {
            try readRoot(YAMLNode(fileOf: text))
        } catch {
            note(error)
        }
        return (file, mistakes)
    }

    private mutating func note(_ mistake: CompileMistake) {
        guard mistakes.count < ReadingProgress.mistakeLimit else { return }
        mistakes += ([mistake] + mistake.others).map { DefinitionMistake($0, file: path) }
    }

    /// - Returns: whether there were none.
    private mutating func noteMistakesOfFields() -> Bool {
        let found = fields.progress.takeMistakes()
        for mistake in found { note(mistake) }
        return found.isEmpty
    }

    private mutating func readRoot(_ node: YAMLNode) throws(CompileMistake) {
        let root = try YAMLMapping(
            node, what: "a definition file",
            keys: [
                "service", "services", "types", "characteristics", "descriptors", "declarations", "service-data",
                "manufacturer-data", "ad-structures", "hci-commands", "hci-results", "hci-events", "le-events",
                "ll-control-pdus", "monitor-records", "l2cap-sdus", "channels",
            ])
        let progress = fields.progress
        let services = progress.noting([]) { () throws(CompileMistake) in
            try root["services"]?.list("a list of services") ?? []
        }
        for service in [root["service"]].compactMap(\.self) + services {
            if let service = progress.noting(nil, { () throws(CompileMistake) in try readService(service) }) {
                file.services.append(service)
            }
        }
        let types = progress.noting([]) { () throws(CompileMistake) in
            try root["types"]?.pairs("a mapping of names to types") ?? []
        }
        for (name, type) in types {
            progress.noting(()) { () throws(CompileMistake) in try progress.add(type: name, type) }
        }
        _ = noteMistakesOfFields()
        let kinds: [(String, AttributeDefinition.Kind)] = [
            ("characteristics", .characteristic), ("descriptors", .descriptor), ("declarations", .declaration),
            ("service-data", .serviceData), ("manufacturer-data", .manufacturerData),
            ("ad-structures", .adStructure),
            ("hci-commands", .hciCommand), ("hci-results", .hciResult), ("hci-events", .hciEvent),
            ("le-events", .leEvent), ("ll-control-pdus", .linkLayerControl), ("monitor-records", .monitorRecord),
            ("l2cap-sdus", .l2capSDU), ("channels", .rfcommChannel),
        ]
        for (key, kind) in kinds {
            guard let list = root[key] else { continue }
            let items = progress.noting([]) { () throws(CompileMistake) in try list.list("a list of \(key)") }
            for item in items {
                do {
                    let kind = kind == .rfcommChannel ? try Self.kind(ofChannel: item) : kind
                    let attributes = try readAttribute(item, kind: kind)
                    if noteMistakesOfFields() { file.attributes += attributes }
                } catch {
                    _ = noteMistakesOfFields()
                    note(error)
                }
            }
        }
        // Types that nothing uses.
        for (name, type) in types {
            _ = progress.noting(nil) { () throws(CompileMistake) in
                try progress.type(try name.text("the name of a type"), at: type)
            }
        }
        _ = noteMistakesOfFields()
        if mistakes.isEmpty, file.services.isEmpty, file.attributes.isEmpty {
            note(node.mistake("the file has no definitions"))
        }
    }

    private func readService(_ node: YAMLNode) throws(CompileMistake) -> ServiceDefinition {
        let mapping = try YAMLMapping(node, what: "a service", keys: ["uuid", "name"])
        return ServiceDefinition(
            uuid: try Self.uuid(try mapping.required("uuid", of: "a service")),
            name: try mapping.required("name", of: "a service").text("a name"), position: node.position)
    }

    private func readAttribute(
        _ node: YAMLNode, kind: AttributeDefinition.Kind
    ) throws(CompileMistake) -> [AttributeDefinition] {
        let isAn = kind.space.isPacket && kind != .monitorRecord || kind == .adStructure
        let what = isAn ? "an \(kind)" : "a \(kind)"
        let key = kind.identityKey
        var keys = [key, "name", "confidence", "order", "fields", "summary", "examples"]
        // A result belongs to its command.
        if kind == .hciResult { keys.remove(at: 1) }
        if kind.space == .attribute {
            keys += ["context", "assemble", "decoder", "layouts", "derived"]
        }
        if kind.isChannel { keys += ["assemble", "layouts", "derived"] }
        if kind == .characteristic { keys += ["sensitive", "encrypted"] }
        if kind == .manufacturerData { keys.append("when") }
        let mapping = try YAMLMapping(node, what: what, keys: keys)
        // A mistake in one key does not hide those of the others.
        let progress = self.fields.progress
        func reading<Value>(
            _ key: String, _ fallback: Value, _ read: (YAMLNode) throws(CompileMistake) -> Value
        ) -> Value {
            guard let node = mapping[key] else { return fallback }
            return progress.noting(fallback) { () throws(CompileMistake) in try read(node) }
        }
        let numbers = progress.noting([]) { () throws(CompileMistake) in
            try Self.numbers(try mapping.required(key, of: what), key)
        }
        var condition: AdvertisedCondition?
        if kind == .manufacturerData, let company = numbers.first {
            condition = progress.noting(nil) { () throws(CompileMistake) in
                try DefinitionPartReader.condition(mapping["when"], company: company)
            }
        }
        let unknown = BluetoothUUID(0 as UInt16)
        let identities = numbers.map { number in
            // `any` without a condition has its mistake already.
            if kind == .manufacturerData, (try? number.text("a company identifier")) == "any" {
                return condition?.identity ?? unknown
            }
            return condition?.identity
                ?? progress.noting(unknown) { () throws(CompileMistake) in try Self.identity(number, of: kind) }
        }
        let identity = identities.first ?? unknown
        let name = progress.noting("") { () throws(CompileMistake) in
            try kind == .hciResult ? "result of 0x\(identity)" : mapping.required("name", of: what).text("a name")
        }
        let kind = condition == nil ? kind : .recognizedData
        var attribute = AttributeDefinition(
            kind: kind, uuid: identity, name: name, layouts: [], examples: [], position: node.position)
        if kind == .characteristic { attribute.services = file.services.map(\.uuid) }
        attribute.condition = condition
        attribute.confidence = reading("confidence", .a, DefinitionPartReader.confidence)
        attribute.sensitivity = progress.noting(nil) { () throws(CompileMistake) in
            try DefinitionPartReader.sensitivity(mapping["sensitive"], encrypted: mapping["encrypted"])
        }
        attribute.context = reading("context", [], DefinitionPartReader.context)
        attribute.assembly = reading("assemble", nil, DefinitionPartReader.assembly)
        attribute.decoder = reading("decoder", nil, DefinitionPartReader.decoder)
        var fields = self.fields
        fields.showsOctets = kind == .l2capSDU || kind.isAdvertised || kind.isChannel
        attribute.derived = reading("derived", []) { (node) throws(CompileMistake) in
            try DefinitionPartReader.derived(node, fields)
        }
        fields.isBigEndian = reading("order", false, FieldReader.isBigEndian)
        if let layouts = mapping["layouts"] {
            if let other = mapping["fields"] ?? mapping["summary"] {
                throw other.mistake("with \"layouts\", fields and summary belong into each layout")
            }
            attribute.layouts = try readLayouts(layouts, fields)
        } else if let list = mapping["fields"] {
            attribute.layouts = [
                Layout(
                    operations: AttributeAccess.allCases, elements: try fields.elements(list),
                    summary: try mapping["summary"]?.source("a summary"))
            ]
        } else if let other = mapping["summary"] ?? mapping["examples"] ?? mapping["sensitive"] {
            throw other.mistake("this key needs fields")
        }
        for example in reading("examples", [], { (node) throws(CompileMistake) in try node.list("a list of examples") })
        {
            if let example = progress.noting(nil, { () throws(CompileMistake) in try ExampleReader.read(example) }) {
                attribute.examples.append(example)
            }
        }
        return zip(numbers, identities).map { number, identity in
            var same = attribute
            same.uuid = identity
            same.position = numbers.count == 1 ? node.position : number.position
            return same
        }
    }

    /// The kind of channel, by the key that names it.
    private static func kind(ofChannel node: YAMLNode) throws(CompileMistake) -> AttributeDefinition.Kind {
        let keys = try node.pairs("a channel").compactMap(\.key.scalar)
        let kinds = AttributeDefinition.Kind.channels.filter { keys.contains($0.identityKey) }
        guard kinds.count == 1 else {
            throw node.mistake(
                "a channel needs one of \"rfcomm\" (its number), \"psm\" (0x1001) and \"service\" (a UUID)")
        }
        return kinds[0]
    }

    /// One UUID, or several that share the definition.
    private static func numbers(_ node: YAMLNode, _ key: String) throws(CompileMistake) -> [YAMLNode] {
        guard key == "uuid", case .list(let numbers) = node.content else { return [node] }
        guard 1...32 ~= numbers.count else { throw node.mistake("expected 1 to 32 UUIDs, found \(numbers.count)") }
        return numbers
    }

    private func readLayouts(_ node: YAMLNode, _ fields: FieldReader) throws(CompileMistake) -> [Layout] {
        var layouts: [Layout] = []
        for item in try node.list("a list of layouts") {
            let mapping = try YAMLMapping(item, what: "a layout", keys: ["for", "fields", "summary"])
            let list = try mapping.required("for", of: "a layout")
            let operations = try DefinitionPartReader.operations(list)
            if let taken = operations.first(where: layouts.flatMap(\.operations).contains) {
                throw list.mistake("\(taken.word) has a layout already")
            }
            layouts.append(
                Layout(
                    operations: operations,
                    elements: try fields.elements(try mapping.required("fields", of: "a layout")),
                    summary: try mapping["summary"]?.source("a summary")))
        }
        return layouts
    }

    private static func identity(
        _ node: YAMLNode, of kind: AttributeDefinition.Kind
    ) throws(CompileMistake) -> BluetoothUUID {
        switch kind.space {
        case .attribute, .serviceData, .serviceChannel: try uuid(node)
        case .manufacturerData, .recognizedData: try company(node)
        case .adStructure: try structure(node)
        case .hciCommand, .hciResult: try number(node, "an opcode", such: "0x200D", bits: 16)
        case .l2capSDU: try number(node, "a PSM", such: "0x0080", bits: 16)
        case .l2capChannel: try dynamicPSM(node)
        case .rfcommChannel: try number(node, "a channel of RFCOMM", such: "1", bits: 5)
        case .monitorRecord: try number(node, "an opcode", such: "0x000C", bits: 16)
        case .linkLayerControl: try number(node, "an opcode", such: "0x32", bits: 8)
        case .hciEvent: try number(node, "an event code", such: "0x0E", bits: 8)
        case .leEvent: try number(node, "a subevent code", such: "0x01", bits: 8)
        }
    }

    static func company(_ node: YAMLNode) throws(CompileMistake) -> BluetoothUUID {
        try number(node, "a company identifier", such: "0x004C", bits: 16)
    }

    private static func structure(_ node: YAMLNode) throws(CompileMistake) -> BluetoothUUID {
        let type = try number(node, "an AD type", such: "0x1A", bits: 8)
        if ADType(rawValue: UInt8(type.uint16 ?? 0)).isBuiltIn {
            throw node.mistake(
                "attlas reads 0x\(type.description.suffix(2)) without a definition, by manufacturer-data, or by service-data"
            )
        }
        return type
    }

    private static func number(
        _ node: YAMLNode, _ what: String, such example: String, bits: Int
    ) throws(CompileMistake) -> BluetoothUUID {
        let number = try node.integer("\(what) such as \(example)")
        guard let number = UInt16(exactly: number), number >> (bits - 1) <= 1 else {
            throw node.mistake("\(what) has \(bits) bits")
        }
        return BluetoothUUID(number)
    }

    /// The PSM of channels whose octets have no meaning to Bluetooth.
    private static func dynamicPSM(_ node: YAMLNode) throws(CompileMistake) -> BluetoothUUID {
        let psm = try number(node, "a PSM", such: "0x0080", bits: 16)
        guard let number = psm.uint16, number >= 0x1001 || 0x80...0xFF ~= number else {
            throw node.mistake("a channel has a PSM from 0x1001 on, or an SPSM from 0x80 to 0xFF")
        }
        return psm
    }

    static func uuid(_ node: YAMLNode) throws(CompileMistake) -> BluetoothUUID {
        let text = try node.text("a UUID")
        guard let uuid = BluetoothUUID(text) else {
            throw node.mistake(
                "expected a UUID of four or eight hexadecimal digits or in its 128-bit form, found \"\(text)\"")
        }
        return uuid
    }
}

extension AttributeDefinition.Kind {
    /// The key of a definition's identity.
    fileprivate var identityKey: String {
        switch space {
        case .attribute, .serviceData: "uuid"
        case .manufacturerData, .recognizedData: "company"
        case .adStructure: "type"
        case .hciCommand, .hciResult, .linkLayerControl, .monitorRecord: "opcode"
        case .l2capSDU, .l2capChannel: "psm"
        case .rfcommChannel: "rfcomm"
        case .serviceChannel: "service"
        case .hciEvent: "code"
        case .leEvent: "subevent"
        }
    }
}
