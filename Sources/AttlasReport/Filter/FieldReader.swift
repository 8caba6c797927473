import AttlasDissection
import AttlasTrace
import AttlasWire

/// A field, or some bits of one, that goes by a name.
struct FieldTarget {
    /// Index into `Dissector.fields`.
    let field: UInt16
    /// The bits that the name belongs to; nil when it is the field's own.
    let bits: BitField?

    var index: Int { Int(field) }
}

/// Finds named fields in values, whatever describes them: a definition or other attributes of the device. Which fields a
/// name means is looked up once for each layout, and a value is dissected once for each event.
struct FieldReader {
    private let names: [FoldedText]
    private var values: ValueReader
    /// The message that the event completes, when its values are parts of messages.
    private var message: [UInt8]?
    /// Of each type of attribute, by the trace's number of the UUID, what read its last value.
    private var layouts: [Layout?] = []
    /// Which of the event's attributes the dissection belongs to, and what reads it.
    private var dissected: (index: Int, dissector: Dissector?)?

    private struct Layout {
        let dissector: Dissector
        /// For each name.
        let targets: [[FieldTarget]]
    }

    /// - Parameter names: the fields to find, in any letter case.
    init(names: [String], values: ValueReader) {
        self.names = names.map { FoldedText($0) }
        self.values = values
    }

    var dissection: Dissection {
        _read { yield values.dissection }
    }

    /// What was dissected belongs to the event before.
    mutating func beginEvent() {
        dissected = nil
    }

    /// What reads the value: the value, or the message that it completes, is dissected then.
    mutating func dissect(_ subject: borrowing Subject, in trace: borrowing Trace) -> Dissector? {
        if let dissected, dissected.index == subject.index { return dissected.dissector }
        guard subject.isDissectable, let type = subject.type else { return nil }
        let attribute = subject.attribute
        guard let dissector = values.dissector(type, attribute.map { ValuePlace($0) }, in: trace) else { return nil }
        return dissect(subject, dissector, in: trace)
    }

    private mutating func dissect(
        _ subject: borrowing Subject, _ dissector: Dissector, in trace: borrowing Trace
    ) -> Dissector? {
        guard let value = subject.value else { return nil }
        let attribute = subject.attribute
        message = nil
        if dissector.hasParts(subject.access) {
            message = values.message(attribute)
            guard let message else {
                dissected = (subject.index, nil)
                return nil
            }
            values.dissect(
                Bytes(message.span), dissector, subject.access, at: attribute.map { ValuePlace($0) }, in: trace)
        } else {
            values.dissect(value, dissector, subject.access, at: attribute.map { ValuePlace($0) }, in: trace)
        }
        dissected = (subject.index, dissector)
        return dissector
    }

    mutating func hasFault(_ subject: borrowing Subject, in trace: borrowing Trace) -> Bool {
        guard dissect(subject, in: trace) != nil else { return false }
        return dissection.fault != nil && !subject.isPartial
    }

    /// Calls `body` with each record of the value that goes by the name at `slot`, and the octets it is of, as long as it
    /// returns true.
    mutating func forEach(
        _ slot: Int, _ subject: borrowing Subject, in trace: borrowing Trace,
        _ body: (DissectedField, FieldTarget, Dissector, Bytes) -> Bool
    ) {
        guard let type = subject.type, subject.isDissectable, let value = subject.value else { return }
        let attribute = subject.attribute
        guard let dissector = values.dissector(type, attribute.map { ValuePlace($0) }, in: trace) else { return }
        // Nothing is read for a name that the layout does not have.
        let targets = targets(slot, of: dissector, type)
        if targets.isEmpty { return }
        if dissected?.index != subject.index { _ = dissect(subject, dissector, in: trace) }
        guard dissected?.dissector != nil else { return }
        let message = message ?? []
        let octets = message.isEmpty ? value : Bytes(message.span)
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
