import AttlasWire

/// Turns a definition into flat operations and their side tables.
///
/// Names become registers, nesting becomes depths and jump targets, and another characteristic's layout is copied in, so
/// that reading a value needs neither the definition nor the library.
struct Compiler {
    static let depthLimit = 16
    /// The longest ranging data, 256 steps with four antenna paths, has 7 900.
    static let fieldLimit = 8_192

    /// The definition of another characteristic or descriptor.
    let definition: (BluetoothUUID) -> AttributeDefinition?

    var operations: [Operation] = []
    var fields: [FieldDefinition] = []
    /// Summaries of structures, and the bits that conditions test, by field.
    var summaries: [SummaryTemplate?] = []
    var layoutBits: [UInt64] = []
    /// For each field, the number of structures around it.
    var depths: [Int] = []
    var expressions: [ExpressionProgram] = []
    /// Where the branches of a choice begin, and where the last one ends, by the place of its first condition.
    private(set) var choices: [Int: [Int]] = [:]
    /// Those of the context come first.
    var registerCount: UInt16 = 0
    private var context = Scope()
    /// The default for each unknown number of the context, as an expression.
    private(set) var otherwise: [Int] = []
    /// Mistakes that did not end compiling.
    private(set) var mistakes: [CompileMistake] = []
    /// Fields that are checksums of others.
    var checked: [Int: CheckedFields] = [:]
    /// Summaries of cases, by the operation that selects each.
    private(set) var caseSummaries: [(operation: Int, summary: SummaryTemplate)] = []
    private var pendingSummaries: [(operation: Int, source: SourceText)] = []
    /// The registers of texts that are compared.
    private var comparedTexts: Set<UInt16> = []
    private static let mistakeLimit = 100

    init(definition: @escaping (BluetoothUUID) -> AttributeDefinition?) {
        self.definition = definition
    }

    /// Gives the numbers of the context their registers; before any layout is compiled.
    mutating func compile(_ definitions: [ContextDefinition]) throws(CompileMistake) {
        for definition in definitions {
            otherwise.append(try compileExpression(definition.otherwise, scope: Scope()))
            guard context.add(context: definition.name, register: registerCount) else {
                throw CompileMistake(
                    position: definition.position, message: "\"\(definition.name)\" appears twice in the context")
            }
            registerCount += 1
        }
    }

    /// - Returns: where the layout's operations start, and its summary.
    mutating func compile(_ layout: Layout) throws(CompileMistake) -> (entry: Int, summary: SummaryTemplate?) {
        let entry = operations.count
        var scope = context
        try compile(layout.elements, depth: 0, scope: &scope)
        try emit(Operation(.finish), at: .none)
        for pending in pendingSummaries {
            if let summary = try self.summary(pending.source, scope) {
                caseSummaries.append((pending.operation, summary))
            }
        }
        pendingSummaries = []
        return (entry, try layout.summary.flatMap { (source) throws(CompileMistake) in try summary(source, scope) })
    }

    private mutating func summary(_ source: SourceText, _ scope: Scope) throws(CompileMistake) -> SummaryTemplate? {
        var parser = SummaryParser(source, scope: scope)
        do {
            return try parser.parse()
        } catch {
            try note(error)
            return nil
        }
    }

    /// Compiling continues, to find the other mistakes.
    private mutating func note(_ mistake: CompileMistake) throws(CompileMistake) {
        guard mistakes.count < Self.mistakeLimit else { throw mistake }
        mistakes.append(mistake)
    }

    /// After all layouts.
    mutating func finish() throws(CompileMistake) {
        if var first = mistakes.first {
            first.others = Array(mistakes.dropFirst())
            throw first
        }
        guard !comparedTexts.isEmpty else { return }
        for index in operations.indices where fieldIsText(operations[index]) {
            operations[index].keepsPlace = comparedTexts.contains(operations[index].register)
        }
    }

    private func fieldIsText(_ operation: Operation) -> Bool {
        [.octets, .terminated, .marked].contains(operation.code)
    }

    mutating func compile(_ elements: [Element], depth: Int, scope: inout Scope) throws(CompileMistake) {
        var index = 0
        while index < elements.count {
            let first = index
            index += 1
            do {
                switch elements[first] {
                case .choice(let branches): try compile(branches, depth: depth, scope: &scope)
                case .field(let field) where field.type.isPartOfOctet:
                    while index < elements.count, elements[index].isPartOfOctet { index += 1 }
                    let group = try sharedGroup(elements[first..<index])
                    index = first + group.count
                    try compileShared(group, depth: depth, scope: &scope)
                case .field(let field): try compile(field, depth: depth, scope: &scope)
                }
            } catch {
                try note(error)
                for element in elements[first..<index] { scope.addWrong(element) }
            }
        }
    }

    // MARK: Choices

    private mutating func compile(_ branches: [Branch], depth: Int, scope: inout Scope) throws(CompileMistake) {
        var jumps: [Int] = []
        var starts: [Int] = []
        for (index, branch) in branches.enumerated() {
            starts.append(operations.count)
            var skip: Int?
            if let condition = branch.condition {
                try emit(try compileCondition(condition, scope: scope), at: condition.position)
                skip = operations.count - 1
            }
            if let summary = branch.summary {
                guard depth == 0 else {
                    throw CompileMistake(
                        position: summary.position, message: "only a case outside of structures has a summary")
                }
                pendingSummaries.append((operations.count, summary))
                try emit(Operation(.summarize), at: summary.position)
            }
            try compile(branch.elements, depth: depth, scope: &scope)
            if index < branches.count - 1 {
                try emit(Operation(.jump), at: .none)
                jumps.append(operations.count - 1)
            }
            if let skip { operations[skip].target = UInt16(operations.count) }
        }
        for jump in jumps { operations[jump].target = UInt16(operations.count) }
        if branches.first?.condition != nil { choices[starts[0]] = starts + [operations.count] }
    }

    private mutating func compileCondition(_ source: SourceText, scope: Scope) throws(CompileMistake) -> Operation {
        var parser = ExpressionParser(source, symbols: scope.symbols)
        let program = try parser.parse()
        for (field, mask) in parser.usedBits { layoutBits[field] |= mask }
        comparedTexts.formUnion(parser.usedTexts)
        // One flag, or its absence, is by far the most frequent condition.
        if case .bits(let register, let shift, let mask)? = program.steps.first, mask == 1 {
            var operation = Operation(.skipUnlessBits)
            operation.register = register
            operation.a = mask << UInt64(shift)
            if program.steps.count == 1 {
                operation.b = operation.a
                return operation
            }
            if program.steps.count == 2, case .not = program.steps[1] { return operation }
        }
        var operation = Operation(.skipUnless)
        operation.a = UInt64(add(program))
        return operation
    }

    // MARK: Parts

    mutating func compileExpression(_ source: SourceText, scope: Scope) throws(CompileMistake) -> Int {
        var parser = ExpressionParser(source, symbols: scope.symbols)
        let program = try parser.parse()
        comparedTexts.formUnion(parser.usedTexts)
        return add(program)
    }

    private mutating func add(_ program: ExpressionProgram) -> Int {
        expressions.append(program)
        return expressions.count - 1
    }

    mutating func compileSize(_ source: SourceText?, scope: Scope) throws(CompileMistake) -> SizeRule {
        guard let source else { return .rest }
        if let octets = ScalarText.integer(source.text) {
            guard 0...65_535 ~= octets else {
                throw CompileMistake(position: source.position, message: "expected a size from 0 to 65535")
            }
            return .constant(Int(octets))
        }
        return .expression(try compileExpression(source, scope: scope))
    }

    /// Adds a field to the side table and its name to the scope.
    mutating func add(
        _ field: FieldDefinition, depth: Int, scope: inout Scope
    ) throws(CompileMistake) -> (index: Int, register: UInt16) {
        guard fields.count < Self.fieldLimit else {
            throw CompileMistake(position: field.position, message: "more than \(Self.fieldLimit) fields")
        }
        guard depth < Self.depthLimit else {
            throw CompileMistake(position: field.position, message: "nested more than \(Self.depthLimit) deep")
        }
        var register: UInt16 = 0
        if field.type.isInteger || field.type.isText {
            register = field.keptName.flatMap { scope.kept[$0] } ?? scope.register(of: field) ?? registerCount
            if register == registerCount { registerCount += 1 }
        }
        fields.append(field)
        depths.append(depth)
        summaries.append(nil)
        layoutBits.append(0)
        scope.add(field, index: fields.count - 1, register: register)
        return (fields.count - 1, register)
    }

    mutating func emit(_ operation: Operation, at position: SourcePosition) throws(CompileMistake) {
        guard operations.count < 60_000 else {
            throw CompileMistake(position: position, message: "the definition needs more than 60000 operations")
        }
        operations.append(operation)
    }
}
