import AttlasCapture
import AttlasIncidents
import AttlasTrace
import AttlasWire

/// Requests and their answers, PDU by PDU. Core Specification, Vol 3, Part F, 3.3 and 3.4.
extension LintCollector {
    /// A PDU or a layer below it that could not be read.
    mutating func check(_ fault: Fault, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace) {
        watches[slot].forget()
        guard case .wire(let error) = fault, error.limit != .capturedLength, !error.isOurLimit else { return }
        if error.layer == .l2cap, error.limit == .sduLength, error.have > error.need {
            return report(.longSDU, Moment(event), place(slot, event.direction, in: trace), Self.sentence(error))
        }
        guard error.layer == .att else { return }
        met.insert(.pdus)
        report(.malformedPDU, Moment(event), place(slot, event.direction, in: trace), Self.sentence(error))
    }

    private static func sentence(_ error: WireError) -> String {
        guard error.need > 0 else { return "\(error.reason)." }
        if error.have > error.need { return "\(error.reason): \(error.have) octets, \(error.need) expected." }
        return "\(error.reason): \(error.need) octets needed, \(error.have) available."
    }

    mutating func checkExchange(
        _ operation: borrowing ATTOperation, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        checkLayout(operation, slot, event, in: trace)
        // Without a direction the sender of the request is unknown.
        guard event.direction != .unknown, let bearer = watches[slot].bearer(operation.bearer) else { return }
        let exchange = ExchangePlace(slot: slot, bearer: bearer, server: operation.server)
        let kind = operation.opcode.definition?.kind
        switch kind {
        case .request, .command, .notification, .indication:
            // The other side may not know that this one waits no longer.
            let timedOut = watches[slot].bearers[bearer].timedOut
            let late =
                (event.direction == .tx ? timedOut.sent : timedOut.received)
                ?? trace.connections[slot].timedOutRequest(of: event.direction, on: operation.bearer, at: event.time)
            if let late {
                report(
                    .requestAfterTimeout, of: operation, event, related: [late], in: trace,
                    "\(operation.opcode.name) after the transaction of frame \(late) had timed out.")
            }
        case .response, .confirmation, nil: break
        }
        switch kind {
        case .request: note(operation, exchange, event, in: trace)
        case .response: settle(operation, exchange, event, in: trace)
        case .confirmation:
            if operation.unexpected != nil {
                report(
                    .unexpectedConfirmation, of: operation, event, in: trace,
                    "A confirmation, but no indication is waiting for it.")
            } else if let request = operation.request {
                checkTimeout(of: request, operation, exchange, event, in: trace, answer: "the confirmation")
            }
        case .notification, .indication: checkMTUExchange(operation, slot, event, in: trace)
        case .command, nil: break
        }
    }

    /// A request or an indication ended without its answer.
    mutating func check(_ end: ExchangeEnd, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace) {
        let (moment, asked) = (Moment(event), end.asked)
        let isIndication = asked.opcode.definition?.kind == .indication
        // The side that did not answer is at fault, whichever side sent this PDU.
        let attribute = asked.handle.flatMap { trace.attribute($0, server: end.server, connection: slot) }
        let place = place(slot, server: end.server, asked.handle, attribute, in: trace)
        switch end.outcome {
        case .open, .doubtful: break
        case .overlapped(let next):
            let attribute = next.handle.flatMap { trace.attribute($0, server: end.server, connection: slot) }
            let place = self.place(
                slot, event.direction, server: end.server, next.handle, attribute, in: trace)
            report(
                isIndication ? .indicationOverlap : .requestOverlap, moment, related: [asked.frame], place,
                isIndication
                    ? "An indication before the indication of frame \(asked.frame) was confirmed."
                    : "\(next.opcode.name) before the \(asked.opcode.name) of frame \(asked.frame) was answered.")
        case .unanswered where end.isTimedOut:
            if let bearer = watches[slot].bearer(end.bearer) { noteTimeout(asked.frame, of: asked.asker, slot, bearer) }
            report(
                .transactionTimeout, moment, related: [asked.frame], place,
                "\(asked.opcode.name) of frame \(asked.frame): no answer for \(seconds(end.age ?? 0)).")
        case .unanswered:
            let waited = end.age.map { ", which waited for \(seconds($0))" } ?? ""
            report(
                isIndication ? .unconfirmedIndication : .unansweredRequest, moment, related: [asked.frame], place,
                "\(asked.opcode.name) of frame \(asked.frame)\(waited).")
        }
    }

    private mutating func noteTimeout(_ frame: Int, of asker: Direction, _ slot: Int, _ bearer: Int) {
        if asker == .tx {
            watches[slot].bearers[bearer].timedOut.sent = frame
        } else {
            watches[slot].bearers[bearer].timedOut.received = frame
        }
    }

    /// Where the state of an exchange is, so that it is changed there.
    struct ExchangePlace {
        let slot: Int
        let bearer: Int
        let server: ServerSide
    }

    subscript(_ place: ExchangePlace) -> ExchangeWatch {
        // A copy: a value borrowed from an array that changes meanwhile was read after it had been freed.
        @inline(__always) get { watches[place.slot].bearers[place.bearer][place.server] }
        @inline(__always) _modify { yield &watches[place.slot].bearers[place.bearer][place.server] }
    }

    private mutating func note(
        _ operation: borrowing ATTOperation, _ exchange: ExchangePlace, _ event: borrowing Event,
        in trace: borrowing Trace
    ) {
        switch operation.pdu {
        case .exchangeMTURequest:
            if case .enhanced = operation.bearer {
                report(
                    .mtuOnEnhancedBearer, of: operation, event, in: trace,
                    "Exchange MTU Request on a credit-based channel.")
            } else if case .classic = operation.bearer {
                met.insert(.enhancedBearers)
                report(
                    .mtuOnEnhancedBearer, of: operation, event, in: trace,
                    "Exchange MTU Request over BR/EDR, which Vol 3, Part G, 4.3.1 excludes.")
            } else if let first = self[exchange].mtuRequest, isOneConnection(exchange.slot, exchange.server) {
                report(
                    .mtuTwice, of: operation, event, related: [first], in: trace,
                    "The MTU was already exchanged in frame \(first).")
            } else {
                self[exchange].mtuRequest = event.frame
            }
        case .prepareWriteRequest(let pdu):
            if self[exchange].prepared == nil {
                self[exchange].prepared = ExchangeWatch.Prepared(
                    frame: event.frame, handle: operation.handle, attribute: operation.attribute)
            }
            let isWhole = operation.fault == nil && pdu.bytes.count <= Self.longestPart
            self[exchange].preparedPart = isWhole ? pdu.bytes.dropFirst(1).copy() : []
        default: break
        }
    }

    /// Octets of a prepared write that are compared.
    private static let longestPart = 1_024

    private mutating func settle(
        _ operation: borrowing ATTOperation, _ exchange: ExchangePlace, _ event: borrowing Event,
        in trace: borrowing Trace
    ) {
        if case .errorResponse(let pdu) = operation.pdu {
            check(pdu.errorCode, of: operation, exchange.slot, event, in: trace)
            if pdu.requestOpcodeInError.hasNoAnswer {
                report(
                    .responseToCommand, of: operation, event, in: trace,
                    "Error Response to a \(pdu.requestOpcodeInError.name).")
                return
            }
        }
        switch operation.unexpected {
        case .nothingWaits:
            report(
                .unexpectedResponse, of: operation, event, in: trace,
                "\(operation.opcode.name), but no request is waiting for it.")
        case .otherWaits(let open):
            report(
                .wrongResponse, of: operation, event, related: [open.frame], in: trace,
                Self.wrongResponse(operation, to: open))
        case nil: break
        }
        guard let open = operation.request else { return }
        checkTimeout(of: open, operation, exchange, event, in: trace, answer: "the answer")
        switch operation.pdu {
        case .prepareWriteResponse(let pdu):
            if operation.fault == nil, !self[exchange].preparedPart.isEmpty,
                !pdu.bytes.dropFirst(1).isEqual(to: Bytes(self[exchange].preparedPart.span))
            {
                report(
                    .preparedWriteAltered, of: operation, event, related: [open.frame], in: trace,
                    "The response differs from the request of frame \(open.frame).")
            }
        case .executeWriteResponse: self[exchange].prepared = nil
        case .errorResponse(let pdu):
            // A refused execution discards the queue as well. Vol 3, Part F, 3.4.6.3.
            if pdu.requestOpcodeInError == .executeWriteRequest { self[exchange].prepared = nil }
            if pdu.requestOpcodeInError == .prepareWriteRequest, self[exchange].prepared?.frame == open.frame {
                self[exchange].prepared = nil
            }
        default: break
        }
    }

    private static func wrongResponse(
        _ operation: borrowing ATTOperation, to open: WaitingRequest
    ) -> String {
        if case .errorResponse(let pdu) = operation.pdu {
            return
                "Error Response for a \(pdu.requestOpcodeInError.name), but the request is the \(open.opcode.name) of frame "
                + "\(open.frame)."
        }
        return "\(operation.opcode.name) in reply to the \(open.opcode.name) of frame \(open.frame)."
    }

    private mutating func check(
        _ code: ATTErrorCode, of operation: borrowing ATTOperation, _ slot: Int, _ event: borrowing Event,
        in trace: borrowing Trace
    ) {
        if case .errorResponse(let pdu) = operation.pdu, let permitted = pdu.requestOpcodeInError.permittedErrors,
            code.rawValue <= ATTErrorCode.valueNotAllowed.rawValue, !permitted.contains(code)
        {
            report(
                .wrongErrorCode, Moment(event), place(of: operation, slot, event, in: trace),
                field: Int(code.rawValue),
                "\(code.name) (0x\(hexadecimal(UInt16(code.rawValue), digits: 2))) in answer to a "
                    + "\(pdu.requestOpcodeInError.name).")
        }
        // 0x80 to 0x9F are the application's, 0xE0 to 0xFF the Core Specification Supplement's, which names four.
        guard code.name == "Reserved Error Code", !code.isCommonProfile else { return }
        report(
            .reservedErrorCode, Moment(event), place(of: operation, slot, event, in: trace), field: Int(code.rawValue),
            "Error code 0x\(hexadecimal(UInt16(code.rawValue), digits: 2)).")
    }

    /// The answer came after the transaction had failed.
    private mutating func checkTimeout(
        of request: AnsweredRequest, _ operation: borrowing ATTOperation, _ exchange: ExchangePlace,
        _ event: borrowing Event, in trace: borrowing Trace, answer: String
    ) {
        guard request.isLate, let age = request.roundTrip else { return }
        noteTimeout(request.frame, of: event.direction.opposite, exchange.slot, exchange.bearer)
        let place = place(exchange.slot, server: exchange.server, operation.handle, operation.attribute, in: trace)
        report(
            .transactionTimeout, Moment(event), related: [request.frame], place,
            "\(request.opcode.name) of frame \(request.frame): \(answer) came after \(seconds(age)).")
    }

    // MARK: One PDU

    private mutating func checkLayout(
        _ operation: borrowing ATTOperation, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        var length = operation.pdu.bytes.count
        if let fault = operation.fault {
            if fault.limit == .capturedLength {
                length = fault.need
            } else {
                report(
                    .malformedPDU, of: operation, event, in: trace,
                    "\(operation.opcode.name): \(Self.sentence(fault))")
            }
        }
        checkMTU(operation, length, slot, event, in: trace)
        switch operation.pdu {
        case .exchangeMTURequest(let pdu): check(mtu: pdu.clientRxMTU, operation, slot, event, in: trace)
        case .exchangeMTUResponse(let pdu): check(mtu: pdu.serverRxMTU, operation, slot, event, in: trace)
        case .findInformationRequest(let pdu):
            check(pdu.startingHandle, pdu.endingHandle, operation, event, in: trace)
        case .findByTypeValueRequest(let pdu):
            check(pdu.startingHandle, pdu.endingHandle, operation, event, in: trace)
        case .readByTypeRequest(let pdu):
            check(pdu.startingHandle, pdu.endingHandle, operation, event, in: trace)
        case .readByGroupTypeRequest(let pdu):
            check(pdu.startingHandle, pdu.endingHandle, operation, event, in: trace)
        case .readRequest, .readBlobRequest, .writeRequest, .writeCommand, .prepareWriteRequest,
            .handleValueNotification, .handleValueIndication:
            if operation.handle == 0 {
                report(
                    .invalidHandle, of: operation, event, in: trace, "\(operation.opcode.name) for handle 0x0000."
                )
            }
        default: break
        }
        if let length = operation.pdu.attributeValue?.count, length > Self.longestValue {
            check(length: length, place(of: operation, slot, event, in: trace), Moment(event))
        }
    }

    /// Vol 3, Part F, 3.2.9.
    private static let longestValue = 512

    mutating func check(length: Int, _ place: LintFinding.Place, _ moment: Moment) {
        guard length > Self.longestValue else { return }
        report(.longValue, moment, place, "A value of \(length) octets.")
    }

    private mutating func check(
        _ start: AttributeHandle, _ end: AttributeHandle, _ operation: borrowing ATTOperation,
        _ event: borrowing Event, in trace: borrowing Trace
    ) {
        guard start == 0 || start > end else { return }
        report(
            .invalidHandle, of: operation, event, in: trace,
            "\(operation.opcode.name) for the range 0x\(hexadecimal(start)) to 0x\(hexadecimal(end)).")
    }

    // MARK: The end

    /// Reports writes that were prepared and never executed. The end of the connection was seen, not only that of the capture.
    mutating func closePrepared(_ slot: Int, _ moment: Moment, in trace: borrowing Trace) {
        for bearer in watches[slot].bearers.indices {
            for server in ServerSide.allCases {
                guard let open = watches[slot].bearers[bearer][server].prepared else { continue }
                report(
                    .preparedWriteLeft, moment, related: [open.frame],
                    place(slot, server: server, open.handle, open.attribute, in: trace),
                    "Prepared in frame \(open.frame), but neither executed nor cancelled.")
            }
        }
    }
}

extension ATTOpcode {
    /// The error codes that the Core Specification permits for a request; nil for other PDUs. Vol 3, Part F, 3.4.9. It does not list
    /// Invalid PDU, Request Not Supported, Unlikely Error, Insufficient Resources and Value Not Allowed for each request.
    fileprivate var permittedErrors: [ATTErrorCode]? {
        let security: [ATTErrorCode] = [
            .insufficientAuthentication, .insufficientAuthorization, .encryptionKeySizeTooShort,
            .insufficientEncryption,
        ]
        let search: [ATTErrorCode] = [.invalidHandle, .attributeNotFound]
        let read: [ATTErrorCode] = security + [.invalidHandle, .databaseOutOfSync, .readNotPermitted]
        let write: [ATTErrorCode] = security + [.invalidHandle, .databaseOutOfSync, .writeNotPermitted]
        let own: [ATTErrorCode]
        switch self {
        case .exchangeMTURequest: own = []
        case .findInformationRequest, .findByTypeValueRequest: own = search
        case .readByTypeRequest: own = search + read
        case .readRequest, .readMultipleRequest, .readMultipleVariableRequest: own = read
        case .readBlobRequest: own = read + [.invalidOffset, .attributeNotLong]
        case .readByGroupTypeRequest: own = search + security + [.readNotPermitted, .unsupportedGroupType]
        case .writeRequest: own = write + [.invalidAttributeValueLength]
        case .prepareWriteRequest: own = write + [.prepareQueueFull]
        case .executeWriteRequest: own = [.databaseOutOfSync, .invalidOffset, .invalidAttributeValueLength]
        default: return nil
        }
        return own + [.invalidPDU, .requestNotSupported, .unlikelyError, .insufficientResources, .valueNotAllowed]
    }
}

extension WireError {
    /// A limit of attlas, reported as a fault: the devices are not the cause.
    fileprivate var isOurLimit: Bool { "\(reason)".hasPrefix("more prepared writes than attlas keeps") }
}
