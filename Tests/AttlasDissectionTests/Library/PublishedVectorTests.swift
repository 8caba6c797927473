import AttlasDefinitions
import AttlasDissection
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
                || dissection.hasWrongCheck || dissection.hasOutOfRange
                || dissected.records.contains { $0.field == .max || $0.special != .none }
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

    /// The same thing in other words: published, ours.
    private static let equivalents: [String: Set<String>] = {
        let pairs = [
            // A flag that says that a field is present, or what unit or size one has.
            ("Temperature Type Flag", "Temperature Type Present"), ("Time Stamp Flag", "Time Stamp Present"),
            ("Pulse Rate Flag", "Pulse Rate Present"), ("User ID Flag", "User ID Present"),
            ("Measurement Status Flag", "Measurement Status Present"), ("Meal Flag:", "Meal Present"),
            ("Exercise Flag:", "Exercise Present"), ("Heart Rate Value Format:", "Heart Rate Value Format uint16"),
            ("Intermediate Cuff Pressure Units Flag", "Blood Pressure Units kPa"), ("Measurement Units:", "Imperial"),
            ("Walking or Running Status:", "Running"), ("Coordinate system (1 = local)", "Coordinate System"),
            ("Source of Change (1 = external)", "Source of Change"),
            ("Source of Change (1 = client)", "Source of Change"), ("Metadata changed", "Object Metadata Changed"),
            ("Hearing Aid Type (0 binaural 1 monaural 2 banded)", "Hearing Aid Type"),
            // The states of a blood pressure measurement.
            ("Body Movement Detection Flag", "Body Movement Detected"), ("Cuff Fit Detection Flag", "Cuff Too Loose"),
            ("Irregular Pulse Detection Flag", "Irregular Pulse Detected"),
            ("Pulse Rate Range Detection Flags", "Pulse Rate Range"),
            ("Measurement Position Detection Flag", "Improper Measurement Position"),
            ("Charging Fault Reason", "Charging Fault in the External Power Source"),
            ("Left Ctrl", "Left Control"),
            // What a cooking zone can be set to, in sentences.
            (
                "If set to 1, then the cooking zone can be controlled by setting a power level (e.g., in cooktops)",
                "Power Level Supported"
            ),
            (
                "If set to 1, then the cooking zone can be controlled by setting a target temperature (e.g., in ovens)",
                "Target Temperature Supported"
            ),
            (
                "If set to 1, then the cooking zone supports setting the blower fan airflow",
                "Blower Fan Airflow Supported"
            ),
            ("the cooking zone does not support execution of the control loop", "no control loop"),
            ("Heating Unknown / Other", "Heating Unknown or Other"),
            // What is not known.
            ("the year is not known", "unknown year"), ("Year is not known", "unknown year"),
            ("Month is not known", "unknown month"), ("Day of Month is not known", "unknown day"),
            ("value is not known", "not known"), ("No field is selected", "None"),
            // Op codes, modes and reasons.
            ("Boot", "Boot Protocol Mode"), ("Report", "Report Protocol Mode"), ("HTTP GET", "HTTP GET Request"),
            ("HTTP POST", "HTTP POST Request"),
            ("Delete bond of requesting device (BR/EDR+LE)", "Delete Bond of Requesting Device (BR/EDR and LE)"),
            ("Delete all bonds (BR/EDR+LE)", "Delete All Bonds (BR/EDR and LE)"),
            ("Delete all but active (BR/EDR+LE)", "Delete All but the Active Bond (BR/EDR and LE)"),
            ("only RPAs will be used after bonding", "only resolvable private addresses after bonding"),
            ("Remote ended", "remote party ended the call"), ("Client terminated", "client terminated the call"),
            ("Unsupported Configuration Parameter", "Unsupported Configuration Parameter Value"),
            ("No change in acceleration detected", "No Change in Acceleration"),
            ("Change in acceleration detected", "Change in Acceleration"),
        ]
        // "X Support" and "X support bit:" are "X Supported".
        let supported = [
            "Body Movement Detection", "Cuff Fit Detection", "Irregular Pulse Detection", "Pulse Rate Range Detection",
            "Measurement Position Detection", "Multiple Bond", "E2E-CRC", "User Data Service", "User Facing Time",
            "General Device Fault", "Sensor Read Interrupt Detection", "Sensor Result High-Low Detection",
            "Sensor Strip Type Error Detection", "Sensor Temperature High-Low Detection", "Time Fault",
            "Low Battery Detection During Measurement", "Sensor Malfunction Detection",
        ]
        var equivalents: [String: Set<String>] = [:]
        for (published, ours) in pairs
            + supported.flatMap({
                [("\($0) Support", "\($0) Supported"), ("\($0) support bit:", "\($0) Supported")]
            })
        {
            equivalents[plain(published), default: []].insert(plain(ours))
        }
        return equivalents
    }()

    /// A label in the published table and describes a number.
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
                let places = rest.indices.filter { self.raw(of: rest[$0], in: dissected) == raw }
                guard let place = places.first(where: { self.mistakes(of: rest[$0], in: dissected, wanted).isEmpty })
                else {
                    let others = places.first.map { self.mistakes(of: rest[$0], in: dissected, wanted) }
                    mistakes.append("\(wanted["field"] ?? ""): no \(raw) \(others ?? [])")
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
        if let label = wanted["label"] as? String, label.hasPrefix("Reserved") {
            let got = self.label(of: leaf, in: dissected)
            if let got { mistakes.append("label \(got) for what is reserved") }
        } else if let label = wanted["label"] as? String, !Self.prose.contains(where: { label.hasPrefix($0) }) {
            let got = self.label(of: leaf, in: dissected)
            if !Self.isSame(got ?? "", label) { mistakes.append("label \(got ?? "none"), wanted \(label)") }
        }
        if let special = wanted["special"] as? String {
            let got = self.label(of: leaf, in: dissected)
            if !Self.isSame(got ?? "", special) { mistakes.append("special \(got ?? "none"), wanted \(special)") }
        }
        if let set = wanted["set"] as? [String: Any] {
            let got = field.bits.filter { $0.value(in: leaf.raw) != 0 }.map(\.name).sorted()
            let missing = set.keys.filter { name in !got.contains { Self.isSame($0, name) } }
            if got.count != set.count || !missing.isEmpty { mistakes.append("set \(got), wanted \(set.keys.sorted())") }
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

    /// What stands for a number: a label, the meaning of a special value, the flags that are set.
    private func label(of leaf: DissectedField, in dissected: Dissected) -> String? {
        if let special = dissected.dissector.label(of: leaf.special, field: leaf) { return special }
        if let label = dissected.dissector.label(of: leaf) { return label }
        let bits = dissected.dissector.fields[Int(leaf.field)].bits.filter { $0.value(in: leaf.raw) != 0 }
        return bits.isEmpty ? nil : bits.map(\.name).joined(separator: ", ")
    }

    /// But for letter case, punctuation and the pairs that were looked at.
    private static func isSame(_ ours: String, _ published: String) -> Bool {
        plain(ours) == plain(published) || equivalents[plain(published)]?.contains(plain(ours)) ?? false
    }

    private static func plain(_ text: String) -> String {
        text.lowercased().filter { $0.isLetter || $0.isNumber }
    }

    /// How much the number grows when our unit is another multiple of the specification's.
    private static let factors: [String: [String: Double]] = [
        "length.metre": ["mm": 1_000, "cm": 100, "km": 0.001], "length.meter": ["mm": 1_000],
        "time.second": ["ms": 1_000], "magnetic_flux_density.tesla": ["µT": 1e6], "energy.joule": ["kJ": 0.001],
        "amount_concentration.mole_per_litre": ["mmol/L": 1_000],
    ]
}
