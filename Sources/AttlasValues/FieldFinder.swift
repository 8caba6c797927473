import AttlasDissection
import AttlasTrace
import AttlasWire

/// A field, or some bits of one, that goes by a name.
public struct FieldTarget: Sendable {
    /// Index into `Dissector.fields`.
    let field: UInt16
    /// The bits that the name belongs to; nil if it is the field's own.
    public let bits: BitField?

    /// Index into `Dissector.fields`.
    public var index: Int { Int(field) }
}

/// Finds named fields in values, whatever describes them: a definition or other attributes of the device. Which fields a
/// name means is looked up once for each layout, and a value is read once for each event.
public struct FieldFinder {
    private let names: [FoldedText]
    private var values: ValueInterpreter
    /// For each type of attribute, by the trace's number of the UUID, the layout that read its last value.
    private var layouts: [Layout?] = []
    /// The result of the value that was read last.
    private var last: Read?

    private struct Layout {
        let dissector: Dissector
        /// For each name.
        let targets: [[FieldTarget]]
    }

    private struct Read {
        /// Which of the event's attributes.
        let index: Int
        /// nil when it has no fields.
        let dissector: Dissector?
        /// The message that the value completes, which has the fields.
        let message: KeptValue?
        let isPartial: Bool
    }

    /// - Parameter names: the fields to find, in any letter case.
    public init(names: [String], values: ValueInterpreter) {
        self.names = names.map { FoldedText($0) }
        self.values = values
    }

    /// The last reading.
    public var dissection: Dissection {
        @inline(__always) _read { yield values.dissection }
    }

    /// nil if the event carries no value of the attribute.
    @_lifetime(copy value)
    public mutating func octets(of value: borrowing AttributeValue, in trace: borrowing Trace) -> ShownOctets? {
        last = nil
        return values.octets(of: value, in: trace)
    }

    /// Whether one of the values that the event carries is withheld.
    public mutating func withholdsOctets(of event: borrowing Event, in trace: borrowing Trace) -> Bool {
        last = nil
        return values.octets(of: event, in: trace)?.isWithheld ?? false
    }

    /// Ends the event: the last reading belongs to it.
    public mutating func beginEvent() {
        last = nil
    }

    /// The dissector of the value, or of the message that it completes; nil if it has no fields.
    public mutating func read(_ value: borrowing AttributeValue, in trace: borrowing Trace) -> Dissector? {
        if let last, last.index == value.index { return last.dissector }
        guard let reading = values.read(value, in: trace), reading.isDissected else {
            last = Read(index: value.index, dissector: nil, message: nil, isPartial: value.isPartial)
            return nil
        }
        last = Read(
            index: value.index, dissector: reading.dissector,
            message: reading.isMessage ? KeptValue(reading, values.dissection) : nil, isPartial: reading.isPartial)
        return reading.dissector
    }

    /// Whether the value, or the message that it completes, ends within a field.
    public mutating func hasFault(_ value: borrowing AttributeValue, in trace: borrowing Trace) -> Bool {
        guard read(value, in: trace) != nil, let last else { return false }
        return dissection.fault != nil && !last.isPartial
    }

    /// Calls `body` with each record of the value that goes by the name at `slot`, and the octets it is of, as long as it
    /// returns true.
    public mutating func forEach(
        _ slot: Int, _ value: borrowing AttributeValue, in trace: borrowing Trace,
        _ body: (DissectedField, FieldTarget, Dissector, ShownOctets) -> Bool
    ) {
        guard let type = value.type, let octets = value.octets, let dissector = values.dissector(of: value, in: trace)
        else { return }
        // Nothing is read for a name that the layout does not have.
        let targets = targets(slot, of: dissector, type)
        guard !targets.isEmpty, read(value, in: trace) != nil, let last else { return }
        if let message = last.message {
            forEach(targets, dissector, message.octets, body)
        } else {
            forEach(targets, dissector, ShownOctets(octets, dissection, of: dissector), body)
        }
    }

    /// The same for advertised data.
    public mutating func forEach(
        _ slot: Int, _ data: AdvertisedData, _ body: (DissectedField, FieldTarget, Dissector, ShownOctets) -> Bool
    ) {
        last = nil
        var all = data.manufacturerData.map { manufacturer in
            let reading = values.reading(of: manufacturer, in: data)
            return (reading.dissector, reading.octets)
        }
        all += data.serviceData.map { (values.serviceDataDissector($0.uuid), $0.data) }
        all += data.others.map { (values.structureDissector($0.type), $0.data) }
        for case (let dissector?, let octets) in all {
            let targets = dissector.targets(called: names[slot])
            guard !targets.isEmpty else { continue }
            let bytes = Bytes(octets.span)
            values.dissect(advertised: bytes, dissector)
            forEach(targets, dissector, ShownOctets(bytes, isWithheld: false), body)
        }
    }

    private func forEach(
        _ targets: [FieldTarget], _ dissector: Dissector, _ octets: ShownOctets,
        _ body: (DissectedField, FieldTarget, Dissector, ShownOctets) -> Bool
    ) {
        for index in 0..<dissection.count {
            let record = dissection[index]
            for target in targets where target.field == record.field {
                if !body(record, target, dissector, octets) { return }
            }
        }
    }

    private mutating func targets(_ slot: Int, of dissector: Dissector, _ type: UUIDIndex) -> [FieldTarget] {
        let place = Int(type.value)
        if place < layouts.count, let layout = layouts[place], layout.dissector === dissector {
            return layout.targets[slot]
        }
        while layouts.count <= place { layouts.append(nil) }
        let targets = names.map { dissector.targets(called: $0) }
        layouts[place] = Layout(dissector: dissector, targets: targets)
        return targets[slot]
    }
}

extension Dissector {
    fileprivate func targets(called name: FoldedText) -> [FieldTarget] {
        var targets: [FieldTarget] = []
        for (index, field) in fields.enumerated() {
            guard let index = UInt16(exactly: index) else { break }
            if FoldedText(field.name) == name { targets.append(FieldTarget(field: index, bits: nil)) }
            for bits in field.bits where FoldedText(bits.name) == name {
                targets.append(FieldTarget(field: index, bits: bits))
            }
        }
        return targets
    }
}
