/// What a record of a dissection refers to: a field as it is read and shown, without what only compiling needs.
///
/// An object, so that whoever shows values passes a reference and copies nothing.
public final class FieldDescription: Sendable {
    public let name: String
    public let type: FieldType
    public let unit: String?
    public let scale: Scale?
    public let labels: Labels
    public let bits: [BitField]
    public let specials: [LabelledRange]
    public let isBigEndian: Bool
    public let check: Checksum?
    public let isRepeated: Bool
    /// The bits that a condition of the definition tests: they say which fields follow, so a summary need not.
    public let layoutBits: UInt64
    /// The bits of a field of flags that nobody named.
    public let unnamedBits: UInt64
    let summary: SummaryTemplate?

    init(_ definition: FieldDefinition, layoutBits: UInt64, summary: SummaryTemplate?) {
        name = definition.name
        type = definition.type
        unit = definition.unit
        scale = definition.scale
        labels = definition.labels
        bits = definition.bits
        specials = definition.specials
        isBigEndian = definition.isBigEndian
        check = definition.check
        isRepeated = definition.isRepeated
        self.layoutBits = layoutBits
        unnamedBits = definition.unnamedBits
        self.summary = summary
    }
}
