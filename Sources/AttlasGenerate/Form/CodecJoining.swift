import AttlasDissection

/// How the parts of a message are joined, and a message is split.
struct CodecJoining {
    /// The octets of a message, of which the input has the first ones: the number of the first condition that holds. No number: not known yet.
    var needs: [(condition: LayoutTree.Expression?, octets: LayoutTree.Expression?)] = []
    var start: [UInt8]
    var end: [UInt8] = []
    var stuffing: AssemblyDefinition.OctetStuffing?
    var escape: AssemblyDefinition.Escape?
    var header: AssemblyDefinition.PartHeader?
    /// An exclusive or with it, from `keyStart` on.
    var key: [UInt8] = []
    var keyStart = 0
    let name: CodeName
    /// Whether the octets of a message depend on its first ones.
    var looksAhead: Bool { needs.contains { $0.condition != nil || $0.octets?.looksAhead == true } }

    /// nil if no code joins them.
    init?(_ assembly: AssemblyDefinition, name: CodeName) {
        start = assembly.start
        escape = assembly.escape
        self.name = name
        // Definitions with AES have no code.
        if let cipher = assembly.cipher { (key, keyStart) = (cipher.key, cipher.start) }
        func isLonger(than octets: Int) -> LayoutTree.Expression { .binary(.greater, .left, .constant(Int64(octets))) }
        func number(_ number: Int) -> LayoutTree.Expression { .constant(Int64(number)) }
        switch assembly.rule {
        case .value: needs = [(nil, .left)]
        case .total(let total): needs = [(nil, number(total))]
        case .length(let offset, let octets, let isBigEndian, let plus):
            let places = isBigEndian ? Array(offset..<offset + octets) : (offset..<offset + octets).reversed()
            let length = places.dropFirst().reduce(LayoutTree.Expression.next(places[0])) {
                .binary(.add, .binary(.multiply, $0, .constant(256)), .next($1))
            }
            let whole = plus == 0 ? length : .binary(.add, length, number(plus))
            needs = [(isLonger(than: offset + octets - 1), whole), (nil, nil)]
        case .kind(let offset, let lengths, let otherwise):
            needs = [(.not(isLonger(than: offset)), nil)]
            for length in lengths {
                let kind = LayoutTree.Expression.next(offset)
                let isAfter = LayoutTree.Expression.binary(.greaterOrEqual, kind, number(length.kinds.lowerBound))
                let isBefore = LayoutTree.Expression.binary(.lessOrEqual, kind, number(length.kinds.upperBound))
                let isEqual = LayoutTree.Expression.binary(.equal, kind, number(length.kinds.lowerBound))
                needs.append(
                    (length.kinds.count == 1 ? isEqual : .binary(.and, isAfter, isBefore), number(length.octets)))
            }
            needs.append((nil, otherwise.map(number) ?? .left))
        case .terminator(let octets): end = octets
        case .header(let header):
            guard header.lengths.isEmpty else { return nil }
            self.header = header
        case .stuffed(let stuffing):
            self.stuffing = stuffing
            end = [stuffing.end]
        }
    }
}

extension Codec {
    /// nil without parts, or if no code joins them.
    var joining: CodecJoining? {
        guard let assembly = definition.assembly, operations.contains(where: assembly.operations.contains) else {
            return nil
        }
        return CodecJoining(assembly, name: name)
    }
}

extension CodecForm {
    var hasJoining: Bool { codecs.contains { $0.joining != nil } }
}
