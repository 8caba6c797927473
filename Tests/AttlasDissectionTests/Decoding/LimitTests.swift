import AttlasDefinitionFiles
import AttlasDefinitions
import AttlasDissection
import AttlasTestSupport
import AttlasText
import AttlasValues
import AttlasWire
import Testing

/// Values and files that somebody made to break the reader.
@Suite struct LimitTests {
    private func mistakes(_ yaml: String) -> [DefinitionMistake] {
        DefinitionLoader([DefinitionSource(path: "a.yaml", text: yaml)], above: .shipped).mistakes
    }

    @Test func structuresMayBeSixteenDeep() throws {
        func nested(_ depth: Int) -> String {
            let open = (0..<depth).map { _ in "[{ name: S, fields: " }.joined()
            let close = String(repeating: "}]", count: depth)
            return "characteristics: [{ uuid: 2A98, name: X, fields: \(open)[{ name: V, type: uint8 }]\(close) }]"
        }
        #expect(mistakes(nested(15)).isEmpty)
        try expect(Dissected(yaml: nested(15), [7]).raws.last, equals: 7)
        expect(mistakes(nested(16)).first?.message, equals: "nested more than 16 deep")
        expect(mistakes(nested(300)).count, equals: 1)
        expect(mistakes(String(repeating: "[", count: 5_000)).count, equals: 1)
        expect(mistakes(String(repeating: "{ a: ", count: 5_000)).count, equals: 1)
    }

    /// Two thousand million rounds of what takes no octet: each loop ends with the first of them.
    @Test func aDissectorThatRepeatsInsideWhatRepeatsEnds() throws {
        let inner = "{ name: I, repeat: rest, fields: [{ name: E, type: bytes, size: 0 }] }"
        let fields =
            "- { name: N, type: uint32 }\n- { name: S, repeat: N, fields: [{ name: M, repeat: 65535, fields: [\(inner)] }] }"
        let dissected = try Dissected(yaml: definition(fields), hex("FF FF FF FF 01 02 03"))
        #expect(dissected.records.count < 8_192)
        #expect(dissected.dissection.unexplained == 4..<7 || dissected.dissection.fault != nil)
    }

    @Test func aValueHasAtMost8192Fields() throws {
        let yaml = definition("- { name: A, type: uint8, repeat: rest }")
        let value = [UInt8](repeating: 1, count: 10_000)
        let dissected = try Dissected(yaml: yaml, value)
        expect(dissected.records.count, equals: 8_192)
        expect(dissected.dissection.fault?.reason, equals: .fieldLimit)
        // The buffer that grew is used again.
        #expect(try Dissected(yaml: yaml, Array(value[..<8_192])).dissection.fault == nil)
    }

    @Test func aRoundThatConsumesNothingIsTheLast() throws {
        let fields =
            "- { name: N, type: uint32 }\n- { name: S, repeat: N, fields: [{ name: E, type: bytes, size: 0 }] }"
        let dissected = try Dissected(yaml: definition(fields), hex("FF FF FF FF"))
        expect(dissected.records.count, equals: 3)
        #expect(dissected.dissection.fault == nil)
        let forever = try Dissected(yaml: definition("- { name: S, repeat: rest, fields: [] }"), [1, 2])
        expect(forever.records.count, equals: 1)
        expect(forever.dissection.unexplained, equals: 0..<2)
    }

    @Test func aHugeCountIsATruncation() throws {
        let fields = "- { name: N, type: uint64 }\n- { name: A, type: uint8, repeat: N }"
        let dissected = try Dissected(yaml: definition(fields), hex("FF FF FF FF FF FF FF 7F 01 02"))
        expect(dissected.raws.suffix(2), equals: [1, 2])
        expect(dissected.dissection.fault?.reason, equals: .truncated)
        let size = "- { name: N, type: sint8 }\n- { name: A, type: bytes, size: N }"
        try expect(Dissected(yaml: definition(size), [0xFF, 1]).dissection.fault?.reason, equals: .size)
        try expect(Dissected(yaml: definition(size), [0x7F, 1]).dissection.fault?.need, equals: 128)
        let undefined = "- { name: N, type: uint8 }\n- { name: A, type: bytes, size: 10 / N }"
        try expect(Dissected(yaml: definition(undefined), [0, 1]).dissection.fault?.reason, equals: .size)
    }

    @Test func usesThatGoRoundAreRefused() {
        let loop =
            "characteristics: [{ uuid: 2A98, name: X, fields: [{ name: A, type: uint8 }, { name: B, use: 2A98 }] }]"
        expect(mistakes(loop).first?.message, equals: "nested more than 16 deep")
        let single = "characteristics: [{ uuid: 2A98, name: X, fields: [{ name: B, use: 2A98 }] }]"
        expect(mistakes(single).count, equals: 1)
        var doubling = "characteristics:\n"
        for level in 0..<14 {
            let use = "2B\(level < 9 ? "0" : "")\(level + 1)"
            doubling += "  - uuid: 2B\(level < 10 ? "0" : "")\(level)\n    name: L\n    fields:\n"
            doubling +=
                level == 13
                ? "      - { name: A, type: uint8 }\n      - { name: B, type: uint8 }\n"
                : "      - { name: A, use: \(use) }\n      - { name: B, use: \(use) }\n"
        }
        expect(mistakes(doubling).first?.message, equals: "more than 8192 fields")
    }

    @Test func randomOctetsThroughEveryDefinition() throws {
        try RandomOctetsLongTests.expectOrder(lengths: [0, 1, 2, 5, 9, 20])
    }

    /// Every prefix of every example: a shorter value is a fault, or a complete value.
    @Test func everyPrefixOfEveryExample() throws {
        let loader = DefinitionLoader(ShippedDefinitionTests.shipped, above: .empty)
        for attribute in loader.files.flatMap(\.attributes) where !attribute.layouts.isEmpty {
            let dissector = try #require(DissectorLibrary.shipped.dissector(for: attribute.key))
            for example in attribute.examples {
                for length in 0..<example.octets.count {
                    let dissected = Dissected(dissector, Array(example.octets[..<length]), example.operation)
                    if let fault = dissected.dissection.fault {
                        #expect(fault.have <= length)
                        #expect(fault.reason != .truncated || fault.need > fault.have)
                    } else {
                        let end = dissected.records.map(\.range.upperBound).max() ?? 0
                        expect(end + dissected.dissection.unexplained.count, equals: length)
                    }
                }
            }
        }
    }
}

@Suite struct RandomOctetsLongTests {
    @Test func everyLength() throws { try Self.expectOrder(lengths: 0..<40) }

    /// Any octets through every shipped definition, in every operation: it ends, and what it says lies inside the value.
    static func expectOrder(lengths: some Sequence<Int>) throws {
        var generator = SplitMix64(seed: 0x5EED)
        var dissection = Dissection()
        var text = TextBuffer()
        for definition in DissectorLibrary.shipped.definitions {
            let dissector = try #require(DissectorLibrary.shipped.dissector(for: definition.key))
            for length in lengths {
                let value = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
                let operation = try #require(AttributeAccess.allCases.randomElement(using: &generator))
                let bytes = Bytes(value.span)
                dissector.dissect(bytes, operation: operation, into: &dissection)
                for index in 0..<dissection.count {
                    #expect(dissection[index].range.upperBound <= value.count)
                }
                #expect(dissection.unexplained.upperBound <= value.count)
                text.removeAll()
                let shown = ShownOctets(bytes, dissection, of: dissector)
                text.append(summaryOf: dissection, of: dissector, value: shown)
                text.append(jsonOf: dissection, of: dissector, value: shown)
                text.append(tableOf: dissection, of: dissector, value: shown)
                #expect(text.bytes.allSatisfy { $0 >= 0x20 || $0 == 0x0A })
            }
        }
    }
}
