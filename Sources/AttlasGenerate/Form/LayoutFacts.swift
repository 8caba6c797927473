import AttlasDissection

/// What has to be known of a layout as a whole before its codec is made.
struct LayoutFacts {
    let fields: [FieldDefinition]
    private(set) var bounds = ExpressionBounds()
    /// How often expressions read each register, and how many fields write it.
    private(set) var reads: [Int: Int] = [:]
    private(set) var writes: [Int: Int] = [:]
    /// Registers whose numbers depend on octets that follow.
    private(set) var unknown: Set<Int> = []
    /// Numbers that follow from what they count, by the index of their field; and of what they count, by its field and whether it is a loop.
    private(set) var patches: [Int: Int] = [:]
    private(set) var patched: [Consumer: (number: Int, plus: Int64)] = [:]

    struct Consumer: Hashable {
        var field: Int
        var isLoop: Bool
    }

    init(_ tree: LayoutTree, program: LayoutTree.Program, context: [ContextDefinition]) throws(CompileMistake) {
        fields = tree.fields
        for register in context.indices { bounds.add(0...Int128(UInt32.max), to: register) }
        // A number may depend on that of the round before, whose range is known after the first pass.
        try collect(program.steps)
        let first = bounds.registers
        reads = [:]
        writes = [:]
        try collect(program.steps)
        if bounds.registers != first { throw CompileMistake(position: .none, message: "a number depends on itself") }
        findPatches(program.steps)
    }

    func isUnknown(_ expression: LayoutTree.Expression) -> Bool {
        var isUnknown = expression.looksAhead
        expression.forEachRegister { if unknown.contains($0) { isUnknown = true } }
        return isUnknown
    }

    // MARK: Registers

    private mutating func collect(_ steps: [LayoutTree.Step]) throws(CompileMistake) {
        for step in steps {
            switch step {
            case .field(let field):
                try note(field.size, of: field.index)
                try collect(field)
            case .shared(let pieces, _, _):
                for piece in pieces {
                    write(piece.register, Self.range(of: fields[piece.index].type))
                }
            case .structure(let index, let size, let steps):
                try note(size, of: index)
                try collect(steps)
            case .loop(let index, let count, _, let steps):
                try note(count, of: index)
                try collect(steps)
            case .choice(let branches):
                for branch in branches {
                    if let condition = branch.condition { try note(condition, at: Self.position(of: branch, fields)) }
                    try collect(branch.steps)
                }
            }
        }
    }

    private mutating func collect(_ field: LayoutTree.Field) throws(CompileMistake) {
        if let computed = field.computed, let register = field.register {
            try note(computed, at: fields[field.index].position)
            write(register, bounds.range(of: computed) ?? ExpressionBounds.int64)
            if isUnknown(computed) { unknown.insert(register) }
        } else if let register = field.register {
            write(register, Self.range(of: fields[field.index].type))
        }
    }

    private mutating func write(_ register: Int, _ range: ExpressionBounds.Range) {
        bounds.add(range, to: register)
        writes[register, default: 0] += 1
    }

    private mutating func note(_ size: LayoutTree.Size?, of index: Int) throws(CompileMistake) {
        if case .expression(let expression) = size { try note(expression, at: fields[index].position) }
    }

    private mutating func note(
        _ expression: LayoutTree.Expression, at position: SourcePosition
    ) throws(CompileMistake) {
        if expression.comparesText {
            throw CompileMistake(position: position, message: "a condition compares a text")
        }
        guard bounds.range(of: expression) != nil else {
            throw CompileMistake(
                position: position, message: "an expression of it may overflow 64 bits or divide by zero")
        }
        expression.forEachRegister { reads[$0, default: 0] += 1 }
    }

    private static func range(of type: FieldType) -> ExpressionBounds.Range {
        switch type {
        case .unsigned(let bits) where bits < 64: 0...Int128(UInt64.max >> UInt64(64 - bits))
        case .signed(let bits) where bits < 64: -(1 << Int128(bits - 1))...(1 << Int128(bits - 1)) - 1
        case .handle, .uuid16, .connectionHandle: 0...0xFFFF
        case .timeExponential8: 0...0xFF
        case .powerOfTwo64: -128...127
        case .address: 0...0xFFFF_FFFF_FFFF
        case .coded(.decimalDigits(let bits)): 0...Int128(NumberCode.greatestDecimal(bits: bits))
        case .coded(.signMagnitude(let bits)): 1 - (1 << Int128(bits - 1))...(1 << Int128(bits - 1)) - 1
        default: ExpressionBounds.int64
        }
    }

    private static func position(of branch: LayoutTree.Branch, _ fields: [FieldDefinition]) -> SourcePosition {
        for step in branch.steps {
            switch step {
            case .field(let field): return fields[field.index].position
            case .shared(let pieces, _, _): return fields[pieces[0].index].position
            case .structure(let index, _, _), .loop(let index, _, _, _): return fields[index].position
            case .choice(let branches): return branches.first.map { position(of: $0, fields) } ?? .none
            }
        }
        return .none
    }

    // MARK: Numbers of octets and rounds

    private mutating func findPatches(_ steps: [LayoutTree.Step]) {
        // The plain numbers of this row of fields, by register.
        var numbers: [Int: Int] = [:]
        func patch(_ size: LayoutTree.Size?, _ consumer: Consumer) {
            guard case .expression(let expression) = size, case (.register(let register), let plus) = expression.sum,
                let number = numbers[register], reads[register] == 1
            else { return }
            patches[number] = number
            patched[consumer] = (number, plus)
        }
        for step in steps {
            switch step {
            case .field(let field):
                if let register = field.register, writes[register] == 1, isPlain(fields[field.index]) {
                    numbers[register] = field.index
                }
                // What fills the size up is not known.
                if fields[field.index].padding == nil { patch(field.size, Consumer(field: field.index, isLoop: false)) }
            case .shared: break
            case .structure(let index, let size, let steps):
                patch(size, Consumer(field: index, isLoop: false))
                patchOwnLength(index, size, steps)
                findPatches(steps)
            case .loop(let index, let count, _, let steps):
                if leastOctets(steps) > 0 { patch(count, Consumer(field: index, isLoop: true)) }
                findPatches(steps)
            case .choice(let branches):
                for branch in branches { findPatches(branch.steps) }
            }
        }
    }

    /// A structure that begins with its length.
    private mutating func patchOwnLength(_ index: Int, _ size: LayoutTree.Size?, _ steps: [LayoutTree.Step]) {
        guard case .expression(let expression) = size, case (.next(0), let plus) = expression.sum,
            case .field(let number)? = steps.first, let register = number.register, reads[register] == nil,
            writes[register] == 1, isPlain(fields[number.index]), fields[number.index].type.octets == 1
        else { return }
        patches[number.index] = number.index
        patched[Consumer(field: index, isLoop: false)] = (number.index, plus)
    }

    /// Whether nothing but its number is known of a field.
    private func isPlain(_ field: FieldDefinition) -> Bool {
        guard case .unsigned(let bits) = field.type, bits.isMultiple(of: 8), bits < 64 else { return false }
        return field.check == nil && field.specials.isEmpty && field.bits.isEmpty && field.computed == nil
            && field.keptName == nil
    }

    /// The fewest octets that steps may read.
    func leastOctets(_ steps: [LayoutTree.Step]) -> Int {
        steps.reduce(0) { $0 + leastOctets($1) }
    }

    private func leastOctets(_ step: LayoutTree.Step) -> Int {
        switch step {
        case .field(let field):
            if field.computed != nil { return 0 }
            if let marker = fields[field.index].marker { return marker.isOptional ? 0 : marker.octets.count }
            switch fields[field.index].type {
            case .utf8z, .varint, .coded(.zigzag): return 1
            case .uuid: return 2
            case let type:
                if let octets = type.octets { return octets }
                if case .constant(let octets)? = field.size { return octets }
                return 0
            }
        case .shared(_, let octets, _): return octets
        case .structure(_, .constant(let octets), _): return octets
        case .structure(_, _, let steps): return leastOctets(steps)
        case .loop(let index, nil, _, let steps): return endMark(ofLoop: index) == nil ? leastOctets(steps) : 0
        case .loop(_, .constant(let count)?, _, let steps): return count > 0 ? leastOctets(steps) : 0
        case .loop, .choice: return 0
        }
    }

    /// The fields of a structure in their order, and whether each has its own octets and is not repeated.
    func row(_ steps: [LayoutTree.Step]) -> [(index: Int, isSingle: Bool)] {
        steps.flatMap { step -> [(index: Int, isSingle: Bool)] in
            switch step {
            case .field(let field): [(field.index, true)]
            case .shared(let pieces, _, _): pieces.map { ($0.index, false) }
            case .structure(let index, _, _): [(index, true)]
            case .loop(let index, _, _, _): [(index, false)]
            case .choice(let branches): branches.flatMap { row($0.steps) }
            }
        }
    }

    /// Of the fields that have members whenever the row is read.
    func ownNames(_ steps: [LayoutTree.Step]) -> Set<String> {
        let always = steps.filter { if case .choice = $0 { false } else { true } }
        return Set(row(always).map { fields[$0.index] }.filter { $0.constant == nil }.map(\.name))
    }

    /// The octets that a repetition ends before.
    func endMark(ofLoop index: Int) -> [UInt8]? {
        if case .toMarker(let octets) = fields[index].repetition { octets } else { nil }
    }
}
