import AttlasDissection

/// Reads `check:`.
enum ChecksumReader {
    static func read(_ node: YAMLNode, type: FieldType) throws(CompileMistake) -> Checksum {
        let check = try node.scalar == nil ? parameters(node) : Checksum(named(node))
        guard type == .unsigned(bits: check.bits) || type == .coded(.hexadecimalText) else {
            throw node.mistake("\"\(check)\" is for a uint\(check.bits), or for hex-text")
        }
        return check
    }

    private static func named(_ node: YAMLNode) throws(CompileMistake) -> Checksum.Algorithm {
        let text = try node.text("a check")
        if let algorithm = Checksum.named.first(where: { $0.key == text })?.value { return algorithm }
        let words = Checksum.named.map(\.key)
        throw node.mistake(
            "expected \(words.joined(separator: ", ")) or the parameters of a CRC, found \"\(text)\""
                + NearestWord.suggestion(for: text, among: words))
    }

    /// Either an algorithm's name and the constant that a sum adds to it, or the parameters of a CRC; and the octets that it covers.
    private static func parameters(_ node: YAMLNode) throws(CompileMistake) -> Checksum {
        let ofCRC = ["width", "polynomial", "reflected"]
        let ofSum = ["modulo", "negated"]
        let mapping = try YAMLMapping(
            node, what: "a check", keys: ["algorithm"] + ofCRC + ["init", "xor"] + ofSum + ["from", "to", "before"])
        var check: Checksum
        if let algorithm = mapping["algorithm"] {
            for key in ofCRC {
                if let node = mapping[key] { throw node.mistake("\"algorithm\" and \"\(key)\" exclude each other") }
            }
            check = Checksum(try adjusted(try named(algorithm), mapping))
        } else {
            for key in ofSum {
                if let node = mapping[key] { throw node.mistake("\"\(key)\" is for a sum that \"algorithm\" names") }
            }
            let width = try mapping.required("width", of: "a check")
            let bits = try width.integer("8, 16, 24 or 32")
            guard [8, 16, 24, 32].contains(bits) else { throw width.mistake("expected 8, 16, 24 or 32, found \(bits)") }
            check = Checksum(
                .crc(
                    width: Int(bits),
                    polynomial: try number(try mapping.required("polynomial", of: "a CRC"), bits: bits),
                    initial: try number(mapping["init"], bits: bits),
                    isReflected: try mapping["reflected"]?.boolean("\"reflected\"") ?? false,
                    final: try number(mapping["xor"], bits: bits)))
        }
        check.endsBefore = try mapping["before"]?.boolean("\"before\"") ?? false
        try readCover(mapping, into: &check)
        return check
    }

    /// A number of octets, or the fields from one to another.
    private static func readCover(_ mapping: YAMLMapping, into check: inout Checksum) throws(CompileMistake) {
        if let to = mapping["to"] {
            guard let from = mapping["from"] else { throw to.mistake("\"to\" needs a field in \"from\"") }
            if let before = mapping["before"] { throw before.mistake("\"to\" and \"before\" exclude each other") }
            check.fields = Checksum.Fields(
                first: try from.text("the name of a field"), last: try to.text("the name of a field"))
        } else if let from = mapping["from"] {
            let text = try from.text("a number of octets")
            guard let octets = ScalarText.integer(text) else {
                throw from.mistake(
                    "expected a number of octets, or a field with another one in \"to\", found \"\(text)\"")
            }
            guard 0...65_535 ~= octets else { throw from.mistake("expected a number from 0 to 65535, found \(octets)") }
            check.start = Int(octets)
        }
    }

    /// A sum or an exclusive or with its start and its end.
    private static func adjusted(
        _ algorithm: Checksum.Algorithm, _ mapping: YAMLMapping
    ) throws(CompileMistake) -> Checksum.Algorithm {
        let keys = ["init", "xor", "modulo", "negated"].compactMap { mapping[$0] }
        guard let first = keys.first else { return algorithm }
        switch algorithm {
        case .crc: throw first.mistake("this key is for a sum, or for a CRC with a \"width\"")
        case .xor:
            for key in ["modulo", "negated"] {
                if let node = mapping[key] { throw node.mistake("\"\(key)\" is for a sum") }
            }
            let number = try number(mapping["init"], bits: 8) ^ number(mapping["xor"], bits: 8)
            return .xor(initial: UInt8(number))
        case .sum(var sum):
            let bits = Int64(sum.bits)
            if mapping["init"] != nil { sum.initial = UInt16(try number(mapping["init"], bits: bits)) }
            if mapping["xor"] != nil { sum.final = UInt16(try number(mapping["xor"], bits: bits)) }
            if let node = mapping["negated"] { sum.isNegated = try node.boolean("\"negated\"") }
            if let node = mapping["modulo"] {
                let modulus = try node.integer("a number from 2 on")
                guard 2...Int64(1) << bits ~= modulus else {
                    throw node.mistake("expected a number from 2 to \(Int64(1) << bits), found \(modulus)")
                }
                sum.modulus = UInt32(modulus)
            }
            return .sum(sum)
        }
    }

    private static func number(_ node: YAMLNode?, bits: Int64) throws(CompileMistake) -> UInt32 {
        guard let node else { return 0 }
        let number = try node.integer("a number of \(bits) bits")
        guard number >> bits == 0 else { throw node.mistake("expected a number of \(bits) bits, found \(number)") }
        return UInt32(number)
    }
}
