import AttlasDissection
import AttlasIncidents
import AttlasInference
import AttlasText
import AttlasTrace
import AttlasWire

/// A definition file from inferred layouts. `attlas dissectors check` accepts it. Each claim is a comment with its support.
package struct DraftFile {
    private let characteristics: [InferenceModel.Characteristic]
    private var lines: [String] = []
    /// Doubts about several fields of a layout, which precede it.
    private var said: Set<String> = []

    /// Name of the characteristic, if there is only one; nil for the known name.
    private let name: String?

    package init(_ characteristics: [InferenceModel.Characteristic], name: String? = nil) {
        self.characteristics = characteristics
        self.name = characteristics.count == 1 ? name : nil
    }

    /// Octets without a claim in a row that get a field each.
    private static let mostOctets = 8

    package var text: String {
        var draft = self
        draft.writeFile()
        return draft.lines.joined(separator: "\n") + "\n"
    }

    private mutating func writeFile() {
        let count = characteristics.reduce(0) { $0 + $1.values.count }
        lines.append(
            "# Proposed by attlas infer from \(counted(count, "value")). A field without a comment has no claim.")
        let (explained, octets) = characteristics.flatMap { $0.layouts }.reduce((0, 0)) {
            ($0.0 + $1.layout.explained, $0.1 + $1.layout.octets)
        }
        if octets > 0 { lines.append("# The claims explain \(100 * explained / octets) % of the octets.") }
        var services: [(uuid: BluetoothUUID, name: String)] = []
        for values in characteristics.map(\.values) {
            guard let service = values.service, !services.contains(where: { $0.uuid == service }) else { continue }
            services.append((service, values.serviceName ?? "Service \(service.abbreviated)"))
        }
        let texts = services.map { "{ uuid: \($0.uuid), name: \(StartingFile.quoted($0.name)) }" }
        if texts.count == 1 { lines.append("service: \(texts[0])") }
        if texts.count > 1 { lines += ["services:"] + texts.map { "  - \($0)" } }
        var (seen, list): (Set<BluetoothUUID>, String) = ([], "")
        var channels: Set<SerialData.Channel.Number> = []
        for characteristic in characteristics {
            let key =
                switch characteristic.values.source {
                case .characteristic: "characteristics:"
                case .channel: "channels:"
                case .manufacturerData: "manufacturer-data:"
                case .serviceData: "service-data:"
                case .adStructure: "ad-structures:"
                }
            if key != list { lines.append(key) }
            list = key
            if case .channel(let channel) = characteristic.values.source,
                !channels.insert(channel.number).inserted
            {
                lines.append("  # \(channel) has a service of the other side, too: propose it alone")
                continue
            }
            guard case .characteristic(let uuid, let handle) = characteristic.values.source else {
                write(characteristic)
                continue
            }
            if seen.insert(uuid).inserted {
                write(characteristic)
            } else {
                lines.append("  # one more \(uuid) has the handle \(ValueSource.hex(handle)): propose it alone")
            }
        }
    }

    private static func key(_ channel: SerialData.Channel.Number) -> String {
        switch channel {
        case .rfcomm(let number): "rfcomm: \(number)"
        case .psm(let psm): "psm: \(ValueSource.hex(psm))"
        }
    }

    private mutating func write(_ characteristic: InferenceModel.Characteristic) {
        let values = characteristic.values
        let (key, title) =
            switch values.source {
            case .characteristic(let uuid, _): ("uuid: \(uuid)", "Characteristic \(uuid.abbreviated)")
            case .manufacturerData(let company): ("company: \(ValueSource.hex(company))", values.source.description)
            case .serviceData(let uuid): ("uuid: \(uuid)", values.source.description)
            case .adStructure(let type): ("type: \(type)", values.source.description)
            case .channel(let channel): (Self.key(channel.number), values.source.description)
            }
        lines += ["  - \(key)", "    name: \(StartingFile.quoted(name ?? values.name ?? title))", "    confidence: C"]
        if values.source.isAdvertised { lines.append("    # of \(counted(values.devices, "device"))") }
        if values.withheld > 0 {
            lines.append("    # \(counted(values.withheld, "value")) withheld, because of keys")
        }
        if values.partial > 0 { lines.append("    # \(counted(values.partial, "value")) left out: not whole") }
        let layouts = characteristic.layouts
        if layouts.isEmpty { return }
        let rule = writeAssembly(layouts)
        if layouts.count == 1 {
            write(layouts[0].layout, indent: 4)
        } else {
            lines.append("    layouts:")
            for (direction, layout) in layouts {
                lines.append("      - for: [\(direction.operations.map(\.word).joined(separator: ", "))]")
                write(layout, indent: 8)
            }
        }
        lines.append("    examples:")
        for (direction, layout) in layouts {
            guard let series = values.series[direction], let accesses = values.accesses[direction] else { continue }
            for index in layout.groups.flatMap(\.examples) {
                let parts = layout.messages?.parts[index] ?? [index]
                func hex(_ octets: ArraySlice<UInt8>) -> String { "\"\(StartingFile.hex(Array(octets)))\"" }
                // Where the parts are not joined, only the message has the fields.
                let isValue = layout.messageSize != nil
                let key =
                    rule != nil && layout.assembly == rule
                    ? "parts: [\(parts.map { hex(series[$0]) }.joined(separator: ", "))]"
                    : "hex: \(hex(isValue ? series[parts[0]] : layout.messages?.series[index] ?? series[index]))"
                let operation = values.source.isAdvertised ? "" : ", op: \(accesses[parts[0]].word)"
                lines.append("      - { \(key)\(operation) }")
            }
        }
    }

    /// A definition has one rule by which parts are joined, which is returned.
    private mutating func writeAssembly(
        _ layouts: [(direction: ValueDirection, layout: InferredLayout)]
    ) -> AssemblyDefinition? {
        var written: AssemblyDefinition?
        let joined = layouts.filter { $0.layout.messages != nil }
        for (direction, layout) in joined {
            guard let framing = layout.messages?.framing else { continue }
            lines.append("    # \(direction.rawValue): \(framing.sentence): \(framing.evidence.text)")
            for doubt in framing.doubts { lines.append("    # doubt: \(doubt)") }
            if layout.messageSize != nil { continue }
            guard framing.assembly != nil else {
                lines.append("    # doubt: a definition has no rule for this")
                continue
            }
            guard written == nil || written == layout.assembly else {
                lines.append("    # doubt: a definition has one rule for both directions")
                continue
            }
            written = layout.assembly
        }
        written = written ?? layouts.lazy.compactMap(\.layout.assembly).first
        guard let written else { return nil }
        let operations = layouts.filter { $0.layout.assembly == written }.flatMap(\.direction.operations)
        lines.append(
            "    assemble: { for: [\(operations.map(\.word).joined(separator: ", "))], \(Self.text(of: written)) }")
        return written
    }

    private static func text(of assembly: AssemblyDefinition) -> String {
        let start = assembly.start.isEmpty ? "" : "start: \"\(InferredField.hex(assembly.start))\", "
        let escape = assembly.escape.map {
            ", escape: { octet: 0x\(InferredField.hex([$0.octet])), xor: 0x\(InferredField.hex([$0.mask])) }"
        }
        return start + text(of: assembly.rule) + (escape ?? "")
    }

    private static func text(of rule: AssemblyDefinition.Rule) -> String {
        func hex(_ number: UInt64) -> String { "0x\(InferredField.hex([UInt8(truncatingIfNeeded: number)]))" }
        switch rule {
        case .length(let offset, let octets, let isBigEndian, let plus):
            let order = octets > 1 && isBigEndian ? ", order: big" : ""
            return "length: { at: \(offset), type: uint\(8 * octets)\(order), plus: \(plus) }"
        case .terminator(let end): return "terminator: \"\(InferredField.hex(end))\""
        case .header(let header):
            let sequence = header.sequence == 0 ? "" : ", sequence: \(hex(header.sequence))"
            return
                "header: { mask: \(hex(header.mask)), complete: \(hex(header.complete)), first: \(hex(header.first)), "
                + "middle: \(hex(header.middle)), last: \(hex(header.last))\(sequence) }"
        case .total(let total): return "total: \(total)"
        case .kind(let offset, let lengths, _):
            let texts = lengths.map { "\(hex(UInt64($0.kinds.lowerBound))): \($0.octets)" }
            return "total: { at: \(offset), lengths: { \(texts.joined(separator: ", ")) } }"
        case .stuffed(let stuffing): return "framing: \(stuffing.rawValue)"
        case .value: return ""
        }
    }

    // MARK: Layouts

    private mutating func write(_ layout: InferredLayout, indent: Int) {
        let margin = String(repeating: " ", count: indent)
        lines.append(
            "\(margin)# \(counted(layout.count, layout.messages == nil ? "value" : "message")), \(layout.distinct) distinct, of \(Self.octets(layout.lengths))"
        )
        for doubt in layout.doubts { lines.append("\(margin)# doubt: \(doubt)") }
        said = []
        let doubts = layout.groups.flatMap(\.claims).flatMap(\.doubts)
        for doubt in doubts where !said.contains(doubt) && !doubt.contains(" its ") {
            let count = doubts.count { $0 == doubt }
            if count > 1, said.insert(doubt).inserted {
                lines.append("\(margin)# doubt about \(counted(count, "field")): \(doubt)")
            }
        }
        if let dialect = layout.dialect {
            lines.append("\(margin)# \(dialect.dialect.rawValue): \(dialect.evidence.text)")
        }
        for relation in layout.relations {
            let text = TextBuffer("\(display: relation.sentence)").text
            lines.append("\(margin)# \(text): \(relation.evidence.text)")
        }
        guard let first = layout.groups.first, layout.lengths.upperBound > 0 else {
            lines.append("\(margin)fields: []")
            return
        }
        lines.append("\(margin)fields:")
        if let size = layout.messageSize {
            lines += [
                "\(margin)  - name: Message", "\(margin)    repeat: rest", "\(margin)    size: \(Self.text(of: size))",
                "\(margin)    fields:",
            ]
            return writeFields(of: layout, first, indent: indent + 4)
        }
        writeFields(of: layout, first, indent: indent)
    }

    /// `next(1) + 256 * next(2) + 3`
    private static func text(of size: MessageSize) -> String {
        let places = size.isBigEndian ? [size.offset + 1, size.offset] : [size.offset, size.offset + 1]
        let digits = zip(["", "256 * "], places).prefix(size.octets).map { "\($0)next(\($1))" }
        let more = size.plus == 0 ? "" : size.plus > 0 ? " + \(size.plus)" : " - \(-size.plus)"
        return digits.joined(separator: " + ") + more
    }

    private mutating func writeFields(of layout: InferredLayout, _ first: InferredLayout.Group, indent: Int) {
        let margin = String(repeating: " ", count: indent)
        if let dialect = layout.dialect?.dialect, !dialect.hasFields {
            lines.append(
                "\(margin)  - { \(dialect.isText ? "name: Message, type: utf8" : "name: Octets, type: bytes") }")
            return
        }
        switch first.selector {
        case .all: write(first, from: 0, indent: indent + 2)
        case .length:
            for group in layout.groups {
                guard case .length(let length) = group.selector else { continue }
                lines.append("\(margin)  # \(counted(group.count, "value")) of \(Self.octets(group.lengths))")
                if length == 0 { continue }
                lines.append("\(margin)  - if: left == \(length)")
                lines.append("\(margin)    fields:")
                write(group, from: 0, indent: indent + 6)
            }
        case .opcode(_, let place): write(layout, selectedAt: place, indent: indent + 2)
        }
    }

    private mutating func write(_ layout: InferredLayout, selectedAt place: Int, indent: Int) {
        let margin = String(repeating: " ", count: indent)
        // The octets before the selector are the same in all groups, or not claimed.
        let groups = layout.groups
        var before = 0
        while before < place {
            let common = groups.compactMap { group in group.fields.first { $0.place == before } }
            if let field = common.first, common.count == groups.count, field.place + field.width <= place,
                common.allSatisfy({
                    $0.kind == field.kind && $0.width == field.width && $0.isBigEndian == field.isBigEndian
                })
            {
                write(field, after: 0, margin)
                before += field.width
            } else {
                lines.append("\(margin)- { name: Octet \(before), type: uint8 }")
                before += 1
            }
        }
        if let field = groups.first?.fields.first(where: { $0.place == place }), let evidence = field.evidence {
            lines.append("\(margin)# selects the layout: \(evidence.text)")
        }
        lines.append("\(margin)- { name: Op Code, type: uint8 }")
        lines.append("\(margin)- switch: Op Code")
        lines.append("\(margin)  cases:")
        for group in groups {
            guard case .opcode(let octet, _) = group.selector else { continue }
            lines.append("\(margin)    # \(counted(group.count, "value")) of \(Self.octets(group.lengths))")
            let isEmpty = group.lengths.upperBound <= place + 1
            lines.append("\(margin)    0x\(InferredField.hex([octet])):\(isEmpty ? " []" : "")")
            if !isEmpty { write(group, from: place + 1, indent: indent + 6) }
        }
    }

    private mutating func write(_ group: InferredLayout.Group, from first: Int, indent: Int) {
        let margin = String(repeating: " ", count: indent)
        let tail = group.fields.filter { $0.place < 0 }.reduce(0) { $0 + $1.width }
        writeRun(group.fields.filter { $0.place >= first }, after: 0, margin)
        if group.isVariable {
            let size = tail > 0 ? ", size: left - \(tail)" : ""
            lines.append("\(margin)- { name: Rest, type: bytes\(size), if: left > \(tail) }")
        }
        writeRun(group.fields.filter { $0.place < 0 }, after: tail, margin)
    }

    private mutating func writeRun(_ fields: [InferredField], after tail: Int, _ margin: String) {
        var index = 0
        while index < fields.count {
            let open = fields[index...].prefix { !$0.isClaim }.count
            if open > Self.mostOctets {
                lines.append("\(margin)- { name: Octets \(fields[index].place), type: bytes, size: \(open) }")
                index += open
            } else {
                write(fields[index], after: tail, margin)
                index += 1
            }
        }
    }

    // MARK: Fields

    private mutating func write(_ field: InferredField, after tail: Int, _ margin: String) {
        if field.isClaim {
            lines.append("\(margin)# \(field.sentence)\(field.evidence.map { ": \($0.text)" } ?? "")")
            for doubt in field.doubts where !said.contains(doubt) { lines.append("\(margin)# doubt: \(doubt)") }
        }
        let name = "name: \(Self.name(of: field))"
        let bits = 8 * field.width
        var keys: [String]
        switch field.kind {
        case .constant(let octets): keys = ["const: \(InferredField.hex(octets))"]
        case .scrambled: keys = ["type: bytes", "size: \(field.width)"]
        case .text: keys = ["type: utf8", "size: \(field.width)"]
        case .flags(let changing):
            let names = (0..<8).filter { changing >> $0 & 1 != 0 }.map { "\($0): Bit \($0)" }
            let others = (0..<8).filter { changing >> $0 & 1 == 0 }.map { "\($0): Unused \($0)" }
            keys = ["type: uint8", "bits: { \((names + others).joined(separator: ", ")) }"]
        case .epoch(let ticks):
            keys = ["type: uint\(bits)", "unit: \(ticks == 1 ? "s" : "ms")", "since: 1970-01-01"]
        case .uptime(let ticks):
            let scale = [1: "1", 10: "0.1", 100: "0.01", 1_000: "0.001"][ticks] ?? "1"
            keys = ["type: uint\(bits)", "scale: \(scale)", "unit: s"]
        case .check(let check):
            keys = ["type: uint\(bits)", "check: \(Self.definition(of: check))"]
        case .float: keys = ["type: float32"]
        case .medicalFloat where field.isBigEndian:
            lines.append("\(margin)# doubt: definitions read SFLOATs with the least significant octet first only")
            keys = ["type: uint16"]
        case .medicalFloat: keys = ["type: medfloat16"]
        case .address: keys = ["type: address"]
        case .uuid: keys = [field.isBigEndian ? "type: bytes" : "type: uuid", "size: 16"]
        case .number: keys = ["type: \(field.isSigned ? "sint" : "uint")\(bits)"]
        case .counter, .length, .opcode, .sum, .open: keys = ["type: uint\(bits)"]
        }
        let isNumber =
            keys[0].hasPrefix("type: uint") || keys[0].hasPrefix("type: sint") || keys[0] == "type: float32"
            || keys[0] == "type: address"
        if field.isBigEndian, field.width > 1, isNumber { keys.insert("order: big", at: 1) }
        lines.append("\(margin)- { \(([name] + keys).joined(separator: ", ")) }")
    }

    private static func name(of field: InferredField) -> String {
        // Counted from the end, of values with several lengths.
        let place = field.place < 0 ? "End \(-field.place)" : "\(field.place)"
        switch field.kind {
        case .constant: return "Constant \(place)"
        case .counter: return "Counter \(place)"
        case .length: return "Length"
        case .epoch: return "Time \(place)"
        case .uptime: return "Clock \(place)"
        case .number, .float, .medicalFloat: return "Number \(place)"
        case .sum: return "Sum \(place)"
        case .address: return "Address \(place)"
        case .uuid: return "UUID \(place)"
        case .flags: return "Flags \(place)"
        case .text: return "Text \(place)"
        case .scrambled: return "Octets \(place)"
        case .check: return "Check"
        case .opcode, .open: return "Octet \(place)"
        }
    }

    private static func definition(of check: InferredCheck) -> String {
        var keys: [String] = []
        let named = Checksum.named.first { $0.value == check.algorithm }?.key
        if let named {
            keys.append("algorithm: \(named)")
        } else if case .sum(let sum) = check.algorithm {
            keys.append("algorithm: sum\(sum.bits)")
            if sum.modulus > 0 { keys.append("modulo: \(sum.modulus)") }
            if sum.isNegated { keys.append("negated: true") }
            if sum.final != 0 { keys.append("xor: 0x\(String(sum.final, radix: 16, uppercase: true))") }
        } else if case .crc(let width, let polynomial, let initial, let isReflected, let final) = check.algorithm {
            func hex(_ number: UInt32) -> String { "0x\(String(number, radix: 16, uppercase: true))" }
            keys += ["width: \(width)", "polynomial: \(hex(polynomial))", "init: \(hex(initial))"]
            if isReflected { keys.append("reflected: true") }
            if final != 0 { keys.append("xor: \(hex(final))") }
        }
        if check.start > 0 { keys.append("from: \(check.start)") }
        if check.endsBefore, check.place != -check.width { keys.append("before: true") }
        if let named, keys.count == 1 { return named }
        return "{ \(keys.joined(separator: ", ")) }"
    }

    private static func octets(_ lengths: ClosedRange<Int>) -> String {
        if lengths.count > 1 { return "\(lengths.lowerBound) to \(lengths.upperBound) octets" }
        return counted(lengths.lowerBound, "octet")
    }
}

extension InferredLayout {
    /// Size of each message in a value.
    fileprivate var messageSize: MessageSize? {
        if case .size(let size)? = messages?.framing.delimiter { size } else { nil }
    }

    /// How its messages are read: frames are decoded, whatever their parts are.
    fileprivate var assembly: AssemblyDefinition? { messages?.framing.assembly }
}
