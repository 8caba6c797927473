import AttlasDissection
import AttlasValues
import AttlasWire

/// How the one value of a field is written, for text and for examples.
extension TextBuffer {
    /// - Parameter limit: octets or characters' octets of a string that are shown before it is cut.
    package mutating func append(
        valueOf field: DissectedField, in value: ShownOctets, of dissector: Dissector,
        format: SummaryTemplate.Format? = nil, limit: Int = .max
    ) {
        guard field.field != DissectedField.unexplainedOctets else {
            guard !value.isWithheld else { return append("withheld") }
            return append(cutHexOf: value.octets(of: field, by: dissector), limit: limit)
        }
        if let special = dissector.label(of: field.special, field: field) { return append(display: special) }
        let definition = dissector.fields[Int(field.field)]
        let octets = definition.content(of: value.octets(of: field, by: dissector))
        switch definition.type {
        case .utf8, .utf8z:
            append("\"")
            append(display: octets.prefix(limit))
            append("\"")
            if octets.count > limit { append("…") }
        case .bytes, .advertisingData:
            append(cutHexOf: octets, limit: limit)
            if definition.mayBeText { appendText(of: octets, limit: min(limit, 1 << 16) * 3) }
        case .secret: append("withheld")
        case .uuid, .uuid16:
            guard let uuid = BluetoothUUID(octets) else { return append(cutHexOf: octets, limit: limit) }
            append(uuid)
            if let name = dissector.label(of: field) ?? dissector.assignedNumbers.name(of: uuid) {
                append(" ")
                append(display: name)
            }
        case .address: append(string: BluetoothAddress(UInt64(bitPattern: field.raw), isRandom: false).description)
        case .handle:
            append(code: UInt64(bitPattern: field.raw), digits: 4)
        case .connectionHandle:
            append(code: field.raw & 0x0FFF, digits: 4)
        default:
            if definition.epoch != nil, format?.isHexadecimal != true, let time = dissector.pointInTime(of: field) {
                return append(time, separator: UInt8(ascii: " "))
            }
            append(numberOf: field, of: dissector, definition, format: format)
        }
        if format?.hasUnit == true { append(unitOf: definition) }
    }

    private mutating func append(
        numberOf field: DissectedField, of dissector: Dissector, _ definition: FieldDescription,
        format: SummaryTemplate.Format?
    ) {
        if let format, format.isHexadecimal {
            return append(hexadecimal: UInt64(bitPattern: field.raw), minimumDigits: format.minimumDigits)
        }
        if case .assigned(let table) = definition.labels, let digits = table.digits {
            return append(
                display: dissector.label(of: field) ?? "Unknown", code: UInt64(bitPattern: field.raw), digits: digits)
        }
        if let label = dissector.label(of: field) { return append(display: label) }
        guard let number = dissector.number(of: field) else { return }
        if case .ratio(let numerator, 1) = number {
            append(decimal: numerator, minimumDigits: format?.minimumDigits ?? 1)
        } else {
            append(number: number, maximumDecimals: format?.maximumDecimals)
        }
        if dissector.isUndefined(field) { append(" (undefined)") }
    }

    /// `outside the permitted range 0 to 23`, after a space.
    package mutating func append(outsideRangeOf definition: FieldDescription) {
        guard let permitted = definition.permitted else { return }
        append(" outside the permitted range ")
        append(permitted, definition.scale)
        append(unitOf: definition)
    }

    /// `0 to 23`
    mutating func append(_ range: ClosedRange<Int64>, _ scale: Scale?) {
        let (least, greatest) = range.scaled(by: scale)
        append(number: least)
        append(" to ")
        append(number: greatest)
    }

    package mutating func append(unitOf definition: FieldDescription) {
        guard let unit = definition.unit else { return }
        // Written against the number: degrees of an angle, and a vendor's "/min".
        let isAttached = unit.utf8.first == UInt8(ascii: "/") || unit.utf8.elementsEqual("°".utf8)
        if !isAttached { append(" ") }
        append(display: unit)
    }

    private mutating func append(hexadecimal value: UInt64, minimumDigits: Int) {
        let digits = max(1, (64 - value.leadingZeroBitCount + 3) / 4)
        append(repeating: UInt8(ascii: "0"), count: minimumDigits - digits)
        append(hex: value, digits: digits, uppercase: true)
    }

    private mutating func append(cutHexOf octets: Bytes, limit: Int) {
        append(spacedHexOf: octets.prefix(limit))
        guard octets.count > limit else { return }
        append(" … ")
        append(decimal: octets.count)
        append(" octets")
    }
}
