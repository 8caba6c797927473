import AttlasWire

/// A compiled expression: steps in postfix order over a small stack.
///
/// Integers only, of 64 bits with sign. Every expression ends and none traps: an overflow or a division by zero makes the result undefined,
/// which a condition takes as "no" and a size as a fault. `and` and `or` are decided by one side if possible, so
/// `Count == 0 or 100 / Count > 3` holds when Count is zero.
struct ExpressionProgram: Sendable {
    enum Step: BitwiseCopyable, Sendable {
        case constant(Int64)
        /// (register >> shift) & mask
        case bits(register: UInt16, shift: UInt8, mask: UInt64)
        case register(UInt16)
        /// Octets that are left of the value, or of the structure whose size is known.
        case left
        /// The octet that is read next, or one this number of octets after it; 0 when none is left.
        case next(UInt8)
        /// Whether the text that was read last at the place in a register is this one.
        case text(register: UInt16, literal: UInt16)
        case or, and, not, negate
        case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
        case add, subtract, multiply, divide, remainder, bitAnd
    }

    /// More operands than this at once are refused when the expression is compiled.
    static let stackLimit = 16

    var steps: [Step]
    /// Texts to compare with.
    var literals: [[UInt8]] = []

    /// nil: undefined.
    /// - Parameters:
    ///   - unread: the octets that are left.
    ///   - value: all octets.
    func evaluate(registers: Span<Int64>, unread: Bytes, of value: Bytes) -> Int64? {
        var stack = InlineArray<16, Int64?>(repeating: nil)
        var count = 0
        for step in steps {
            switch step {
            case .constant(let value):
                stack[count] = value
                count += 1
            case .register(let index):
                stack[count] = registers[Int(index)]
                count += 1
            case .bits(let index, let shift, let mask):
                let bits = UInt64(bitPattern: registers[Int(index)]) >> UInt64(shift) & mask
                stack[count] = Int64(truncatingIfNeeded: bits)
                count += 1
            case .left:
                stack[count] = Int64(unread.count)
                count += 1
            case .next(let distance):
                stack[count] = distance < unread.count ? Int64(unread[Int(distance)]) : 0
                count += 1
            case .text(let register, let literal):
                let place = TextPlace(packed: registers[Int(register)])
                stack[count] = Self.isEqual(place, in: value, literals[Int(literal)]) ? 1 : 0
                count += 1
            case .not:
                stack[count - 1] = stack[count - 1].map { $0 == 0 ? 1 : 0 }
            case .negate:
                stack[count - 1] = stack[count - 1].flatMap { Self.checked(Int64(0).subtractingReportingOverflow($0)) }
            default:
                count -= 1
                stack[count - 1] = Self.combine(step, stack[count - 1], stack[count])
            }
        }
        return stack[0]
    }

    private static func isEqual(_ place: TextPlace, in value: Bytes, _ literal: [UInt8]) -> Bool {
        guard place.length == literal.count, place.offset + place.length <= value.count else { return false }
        for index in literal.indices where value[place.offset + index] != literal[index] { return false }
        return true
    }

    private static func combine(_ step: Step, _ first: Int64?, _ second: Int64?) -> Int64? {
        switch step {
        case .and where first == 0 || second == 0: return 0
        case .or where (first ?? 0) != 0 || (second ?? 0) != 0: return 1
        default: break
        }
        guard let first, let second else { return nil }
        switch step {
        case .and: return 1
        case .or: return 0
        case .equal: return first == second ? 1 : 0
        case .notEqual: return first != second ? 1 : 0
        case .less: return first < second ? 1 : 0
        case .lessOrEqual: return first <= second ? 1 : 0
        case .greater: return first > second ? 1 : 0
        case .greaterOrEqual: return first >= second ? 1 : 0
        case .add: return checked(first.addingReportingOverflow(second))
        case .subtract: return checked(first.subtractingReportingOverflow(second))
        case .multiply: return checked(first.multipliedReportingOverflow(by: second))
        case .divide: return second == 0 ? nil : checked(first.dividedReportingOverflow(by: second))
        case .remainder: return second == 0 ? nil : checked(first.remainderReportingOverflow(dividingBy: second))
        case .bitAnd: return first & second
        case .constant, .bits, .register, .left, .next, .text, .not, .negate: return nil
        }
    }

    private static func checked(_ result: (partialValue: Int64, overflow: Bool)) -> Int64? {
        result.overflow ? nil : result.partialValue
    }
}
