import AttlasSystem
import AttlasWire

/// A definition, ready to read values.
public final class Dissector: Sendable {
    // Data that every value needs comes first, to share cache lines.

    /// Where the operations for each ATT operation start, and which summary goes with them.
    let programs: InlineArray<4, Program>
    let operations: [Operation]
    let registerCount: Int
    /// The numbers that come from other attributes.
    public let context: [ContextDefinition]

    /// UUID, or the number of a company or a packet as a 16-bit UUID.
    public let uuid: BluetoothUUID
    /// Name of the characteristic, the data or the packet.
    public let name: String
    /// Characteristic, descriptor, declaration, advertised data or packet.
    public let kind: AttributeDefinition.Kind
    /// Services that a characteristic belongs to; none if it may be in any.
    public let services: [BluetoothUUID]
    /// Descriptions that the records of a dissection refer to. Children are not nested here; the records are.
    public let fields: [FieldDescription]
    /// The assigned numbers, for names.
    public let assignedNumbers: AssignedNumbers
    /// Confidence in the layout.
    public let confidence: Confidence
    /// nil if the value is not private.
    public let sensitivity: Sensitivity?
    let otherwise: [Int]
    /// How messages that are split over several values are put together.
    public let assembly: AssemblyDefinition?
    /// Rates of change of the definition.
    public let derived: [DerivedField]
    /// The decoder of a value that other attributes describe.
    public let decoder: NamedDecoder?
    /// Only the name of a packet may be known.
    public let hasLayout: Bool
    /// Some of its fields are withheld.
    public let hasSecrets: Bool
    /// It is a report of keys, buttons or lamps.
    public let hasKeys: Bool
    /// Some of its fields report the result of a procedure or announce a restart.
    public let hasOutcomes: Bool
    /// A number of its fields may be undefined or reserved.
    let mayBeUndefined: Bool
    let summaries: [SummaryTemplate?]
    let expressions: [ExpressionProgram]

    struct Program: Sendable {
        var entry = 0
        var summary = 0
    }

    /// - Parameters:
    ///   - withholdsKeys: whether fields with a key have no value.
    ///   - resolve: finds the definition that a field uses.
    package init(
        _ definition: AttributeDefinition, assignedNumbers: AssignedNumbers, withholdsKeys: Bool = true,
        resolve: @escaping (BluetoothUUID) -> AttributeDefinition?
    ) throws(CompileMistake) {
        var compiler = Compiler(definition: resolve)
        // Without a layout for an operation, all octets are unexplained.
        try compiler.emit(Operation(.finish), at: definition.position)
        try compiler.compile(definition.context)
        var programs = InlineArray<4, Program>(repeating: Program())
        var summaries: [SummaryTemplate?] = [nil]
        for layout in definition.layouts {
            let (entry, summary) = try compiler.compile(layout)
            for operation in layout.operations {
                programs[Int(operation.rawValue)] = Program(entry: entry, summary: summaries.count)
            }
            summaries.append(summary)
        }
        try compiler.finish()
        for (operation, summary) in compiler.caseSummaries {
            compiler.operations[operation].a = UInt64(summaries.count)
            summaries.append(summary)
        }
        uuid = definition.uuid
        name = definition.name
        kind = definition.kind
        services = definition.services
        fields = compiler.fields.indices.map { index in
            FieldDescription(
                compiler.fields[index], depth: compiler.depths[index], layoutBits: compiler.layoutBits[index],
                summary: compiler.summaries[index], checked: compiler.checked[index],
                isWithheld: withholdsKeys && compiler.fields[index].isSecret)
        }
        self.assignedNumbers = assignedNumbers
        confidence = definition.confidence
        sensitivity = definition.sensitivity
        context = definition.context
        otherwise = compiler.otherwise
        assembly = definition.assembly
        decoder = definition.decoder
        hasLayout = !definition.layouts.isEmpty
        hasSecrets = withholdsKeys && compiler.fields.contains(where: \.isSecret)
        hasKeys = compiler.fields.contains { $0.role == .key || $0.role == .lamp }
        hasOutcomes = fields.contains { $0.outcome != nil }
        mayBeUndefined = fields.contains {
            $0.isEnumeration || $0.hasEnumeratedBits || [.medfloat16, .medfloat32].contains($0.type)
        }
        derived = try definition.derived.map { (derived) throws(CompileMistake) in
            try DerivedField(derived, fields: compiler.fields)
        }
        self.summaries = summaries
        operations = compiler.operations
        expressions = compiler.expressions
        registerCount = Int(compiler.registerCount)
        self.programs = programs
    }

    /// Whether a characteristic belongs to the service; elsewhere, one of this type may hold something else.
    public func belongs(in service: BluetoothUUID) -> Bool { services.isEmpty || services.contains(service) }

    /// Its context has numbers of earlier writes.
    public var hasRequests: Bool {
        context.contains { if case .request = $0.source { true } else { false } }
    }

    /// The operations that have a layout; of those that share one, the first whose values are parts of messages, or else the first.
    public var distinctOperations: [AttributeAccess] {
        let operations = AttributeAccess.allCases.filter { programs[Int($0.rawValue)].entry != 0 }
        var entries: Set<Int> = []
        let chosen = (operations.filter(hasParts) + operations).filter {
            entries.insert(programs[Int($0.rawValue)].entry).inserted
        }
        return operations.filter(chosen.contains)
    }

    /// The specification divides messages into segments, the first and the last of which are marked.
    public var hasSegments: Bool {
        guard confidence == .a, let assembly, case .header(let header) = assembly.rule else { return false }
        return header.hasFirst && header.lengths.isEmpty
    }

    /// Whether the values of an operation are parts of messages; the layout is then that of the message.
    public func hasParts(_ operation: AttributeAccess) -> Bool {
        assembly?.operations.contains(operation) ?? false
    }

    /// Whether a value has a field that is withheld, or octets that could be its: then none of them is shown.
    public func holdsKey(_ dissection: borrowing Dissection) -> Bool {
        guard hasSecrets else { return false }
        if dissection.fault != nil || !dissection.unexplained.isEmpty { return true }
        for index in 0..<dissection.count {
            let field = dissection[index].field
            if field == DissectedField.unexplainedOctets || fields[Int(field)].type == .secret { return true }
        }
        return false
    }

    /// The summary of a whole value, when its definition has one.
    public func summary(of dissection: Dissection) -> SummaryTemplate? {
        summaries[dissection.caseSummary > 0 ? dissection.caseSummary : programs[dissection.program].summary]
    }

    /// The summary of a structure, when it has one.
    public func summary(ofStructure field: DissectedField) -> SummaryTemplate? {
        field.field == DissectedField.unexplainedOctets ? nil : fields[Int(field.field)].summary
    }

    /// The name of an enumerated value, or of the UUID, when it has one.
    public func label(of field: DissectedField) -> String? {
        let definition = fields[Int(field.field)]
        switch definition.labels {
        case .none:
            guard definition.type == .uuid16 else { return nil }
            return assignedNumbers.name(of: BluetoothUUID(UInt16(truncatingIfNeeded: field.raw)))
        case .ranges(let ranges):
            return ranges.first { $0.contains(field.raw) }?.label
        case .assigned(let table):
            return assignedNumbers.name(ofRaw: field.raw, in: table)
        }
    }

    /// The meaning of a special value: "NaN", or the text of the definition.
    public func label(of special: SpecialValue, field: DissectedField) -> String? {
        if let index = special.definedIndex {
            let specials = fields[Int(field.field)].specials
            return index < specials.count ? specials[index].label : nil
        }
        switch special {
        case .notANumber: return "NaN"
        case .notAtThisResolution: return "NRes"
        case .positiveInfinity: return "+INFINITY"
        case .negativeInfinity: return "-INFINITY"
        case .reserved: return "reserved"
        case .unreadable: return "not a number"
        case .empty: return "empty"
        default: return nil
        }
    }

    /// Whether every number of the field has a name and this one has none. Not where the layout is not sure.
    public func isUndefined(_ field: DissectedField) -> Bool {
        guard confidence == .a, field.special == .none else { return false }
        let definition = fields[Int(field.field)]
        guard definition.isEnumeration, case .ranges(let ranges) = definition.labels else { return false }
        return !ranges.contains { $0.contains(field.raw) }
    }

    /// The same for a few bits of a field.
    public func isUndefined(_ bits: BitField, _ number: Int64) -> Bool {
        confidence == .a && bits.labels.count > 1 && !bits.labels.contains { $0.contains(number) }
    }

    /// Whether a value contradicts its definition: it ends early, a check is wrong, or a number is out of range, undefined or reserved.
    public func isFaulty(_ dissection: borrowing Dissection, isPartial: Bool) -> Bool {
        if !isPartial, dissection.fault != nil { return true }
        guard dissection.hasWrongCheck || dissection.hasOutOfRange || mayBeUndefined else { return false }
        for index in 0..<dissection.count {
            let field = dissection[index]
            guard field.field != DissectedField.unexplainedOctets else { continue }
            let definition = fields[Int(field.field)]
            if definition.type == .secret { continue }
            if field.isOutOfRange || field.hasWrongCheck && !isPartial || field.special == .reserved { return true }
            if isUndefined(field) { return true }
            guard definition.hasEnumeratedBits else { continue }
            for bits in definition.bits where isUndefined(bits, bits.value(in: field.raw)) { return true }
        }
        return false
    }

    /// The number in a field, scaled and exact; nil for a special value and for types that are not numbers.
    public func number(of field: DissectedField) -> ExactNumber? {
        guard field.special == .none, field.field != DissectedField.unexplainedOctets else { return nil }
        let definition = fields[Int(field.field)]
        switch definition.type {
        case .unsigned, .varint, .handle:
            let raw = Int128(UInt64(bitPattern: field.raw))
            return definition.scale?.apply(to: raw) ?? .ratio(numerator: raw, denominator: 1)
        case .signed:
            return definition.scale?.apply(to: Int128(field.raw))
                ?? .ratio(numerator: Int128(field.raw), denominator: 1)
        case .coded(let code):
            if code == .decimalText, field.bitOffset > 0 {
                guard let scale = definition.scale else {
                    return .decimal(mantissa: field.raw, exponent: -Int(field.bitOffset))
                }
                return scale.apply(to: Int128(field.raw)).divided(byPowerOfTen: Int(field.bitOffset))
            }
            let raw = code == .hexadecimalText ? Int128(UInt64(bitPattern: field.raw)) : Int128(field.raw)
            return definition.scale?.apply(to: raw) ?? .ratio(numerator: raw, denominator: 1)
        case .connectionHandle: return .ratio(numerator: Int128(field.raw & 0x0FFF), denominator: 1)
        case .timeExponential8:
            return .float64(Mathematics.pow(1.1, Double(field.raw - 64)).rounded(toSignificantDigits: 4))
        case .powerOfTwo64:
            return .float64(Mathematics.exp2(Double(field.raw) / 64).rounded(toSignificantDigits: 4))
        case .medfloat16:
            let number = MedicalFloat(medfloat16: UInt16(truncatingIfNeeded: field.raw))
            return .decimal(mantissa: Int64(number.mantissa), exponent: Int(number.exponent))
        case .medfloat32:
            let number = MedicalFloat(medfloat32: UInt32(truncatingIfNeeded: field.raw))
            return .decimal(mantissa: Int64(number.mantissa), exponent: Int(number.exponent))
        case .float32: return .float32(Float(bitPattern: UInt32(truncatingIfNeeded: field.raw)))
        case .float64: return .float64(Double(bitPattern: UInt64(bitPattern: field.raw)))
        case .utf8, .utf8z, .bytes, .advertisingData, .secret, .uuid, .uuid16, .address, .structure, .use: return nil
        }
    }
}
