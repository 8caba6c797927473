import AttlasDefinitions
import AttlasDissection
import AttlasReport
import AttlasWire
import Foundation
import Testing

/// Every value that independent implementations have published with its meaning, from a collection of them that may be
/// anywhere (`ATTLAS_VECTORS=vectors.jsonl swift test`): raw numbers, scaled numbers after conversion to our unit, labels,
/// flags. Values that are wrong must not decode cleanly.
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

    static let file = ProcessInfo.processInfo.environment["ATTLAS_VECTORS"]

    private static func rows() throws -> [Row] {
        let text = try String(contentsOfFile: try #require(file), encoding: .utf8)
        let rows = text.split(separator: "\n").compactMap(Row.init)
        #expect(!rows.isEmpty)
        return rows
    }

    /// What carried a value is rarely said: a control point's write and its indication are both tried.
    @Test(.enabled("set ATTLAS_VECTORS to a file of published values") { file != nil })
    func everyRightVectorIsMet() throws {
        for row in try Self.rows() where ["1", "2", "3", "4"].contains(row.tier) && !row.decoded.isEmpty {
            guard Self.wrong[row.id] == nil else { continue }
            guard let dissector = DissectorLibrary.shipped.dissector(for: BluetoothUUID(row.uuid)) else {
                Issue.record("\(row.id): no definition of \(row.uuid)")
                continue
            }
            // A part with its header; the definition is of the whole message.
            if case .header(let header)? = dissector.assembly?.rule, !header.isKept { continue }
            let mistakes = ([row.operation] + AttributeAccess.allCases).map { operation in
                self.mistakes(of: Dissected(dissector, row.octets, operation), row)
            }
            #expect(mistakes.contains([]), "\(row.id) \(dissector.name): \(mistakes[0])")
        }
    }

    @Test(.enabled("set ATTLAS_VECTORS to a file of published values") { file != nil })
    func noWrongVectorIsClean() throws {
        for row in try Self.rows() where row.tier == "N" && Self.cleanAllTheSame[row.id] == nil {
            let dissected = try Dissected(row.uuid, row.octets, row.operation)
            let dissection = dissected.dissection
            let isTold =
                dissection.fault != nil || !dissection.unexplained.isEmpty || dissection.hasReservedBits
                || dissection.hasWrongCheck || dissected.records.contains { $0.field == .max || $0.special != .none }
            #expect(isTold, "\(row.id) \(dissected.dissector.name)")
        }
    }

    /// Published as right, and why they are not.
    private static let wrong: [String: String] = [
        "v0296": "octets that end within an item of a report descriptor",
        "v0298": "octets that end within an item of a report descriptor",
        "v0812": "a Capabilities PDU of 5 octets; Mesh Profile 5.4.1.2 has 12",
        "v1338": "metadata of one octet for Preferred Audio Contexts, which has two",
        "v1364": "announces two ASEs and has none", "v1365": "announces an ASE and ends within it",
        "v1528": "an op code that has an ESL ID, without one", "v1529": "an op code that has an ESL ID, without one",
    ]

    /// Published as wrong, and why no layout can tell.
    private static let cleanAllTheSame: [String: String] = [
        "v0320": "a request, given to the callback for responses", "v0321": "a request with an unusual operator",
        "v0327": "a response that reports an error", "v0328": "a response that reports an error",
        "v0349": "a request, given to the callback for responses",
    ]

    /// What stands as a label in the published table and describes a number.
    private static let prose = ["Duration of", "Exercise Duration", "Defined by the service"]

    // MARK: Comparison

    private func mistakes(of dissected: Dissected, _ row: Row) -> [String] {
        var mistakes: [String] = []
        if let fault = dissected.dissection.fault { mistakes.append("fault: \(fault)") }
        if !dissected.dissection.unexplained.isEmpty { mistakes.append("unexplained octets") }
        let leaves = dissected.records.filter {
            $0.field != .max && dissected.dissector.fields[Int($0.field)].type != .structure
        }
        if leaves.count == row.decoded.count {
            for (leaf, wanted) in zip(leaves, row.decoded) {
                mistakes += self.mistakes(of: leaf, in: dissected, wanted).map { "\(wanted["field"] ?? ""): \($0)" }
            }
        } else if leaves.count == 1 {
            // One number of flags, published in equal pieces.
            let bits = UInt64(leaves[0].length) * 8 / UInt64(row.decoded.count)
            for (index, wanted) in row.decoded.enumerated() {
                let piece = UInt64(bitPattern: leaves[0].raw) >> (UInt64(index) * bits) & (1 << bits - 1)
                if wanted["raw"] as? UInt64 != piece { mistakes.append("\(index): \(piece)") }
            }
        } else {
            // Read in more detail than published, or cut elsewhere: the published numbers are all there, in their order.
            var rest = leaves[...]
            for wanted in row.decoded {
                guard let raw = wanted["raw"] as? Int64 else { continue }
                guard let place = rest.firstIndex(where: { self.raw(of: $0, in: dissected) == raw }) else {
                    mistakes.append("\(wanted["field"] ?? ""): no \(raw)")
                    break
                }
                rest = rest[(place + 1)...]
            }
        }
        return mistakes
    }

    /// Of a UUID, too, which is shown from its octets.
    private func raw(of leaf: DissectedField, in dissected: Dissected) -> Int64 {
        guard dissected.dissector.fields[Int(leaf.field)].type == .uuid, leaf.length == 2 else { return leaf.raw }
        return Int64(dissected.octets[Int(leaf.offset)]) | Int64(dissected.octets[Int(leaf.offset) + 1]) << 8
    }

    private func mistakes(of leaf: DissectedField, in dissected: Dissected, _ wanted: [String: Any]) -> [String] {
        var mistakes: [String] = []
        let field = dissected.dissector.fields[Int(leaf.field)]
        if let raw = wanted["raw"] as? Int64, field.type != .bytes, raw != self.raw(of: leaf, in: dissected) {
            mistakes.append("raw \(leaf.raw), wanted \(raw)")
        }
        if wanted["label"] != nil, !field.bits.isEmpty {
            // A table that names single bits as values.
        } else if let label = wanted["label"] as? String,
            !(Self.prose + ["Reserved"]).contains(where: { label.hasPrefix($0) })
        {
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
            let got = String(decoding: octets, as: UTF8.self).trimmingCharacters(in: ["\0"])
            if got != text.trimmingCharacters(in: ["\0"]) { mistakes.append("not \(text)") }
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
