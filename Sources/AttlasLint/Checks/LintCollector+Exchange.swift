import AttlasCapture
import AttlasTrace
import AttlasWire

/// Requests and their answers, PDU by PDU. Core Specification, Vol 3, Part F, 3.3 and 3.4.
extension LintCollector {
    private static let transactionTimeout: Int64 = 30_000_000_000

    /// A PDU or a layer below it that could not be read.
    mutating func check(_ fault: Fault, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace) {
        watches[slot]?.excuse()
        guard case .wire(let error) = fault, error.layer == .att, error.limit != .capturedLength,
            !error.isOurLimit
        else { return }
        report(.malformedPDU, Moment(event), place(slot, event.direction, in: trace), Self.sentence(error))
    }

    private static func sentence(_ error: WireError) -> String {
        guard error.need > 0 else { return "\(error.reason)." }
        return "\(error.reason): \(error.need) octets needed, \(error.have) available."
    }

    mutating func checkExchange(
        _ operation: borrowing ATTOperation, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        let place = place(of: operation, slot, event, in: trace)
        checkLayout(operation, slot, place, event, in: trace)
        // Without a direction the sender of the request is unknown.
        guard event.direction != .unknown, let bearer = watches[slot]?.bearer(operation.bearer) else { return }
        guard var exchange = watches[slot]?.bearers[bearer][operation.server] else { return }
        switch operation.opcode.definition?.kind {
        case .request: note(operation, &exchange, place, event)
        case .response: settle(operation, &exchange, place, event)
        case .indication:
            if let open = exchange.indication {
                if !checkTimeout(of: open, &exchange, place, Moment(event), answer: nil) {
                    report(
                        .indicationOverlap, Moment(event), related: [open.frame], place,
                        "An indication before the indication of frame \(open.frame) was confirmed.")
                    exchange.excusedConfirmations.add(isAfterGap: false)
                }
            }
            exchange.indication = waiting(operation, event)
        case .confirmation:
            if let open = exchange.indication {
                exchange.indication = nil
                exchange.excusedConfirmations.settle()
                _ = checkTimeout(of: open, &exchange, place, Moment(event), answer: "the confirmation")
            } else if !exchange.excusedConfirmations.use() {
                report(
                    .unexpectedConfirmation, Moment(event), place,
                    "A confirmation, but no indication is waiting for it.")
            }
        case .command, .notification: break
        // A request that the specification does not define is answered with Request Not Supported.
        case nil: if !operation.opcode.isCommand { exchange.excusedResponses.add(isAfterGap: false) }
        }
        watches[slot]?.bearers[bearer][operation.server] = exchange
    }

    private func waiting(
        _ operation: borrowing ATTOperation, _ event: borrowing Event
    ) -> ExchangeWatch.Waiting {
        ExchangeWatch.Waiting(
            frame: event.frame, time: event.time, opcode: operation.opcode, handle: operation.handle,
            attribute: operation.attribute)
    }

    private mutating func note(
        _ operation: borrowing ATTOperation, _ exchange: inout ExchangeWatch, _ place: LintFinding.Place,
        _ event: borrowing Event
    ) {
        let moment = Moment(event)
        if let timedOut = exchange.timedOut {
            report(
                .requestAfterTimeout, moment, related: [timedOut], place,
                "\(operation.opcode.name) after the request of frame \(timedOut) had timed out.")
        }
        if let open = exchange.request {
            exchange.excusedResponses.add(isAfterGap: false)
            if checkTimeout(of: open, &exchange, place, moment, answer: nil) {
                report(
                    .requestAfterTimeout, moment, related: [open.frame], place,
                    "\(operation.opcode.name) after the request of frame \(open.frame) had timed out.")
            } else {
                report(
                    .requestOverlap, moment, related: [open.frame], place,
                    "\(operation.opcode.name) before the \(open.opcode.name) of frame \(open.frame) was answered.")
            }
        }
        exchange.request = waiting(operation, event)
        switch operation.pdu {
        case .exchangeMTURequest:
            if case .enhanced = operation.bearer {
                report(.mtuOnEnhancedBearer, moment, place, "Exchange MTU Request on a credit-based channel.")
            } else if let first = exchange.mtuRequest {
                report(
                    .mtuTwice, moment, related: [first], place, "The MTU was already exchanged in frame \(first).")
            } else {
                exchange.mtuRequest = event.frame
            }
        case .prepareWriteRequest(let pdu):
            if exchange.prepared == nil { exchange.prepared = exchange.request }
            let isWhole = operation.fault == nil && pdu.bytes.count <= Self.longestPart
            exchange.preparedPart = isWhole ? pdu.bytes.dropFirst(1).copy() : []
        default: break
        }
    }

    /// Octets of a prepared write that are compared.
    private static let longestPart = 1_024

    private mutating func settle(
        _ operation: borrowing ATTOperation, _ exchange: inout ExchangeWatch, _ place: LintFinding.Place,
        _ event: borrowing Event
    ) {
        let moment = Moment(event)
        var answered = operation.opcode.rawValue &- 1
        if case .errorResponse(let pdu) = operation.pdu {
            answered = pdu.requestOpcodeInError.rawValue
            check(pdu.errorCode, place, moment)
            if pdu.requestOpcodeInError.hasNoAnswer {
                report(
                    .responseToCommand, moment, place, "Error Response to a \(pdu.requestOpcodeInError.name).")
                return
            }
        }
        guard let open = exchange.request else {
            if !exchange.excusedResponses.use() {
                report(
                    .unexpectedResponse, moment, place, "\(operation.opcode.name), but no request is waiting for it.")
            }
            return
        }
        guard open.opcode.rawValue == answered else {
            if !exchange.excusedResponses.use() {
                report(
                    .wrongResponse, moment, related: [open.frame], place,
                    Self.wrongResponse(operation, to: open))
                exchange.request = nil
                exchange.excusedResponses.add(isAfterGap: false)
            }
            return
        }
        exchange.request = nil
        exchange.excusedResponses.settle()
        _ = checkTimeout(of: open, &exchange, place, moment, answer: "the answer")
        switch operation.pdu {
        case .prepareWriteResponse(let pdu):
            if operation.fault == nil, !exchange.preparedPart.isEmpty,
                !pdu.bytes.dropFirst(1).isEqual(to: Bytes(exchange.preparedPart.span))
            {
                report(
                    .preparedWriteAltered, moment, related: [open.frame], place,
                    "The response differs from the request of frame \(open.frame).")
            }
        case .executeWriteResponse: exchange.prepared = nil
        case .errorResponse(let pdu):
            // A refused execution discards the queue as well. Vol 3, Part F, 3.4.6.3.
            if pdu.requestOpcodeInError.rawValue == 0x18 { exchange.prepared = nil }
            if pdu.requestOpcodeInError.rawValue == 0x16, exchange.prepared?.frame == open.frame {
                exchange.prepared = nil
            }
        default: break
        }
    }

    private static func wrongResponse(
        _ operation: borrowing ATTOperation, to open: ExchangeWatch.Waiting
    ) -> String {
        if case .errorResponse(let pdu) = operation.pdu {
            return
                "Error Response for a \(pdu.requestOpcodeInError.name), but the request is the \(open.opcode.name) of frame "
                + "\(open.frame)."
        }
        return "\(operation.opcode.name) in reply to the \(open.opcode.name) of frame \(open.frame)."
    }

    private mutating func check(_ code: ATTErrorCode, _ place: LintFinding.Place, _ moment: Moment) {
        // 0x80 to 0x9F are the application's, 0xE0 to 0xFF the Core Specification Supplement's, which names four.
        guard code.name == "Reserved Error Code", code.rawValue < 0xE0 else { return }
        report(
            .reservedErrorCode, moment, place, field: Int(code.rawValue),
            "Error code 0x\(hexadecimal(UInt16(code.rawValue), digits: 2)).")
    }

    /// Whether what waited has timed out.
    /// - Parameter answer: what came at last; nil if nothing did.
    private mutating func checkTimeout(
        of open: ExchangeWatch.Waiting, _ exchange: inout ExchangeWatch, _ place: LintFinding.Place,
        _ moment: Moment, answer: String?
    ) -> Bool {
        guard let age = open.age(at: moment.time), age > Self.transactionTimeout else { return false }
        if open.opcode.definition?.kind == .request { exchange.timedOut = open.frame }
        // It is the one who did not answer that is at fault, whoever sent this PDU.
        var place = place
        place.party = nil
        place.handle = open.handle
        place.attribute = open.attribute
        let end = answer.map { "\($0) came after \(seconds(age))" } ?? "no answer for \(seconds(age))"
        report(
            .transactionTimeout, moment, related: [open.frame], place,
            "\(open.opcode.name) of frame \(open.frame): \(end).")
        return true
    }

    // MARK: One PDU

    private mutating func checkLayout(
        _ operation: borrowing ATTOperation, _ slot: Int, _ place: LintFinding.Place, _ event: borrowing Event,
        in trace: borrowing Trace
    ) {
        let moment = Moment(event)
        var length = operation.pdu.bytes.count
        if let fault = operation.fault {
            if fault.limit == .capturedLength {
                length = fault.need
            } else {
                report(.malformedPDU, moment, place, "\(operation.opcode.name): \(Self.sentence(fault))")
            }
        }
        checkMTU(operation, length, slot, place, moment, in: trace)
        switch operation.pdu {
        case .exchangeMTURequest(let pdu): check(mtu: pdu.clientRxMTU, operation.bearer, place, moment)
        case .exchangeMTUResponse(let pdu): check(mtu: pdu.serverRxMTU, operation.bearer, place, moment)
        case .findInformationRequest(let pdu):
            check(pdu.startingHandle, pdu.endingHandle, operation.opcode, place, moment)
        case .findByTypeValueRequest(let pdu):
            check(pdu.startingHandle, pdu.endingHandle, operation.opcode, place, moment)
        case .readByTypeRequest(let pdu):
            check(pdu.startingHandle, pdu.endingHandle, operation.opcode, place, moment)
        case .readByGroupTypeRequest(let pdu):
            check(pdu.startingHandle, pdu.endingHandle, operation.opcode, place, moment)
        case .readRequest, .readBlobRequest, .writeRequest, .writeCommand, .prepareWriteRequest,
            .handleValueNotification, .handleValueIndication:
            if operation.handle == 0 {
                report(.invalidHandle, moment, place, "\(operation.opcode.name) for handle 0x0000.")
            }
        default: break
        }
        if let value = operation.pdu.attributeValue { check(length: value.count, place, moment) }
    }

    mutating func check(length: Int, _ place: LintFinding.Place, _ moment: Moment) {
        guard length > 512 else { return }
        report(.longValue, moment, place, "A value of \(length) octets.")
    }

    private mutating func checkMTU(
        _ operation: borrowing ATTOperation, _ length: Int, _ slot: Int, _ place: LintFinding.Place,
        _ moment: Moment, in trace: borrowing Trace
    ) {
        guard operation.bearer == .unenhanced, watches[slot]?.isMTUKnown == true else { return }
        let mtu = trace.connections[slot].bearer.mtu
        guard length > mtu else { return }
        let isExchanged = watches[slot]?.bearers.contains { $0.peer.mtuRequest ?? $0.local.mtuRequest != nil } ?? false
        report(
            .pduAboveMTU, moment, place,
            "\(operation.opcode.name) of \(length) octets; the MTU in force is \(mtu)"
                + (isExchanged ? "." : ", because no exchange took place."))
    }

    private mutating func check(
        mtu: UInt16, _ bearer: Bearer.Kind, _ place: LintFinding.Place, _ moment: Moment
    ) {
        guard bearer == .unenhanced, mtu < 23 else { return }
        report(.mtuTooSmall, moment, place, "An MTU of \(mtu) was offered.")
    }

    private mutating func check(
        _ start: AttributeHandle, _ end: AttributeHandle, _ opcode: ATTOpcode, _ place: LintFinding.Place,
        _ moment: Moment
    ) {
        guard start == 0 || start > end else { return }
        report(
            .invalidHandle, moment, place,
            "\(opcode.name) for the range 0x\(hexadecimal(start)) to 0x\(hexadecimal(end)).")
    }

    // MARK: The end

    /// - Parameter isEnded: the end of the connection was seen, not only that of the capture.
    mutating func closeExchanges(_ slot: Int, isEnded: Bool, _ moment: Moment, in trace: borrowing Trace) {
        guard let watch = watches[slot] else { return }
        // Of a capture without HCI events it is unknown how long a connection lived after its last packet.
        var alive = moment
        if !watch.isComplete, let last = watch.lastSign { alive = Moment(frame: moment.frame, time: last) }
        for bearer in watch.bearers {
            for server in ServerSide.allCases {
                var exchange = bearer[server]
                for (open, rule) in [
                    (exchange.request, LintRule.unansweredRequest),
                    (exchange.indication, LintRule.unconfirmedIndication),
                ] {
                    guard let open else { continue }
                    let place = place(slot, server: server, open.handle, open.attribute, in: trace)
                    if !checkTimeout(of: open, &exchange, place, alive, answer: nil), isEnded {
                        report(
                            rule, moment, related: [open.frame], place,
                            "\(open.opcode.name) of frame \(open.frame)\(Self.waited(open, moment)).")
                    }
                }
                if isEnded, let open = exchange.prepared {
                    report(
                        .preparedWriteLeft, moment, related: [open.frame],
                        place(slot, server: server, open.handle, open.attribute, in: trace),
                        "Prepared in frame \(open.frame), but neither executed nor cancelled.")
                }
            }
        }
    }

    private static func waited(_ open: ExchangeWatch.Waiting, _ moment: Moment) -> String {
        guard let age = open.age(at: moment.time), age >= 0 else { return "" }
        return ", which waited for \(seconds(age))"
    }
}

extension ATTOpcode {
    /// PDUs without a response: commands, notifications and confirmations.
    fileprivate var hasNoAnswer: Bool {
        switch definition?.kind {
        case .command, .notification, .confirmation: true
        case .request, .response, .indication: false
        case nil: isCommand
        }
    }
}

extension WireError {
    /// A limit of attlas, reported as a fault: the devices are not the cause.
    fileprivate var isOurLimit: Bool { "\(reason)".hasPrefix("more prepared writes than attlas keeps") }
}
