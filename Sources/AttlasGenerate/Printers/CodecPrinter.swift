import AttlasDissection

/// Prints codecs: this class walks the steps, and a subclass for each language prints statements.
///
/// Numbers are 64-bit integers with sign while they are read and written; those of 64 bits without sign have the same bits.
class CodecPrinter {
    let form: CodecForm
    var code = CodeText()
    private(set) var codec: Codec!
    private var count = 0

    init(_ form: CodecForm) { self.form = form }

    // MARK: What a language prints

    func printFile() {}
    /// A new variable with the number that is read.
    func readNumber(octets: Int, isSigned: Bool, isBigEndian: Bool, field: String) -> String { "" }
    func readVarint(field: String) -> String { "" }
    func piece(of number: String, shift: Int, bits: Int, isSigned: Bool) -> String { "" }
    func setRegister(_ register: Int, to value: String) {
        if codec.registers.contains(register) { code.line("r\(register) = \(value)\(semicolon)") }
    }
    /// Stores a number, without some bits.
    func store(_ value: String, without mask: UInt64, in member: CodecMember, of object: String) {}
    /// A new variable with the number that has these octets.
    func decoded(_ value: String, _ code: NumberCode, bits: Int, field: String) -> String { "" }
    /// The octets as a number.
    func encoded(_ value: String, _ code: NumberCode, bits: Int, field: String) -> String { "" }
    /// A new variable with the number in characters, of which octets without any are 0.
    func readText(_ content: String, base: Int, field: String) -> String { "" }
    func readConstant(_ octets: [UInt8], field: String) {}
    /// The octets without what ends or fills them.
    func takeOctets(_ octets: CodecOctets, size: String?, for object: String) -> String { "" }
    func storeOctets(_ content: String, in member: CodecMember, of object: String) {
        assign(content, to: member, of: object)
    }
    /// - Parameters:
    ///   - range: what it covers; without an end, all that follows.
    ///   - exceptions: when it may be wrong.
    func checkSum(
        _ number: CodecNumber, _ check: CodecCheck, is value: String, from range: (String, String?),
        unless exceptions: [String]
    ) {}
    func openBranch(_ condition: String) {}
    func openOtherBranch(_ condition: String?) {}
    func close() {
        code.outdent()
        code.line("}")
    }
    /// A loop while octets are read, at most `count` times, or up to a mark.
    func openReadingLoop(count: String?, until mark: [UInt8]?, field: String) -> String { "" }
    func closeReadingLoop(_ loop: String, isToEnd: Bool) {}
    /// A new object for a structure with this number of octets.
    func openStructure(_ structure: CodecStructure, size: String?, in object: String) -> String { "" }
    func closeStructure(_ structure: CodecStructure, _ inner: String, in object: String) {}
    func storeUnexplained(of object: String) {}
    /// The place where reading or writing is.
    func position(isReading: Bool) -> String { "" }

    /// The name of what holds a member's contents.
    func storedName(_ member: CodecMember) -> String { "" }
    /// In languages whose arrays grow.
    final func assign(_ value: String, to member: CodecMember, of object: String) {
        if member.presence == .repeated {
            code.line("\(object).\(storedName(member)).append(\(value))")
        } else {
            code.line("\(object).\(storedName(member)) = \(value)")
        }
    }

    /// The contents of a member, which has to be there.
    func fetch(_ member: CodecMember, of object: String) -> String { "" }
    func isSet(_ member: CodecMember, of object: String) -> String { "" }
    func isEmpty(_ member: CodecMember, of object: String) -> String { "" }
    /// The number of a member's contents.
    func number(_ member: CodecMember, _ content: String) -> String { "" }
    /// A new variable.
    func variable(_ value: String) -> String { "" }
    func change(_ variable: String, to value: String) { code.line("\(variable) = \(value)\(semicolon)") }
    func including(_ mask: UInt64, in value: String) -> String { "" }
    func excluding(_ mask: UInt64, in value: String) -> String { "" }
    func write(_ value: String, octets: Int, isBigEndian: Bool) {}
    func require(_ value: String, bits: Int, isSigned: Bool, field: String) {}
    func writeVarint(_ value: String) {}
    func notePlace(_ patch: Int) {}
    func writeConstant(_ octets: [UInt8]) {}
    func writeOctets(_ content: String, _ octets: CodecOctets) {}
    func pad(_ octet: UInt8, count: String, field: String) {}
    /// The number of octets or elements.
    func length(_ member: CodecMember, _ content: String) -> String { "" }
    func requireEqual(_ value: String, _ other: String, unless exception: String?, field: String) {}
    func patch(_ patch: CodecPatch, to value: String) {}
    func patch(_ check: CodecCheck, from range: (String, String?)) {}
    func forgetPlace(_ number: Int) { code.line("p\(number) = -1\(semicolon)") }
    func openWritingLoop(_ member: CodecMember, of object: String) -> String { "" }
    func refuse(_ member: CodecMember, of object: String) {}
    func writeUnexplained(of object: String) {}
    func constant(_ value: Int64) -> String { value < 0 ? "(\(value))" : "\(value)" }
    func register(_ register: Int) -> String { "r\(register)" }
    var left: String { "" }
    func next(_ distance: Int) -> String { "" }
    /// What a statement ends with.
    var semicolon: String { "" }
    var and: String { "&&" }
    var or: String { "||" }
    func not(_ operand: String) -> String { "!(\(operand))" }
    func number(ofCondition condition: String) -> String { "(\(condition) ? 1 : 0)" }
    func quotient(_ first: String, _ second: String) -> String { "(\(first) / \(second))" }
    func remainder(_ first: String, _ second: String) -> String { "(\(first) % \(second))" }
    func bits(_ register: String, shift: Int, mask: UInt64) -> String { "" }
    /// A long condition in parts, if the language needs that.
    func condition(anyOf conditions: [String]) -> String { "(\(conditions.joined(separator: " \(or) ")))" }

    /// Without the parentheses around the whole.
    final func bare(_ condition: String) -> String {
        guard condition.hasPrefix("("), condition.hasSuffix(")") else { return condition }
        var depth = 0
        for (index, octet) in condition.utf8.enumerated() {
            if octet == UInt8(ascii: "(") { depth += 1 }
            if octet == UInt8(ascii: ")") { depth -= 1 }
            if depth == 0 {
                return index == condition.utf8.count - 1 ? bare(String(condition.dropFirst().dropLast())) : condition
            }
        }
        return condition
    }

    final func fresh(_ name: String) -> String {
        count += 1
        return "\(name)\(count)"
    }

    func print(_ codec: Codec, _ body: () -> Void) {
        self.codec = codec
        count = 0
        body()
    }

    /// - Parameter octets: nil: not known yet.
    func returnNeed(_ octets: String?) {}

    // MARK: Messages in parts

    /// Returns the octets of a message, of which the input has the first ones.
    final func printNeeds(_ joining: CodecJoining) {
        for need in joining.needs {
            if let condition = need.condition { openBranch(self.condition(condition)) }
            returnNeed(need.octets.map { bare(number($0)) })
            if need.condition != nil { close() }
        }
    }

    // MARK: Expressions

    final func number(_ expression: LayoutTree.Expression) -> String {
        switch expression {
        case .constant(let value): return constant(value)
        case .register(let register): return self.register(register)
        case .bits(let register, let shift, let mask):
            // All bits of the register.
            if mask > UInt64(Int64.max) { return self.register(register) }
            return bits(self.register(register), shift: shift, mask: mask)
        case .left: return left
        // Definitions with it are refused.
        case .comparedText: return constant(0)
        case .next(let distance): return next(distance)
        case .negate(let operand): return "(0 - \(number(operand)))"
        case .not: return number(ofCondition: condition(expression))
        case .binary(let operation, let first, let second):
            switch operation {
            case .add: return "(\(number(first)) + \(number(second)))"
            case .subtract: return "(\(number(first)) - \(number(second)))"
            case .multiply: return "(\(number(first)) * \(number(second)))"
            case .divide: return quotient(number(first), number(second))
            case .remainder: return remainder(number(first), number(second))
            case .bitAnd: return "(\(number(first)) & \(number(second)))"
            default: return number(ofCondition: condition(expression))
            }
        }
    }

    final func condition(_ expression: LayoutTree.Expression) -> String {
        switch expression {
        case .not(let operand): return not(condition(operand))
        case .binary(let operation, let first, let second):
            let sign: String
            switch operation {
            case .or: return condition(anyOf: alternatives(expression).map(condition))
            case .and: return "(\(condition(first)) \(and) \(condition(second)))"
            case .equal: sign = "=="
            case .notEqual: sign = "!="
            case .less: sign = "<"
            case .lessOrEqual: sign = "<="
            case .greater: sign = ">"
            case .greaterOrEqual: sign = ">="
            default: return "(\(number(expression)) != 0)"
            }
            return "(\(number(first)) \(sign) \(number(second)))"
        default: return "(\(number(expression)) != 0)"
        }
    }

    private func alternatives(_ expression: LayoutTree.Expression) -> [LayoutTree.Expression] {
        guard case .binary(.or, let first, let second) = expression else { return [expression] }
        return alternatives(first) + alternatives(second)
    }

    // MARK: Reading

    final func read(_ steps: [CodecStep], into object: String, from start: String) {
        for step in steps { read(step, into: object, from: start) }
    }

    private func read(_ step: CodecStep, into object: String, from start: String) {
        switch step {
        case .number(let number):
            if number.field.type.isNumberInText { return readTextCheck(number, into: object, from: start) }
            let value = readNumber(
                octets: number.octets, isSigned: number.isSigned && number.code == nil,
                isBigEndian: number.field.isBigEndian, field: number.field.name)
            take(number, decoded(value, number), into: object, from: start)
        case .varint(let number):
            let value = readVarint(field: number.field.name)
            take(number, decoded(value, number), into: object, from: start)
        case .shared(let pieces, let octets, let isBigEndian):
            let value = readNumber(
                octets: octets, isSigned: false, isBigEndian: isBigEndian, field: pieces[0].field.name)
            for number in pieces {
                let piece = piece(of: value, shift: number.shift, bits: number.bits, isSigned: number.isSigned)
                take(number, piece, into: object, from: start)
            }
        case .octets(let octets):
            let content = takeOctets(octets, size: octets.size.expression.map(number), for: object)
            noteNumber(octets, content)
            storeOctets(content, in: octets.member, of: object)
        case .constant(let octets, let field): readConstant(octets, field: field)
        case .edge(let check, let isStart, let octets): noteEdge(check, isStart, without: octets, isReading: true)
        case .compute(let member, let register, let expression):
            setRegister(register, to: number(expression))
            store(self.register(register), without: 0, in: member, of: object)
        case .structure(let structure):
            let size = structure.size.flatMap(\.expression).map(number)
            let inner = openStructure(structure, size: size, in: object)
            let isSized = structure.size != nil
            var start = start
            if isSized, !structure.checks.isEmpty { start = variable(position(isReading: true)) }
            read(structure.steps, into: inner, from: start)
            if isSized, structure.record.hasUnexplained { storeUnexplained(of: inner) }
            closeStructure(structure, inner, in: object)
        case .loop(let loop):
            var mark: [UInt8]?
            if case .marker(let octets) = loop.count { mark = octets }
            let count = openReadingLoop(
                count: loop.count.expression.map(number), until: mark, field: loop.member.field?.name ?? "")
            for register in loop.cleared { setRegister(register, to: constant(0)) }
            read(loop.step, into: object, from: start)
            closeReadingLoop(count, isToEnd: loop.count.expression == nil && mark == nil)
        case .choice(let choice):
            let conditions = choice.branches.map { $0.condition.map(condition) }
            for (index, (branch, condition)) in zip(choice.branches, conditions).enumerated() {
                if index == 0, let condition { openBranch(condition) } else { openOtherBranch(condition) }
                read(branch.steps, into: object, from: start)
            }
            close()
        }
    }

    private func decoded(_ value: String, _ number: CodecNumber) -> String {
        guard let code = number.code else { return value }
        return decoded(value, code, bits: number.octets * 8, field: number.field.name)
    }

    /// A checksum in characters; none is not compared.
    private func readTextCheck(_ number: CodecNumber, into object: String, from start: String) {
        let member = CodecMember(name: CodeName("text"), field: number.field, kind: .octets, presence: .required)
        let octets = CodecOctets(member: member, size: .constant(number.octets))
        let content = takeOctets(octets, size: constant(Int64(number.octets)), for: "")
        let value = readText(content, base: 16, field: number.field.name)
        openBranch(not(isEmptyText(content)))
        take(number, value, into: object, from: start)
        close()
    }

    func isEmptyText(_ content: String) -> String { "" }

    /// Expressions have the number of characters.
    private func noteNumber(_ octets: CodecOctets, _ content: String) {
        guard let base = octets.base else { return }
        let number = readText(content, base: base, field: octets.field?.name ?? "")
        if let register = octets.register { setRegister(register, to: number) }
    }

    private func noteEdge(_ check: Int, _ isStart: Bool, without octets: Int, isReading: Bool) {
        let position = position(isReading: isReading)
        change("\(isStart ? "a" : "b")\(check)", to: octets == 0 ? position : "\(position) - \(octets)")
    }

    /// Without one of its fields, nothing is known about a checksum.
    private func isUnknown(_ check: CodecCheck) -> [String] {
        check.hasEdges ? ["a\(check.number) < 0", "b\(check.number) < a\(check.number)"] : []
    }

    private func range(_ check: CodecCheck, from start: String) -> (String, String?) {
        check.hasEdges ? ("a\(check.number)", "b\(check.number)") : (start, nil)
    }

    private func take(_ number: CodecNumber, _ value: String, into object: String, from start: String) {
        if let check = number.check {
            let isSpecial = number.field.specials.isEmpty ? [] : [specialCondition(number.field, value)]
            checkSum(number, check, is: value, from: range(check, from: start), unless: isSpecial + isUnknown(check))
        }
        if let register = number.register { setRegister(register, to: value) }
        guard let member = number.member, !member.isDerived else { return }
        if case .check = member.kind, !number.field.specials.isEmpty, !member.isGuessed {
            storeSpecial(value, in: member, of: object)
        } else {
            store(value, without: member.derivedMask, in: member, of: object)
        }
    }

    /// Stores a number only if it is special.
    private func storeSpecial(_ value: String, in member: CodecMember, of object: String) {
        openBranch(specialCondition(member.field, value))
        store(value, without: 0, in: member, of: object)
        close()
    }

    final func specialCondition(_ field: FieldDefinition?, _ value: String) -> String {
        let specials = (field?.specials ?? []).map { special in
            special.first == special.last
                ? "(\(value) == \(constant(special.first)))"
                : "(\(value) >= \(constant(special.first)) \(and) \(value) <= \(constant(special.last)))"
        }
        return condition(anyOf: specials)
    }

    // MARK: Writing

    final func write(_ steps: [CodecStep], of object: String, from start: String) {
        for step in steps { write(step, of: object, element: nil, from: start) }
    }

    /// - Parameter element: of a repeated member, the contents of this round.
    private func write(_ step: CodecStep, of object: String, element: String?, from start: String) {
        switch step {
        case .number(let number):
            guard let value = value(number, of: object, element: element) else { return }
            write(encoded(value, number), octets: number.octets, isBigEndian: number.field.isBigEndian)
        case .varint(let number):
            guard let value = value(number, of: object, element: element) else { return }
            writeVarint(encoded(value, number))
        case .shared(let pieces, let octets, let isBigEndian):
            let whole = variable(constant(0))
            for number in pieces {
                guard let value = value(number, of: object, element: element) else { continue }
                addPiece(value, shift: number.shift, bits: number.bits, to: whole)
            }
            write(whole, octets: octets, isBigEndian: isBigEndian)
        case .octets(let octets):
            let content = element ?? fetch(octets.member, of: object)
            let size = storedSize(octets.size)
            let (written, field) = (length(octets.member, content), octets.field?.name ?? "")
            noteNumber(octets, content)
            writeOctets(content, octets)
            if let padding = octets.field?.padding, let size = size ?? octets.size.expression.map(number) {
                pad(padding, count: "(\(size) - \(written))", field: field)
            } else {
                finish(octets.size, size, written: written, field: field)
            }
        case .constant(let octets, _): writeConstant(octets)
        case .edge(let check, let isStart, let octets): noteEdge(check, isStart, without: octets, isReading: false)
        case .compute(_, let register, let expression):
            if codec.registers.contains(register), !expression.looksAhead {
                setRegister(register, to: number(expression))
            }
        case .structure(let structure): write(structure, of: object, element: element, from: start)
        case .loop(let loop): write(loop, of: object, from: start)
        case .choice(let choice): write(choice, of: object, from: start)
        }
    }

    func addPiece(_ value: String, shift: Int, bits: Int, to whole: String) {}

    private func encoded(_ value: String, _ number: CodecNumber) -> String {
        guard let code = number.code, number.patch == nil else { return value }
        return encoded(value, code, bits: number.octets * 8, field: number.field.name)
    }

    /// The number to write; nil if it was written here.
    private func value(_ number: CodecNumber, of object: String, element: String?) -> String? {
        guard number.patch == nil else {
            return patchedValue(number, of: object)
        }
        guard let member = number.member else { return constant(0) }
        var content = constant(0)
        if let element {
            content = self.number(member, element)
        } else if !member.isDerived {
            content = self.number(member, fetch(member, of: object))
        }
        let value = variable(content)
        if !member.isDerived, number.code == nil {
            require(value, bits: number.bits, isSigned: number.isSigned, field: number.field.name)
        }
        for bit in member.bits { derive(bit, in: value, of: object) }
        if let register = number.register { setRegister(register, to: registerValue(value, number)) }
        return value
    }

    /// What a register holds of a number, if the language does not have the same type for both.
    func registerValue(_ value: String, _ number: CodecNumber) -> String { value }

    private func derive(_ bit: DerivedBit, in value: String, of object: String) {
        func any(_ members: [CodecMember]) -> String {
            condition(anyOf: members.map { isSet($0, of: object) })
        }
        if bit.isSetByDefault {
            change(value, to: including(bit.mask, in: value))
            guard !bit.clearing.isEmpty else { return }
            openBranch(any(bit.clearing))
            change(value, to: excluding(bit.mask, in: value))
        } else {
            if !bit.isStored { change(value, to: excluding(bit.mask, in: value)) }
            if !bit.clearing.isEmpty {
                openBranch(any(bit.clearing))
                change(value, to: excluding(bit.mask, in: value))
                close()
            }
            guard !bit.setting.isEmpty else { return }
            openBranch(any(bit.setting))
            change(value, to: including(bit.mask, in: value))
        }
        close()
    }

    /// A number whose place is noted; a special value of a checksum is written at once.
    private func patchedValue(_ number: CodecNumber, of object: String) -> String? {
        guard let member = number.member, case .check = member.kind, !number.field.specials.isEmpty else {
            notePlace(number.fieldIndex)
            return constant(0)
        }
        let value = variable(constant(0))
        openBranch(isSet(member, of: object))
        change(value, to: self.number(member, fetch(member, of: object)))
        openBranch(specialCondition(number.field, value))
        openOtherBranch(nil)
        notePlace(number.fieldIndex)
        close()
        openOtherBranch(nil)
        notePlace(number.fieldIndex)
        close()
        return value
    }

    private func storedSize(_ size: CodecSize?) -> String? {
        guard case .stored(let expression)? = size else { return nil }
        return variable(number(expression))
    }

    private func finish(
        _ size: CodecSize?, _ stored: String?, written: String, unless exception: String? = nil, field: String
    ) {
        switch size {
        case .constant(let octets): requireEqual(written, constant(Int64(octets)), unless: exception, field: field)
        case .stored: requireEqual(written, stored ?? "", unless: exception, field: field)
        case .patched(_, let patch): self.patch(patch, to: "(\(written) - \(constant(patch.plus)))")
        case .rest, .unknown, .marker, nil: break
        }
    }

    private func write(_ structure: CodecStructure, of object: String, element: String?, from start: String) {
        let content = element ?? fetch(structure.member, of: object)
        let size = storedSize(structure.size)
        guard structure.size != nil else { return write(structure.steps, of: content, from: start) }
        for check in structure.checks { forgetPlace(check.number) }
        let start = variable(position(isReading: false))
        write(structure.steps, of: content, from: start)
        if structure.record.hasUnexplained { writeUnexplained(of: content) }
        finish(
            structure.size, size, written: "(\(position(isReading: false)) - \(start))",
            field: structure.member.field?.name ?? "")
        patch(structure.checks, from: start)
    }

    /// The checksums of a structure or the whole value.
    final func patch(_ checks: [CodecCheck], from start: String) {
        for check in checks {
            if check.hasEdges {
                openBranch(isUnknown(check).joined(separator: " \(or) "))
                forgetPlace(check.number)
                close()
            }
            patch(check, from: range(check, from: start))
        }
    }

    private func write(_ loop: CodecLoop, of object: String, from start: String) {
        let count = storedSize(loop.count)
        let name = loop.member.field?.name ?? ""
        if case .rest = loop.count {
            openBranch(isEmpty(loop.member, of: object))
            refuseMissing(name)
            close()
        }
        // Reading stops after a round without octets.
        let last = loop.mayBeEmpty ? variable(constant(0)) : nil
        let element = openWritingLoop(loop.member, of: object)
        for register in loop.cleared { setRegister(register, to: constant(0)) }
        if let last { change(last, to: position(isReading: false)) }
        write(loop.step, of: object, element: element, from: start)
        close()
        let written = length(loop.member, "\(object)", isWhole: true)
        let exception = last.map { "(\(isSet(loop.member, of: object)) \(and) \($0) == \(position(isReading: false)))" }
        finish(loop.count, count, written: written, unless: exception, field: name)
    }

    func refuseMissing(_ field: String) {}
    func length(_ member: CodecMember, _ object: String, isWhole: Bool) -> String { "" }

    private func write(_ choice: CodecChoice, of object: String, from start: String) {
        let branch = variable(constant(0))
        var conditions: [String?] = []
        for branch in choice.branches {
            conditions.append(branch.isGuessed ? guess(branch, of: choice, object) : branch.condition.map(condition))
        }
        for (index, (own, condition)) in zip(choice.branches, conditions).enumerated() {
            if index == 0, let condition { openBranch(condition) } else { openOtherBranch(condition) }
            change(branch, to: constant(Int64(index + 1)))
            write(own.steps, of: object, from: start)
        }
        close()
        refuseOthers(choice, branch, of: object)
    }

    /// Whether the members that are set are those of a branch.
    private func guess(_ branch: CodecChoice.Branch, of choice: CodecChoice, _ object: String) -> String {
        if branch.members.isEmpty { return never }
        let always = branch.steps.flatMap(\.ownMembers)
        let isAny = condition(anyOf: branch.members.map { isSet($0, of: object) })
        guard choice.branches.count > 1 else { return isAny }
        let others = choice.branches.flatMap(\.members).filter { other in !branch.members.contains { $0 === other } }
        let isOther = others.isEmpty ? [] : [not(condition(anyOf: others.map { isSet($0, of: object) }))]
        let own = always.isEmpty ? [isAny] : always.map { isSet($0, of: object) }
        return "(\((own + isOther).joined(separator: " \(and) ")))"
    }

    /// Refuses members that are set and were not written.
    private func refuseOthers(_ choice: CodecChoice, _ branch: String, of object: String) {
        var seen: Set<ObjectIdentifier> = []
        for member in choice.branches.flatMap(\.members) where seen.insert(ObjectIdentifier(member)).inserted {
            if case .computed = member.kind { continue }
            if member.isDerived { continue }
            let own = choice.branches.indices.filter { index in
                choice.branches[index].members.contains { $0 === member }
            }
            let isElsewhere = own.map { "\(branch) != \(constant(Int64($0 + 1)))" }.joined(separator: " \(and) ")
            openBranch("(\(isElsewhere) \(and) \(isSet(member, of: object)))")
            refuse(member, of: object)
            close()
        }
    }

    var never: String { "false" }
}

extension Codec {
    /// The numbers that are written after what they count or cover.
    var patchNumbers: [Int] {
        func numbers(_ steps: [CodecStep]) -> [Int] {
            steps.flatMap { step -> [Int] in
                switch step {
                case .number(let number): number.patch == nil ? [] : [number.fieldIndex]
                case .structure(let structure): numbers(structure.steps)
                case .loop(let loop): numbers([loop.step])
                case .choice(let choice): choice.branches.flatMap { numbers($0.steps) }
                case .varint, .shared, .octets, .constant, .edge, .compute: []
                }
            }
        }
        return numbers(steps)
    }

    /// The variables with what checksums cover.
    var edgeNames: [String] {
        func numbers(_ steps: [CodecStep]) -> [Int] {
            steps.flatMap { step -> [Int] in
                switch step {
                case .number(let number): number.check.map { $0.hasEdges ? [$0.number] : [] } ?? []
                case .structure(let structure): numbers(structure.steps)
                case .loop(let loop): numbers([loop.step])
                case .choice(let choice): choice.branches.flatMap { numbers($0.steps) }
                case .varint, .shared, .octets, .constant, .edge, .compute: []
                }
            }
        }
        return numbers(steps).flatMap { ["a\($0)", "b\($0)"] }
    }

    /// Registers, in their order.
    var sortedRegisters: [Int] { registers.sorted() }
}

extension CodecStep {
    /// Members that are set whenever the step is read.
    fileprivate var ownMembers: [CodecMember] {
        switch self {
        case .number(let number), .varint(let number): number.member.map { $0.isStoredAlways ? [$0] : [] } ?? []
        case .shared(let pieces, _, _): pieces.compactMap(\.member).filter(\.isStoredAlways)
        case .octets(let octets): [octets.member]
        case .structure(let structure): [structure.member]
        case .compute, .constant, .edge, .loop, .choice: []
        }
    }
}

extension CodecMember {
    fileprivate var isStoredAlways: Bool {
        if case .number = kind { !isDerived } else { false }
    }
}

extension CodecRecord {
    var hasUnexplained: Bool {
        members.contains { if case .unexplained = $0.kind { true } else { false } }
    }
}
