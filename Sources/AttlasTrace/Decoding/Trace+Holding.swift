import AttlasWire

/// Data that waits for its rest: frames, SDUs, long reads, prepared writes. All connections together have one limit, because any number of
/// them may begin something and never end it.
extension Trace {
    /// Octets of memory for the number of each frame that something is made of.
    static let frameNumberSize = MemoryLayout<Int>.stride

    /// Notes that `octets` more are kept. Released octets are not noted: at the limit everything is counted.
    mutating func hold<Sink: EventSink & ~Copyable>(
        _ octets: Int, _ context: PDUContext, into sink: inout Sink
    ) {
        heldOctets += octets
        guard heldOctets > limits.unfinishedOctets else { return }
        countHeldOctets(context, into: &sink)
    }

    /// Counts; at three quarters of the limit, so that it is not reached again at once, the largest are given up.
    private mutating func countHeldOctets<Sink: EventSink & ~Copyable>(
        _ context: PDUContext, into sink: inout Sink
    ) {
        var held = connections.indices.map { (slot: $0, octets: connections[$0].heldOctets) }
        heldOctets = held.reduce(0) { $0 + $1.octets }
        guard heldOctets > limits.unfinishedOctets / 4 * 3 else { return }
        reachedLimits.note(.unfinishedOctets)
        held.sort { ($0.octets, $1.slot) > ($1.octets, $0.slot) }
        for (slot, octets) in held {
            if heldOctets <= limits.unfinishedOctets / 2 { return }
            giveUp(slot, context, into: &sink)
            heldOctets -= octets
        }
    }

    private mutating func giveUp<Sink: EventSink & ~Copyable>(
        _ slot: Int, _ context: PDUContext, into sink: inout Sink
    ) {
        abandonAll(slot, atEndOf: .room, context, into: &sink)
        connections[slot].giveUp()
    }
}

extension Connection {
    /// Gives up whatever is unfinished.
    fileprivate mutating func giveUp() {
        transmitted = Reassembly()
        received = Reassembly()
        for index in channels.channels.indices {
            channels.channels[index].local.sdu.giveUp()
            channels.channels[index].remote.sdu.giveUp()
        }
        for index in bearers.indices { bearers[index].giveUp() }
    }
}

extension Bearer {
    fileprivate mutating func giveUp() {
        func giveUp(_ client: inout Client) {
            if !client.queue.parts.isEmpty { client.queue.giveUp() }
            client.longRead = LongRead()
            client.multipleHandles = []
        }
        giveUp(&transmitted)
        giveUp(&received)
        giveUp(&undirected)
    }
}
