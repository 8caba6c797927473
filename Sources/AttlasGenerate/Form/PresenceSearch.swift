import AttlasDissection

/// Finds the bits that say which other members of a record follow.
struct PresenceSearch {
    let facts: LayoutFacts

    private struct Bit: Hashable {
        var register: Int
        var mask: UInt64
    }

    /// A condition, as far as it is a conjunction of bits.
    private struct Literals {
        var bits: [Bit: Bool] = [:]
        var isExact = true
    }

    /// Fields that are read where the literals hold.
    private struct Occurrence {
        var literals: Literals
        /// Present whenever the fields are read.
        var always: [CodecMember] = []
        var sometimes: [CodecMember] = []
    }

    func deriveBits(in steps: [CodecStep], of record: CodecRecord) {
        var occurrences: [Occurrence] = []
        var numbers: [Int: CodecNumber] = [:]
        collect(steps, Literals(), isInBranch: false, &occurrences, &numbers)
        let bits = Set(occurrences.flatMap(\.literals.bits.keys))
        for (register, number) in numbers.sorted(by: { $0.key < $1.key }) where facts.writes[register] == 1 {
            guard let member = number.member, member.presence != .repeated, number.field.specials.isEmpty else {
                continue
            }
            let own = bits.filter { $0.register == register }.sorted { $0.mask < $1.mask }
            member.bits = own.compactMap { derived($0, occurrences) }
            let all = UInt64.max >> UInt64(64 - number.bits)
            member.isDerived = member.derivedMask == all
        }
    }

    private func derived(_ bit: Bit, _ occurrences: [Occurrence]) -> DerivedBit? {
        let positive = occurrences.filter { $0.literals.bits[bit] == true }
        let negative = occurrences.filter { $0.literals.bits[bit] == false }
        let setting = positive.flatMap { $0.always + $0.sometimes }
        let clearing = negative.flatMap { $0.always + $0.sometimes }
        if isDecisive(positive, bit) {
            return DerivedBit(
                mask: bit.mask, setting: setting, clearing: [], isStored: false, isSetByDefault: false)
        }
        if isDecisive(negative, bit) {
            return DerivedBit(
                mask: bit.mask, setting: setting, clearing: clearing, isStored: false, isSetByDefault: true)
        }
        guard !setting.isEmpty || !clearing.isEmpty else { return nil }
        return DerivedBit(mask: bit.mask, setting: setting, clearing: clearing, isStored: true, isSetByDefault: false)
    }

    /// Whether some fields are read exactly if the bit is as in these occurrences.
    private func isDecisive(_ occurrences: [Occurrence], _ bit: Bit) -> Bool {
        let certain = occurrences.filter { $0.literals.isExact && !$0.always.isEmpty }
        if certain.contains(where: { $0.literals.bits.count == 1 }) { return true }
        // One for each value of another bit.
        let pairs = certain.filter { $0.literals.bits.count == 2 }
        return pairs.contains { first in
            guard let other = first.literals.bits.first(where: { $0.key != bit }) else { return false }
            return pairs.contains { $0.literals.bits[other.key] == !other.value }
        }
    }

    private func collect(
        _ steps: [CodecStep], _ literals: Literals, isInBranch: Bool, _ occurrences: inout [Occurrence],
        _ numbers: inout [Int: CodecNumber]
    ) {
        var own = Occurrence(literals: literals)
        for step in steps {
            switch step {
            case .number(let number), .varint(let number): note(number, &own, &numbers)
            case .shared(let pieces, _, _): for number in pieces { note(number, &own, &numbers) }
            case .octets(let octets): own.always.append(octets.member)
            case .structure(let structure): own.always.append(structure.member)
            case .loop(let loop):
                if case .rest = loop.count, !loop.mayBeEmpty {
                    own.always.append(loop.member)
                } else {
                    own.sometimes.append(loop.member)
                }
            case .compute, .constant, .edge: break
            case .choice(let choice):
                var before = literals
                for branch in choice.branches {
                    var here = before
                    if let condition = branch.condition { add(condition, true, to: &here) }
                    collect(branch.steps, here, isInBranch: true, &occurrences, &numbers)
                    guard let condition = branch.condition else { break }
                    var single = Literals()
                    add(condition, true, to: &single)
                    // More bits than this are not followed.
                    if single.isExact, single.bits.count == 1, before.bits.count < 64,
                        let (bit, value) = single.bits.first
                    {
                        if let known = before.bits[bit], known == value { before.isExact = false }
                        before.bits[bit] = !value
                    } else {
                        before.isExact = false
                    }
                }
            }
        }
        guard isInBranch else { return }
        // Of a member of several branches it is not known which one was read.
        own.always.removeAll { $0.branches.count > 1 }
        own.sometimes.removeAll { $0.branches.count > 1 }
        occurrences.append(own)
    }

    private func note(_ number: CodecNumber, _ own: inout Occurrence, _ numbers: inout [Int: CodecNumber]) {
        if let register = number.register { numbers[register] = number }
        guard let member = number.member else { return }
        if case .check = member.kind { own.sometimes.append(member) } else { own.always.append(member) }
    }

    private func add(_ condition: LayoutTree.Expression, _ value: Bool, to literals: inout Literals) {
        switch condition {
        case .binary(.and, let first, let second) where value:
            add(first, true, to: &literals)
            add(second, true, to: &literals)
        case .not(let operand): add(operand, !value, to: &literals)
        case .binary(.equal, let operand, .constant(0)): add(operand, !value, to: &literals)
        case .binary(.notEqual, let operand, .constant(0)): add(operand, value, to: &literals)
        case .binary(.equal, .bits(let register, let shift, 1), .constant(1)):
            set(Bit(register: register, mask: 1 << UInt64(shift)), value, &literals)
        case .bits(let register, let shift, 1): set(Bit(register: register, mask: 1 << UInt64(shift)), value, &literals)
        case .binary(.bitAnd, .register(let register), .constant(let mask))
        where mask > 0 && mask & (mask - 1) == 0:
            set(Bit(register: register, mask: UInt64(mask)), value, &literals)
        case .register(let register) where facts.bounds.registers[register] == 0...1,
            .binary(.equal, .register(let register), .constant(1))
        where facts.bounds.registers[register] == 0...1:
            set(Bit(register: register, mask: 1), value, &literals)
        default: literals.isExact = false
        }
    }

    private func set(_ bit: Bit, _ value: Bool, _ literals: inout Literals) {
        if let known = literals.bits[bit], known != value { literals.isExact = false }
        literals.bits[bit] = value
    }
}
