import AttlasTrace
import AttlasValues
import AttlasWire

/// Incidents on channels of RFCOMM, and on credit based ones.
extension IncidentCollector {
    /// A link that ends this soon after a channel or a stream is what ended.
    static let endOfLink: Int64 = 2_000_000_000

    mutating func follow(_ sdu: borrowing ChannelSDU, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace)
    {
        let (channel, sender) = (sdu.localChannel, event.direction)
        // A side that still sends did not stop because of it.
        links[slot].breaches.removeAll { $0.channel == channel && $0.sender == sender.opposite }
        if let breach = sdu.breach {
            links[slot].breaches.removeAll { $0.channel == channel && $0.sender == sender }
            links[slot].breaches = links[slot].breaches.suffix(LinkState.openingLimit - 1)
            links[slot].breaches.append(
                LinkState.Breach(
                    channel: channel, psm: sdu.psm, breach: breach, sender: sender, moment: Moment(event)))
        }
        guard let news = links[slot].channels.receive(sdu, event), !hasGap(slot, in: trace) else { return }
        let moment = Moment(event)
        switch news {
        case .refused(let channel, let asker, let asked):
            let other = party(asker.opposite, slot, in: trace)
            report(
                Incident(
                    .channelRefused, .broke, moment, place(slot, in: trace), detail: channel.detail,
                    title: "channel refused",
                    "\(party(asker, slot, in: trace).capitalizedFirst) asked for \(name(channel, slot, in: trace)) (frame \(asked.frame)), and \(other) refused it with DM after \(seconds(moment.since(asked))).",
                    .likely(
                        "No service of \(other) waits on that channel: it is not started, or has another number now."),
                    next:
                        "Look for the service in the records of SDP again before each connection, and see whether it runs."
                ))
        case .waited(let channel, let sender, let wait):
            guard wait.nanoseconds >= Self.bufferPatience else { return }
            reportExhausted(
                name(channel, slot, in: trace), detail: channel.detail, wait.begun, wait.nanoseconds, sender, slot,
                in: trace)
        }
    }

    /// The channels that the peer closed while the link continued.
    mutating func closeChannels(_ slot: Int, _ moment: Moment, in trace: borrowing Trace) {
        for (channel, opened, closed) in links[slot].channels.closedByPeer
        where moment.since(closed) > Self.endOfLink {
            report(
                Incident(
                    .channelClosed, .noted, closed, place(slot, in: trace), detail: channel.detail,
                    title: "channel closed by the peer",
                    "The peer closed \(name(channel, slot, in: trace)) \(seconds(closed.since(opened))) after it was opened (frame \(opened.frame)); the connection continued.",
                    .unknown("DISC has no reason."),
                    next: "Look at what was sent on the channel last, and whether the app on the peer ended."))
        }
    }

    /// `Serial Port (RFCOMM channel 5)`
    private mutating func name(_ channel: SerialData.Channel, _ slot: Int, in trace: borrowing Trace) -> String {
        channel.title(values.name(of: channel, slot, in: trace))
    }
}

extension SerialData.Channel {
    /// Tells incidents of several channels apart.
    fileprivate var detail: Int {
        guard case .rfcomm(let number) = number else { return 0 }
        return Int(number) << 1 | (server == .local ? 1 : 0)
    }
}

/// Credit based channels of L2CAP. Core Specification, Vol 3, Part A, 4.22 to 4.26.
extension IncidentCollector {
    /// Smallest MTU and MPS.
    private static let leastOctets: UInt16 = 23
    private static let collision: Int64 = 1_000_000_000
    /// In which a side closes a channel because of an SDU.
    private static let reactionToSDU: Int64 = 2_000_000_000

    mutating func follow(
        _ parameters: borrowing L2CAPSignalParameters, _ identifier: UInt8, _ slot: Int, _ event: borrowing Event,
        in trace: borrowing Trace
    ) {
        switch parameters {
        case .leCreditBasedConnectionRequest(let request):
            ask(identifier, request.spsm, request.mtu, request.mps, slot, event)
        case .creditBasedConnectionRequest(let request):
            ask(identifier, request.spsm, request.mtu, request.mps, slot, event)
        case .leCreditBasedConnectionResponse(let response):
            answer(identifier, response.result.rawValue, response.result.name, slot, event, in: trace)
        case .creditBasedConnectionResponse(let response):
            answer(identifier, response.result.rawValue, response.result.name, slot, event, in: trace)
        case .disconnectionRequest(let request): close(request, slot, event, in: trace)
        default: break
        }
    }

    /// A side closes a channel after a breach of its limits, or in the middle of an SDU.
    private mutating func close(
        _ request: borrowing L2CAPDisconnectionRequest, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        let (closer, sender) = (event.direction, event.direction.opposite)
        let ends =
            closer == .tx
            ? [request.sourceCID, request.destinationCID] : [request.destinationCID, request.sourceCID]
        // Some stacks name the two ends the wrong way round.
        let channel = ends.first { end in links[slot].breaches.contains { $0.channel == end } } ?? ends[0]
        let moment = Moment(event)
        let unfinished = trace.connections[slot].unfinishedSDU(on: channel, sentBy: sender)
        let known = links[slot].breaches.last {
            $0.channel == channel && $0.sender == sender && moment.since($0.moment) <= Self.reactionToSDU
        }
        links[slot].breaches.removeAll { $0.channel == channel }
        guard !hasGap(slot, in: trace), sender != .unknown, let psm = known?.psm ?? unfinished?.psm else { return }
        let (closing, sending) = (party(closer, slot, in: trace), party(sender, slot, in: trace))
        let breach = unfinished?.breach ?? known?.breach
        // A side may lose interest in the rest: only that of the peer is worth a line.
        guard breach != nil || closer == .rx else { return }
        let name = "the channel of PSM 0x\(hexadecimal(psm))"
        var incident = Incident(
            .channelClosed, breach == nil ? .hindered : .broke, moment, place(slot, in: trace), detail: Int(psm),
            title: "channel of PSM 0x\(hexadecimal(psm)) closed by \(closing)",
            "\(closing.capitalizedFirst) closed \(name) (L2CAP Disconnection Request)"
                + (breach == nil
                    ? unfinished.map { " after \($0.octets) of \($0.length) octets of an SDU of \(sending)." } ?? "."
                    : " right after data of \(sending)."),
            breach.map { .proved("\(sending.capitalizedFirst) sent \($0.words).") }
                ?? .unknown("L2CAP Disconnection Request has no reason; the log of \(closing) would tell."),
            next: breach?.advice ?? "Look at what \(closing) does with the data, and whether its app ended.")
        if let known { incident.add(known.moment.frame, "\(sending) sent \(known.breach.words)") }
        incident.add(moment.frame, "\(closing) closed the channel")
        report(incident)
    }

    private mutating func ask(
        _ identifier: UInt8, _ spsm: UInt16, _ mtu: UInt16, _ mps: UInt16, _ slot: Int, _ event: borrowing Event
    ) {
        if links[slot].openings.count == LinkState.openingLimit { links[slot].openings.removeFirst() }
        links[slot].openings.append(
            LinkState.Opening(
                identifier: identifier, asker: event.direction, spsm: spsm, mtu: mtu, mps: mps, moment: Moment(event)))
    }

    private mutating func answer(
        _ identifier: UInt8, _ result: UInt16, _ name: String?, _ slot: Int, _ event: borrowing Event,
        in trace: borrowing Trace
    ) {
        guard
            let index = links[slot].openings.lastIndex(where: {
                $0.identifier == identifier && $0.asker == event.direction.opposite
            })
        else { return }
        let asked = links[slot].openings[index]
        let refusal = L2CAPChannelRefusal(rawValue: result)
        let crossed = links[slot].openings.first { $0.asker == event.direction && $0.spsm == asked.spsm }
        // A crossed one of the other side may still be refused.
        if refusal != .noResources { links[slot].openings.remove(at: index) }
        guard let refusal else {
            // Other results say that the answer comes later.
            guard result == 0 else { return }
            return acceptLater(slot, event.frame, "the channel was accepted", in: trace) {
                $0.kind == .channelRefused && $0.detail >> 16 == Int(asked.spsm)
            }
        }
        let moment = Moment(event)
        let isCollision =
            refusal == .noResources && crossed.map { abs(asked.moment.since($0.moment)) <= Self.collision } ?? false
        // A collision is one story of both sides.
        let detail = Int(asked.spsm) << 16 | (asked.asker == .tx && !isCollision ? 1 : 0) << 15 | Int(result & 0x7FFF)
        if let known = openIncident(.channelRefused, detail: detail, slot) {
            return happenAgain(known, moment, request: asked.moment.frame, slot)
        }
        let (asker, other) = (party(asked.asker, slot, in: trace), party(asked.asker.opposite, slot, in: trace))
        let reason = name?.split(separator: " - ").last.map { String($0) } ?? "result \(result)"
        let isEnhanced = asked.spsm == ProtocolMultiplexer.eatt
        let channel = isEnhanced ? "Enhanced ATT" : "the channel of PSM 0x\(hexadecimal(asked.spsm))"
        var incident = Incident(
            .channelRefused, isEnhanced ? .hindered : .broke, moment, place(slot, in: trace), detail: detail,
            title: "\(isEnhanced ? "Enhanced ATT" : "channel of PSM 0x\(hexadecimal(asked.spsm))") refused: \(reason)",
            "\(asker.capitalizedFirst) asked for \(channel), and \(other) refused it: \(reason).",
            refusal.cause(asker, other, asked, isEncrypted: trace.connections[slot].isEncrypted, Self.leastOctets),
            next: refusal.advice(asker, other, isEncrypted: trace.connections[slot].isEncrypted))
        incident.add(asked.moment.frame, "\(asker) asked for \(channel)")
        incident.add(moment.frame, "\(other) refused it")
        if isCollision, let crossed {
            incident.cause = .likely(
                "Both sides asked at once (frames \(min(crossed.moment.frame, asked.moment.frame)) and "
                    + "\(max(crossed.moment.frame, asked.moment.frame))), and each had its room for its own request.")
            incident.next =
                "Let one side ask; or let the peripheral wait before it asks again, for longer than the central does."
        }
        open(incident, slot, in: trace)
    }
}

extension ChannelSDU.Breach {
    /// `a frame of 120 octets, whose receiver takes 64 (MPS)`
    package var words: String {
        switch self {
        case .longFrame(let octets, let mps): "a frame of \(octets) octets, whose receiver takes \(mps) (MPS)"
        case .excess(let octets): "\(octets) octets after the end of an SDU"
        case .longSDU(let octets, let mtu): "an SDU of \(octets) octets, whose receiver takes \(mtu) (MTU)"
        }
    }

    fileprivate var advice: String {
        switch self {
        case .longFrame:
            "Split SDUs into frames of the receiver's MPS, with the two octets of the SDU's length in the first."
        case .excess: "Send as many octets as the SDU's length says before the next SDU begins."
        case .longSDU: "Send SDUs up to the receiver's MTU."
        }
    }
}

extension L2CAPChannelRefusal {
    fileprivate func cause(
        _ asker: String, _ other: String, _ asked: LinkState.Opening, isEncrypted: Bool, _ least: UInt16
    ) -> Incident.Cause {
        switch self {
        case .spsmNotSupported:
            .likely("\(other.capitalizedFirst) has no service with this PSM: it is not started, or has another number.")
        case .noResources: .likely("\(other.capitalizedFirst) has no room for another channel.")
        case .insufficientAuthentication:
            isEncrypted
                ? .likely("The service needs an authenticated pairing (with MITM protection).")
                : .likely("The service needs a pairing: the link is not encrypted.")
        case .insufficientAuthorization:
            .unknown("The log of \(other) would tell why its application does not authorize it.")
        case .encryptionKeySizeTooShort: .proved("The encryption key is too short for the service.")
        case .insufficientEncryption: .proved("The service needs an encrypted link.")
        case .invalidSourceCID: .proved("\(asker.capitalizedFirst) named a channel endpoint that is not valid.")
        case .sourceCIDAlreadyAllocated:
            .proved("\(asker.capitalizedFirst) named a channel endpoint that is in use already.")
        case .unacceptableParameters, .invalidParameters:
            asked.mtu < least || asked.mps < least
                ? .proved("MTU \(asked.mtu), MPS \(asked.mps): each is at least \(least) (Vol 3, Part A, 4.22).")
                : .likely("\(other.capitalizedFirst) does not take MTU \(asked.mtu) with MPS \(asked.mps).")
        }
    }

    fileprivate func advice(_ asker: String, _ other: String, isEncrypted: Bool) -> String {
        switch self {
        case .spsmNotSupported: "Compare the PSM with the one that \(other) publishes, and start its service first."
        case .noResources: "Close channels that are not used, or raise the limit of \(other)."
        case .insufficientAuthentication:
            isEncrypted
                ? "Delete the bond, and pair with a passkey, a comparison of numbers or out-of-band data."
                : "Pair first, then ask again."
        case .insufficientAuthorization: "Look at what the application of \(other) authorizes, and when."
        case .encryptionKeySizeTooShort: "Pair again with an encryption key of 16 octets."
        case .insufficientEncryption: "Encrypt the link first, then ask again."
        case .invalidSourceCID, .sourceCIDAlreadyAllocated, .unacceptableParameters, .invalidParameters:
            "Correct the request of \(asker)."
        }
    }
}
