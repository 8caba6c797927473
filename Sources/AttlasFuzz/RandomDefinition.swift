/// A definition file that random octets choose: numbers of all widths with names, limits and scales at the ends of their ranges.
struct RandomDefinition {
    private var generator: SeededGenerator
    private var names: [String] = []

    /// - Parameter octets: Equal ones give the same file.
    init(_ octets: [UInt8]) {
        generator = SeededGenerator(seed: octets.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
    }

    private static let types = [
        "varint", "zigzag", "bcd8", "bcd32", "bcd64", "sign-magnitude-8", "sign-magnitude-40", "sign-magnitude-64",
        "medfloat16", "medfloat32", "float32", "float64", "time-exponential-8", "power-of-two-64", "handle",
        "connection-handle", "address", "uuid16", "utf8z",
    ]
    private static let lastTypes = ["utf8", "bytes", "uuid", "advertising-data", "decimal-text", "hex-text"]

    mutating func yaml() -> String {
        var lines = [
            "characteristics:", "  - uuid: F0000000-0000-4000-8000-000000000001", "    name: Random", "    fields:",
        ]
        for _ in 0..<1 + generator.below(6) { lines.append("      - { \(field()) }") }
        if generator.once(in: 3) {
            lines.append("      - { name: Rest, type: \(generator.pick(Self.lastTypes)) }")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private mutating func field() -> String {
        let name = "F\(names.count)"
        var parts = ["name: \(name)"]
        if generator.once(in: 4) {
            parts.append("type: \(generator.pick(Self.types))")
        } else {
            let bits = generator.once(in: 16) ? 1 + generator.below(64) : 8 * (1 + generator.below(8))
            let isSigned = generator.once(in: 2)
            parts += ["type: \(isSigned ? "sint" : "uint")\(bits)"] + meaning(bits, isSigned)
        }
        if generator.once(in: 4) { parts.append("order: big") }
        if let before = names.last {
            if generator.once(in: 8) {
                parts.append("if: \(before) \(generator.pick(["==", "<", ">="])) \(number(8, isSigned: false))")
            } else if generator.once(in: 8) {
                parts.append("repeat: \(before)\(generator.pick(["", " - 1", " * 3", " / 2"]))")
            }
        }
        names.append(name)
        return parts.joined(separator: ", ")
    }

    /// A member with meanings of a number, for every other field.
    private mutating func meaning(_ bits: Int, _ isSigned: Bool) -> [String] {
        let (one, two) = (number(bits, isSigned: isSigned), number(bits, isSigned: isSigned))
        let range = "\(min(one, two))..\(max(one, two))"
        let members = [
            "special: { \(range): none }", "values: { \(range): some }", "min: \(one)", "max: \(one)",
            "bits: { 0: A, \(bits - 1): B }",
            "scale: \(generator.pick(["0.1", "1/64", "5 * 10^-2", "2^-63", "10^18"]))",
            "offset: \(generator.pick(["-100", "0.5", "9223372036854775807"]))",
            "unit: s, since: \(generator.pick(["2000-01-01", "0001-01-01", "9999-12-31"]))",
        ]
        let first = generator.below(members.count)
        return generator.once(in: 2) ? [members[first]] : []
    }

    /// At an end of the range, next to it, or anywhere.
    private mutating func number(_ bits: Int, isSigned: Bool) -> Int128 {
        let least = isSigned ? -(Int128(1) << Int128(bits - 1)) : 0
        let greatest = least + (Int128(1) << Int128(bits)) - 1
        let random = least + Int128(generator.next() >> UInt64(64 - bits))
        return generator.pick(
            [least, least + 1, 0, 1, greatest - 1, greatest, random].filter { (least...greatest).contains($0) })
    }
}
