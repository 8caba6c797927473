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
