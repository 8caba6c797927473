import AttlasWire

/// The Characteristic Presentation Format descriptor, which describes the layout of a characteristic's value without a definition. Core
/// Specification, Vol 3, Part G, 3.3.3.5.
enum PresentationFormat {
    static let fieldName = "Value"

    /// - Parameter octets: the descriptor's value: format, exponent, unit, name space and description.
    /// - Returns: one field, or nil when the format does not describe a number or text.
    static func field(of octets: [UInt8]) -> FieldDefinition? {
        guard octets.count >= 4, let type = type(of: octets[0]) else { return nil }
        var field = FieldDefinition.named(fieldName, type)
        let exponent = Int(Int8(bitPattern: octets[1]))
        if scales(octets[0]), exponent != 0 {
            guard let ratio = Scale.Ratio("10^\(exponent)") else { return nil }
            field.scale = Scale(ratio)
        }
        field.unit = Units.symbol(of: UInt16(octets[2]) | UInt16(octets[3]) << 8)
        if octets[0] == 0x01 {
            field.labels = .ranges([
                LabelledRange(first: 0, last: 0, label: "false"), LabelledRange(first: 1, last: 1, label: "true"),
            ])
        }
        return field
    }

    /// Formats shorter than an octet fill one.
    private static func type(of format: UInt8) -> FieldType? {
        switch format {
        case 0x01...0x04: .unsigned(bits: 8)
        case 0x05, 0x06: .unsigned(bits: 16)
        case 0x07: .unsigned(bits: 24)
        case 0x08: .unsigned(bits: 32)
        case 0x09: .unsigned(bits: 48)
        case 0x0A: .unsigned(bits: 64)
        case 0x0C: .signed(bits: 8)
        case 0x0D, 0x0E: .signed(bits: 16)
        case 0x0F: .signed(bits: 24)
        case 0x10: .signed(bits: 32)
        case 0x11: .signed(bits: 48)
        case 0x12: .signed(bits: 64)
        case 0x14: .float32
        case 0x15: .float64
        case 0x16: .medfloat16
        case 0x17: .medfloat32
        case 0x19: .utf8
        default: nil
        }
    }

    /// The exponent is for the integer formats of an octet and more.
    private static func scales(_ format: UInt8) -> Bool {
        0x04...0x0A ~= format || 0x0C...0x12 ~= format
    }
}
