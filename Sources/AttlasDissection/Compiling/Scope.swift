/// The meaning of a name in an expression.
enum Symbol {
    case field(register: UInt16)
    case bits(register: UInt16, field: Int, bits: BitField)
    case text(register: UInt16)
    /// A field that is neither an integer nor a text.
    case unusable
    /// Two things of the same name: it must be written with its field in front, "Flags.Name".
    case ambiguous([String])
}

/// The names an expression may use: those of the fields read before it, in its own structure and in those around it.
struct Scope {
    private(set) var symbols: [String: Symbol] = [:]
    /// The fields of this structure by name, for a summary; several when they exclude each other.
    private(set) var fields: [String: [UInt16]] = [:]
    private(set) var bits: [String: SummaryTemplate.Bits] = [:]
    /// Which field a flag's name belongs to so far.
    private var owners: [String: String] = [:]
    /// Registers of numbers that stay known from one round of a repetition to the next.
    private(set) var kept: [String: UInt16] = [:]

    init() {}

    /// A number that comes from elsewhere; false when the name is taken.
    mutating func add(context name: String, register: UInt16) -> Bool {
        guard symbols[name] == nil else { return false }
        symbols[name] = .field(register: register)
        return true
    }

    /// A structure inside `outer`: it sees the names around it, and its own hide them.
    init(inside outer: Scope) {
        symbols = outer.symbols
        kept = outer.kept
    }

    /// The number is 0 if no round read it.
    mutating func keep(_ name: String, register: UInt16) {
        kept[name] = register
        symbols[name] = .field(register: register)
    }

    mutating func add(_ field: FieldDefinition, index: Int, register: UInt16) {
        fields[field.name, default: []].append(UInt16(index))
        // It has a register, and is known by that name.
        if field.keptName != nil { return }
        symbols[field.name] =
            field.type.isInteger
            ? .field(register: register) : field.type.isText ? .text(register: register) : .unusable
        owners[field.name] = field.name
        for bits in field.bits {
            let full = "\(field.name).\(bits.name)"
            let symbol = Symbol.bits(register: register, field: index, bits: bits)
            self.bits[full, default: .init(bits: bits, fields: [])].fields.append(UInt16(index))
            symbols[full] = symbol
            if let owner = owners[bits.name], owner != field.name {
                symbols[bits.name] = .ambiguous(["\(owner).\(bits.name)", full])
                self.bits[bits.name] = nil
            } else if bits.name != field.name {
                owners[bits.name] = field.name
                symbols[bits.name] = symbol
                self.bits[bits.name] = self.bits[full]
            }
        }
    }

    /// Fields of one name in one structure exclude each other, so they share a register.
    func register(of field: FieldDefinition) -> UInt16? {
        guard fields[field.name] != nil else { return nil }
        switch symbols[field.name] {
        case .field(let register) where field.type.isInteger: return register
        case .text(let register) where field.type.isText: return register
        default: return nil
        }
    }

    /// Later expressions that use its names are not wrong because of its mistake.
    mutating func addWrong(_ element: Element) {
        switch element {
        case .field(let field): if fields[field.name] == nil { add(field, index: 0, register: 0) }
        case .choice(let branches): for inner in branches.flatMap(\.elements) { addWrong(inner) }
        }
    }
}
