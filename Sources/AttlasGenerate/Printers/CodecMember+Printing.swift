import AttlasDissection

extension CodecMember {
    /// Bits of the smallest integer type for a number of bits.
    static func storageBits(_ bits: Int) -> Int { [8, 16, 32, 64].first { $0 >= bits } ?? 64 }

    var isSigned: Bool {
        if case .number(_, let isSigned) = kind { isSigned } else { false }
    }

    /// The raw numbers that may be set.
    var permittedRange: ClosedRange<Int64> {
        guard case .number(let bits, let isSigned) = kind else { return 0...0 }
        let spare = 64 - bits
        let range = isSigned ? Int64.min >> spare...Int64.max >> spare : 0...Int64.max >> max(spare - 1, 0)
        var least = range.lowerBound
        var greatest = range.upperBound
        if case .coded(.decimalDigits(let bits)) = field?.type { greatest = NumberCode.greatestDecimal(bits: bits) }
        if case .coded(.signMagnitude) = field?.type { least += 1 }
        let limits = least...greatest
        guard let permitted = field?.permitted, permitted.overlaps(limits) else { return limits }
        return permitted.clamped(to: limits)
    }
}

extension Scale {
    /// `factor: 1, addend: 0, divisor: 10`
    var factors: String {
        let parts = parts ?? (1, 0, 1)
        return "factor: \(parts.factor), addend: \(parts.addend), divisor: \(parts.divisor)"
    }
}

extension CodecMember.Presentation {
    var isFloat32: Bool { if case .float32 = self { true } else { false } }
}

extension CodecPrinter {
    /// Sentences on a type.
    func documentation(_ record: CodecRecord) -> [String] {
        guard record === codec.root else { return ["A part of \(codec.name.pascal)."] }
        let definition = codec.definition
        var text = CodeText.comment(definition.name)
        if definition.kind != .recognizedData { text += " (\(definition.key))" }
        text += ", \(definition.kind)"
        if codec.operations.count < AttributeAccess.allCases.count {
            text += ": " + codec.operations.map(\.word).joined(separator: ", ")
        }
        var lines = [text + "."]
        if let assembly = definition.assembly, codec.operations.contains(where: assembly.operations.contains) {
            lines.append(
                codec.joining == nil
                    ? "The whole message: its parts are joined and split elsewhere."
                    : "The whole message, without its parts.")
        }
        if definition.decoder != nil {
            lines.append("The layout that applies while other attributes of the device are unknown.")
        }
        return lines
    }

    /// Sentences on a member.
    func documentation(_ member: CodecMember) -> [String] {
        switch member.kind {
        case .unexplained: return ["Octets that the definition does not explain."]
        case .context: return ["A number of another attribute, on which the layout depends."]
        default: break
        }
        guard let field = member.field else { return [] }
        var parts = [CodeText.comment(field.name)]
        if field.type != .structure { parts.append("\(field.type)") }
        if let scale = field.scale { parts.append(CodeText.comment(scale.plainDescription)) }
        if let unit = field.unit { parts.append("in " + CodeText.comment(unit)) }
        if let permitted = field.permitted { parts.append("raw \(permitted.lowerBound) to \(permitted.upperBound)") }
        if field.epoch != nil { parts.append("time since an epoch") }
        if let constant = field.constant { parts.append("always \(CodeText.hexadecimal(constant))") }
        for special in field.specials { parts.append("\(special.first): \(CodeText.comment(special.label))") }
        var lines = [parts.joined(separator: ", ") + "."]
        if case .computed = member.kind { lines.append("Set when a value is read.") }
        if case .check = member.kind { lines.append("Set if it is not computed.") }
        return lines
    }
}

extension Scale {
    /// "raw x 1/10 + 5"
    fileprivate var plainDescription: String {
        let factor = "raw x \(numerator)\(denominator == 1 ? "" : "/\(denominator)")"
        return offset.numerator == 0 ? factor : "\(factor) + \(offset)"
    }
}
