import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// Isochronous streams.
extension JSONWriter {
    mutating func write(_ key: StaticString, _ streams: [StreamFigures]) {
        if !streams.isEmpty { objects(key, streams) { $0.write($1) } }
    }

    private mutating func write(_ figures: StreamFigures) {
        let stream = figures.stream
        switch stream.kind {
        case .connected(let group, let stream):
            member("kind", literal: "cis")
            member("cig_id", group)
            member("cis_id", stream)
        case .broadcast(let big, let index, _, let isOwn):
            member("kind", literal: "bis")
            member("big_handle", big)
            member("bis_index", index)
            member("own", isOwn)
        }
        member("controller", stream.controller)
        member("handle", stream.handle)
        // A virtual controller gives 0.
        if stream.isoInterval > 0 { member("iso_interval_us", Int(stream.isoInterval) * 1_250) }
        object("begun") { $0.write(figures.begun) }
        if let end = figures.end {
            object("end") { json in
                json.write(end.moment)
                if let reason = end.reason {
                    json.member("reason", code: reason.rawValue, digits: 2, name: reason.name)
                }
            }
        }
        if let codec = figures.codec { write(codec) }
        if !figures.endpoints.isEmpty {
            array("ases", figures.endpoints) { $0.number($1.last.identifier) }
            objects("endpoints", figures.endpoints) { $0.write($1) }
        }
        write("tx", stream.transmit, figures.sent, figures.timing)
        write("rx", stream.receive, figures.received)
    }

    private mutating func write(
        _ key: StaticString, _ way: IsochronousStream.Way?, _ packets: StreamFigures.Packets, _ timing: SDUTiming? = nil
    ) {
        guard way != nil || !packets.isEmpty else { return }
        object(key) { json in
            json.member("max_pdu_octets", way?.maxPDU)
            json.member("phy", way?.phy?.name)
            json.member("sdus", packets.sdus)
            json.member("octets", packets.octets)
            json.member("lost", packets.lost)
            json.member("possibly_invalid", packets.doubtful)
            json.member("sequence_numbers_left_out", packets.skipped)
            guard let timing, !timing.isEmpty else { return }
            json.object("timing") { json in
                json.member("late", timing.late)
                json.member("largest_lateness_us", Int(timing.largestLateness / 1_000))
                json.member("gaps", timing.gaps)
                json.member("longest_gap_us", Int(timing.longestGap / 1_000))
            }
        }
    }

    private mutating func write(_ endpoint: AudioEndpoint) {
        member("ase", endpoint.last.identifier)
        member("direction", literal: endpoint.last.isSource ? "source" : "sink")
        objects("states", endpoint.states) { json, step in
            json.member("state", literal: step.state.state?.name ?? "reserved")
            json.write(step.moment)
        }
        member("states_left_out", endpoint.statesLeftOut)
    }

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

    private mutating func write(_ codec: AudioCodec) {
        object("codec") { json in
            json.member("coding_format", codec.codingFormat)
            if let name = codec.name { json.member("name", literal: name) }
            if codec.isVendorSpecific {
                json.member("company", codec.company)
                json.member("vendor_codec", codec.vendorCodec)
            }
            json.member("sampling_frequency_hz", codec.frequency)
            json.member("frame_duration_us", codec.frameMicroseconds)
            json.member("channel_allocation", codec.channelAllocation)
            json.member("octets_per_frame", codec.octetsPerFrame)
            json.member("frames_per_sdu", codec.framesPerSDU)
        }
    }
}
