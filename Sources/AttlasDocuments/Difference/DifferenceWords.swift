import AttlasIncidents
import AttlasMetrics
import AttlasText
import AttlasValues
import AttlasWire

/// A difference between two captures in words.
extension TextBuffer {
    /// `HRM-7 C0:FF:EE:00:00:01`
    package mutating func append(_ server: CaptureSnapshot.Server) {
        append(name: server.name, server.address)
    }

    /// `HRM-7 C0:FF:EE:00:00:01`; two of them if the device was exchanged.
    package mutating func append(_ difference: CaptureDifference.ServerDifference) {
        if let first = difference.first { append(first) }
        guard let second = difference.second else { return }
        guard let first = difference.first else { return append(second) }
        if first.address != second.address {
            append(" in A, ")
            append(second)
            append(" in B")
        }
    }

    /// `Heart Rate › Heart Rate Measurement #2`
    package mutating func append(_ path: [CaptureSnapshot.Step], _ values: ValueInterpreter) {
        for (index, step) in path.enumerated() {
            if index > 0 { append(" › ") }
            append(display: step.uuid.map { values.name($0, step.kind) } ?? "no known service")
            if step.occurrence > 0 { append(" #\(step.occurrence + 1)") }
        }
    }

    /// `HRM-7 F2:F2:F2:F2:F2:F2: connection lost`; two devices if it was exchanged.
    package mutating func append(_ difference: CaptureDifference.IncidentDifference) {
        guard let incidents = difference.first ?? difference.second else { return }
        if let peer = incidents.peer {
            append(name: incidents.peerName, peer)
            if let second = difference.second, second.peer != peer {
                append(" in A, ")
                append(name: second.peerName, second.peer)
                append(" in B")
            }
            append(": ")
        }
        append(display: incidents.title)
    }

    /// `read, notify`
    package mutating func append(_ properties: CharacteristicProperties) {
        var isFirst = true
        for (property, name) in CharacteristicProperties.names where properties.contains(property) {
            if !isFirst { append(", ") }
            append(name)
            isFirst = false
        }
        if isFirst { append("no properties") }
    }

    /// `60 … 93 bpm`
    package mutating func append(_ range: FieldRanges.Range?, _ unit: String?) {
        guard let range else { return append("none") }
        append(number: range.least, maximumDecimals: 6)
        if range.least.double != range.greatest.double {
            append(" … ")
            append(number: range.greatest, maximumDecimals: 6)
        }
        if let unit { append(" \(display: unit)") }
    }

    /// `+12 %`, `−3 %`; nothing without both.
    package mutating func append(changeFrom before: Int?, to after: Int?) {
        guard let before, let after, before > 0 else { return }
        let percent = ((Double(after) / Double(before) - 1) * 100).rounded()
        append("\(percent < 0 ? "−" : "+")\(UInt64(exactly: abs(percent)) ?? .max) %")
    }
}

extension CaptureSnapshot.MeasureKey {
    /// `Heart Rate › Heart Rate Measurement`; empty without an attribute.
    package func path(_ values: ValueInterpreter, isShort: Bool = false) -> String {
        let path = attributePath(
            service: service.map { values.name($0, .service) },
            characteristic: characteristic.map { values.name($0, .characteristic) },
            descriptor: descriptor.map { values.name($0, .descriptor) }, isShort: isShort)
        return path.isEmpty && server != nil ? "unknown handles" : path
    }
}
