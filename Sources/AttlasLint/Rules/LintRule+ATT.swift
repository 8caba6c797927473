import AttlasIncidents

/// Violations of the Attribute Protocol. Core Specification, Vol 3, Part F.
extension LintRule {
    static let att = [
        requestOverlap, unansweredRequest, transactionTimeout, requestAfterTimeout, wrongResponse, unexpectedResponse,
        responseToCommand, indicationOverlap, unconfirmedIndication, unexpectedConfirmation, pduAboveMTU, mtuTwice,
        mtuOnEnhancedBearer, mtuTooSmall, mtuAsymmetric, sentDuringMTUExchange, malformedPDU, invalidHandle, longValue,
        reservedErrorCode, wrongErrorCode,
        preparedWriteLeft, preparedWriteAltered,
    ]

    static let requestOverlap = LintRule(
        "att/request-overlap", .error, title: "a request before the last one was answered",
        explanation: "A bearer carries one request at a time. The server may drop the second request, and it is "
            + "unclear which response answers which request.",
        section: "Core Specification, Vol 3, Part F, 3.3.2",
        advice: "Queue requests in the client. Send the next one after the response or the error.",
        needs: "both requests, with known directions and without loss",
        requires: [.pdus, .directions, .absence], needsNoGap: true)

    static let unansweredRequest = LintRule(
        "att/unanswered-request", .info, title: "the connection ended while a request waited",
        explanation: "The client does not know whether the server executed the request.",
        section: "Core Specification, Vol 3, Part F, 3.3.3",
        advice: "Server: answer before a restart. Client: treat the request as failed.",
        needs:
            "the request and the end of the connection, with known directions and without loss",
        requires: [.pdus, .directions, .ended, .absence],
        needsNoGap: true)

    static let transactionTimeout = LintRule(
        "att/transaction-timeout", .error, title: "no answer within 30 seconds",
        explanation: "A request or an indication without an answer within 30 seconds has failed, and the bearer cannot"
            + " be used any more.",
        section: "Core Specification, Vol 3, Part F, 3.3.3",
        advice: "Find out why the other side does not answer: a blocked task, or an application that never "
            + "answers a write. End the connection and connect again.",
        needs: "the request, and 30 seconds after it without loss or clock jump",
        requires: [.pdus, .directions, .absence], needsNoGap: true)

    static let requestAfterTimeout = LintRule(
        "att/request-after-timeout", .error, title: "traffic after an ATT timeout",
        explanation: "The side whose transaction timed out may send nothing more on the bearer: a late answer would be "
            + "matched to another request.",
        section: "Core Specification, Vol 3, Part F, 3.3.3",
        advice: "Before the next request, end the connection or open another Enhanced ATT bearer.",
        needs: "the transaction that timed out and the later PDU, without loss",
        requires: [.pdus, .directions, .absence], needsNoGap: true)

    static let wrongResponse = LintRule(
        "att/wrong-response", .error, title: "a response that belongs to another request",
        explanation: "Each request has its own response, or an Error Response that names it.",
        section: "Core Specification, Vol 3, Part F, 3.3.2 and 3.4.1.1",
        advice: "Check how the server chooses the opcode of its response, and the Request Opcode In Error.",
        needs: "the request, the response and everything in between",
        requires: [.pdus, .directions, .absence], needsNoGap: true)

    static let unexpectedResponse = LintRule(
        "att/unexpected-response", .error, title: "a response without a request",
        explanation: "A client cannot distinguish it from the response to its next request.",
        section: "Core Specification, Vol 3, Part F, 3.3 and 3.3.2",
        advice: "Answer each request once, also where an error path and a success path meet.",
        needs: "the connection from a request on, without loss",
        requires: [.pdus, .directions, .absence], needsNoGap: true)

    static let responseToCommand = LintRule(
        "att/response-to-command", .error, title: "a response to a command",
        explanation: "Commands, notifications and confirmations have no response, not even an error.",
        section: "Core Specification, Vol 3, Part F, 3.3, 3.4.1.1 and 3.4.5.3",
        advice: "Ignore a command that cannot be executed.",
        needs: "the Error Response",
        requires: [.pdus, .errors])

    static let indicationOverlap = LintRule(
        "att/indication-overlap", .error, title: "an indication before the last one was confirmed",
        explanation: "A bearer carries one indication at a time, and a confirmation does not name its indication.",
        section: "Core Specification, Vol 3, Part F, 3.3.2",
        advice: "Queue indications in the server until the confirmation has arrived.",
        needs: "both indications, with known directions and without loss",
        requires: [.pdus, .directions, .indications, .absence],
        needsNoGap: true)

    static let unconfirmedIndication = LintRule(
        "att/unconfirmed-indication", .info, title: "the connection ended while an indication waited",
        explanation: "The server has to assume that the value was not delivered.",
        section: "Core Specification, Vol 3, Part F, 3.3.3",
        advice: "Confirm when the indication is received, before the application processes it.",
        needs:
            "the indication and the end of the connection, with known directions and without loss",
        requires: [.pdus, .directions, .indications, .ended, .absence],
        needsNoGap: true)

    static let unexpectedConfirmation = LintRule(
        "att/unexpected-confirmation", .error, title: "a confirmation without an indication",
        explanation: "The server may match it to its next indication.",
        section: "Core Specification, Vol 3, Part F, 3.4.7.3",
        advice: "Confirm each indication once. Never confirm notifications.",
        needs: "the connection from an indication on, without loss",
        requires: [.pdus, .directions, .absence], needsNoGap: true)

    static let pduAboveMTU = LintRule(
        "att/pdu-above-mtu", .error, title: "a PDU longer than the MTU",
        explanation: "The receiver may have no room for it. Before an exchange the MTU of an LE link is 23 octets, "
            + "which leaves 20 octets for the value of a write or a notification.",
        section: "Core Specification, Vol 3, Part F, 3.2.8 and 3.4.2; Part G, 5.2.1",
        advice: "Get the MTU in force from the stack before each long value. Do not send long values before the "
            + "exchange.",
        needs: "the connection from its start without loss, or an MTU exchange",
        requires: [.pdus, .knownMTU, .absence], needsNoGap: true)

    static let mtuTwice = LintRule(
        "att/mtu-exchanged-twice", .error, title: "a second MTU exchange",
        explanation: "A client exchanges the MTU once in a connection. The effect of a second exchange is not defined.",
        section: "Core Specification, Vol 3, Part F, 3.4.2.1",
        advice: "Exchange the MTU in one place of the client; operating systems have often done it already.",
        needs: "both requests, with HCI events, which would show that another connection began",
        requires: [.pdus, .exchangedMTU, .linkEvents], needsNoGap: true)

    static let mtuOnEnhancedBearer = LintRule(
        "att/mtu-on-enhanced-bearer", .error, title: "Exchange MTU on an Enhanced ATT bearer, or over BR/EDR",
        explanation: "The MTU of these bearers is that of their L2CAP channel.",
        section: "Core Specification, Vol 3, Part G, 4.2, 4.3.1 and 5.3.1; Part F, 3.2.8",
        advice: "Configure the channel instead.",
        needs: "the request, and how its channel was opened",
        requires: [.pdus, .enhancedBearers])

    static let mtuTooSmall = LintRule(
        "att/mtu-too-small", .error, title: "an MTU below the minimum",
        explanation: "No side may offer less than 23 octets on an LE link.",
        section: "Core Specification, Vol 3, Part F, 3.4.2.1 and 3.4.2.2; Part G, 5.2.1",
        advice: "Offer the size of the receive buffer, at least 23.",
        needs: "the PDU",
        requires: [.pdus, .exchangedMTU])

    static let mtuAsymmetric = LintRule(
        "att/mtu-asymmetric", .error, title: "a device that offers two different MTUs",
        explanation:
            "A device that is client and server offers one MTU, as client and as server. With two, the sides may "
            + "disagree about the MTU in force, and long values end too early.",
        section: "Core Specification, Vol 3, Part F, 3.4.2.2",
        advice: "Offer the same size in the Exchange MTU Request and in the Exchange MTU Response.",
        needs: "Exchange MTU Request and Exchange MTU Response of one device, with HCI events",
        requires: [.pdus, .exchangedMTU, .linkEvents], needsNoGap: true)

    static let sentDuringMTUExchange = LintRule(
        "att/sent-during-mtu-exchange", .error,
        title: "a notification or an indication during the sender's own MTU exchange",
        explanation: "The receiver does not know which MTU holds for this value.",
        section: "Core Specification, Vol 3, Part F, 3.4.2.2",
        advice: "After an Exchange MTU Request, hold back values until its response has arrived.",
        needs: "the Exchange MTU Request and the later value, without loss",
        requires: [.pdus, .exchangedMTU, .absence], needsNoGap: true)

    static let malformedPDU = LintRule(
        "att/malformed-pdu", .error, title: "a PDU whose layout does not match its opcode",
        explanation: "A receiver may answer with Invalid PDU, drop it, or read past its end.",
        section: "Core Specification, Vol 3, Part F, 3.4",
        advice: "Compare the octets with the layout: attlas show --hex prints them.",
        needs: "the whole PDU",
        requires: [.pdus])

    static let invalidHandle = LintRule(
        "att/invalid-handle", .error, title: "a request for handle 0x0000 or a range that ends before it begins",
        explanation: "Handle 0x0000 is reserved; the server has to reject the request.",
        section: "Core Specification, Vol 3, Part F, 3.2.2, 3.4.3.1, 3.4.4.1 and 3.4.4.9",
        advice: "End a discovery when the range is complete: there are no handles after 0xFFFF.",
        needs: "the request",
        requires: [.pdus])

    static let longValue = LintRule(
        "att/value-above-512", .error, title: "an attribute value longer than 512 octets",
        explanation: "No attribute value is longer than 512 octets.",
        section: "Core Specification, Vol 3, Part F, 3.2.9",
        advice: "Divide the data over several values, or use an L2CAP channel for it.",
        needs: "the value",
        requires: [.pdus])

    static let reservedErrorCode = LintRule(
        "att/reserved-error-code", .warning, title: "a reserved error code",
        explanation: "No client knows its meaning.",
        section: "Core Specification, Vol 3, Part F, 3.4.1.1",
        advice: "Use a code of the specification, of the service, or of the application's range 0x80 to 0x9F.",
        needs: "the Error Response",
        requires: [.pdus, .errors])

    static let wrongErrorCode = LintRule(
        "att/error-code-not-permitted", .warning, title: "an error code that this request does not have",
        explanation:
            "The specification lists the error codes of each request. A client may take another one for something "
            + "else: Attribute Not Found ends a discovery, security errors begin a pairing.",
        section: "Core Specification, Vol 3, Part F, 3.4.9",
        advice: "Server: use a code of the request's list, or one of the application's range 0x80 to 0x9F.",
        needs: "the Error Response", requires: [.pdus, .errors])

    static let preparedWriteLeft = LintRule(
        "att/prepared-write-left", .warning, title: "prepared writes that were never executed",
        explanation: "The prepared data is lost with the connection, and used memory in the server until then.",
        section: "Core Specification, Vol 3, Part F, 3.4.6",
        advice: "End each queue with an Execute Write Request, also when a part was rejected.",
        needs:
            "the prepared writes and the end of the connection, with known directions and without loss",
        requires: [.pdus, .directions, .preparedWrites, .ended, .absence],
        needsNoGap: true)

    static let preparedWriteAltered = LintRule(
        "att/prepared-write-altered", .error, title: "a prepared write whose response differs from the request",
        explanation: "The response repeats the request, so that the client can check what the server received.",
        section: "Core Specification, Vol 3, Part F, 3.4.6.2",
        advice: "Server: answer with the handle, the offset and the octets of the request. Client: cancel the queue.",
        needs: "the request and its response, without loss",
        requires: [.pdus, .directions, .preparedWrites, .absence], needsNoGap: true)
}
