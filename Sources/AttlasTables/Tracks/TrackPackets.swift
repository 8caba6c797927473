import AttlasText

/// Packets of a Perfetto trace, under construction.
///
/// A trace is one message of Protocol Buffers, whose field 1 is a packet: traces that follow one another are one.
/// The numbers of fields are those of trace_packet.proto, track_event.proto and track_descriptor.proto.
struct TrackPackets {
    /// Finished packets.
    var octets = TextBuffer()
    private var packet = ProtobufMessage()
    private var event = ProtobufMessage()
    private var part = ProtobufMessage()
    private var word = TextBuffer()

    /// TrackEvent.Type
    enum Kind: UInt64 {
        case begin = 1
        case end = 2
        case instant = 3
        case counter = 4
    }

    /// Sequence of all packets: one writer.
    private static let sequence: UInt64 = 1

    /// The first packet: the clock of the trace shows the time of day.
    ///
    /// - Parameter time: Nanoseconds since 1970. Readers use the clock since boot, which is set equal to it.
    mutating func beginTrace(_ time: UInt64) {
        event.removeAll()
        for clock: UInt64 in [1, 6] {
            // BUILTIN_CLOCK_REALTIME, BUILTIN_CLOCK_BOOTTIME
            part.removeAll()
            part.append(1, clock)
            part.append(2, time)
            event.append(1, part)
        }
        packet.removeAll()
        packet.append(10, Self.sequence)
        // SEQ_INCREMENTAL_STATE_CLEARED
        packet.append(13, 1)
        packet.append(6, event)
        endPacket()
    }

    /// A track. Readers keep the first description; a counter needs it before its first number.
    ///
    /// - Parameters:
    ///   - rank: Its place among the tracks of its parent.
    ///   - isCounter: Whether it has numbers, of this unit.
    mutating func describe(
        _ track: UInt64, in parent: UInt64? = nil, rank: Int = 0, isCounter: Bool = false, unit: String? = nil,
        _ writeName: (inout TextBuffer) -> Void
    ) {
        event.removeAll()
        event.append(1, track)
        word.removeAll()
        writeName(&word)
        event.append(2, word)
        if let parent { event.append(5, parent) }
        if isCounter {
            part.removeAll()
            if let unit {
                word.removeAll()
                word.append(display: unit)
                part.append(6, word)
            }
            event.append(8, part)
        }
        // Children in the order of their ranks.
        event.append(11, 3)
        event.append(12, UInt64(rank))
        packet.removeAll()
        packet.append(10, Self.sequence)
        packet.append(60, event)
        endPacket()
    }

    /// Begins an event. A slice ends with the event `end` that follows on its track; events may come in any order of time.
    ///
    /// - Parameter time: Nanoseconds since 1970.
    mutating func begin(_ kind: Kind, _ track: UInt64, at time: UInt64) {
        packet.removeAll()
        packet.append(8, time)
        packet.append(10, Self.sequence)
        event.removeAll()
        event.append(9, kind.rawValue)
        event.append(11, track)
    }

    mutating func name(_ category: StaticString, _ name: borrowing TextBuffer) {
        event.append(22, category)
        event.append(23, name)
    }

    mutating func annotate(_ name: StaticString, _ number: Int) {
        part.removeAll()
        part.append(10, name)
        part.append(4, UInt64(bitPattern: Int64(number)))
        event.append(4, part)
    }

    mutating func annotate(_ name: StaticString, _ text: borrowing TextBuffer) {
        part.removeAll()
        part.append(10, name)
        part.append(6, text)
        event.append(4, part)
    }

    /// Text of a capture is shown as elsewhere.
    mutating func annotate(_ name: StaticString, display text: String?) {
        guard let text else { return }
        word.removeAll()
        word.append(display: text)
        annotate(name, word)
    }

    mutating func end() {
        packet.append(11, event)
        endPacket()
    }

    mutating func count(_ number: Double, _ track: UInt64, at time: UInt64) {
        begin(.counter, track, at: time)
        event.append(44, double: number)
        end()
    }

    private mutating func endPacket() {
        octets.append(1, packet)
    }
}

/// A message of Protocol Buffers: fields after one another.
struct ProtobufMessage {
    fileprivate var octets = TextBuffer()

    mutating func removeAll() { octets.removeAll() }
    mutating func append(_ field: UInt64, _ number: UInt64) {
        octets.append(varint: field << 3)
        octets.append(varint: number)
    }
    mutating func append(_ field: UInt64, double number: Double) {
        octets.append(varint: field << 3 | 1)
        for shift in stride(from: 0, to: 64, by: 8) {
            octets.append(byte: UInt8(truncatingIfNeeded: number.bitPattern >> UInt64(shift)))
        }
    }
    mutating func append(_ field: UInt64, _ text: StaticString) {
        octets.append(varint: field << 3 | 2)
        octets.append(varint: UInt64(text.utf8CodeUnitCount))
        octets.append(text)
    }
    mutating func append(_ field: UInt64, _ text: borrowing TextBuffer) { octets.append(field, text) }
    mutating func append(_ field: UInt64, _ message: borrowing ProtobufMessage) { octets.append(field, message) }
}

extension TextBuffer {
    fileprivate mutating func append(_ field: UInt64, _ message: borrowing ProtobufMessage) {
        append(field, message.octets)
    }

    fileprivate mutating func append(_ field: UInt64, _ text: borrowing TextBuffer) {
        append(varint: field << 3 | 2)
        append(varint: UInt64(text.count))
        append(contentsOf: copy text)
    }

    /// Seven bits an octet, the lowest first; all octets but the last have the highest bit.
    fileprivate mutating func append(varint number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            append(byte: UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(byte: UInt8(rest))
    }
}
