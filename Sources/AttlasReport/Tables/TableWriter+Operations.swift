import AttlasDissection
import AttlasTrace
import AttlasValues
import AttlasWire

/// ATT PDUs, their values, and the fields of these.
extension TableWriter {
    mutating func write(_ operation: ATTOperation, _ event: borrowing Event, in trace: borrowing Trace) {
        let method = Int(operation.opcode.rawValue)
        let name = operation.opcode.definition?.name ?? "Unknown"
        if operation.hasSeveralValues {
            event.forEachAttribute(in: trace) { value in
                begin(operation.opcode, method, part: value.index, operation.server, event, in: trace) {
                    $0.append(name)
                }
                add(value.handle, value.attribute, in: trace)
                let source = add(value, in: trace)
                end(operation, isFirst: value.index == 0, in: trace)
                writeFields(source, value)
                return true
            }
        } else {
            begin(operation.opcode, method, part: 0, operation.server, event, in: trace) { $0.append(name) }
            add(operation.handle, operation.attribute, in: trace)
            writeContent(operation, event, in: trace)
        }
    }

    mutating func write(_ assembled: AssembledValue, _ event: borrowing Event, in trace: borrowing Trace) {
        let opcode = ATTOpcode(rawValue: assembled.kind == .longRead ? 0x0D : 0x19)
        event.forEachAttribute(in: trace) { value in
            begin(opcode, nil, part: 0, assembled.server, event, in: trace) { piece in
                piece.append(string: assembled.kind.rawValue)
                if assembled.outcome == .complete { return }
                piece.append(", ")
                piece.append(string: assembled.outcome.rawValue)
            }
            add(value.handle, value.attribute, in: trace)
            let source = add(value, in: trace)
            rows.addNulls(4)
            rows.end()
            writeFields(source, value)
            return true
        }
    }

    /// - Parameter method: the number of its word; nil of one that is rare.
    private mutating func begin(
        _ opcode: ATTOpcode, _ method: Int?, part: Int, _ server: ServerSide, _ event: borrowing Event,
        in trace: borrowing Trace, _ writeMethod: (inout TextBuffer) -> Void
    ) {
        self.operation += 1
        field = 0
        rows.begin(.operations)
        rows.add(self.operation)
        rows.add(event, in: trace)
        rows.add(event.direction)
        rows.add(Int(opcode.rawValue))
        if let method { rows.add(word: method, writeMethod) } else { rows.addText(writeMethod) }
        rows.add(part)
        rows.add(word: server == .peer ? 0 : 1) { $0.append(string: server.rawValue) }
    }

    private mutating func add(_ handle: AttributeHandle?, _ attribute: AttributeInfo?, in trace: borrowing Trace) {
        rows.add(handle)
        add(attribute?.service, .service, in: trace)
        add(attribute?.characteristic, .characteristic, in: trace)
        add(attribute?.descriptor, .descriptor, in: trace)
    }

    /// `value` and `text`, and the rest of the row.
    private mutating func writeContent(_ operation: ATTOperation, _ event: borrowing Event, in trace: borrowing Trace) {
        guard let octets = operation.pdu.value else {
            rows.addNulls(1)
            if case .errorResponse = operation.pdu {
                rows.addNulls(1)
            } else {
                let content = text.content(of: operation, event, in: trace)
                if content.count > 0 { rows.sink.add(text: content) } else { rows.addNulls(1) }
            }
            end(operation, isFirst: true, in: trace)
            // Characteristics that were read by their type.
            if case .readByTypeResponse = operation.pdu {
                event.forEachAttribute(in: trace) { value in
                    guard value.value != nil, let reading = text.values.read(value, in: trace) else { return true }
                    writeFields(FieldSource(reading), value)
                    return true
                }
            }
            return
        }
        guard operation.pdu.attributeValue != nil else {
            if text.values.holdsKey(event, in: trace) { rows.addNulls(1) } else { rows.sink.add(octets: octets) }
            rows.addNulls(1)
            return end(operation, isFirst: true, in: trace)
        }
        event.forEachAttribute(in: trace) { value in
            let source = add(value, in: trace)
            end(operation, isFirst: true, in: trace)
            writeFields(source, value)
            return true
        }
    }

    /// `value` and `text`.
    private mutating func add(_ value: borrowing AttributeValue, in trace: borrowing Trace) -> FieldSource? {
        if let octets = value.value, !text.values.holdsKey(value, in: trace) {
            rows.sink.add(octets: octets)
        } else {
            rows.addNulls(1)
        }
        guard let reading = text.values.read(value, in: trace) else {
            rows.addNulls(1)
            return nil
        }
        decoded.removeAll()
        decoded.append(reading, text.values.dissection)
        decoded.append(value.ending)
        rows.sink.add(text: decoded)
        return FieldSource(reading)
    }

    /// What an operation has once stands in its first row.
    private mutating func end(_ operation: ATTOperation, isFirst: Bool, in trace: borrowing Trace) {
        rows.add(isFirst ? operation.request?.frame : nil)
        rows.add(isFirst ? operation.request?.roundTrip : nil)
        if case .errorResponse(let pdu) = operation.pdu {
            rows.add(Int(pdu.errorCode.rawValue))
            rows.add(text: text.values.errorName(pdu.errorCode, operation.attribute, in: trace))
        } else {
            rows.addNulls(2)
        }
        rows.end()
    }

    // MARK: Fields

    /// What the interpreter's dissection is of.
    private struct FieldSource {
        let dissector: Dissector
        /// The octets with the fields, if they are not the value itself.
        let message: [UInt8]?

        /// nil if the value has no fields of its own: it is a part of a message.
        init?(_ reading: borrowing ValueReading) {
            guard reading.isDissected else { return nil }
            dissector = reading.dissector
            message = reading.message == nil ? nil : reading.copiedOctets
        }
    }

    private mutating func writeFields(_ source: FieldSource?, _ value: borrowing AttributeValue) {
        guard let source, let own = value.value, rows.sink.wants(.fields) else { return }
        let message = source.message ?? []
        let octets = source.message == nil ? own : Bytes(message.span)
        path.removeAll(keepingCapacity: true)
        for index in 0..<text.values.dissection.count {
            let field = text.values.dissection[index]
            guard field.field != DissectedField.unexplainedOctets else { continue }
            let definition = source.dissector.fields[Int(field.field)]
            path.removeLast(max(0, path.count - Int(field.depth)))
            if definition.type == .structure {
                path.append(definition.name)
                continue
            }
            begin(field: definition.name)
            let number = definition.type == .secret ? nil : source.dissector.number(of: field)?.double
            if let number, number.isFinite { rows.sink.add(number) } else { rows.addNulls(1) }
            rows.add(text: definition.unit)
            rows.addText { $0.append(valueOf: field, in: octets, of: source.dissector) }
            end(field)
            for bits in definition.bits {
                path.append(definition.name)
                begin(field: bits.name)
                path.removeLast()
                let number = bits.value(in: field.raw)
                rows.sink.add(Double(number))
                rows.addNulls(1)
                if let label = bits.label(of: number) {
                    rows.add(text: label)
                } else {
                    rows.addText { $0.append(decimal: number) }
                }
                end(field)
            }
        }
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

    private mutating func end(_ field: DissectedField) {
        rows.add(Int(field.offset))
        rows.add(Int(field.length))
        rows.end()
    }
}
