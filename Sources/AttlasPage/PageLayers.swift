import AttlasConversation
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

extension PacketLayers {
    /// The ATT PDU of an event.
    init(
        att operation: ATTOperation, _ event: borrowing Event, _ values: inout ValueInterpreter,
        in trace: borrowing Trace
    ) {
        self.init(record: operation.pdu.bytes.copy())
        isWithheld = values.packet(of: event, in: trace)?.isWithheld ?? true
        add(att: operation.pdu.bytes, event, base: 0, in: .record, &values, in: trace)
    }

    /// A line for each field, with its octets before it, eight to a line.
    func append(to text: inout TextBuffer) {
        let octets = octets(of: .record)
        if isWithheld { text.append(string: Self.withheldReason + "\n") }
        // The bits of the opcode are in its name, and flags that are not set in their octet.
        let shown = fields.filter {
            $0.range != nil && $0.depth > 0 && !($0.depth == 2 && $0.range == 0..<1) && $0.value != "–"
        }
        var last: Range<Int>?
        let lines = shown.enumerated().map { place, field in
            let isInnermost = place + 1 == shown.count || shown[place + 1].depth <= field.depth
            guard isInnermost || field.hasOwnValue, let range = field.range,
                last.map({ $0.clamped(to: range) != range }) ?? true
            else { return octets[0..<0] }
            last = range
            return octets[range.clamped(to: octets.indices)]
        }
        let width = min(8, lines.map(\.count).max() ?? 0)
        for (field, line) in zip(shown, lines) {
            text.append(octets: line.prefix(8), width: width)
            for _ in 0..<field.depth { text.append(" ") }
            // The row names the opcode, and the fields of a value explain it.
            let isNamed = field.value.isEmpty || field.range == 0..<1 || line.isEmpty && !field.hasOwnValue
            text.append(string: isNamed ? field.name : "\(field.name): \(field.value)")
            text.append("\n")
            text.append(lines: line.dropFirst(8), of: 8)
        }
    }
}

extension PacketLayers.Field {
    /// And not that of the fields inside.
    fileprivate var hasOwnValue: Bool { !value.isEmpty && name != "Attribute Value" }
}

extension TextBuffer {
    /// Octets alone.
    mutating func append(lines octets: ArraySlice<UInt8>, of count: Int) {
        for start in stride(from: octets.startIndex, to: octets.endIndex, by: count) {
            append(octets: octets[start..<min(start + count, octets.endIndex)], width: 0)
            append("\n")
        }
    }

    fileprivate mutating func append(octets: ArraySlice<UInt8>, width: Int) {
        for octet in octets {
            append(hex: UInt16(octet), digits: 2)
            append(" ")
        }
        for _ in 0..<3 * max(0, width - octets.count) { append(" ") }
    }
}
