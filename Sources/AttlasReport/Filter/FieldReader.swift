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

/// Finds named fields in values. Which fields a name means in each definition is looked up once, and a value is dissected
/// once for each event.
struct FieldReader {
    private let names: [FoldedText]
    private let values: ValueReader
    /// The message that the event completes, when its values are parts of messages.
    private var message: [UInt8]?
    private(set) var dissection = Dissection()
    /// By the trace's number of the UUID.
    private var known: [Known?] = []
    /// Which of the event's attributes the dissection belongs to.
    private var dissected: Int?

    private struct Known {
        let dissector: Dissector?
        /// For each name.
        let targets: [[FieldTarget]]
    }

    /// - Parameter names: the fields to find, in any letter case.
    init(names: [String], values: ValueReader) {
        self.names = names.map { FoldedText($0) }
        self.values = values
    }

    /// What was dissected belongs to the event before.
    mutating func beginEvent() {
        dissected = nil
    }

    /// What reads the value, when a definition does: the value, or the message that it completes, is dissected then.
    mutating func dissect(_ subject: borrowing Subject, in trace: borrowing Trace) -> Dissector? {
        guard subject.isDissectable, let value = subject.value, let type = subject.type else { return nil }
        learn(type, in: trace)
        guard let dissector = known[Int(type.value)]?.dissector else { return nil }
        guard dissected != subject.index else { return dissector }
        message = nil
        let attribute = subject.attribute
        if !dissector.context.isEmpty {
            dissection.context =
                attribute.map { values.memory.context(of: dissector, ValuePlace($0), in: trace) } ?? []
        }
        if dissector.hasParts(subject.access) {
            guard let attribute, case .complete(let octets, _)? = values.memory.finding(attribute)?.message else {
                return nil
            }
            message = octets
            dissector.dissect(Bytes(octets.span.bytes), operation: subject.access, into: &dissection)
        } else {
            dissector.dissect(value, operation: subject.access, into: &dissection)
        }
        dissected = subject.index
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
        guard let type = subject.type, subject.isDissectable else { return }
        learn(type, in: trace)
        // Nothing is read for a name that the definition does not have.
        guard let targets = known[Int(type.value)]?.targets[slot], !targets.isEmpty,
            let dissector = dissect(subject, in: trace), let value = subject.value
        else { return }
        let message = message ?? []
        let octets = message.isEmpty ? value : Bytes(message.span.bytes)
        for index in 0..<dissection.count {
            let record = dissection[index]
            for target in targets where target.field == record.field {
                if !body(record, target, dissector, octets) { return }
            }
        }
    }

    private mutating func learn(_ type: UUIDIndex, in trace: borrowing Trace) {
        let place = Int(type.value)
        while known.count <= place { known.append(nil) }
        guard known[place] == nil else { return }
        let dissector = values.library.dissector(for: trace.uuids[type])
        let targets = names.map { name in dissector.map { $0.targets(called: name) } ?? [] }
        known[place] = Known(dissector: dissector, targets: targets)
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
