import AttlasTrace
import AttlasWire

/// The channels of RFCOMM on one connection. TS 07.10, 5.3 and 5.4; RFCOMM, 5.5 and 6.5.
struct SerialChannels {
    /// What an SDU shows.
    enum News {
        /// DM after SABM: `asker` asked in that record.
        case refused(SerialData.Channel, asker: Direction, asked: Moment)
        /// A side had no credit, and sends again at once when it has one.
        case exhausted(SerialData.Channel, sender: Direction, begun: Moment, nanoseconds: Int64)
    }

    private struct State {
        let channel: SerialData.Channel
        var asked: (asker: Direction, moment: Moment)?
        var opened: Moment?
        /// Frames that each side may still send; nil if that is not known.
        var credits: [Direction: Int] = [:]
        /// When a side took its last credit.
        var exhausted: [Direction: Moment] = [:]
        /// A wait that just ended.
        var recovered: [Direction: (begun: Moment, ended: Moment)] = [:]
    }

    /// After which a wait for credits is worth a line.
    private static let patience: Int64 = 2_000_000_000
    /// In which a side that waited sends again.
    private static let prompt: Int64 = 100_000_000

    /// By DLCI: there are 61.
    private var states: [UInt8: State] = [:]

    /// Channels that the peer closed.
    private(set) var closedByPeer: [(channel: SerialData.Channel, opened: Moment, closed: Moment)] = []
    private static let closedLimit = 64

    mutating func receive(_ sdu: borrowing ChannelSDU, _ event: borrowing Event) -> News? {
        guard sdu.psm == ProtocolMultiplexer.rfcomm, let frame = RFCOMMFrame(sdu.bytes) else { return nil }
        let moment = Moment(event)
        let (sender, dlci) = (event.direction, frame.dlci)
        guard dlci != 0 else {
            // The parameters of a channel are negotiated before it is asked for.
            if frame.type == RFCOMMFrame.uih, let grant = RFCOMMInitialCredits(frame.information) {
                let channel = sdu.rfcommChannel(dlci: grant.dlci)
                states[grant.dlci, default: State(channel: channel)].credits[sender.opposite] = grant.credits
            }
            return nil
        }
        switch frame.type {
        case RFCOMMFrame.sabm:
            let channel = sdu.rfcommChannel(dlci: dlci)
            states[dlci, default: State(channel: channel)].asked = (sender, moment)
        case RFCOMMFrame.ua:
            guard let asked = states[dlci]?.asked, asked.asker != sender else { return nil }
            states[dlci]?.asked = nil
            states[dlci]?.opened = moment
        case RFCOMMFrame.dm:
            guard let state = states[dlci], let asked = state.asked, asked.asker != sender else { return nil }
            states[dlci] = nil
            return .refused(state.channel, asker: asked.asker, asked: asked.moment)
        case RFCOMMFrame.disc:
            let state = states.removeValue(forKey: dlci)
            if sender == .rx, let state, let opened = state.opened, closedByPeer.count < Self.closedLimit {
                closedByPeer.append((state.channel, opened, moment))
            }
        case RFCOMMFrame.uih: return receive(frame, dlci, sender, moment)
        default: break
        }
        return nil
    }

    private mutating func receive(
        _ frame: borrowing RFCOMMFrame, _ dlci: UInt8, _ sender: Direction, _ moment: Moment
    ) -> News? {
        guard var state = states[dlci] else { return nil }
        defer { states[dlci] = state }
        if let credits = frame.credits, credits > 0, let left = state.credits[sender.opposite] {
            state.credits[sender.opposite] = left + Int(credits)
            if let begun = state.exhausted.removeValue(forKey: sender.opposite) {
                state.recovered[sender.opposite] = (begun, moment)
            }
        }
        // A frame without data takes no credit.
        guard !frame.information.isEmpty, let left = state.credits[sender], left > 0 else { return nil }
        state.credits[sender] = left - 1
        if left == 1 { state.exhausted[sender] = moment }
        guard let recovered = state.recovered.removeValue(forKey: sender),
            moment.since(recovered.ended) <= Self.prompt, recovered.ended.since(recovered.begun) >= Self.patience
        else { return nil }
        return .exhausted(
            state.channel, sender: sender, begun: recovered.begun,
            nanoseconds: recovered.ended.since(recovered.begun))
    }
}

/// What breaks on channels of RFCOMM.
extension IncidentCollector {
    /// A link that ends this soon after a channel is what ended.
    private static let endOfLink: Int64 = 2_000_000_000

    mutating func follow(_ sdu: borrowing ChannelSDU, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace)
    {
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
        case .exhausted(let channel, let sender, let begun, let wait):
            let receiver = party(sender.opposite, slot, in: trace)
            report(
                Incident(
                    .creditsExhausted, .hindered, begun, place(slot, in: trace), detail: channel.detail,
                    title: "credits exhausted",
                    "\(party(sender, slot, in: trace).capitalizedFirst) had more to send on \(name(channel, slot, in: trace)), and no credit for \(seconds(wait)).",
                    .likely(
                        "\(receiver.capitalizedFirst) does not read what it received, or gives credits back too late."),
                    next: "Look at the receiver: it gives credits back as soon as its buffers are free."))
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
        values.name(of: channel, slot, in: trace).map { "\($0) (\(channel))" } ?? "\(channel)"
    }
}

extension SerialData.Channel {
    /// Tells incidents of several channels apart.
    fileprivate var detail: Int {
        guard case .rfcomm(let number) = number else { return 0 }
        return Int(number) << 1 | (server == .local ? 1 : 0)
    }
}
