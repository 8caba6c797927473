import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// Isochronous streams.
extension StatisticsJSON {
    mutating func write(_ key: StaticString, _ streams: [StreamFigures]) {
        guard !streams.isEmpty else { return }
        json.key(key)
        json.beginArray()
        for stream in streams { write(stream) }
        json.endArray()
    }

    private mutating func write(_ figures: StreamFigures) {
        let stream = figures.stream
        json.beginObject()
        switch stream.kind {
        case .connected(let group, let stream):
            json.member("kind", literal: "cis")
            json.member("cig_id", group)
            json.member("cis_id", stream)
        case .broadcast(let big, let index, _, let isOwn):
            json.member("kind", literal: "bis")
            json.member("big_handle", big)
            json.member("bis_index", index)
            json.member("own", isOwn)
        }
        json.member("controller", stream.controller)
        json.member("handle", stream.handle)
        // A virtual controller gives 0.
        if stream.isoInterval > 0 { json.member("iso_interval_us", Int(stream.isoInterval) * 1_250) }
        json.key("begun")
        json.beginObject()
        writeMembers(of: figures.begun)
        json.endObject()
        if let end = figures.end {
            json.key("end")
            json.beginObject()
            writeMembers(of: end.moment)
            if let reason = end.reason { json.member("reason", code: reason.rawValue, digits: 2, name: reason.name) }
            json.endObject()
        }
        if let codec = figures.codec { json.write(codec) }
        if !figures.endpoints.isEmpty {
            json.array("ases", figures.endpoints) { $0.number($1) }
        }
        write("tx", stream.transmit, figures.sent)
        write("rx", stream.receive, figures.received)
        json.endObject()
    }

    private mutating func write(
        _ key: StaticString, _ way: IsochronousStream.Way?, _ packets: StreamFigures.Packets
    ) {
        guard way != nil || !packets.isEmpty else { return }
        json.key(key)
        json.beginObject()
        json.member("max_pdu_octets", way?.maxPDU)
        json.member("phy", way?.phy?.name)
        json.member("sdus", packets.sdus)
        json.member("octets", packets.octets)
        json.member("lost", packets.lost)
        json.member("possibly_invalid", packets.doubtful)
        json.member("sequence_numbers_left_out", packets.skipped)
        json.endObject()
    }
}

extension JSONWriter {
    /// The members of the state of an endpoint.
    mutating func write(_ state: AudioEndpointState) {
        member("ase", state.identifier)
        member("direction", literal: state.isSource ? "source" : "sink")
        member("state", literal: state.state?.name ?? "reserved")
        if let codec = state.codec { write(codec) }
        member("cig_id", state.group)
        member("cis_id", state.stream)
        member("sdu_interval_us", state.sduInterval)
        member("max_sdu_octets", state.maxSDU)
    }

    fileprivate mutating func write(_ codec: AudioCodec) {
        key("codec")
        beginObject()
        member("coding_format", codec.codingFormat)
        if let name = codec.name { member("name", literal: name) }
        if codec.codingFormat == 0xFF {
            member("company", codec.company)
            member("vendor_codec", codec.vendorCodec)
        }
        member("sampling_frequency_hz", codec.frequency)
        member("frame_duration_us", codec.frameMicroseconds)
        member("channel_allocation", codec.channelAllocation)
        member("octets_per_frame", codec.octetsPerFrame)
        member("frames_per_sdu", codec.framesPerSDU)
        endObject()
    }
}
