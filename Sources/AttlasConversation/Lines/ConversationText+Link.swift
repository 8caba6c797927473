import AttlasCapture
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

extension ConversationText {
    mutating func write(_ change: ConnectionChange, _ event: borrowing Event, in trace: borrowing Trace) {
        // Said once.
        if case .constantNumbers(_, isFirst: false) = change { return }
        let isEnd: Bool
        switch change {
        case .ended, .failed: isEnd = true
        default: isEnd = false
        }
        begin(event, in: trace, arrow: isEnd ? "✗" : "⇄", isEnd ? .bad : .good)
        line.advance(to: columns.method)
        line.put(content(of: change, event, in: trace))
        line.endLine()
    }

    /// The change of a connection, or of an attempt at one.
    package mutating func content(
        of change: ConnectionChange, _ event: borrowing Event, in trace: borrowing Trace
    ) -> TextBuffer {
        piece.removeAll()
        if let index = event.connection {
            append(change, trace.connections[index], event, in: trace)
        } else if case .failed(let attempt) = change {
            append(attempt)
        }
        return piece
    }

    private mutating func append(
        _ change: ConnectionChange, _ connection: Connection, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        switch change {
        case .made:
            let peer = trace.peers[connection.peer]
            if let address = peer.address {
                piece.append(address)
                piece.append(" \(own: address.kind.rawValue)")
                if let privateAddress = connection.privateAddress {
                    piece.append(" as ")
                    piece.append(privateAddress)
                }
                piece.append("  ")
            }
            piece.append("connected")
            if connection.transport == .classic { piece.append(" over BR/EDR") }
            switch connection.accessAddress == nil ? connection.isCentral : nil {
            case true: piece.append(", this host is central")
            case false: piece.append(", this host is peripheral")
            case nil: break
            }
            appendCentral(of: connection)
            if connection.transport == .lowEnergy, let parameters = connection.parameters { append(parameters) }
            if peer.table.hasLearned { piece.append(" · met before: its table is remembered") }
        case .presumed where connection.accessAddress != nil:
            piece.append("first seen here, its beginning was not captured")
            appendCentral(of: connection)
        case .presumed:
            piece.append("first seen here, its beginning was not captured (")
            piece.append("\(own: connection.transport.rawValue), connection handle \(hex: connection.handle)")
            piece.append(")")
        case .announced(let update):
            append(update, "announced")
            piece.append(" · at event \(update.instant)")
        case .notReached(let update):
            append(update, "not in force")
            piece.append(" · nothing was captured from event \(update.instant) on")
        case .parametersUpdated:
            piece.append("parameters updated")
            if let parameters = connection.parameters { append(parameters) }
        case .phyUpdated:
            piece.append(connection.isHeard ? "PHY updated · to the peripheral " : "PHY updated · tx ")
            piece.append(phy: connection.transmitPHY)
            piece.append(connection.isHeard ? " · from it " : " · rx ")
            piece.append(phy: connection.receivePHY)
        case .dataLengthUpdated:
            guard let length = connection.dataLength else { return }
            piece.append(connection.isHeard ? "data length updated · to the peripheral " : "data length updated · tx ")
            piece.append(decimal: length.maxTxOctets)
            piece.append(connection.isHeard ? " octets · from it " : " octets · rx ")
            piece.append("\(length.maxRxOctets) octets")
        case .encryption(let isEnabled, let status):
            if let reported = event.reported {
                piece.append("encryption failed: ")
                piece.append(string: reported.words)
            } else {
                piece.append(encryption: isEnabled, status)
            }
        case .decryption(let decryption): piece.append(decryption.sentence)
        case .constantNumbers(let party, _):
            piece.append("the sequence numbers of the \(own: party.nameOnAir)")
            piece.append(" never change, as if no controller made them: missed packets cannot be counted")
        case .unheard:
            piece.append("no packet of this connection was heard after CONNECT_IND: ")
            piece.append("the peripheral did not answer, or the sniffer did not follow")
        case .version(let version): append(version, event.direction)
        case .features(let features): append(features: features, event.direction)
        case .channelMapUpdated(let map):
            piece.append("channel map updated · ")
            append(map)
        case .rejected(let opcode, let error): append(rejected: opcode, error, event.direction)
        case .failed(let attempt): append(attempt)
        case .ended(let end):
            piece.append(
                end, after: event.time.duration(since: connection.begun), hasBeginning: connection.hasBeginning,
                isHeard: connection.isHeard)
        }
    }

    private mutating func append(_ attempt: FailedAttempt) {
        piece.append(attempt.isCancelled ? "connection attempt" : "connection")
        if let address = attempt.address {
            piece.append(" to ")
            piece.append(address)
        }
        piece.append(attempt.isCancelled ? " cancelled" : " failed")
        if let duration = attempt.duration {
            piece.append(" after \(duration: duration)")
        }
        if attempt.isCancelled { return }
        piece.append(": ")
        if let status = attempt.reported { return piece.append(string: status.words) }
        piece.append(attempt.status)
    }

    mutating func append(_ parameters: Connection.Parameters) {
        piece.append(" · interval \(exact: parameters.intervalMicroseconds)")
        if parameters.latency > 0 {
            piece.append(" · latency \(parameters.latency)")
        }
        piece.append(" · timeout \(duration: Int64(parameters.supervisionTimeout) * 10_000_000)")
        if parameters.subrateFactor > 1 {
            piece.append(" · subrate \(parameters.subrateFactor) · continuation \(parameters.continuationNumber)")
        }
    }

    mutating func write(_ pdu: SMPPDU, _ event: borrowing Event, in trace: borrowing Trace) {
        begin(event, in: trace)
        line.advance(to: columns.method)
        piece.removeAll()
        piece.append("SMP \(own: pdu.name)")
        append(pdu.fields)
        if !values.library.withholdsKeys, let key = pdu.key {
            piece.append(" · ")
            piece.append(hex: UInt64(truncatingIfNeeded: key >> 64), digits: 16)
            piece.append(hex: UInt64(truncatingIfNeeded: key), digits: 16)
        }
        line.put(piece)
        line.endLine()
        writeHex(of: event, in: trace)
    }

    mutating func write(_ signal: L2CAPSignal, _ event: borrowing Event, in trace: borrowing Trace) {
        begin(event, in: trace)
        line.advance(to: columns.method)
        piece.removeAll()
        piece.append("L2CAP \(own: signal.name)")
        append(signal.fields(values.library))
        line.put(piece)
        line.endLine()
        writeHex(of: event, in: trace)
    }

    private mutating func append(_ fields: [PacketField]) {
        if fields.isEmpty { return }
        piece.append(" · ")
        piece.append(fields)
    }

    // MARK: What went wrong

    mutating func write(loss count: UInt32, _ event: borrowing Event, in trace: borrowing Trace) {
        if trace.losses.areLeftOut {
            return writeProblem("\(count, "packet") before this one not in the text, by its numbers", event, in: trace)
        }
        writeProblem("\(count, "record") lost before this one, by the capture's own count", event, in: trace)
    }

    mutating func write(clockStep step: Int64, _ event: borrowing Event, in trace: borrowing Trace) {
        let change: StaticString = step < 0 ? "went back" : "leapt ahead"
        writeProblem(
            "the capture's clock \(change) by \({ $0.append(durationOfMicroseconds: step.magnitude) })", event,
            in: trace)
    }

    mutating func write(_ limit: TraceLimit, _ number: Int, _ event: borrowing Event, in trace: borrowing Trace) {
        writeProblem("frame \(event.frame): \({ $0.append(limit, number) })", event, in: trace)
    }

    private mutating func writeProblem(_ problem: Phrase, _ event: borrowing Event, in trace: borrowing Trace) {
        beginTime(event, in: trace)
        line.advance(to: Column.arrow)
        piece = TextBuffer("✗ ")
        piece.append(problem)
        line.put(piece, .bad)
        line.endLine()
    }

    mutating func write(_ fault: Fault, _ event: borrowing Event, in trace: borrowing Trace) {
        begin(event, in: trace, arrow: "✗", .bad)
        line.advance(to: event.connection == nil ? Column.peer : columns.method)
        piece.removeAll()
        piece.append("frame \(event.frame): ")
        switch fault {
        case .capture(let fault):
            piece.append(display: fault.reason)
            piece.append(" (at octet ")
            piece.append(decimal: fault.offset)
            piece.append(")")
        case .wire(let error): append(error)
        }
        line.put(piece, .bad)
        line.endLine()
    }

    /// A fault after the decoded part.
    mutating func put(_ fault: WireError) {
        piece.removeAll()
        piece.append("  ✗ ")
        append(fault)
        line.put(piece, .bad)
    }

    private mutating func append(_ error: WireError) {
        piece.append("\(own: error.layer.rawValue.uppercased()): ")
        piece.append(error.reason)
        piece.append(error.limit == .capturedLength ? ", cut by the capture: " : ": ")
        if error.have > error.need {
            piece.append(decimal: error.have)
            piece.append(error.have == 1 ? " octet, expected " : " octets, expected ")
            piece.append(decimal: error.need)
        } else {
            piece.append("needs \(error.need), has \(error.have)")
        }
    }
}

extension TextBuffer {
    /// - Parameters:
    ///   - duration: how long the connection lasted, in nanoseconds; nil if it is unknown.
    ///   - hasBeginning: its beginning was captured.
    ///   - isHeard: it was captured from the air.
    package mutating func append(_ end: ConnectionEnd, after duration: Int64?, hasBeginning: Bool, isHeard: Bool) {
        switch end {
        case .disconnected(_, by: .host): append(isHeard ? "ended by the central" : "ended by this host")
        case .disconnected(_, by: .peer): append(isHeard ? "ended by the peripheral" : "ended by the peer")
        case .disconnected(_, by: .link): append("lost")
        case .disconnected(_, by: .unknown), .controller, .reported: append("ended")
        case .superseded where isHeard: return append("its devices reconnected, no end was captured")
        case .superseded:
            return append("its handle was given to another connection, no disconnection was captured")
        }
        if let duration {
            append(hasBeginning ? " after " : " after at least ")
            append(duration: duration)
        }
        append(": ")
        switch end {
        case .disconnected(let reason, _): append(reason)
        case .reported(let status): append(string: status.words)
        case .controller(let cause): append(string: cause.rawValue)
        case .superseded: break
        }
    }

    /// Appends the result of an encryption change.
    package mutating func append(encryption isEnabled: Bool, _ status: HCIErrorCode) {
        if status == .success {
            append(isEnabled ? "encrypted" : "encryption off")
        } else {
            append("encryption failed: ")
            append(status)
        }
    }

    mutating func append(_ error: HCIErrorCode) {
        append(display: error.name, code: error.rawValue, digits: 2)
    }
}
