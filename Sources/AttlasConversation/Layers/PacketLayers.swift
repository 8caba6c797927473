import AttlasDissection
import AttlasText
import AttlasValues
import AttlasWire

/// The fields of one packet, layer by layer, with the octets of each.
///
/// A new field has the range of its octets here, and its row in `PacketLayersTests`, which asks tshark for the same.
package struct PacketLayers: Sendable {
    /// Whose octets they are.
    package enum Source: Int, CaseIterable, Sendable {
        /// The packet of the record.
        case record
        /// A PDU that came in several records.
        case pdu
        /// A value that came in several PDUs.
        case message
    }

    package struct Field: Sendable {
        /// 0 of a layer; fields inside it are deeper.
        package let depth: Int
        package let name: String
        package let value: String
        package let source: Source
        /// nil for fields without octets.
        package var range: Range<Int>?
        package let style: TextStyle
    }

    /// In preorder.
    package var fields: [Field] = []
    private var octets: [Source: [UInt8]] = [:]
    /// The octets hold a key.
    package var isWithheld = false
    /// The reason for that, and the option that shows them.
    package static let withheldReason = "withheld: they hold a key (--show-keys)"

    package init(record: [UInt8]) {
        octets[.record] = record
    }

    /// None when they are withheld.
    package func octets(of source: Source) -> [UInt8] { isWithheld ? [] : octets[source] ?? [] }

    mutating func add(_ source: Source, _ octets: [UInt8]) {
        self.octets[source] = octets
    }

    package mutating func add(
        _ depth: Int, _ name: String, _ range: Range<Int>? = nil, in source: Source = .record,
        style: TextStyle = .plain, _ write: (inout TextBuffer) -> Void = { _ in }
    ) {
        var value = TextBuffer()
        write(&value)
        var title = TextBuffer()
        title.append(display: name)
        fields.append(
            Field(
                depth: depth,
                name: title.text, value: value.text,
                source: source, range: range,
                style: depth == 0 && style == .plain ? .name : style))
    }

    /// The innermost field that an octet belongs to.
    package func field(at offset: Int, in source: Source) -> Int? {
        fields.indices.last { fields[$0].source == source && fields[$0].range?.contains(offset) ?? false }
    }

    // MARK: Values by definitions

    /// The fields that a definition reads.
    /// - Parameter base: where the octets begin that were read.
    mutating func add(
        _ dissection: borrowing Dissection, of dissector: Dissector, _ value: ShownOctets, depth: Int, base: Int,
        in source: Source
    ) {
        for index in 0..<dissection.count { add(dissection[index], dissector, value, depth, base, source) }
        if !dissection.unexplained.isEmpty {
            add(depth, "unexplained", dissection.unexplained.shifted(by: base), in: source)
        }
        guard let fault = dissection.fault else { return }
        let end = max(fault.offset, min(fault.have, value.count))
        add(depth, "✗ \(dissector.fields[fault.field].name)", base + fault.offset..<base + end, in: source, style: .bad)
        {
            $0.append(fault.reason.text)
            $0.append(": needs ")
            $0.append(decimal: fault.need)
            $0.append(" octets, has ")
            $0.append(decimal: fault.have)
        }
    }

    private mutating func add(
        _ field: DissectedField, _ dissector: Dissector, _ value: ShownOctets, _ depth: Int, _ base: Int,
        _ source: Source
    ) {
        let depth = depth + Int(field.depth)
        let range = field.range.shifted(by: base)
        guard field.field != DissectedField.unexplainedOctets else {
            return add(depth, "unexplained", range, in: source)
        }
        let definition = dissector.fields[Int(field.field)]
        add(depth, definition.name, range, in: source, style: field.isOutOfRange ? .bad : .plain) {
            guard definition.type != .structure else { return }
            $0.append(valueOf: field, in: value, of: dissector, format: .withUnit, limit: 64)
            if field.isOutOfRange { $0.append(outsideRangeOf: definition) }
        }
        for bits in definition.bits {
            let number = bits.value(in: field.raw)
            add(depth + 1, bits.name, range.octets(of: bits, isBigEndian: definition.isBigEndian), in: source) {
                if let label = bits.label(of: number) {
                    $0.append(display: label)
                } else if bits.isFlag {
                    $0.append(number == 0 ? "–" : "set")
                } else {
                    $0.append(decimal: number)
                    if dissector.isUndefined(bits, number) { $0.append(" (undefined)") }
                }
            }
        }
    }
}

extension Range<Int> {
    /// Those in which bits of a number lie that they are.
    fileprivate func octets(of bits: BitField, isBigEndian: Bool) -> Range<Int> {
        let octets = Swift.min(bits.first / 8, count - 1)..<Swift.min(bits.last / 8 + 1, count)
        guard !isEmpty, !octets.isEmpty else { return self }
        return isBigEndian
            ? upperBound - octets.upperBound..<upperBound - octets.lowerBound
            : lowerBound + octets.lowerBound..<lowerBound + octets.upperBound
    }

    func shifted(by offset: Int) -> Range<Int> { lowerBound + offset..<upperBound + offset }
}
