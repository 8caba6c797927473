import AttlasWire

/// The field that a record of a dissection refers to, without the data that only compiling needs.
///
/// It is an object, so that printers pass a reference and copy nothing.
public final class FieldDescription: Sendable {
    /// Name in the definition.
    public let name: String
    /// The number of structures around it in its definition.
    public let depth: Int
    /// Type and size on the air.
    public let type: FieldType
    /// Unit after scaling; nil without one.
    public let unit: String?
    /// nil if the raw number is the value.
    public let scale: Scale?
    /// Names of raw values.
    public let labels: Labels
    /// Named bits of a field of flags.
    public let bits: [BitField]
    /// Raw values that are not numbers, by name.
    public let specials: [LabelledRange]
    /// The raw values that the specification permits, besides the special ones.
    public let permitted: ClosedRange<Int64>?
    /// The number is a time: so much of its unit since then.
    public let epoch: Epoch?
    /// Most significant octet first.
    public let isBigEndian: Bool
    /// nil if the field is not a checksum.
    public let check: Checksum?
    /// The fields that the checksum covers: those of one name exclude each other; nil for all.
    let checked: CheckedFields?
    /// The octets that it has to be; nil for any.
    public let constant: [UInt8]?
    /// The octets that end it; nil for none.
    let marker: Marker?
    /// The octet that fills it up to its size; nil for none.
    let padding: UInt8?
    /// The octets that end its repetition; nil for none.
    let repetitionEnd: [UInt8]?
    /// Whether a value may have it several times.
    public let isRepeated: Bool
    /// Octets that may be text: shown as such as well, when all of them are printable.
    public let mayBeText: Bool
    /// The field's role, besides its number.
    public let role: FieldRole
    /// The bits that a condition of the definition tests: they select the fields that follow, so a summary need not show them.
    public let layoutBits: UInt64
    /// The bits of a field of flags without a name, and those next to a connection handle.
    public let unnamedBits: UInt64
    /// Every number has a name, or is undefined: not of a field that counts or measures something and has names for a few.
    let isEnumeration: Bool
    /// The same for some of its bits.
    public let hasEnumeratedBits: Bool
    /// The numbers that report a failure or announce a restart; nil if none does.
    public let outcome: FieldOutcome?
    let summary: SummaryTemplate?

    /// - Parameter isWithheld: whether the field's contents are hidden.
    init(
        _ definition: FieldDefinition, depth: Int, layoutBits: UInt64, summary: SummaryTemplate?,
        checked: CheckedFields?, isWithheld: Bool
    ) {
        name = definition.name
        self.depth = depth
        type = isWithheld ? .secret : definition.type
        unit = isWithheld ? nil : definition.unit
        scale = definition.scale
        labels = isWithheld ? .none : definition.labels
        bits = isWithheld ? [] : definition.bits
        specials = isWithheld ? [] : definition.specials
        permitted = isWithheld ? nil : definition.permitted
        epoch = isWithheld ? nil : definition.epoch
        isBigEndian = definition.isBigEndian
        check = definition.check
        self.checked = checked
        constant = isWithheld ? nil : definition.constant
        marker = definition.type == .utf8z ? Marker([0]) : definition.marker
        padding = definition.padding
        repetitionEnd = if case .toMarker(let octets) = definition.repetition { octets } else { nil }
        isRepeated = definition.isRepeated
        mayBeText = definition.mayBeText
        role = definition.role
        outcome = isWithheld ? nil : definition.outcome
        self.layoutBits = layoutBits
        unnamedBits = isWithheld ? 0 : definition.unnamedBits
        if case .ranges(let ranges) = labels {
            isEnumeration = ranges.count > 1 && unit == nil && scale == nil && bits.isEmpty
        } else {
            isEnumeration = false
        }
        hasEnumeratedBits = bits.contains { $0.labels.count > 1 }
        self.summary = summary
    }
}

extension FieldDescription {
    /// Its octets have an expected value, which is shown only where they differ.
    public var isGiven: Bool { check != nil || constant != nil }

    /// The message for a failed check: `CRC wrong`, `Start is not AA 55`.
    public var contradiction: String {
        guard let constant else { return check == nil ? "\(name) is not a number" : "\(name) wrong" }
        let octets = constant.map { ($0 < 0x10 ? "0" : "") + String($0, radix: 16, uppercase: true) }
        return "\(name) is not \(octets.joined(separator: " "))"
    }

    /// A text or octets without terminator or filling.
    @_lifetime(copy octets)
    public func content(of octets: Bytes) -> Bytes {
        if let padding { return octets.trimmed(of: padding) }
        guard let marker, octets.count >= marker.octets.count else { return octets }
        let length = octets.count - marker.octets.count
        for (index, octet) in marker.octets.enumerated() where octets[length + index] != octet { return octets }
        return octets.prefix(length)
    }
}

extension Bytes {
    /// Without the octets of this value at the end.
    @_lifetime(copy self)
    func trimmed(of padding: UInt8) -> Bytes {
        var end = count
        while end > 0, self[end - 1] == padding { end -= 1 }
        return prefix(end)
    }
}

/// The first and the last field that a checksum covers.
struct CheckedFields: Sendable {
    var first: [UInt16]
    /// With the octets of the marker that ends each, which are not covered.
    var last: [(field: UInt16, marker: Int)]
}
