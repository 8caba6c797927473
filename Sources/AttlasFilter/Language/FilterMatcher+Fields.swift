import AttlasDissection
import AttlasTrace
import AttlasValues
import AttlasWire

/// Tests of fields. For a field that the value has several times, one match is enough.
extension FilterMatcher {
    /// nil when the value has no such field, or its value is unknown.
    mutating func meets(_ test: FieldTest, _ value: borrowing AttributeValue, in trace: borrowing Trace) -> Bool? {
        var found = FoundFields(test)
        fields.forEach(test.slot, value, in: trace) { found.note($0, $1, $2, $3) }
        return found.result
    }

    /// The same for advertised data.
    mutating func meets(_ test: FieldTest, _ data: AdvertisedData) -> Bool? {
        var found = FoundFields(test)
        fields.forEach(test.slot, data) { found.note($0, $1, $2, $3) }
        return found.result
    }
}

/// The result of a test for the fields with its name.
private struct FoundFields {
    private let test: FieldTest
    private var isMet: Bool?
    private var text = FoldedText()

    init(_ test: FieldTest) { self.test = test }

    /// Whether a value has a field is known of every value.
    var result: Bool? { test.comparison == nil ? isMet ?? false : isMet }

    /// - Returns: whether to continue.
    mutating func note(
        _ record: DissectedField, _ target: FieldTarget, _ dissector: Dissector, _ octets: ShownOctets
    ) -> Bool {
        let truth =
            if let comparison = test.comparison {
                test.isMet(by: record, target, of: dissector, in: octets, comparison, using: &text)
            } else {
                target.bits.map { !$0.isFlag || $0.value(in: record.raw) != 0 } ?? true
            }
        if let truth { isMet = truth }
        return isMet != true
    }
}

extension FieldTest {
    fileprivate func isMet(
        by record: DissectedField, _ target: FieldTarget, of dissector: Dissector, in value: ShownOctets,
        _ comparison: FilterComparison, using buffer: inout FoldedText
    ) -> Bool? {
        if let bits = target.bits {
            let raw = bits.value(in: record.raw)
            if let number, comparison != .contains, comparison != .begins {
                return number.isMet(by: .ratio(numerator: Int128(raw), denominator: 1), comparison)
            }
            guard let label = bits.label(of: raw) else { return nil }
            return isMet(by: label, comparison, using: &buffer)
        }
        if let number, comparison != .contains, comparison != .begins, let found = dissector.number(of: record) {
            return number.isMet(by: found, comparison)
        }
        if comparison.isOrder { return nil }
        return isMetByText(of: record, of: dissector, in: value, comparison, using: &buffer)
    }

    /// The text of the number: a label, the meaning of a special value, the names of the flags that are set; or the text or the octets of
    /// the field.
    private func isMetByText(
        of record: DissectedField, of dissector: Dissector, in value: ShownOctets, _ comparison: FilterComparison,
        using buffer: inout FoldedText
    ) -> Bool? {
        if let special = dissector.label(of: record.special, field: record) {
            return isMet(by: special, comparison, using: &buffer)
        }
        let definition = dissector.fields[Int(record.field)]
        if !definition.bits.isEmpty {
            return definition.bits.contains { bits in
                bits.isFlag && bits.value(in: record.raw) != 0 && isMet(by: bits.name, comparison, using: &buffer)
            }
        }
        let octets = definition.content(of: value.octets(of: record, by: dissector))
        buffer.removeAll()
        switch definition.type {
        case .utf8, .utf8z: buffer.append(utf8: octets)
        case .bytes, .advertisingData: buffer.append(hexOf: octets)
        case .address: buffer.append(BluetoothAddress(UInt64(bitPattern: record.raw), isRandom: false))
        case .uuid, .uuid16:
            guard let uuid = BluetoothUUID(octets) else { return nil }
            if isMet(by: uuid.description, comparison, using: &buffer) { return true }
            let name = dissector.label(of: record) ?? dissector.assignedNumbers.name(of: uuid)
            return name.map { isMet(by: $0, comparison, using: &buffer) } ?? false
        case .structure, .use: return nil
        default:
            guard let label = dissector.label(of: record) else { return nil }
            return isMet(by: label, comparison, using: &buffer)
        }
        return buffer.meets(comparison, text)
    }

    private func isMet(by candidate: String, _ comparison: FilterComparison, using buffer: inout FoldedText) -> Bool {
        buffer.removeAll()
        buffer.append(candidate)
        return buffer.meets(comparison, text)
    }
}
