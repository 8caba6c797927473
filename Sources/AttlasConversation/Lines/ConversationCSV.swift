import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// The conversation as a table: a row for each ATT operation, under a row of names. An operation that carries the values of several
/// attributes has a row for each; values of the operation are in the first of them, so that nothing counts twice.
///
/// The columns have the contents of the NDJSON keys of the same names. Octets and handles are hexadecimal and begin with 0x: a spreadsheet
/// would take `1e10` for a number. An operation without an octet of value has an empty cell, a value without octets has `0x`.
public struct ConversationCSV: LineSink {
    private var csv = CSVWriter()
    /// Formats a list of attributes as in the conversation.
    private var text: ConversationText
    private let file: String?

    /// - Parameters:
    ///   - file: the capture's name in a separate column, when there are several.
    ///   - hasHeader: false for all captures but the first of a table.
    package init(values: ValueInterpreter, file: String?, hasHeader: Bool) {
        text = ConversationText(values: values, options: .init())
        self.file = file
        guard hasHeader else { return }
        if file != nil { csv.string("file") }
        for column in Self.columns { csv.string(column) }
        csv.endLine()
    }

    private static let columns = [
        "frame", "time", "connection", "direction", "peer", "method", "service", "characteristic", "descriptor",
        "handle",
        "value", "decoded", "rtt_us", "error",
    ]

    /// Finished rows.
    public var lines: TextBuffer {
        @inline(__always) _read { yield csv.text }
        @inline(__always) _modify { yield &csv.text }
    }

    /// Nothing: rows have no groups.
    public func separateGroups() {}

    @inlinable public var wantsPackets: Bool { false }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        guard case .att(let operation) = event.detail else { return }
        if operation.hasSeveralValues {
            event.forEachAttribute(in: trace) { value in
                begin(operation, event, value.handle, value.attribute, in: trace)
                write(value, in: trace)
                end(operation, isFirst: value.index == 0, in: trace)
                return true
            }
        } else {
            begin(operation, event, operation.handle, operation.attribute, in: trace)
            writeContent(operation, event, in: trace)
            end(operation, isFirst: true, in: trace)
        }
    }

    /// The columns before `value`.
    private mutating func begin(
        _ operation: ATTOperation, _ event: borrowing Event, _ handle: AttributeHandle?, _ attribute: AttributeInfo?,
        in trace: borrowing Trace
    ) {
        if let file { csv.string(file) }
        csv.begin(event, in: trace)
        if let index = event.connection { csv.number(trace.connections[index].number) } else { csv.empty() }
        csv.write { $0.append(event.direction.word) }
        csv.writePeer(of: event, in: trace)
        csv.string((operation.opcode.definition?.name ?? "Unknown").description)
        write(attribute, in: trace)
        if let handle {
            csv.write { text in
                text.append(code: handle, digits: 4)
            }
        } else {
            csv.empty()
        }
    }

    /// The columns after `decoded`.
    private mutating func end(_ operation: ATTOperation, isFirst: Bool, in trace: borrowing Trace) {
        if isFirst, let roundTrip = operation.request?.roundTrip {
            csv.write { $0.append(microsecondsOf: roundTrip) }
        } else {
            csv.empty()
        }
        writeError(operation, in: trace)
        csv.endLine()
    }

    private mutating func write(_ attribute: AttributeInfo?, in trace: borrowing Trace) {
        write(attribute?.service, .service, in: trace)
        write(attribute?.characteristic, .characteristic, in: trace)
        write(attribute?.descriptor, .descriptor, in: trace)
    }

    private mutating func write(_ index: UUIDIndex?, _ kind: NameKind, in trace: borrowing Trace) {
        guard let index else { return csv.empty() }
        csv.string(text.values.knownName(index, kind, in: trace) ?? trace.uuids[index].description)
    }

    /// `value` and `decoded`.
    private mutating func writeContent(_ operation: ATTOperation, _ event: borrowing Event, in trace: borrowing Trace) {
        guard let octets = text.values.octets(of: event, in: trace) else {
            csv.empty()
            // Has a separate column.
            if case .errorResponse = operation.pdu { return csv.empty() }
            let content = text.content(of: operation, event, in: trace)
            return csv.write { $0.append(contentsOf: content) }
        }
        guard operation.hasOneValue else {
            write(octets)
            return csv.empty()
        }
        event.forEachAttribute(in: trace) { value in
            write(value, in: trace)
            return true
        }
    }

    private mutating func write(_ octets: ShownOctets) {
        csv.write { text in
            guard let bytes = octets.bytes else { return text.append("withheld") }
            text.append("0x")
            text.append(hexOf: bytes)
        }
    }

    /// `value` and `decoded`.
    private mutating func write(_ value: borrowing AttributeValue, in trace: borrowing Trace) {
        if let octets = text.values.octets(of: value, in: trace) {
            write(octets)
        } else {
            csv.empty()
        }
        guard let reading = text.values.read(value, in: trace) else {
            return value.ending == .mayContinue ? csv.write { $0.append("more may follow") } : csv.empty()
        }
        var decoded = TextBuffer()
        decoded.append(reading, text.values.dissection)
        decoded.append(value.ending)
        csv.write { $0.append(contentsOf: decoded) }
    }

    private mutating func writeError(_ operation: ATTOperation, in trace: borrowing Trace) {
        guard case .errorResponse(let pdu) = operation.pdu else { return csv.empty() }
        if let status = operation.reported { return csv.write(.foreign) { $0.append(string: status.words) } }
        let name = text.values.errorName(pdu.errorCode, operation.attribute, in: trace)
        csv.write(.foreign) { text in
            text.append(display: name, code: pdu.errorCode.rawValue, digits: 2)
        }
    }
}

extension CSVWriter {
    /// Frame and time.
    mutating func begin(_ event: borrowing Event, in trace: borrowing Trace) {
        let time = event.time
        number(event.frame)
        write { $0.append(utc: time) }
    }

    /// The peer's name, else its address.
    mutating func writePeer(of event: borrowing Event, in trace: borrowing Trace) {
        guard let connection = event.connection else { return empty() }
        let peer = trace.connections[connection].peer
        if let name = trace.peerName(peer) {
            string(name)
        } else if let address = trace.peerAddress(peer) {
            write { $0.append(address) }
        } else {
            empty()
        }
    }
}
