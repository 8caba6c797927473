import AttlasDissection

/// The least and the greatest number of an expression: code has no overflow where these fit 64 bits.
struct ExpressionBounds {
    typealias Range = ClosedRange<Int128>

    static let int64 = Int128(Int64.min)...Int128(Int64.max)
    private static let left: Range = 0...1 << 31

    /// Of each register; a register that was not read is 0.
    private(set) var registers: [Int: Range] = [:]

    mutating func add(_ range: Range, to register: Int) {
        let old = registers[register] ?? 0...0
        registers[register] = min(old.lowerBound, range.lowerBound)...max(old.upperBound, range.upperBound)
    }

    /// nil: it may overflow, or divide by zero.
    func range(of expression: LayoutTree.Expression) -> Range? {
        switch expression {
        case .constant(let value): return Int128(value)...Int128(value)
        case .register(let register): return registers[register] ?? 0...0
        case .bits(let register, let shift, let mask):
            // Of 64 bits only the register itself.
            if mask > UInt64(Int64.max) { return shift == 0 ? registers[register] ?? 0...0 : nil }
            return 0...Int128(mask)
        case .left: return Self.left
        case .next: return 0...255
        case .comparedText: return nil
        case .not(let operand): return range(of: operand).map { _ in 0...1 }
        case .negate(let operand):
            return range(of: operand).flatMap { fitting(0 - $0.upperBound, 0 - $0.lowerBound) }
        case .binary(let operation, let first, let second):
            guard let first = range(of: first), let second = range(of: second) else { return nil }
            return range(operation, first, second)
        }
    }

    private func range(_ operation: LayoutTree.Operator, _ first: Range, _ second: Range) -> Range? {
        switch operation {
        case .or, .and, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: return 0...1
        case .add: return fitting(first.lowerBound + second.lowerBound, first.upperBound + second.upperBound)
        case .subtract: return fitting(first.lowerBound - second.upperBound, first.upperBound - second.lowerBound)
        case .multiply:
            let corners = [
                first.lowerBound * second.lowerBound, first.lowerBound * second.upperBound,
                first.upperBound * second.lowerBound, first.upperBound * second.upperBound,
            ]
            return fitting(corners.min() ?? 0, corners.max() ?? 0)
        case .divide:
            guard !second.contains(0), second.lowerBound > 0 else { return nil }
            let corners = [
                first.lowerBound / second.lowerBound, first.lowerBound / second.upperBound,
                first.upperBound / second.lowerBound, first.upperBound / second.upperBound,
            ]
            return fitting(corners.min() ?? 0, corners.max() ?? 0)
        case .remainder:
            guard second.lowerBound > 0 else { return nil }
            let last = second.upperBound - 1
            return (first.lowerBound < 0 ? 0 - last : 0)...max(last, 0)
        case .bitAnd:
            guard first.lowerBound >= 0 || second.lowerBound >= 0 else { return Self.int64 }
            let limits = [first, second].filter { $0.lowerBound >= 0 }.map(\.upperBound)
            return 0...(limits.min() ?? 0)
        }
    }

    private func fitting(_ least: Int128, _ greatest: Int128) -> Range? {
        Self.int64.contains(least) && Self.int64.contains(greatest) ? least...greatest : nil
    }
}

extension LayoutTree.Expression {
    /// Calls `body` with each register that it reads.
    func forEachRegister(_ body: (Int) -> Void) {
        switch self {
        case .register(let register), .bits(let register, _, _): body(register)
        case .not(let operand), .negate(let operand): operand.forEachRegister(body)
        case .binary(_, let first, let second):
            first.forEachRegister(body)
            second.forEachRegister(body)
        case .constant, .left, .next, .comparedText: break
        }
    }

    /// Whether it looks at octets that are not read yet.
    var looksAhead: Bool {
        switch self {
        case .left, .next: true
        case .not(let operand), .negate(let operand): operand.looksAhead
        case .binary(_, let first, let second): first.looksAhead || second.looksAhead
        case .constant, .register, .bits, .comparedText: false
        }
    }

    var comparesText: Bool {
        switch self {
        case .comparedText: true
        case .not(let operand), .negate(let operand): operand.comparesText
        case .binary(_, let first, let second): first.comparesText || second.comparesText
        case .constant, .register, .bits, .left, .next: false
        }
    }

    /// The operand and the number that is added to it.
    var sum: (operand: LayoutTree.Expression, plus: Int64) {
        switch self {
        case .binary(.add, let operand, .constant(let number)), .binary(.add, .constant(let number), let operand):
            (operand, number)
        case .binary(.subtract, let operand, .constant(let number)) where number > Int64.min: (operand, 0 - number)
        default: (self, 0)
        }
    }
}

extension NumberCode {
    /// Of a digit in four bits each.
    static func greatestDecimal(bits: Int) -> Int64 { (0..<bits / 4).reduce(1) { power, _ in power * 10 } - 1 }
}
