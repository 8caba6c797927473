import AttlasTrace
import AttlasWire

/// Why requests are refused, or not answered.
extension Hypothesis {
    static let ofRequests = [
        secondExchange, crossedRequest, reservedHandle, missingConfiguration, unreadableConfiguration, oldTable,
        contradiction, failedPairings,
    ]

    /// Both sides had a request open. Each may: a side has to answer while it waits. Core Specification, Vol 3, Part F, 3.3.2.
    private static let crossedRequest = Hypothesis([.requestUnanswered], .likely) { evidence in
        guard let request = evidence.request, let crossed = request.crossed, !evidence.hasGap else { return nil }
        let isHost = request.asker == .tx
        let answerer = evidence.name(of: request.asker.opposite)
        let later = evidence.link.streams.map(\.lastFrame).filter { $0 > crossed }.max()
        let alive = isHost ? later.map { " It was alive: it sent a value in frame \($0)." } ?? "" : ""
        return Account(
            text:
                "\(answerer.capitalizedFirst) sent another request while this one waited (frame \(crossed)), and then did not "
                + "answer: it may handle one transaction at a time.\(alive)",
            next:
                "Answer requests while an own request waits: the two directions are independent (Vol 3, Part F, 3.3.2).",
            steps: [Incident.Step(frame: crossed, text: "\(answerer) sent its own request")])
    }

    /// A client exchanges the MTU once on a connection. Core Specification, Vol 3, Part F, 3.4.2.1.
    private static let secondExchange = Hypothesis([.requestRefused, .requestUnanswered], .proved) { evidence in
        guard let request = evidence.request, request.opcode == .exchangeMTURequest,
            let first = evidence.link.exchangedMTU[request.asker]
        else { return nil }
        let asker = evidence.name(of: request.asker)
        return Account(
            text:
                "\(asker.capitalizedFirst) had asked for the MTU before (frame \(first)), and a client may do so once on a "
                + "connection (Vol 3, Part F, 3.4.2.1).",
            next: "Look in \(asker) for a second place that asks for the MTU.",
            steps: [Incident.Step(frame: first, text: "the MTU was exchanged")])
    }

    /// A guessed handle: the characteristic has no descriptor by which a client subscribes. Core Specification, Vol 3, Part G, 3.3.3.3.
    private static let missingConfiguration = Hypothesis([.requestRefused, .subscriptionRefused], .proved) { evidence in
        guard let request = evidence.request, request.error == .invalidHandle,
            let characteristic = request.lacksConfiguration
        else { return nil }
        return Account(
            text:
                "\(characteristic) declares notifications or indications and has no Client Characteristic Configuration, so that "
                + "nobody can subscribe to it: the handle was guessed.",
            next: "Add a Client Characteristic Configuration to \(characteristic) in the firmware of the device.")
    }

    /// Core Specification, Vol 3, Part F, 3.2.2.
    private static let reservedHandle = Hypothesis([.requestRefused, .subscriptionRefused], .proved) { evidence in
        guard let request = evidence.request, request.error == .invalidHandle, request.handle == 0 else { return nil }
        return Account(
            text: "Handle 0x0000 is reserved (Vol 3, Part F, 3.2.2): the client asked for no attribute.",
            next: "Look in the client for a handle that was never set.")
    }

    /// It requires security that was tried in vain.
    private static let failedPairings = Hypothesis([.requestRefused, .subscriptionRefused], .likely) { evidence in
        guard let request = evidence.request, request.error?.wantsSecurity ?? false, !evidence.link.wasEncrypted,
            let last = evidence.device.failedPairings.last
        else { return nil }
        let times = evidence.device.failedPairings.count
        return Account(
            text:
                "The attribute needs a pairing, and pairing failed \(times == 1 ? "(" : "\(times) times (last in ")frame \(last)).",
            next: "Find out why pairing fails; the request follows from it.",
            steps: [Incident.Step(frame: last, text: "pairing failed")], isConsequence: true)
    }

    /// The handle is from an earlier connection, or from before the capture.
    private static let oldTable = Hypothesis([.requestRefused, .subscriptionRefused], .likely) { evidence in
        guard let request = evidence.request, !request.opcode.takesRange, !request.isDiscovered, request.handle != 0
        else { return nil }
        let next = "Discover the table again: forget the device, then connect."
        if request.error == .invalidHandle {
            return Account(text: "The client uses an old table: the handle does not exist.", next: next)
        }
        guard request.isRemembered, request.isDeclared, request.error?.deniesAccess ?? false else { return nil }
        return Account(
            text:
                "The client uses an old table: on an earlier connection this handle was an attribute that allows the request.",
            next: next)
    }

    /// The server refuses an operation that it declares. Core Specification, Vol 3, Part G, 3.3.1.1.
    private static let contradiction = Hypothesis([.requestRefused], .proved) { evidence in
        guard let request = evidence.request, request.isDiscovered, request.isDeclared, !request.isRemembered,
            request.error?.deniesAccess ?? false
        else { return nil }
        return Account(
            text:
                "The server contradicts its table: the properties of the characteristic, discovered on this connection, allow the request.",
            next: "Change the properties or the permissions in the firmware of the device.")
    }

    /// Core Specification, Vol 3, Part G, 3.3.3.3: readable without authentication or authorization.
    private static let unreadableConfiguration = Hypothesis([.requestRefused], .proved) { evidence in
        guard let request = evidence.request, request.isConfiguration, request.opcode.isRead,
            let error = request.error, error == .readNotPermitted || error.wantsSecurity
        else { return nil }
        return Account(
            text: "The device is wrong: a Client Characteristic Configuration must be readable without authentication "
                + "(Vol 3, Part G, 3.3.3.3).",
            next: "Change the firmware of the device; until then write the descriptor without reading it.")
    }
}

extension ATTErrorCode {
    /// Read Not Permitted, Write Not Permitted and Request Not Supported.
    fileprivate var deniesAccess: Bool {
        self == .readNotPermitted || self == .writeNotPermitted || self == .requestNotSupported
    }
}

extension ATTOpcode {
    fileprivate var isRead: Bool {
        switch self {
        case .readByTypeRequest, .readRequest, .readBlobRequest, .readMultipleRequest, .readMultipleVariableRequest:
            true
        default: false
        }
    }
}
