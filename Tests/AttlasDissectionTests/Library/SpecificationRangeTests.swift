import AttlasDefinitions
import AttlasDissection
import AttlasTestSupport
import AttlasWire
import Foundation
import Testing

/// The ranges of the definitions next to those of the GATT Specification Supplement, from a file of its facts that may be
/// anywhere (`ATTLAS_FACTS=gss_facts.jsonl swift test`): one structure on each line, with its fields.
@Suite struct SpecificationRangeTests {
    /// A range of the specification, in numbers before they are scaled.
    struct Fact {
        let uuid: UInt16
        let name: String
        let range: ClosedRange<Int64>

        init?(_ field: [String: Any], uuid: UInt16) {
            guard let range = field["range"] as? [String: String], let least = range["min"].flatMap(Double.init),
                let greatest = range["max"].flatMap(Double.init), let name = field["name"] as? String
            else { return nil }
            var factor = 1.0
            if let scale = field["scale"] as? [String: Any], !SpecificationRangeTests.unscaled.contains(uuid) {
                let parts = ["m", "d", "b"].map { (scale[$0] as? NSNumber)?.doubleValue ?? 0 }
                factor = parts[0] * pow(10, parts[1]) * exp2(parts[2])
            }
            self.uuid = uuid
            self.name = name
            // 273.15 / 0.01 is 27314.999…
            self.range =
                Int64((least / factor - 1e-6).rounded(.up))...Int64((greatest / factor + 1e-6).rounded(.down))
        }
    }

    /// The specification gives these ranges before scaling, which the other numbers of the field show.
    static let unscaled: Set<UInt16> = [0x2A0E, 0x2A12, 0x2B1B, 0x2B8D, 0x2C2F, 0x2C30]

    /// What the definitions have on purpose, and why.
    static let differences: [String: String] = [:]

    static let file = ProcessInfo.processInfo.environment["ATTLAS_FACTS"]

    private static func facts() throws -> [Fact] {
        let text = try String(contentsOfFile: try #require(file), encoding: .utf8)
        var facts: [Fact] = []
        for line in text.split(separator: "\n") {
            let structure = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            guard let uuid = (structure["uuid"] as? String).flatMap({ UInt16($0, radix: 16) }) else { continue }
            let fields = structure["fields"] as? [[String: Any]] ?? []
            facts += fields.compactMap { Fact($0, uuid: uuid) }
        }
        return facts
    }

    /// Just inside and just outside each bound, the definition says the same, or has a special value there.
    @Test(.enabled("set ATTLAS_FACTS to a file of facts of the specification") { file != nil })
    func theDefinitionsHaveTheRangesOfTheSpecification() throws {
        let facts = try Self.facts()
        #expect(facts.count > 50)
        var found: Set<String> = []
        for fact in facts {
            let key = "\(BluetoothUUID(fact.uuid)) \(fact.name)"
            let dissector = try #require(DissectorLibrary.shipped.dissector(for: BluetoothUUID(fact.uuid)), "\(key)")
            let numbers = dissector.fields.filter(\.type.isInteger)
            let fields = numbers.filter { $0.name.lowercased() == fact.name.lowercased() }
            guard let field = fields.first ?? (numbers.count == 1 ? numbers[0] : nil) else {
                Issue.record("\(key): no such field")
                continue
            }
            let bounds = [
                fact.range.lowerBound - 1, fact.range.lowerBound, fact.range.upperBound, fact.range.upperBound + 1,
            ]
            let wrong = bounds.filter { raw in
                guard field.canBe(raw), !field.specials.contains(where: { $0.contains(raw) }) else { return false }
                return (field.permitted?.contains(raw) ?? true) != fact.range.contains(raw)
            }
            if wrong.isEmpty { continue }
            found.insert(key)
            #expect(Self.differences[key] != nil, "\(key): \(fact.range), here \(String(describing: field.permitted))")
        }
        expect(found, equals: Set(Self.differences.keys))
    }
}

extension FieldDescription {
    fileprivate func canBe(_ raw: Int64) -> Bool {
        switch type {
        case .unsigned(let bits): raw >= 0 && (bits > 62 || raw < 1 << Int64(bits))
        case .signed(let bits): bits > 62 || -(1 << Int64(bits - 1))..<1 << Int64(bits - 1) ~= raw
        default: 0...255 ~= raw
        }
    }
}
