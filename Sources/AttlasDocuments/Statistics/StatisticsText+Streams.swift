import AttlasCapture
import AttlasConversation
import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// Isochronous streams, and the endpoints that are bound to them.
extension StatisticsText {
    mutating func write(_ title: StaticString, _ streams: [StreamFigures]) {
        guard !streams.isEmpty else { return }
        line.putTitle(title)
        for stream in streams {
            line.advance(to: 4)
            line.putFolded("\({ $0.append(stream, origin: origin) })", margin: 6)
            write(stream.sent, .tx, stream.timing)
            write(stream.received, .rx)
            for endpoint in stream.endpoints {
                line.advance(to: 6)
                line.putFolded("\({ $0.append(endpoint, origin: origin) })", margin: 8)
            }
        }
    }

    private mutating func write(
        _ packets: StreamFigures.Packets, _ direction: Direction, _ timing: SDUTiming? = nil
    ) {
        guard !packets.isEmpty else { return }
        line.advance(to: 6)
        let (arrow, style) = ConversationText.arrow(direction)
        line.put(arrow, style)
        piece = TextBuffer(" \({ $0.append(packets, timing) })")
        putLine(packets.hasTrouble || (timing?.late ?? 0) + (timing?.gaps ?? 0) > 0 ? .bad : .plain, margin: 8)
    }
}

extension TextBuffer {
    /// `500 SDUs · 60000 octets · ✗ 3 sequence numbers left out`
    package mutating func append(_ packets: StreamFigures.Packets, _ timing: SDUTiming?) {
        append("\(packets.sdus, "SDU") · \(packets.octets, "octet")")
        if packets.lost > 0 { append(" · ✗ \(packets.lost) lost") }
        if packets.doubtful > 0 { append(" · ✗ \(packets.doubtful) with possible errors") }
        if packets.skipped > 0 { append(" · ✗ \(packets.skipped, "sequence number") left out") }
        guard let timing else { return }
        if timing.late > 0 { append(" · ✗ \(timing.late) late by up to \(duration: timing.largestLateness)") }
        if timing.gaps > 0 { append(" · ✗ \(timing.gaps, "gap") of up to \(duration: timing.longestGap)") }
    }

    /// `CIS 1 of CIG 1 · handle 0x0041 · every 10 ms · → 120 octets, LE 2M · LC3 48 kHz, 10 ms, 120 octets · ASE 1 · from 3.684162 on`
    package mutating func append(_ figures: StreamFigures, origin: Timestamp?) {
        let stream = figures.stream
        switch stream.kind {
        case .connected(let group?, let stream?): append("CIS \(stream) of CIG \(group)")
        case .connected: append("CIS")
        case .broadcast(let big, let index, _, let isOwn):
            append(index.map { "BIS \($0) of BIG \(big)" } ?? "BIS of BIG \(big)")
            append(isOwn ? ", sent by this host" : ", received")
        }
        append(" · handle \(hex: stream.handle)")
        // A virtual controller gives 0.
        if stream.isoInterval > 0 { append(" · every \(duration: Int64(stream.isoInterval) * 1_250_000)") }
        append("→", stream.transmit)
        append("←", stream.receive)
        if let codec = figures.codec {
            append(" · ")
            append(codec)
        }
        for endpoint in figures.endpoints { append(" · ASE \(endpoint.last.identifier)") }
        if let origin {
            append(" · from \(secondsOf: figures.begun.time.nanoseconds(since: origin))")
            if let end = figures.end {
                append(" to \(secondsOf: end.moment.time.nanoseconds(since: origin))")
            } else {
                append(" on")
            }
        }
        if let reason = figures.end?.reason { append(" · \(own: reason.name)") }
    }

    private mutating func append(_ arrow: StaticString, _ way: IsochronousStream.Way?) {
        guard let way else { return }
        append(" · \(arrow) PDUs of up to \(way.maxPDU, "octet")")
        if let phy = way.phy?.name { append(", \(own: phy)") }
    }

    /// `ASE 1 (sink): Codec Configured 5.000000 → QoS Configured 6.000000 → …`
    package mutating func append(_ endpoint: AudioEndpoint, origin: Timestamp?) {
        append(string: endpoint.last.words)
        append(":")
        for (index, (state, moment)) in endpoint.states.enumerated() {
            append(index == 0 ? " " : " → ")
            append(stateOf: state)
            if let origin { append(" \(secondsOf: moment.time.nanoseconds(since: origin))") }
        }
        if endpoint.statesLeftOut > 0 { append(" and \(endpoint.statesLeftOut) more") }
    }

    /// `ASE 1 (sink) Codec Configured · LC3 48 kHz, 10 ms, 120 octets`
    mutating func append(_ state: AudioEndpointState) {
        append(string: state.words)
        append(" ")
        append(stateOf: state)
        if let codec = state.codec {
            append(" · ")
            append(codec)
        }
        if let group = state.group, let stream = state.stream { append(" · CIS \(stream) of CIG \(group)") }
        if let interval = state.sduInterval, let length = state.maxSDU {
            append(" · SDUs of up to \(length, "octet") every \(duration: Int64(interval) * 1_000)")
        }
    }

    mutating func append(stateOf state: AudioEndpointState) {
        if let name = state.state?.name { append(name) } else { append("state \(state.rawState)") }
    }

    /// `LC3 48 kHz, 10 ms, 120 octets`
    private mutating func append(_ codec: AudioCodec) {
        if let name = codec.name { append(name) } else { append("codec \(codec.codingFormat)") }
        if let frequency = codec.frequency {
            // 44 100 Hz and similar rates are not whole numbers of kilohertz.
            append(frequency % 1_000 == 0 ? " \(frequency / 1_000) kHz" : " \(frequency) Hz")
        }
        if let duration = codec.frameMicroseconds { append(", \(duration: Int64(duration) * 1_000)") }
        if let octets = codec.octetsPerFrame { append(", \(octets, "octet")") }
    }
}
