import AttlasDissection

/// Reads `check:`.
enum ChecksumReader {
    static func read(_ node: YAMLNode, type: FieldType) throws(CompileMistake) -> Checksum {
        let check = try node.scalar == nil ? parameters(node) : Checksum(named(node))
        guard type == .unsigned(bits: check.bits) else {
            throw node.mistake("\"\(check)\" is for a uint\(check.bits)")
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

    /// Either the name of an algorithm, or the parameters of a CRC; and what it covers.
    private static func parameters(_ node: YAMLNode) throws(CompileMistake) -> Checksum {
        let ofCRC = ["width", "polynomial", "init", "reflected", "xor"]
        let mapping = try YAMLMapping(node, what: "a check", keys: ["algorithm"] + ofCRC + ["from", "before"])
        var check: Checksum
        if let algorithm = mapping["algorithm"] {
            for key in ofCRC {
                if let node = mapping[key] { throw node.mistake("\"algorithm\" and \"\(key)\" exclude each other") }
            }
            check = Checksum(try named(algorithm))
        } else {
            let width = try mapping.required("width", of: "a check")
            let bits = try width.integer("8, 16, 24 or 32")
            guard [8, 16, 24, 32].contains(bits) else { throw width.mistake("expected 8, 16, 24 or 32, found \(bits)") }
            func number(_ node: YAMLNode?) throws(CompileMistake) -> UInt32 {
                guard let node else { return 0 }
                let number = try node.integer("a number of \(bits) bits")
                guard number >> bits == 0 else {
                    throw node.mistake("expected a number of \(bits) bits, found \(number)")
                }
                return UInt32(number)
            }
            check = Checksum(
                .crc(
                    width: Int(bits), polynomial: try number(try mapping.required("polynomial", of: "a CRC")),
                    initial: try number(mapping["init"]),
                    isReflected: try mapping["reflected"]?.boolean("\"reflected\"") ?? false,
                    final: try number(mapping["xor"])))
        }
        if let from = mapping["from"] {
            let octets = try from.integer("a number of octets")
            guard 0...65_535 ~= octets else { throw from.mistake("expected a number from 0 to 65535, found \(octets)") }
            check.start = Int(octets)
        }
        check.endsBefore = try mapping["before"]?.boolean("\"before\"") ?? false
        return check
    }
}
