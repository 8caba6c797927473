import AttlasTrace
import AttlasWire

/// Why requests are refused, or not answered.
extension Hypothesis {
    static let ofRequests = [
        secondExchange, otherExchange, overlappingRequest, crossedRequest, reservedHandle, missingConfiguration,
        undeclared, unreadableConfiguration,
        beyondTheLongest, otherLength,
        onlyCommands, queueNotEmptied, queueLeft, queueFull, beforeEncryption, unauthenticatedKey, oldTable,
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

    /// A client waits for the response before its next request. Core Specification, Vol 3, Part F, 3.3.2.
    private static let overlappingRequest = Hypothesis([.requestUnanswered], .likely) { evidence in
        guard let request = evidence.request, let first = request.overlaps else { return nil }
        let (asker, answerer) = (evidence.name(of: request.asker), evidence.name(of: request.asker.opposite))
        return Account(
            text:
                "\(asker.capitalizedFirst) sent it before the request of frame \(first) was answered, and one may wait at a time "
                + "(Vol 3, Part F, 3.3.2): \(answerer) may have dropped it.",
            next: "Send the next request in \(asker) after the response to the one before.",
            steps: [Incident.Step(frame: first, text: "\(asker) sent the request before")])
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

    /// The MTU was exchanged by the other side as client. Both may: Vol 3, Part F, 3.4.2.1.
    private static let otherExchange = Hypothesis([.requestUnanswered], .likely) { evidence in
        guard let request = evidence.request, request.opcode == .exchangeMTURequest,
            let first = evidence.link.exchangedMTU[request.asker.opposite]
        else { return nil }
        let answerer = evidence.name(of: request.asker.opposite)
        return Account(
            text:
                "\(answerer.capitalizedFirst) had exchanged the MTU itself (frame \(first)) and ignores the exchange of the other side, which each "
                + "side may make once (Vol 3, Part F, 3.4.2.1).",
            next: "Answer it in \(answerer); until then let the other side use the MTU that is agreed already.",
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

    /// Core Specification, Vol 3, Part G, 3.3.3.3.
    private static let undeclared = Hypothesis([.subscriptionRefused], .likely) { evidence in
        guard let request = evidence.request, !request.undeclared.isEmpty, request.error?.wantsSecurity == false else {
            return nil
        }
        let property = request.undeclared.contains(.notify) ? "Notify" : "Indicate"
        return Account(
            text:
                "The characteristic does not declare \(property), for which the client asked (Vol 3, Part G, 3.3.3.3).",
            next: "Ask for what the characteristic declares.")
    }

    /// Core Specification, Vol 3, Part F, 3.2.2.
    private static let reservedHandle = Hypothesis([.requestRefused, .subscriptionRefused], .proved) { evidence in
        guard let request = evidence.request, request.error == .invalidHandle, request.handle == 0 else { return nil }
        return Account(
            text: "Handle 0x0000 is reserved (Vol 3, Part F, 3.2.2): the client asked for no attribute.",
            next: "Look in the client for a handle that was never set.")
    }

    /// Core Specification, Vol 3, Part F, 3.2.9.
    private static let beyondTheLongest = Hypothesis([.requestRefused], .proved) { evidence in
        let most = 512
        let codes: [ATTErrorCode] = [
            .invalidOffset, .prepareQueueFull, .invalidAttributeValueLength, .insufficientResources,
        ]
        guard let request = evidence.request, let error = request.error, codes.contains(error),
            let end = request.part?.upperBound, end > most
        else { return nil }
        return Account(
            text:
                "It ends at octet \(end) of the value: an attribute has at most \(most) octets (Vol 3, Part F, 3.2.9).",
            next: "Split the value in the application: at most \(most) octets in one write.")
    }

    /// The MTU says nothing about the length of an attribute. Core Specification, Vol 3, Part F, 3.2.9 and 3.4.5.1.
    private static let otherLength = Hypothesis([.requestRefused], .proved) { evidence in
        guard let request = evidence.request, request.opcode == .writeRequest,
            request.error == .invalidAttributeValueLength, let octets = request.part?.count
        else { return nil }
        let fills = octets == evidence.mtu - 3
        guard request.taken != nil || fills else { return nil }
        let taken =
            request.taken.map { "The attribute took \(counted($0, "octet")) and refuses \(octets)" }
            ?? "The attribute refuses \(counted(octets, "octet"))"
        return Account(
            text: taken
                + (fills
                    ? ", which fill the MTU of \(evidence.mtu): the MTU does not say how long a value may be." : "."),
            next: (request.taken ?? .max) < octets
                ? "Write shorter blocks; the definition of the characteristic has the length."
                : "Look up the length in the definition of the characteristic.")
    }

    /// Core Specification, Vol 3, Part G, 3.3.1.1.
    private static let onlyCommands = Hypothesis([.requestRefused], .proved) { evidence in
        guard let request = evidence.request, request.opcode == .writeRequest, request.error == .writeNotPermitted,
            let properties = request.properties, properties.contains(.writeWithoutResponse),
            !properties.contains(.write)
        else { return nil }
        return Account(
            text: "The characteristic takes writes without response only: its properties have no Write.",
            next: "Write it without response (Write Command).")
    }

    /// Core Specification, Vol 3, Part F, 3.4.6.3.
    private static let queueNotEmptied = Hypothesis([.requestRefused], .proved) { evidence in
        guard let request = evidence.request, request.error == .prepareQueueFull, request.part?.lowerBound == 0,
            let refused = request.executionRefused
        else { return nil }
        return Account(
            text:
                "The first part of a value is refused: the server has kept its queue, although it refused Execute Write Request in frame "
                + "\(refused), which empties it (Vol 3, Part F, 3.4.6.3).",
            next: "Empty the queue in the server whenever Execute Write Request is refused.",
            steps: [Incident.Step(frame: refused, text: "Execute Write Request was refused")])
    }

    /// Core Specification, Vol 3, Part F, 3.4.6.3.
    private static let queueLeft = Hypothesis([.requestRefused], .proved) { evidence in
        guard let request = evidence.request, let left = request.partsLeft else { return nil }
        let asker = evidence.name(of: request.asker)
        return Account(
            text:
                "The first part of a value is refused: the parts of the long write before, since frame \(left), are in the queue, and \(asker) neither "
                + "executed nor cancelled them.",
            next: "Cancel a long write when a part of it is refused: Execute Write Request with the flag 0x00.",
            steps: [Incident.Step(frame: left, text: "the first part of the long write before")])
    }

    /// The link was encrypted later. Vol 3, Part C, 10.3.2.
    private static let beforeEncryption = Hypothesis([.indicationUnconfirmed], .likely) { evidence in
        guard let request = evidence.request, request.asker == .tx, let encryption = evidence.link.encryption,
            encryption.moment.frame > evidence.moment.frame
        else { return nil }
        return Account(
            text:
                "It was sent before the link was encrypted (frame \(encryption.moment.frame)): \(evidence.peer) may take nothing of a bonded device "
                + "before that.",
            next: "Send it after encryption if the two are bonded.",
            steps: [Incident.Step(frame: encryption.moment.frame, text: "the link was encrypted")])
    }

    private static let queueFull = Hypothesis([.requestRefused], .likely) { evidence in
        guard let request = evidence.request, request.opcode == .prepareWriteRequest, let part = request.part,
            part.lowerBound > 0, request.error == .prepareQueueFull || request.error == .insufficientResources
        else { return nil }
        return Account(
            text:
                "The server has room for \(part.lowerBound) octets; the MTU in force is \(evidence.mtu).",
            next: evidence.mtu == 23
                ? "Exchange a larger MTU first, or write less at once."
                : "Write less at once, or give the server's queue more room.")
    }

    /// Core Specification, Vol 3, Part H, 2.3.5.1.
    private static let unauthenticatedKey = Hypothesis([.requestRefused, .subscriptionRefused], .likely) { evidence in
        guard let request = evidence.request, request.isEncrypted, request.error == .insufficientAuthentication,
            let pairing = evidence.link.pairing, pairing.method?.association == .justWorks
        else { return nil }
        let mute = [Direction.tx, .rx].first { pairing.offers[$0]?.offer.ioCapability == .noInputNoOutput }
        let offer = mute.flatMap { pairing.offers[$0] }
        let why =
            mute.flatMap { side in
                offer.map { "\(evidence.name(of: side)) has no input and no output (frame \($0.frame))" }
            } ?? "neither side can do more with what it offers (frame \(pairing.begun.frame))"
        return Account(
            text:
                "The link is encrypted, and its key is not authenticated: pairing was Just Works, because \(why). The attribute needs "
                + "protection against a man in the middle.",
            next:
                "Give \(mute.map { evidence.name(of: $0) } ?? "both sides") a display or a keyboard in the pairing, or let the attribute do with an "
                + "unauthenticated key.",
            steps: offer.map { [Incident.Step(frame: $0.frame, text: "no input and no output")] } ?? [])
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
            next: "Find out why pairing fails: the request is refused because of it.",
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
