import AttlasWire

/// Recorded conversations that run at the same time, each over and over, as one capture of any length.
struct LongCapture: PacketSequence {
    /// Records of one round of a conversation, from its connection to its disconnection.
    private static let roundLength = 5_000
    /// Between a disconnection and the next connection.
    private static let pause: Int64 = 1_000_000_000

    private var lanes: [Lane]

    init(_ conversations: [Conversation]) {
        lanes = conversations.enumerated().map { Lane($0.element, number: $0.offset) }
    }

    mutating func next() -> TimedPacket? {
        guard let earliest = lanes.indices.min(by: { lanes[$0].time < lanes[$1].time }) else { return nil }
        return lanes[earliest].next()
    }

    /// One conversation that is repeated.
    private struct Lane {
        let conversation: Conversation
        var mapping: HandleMapping
        /// Time of the next packet.
        var time: Int64
        private var position = 0

        init(_ conversation: Conversation, number: Int) {
            self.conversation = conversation
            mapping = HandleMapping(lane: number)
            // Apart from each other, so that their records mix.
            time = Int64(number) * 37_000_000
        }

        /// Times the steady part is repeated in a round.
        private var repetitions: Int {
            max(1, (LongCapture.roundLength - conversation.head.count) / conversation.steady.count)
        }

        mutating func next() -> TimedPacket {
            let packet = packet
            let timed = TimedPacket(
                nanoseconds: time, type: packet.type, direction: packet.direction, bytes: mapping.map(packet))
            position += 1
            if position == length {
                position = 0
                time += LongCapture.pause
            }
            // Two packets never have the same time, so that no lane is starved.
            time += max(1_000, self.packet.delay)
            return timed
        }

        private var steadyLength: Int { repetitions * conversation.steady.count }
        private var length: Int { conversation.head.count + steadyLength + conversation.tail.count }

        private var packet: Packet {
            let inSteady = position - conversation.head.count
            if inSteady < 0 { return conversation.head[position] }
            if inSteady < steadyLength { return conversation.steady[inSteady % conversation.steady.count] }
            return conversation.tail[inSteady - steadyLength]
        }
    }
}
