import AttlasCapture
import AttlasIncidents
import AttlasTrace
import AttlasWire

/// Requests and their answers, PDU by PDU. Core Specification, Vol 3, Part F, 3.3 and 3.4.
extension LintCollector {
    private static let transactionTimeout: Int64 = 30_000_000_000

    /// A PDU or a layer below it that could not be read.
    mutating func check(_ fault: Fault, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace) {
        watches[slot].excuse()
        guard case .wire(let error) = fault, error.layer == .att, error.limit != .capturedLength,
            !error.isOurLimit
        else { return }
        met.insert(.pdus)
        report(.malformedPDU, Moment(event), place(slot, event.direction, in: trace), Self.sentence(error))
    }

    private static func sentence(_ error: WireError) -> String {
        guard error.need > 0 else { return "\(error.reason)." }
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
            if let frame = watches[slot].bearers[bearer].timedOut(at: event.time, after: Self.transactionTimeout) {
                report(
                    .requestAfterTimeout, of: operation, event, related: [frame], in: trace,
                    "\(operation.opcode.name) after the transaction of frame \(frame) had timed out.")
            }
        case .response, .confirmation, nil: break
        }
        switch kind {
        case .request: note(operation, exchange, event, in: trace)
        case .response: settle(operation, exchange, event, in: trace)
        case .indication:
            if let open = waitingIndication(exchange) {
                if !checkTimeout(of: open, exchange, Moment(event), in: trace, answer: nil) {
                    report(
                        .indicationOverlap, of: operation, event, related: [open.frame], in: trace,
                        "An indication before the indication of frame \(open.frame) was confirmed.")
                    self[exchange].excusedConfirmations.add(isAfterGap: false)
                }
            }
            self[exchange].indication = waiting(operation, event)
            checkMTUExchange(operation, exchange, event, in: trace)
        case .confirmation:
            if let open = waitingIndication(exchange) {
                self[exchange].indication = nil
                self[exchange].excusedConfirmations.settle()
                _ = checkTimeout(of: open, exchange, Moment(event), in: trace, answer: "the confirmation")
            } else if !self[exchange].excusedConfirmations.use() {
                report(
                    .unexpectedConfirmation, of: operation, event, in: trace,
                    "A confirmation, but no indication is waiting for it.")
            }
        case .notification: checkMTUExchange(operation, exchange, event, in: trace)
        case .command: break
        // A request that the specification does not define is answered with Request Not Supported.
        case nil: if !operation.opcode.isCommand { self[exchange].excusedResponses.add(isAfterGap: false) }
        }
    }

    /// Where the state of an exchange is, so that it is changed there.
    struct ExchangePlace {
        let slot: Int
        let bearer: Int
        let server: ServerSide
    }

    subscript(_ place: ExchangePlace) -> ExchangeWatch {
        // A copy: what is borrowed from an array that changes meanwhile was read after it had been freed.
        @inline(__always) get { watches[place.slot].bearers[place.bearer][place.server] }
        @inline(__always) _modify { yield &watches[place.slot].bearers[place.bearer][place.server] }
    }

    /// What waits for an answer. In place: through the subscript above all of the exchange would be copied, at each PDU.
    @inline(__always)
    func waitingRequest(_ place: ExchangePlace) -> ExchangeWatch.Waiting? {
        switch place.server {
        case .peer: watches[place.slot].bearers[place.bearer].peer.request
        case .local: watches[place.slot].bearers[place.bearer].local.request
        }
    }

    @inline(__always)
    private func waitingIndication(_ place: ExchangePlace) -> ExchangeWatch.Waiting? {
        switch place.server {
        case .peer: watches[place.slot].bearers[place.bearer].peer.indication
        case .local: watches[place.slot].bearers[place.bearer].local.indication
        }
    }

    private func waiting(
        _ operation: borrowing ATTOperation, _ event: borrowing Event
    ) -> ExchangeWatch.Waiting {
        ExchangeWatch.Waiting(
            frame: event.frame, time: event.time, opcode: operation.opcode, handle: operation.handle,
            attribute: operation.attribute)
    }

    private mutating func note(
        _ operation: borrowing ATTOperation, _ exchange: ExchangePlace, _ event: borrowing Event,
        in trace: borrowing Trace
    ) {
        if let open = waitingRequest(exchange) {
            self[exchange].excusedResponses.add(isAfterGap: false)
            if !checkTimeout(of: open, exchange, Moment(event), in: trace, answer: nil) {
                report(
                    .requestOverlap, of: operation, event, related: [open.frame], in: trace,
                    "\(operation.opcode.name) before the \(open.opcode.name) of frame \(open.frame) was answered.")
            }
        }
        self[exchange].request = waiting(operation, event)
        switch operation.pdu {
        case .exchangeMTURequest:
            if case .enhanced = operation.bearer {
                report(
                    .mtuOnEnhancedBearer, of: operation, event, in: trace,
                    "Exchange MTU Request on a credit-based channel.")
            } else if let first = self[exchange].mtuRequest {
                report(
                    .mtuTwice, of: operation, event, related: [first], in: trace,
                    "The MTU was already exchanged in frame \(first).")
            } else {
                self[exchange].mtuRequest = event.frame
            }
        case .prepareWriteRequest(let pdu):
            if self[exchange].prepared == nil { self[exchange].prepared = self[exchange].request }
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
        let moment = Moment(event)
        var answered = operation.opcode.rawValue &- 1
        if case .errorResponse(let pdu) = operation.pdu {
            answered = pdu.requestOpcodeInError.rawValue
            check(pdu.errorCode, of: operation, exchange.slot, event, in: trace)
            if pdu.requestOpcodeInError.hasNoAnswer {
                report(
                    .responseToCommand, of: operation, event, in: trace,
                    "Error Response to a \(pdu.requestOpcodeInError.name).")
                return
            }
        }
        guard let open = waitingRequest(exchange) else {
            if !self[exchange].excusedResponses.use() {
                report(
                    .unexpectedResponse, of: operation, event, in: trace,
                    "\(operation.opcode.name), but no request is waiting for it.")
            }
            return
        }
        guard open.opcode.rawValue == answered else {
            if !self[exchange].excusedResponses.use() {
                report(
                    .wrongResponse, of: operation, event, related: [open.frame], in: trace,
                    Self.wrongResponse(operation, to: open))
                self[exchange].request = nil
                self[exchange].excusedResponses.add(isAfterGap: false)
            }
            return
        }
        self[exchange].request = nil
        self[exchange].excusedResponses.settle()
        _ = checkTimeout(of: open, exchange, moment, in: trace, answer: "the answer")
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
            if pdu.requestOpcodeInError.rawValue == 0x18 { self[exchange].prepared = nil }
            if pdu.requestOpcodeInError.rawValue == 0x16, self[exchange].prepared?.frame == open.frame {
                self[exchange].prepared = nil
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

    private mutating func check(
        _ code: ATTErrorCode, of operation: borrowing ATTOperation, _ slot: Int, _ event: borrowing Event,
        in trace: borrowing Trace
    ) {
        if case .errorResponse(let pdu) = operation.pdu, let permitted = pdu.requestOpcodeInError.permittedErrors,
            code.rawValue < 0x14, permitted & 1 << code.rawValue == 0
        {
            report(
                .wrongErrorCode, Moment(event), place(of: operation, slot, event, in: trace),
                field: Int(code.rawValue),
                "\(code.name) (0x\(hexadecimal(UInt16(code.rawValue), digits: 2))) in answer to a "
                    + "\(pdu.requestOpcodeInError.name).")
        }
        // 0x80 to 0x9F are the application's, 0xE0 to 0xFF the Core Specification Supplement's, which names four.
        guard code.name == "Reserved Error Code", code.rawValue < 0xE0 else { return }
        report(
            .reservedErrorCode, Moment(event), place(of: operation, slot, event, in: trace), field: Int(code.rawValue),
            "Error code 0x\(hexadecimal(UInt16(code.rawValue), digits: 2)).")
    }

    /// Whether what waited has timed out.
    /// - Parameter answer: what came at last; nil if nothing did.
    private mutating func checkTimeout(
        of open: ExchangeWatch.Waiting, _ exchange: ExchangePlace, _ moment: Moment, in trace: borrowing Trace,
        answer: String?
    ) -> Bool {
        guard let age = open.age(at: moment.time), age > Self.transactionTimeout else { return false }
        self[exchange].timedOut = open.frame
        // The side that did not answer is at fault, whichever side sent this PDU.
        let place = place(exchange.slot, server: exchange.server, open.handle, open.attribute, in: trace)
        let end = answer.map { "\($0) came after \(seconds(age))" } ?? "no answer for \(seconds(age))"
        report(
            .transactionTimeout, moment, related: [open.frame], place,
            "\(open.opcode.name) of frame \(open.frame): \(end).")
        return true
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

    /// - Parameter isEnded: the end of the connection was seen, not only that of the capture.
    mutating func closeExchanges(_ slot: Int, isEnded: Bool, _ moment: Moment, in trace: borrowing Trace) {
        // Of a capture without HCI events it is unknown how long a connection lived after its last packet.
        var alive = moment
        if !watches[slot].isComplete, let last = watches[slot].lastSign {
            alive = Moment(frame: moment.frame, time: last)
        }
        for bearer in watches[slot].bearers.indices {
            for server in ServerSide.allCases {
                let exchange = ExchangePlace(slot: slot, bearer: bearer, server: server)
                for (open, rule) in [
                    (waitingRequest(exchange), LintRule.unansweredRequest),
                    (waitingIndication(exchange), LintRule.unconfirmedIndication),
                ] {
                    guard let open else { continue }
                    let place = place(slot, server: server, open.handle, open.attribute, in: trace)
                    if !checkTimeout(of: open, exchange, alive, in: trace, answer: nil), isEnded {
                        report(
                            rule, moment, related: [open.frame], place,
                            "\(open.opcode.name) of frame \(open.frame)\(Self.waited(open, moment)).")
                    }
                }
                if isEnded, let open = self[exchange].prepared {
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
    /// The error codes 0x01 to 0x13 of a request, as bits; nil of what is no request. Vol 3, Part F, 3.4.9. Not listed there for each
    /// request are Invalid PDU, Request Not Supported, Unlikely Error, Insufficient Resources and Value Not Allowed.
    fileprivate var permittedErrors: UInt32? {
        let always: UInt32 = 1 << 0x04 | 1 << 0x06 | 1 << 0x0E | 1 << 0x11 | 1 << 0x13
        let security: UInt32 = 1 << 0x05 | 1 << 0x08 | 1 << 0x0C | 1 << 0x0F
        let (handle, notFound, outOfSync): (UInt32, UInt32, UInt32) = (1 << 0x01, 1 << 0x0A, 1 << 0x12)
        let (read, write): (UInt32, UInt32) = (1 << 0x02, 1 << 0x03)
        switch rawValue {
        case 0x02: return always
        case 0x04, 0x06: return always | handle | notFound
        case 0x08: return always | handle | notFound | security | outOfSync | read
        case 0x0A, 0x0E, 0x20: return always | handle | security | outOfSync | read
        case 0x0C: return always | handle | security | outOfSync | read | 1 << 0x07 | 1 << 0x0B
        case 0x10: return always | handle | notFound | security | read | 1 << 0x10
        case 0x12: return always | handle | security | outOfSync | write | 1 << 0x0D
        case 0x16: return always | handle | security | outOfSync | write | 1 << 0x09
        case 0x18: return always | outOfSync | 1 << 0x07 | 1 << 0x0D
        default: return nil
        }
    }

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
