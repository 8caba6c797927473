import AttlasDissection
import AttlasValues
import AttlasWire

/// A value without context, read in one of the ways that its definition has: its operation is unknown, and whether it
/// is a message or a part of one.
package struct ContextFreeReading {
    package let operation: AttributeAccess
    let octets: [UInt8]
    /// The values that it was joined from; 0 for a value as it is, or for a whole message.
    let parts: Int
    package let dissection: Dissection
    /// Everything in it has a meaning.
    package let isClean: Bool

    private init(
        _ octets: [UInt8], parts: Int, _ operation: AttributeAccess, by dissector: Dissector, context: [Int64?]
    ) {
        var dissection = Dissection()
        dissection.context = context
        dissector.dissect(Bytes(octets.span), operation: operation, into: &dissection)
        self.operation = operation
        self.octets = octets
        self.parts = parts
        self.dissection = dissection
        isClean =
            dissection.fault == nil && dissection.unexplained.isEmpty && !dissection.hasReservedBits
            && !dissection.hasWrongCheck && !dissection.hasOutOfRange
            && (0..<dissection.count).allSatisfy {
                let field = dissection[$0]
                return field.field != DissectedField.unexplainedOctets && !dissector.isUndefined(field)
            }
    }

    /// All readings: the best fit first, then those without a fault; equals in the order of the operations, a message before a part.
    /// - Parameter values: one, or the parts of a message in their order.
    /// - Returns: nothing if several values make no message.
    package static func all(
        of values: [[UInt8]], as operation: AttributeAccess?, by dissector: Dissector, context: [Int64?]
    ) -> [ContextFreeReading] {
        var readings: [ContextFreeReading] = []
        for candidate in operation.map({ [$0] }) ?? dissector.distinctOperations {
            let message = dissector.hasParts(candidate) ? message(of: values, by: dissector) : nil
            let joined = message.map {
                ContextFreeReading($0, parts: values.count, candidate, by: dissector, context: context)
            }
            // A decrypted message was not sent as plain text.
            let isDecrypted = joined?.isClean == true && dissector.assembly?.cipher != nil
            if values.count == 1, !isDecrypted {
                readings.append(.init(values[0], parts: 0, candidate, by: dissector, context: context))
            }
            if let joined { readings.append(joined) }
        }
        func rank(_ reading: ContextFreeReading) -> Int {
            reading.isClean ? 0 : reading.dissection.fault == nil ? 1 : 2
        }
        // A part of a split message has a header that the message does not have: other fits are chance.
        return readings.enumerated().sorted { first, second in
            (rank(first.element), -first.element.parts, first.offset)
                < (rank(second.element), -second.element.parts, second.offset)
        }.map(\.element)
    }

    /// The readings that fit as well as the best one; nothing if the operation was given.
    package static func alternatives(in readings: [ContextFreeReading], as operation: AttributeAccess?)
        -> [ContextFreeReading]
    {
        guard operation == nil, readings.first?.isClean == true else { return [] }
        return readings.dropFirst().filter(\.isClean)
    }

    private static func message(of values: [[UInt8]], by dissector: Dissector) -> [UInt8]? {
        guard let assembly = dissector.assembly else { return nil }
        var assembler = MessageAssembler(assembly)
        var outcome = MessageAssembler.Outcome.stray
        for (index, value) in values.enumerated() {
            (outcome, _) = assembler.add(Bytes(value.span), frame: index + 1, at: 0)
        }
        return outcome == .complete && assembler.parts.count == values.count ? assembler.message : nil
    }

    @_lifetime(borrow self)
    fileprivate func shown(by dissector: Dissector) -> ShownOctets {
        ShownOctets(Bytes(octets.span), dissection, of: dissector)
    }

    /// `write`, `2 parts`, `the whole message`: special properties of the reading.
    fileprivate func notes(_ dissector: Dissector) -> [String] {
        var notes: [String] = []
        if dissector.distinctOperations.count > 1 { notes.append(operation.word) }
        if dissector.hasParts(operation) {
            notes.append(parts == 0 ? "the whole message" : parts == 1 ? "1 part" : "\(parts) parts")
        }
        return notes
    }
}

extension TextBuffer {
    /// The value on one line, its fields below it, and alternative readings.
    package mutating func append(
        _ reading: ContextFreeReading, also others: [ContextFreeReading], of dissector: Dissector
    ) {
        let value = reading.shown(by: dissector)
        append(display: dissector.name)
        let notes = reading.notes(dissector)
        if !notes.isEmpty { append(string: " (\(notes.joined(separator: ", ")))") }
        append("  ")
        append(summaryOf: reading.dissection, of: dissector, value: value)
        append("\n\n")
        append(tableOf: reading.dissection, of: dissector, value: value)
        for other in others {
            append("\nIt also fits: ")
            append(string: other.notes(dissector).joined(separator: ", "))
            append(": ")
            append(summaryOf: other.dissection, of: dissector, value: other.shown(by: dissector))
            append("\n")
        }
    }

    /// One object on a line.
    package mutating func append(
        json reading: ContextFreeReading, also others: [ContextFreeReading], of dissector: Dissector
    ) {
        let value = reading.shown(by: dissector)
        append("{\"uuid\":")
        append(jsonString: "\(dissector.uuid)")
        append(",\"name\":")
        append(jsonString: dissector.name)
        if dissector.distinctOperations.count > 1 {
            append(",\"operation\":")
            append(jsonString: reading.operation.word)
        }
        if reading.parts > 0 {
            append(",\"parts\":")
            append(decimal: reading.parts)
        }
        let operations = others.map(\.operation).filter { $0 != reading.operation }
        if !operations.isEmpty {
            append(",\"also_fits\":[")
            append(string: operations.map { "\"\($0.word)\"" }.joined(separator: ","))
            append("]")
        }
        if let octets = value.bytes {
            append(",\"value\":\"")
            append(hexOf: octets)
            append("\",")
        } else {
            append(",\"withheld\":true,")
        }
        append(jsonOf: reading.dissection, of: dissector, value: value)
        append("}\n")
    }
}
