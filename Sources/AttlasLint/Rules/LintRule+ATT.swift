/// What the Attribute Protocol forbids. Core Specification, Vol 3, Part F.
extension LintRule {
    static let att = [
        requestOverlap, unansweredRequest, transactionTimeout, requestAfterTimeout, wrongResponse, unexpectedResponse,
        responseToCommand, indicationOverlap, unconfirmedIndication, unexpectedConfirmation, pduAboveMTU, mtuTwice,
        mtuOnEnhancedBearer, mtuTooSmall, malformedPDU, invalidHandle, longValue, reservedErrorCode,
        preparedWriteLeft, preparedWriteAltered,
    ]

    static let requestOverlap = LintRule(
        "att/request-overlap", .error, title: "a request before the last one was answered",
        explanation: "A bearer carries one request at a time. The server may drop the second one, and which response "
            + "answers which request is anybody's guess.",
        section: "Core Specification, Vol 3, Part F, 3.3.2",
        advice: "Queue requests in the client and send the next one when the response, or the error, is there.",
        needs: "both requests, with the direction of packets recorded and no loss between them")

    static let unansweredRequest = LintRule(
        "att/unanswered-request", .info, title: "the connection ended while a request waited",
        explanation: "Whether the server did what was asked is not known to the client.",
        section: "Core Specification, Vol 3, Part F, 3.3.2",
        advice: "A server that restarts on a command answers first; a client treats the request as failed.",
        needs: "the request and the end of the connection, with the direction of packets recorded")

    static let transactionTimeout = LintRule(
        "att/transaction-timeout", .error, title: "no answer within 30 seconds",
        explanation: "A request or an indication that is not answered within 30 seconds has failed, and the bearer "
            + "is of no use any more.",
        section: "Core Specification, Vol 3, Part F, 3.3.3",
        advice: "Find out why the other side is silent: a blocked task, an application that never answers a write. "
            + "End the connection and make it anew.",
        needs: "the request, and 30 seconds behind it without a loss or a jump of the clock")

    static let requestAfterTimeout = LintRule(
        "att/request-after-timeout", .error, title: "a request on a bearer whose transaction timed out",
        explanation: "After a transaction timeout nothing more may be sent on the bearer: an answer would be taken "
            + "for that of another request.",
        section: "Core Specification, Vol 3, Part F, 3.3.3",
        advice: "End the connection, or open another Enhanced ATT bearer, before going on.",
        needs: "the request that timed out, and the later one")

    static let wrongResponse = LintRule(
        "att/wrong-response", .error, title: "a response that belongs to another request",
        explanation: "Each request has one response of its own, or an Error Response that names it.",
        section: "Core Specification, Vol 3, Part F, 3.3.2 and 3.4.1.1",
        advice: "Check how the server chooses the opcode of its answer, and what it puts into Request Opcode In "
            + "Error.",
        needs: "the request, the response and everything between them")

    static let unexpectedResponse = LintRule(
        "att/unexpected-response", .error, title: "a response that nobody asked for",
        explanation: "A client cannot tell it from the answer to its next request.",
        section: "Core Specification, Vol 3, Part F, 3.3.1",
        advice: "Answer each request once, also where an error path and a success path meet.",
        needs: "the connection from a request on, without a loss")

    static let responseToCommand = LintRule(
        "att/response-to-command", .error, title: "an answer to a command",
        explanation: "Commands, notifications and confirmations have no answer, not even an error.",
        section: "Core Specification, Vol 3, Part F, 3.4.5.3 and 3.3.1",
        advice: "Ignore a command that cannot be carried out.",
        needs: "the Error Response")

    static let indicationOverlap = LintRule(
        "att/indication-overlap", .error, title: "an indication before the last one was confirmed",
        explanation: "A bearer carries one indication at a time; the confirmation does not say which one it is for.",
        section: "Core Specification, Vol 3, Part F, 3.3.2",
        advice: "Queue indications in the server until the confirmation is there.",
        needs: "both indications, with the direction of packets recorded and no loss between them")

    static let unconfirmedIndication = LintRule(
        "att/unconfirmed-indication", .info, title: "the connection ended while an indication waited",
        explanation: "The server has to take the value for not delivered.",
        section: "Core Specification, Vol 3, Part F, 3.4.7.2 and 3.4.7.3",
        advice: "Confirm as soon as the indication is received, before the application has worked on it.",
        needs: "the indication and the end of the connection, with the direction of packets recorded")

    static let unexpectedConfirmation = LintRule(
        "att/unexpected-confirmation", .error, title: "a confirmation without an indication",
        explanation: "The server may take it for the confirmation of its next indication.",
        section: "Core Specification, Vol 3, Part F, 3.4.7.3",
        advice: "Confirm each indication once, and notifications never.",
        needs: "the connection from an indication on, without a loss")

    static let pduAboveMTU = LintRule(
        "att/pdu-above-mtu", .error, title: "a PDU longer than the MTU",
        explanation: "The receiver need not have room for it. Before an exchange the MTU of an LE link is 23 octets: "
            + "20 of a value in a write or a notification.",
        section: "Core Specification, Vol 3, Part F, 3.2.8 and 3.4.2; Part G, 5.2.1",
        advice: "Ask the stack for the MTU in force before each long value, and do not send long ones before the "
            + "exchange.",
        needs: "the connection from its start, or an exchange of the MTU")

    static let mtuTwice = LintRule(
        "att/mtu-exchanged-twice", .warning, title: "the MTU was asked for a second time",
        explanation: "A client exchanges the MTU once in a connection. What a second exchange does is left to luck.",
        section: "Core Specification, Vol 3, Part F, 3.4.2.1",
        advice: "Let one place in the client do the exchange; operating systems often have done it already.",
        needs: "both requests")

    static let mtuOnEnhancedBearer = LintRule(
        "att/mtu-on-enhanced-bearer", .error, title: "Exchange MTU on an Enhanced ATT bearer",
        explanation: "The MTU of an Enhanced ATT bearer is that of its L2CAP channel.",
        section: "Core Specification, Vol 3, Part F, 3.4.2",
        advice: "Reconfigure the channel instead.",
        needs: "the request, and how its channel was opened")

    static let mtuTooSmall = LintRule(
        "att/mtu-too-small", .error, title: "an MTU below the smallest there is",
        explanation: "No side may offer less than 23 octets on an LE link.",
        section: "Core Specification, Vol 3, Part F, 3.4.2.1 and 3.4.2.2; Part G, 5.2.1",
        advice: "Offer what the receive buffer holds, at least 23.",
        needs: "the PDU")

    static let malformedPDU = LintRule(
        "att/malformed-pdu", .error, title: "a PDU that is not laid out as its opcode says",
        explanation: "A receiver answers Invalid PDU, drops it, or reads past its end.",
        section: "Core Specification, Vol 3, Part F, 3.4",
        advice: "Compare the octets with the layout: attlas show --hex has them.",
        needs: "the whole PDU")

    static let invalidHandle = LintRule(
        "att/invalid-handle", .warning, title: "a request for handle 0x0000 or a range that ends before it begins",
        explanation: "Handle 0x0000 is reserved; the server has to refuse the request.",
        section: "Core Specification, Vol 3, Part F, 3.2.2 and 3.4.3",
        advice: "Stop a discovery when a range is used up: behind 0xFFFF there is nothing.",
        needs: "the request")

    static let longValue = LintRule(
        "att/value-above-512", .error, title: "an attribute value longer than 512 octets",
        explanation: "No attribute value is longer than 512 octets.",
        section: "Core Specification, Vol 3, Part F, 3.2.9",
        advice: "Divide the data over several values, or use an L2CAP channel for it.",
        needs: "the value")

    static let reservedErrorCode = LintRule(
        "att/reserved-error-code", .warning, title: "an error code that is reserved",
        explanation: "No client knows what it means.",
        section: "Core Specification, Vol 3, Part F, 3.4.1.1",
        advice: "Use a code of the specification, of the service, or of the application's range 0x80 to 0x9F.",
        needs: "the Error Response")

    static let preparedWriteLeft = LintRule(
        "att/prepared-write-left", .warning, title: "prepared writes that were never executed",
        explanation: "What was prepared is lost with the connection, and held memory in the server until then.",
        section: "Core Specification, Vol 3, Part F, 3.4.6",
        advice: "End each queue with an Execute Write Request, also when a part was refused.",
        needs: "the prepared writes and the end of the connection, with the direction of packets recorded")

    static let preparedWriteAltered = LintRule(
        "att/prepared-write-altered", .error, title: "a prepared write that came back different",
        explanation: "The response repeats the request, so that the client can see whether the server has what was "
            + "sent.",
        section: "Core Specification, Vol 3, Part F, 3.4.6.2",
        advice: "Server: answer with the handle, the offset and the octets of the request. Client: cancel the queue.",
        needs: "the request and its response")
}
