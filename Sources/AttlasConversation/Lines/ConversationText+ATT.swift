import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

extension ConversationText {
    mutating func write(_ operation: ATTOperation, _ event: borrowing Event, in trace: borrowing Trace) {
        if isShownWithNext(event) {
            pendingMTU = (operation.request?.roundTrip, operation.pdu.bytes.copy())
            return
        }
        if operation.endsDiscovery { return writeEnd(of: operation, event, in: trace) }
        let isError = operation.opcode == .errorResponse
        beginTime(event, in: trace)
        putSubject(of: operation, event, in: trace)
        if !isNarrow { put(roundTrip: operation.request?.roundTrip) }

        piece.removeAll()
        appendContent(operation, event, in: trace)
        if piece.count > 0 {
            line.advance(
                to: operation.handle == nil && (isNarrow || operation.request == nil)
                    ? columns.attribute : columns.value)
            line.put(piece, isError ? .bad : .plain)
        }
        putKnownFrom(operation.attribute)
        put(operation.bearer)
        if isNarrow { put(roundTrip: operation.request?.roundTrip) }
        if let fault = operation.fault { put(fault) }
        line.endLine()
        writeHex(of: event, in: trace)
    }

    /// From the arrow to the attribute. Most lines of a capture have this from one before them: a seventh of all instructions.
    private mutating func putSubject(of operation: ATTOperation, _ event: borrowing Event, in trace: borrowing Trace) {
        guard let connection = event.connection else { return }
        let key = SubjectTextKey(
            link: LinkTextKey(connection, event.direction, in: trace), opcode: operation.opcode,
            handle: operation.handle, attribute: operation.attribute, column: line.place.column)
        if line.put(key, keptIn: subjects) { return }
        let start = line.place
        let (arrow, style) = Self.arrow(event.direction)
        putLink(event, in: trace, arrow: arrow, style)
        line.advance(to: columns.method)
        piece.removeAll()
        piece.append(operation.opcode.shortName)
        line.put(
            piece, operation.opcode == .errorResponse ? .bad : .plain, limit: columns.attribute - columns.method - 1)
        if let handle = operation.handle {
            line.advance(to: columns.attribute)
            piece.removeAll()
            append(handle, operation.attribute, in: trace)
            line.put(piece, operation.attribute == nil ? .faint : .name, limit: columns.attributeWidth)
        }
        line.keep(key, from: start, in: &subjects)
    }

    /// Attribute Not Found ends a discovery; it is not an error.
    private mutating func writeEnd(of operation: ATTOperation, _ event: borrowing Event, in trace: borrowing Trace) {
        guard case .errorResponse(let pdu) = operation.pdu else { return }
        begin(event, in: trace)
        line.advance(to: columns.method)
        piece.removeAll()
        piece.append(pdu.requestOpcodeInError.shortName)
        line.put(piece, limit: columns.attribute - columns.method - 1)
        if !isNarrow { put(roundTrip: operation.request?.roundTrip) }
        line.advance(to: isNarrow ? columns.attribute : columns.value)
        line.put("no more (Attribute Not Found)", .faint)
        if isNarrow { put(roundTrip: operation.request?.roundTrip) }
        line.endLine()
        if options.showsHex { writeHex(pdu.bytes) }
    }

    mutating func write(_ exchange: MTUExchange, _ event: borrowing Event, in trace: borrowing Trace) {
        begin(event, in: trace)
        line.advance(to: columns.method)
        line.put("Exchange MTU")
        if !isNarrow { put(roundTrip: pendingMTU?.roundTrip) }
        line.advance(to: isNarrow ? columns.attribute : columns.value)
        piece.removeAll()
        piece.append(decimal: exchange.server)
        piece.append(", in force ")
        piece.append(mtu: exchange.inForce)
        line.put(piece)
        if isNarrow { put(roundTrip: pendingMTU?.roundTrip) }
        line.endLine()
        if options.showsHex, let octets = pendingMTU?.octets { writeHex(Bytes(octets.span)) }
        pendingMTU = nil
    }

    mutating func write(_ assembled: AssembledValue, _ event: borrowing Event, in trace: borrowing Trace) {
        begin(event, in: trace)
        line.advance(to: columns.method)
        line.put(assembled.kind == .longRead ? "⇒ Long Read" : "⇒ Prepared Write", .name)
        line.advance(to: columns.attribute)
        piece.removeAll()
        append(assembled.handle, assembled.attribute, in: trace)
        line.put(piece, assembled.attribute == nil ? .faint : .name, limit: columns.attributeWidth)
        line.advance(to: columns.value)
        if assembled.outcome != .complete {
            line.put(assembled.outcome == .cancelled ? "cancelled: " : "refused: ", .bad)
        }
        piece.removeAll()
        piece.append(decimal: assembled.value.count)
        piece.append(" octets")
        if assembled.offset > 0 {
            piece.append(" from ")
            piece.append(decimal: assembled.offset)
        }
        piece.append(" · ")
        event.forEachAttribute(in: trace) { value in
            append(value, in: trace)
            return true
        }
        line.put(piece)
        line.endLine()
        writeHex(of: event, in: trace)
    }

    /// The PDU's parameters, without its name and attribute.
    package mutating func content(
        of operation: ATTOperation, _ event: borrowing Event, in trace: borrowing Trace
    ) -> TextBuffer {
        piece.removeAll()
        appendContent(operation, event, in: trace)
        return piece
    }

    // MARK: Pieces

    private mutating func put(roundTrip: Int64?) {
        guard let roundTrip else { return }
        line.advance(to: columns.roundTrip ?? columns.value)
        piece.removeAll()
        piece.append(duration: roundTrip)
        line.put(piece, .faint)
    }

    /// The fixed channel goes without saying.
    private mutating func put(_ bearer: Bearer.Kind) {
        switch bearer {
        case .unenhanced: return
        case .classic: line.put("  (over BR/EDR)", .faint)
        case .enhanced(let channel):
            piece.removeAll()
            piece.append("  (enhanced bearer 0x")
            piece.append(hex: channel.rawValue, digits: 4, uppercase: true)
            piece.append(")")
            line.put(piece, .faint)
        }
    }

    private mutating func putKnownFrom(_ attribute: AttributeInfo?) {
        let text: StaticString
        switch attribute?.knownFrom {
        case .remembered: text = "(remembered)"
        case .former: text = "(former)"
        case .imported: text = "(imported)"
        case .inferred: text = "(inferred)"
        case .discovery, nil: return
        }
        line.advance(to: columns.value)
        line.put(text, .faint)
    }

    /// `Heart Rate › Heart Rate Measurement`, with the descriptor after it, or `handle 0x0019`.
    mutating func append(_ handle: AttributeHandle, _ attribute: AttributeInfo?, in trace: borrowing Trace) {
        guard let attribute else {
            piece.append("handle 0x")
            piece.append(hex: handle, digits: 4, uppercase: true)
            return
        }
        let subject = AttributeTextKey(handle: handle, attribute: attribute)
        if attributes.append(subject, to: &piece) != nil { return }
        let start = piece.count
        defer { attributes.keep(piece.bytes[start...], of: subject) }
        let hasOwner = attribute.role != .value && attribute.characteristic != nil
        if let service = attribute.service, !isNarrow, !hasOwner {
            piece.append(display: values.name(service, .service, in: trace))
            piece.append(" › ")
        }
        if let characteristic = attribute.characteristic {
            piece.append(display: values.name(characteristic, .characteristic, in: trace))
        }
        if attribute.role != .value {
            if attribute.characteristic != nil { piece.append(" › ") }
            piece.append(display: values.name(attribute.type, .descriptor, in: trace))
        }
    }

    /// Appends the decoded value, or its octets.
    mutating func append(_ value: borrowing AttributeValue, in trace: borrowing Trace) {
        if let reading = values.read(value, in: trace) {
            piece.append(reading, values.dissection)
        } else {
            guard let octets = values.octets(of: value, in: trace) else { return }
            piece.append(octets, limit: 32)
        }
        piece.append(value.ending)
    }

    /// With `--hex`, below the line of a packet.
    mutating func writeHex(of event: borrowing Event, in trace: borrowing Trace) {
        if options.showsHex, let octets = values.packet(of: event, in: trace)?.bytes { writeHex(octets) }
    }

    private mutating func writeHex(_ bytes: Bytes) {
        line.advance(to: columns.method)
        piece.removeAll()
        piece.append(octets: bytes, limit: 1_024)
        line.put(piece, .faint)
        line.endLine()
    }
}
