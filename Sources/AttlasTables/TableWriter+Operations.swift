import AttlasConversation
import AttlasDissection
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// ATT PDUs and their values.
extension TableWriter {
    mutating func write(_ operation: ATTOperation, _ event: borrowing Event, in trace: borrowing Trace) {
        let before = self.operation
        let method = Int(operation.opcode.rawValue)
        let name = operation.opcode.definition?.name ?? "Unknown"
        if operation.hasSeveralValues {
            event.forEachAttribute(in: trace) { value in
                begin(operation.opcode, event, in: trace)
                rows.add(word: method) { $0.append(name) }
                add(part: value.index, of: operation.server)
                add(value.handle, value.attribute, in: trace)
                let reading = add(value, in: trace)
                end(operation, isFirst: value.index == 0, in: trace)
                writeFields(reading, event, in: trace)
                return true
            }
        } else {
            begin(operation.opcode, event, in: trace)
            rows.add(word: method) { $0.append(name) }
            add(part: 0, of: operation.server)
            add(operation.handle, operation.attribute, in: trace)
            writeContent(operation, event, in: trace)
        }
        if let fault = operation.fault {
            write(fault, operation: self.operation > before ? self.operation : nil, event, in: trace)
        }
    }

    mutating func write(_ assembled: AssembledValue, _ event: borrowing Event, in trace: borrowing Trace) {
        let opcode = assembled.kind == .longRead ? ATTOpcode.readBlobResponse : .executeWriteResponse
        event.forEachAttribute(in: trace) { value in
            begin(opcode, event, in: trace)
            rows.addText { piece in
                piece.append(string: assembled.kind.rawValue)
                if assembled.outcome == .complete { return }
                piece.append(", ")
                piece.append(string: assembled.outcome.rawValue)
            }
            add(part: 0, of: assembled.server)
            add(value.handle, value.attribute, in: trace)
            let reading = add(value, in: trace)
            rows.addNulls(4)
            rows.end()
            writeFields(reading, event, in: trace)
            return true
        }
    }

    /// The columns before `method`.
    private mutating func begin(_ opcode: ATTOpcode, _ event: borrowing Event, in trace: borrowing Trace) {
        self.operation += 1
        field = 0
        rows.begin(.operations)
        rows.add(self.operation)
        rows.add(event, in: trace)
        rows.add(event.direction)
        rows.add(Int(opcode.rawValue))
    }

    /// The columns after `method`.
    private mutating func add(part: Int, of server: ServerSide) {
        rows.add(part)
        add(server)
    }

    mutating func add(_ server: ServerSide) {
        rows.add(word: server == .peer ? 0 : 1) { $0.append(string: server.rawValue) }
    }

    mutating func add(_ handle: AttributeHandle?, _ attribute: AttributeInfo?, in trace: borrowing Trace) {
        rows.add(handle)
        add(attribute?.service, .service, in: trace)
        add(attribute?.characteristic, .characteristic, in: trace)
        add(attribute?.descriptor, .descriptor, in: trace)
    }

    /// `value` and `text`, and the rest of the row.
    private mutating func writeContent(_ operation: ATTOperation, _ event: borrowing Event, in trace: borrowing Trace) {
        guard let octets = text.values.octets(of: event, in: trace) else {
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
                    writeFields(text.values.read(value, in: trace), event, in: trace)
                    return true
                }
            }
            return
        }
        guard operation.hasOneValue else {
            add(octets)
            rows.addNulls(1)
            return end(operation, isFirst: true, in: trace)
        }
        event.forEachAttribute(in: trace) { value in
            let reading = add(value, in: trace)
            end(operation, isFirst: true, in: trace)
            writeFields(reading, event, in: trace)
            return true
        }
    }

    private mutating func add(_ octets: ShownOctets?) {
        if let bytes = octets?.bytes { rows.sink.add(octets: bytes) } else { rows.addNulls(1) }
    }

    /// `value` and `text`.
    @_lifetime(copy value)
    private mutating func add(_ value: borrowing AttributeValue, in trace: borrowing Trace) -> ValueReading? {
        guard let reading = text.values.read(value, in: trace) else {
            add(text.values.octets(of: value, in: trace))
            rows.addNulls(1)
            return nil
        }
        add(reading.value)
        decoded.removeAll()
        decoded.append(reading, text.values.dissection)
        decoded.append(value.ending)
        rows.sink.add(text: decoded)
        return reading
    }

    /// Values of the operation are in its first row.
    private mutating func end(_ operation: ATTOperation, isFirst: Bool, in trace: borrowing Trace) {
        rows.add(isFirst ? operation.request?.frame : nil)
        rows.add(isFirst ? operation.request?.roundTrip : nil)
        if case .errorResponse(let pdu) = operation.pdu {
            rows.add(Int(pdu.errorCode.rawValue))
            rows.add(
                text: operation.reported?.words
                    ?? text.values.errorName(pdu.errorCode, operation.attribute, in: trace))
        } else {
            rows.addNulls(2)
        }
        rows.end()
    }
}
