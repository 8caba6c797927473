import AttlasCapture
import AttlasMetrics
import AttlasTrace
import AttlasValues
import AttlasWire

/// Isochronous streams, and the endpoints that are bound to them.
extension StatisticsText {
    mutating func write(_ title: StaticString, _ streams: [StreamFigures]) {
        guard !streams.isEmpty else { return }
        line.putTitle(title)
        for stream in streams {
            piece.removeAll()
            piece.append(stream, origin: origin)
            line.advance(to: 4)
            putLine(margin: 6)
            write(stream.sent, .tx)
            write(stream.received, .rx)
        }
    }

    /// `→ 500 SDUs · 60000 octets · ✗ 3 sequence numbers left out`
    private mutating func write(_ packets: StreamFigures.Packets, _ direction: Direction) {
        guard !packets.isEmpty else { return }
        line.advance(to: 6)
        let (arrow, style) = ConversationText.arrow(direction)
        line.put(arrow, style)
        piece.removeAll()
        piece.append(" ")
        piece.append(decimal: packets.sdus)
        piece.append(packets.sdus == 1 ? " SDU · " : " SDUs · ")
        piece.append(decimal: packets.octets)
        piece.append(" octets")
        let faults: [(Int, StaticString, StaticString)] = [
            (packets.lost, " lost", " lost"), (packets.doubtful, " with possible errors", " with possible errors"),
            (packets.skipped, " sequence number left out", " sequence numbers left out"),
        ]
        for (count, one, many) in faults where count > 0 {
            piece.append(" · ✗ ")
            piece.append(decimal: count)
            piece.append(count == 1 ? one : many)
        }
        putLine(packets.lost + packets.doubtful + packets.skipped > 0 ? .bad : .plain, margin: 8)
    }
}

extension TextBuffer {
    /// `CIS 1 of CIG 1 · handle 0x0041 · every 10 ms · → 120 octets, LE 2M · LC3 48 kHz, 10 ms, 120 octets · ASE 1 · from 3.684162 on`
    fileprivate mutating func append(_ figures: StreamFigures, origin: Timestamp?) {
        let stream = figures.stream
        switch stream.kind {
        case .connected(let group?, let stream?):
            append("CIS ")
            append(decimal: stream)
            append(" of CIG ")
            append(decimal: group)
        case .connected: append("CIS")
        case .broadcast(let big, let index, _, let isOwn):
            append("BIS ")
            if let index {
                append(decimal: index)
                append(" ")
            }
            append("of BIG ")
            append(decimal: big)
            append(isOwn ? ", sent by this host" : ", received")
        }
        append(" · handle 0x")
        append(hex: stream.handle, digits: 4, uppercase: true)
        // A virtual controller gives 0.
        if stream.isoInterval > 0 {
            append(" · every ")
            append(duration: Int64(stream.isoInterval) * 1_250_000)
        }
        append("→", stream.transmit)
        append("←", stream.receive)
        if let codec = figures.codec {
            append(" · ")
            append(codec)
        }
        for endpoint in figures.endpoints {
            append(" · ASE ")
            append(decimal: endpoint)
        }
        if let origin {
            append(" · from ")
            append(secondsOf: figures.begun.time.nanoseconds(since: origin))
            if let end = figures.end {
                append(" to ")
                append(secondsOf: end.moment.time.nanoseconds(since: origin))
            } else {
                append(" on")
            }
        }
        if let reason = figures.end?.reason {
            append(" · ")
            append(string: reason.name)
        }
    }

    private mutating func append(_ arrow: StaticString, _ way: IsochronousStream.Way?) {
        guard let way else { return }
        append(" · ")
        append(arrow)
        append(" PDUs of up to ")
        append(decimal: way.maxPDU)
        append(" octets")
        if let phy = way.phy?.name {
            append(", ")
            append(string: phy)
        }
    }

    /// `ASE 1 (sink) Codec Configured · LC3 48 kHz, 10 ms, 120 octets`
    mutating func append(_ state: AudioEndpointState) {
        append("ASE ")
        append(decimal: state.identifier)
        append(state.isSource ? " (source) " : " (sink) ")
        append(stateOf: state)
        if let codec = state.codec {
            append(" · ")
            append(codec)
        }
        if let group = state.group, let stream = state.stream {
            append(" · CIS ")
            append(decimal: stream)
            append(" of CIG ")
            append(decimal: group)
        }
        if let interval = state.sduInterval, let length = state.maxSDU {
            append(" · SDUs of up to ")
            append(decimal: length)
            append(" octets every ")
            append(duration: Int64(interval) * 1_000)
        }
    }

    mutating func append(stateOf state: AudioEndpointState) {
        if let name = state.state?.name { return append(name) }
        append("state ")
        append(decimal: state.rawState)
    }

    /// `LC3 48 kHz, 10 ms, 120 octets`
    private mutating func append(_ codec: AudioCodec) {
        if let name = codec.name {
            append(name)
        } else {
            append("codec ")
            append(decimal: codec.codingFormat)
        }
        if let frequency = codec.frequency {
            append(" ")
            // 44 100 Hz and its like are no whole numbers of kilohertz.
            let isWhole = frequency % 1_000 == 0
            append(decimal: isWhole ? frequency / 1_000 : frequency)
            append(isWhole ? " kHz" : " Hz")
        }
        if let duration = codec.frameMicroseconds {
            append(", ")
            append(duration: Int64(duration) * 1_000)
        }
        if let octets = codec.octetsPerFrame {
            append(", ")
            append(decimal: octets)
            append(" octets")
        }
    }
}
