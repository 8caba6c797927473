import AttlasTrace
import AttlasWire

/// The channels of RFCOMM on one connection. TS 07.10, 5.3 and 5.4; RFCOMM, 5.5 and 6.5.
struct SerialChannels {
    /// What an SDU shows.
    enum News {
        /// DM after SABM: `asker` asked in that record.
        case refused(SerialData.Channel, asker: Direction, asked: Moment)
        /// A side had no credit, and sends again at once when it has one.
        case waited(SerialData.Channel, sender: Direction, CreditCount.Wait)
    }

    private struct State {
        let channel: SerialData.Channel
        var asked: (asker: Direction, moment: Moment)?
        var opened: Moment?
        /// Credits of each side, if they are known.
        var credits: [Direction: CreditCount] = [:]
    }

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
            // A new session: the channels of one that was not ended are gone.
            if frame.type == RFCOMMFrame.sabm { states = [:] }
            // The parameters of a channel are negotiated before it is asked for.
            if frame.type == RFCOMMFrame.uih, let grant = RFCOMMInitialCredits(frame.information) {
                let channel = sdu.rfcommChannel(dlci: grant.dlci)
                states[grant.dlci, default: State(channel: channel)].credits[sender.opposite] = CreditCount(
                    grant.credits)
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
        guard let state = states[dlci] else { return nil }
        if let credits = frame.credits, credits > 0 {
            states[dlci]?.credits[sender.opposite]?.add(Int(credits), at: moment)
        }
        // A frame without data takes no credit.
        guard !frame.information.isEmpty else { return nil }
        states[dlci]?.credits[sender.opposite]?.hear(at: moment)
        guard state.credits[sender]?.left ?? 0 > 0,
            let wait = states[dlci]?.credits[sender]?.take(at: moment)
        else { return nil }
        return .waited(state.channel, sender: sender, wait)
    }
}
