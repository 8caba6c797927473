import AttlasTrace
import AttlasValues
import AttlasWire

/// Incidents on channels of RFCOMM.
extension IncidentCollector {
    /// A link that ends this soon after a channel or a stream is what ended.
    static let endOfLink: Int64 = 2_000_000_000

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
