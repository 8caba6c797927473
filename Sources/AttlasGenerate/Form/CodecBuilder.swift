import AttlasDissection
import AttlasWire

/// Makes the codec of one layout.
struct CodecBuilder {
    let facts: LayoutFacts
    var records: [CodecRecord] = []
    var types: NameScope
    private var usedRegisters: Set<Int> = []
    private var choiceCount = 0
    private(set) var isVerified = false

    init(facts: LayoutFacts, types: NameScope) {
        self.facts = facts
        self.types = types
    }

    /// - Parameter name: of the type, which is not used yet.
    mutating func build(
        _ program: LayoutTree.Program, _ tree: LayoutTree, of definition: AttributeDefinition, name: CodeName
    ) throws(CompileMistake) -> Codec {
        let root = CodecRecord(name: unique(type: name))
        var context: [CodecContext] = []
        for (register, definition) in definition.context.enumerated() {
            let member = CodecMember(
                name: root.scope.unique(CodeName(definition.name), forms: NameScope.memberForms), field: nil,
                kind: .context, presence: .required)
            root.members.append(member)
            context.append(CodecContext(member: member, register: register, otherwise: tree.otherwise[register]))
            guard facts.bounds.range(of: tree.otherwise[register]) != nil else {
                throw CompileMistake(
                    position: .none, message: "the default of \"\(definition.name)\" may overflow 64 bits")
            }
        }
        var place = Place(record: root)
        place.edges = try edges(in: program.steps)
        let steps = try self.steps(program.steps, &place)
        if !endsGreedily(program.steps) { addUnexplained(to: root) }
        if hasGreedyStep(program.steps, isLast: true) { isVerified = true }
        if place.checks.count > 1 { isVerified = true }
        records.append(root)
        PresenceSearch(facts: facts).deriveBits(in: steps, of: root)
        for context in context where facts.reads[context.register] != nil { usedRegisters.insert(context.register) }
        for context in context { context.otherwise.forEachRegister { usedRegisters.insert($0) } }
        return Codec(
            name: root.name, definition: definition, operations: program.operations, records: records, steps: steps,
            checks: place.checks, registers: usedRegisters, context: context, isVerified: isVerified)
    }

    /// Where steps belong to.
    private struct Place {
        var record: CodecRecord
        var branches: [Int: Int] = [:]
        var isElement = false
        /// A repetition is between the field and the structure that its checksum covers.
        var isRepeated = false
        /// Only octets that follow tell whether the fields are read.
        var isGuessed = false
        /// Nothing else tells whether they are.
        var keepsConstants = false
        var checks: [CodecCheck] = []
        var members: [CodecMember] = []
        var edges: [Edges] = []
    }

    private mutating func unique(type name: CodeName) -> CodeName {
        types.unique(name, forms: NameScope.typeForms)
    }

    // MARK: Steps

    private mutating func steps(_ steps: [LayoutTree.Step], _ place: inout Place) throws(CompileMistake) -> [CodecStep]
    {
        var result: [CodecStep] = []
        for step in steps {
            var own: (name: String, marker: Marker?)?
            if case .field(let field) = step {
                own = (facts.fields[field.index].name, facts.fields[field.index].marker)
            }
            if case .structure(let index, _, _) = step { own = (facts.fields[index].name, nil) }
            let (starting, ending) = (
                place.edges.filter { $0.first == own?.name }, place.edges.filter { $0.last == own?.name }
            )
            result += starting.map { .edge(ofCheck: $0.check, isStart: true, without: 0) }
            result.append(try self.step(step, &place))
            result += ending.map {
                .edge(ofCheck: $0.check, isStart: false, without: own?.marker?.octets.count ?? 0)
            }
        }
        return result
    }

    private struct Edges {
        var check: Int
        var first: String
        var last: String
    }

    /// What checksums of a structure cover that name its fields.
    private func edges(in steps: [LayoutTree.Step]) throws(CompileMistake) -> [Edges] {
        let all = facts.row(steps)
        var edges: [Edges] = []
        for (place, step) in all.enumerated() {
            guard let names = facts.fields[step.index].check?.fields else { continue }
            for (other, step) in all.enumerated()
            where other != place && [names.first, names.last].contains(facts.fields[step.index].name) {
                guard other < place, step.isSingle, facts.fields[step.index].marker?.isOptional != true else {
                    throw CompileMistake(
                        position: facts.fields[all[place].index].position,
                        message: "a checksum of fields that share octets, are repeated or come again")
                }
            }
            edges.append(Edges(check: step.index, first: names.first, last: names.last))
        }
        return edges
    }

    private mutating func step(_ step: LayoutTree.Step, _ place: inout Place) throws(CompileMistake) -> CodecStep {
        switch step {
        case .field(let field): return try self.field(field, &place)
        case .shared(let pieces, let octets, let isBigEndian):
            var numbers: [CodecNumber] = []
            for piece in pieces {
                let field = facts.fields[piece.index]
                var number = CodecNumber(
                    fieldIndex: piece.index, field: field, octets: octets, bits: piece.width, shift: piece.shift,
                    isSigned: field.type.isSigned, register: used(piece.register))
                number.member = add(
                    piece.index, kind: .number(bits: piece.width, isSigned: field.type.isSigned), &place)
                if field.check != nil {
                    throw CompileMistake(position: field.position, message: "a checksum that shares octets")
                }
                numbers.append(number)
            }
            return .shared(numbers, octets: octets, isBigEndian: isBigEndian)
        case .structure(let index, let size, let steps): return try structure(index, size, steps, &place)
        case .loop(let index, let count, let cleared, let steps):
            return try loop(index, count, cleared, steps, &place)
        case .choice(let branches): return try choice(branches, &place)
        }
    }

    private mutating func field(
        _ step: LayoutTree.Field, _ place: inout Place
    ) throws(CompileMistake) -> CodecStep {
        let field = facts.fields[step.index]
        if let computed = step.computed, let register = step.register {
            computed.forEachRegister { usedRegisters.insert($0) }
            usedRegisters.insert(register)
            return .compute(add(step.index, kind: .computed, &place), register: register, computed)
        }
        if let octets = field.constant, !place.isElement, !place.keepsConstants {
            return .constant(octets, field: field.name)
        }
        switch field.type {
        case .coded(.hexadecimalText) where field.check != nil: return .number(try number(step, field, &place))
        case .utf8, .utf8z, .bytes, .advertisingData, .secret, .uuid, .coded(.decimalText), .coded(.hexadecimalText):
            var octets = CodecOctets(
                member: add(step.index, kind: .octets, &place),
                size: size(step.size, .init(field: step.index, isLoop: false)))
            octets.marker = field.type == .utf8z ? Marker([0]) : field.marker
            octets.register = step.register.flatMap { used($0) }
            if case .unknown = octets.size, field.padding != nil {
                throw CompileMistake(
                    position: field.position, message: "padding up to a size that depends on what follows")
            }
            return .octets(octets)
        case .varint, .coded(.zigzag):
            // Octets that are not needed are not written again.
            let isSigned = field.type.isSigned
            var number = CodecNumber(
                fieldIndex: step.index, field: field, octets: 0, bits: 64, isSigned: isSigned,
                register: step.register.flatMap { used($0) })
            number.member = add(step.index, kind: .number(bits: 64, isSigned: isSigned), &place)
            return .varint(number)
        default: return .number(try number(step, field, &place))
        }
    }

    private mutating func number(
        _ step: LayoutTree.Field, _ field: FieldDefinition, _ place: inout Place
    ) throws(CompileMistake) -> CodecNumber {
        var octets = field.type.octets ?? 0
        let isText = field.type.isNumberInText
        if isText {
            guard case .constant(let size)? = step.size, size <= 8, field.specials.isEmpty else {
                throw CompileMistake(
                    position: field.position,
                    message: "a checksum in characters whose number is not constant, or that has special values")
            }
            octets = size
        }
        var number = CodecNumber(
            fieldIndex: step.index, field: field, octets: octets, bits: octets * 8, isSigned: field.type.isSigned,
            register: step.register.flatMap { used($0) }, patch: facts.patches[step.index])
        if let check = field.check {
            guard !place.isRepeated else {
                throw CompileMistake(
                    position: field.position,
                    message:
                        "a checksum in a repetition covers octets outside of it; give the repeated structure a size")
            }
            guard number.register == nil else {
                throw CompileMistake(position: field.position, message: "a size or a condition depends on a checksum")
            }
            number.patch = step.index
            let codecCheck = CodecCheck(
                number: step.index, check: check, octets: octets, isBigEndian: field.isBigEndian, isText: isText)
            number.check = codecCheck
            place.checks.append(codecCheck)
            if !field.specials.isEmpty || place.isGuessed {
                number.member = add(step.index, kind: .check(bits: octets * 8), &place)
            }
        } else if number.patch == nil {
            number.member = add(step.index, kind: .number(bits: octets * 8, isSigned: field.type.isSigned), &place)
        }
        return number
    }

    private mutating func structure(
        _ index: Int, _ size: LayoutTree.Size?, _ steps: [LayoutTree.Step], _ place: inout Place
    ) throws(CompileMistake) -> CodecStep {
        let field = facts.fields[index]
        let record = CodecRecord(
            name: unique(type: place.record.name + CodeName(field.name)),
            isRepeated: place.isElement || place.record.isRepeated)
        var inner = Place(record: record)
        inner.isRepeated = place.isRepeated && size == nil
        if size == nil { inner.checks = place.checks }
        inner.edges = try edges(in: steps)
        let ownSize = size.map { self.size($0, .init(field: index, isLoop: false)) }
        let built = try self.steps(steps, &inner)
        if size == nil { place.checks = inner.checks }
        if size != nil {
            if !endsGreedily(steps) { addUnexplained(to: record) }
            if hasGreedyStep(steps, isLast: true) { isVerified = true }
            if inner.checks.count > 1 { isVerified = true }
        }
        records.append(record)
        PresenceSearch(facts: facts).deriveBits(in: built, of: record)
        let member = add(index, kind: .record(record), &place)
        return .structure(
            CodecStructure(
                member: member, record: record, size: ownSize, steps: built, checks: size == nil ? [] : inner.checks))
    }

    private mutating func loop(
        _ index: Int, _ count: LayoutTree.Size?, _ cleared: Range<Int>, _ steps: [LayoutTree.Step],
        _ place: inout Place
    ) throws(CompileMistake) -> CodecStep {
        var inner = place
        inner.isElement = true
        inner.isRepeated = true
        let mark = facts.endMark(ofLoop: index)
        let size = mark.map { .marker($0) } ?? size(count, .init(field: index, isLoop: true))
        if mark != nil { isVerified = true }
        let built = try self.steps(steps, &inner)
        place.members = inner.members
        guard built.count == 1, let member = built[0].member else {
            throw CompileMistake(position: facts.fields[index].position, message: "nothing to repeat")
        }
        let mayBeEmpty = facts.leastOctets(steps) == 0
        if case .rest = size, mayBeEmpty { isVerified = true }
        return .loop(
            CodecLoop(
                member: member, count: size, cleared: cleared.filter { facts.reads[$0] != nil }, step: built[0],
                mayBeEmpty: mayBeEmpty))
    }

    private mutating func choice(
        _ branches: [LayoutTree.Branch], _ place: inout Place
    ) throws(CompileMistake) -> CodecStep {
        choiceCount += 1
        let choice = choiceCount
        var result: [CodecChoice.Branch] = []
        for (index, branch) in branches.enumerated() {
            var inner = place
            inner.branches[choice] = index
            inner.members = []
            let isGuessed = branch.condition.map(facts.isUnknown) ?? false
            inner.isGuessed = isGuessed
            if isGuessed {
                let names = facts.ownNames(branch.steps)
                inner.keepsConstants =
                    names.isEmpty
                    || branches.indices.contains { $0 != index && facts.ownNames(branches[$0].steps) == names }
            }
            branch.condition?.forEachRegister { usedRegisters.insert($0) }
            if isGuessed { isVerified = true }
            let steps = try self.steps(branch.steps, &inner)
            result.append(
                .init(condition: branch.condition, isGuessed: isGuessed, steps: steps, members: inner.members))
            place.members += inner.members
            place.checks = inner.checks
        }
        return .choice(CodecChoice(branches: result))
    }

    private mutating func size(_ size: LayoutTree.Size?, _ consumer: LayoutFacts.Consumer) -> CodecSize {
        switch size {
        case nil: return .rest
        case .constant(let octets): return .constant(octets)
        case .expression(let expression):
            expression.forEachRegister { usedRegisters.insert($0) }
            if let (number, plus) = facts.patched[consumer] {
                let field = facts.fields[number]
                return .patched(
                    expression,
                    CodecPatch(
                        number: number, plus: plus, octets: field.type.octets ?? 0, isSigned: false,
                        isBigEndian: field.isBigEndian, fieldName: field.name))
            }
            guard facts.isUnknown(expression) else { return .stored(expression) }
            isVerified = true
            return .unknown(expression)
        }
    }

    private func used(_ register: Int) -> Int? { facts.reads[register] == nil ? nil : register }

    // MARK: Members

    private mutating func add(_ index: Int, kind: CodecMember.Kind, _ place: inout Place) -> CodecMember {
        let field = facts.fields[index]
        var presence = CodecMember.Presence.required
        if !place.branches.isEmpty { presence = .optional }
        if place.isElement { presence = .repeated }
        switch kind {
        case .check, .computed: if presence == .required { presence = .optional }
        default: break
        }
        let same = place.record.members.filter { $0.field?.name == field.name }
        let excluding = same.first { member in
            member.presence == presence && member.isMergeable(with: field, kind)
                && member.branches.allSatisfy { other in
                    other.contains { choice, branch in place.branches[choice].map { $0 != branch } ?? false }
                }
        }
        if let excluding {
            excluding.branches.append(place.branches)
            excluding.fieldIndexes.append(index)
            place.members.append(excluding)
            return excluding
        }
        var name = CodeName(field.name)
        if let first = same.first?.field {
            if let unit = field.unit, unit != first.unit, unit.utf8.allSatisfy({ $0 < 0x80 }) {
                name = name + CodeName(unit, fallback: "unit")
            } else if field.type != first.type, field.type != .structure {
                name = name.adding("\(field.type)".filter { $0.isASCII && ($0.isLetter || $0.isNumber) })
            }
        }
        let member = CodecMember(
            name: place.record.scope.unique(name, forms: NameScope.memberForms), field: field, kind: kind,
            presence: presence)
        member.branches = [place.branches]
        member.fieldIndexes = [index]
        member.isGuessed = place.isGuessed
        nameParts(of: member, in: place.record)
        place.record.members.append(member)
        place.members.append(member)
        return member
    }

    private mutating func nameParts(of member: CodecMember, in record: CodecRecord) {
        guard let field = member.field else { return }
        let typeName = member.name == record.name ? record.name.adding("value") : record.name + member.name
        if case .number = member.kind, field.type.isInteger {
            var labels: [String] = []
            if !field.bits.isEmpty {
                labels = field.bits.map(\.name)
            } else if case .ranges(let ranges) = field.labels, field.scale == nil {
                labels = ranges.map(\.label)
            }
            if !labels.isEmpty {
                member.typeName = unique(type: typeName)
                var scope = NameScope(reserved: ["unnamed"])
                member.labelNames = labels.map { label in
                    types.unique(
                        scope.unique(
                            CodeName(label, fallback: "value"),
                            forms: [("", ""), ("", "first"), ("", "last"), ("set", "")]),
                        inside: typeName.canonical)
                }
            }
        }
        // Octets are not compared with numbers.
        if case .octets = member.kind { return }
        member.specialNames = field.specials.map { special in
            types.unique(
                record.scope.unique(member.name + CodeName(special.label, fallback: "special")),
                inside: record.name.canonical)
        }
    }

    private func addUnexplained(to record: CodecRecord) {
        record.members.append(
            CodecMember(name: CodeName("unexplained"), field: nil, kind: .unexplained, presence: .required))
    }

    // MARK: Fields without a size

    /// Whether steps always read all octets.
    private func endsGreedily(_ steps: [LayoutTree.Step]) -> Bool {
        switch steps.last {
        case .field(let field): isGreedy(field)
        case .structure(_, nil, let steps): endsGreedily(steps)
        case .loop(let index, nil, _, let steps): facts.endMark(ofLoop: index) == nil && facts.leastOctets(steps) > 0
        default: false
        }
    }

    private func isGreedy(_ field: LayoutTree.Field) -> Bool {
        switch facts.fields[field.index].type {
        case .utf8, .bytes, .advertisingData, .secret, .uuid, .coded(.decimalText), .coded(.hexadecimalText):
            field.size == nil && facts.fields[field.index].marker == nil
        default: false
        }
    }

    /// Whether a step reads all octets and something may follow it.
    private func hasGreedyStep(_ steps: [LayoutTree.Step], isLast: Bool) -> Bool {
        for (index, step) in steps.enumerated() {
            let isLast = isLast && index == steps.count - 1
            let isFound =
                switch step {
                case .field(let field): isGreedy(field) && !isLast
                case .shared: false
                case .structure(_, nil, let steps): hasGreedyStep(steps, isLast: isLast)
                case .structure: false
                case .loop(_, nil, _, let steps): !isLast || hasGreedyStep(steps, isLast: false)
                case .loop(_, _?, _, let steps): hasGreedyStep(steps, isLast: false)
                case .choice(let branches): branches.contains { hasGreedyStep($0.steps, isLast: false) }
                }
            if isFound { return true }
        }
        return false
    }
}

extension CodecStep {
    /// Of a single field.
    fileprivate var member: CodecMember? {
        switch self {
        case .number(let number), .varint(let number): number.member
        case .octets(let octets): octets.member
        case .compute(let member, _, _): member
        case .structure(let structure): structure.member
        case .shared, .loop, .choice, .constant, .edge: nil
        }
    }
}

extension FieldType {
    fileprivate var isSigned: Bool {
        switch self {
        case .signed, .powerOfTwo64, .coded(.signMagnitude), .coded(.zigzag): true
        default: false
        }
    }
}

extension CodecMember {
    /// Whether a field of another branch may be the same member.
    fileprivate func isMergeable(with other: FieldDefinition, _ kind: Kind) -> Bool {
        guard let field, field.type == other.type, field.unit == other.unit, field.scale == other.scale,
            field.bits.isEmpty, other.bits.isEmpty, field.specials == other.specials,
            field.permitted == other.permitted, field.epoch == other.epoch, field.check == nil, other.check == nil,
            field.constant == other.constant, field.marker == other.marker, field.padding == other.padding
        else { return false }
        switch (field.labels, other.labels) {
        case (.none, .none): break
        case (.assigned(let first), .assigned(let second)) where first == second: break
        case (.ranges(let first), .ranges(let second)) where first == second: break
        default: return false
        }
        switch (self.kind, kind) {
        case (.number(let bits, let isSigned), .number(let otherBits, let isOtherSigned)):
            return bits == otherBits && isSigned == isOtherSigned && bits > 1
        case (.octets, .octets): return true
        default: return false
        }
    }
}
