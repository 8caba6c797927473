import AttlasWire

/// A compiled layout as a tree, for code generators. As in the decoder, names are resolved to registers and other definitions are inlined.
package struct LayoutTree: Sendable {
    package indirect enum Step: Sendable {
        /// A field of whole octets, or a computed one.
        case field(Field)
        /// Fields that share octets.
        case shared([Piece], octets: Int, isBigEndian: Bool)
        case structure(Int, size: Size?, [Step])
        /// - Parameter cleared: registers that are 0 when a round begins.
        case loop(Int, count: Size?, cleared: Range<Int>, [Step])
        /// The steps of the first branch whose condition holds.
        case choice([Branch])
    }

    package struct Field: Sendable {
        /// Index into `fields`.
        package var index: Int
        /// nil if no expression may use it.
        package var register: Int?
        /// The size in octets; nil for the rest.
        package var size: Size?
        package var computed: Expression?
    }

    package struct Piece: Sendable {
        package var index: Int
        package var register: Int
        /// The lowest bit in the octets as one number.
        package var shift: Int
        package var width: Int
    }

    package enum Size: Sendable {
        case constant(Int)
        case expression(Expression)
    }

    package struct Branch: Sendable {
        /// nil: otherwise.
        package var condition: Expression?
        package var steps: [Step]
    }

    package indirect enum Expression: Sendable {
        case constant(Int64)
        case register(Int)
        /// (register >> shift) & mask
        case bits(Int, shift: Int, mask: UInt64)
        case left
        /// The octet this number of octets after the next one.
        case next(Int)
        /// Whether a text is a certain one.
        case comparedText
        case not(Expression)
        case negate(Expression)
        case binary(Operator, Expression, Expression)
    }

    package enum Operator: Sendable {
        case or, and, equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
        case add, subtract, multiply, divide, remainder, bitAnd
    }

    package struct Program: Sendable {
        package var operations: [AttributeAccess]
        package var steps: [Step]
    }

    /// The fields of all layouts, in the order of `Dissector.fields`.
    package private(set) var fields: [FieldDefinition]
    /// The defaults of the context, whose registers are the first ones.
    package private(set) var otherwise: [Expression]
    package private(set) var programs: [Program] = []

    /// - Parameter resolve: finds the definition that a field uses.
    package init(
        _ definition: AttributeDefinition, resolve: @escaping (BluetoothUUID) -> AttributeDefinition?
    ) throws(CompileMistake) {
        var compiler = Compiler(definition: resolve)
        try compiler.compile(definition.context)
        var entries: [Int] = []
        for layout in definition.layouts { entries.append(try compiler.compile(layout).entry) }
        try compiler.finish()
        fields = compiler.fields
        otherwise = compiler.otherwise.map { Expression(compiler.expressions[$0]) }
        for (layout, entry) in zip(definition.layouts, entries) {
            var reader = OperationReader(compiler, position: entry)
            programs.append(Program(operations: layout.operations, steps: reader.steps(before: nil)))
        }
    }
}

extension LayoutTree.Expression {
    init(_ program: ExpressionProgram) {
        var stack: [Self] = []
        for step in program.steps {
            switch step {
            case .constant(let value): stack.append(.constant(value))
            case .register(let register): stack.append(.register(Int(register)))
            case .bits(let register, let shift, let mask):
                stack.append(.bits(Int(register), shift: Int(shift), mask: mask))
            case .left: stack.append(.left)
            case .next(let distance): stack.append(.next(Int(distance)))
            case .text: stack.append(.comparedText)
            case .not: stack.append(.not(stack.removeLast()))
            case .negate: stack.append(.negate(stack.removeLast()))
            case .or: Self.combine(.or, &stack)
            case .and: Self.combine(.and, &stack)
            case .equal: Self.combine(.equal, &stack)
            case .notEqual: Self.combine(.notEqual, &stack)
            case .less: Self.combine(.less, &stack)
            case .lessOrEqual: Self.combine(.lessOrEqual, &stack)
            case .greater: Self.combine(.greater, &stack)
            case .greaterOrEqual: Self.combine(.greaterOrEqual, &stack)
            case .add: Self.combine(.add, &stack)
            case .subtract: Self.combine(.subtract, &stack)
            case .multiply: Self.combine(.multiply, &stack)
            case .divide: Self.combine(.divide, &stack)
            case .remainder: Self.combine(.remainder, &stack)
            case .bitAnd: Self.combine(.bitAnd, &stack)
            }
        }
        self = stack[0]
    }

    private static func combine(_ operation: LayoutTree.Operator, _ stack: inout [Self]) {
        let second = stack.removeLast()
        stack.append(.binary(operation, stack.removeLast(), second))
    }
}

/// Reads operations back into steps.
private struct OperationReader {
    let compiler: Compiler
    var position: Int

    init(_ compiler: Compiler, position: Int) {
        self.compiler = compiler
        self.position = position
    }

    /// - Parameter limit: where the steps end; nil if an operation ends them, which is skipped.
    mutating func steps(before limit: Int?) -> [LayoutTree.Step] {
        var steps: [LayoutTree.Step] = []
        while position != limit {
            let operation = compiler.operations[position]
            switch operation.code {
            case .finish, .end, .next, .nextBeforeMarker:
                position += 1
                return steps
            case .permit, .summarize:
                position += 1
            case .skipUnless, .skipUnlessBits:
                steps.append(.choice(branches(compiler.choices[position] ?? [])))
            case .jump:
                // The end of a branch, or of a choice that always takes its first one.
                position = position + 1 == limit ? position + 1 : Int(operation.target)
            case .shared:
                steps.append(shared())
            case .begin:
                position += 1
                let size = operation.octets == 0 ? nil : size(operation.b)
                steps.append(.structure(Int(operation.field), size: size, self.steps(before: nil)))
            case .repeatToEnd, .repeatCount, .repeatToMarker:
                let clear = compiler.operations[position + 1]
                position += 2
                steps.append(
                    .loop(
                        Int(operation.field), count: operation.code == .repeatCount ? size(operation.a) : nil,
                        cleared: Int(clear.a)..<Int(clear.b), self.steps(before: nil)))
            default:
                position += 1
                steps.append(.field(field(operation)))
            }
        }
        return steps
    }

    private func field(_ operation: Operation) -> LayoutTree.Field {
        let type = compiler.fields[Int(operation.field)].type
        let isInteger = type.isInteger
        return LayoutTree.Field(
            index: Int(operation.field), register: isInteger ? Int(operation.register) : nil,
            size: isInteger && !type.isNumberInText ? nil : size(operation.b),
            computed: operation.code == .compute ? expression(operation.b) : nil)
    }

    private mutating func shared() -> LayoutTree.Step {
        let first = compiler.operations[position]
        var pieces: [LayoutTree.Piece] = []
        var isLast = false
        while !isLast {
            let operation = compiler.operations[position]
            position += 1
            guard operation.code == .shared else { continue }
            let piece = SharedPiece(packed: operation.b)
            pieces.append(
                LayoutTree.Piece(
                    index: Int(operation.field), register: Int(operation.register), shift: piece.shift,
                    width: piece.width))
            isLast = piece.isLast
        }
        return .shared(pieces, octets: Int(first.octets), isBigEndian: first.isBigEndian)
    }

    private mutating func branches(_ places: [Int]) -> [LayoutTree.Branch] {
        var branches: [LayoutTree.Branch] = []
        for (start, end) in zip(places, places.dropFirst()) {
            position = start
            var condition: LayoutTree.Expression?
            if start < end, [.skipUnless, .skipUnlessBits].contains(compiler.operations[start].code),
                // Not the condition of a choice in a branch without one.
                compiler.operations[start].target == end || branches.isEmpty
            {
                condition = self.condition(compiler.operations[start])
                position += 1
            }
            branches.append(LayoutTree.Branch(condition: condition, steps: steps(before: end)))
            if condition == nil { break }
        }
        position = places[places.count - 1]
        return branches
    }

    private func condition(_ operation: Operation) -> LayoutTree.Expression {
        guard operation.code == .skipUnlessBits else { return expression(operation.a) }
        let flag = LayoutTree.Expression.bits(
            Int(operation.register), shift: operation.a.trailingZeroBitCount, mask: 1)
        return operation.b == 0 ? .not(flag) : flag
    }

    private func expression(_ index: UInt64) -> LayoutTree.Expression {
        LayoutTree.Expression(compiler.expressions[Int(index)])
    }

    private func size(_ packed: UInt64) -> LayoutTree.Size? {
        switch SizeRule(packed: packed) {
        case .rest: nil
        case .constant(let octets): .constant(octets)
        case .expression(let index): .expression(expression(UInt64(index)))
        }
    }
}
