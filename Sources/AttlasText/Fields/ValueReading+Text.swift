import AttlasDissection
import AttlasValues
import AttlasWire

/// The reading of a value, in one line.
extension TextBuffer {
    /// The fields, of a message in parts how far it has come, and the rates.
    package mutating func append(_ reading: borrowing ValueReading, _ dissection: borrowing Dissection) {
        if let message = reading.message {
            append(message, reading, dissection)
        } else {
            append(
                summaryOf: dissection, of: reading.dissector, value: reading.octets, isPartial: reading.isPartial)
        }
        for rate in reading.rates {
            append(" · ")
            append(rate)
        }
        if let mesh = reading.mesh {
            append(" · ")
            append(mesh)
        }
    }

    /// A value that was kept: its fields, or its octets.
    package mutating func append(_ value: KeptValue, limit: Int) {
        guard let (dissector, dissection) = value.fields else { return append(value.octets, limit: limit) }
        append(summaryOf: dissection, of: dissector, value: value.octets, isPartial: value.isPartial)
    }

    package mutating func append(_ ending: AttributeValue.Ending) {
        switch ending {
        case .whole: break
        case .mayContinue: append(" · more may follow")
        // The fault of the PDU reports the missing part.
        case .cut: append(" · …")
        }
    }

    private mutating func append(
        _ message: MessageState, _ reading: borrowing ValueReading, _ dissection: borrowing Dissection
    ) {
        switch message {
        case .part(let number, let have, let need):
            append("part ")
            append(decimal: number)
            append(" · ")
            append(decimal: have)
            if let need {
                append(" of ")
                append(decimal: need)
            }
            append(" octets · ")
            append(reading.value, limit: 20)
        case .complete(_, let frames):
            append(summaryOf: dissection, of: reading.dissector, value: reading.octets)
            if frames.count > 1 {
                append(" (")
                append(decimal: frames.count)
                append(" parts)")
            }
        case .stray:
            append("✗ continues a message whose beginning is not there · ")
            append(reading.value, limit: 20)
        }
        guard let loss = reading.loss else { return }
        append(" · ✗ the message before was not completed: ")
        append(string: loss.rawValue)
    }

    /// `Wheel Speed ≈ 212.6 /min`
    private mutating func append(_ rate: DerivedRate) {
        append(display: rate.field.name)
        append(" ≈ ")
        append(number: .float64(rate.value))
        guard let unit = rate.field.unit else { return }
        if !unit.hasPrefix("/") { append(" ") }
        append(display: unit)
    }
}
