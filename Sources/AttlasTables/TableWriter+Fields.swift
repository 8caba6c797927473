import AttlasConversation
import AttlasDissection
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// The fields of values, and their faults.
extension TableWriter {
    /// Writes the fields of a value that was just read.
    mutating func writeFields(_ reading: ValueReading?, _ event: borrowing Event, in trace: borrowing Trace) {
        guard let reading, reading.isDissected else { return }
        let (dissector, octets) = (reading.dissector, reading.octets)
        let isPartial = reading.isPartial
        let isFaulty = dissector.isFaulty(text.values.dissection, isPartial: isPartial)
        guard rows.sink.wants(.fields) || isFaulty && rows.sink.wants(.faults) else { return }
        path.removeAll(keepingCapacity: true)
        for index in 0..<text.values.dissection.count {
            let field = text.values.dissection[index]
            guard field.field != DissectedField.unexplainedOctets else { continue }
            let definition = dissector.fields[Int(field.field)]
            path.removeLast(max(0, path.count - Int(field.depth)))
            if definition.type == .structure {
                path.append(definition.name)
                continue
            }
            begin(field: definition.name)
            let isSecret = definition.type == .secret
            let number = isSecret ? nil : dissector.number(of: field)?.double
            if let number, number.isFinite { rows.sink.add(number) } else { rows.addNulls(1) }
            rows.add(text: definition.unit)
            rows.addText { $0.append(valueOf: field, in: octets, of: dissector) }
            rows.add(Int(field.offset))
            rows.add(Int(field.length))
            if field.special == .none {
                rows.sink.addNull()
            } else {
                rows.add(text: dissector.label(of: field.special, field: field))
            }
            let hasCheck = (definition.isGiven || field.hasWrongCheck) && !isSecret && !isPartial
            if hasCheck {
                rows.add(word: field.hasWrongCheck ? 0 : 1) { $0.append(field.hasWrongCheck ? "wrong" : "right") }
            } else {
                rows.addNulls(1)
            }
            let isOutOfRange = field.isOutOfRange && !isSecret
            let isUndefined = isFaulty && dissector.isUndefined(field)
            end(isOutOfRange: isOutOfRange, isUndefined: isUndefined, isFaulty: isFaulty)
            if isFaulty {
                if hasCheck, field.hasWrongCheck {
                    write("checksum", event, in: trace) { $0.append(display: definition.contradiction) }
                }
                if isOutOfRange {
                    write("out_of_range", event, in: trace) {
                        $0.append(display: definition.name)
                        $0.append(outsideRangeOf: definition)
                    }
                }
                if isUndefined || field.special == .reserved, !isSecret {
                    write(isUndefined ? "undefined" : "special", event, in: trace) {
                        $0.append(display: definition.name)
                        $0.append(": ")
                        $0.append(valueOf: field, in: octets, of: dissector)
                    }
                }
            }
            for bits in definition.bits {
                path.append(definition.name)
                begin(field: bits.name)
                path.removeLast()
                let number = bits.value(in: field.raw)
                rows.sink.add(Double(number))
                rows.addNulls(1)
                let label = bits.label(of: number)
                if let label { rows.add(text: label) } else { rows.addText { $0.append(decimal: number) } }
                rows.add(Int(field.offset))
                rows.add(Int(field.length))
                rows.addNulls(2)
                let isUndefined = isFaulty && label == nil && dissector.isUndefined(bits, number)
                end(isOutOfRange: false, isUndefined: isUndefined, isFaulty: isFaulty)
                if isUndefined {
                    write("undefined", event, in: trace) {
                        $0.append(display: definition.name)
                        $0.append(", ")
                        $0.append(display: bits.name)
                        $0.append(": ")
                        $0.append(decimal: number)
                        $0.append(" (undefined)")
                    }
                }
            }
        }
        if let fault = text.values.dissection.fault, !isPartial { write(fault, of: dissector, event, in: trace) }
        if case .incomplete(let error) = reading.mesh { write(error, operation: operation, event, in: trace) }
    }

    /// The field that the value ends within, or that cannot be read for another reason.
    private mutating func write(
        _ fault: DissectionFault, of dissector: Dissector, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        let definition = dissector.fields[fault.field]
        path.removeLast(max(0, path.count - fault.depth))
        begin(field: definition.name)
        rows.addNulls(1)
        rows.add(text: definition.unit)
        rows.addNulls(1)
        rows.add(fault.offset)
        rows.add(max(0, fault.have - fault.offset))
        rows.addNulls(2)
        end(isOutOfRange: false, isUndefined: false, isFaulty: true, fault)
        begin(fault: "fault", event, in: trace)
        rows.add(text: "att")
        rows.addText { piece in
            piece.append(display: definition.name)
            piece.append(": ")
            piece.append(fault.reason.text)
        }
        rows.add(fault.need)
        rows.add(fault.have)
        rows.addNulls(1)
        rows.add(operation)
        rows.add(field)
        rows.end()
    }

    /// Writes the fault of the last field.
    private mutating func write(
        _ kind: StaticString, _ event: borrowing Event, in trace: borrowing Trace,
        _ writeReason: (inout TextBuffer) -> Void
    ) {
        begin(fault: kind, event, in: trace)
        rows.add(text: "att")
        rows.addText(writeReason)
        rows.addNulls(3)
        rows.add(operation)
        rows.add(field)
        rows.end()
    }

    private mutating func begin(field name: String) {
        field += 1
        rows.begin(.fields)
        rows.add(operation)
        rows.add(field)
        let path = path
        rows.addText { piece in
            for outer in path {
                piece.append(display: outer)
                piece.append("/")
            }
            piece.append(display: name)
        }
        rows.add(text: name)
    }

    private mutating func end(
        isOutOfRange: Bool, isUndefined: Bool, isFaulty: Bool, _ fault: DissectionFault? = nil
    ) {
        rows.sink.add(isOutOfRange)
        rows.sink.add(isUndefined)
        if let fault {
            rows.add(text: fault.reason.text)
            rows.add(fault.need)
            rows.add(fault.have)
        } else {
            rows.addNulls(3)
        }
        rows.sink.add(isFaulty)
        rows.end()
    }
}
