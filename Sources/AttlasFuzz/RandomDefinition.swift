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
        let bits = generator.once(in: 3) ? 1 + generator.below(64) : 8 * (1 + generator.below(8))
        let type =
            generator.once(in: 4) ? generator.pick(Self.types) : "\(generator.once(in: 2) ? "uint" : "sint")\(bits)"
        var parts = ["name: \(name)", "type: \(type)"]
        func add(_ part: String, once times: Int, _ generator: inout SeededGenerator) {
            if generator.once(in: times) { parts.append(part) }
        }
        let labels = "{ \(number(bits)): none, \(number(bits))..\(number(bits)): some }"
        add("special: \(labels)", once: 3, &generator)
        add("values: \(labels)", once: 4, &generator)
        add(
            "bits: { 0: A, \(generator.below(bits)): B, \(generator.below(bits))..\(generator.below(bits)): C }",
            once: 6, &generator)
        add("min: \(number(bits))", once: 5, &generator)
        add("max: \(number(bits))", once: 5, &generator)
        add("scale: \(generator.pick(["0.1", "1/64", "5 * 10^-2", "2^-63", "10^18", "-1"]))", once: 4, &generator)
        add(
            "offset: \(generator.pick(["-100", "0.5", "9223372036854775807", "-9223372036854775808"]))", once: 6,
            &generator)
        add("unit: s, since: \(generator.pick(["2000-01-01", "0001-01-01", "9999-12-31"]))", once: 8, &generator)
        add("order: big", once: 4, &generator)
        if let before = names.last, !names.isEmpty {
            add("if: \(before) \(generator.pick(["==", "<", ">="])) \(number(bits))", once: 6, &generator)
            add("repeat: \(before)\(generator.pick(["", " - 1", " * 3", " / 2"]))", once: 8, &generator)
        }
        names.append(name)
        return parts.joined(separator: ", ")
    }

    /// Near an end of a range, or any number.
    private mutating func number(_ bits: Int) -> String {
        let power = generator.once(in: 3) ? UInt64(1) << UInt64(generator.below(64)) : UInt64(1) << UInt64(bits - 1)
        let numbers: [Int128] = [0, Int128(power), Int128(power) * 2, Int128(generator.next() >> UInt64(64 - bits))]
        let number = generator.pick(numbers) + Int128(generator.below(3)) - 1
        return "\(generator.once(in: 3) ? -number : number)"
    }
}
