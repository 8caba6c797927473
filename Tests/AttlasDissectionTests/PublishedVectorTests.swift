import AttlasDefinitions
import AttlasDissection
import AttlasReport
import AttlasWire
import Foundation
import Testing

/// Every value that independent implementations have published with its meaning, where the collection of them is at hand:
/// raw numbers, scaled numbers after conversion to our unit, labels, flags. Values that are wrong must not decode cleanly.
@Suite struct PublishedVectorTests {
    struct Row {
        let uuid: UInt16
        let id: String
        let tier: String
        let octets: [UInt8]
        let operation: AttributeAccess
        let decoded: [[String: Any]]

        init?(_ line: Substring) {
            guard let json = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                let uuid = (json["uuid"] as? String).flatMap({ UInt16($0, radix: 16) }),
                let hex = json["hex"] as? String
            else { return nil }
            self.uuid = uuid
            octets = ScalarText.octets(hex) ?? []
            id = json["id"] as? String ?? ""
            tier = json["tier"] as? String ?? ""
            decoded = json["decoded"] as? [[String: Any]] ?? []
            let mode = json["mode"] as? String ?? json["op"] as? String
            operation = mode.flatMap(AttributeAccess.init(word:)) ?? .read
        }
    }

    private static func rows() -> [Row] {
        let path = repository.deletingLastPathComponent().appending(path: "shared/gatt/vectors.jsonl")
        guard let text = try? String(contentsOf: path, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").compactMap(Row.init)
    }

    @Test func everyRightVectorIsMet() {
        for row in Self.rows() where ["1", "2", "3", "4"].contains(row.tier) {
            guard let dissector = DissectorLibrary.shipped.dissector(for: BluetoothUUID(row.uuid)) else {
                Issue.record("\(row.id): no definition of \(row.uuid)")
                continue
            }
            let mistakes = mistakes(of: Dissected(dissector, row.octets, row.operation), row)
            #expect(mistakes == [], "\(row.id) \(dissector.name)")
        }
    }

    @Test func noWrongVectorIsClean() throws {
        for row in Self.rows() where row.tier == "N" && Self.cleanAllTheSame[row.id] == nil {
            let dissected = try Dissected(row.uuid, row.octets, row.operation)
            let dissection = dissected.dissection
            #expect(
                dissection.fault != nil || !dissection.unexplained.isEmpty || dissection.hasReservedBits
                    || dissection.hasWrongCheck || dissected.records.contains { $0.field == .max },
                "\(row.id) \(dissected.dissector.name)")
        }
    }

    /// Wrong for a reason that no layout can tell, and why.
    private static let cleanAllTheSame: [String: String] = [:]

    // MARK: Comparison

    private func mistakes(of dissected: Dissected, _ row: Row) -> [String] {
        var mistakes: [String] = []
        if let fault = dissected.dissection.fault { mistakes.append("fault: \(fault)") }
        if !dissected.dissection.unexplained.isEmpty { mistakes.append("unexplained octets") }
        let leaves = dissected.records.filter {
            $0.field != .max && dissected.dissector.fields[Int($0.field)].type != .structure
        }
        guard leaves.count == row.decoded.count else {
            return mistakes + ["\(leaves.count) fields, \(row.decoded.count) wanted"]
        }
        for (leaf, wanted) in zip(leaves, row.decoded) {
            mistakes += self.mistakes(of: leaf, in: dissected, wanted).map { "\(wanted["field"] ?? ""): \($0)" }
        }
        return mistakes
    }

    private func mistakes(of leaf: DissectedField, in dissected: Dissected, _ wanted: [String: Any]) -> [String] {
        var mistakes: [String] = []
        let field = dissected.dissector.fields[Int(leaf.field)]
        if let raw = wanted["raw"] as? Int64, field.type != .bytes, raw != leaf.raw {
            mistakes.append("raw \(leaf.raw), wanted \(raw)")
        }
        if wanted["label"] != nil, !field.bits.isEmpty {
            // A table that names single bits as values.
        } else if let label = wanted["label"] as? String, !label.hasPrefix("Reserved") {
            if dissected.dissector.label(of: leaf) == nil, leaf.special == .none {
                mistakes.append("no label \(label)")
            }
        }
        if wanted["special"] is String, leaf.special == .none, dissected.dissector.label(of: leaf) == nil {
            mistakes.append("not special")
        }
        if let set = wanted["set"] as? [String: Any] {
            let got = field.bits.filter { $0.value(in: leaf.raw) != 0 }.count
            if got != set.count { mistakes.append("\(got) bits set, wanted \(set.count)") }
        }
        if let value = wanted["value"] as? Double, leaf.special == .none,
            let number = dissected.dissector.number(of: leaf)
        {
            let factor = Self.factors[wanted["unit"] as? String ?? ""]?[field.unit ?? ""] ?? 1
            let tolerance = field.type == .timeExponential8 ? 6e-4 : 1e-9
            if abs(number.double - value * factor) > tolerance * max(abs(value * factor), 1e-12) {
                mistakes.append("\(number.double), wanted \(value * factor)")
            }
        } else if let text = wanted["value"] as? String, [.utf8, .utf8z].contains(field.type) {
            let octets = dissected.octets[leaf.range]
            if String(decoding: octets.prefix { $0 != 0 }, as: UTF8.self) != text { mistakes.append("not \(text)") }
        }
        return mistakes
    }

    /// How much the number grows when our unit is another multiple of the specification's.
    private static let factors: [String: [String: Double]] = [
        "length.metre": ["mm": 1_000, "cm": 100, "km": 0.001], "length.meter": ["mm": 1_000],
        "time.second": ["ms": 1_000], "magnetic_flux_density.tesla": ["µT": 1e6], "energy.joule": ["kJ": 0.001],
        "amount_concentration.mole_per_litre": ["mmol/L": 1_000],
    ]
}
