import AttlasCapture
import AttlasIncidents
import AttlasTrace
import AttlasValues
import AttlasWire

/// The state of an Audio Stream Endpoint that its server reported last.
struct EndpointWatch {
    let server: ServerSide
    let handle: AttributeHandle
    var state: AudioEndpointState
    /// The frame in which it was in that state first.
    var frame: Int
    /// Its time; nil if the clock jumped since.
    var time: Timestamp?
    /// The server notifies each change that follows.
    var isFollowed: Bool
    /// LE CIS Established came for it.
    var isEstablished = false
    /// The codec and the limits of the last Codec Configured, and its frame.
    var configured: (codec: AudioCodec, support: AudioStreamEndpoint.Support, frame: Int)?

    static let limit = 32
}

/// A Sink PAC or a Source PAC.
struct CapabilitiesWatch {
    let server: ServerSide
    let handle: AttributeHandle
    let isSource: Bool
    let capabilities: AudioCapabilities
    let frame: Int

    static let limit = 16
}

/// States of Audio Stream Endpoints. Audio Stream Control Service, 3.
extension LintCollector {
    /// Notified and read values of endpoints.
    mutating func checkEndpoints(
        _ operation: borrowing ATTOperation, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        switch operation.opcode {
        case .writeRequest, .writeCommand: return checkConfiguration(operation, slot, event, in: trace)
        case .handleValueNotification, .handleValueIndication, .readResponse:
            guard let attribute = operation.attribute, attribute.role == .value else { return }
            let type = trace.uuids[attribute.type]
            if type == .sinkPAC || type == .sourcePAC { return noteCapabilities(slot, event, in: trace) }
            guard type.isAudioEndpoint else { return }
        case .readByTypeResponse: noteCapabilities(slot, event, in: trace)
        case .multipleHandleValueNotification: break
        default: return
        }
        let (server, isNotified) = (operation.server, operation.request == nil)
        event.forEachAttribute(in: trace) { value in
            guard value.isWhole, let handle = value.handle, let state = AudioEndpointState(value, in: trace) else {
                return true
            }
            met.insert(.endpoints)
            let isFollowed = isNotified || watches[slot][server].subscriptions[handle] ?? 0 != 0
            let place = place(slot, event.direction, server: server, handle, value.attribute, in: trace)
            note(
                EndpointWatch(
                    server: server, handle: handle, state: state, frame: event.frame, time: event.time,
                    isFollowed: isFollowed, configured: state.configured.map { ($0, $1, event.frame) }),
                isNotified: isNotified, slot, Moment(event), place)
            return true
        }
    }

    private mutating func note(
        _ new: EndpointWatch, isNotified: Bool, _ slot: Int, _ moment: Moment, _ place: LintFinding.Place
    ) {
        guard
            let index = watches[slot].endpoints.firstIndex(where: { $0.handle == new.handle && $0.server == new.server }
            )
        else {
            if watches[slot].endpoints.count < EndpointWatch.limit { watches[slot].endpoints.append(new) }
            return
        }
        let known = watches[slot].endpoints[index]
        var new = new
        new.configured = new.configured ?? known.configured
        guard known.state.rawState != new.state.rawState else {
            watches[slot].endpoints[index].isFollowed = new.isFollowed
            watches[slot].endpoints[index].configured = new.configured
            return
        }
        watches[slot].endpoints[index] = new
        if new.state.state != .streaming { checkStart(of: known, moment, place) }
        guard known.isFollowed, isNotified, let before = known.state.state, let after = new.state.state,
            !after.mayFollow(before, isSource: new.state.isSource)
        else { return }
        report(
            .endpointTransition, moment, related: [known.frame], place,
            "\(new.state.words): \(after.name) after \(before.name) (frame \(known.frame)).")
    }

    // MARK: Configurations

    /// The value of a PAC, read in one part or in several, or notified.
    mutating func noteCapabilities(_ slot: Int, _ event: borrowing Event, in trace: borrowing Trace) {
        guard let server = event.server else { return }
        event.forEachAttribute(in: trace) { value in
            guard value.access != .write, let handle = value.handle, let type = value.type,
                let capabilities = AudioCapabilities(value, in: trace)
            else { return true }
            watches[slot].capabilities.removeAll { $0.server == server && $0.handle == handle }
            guard watches[slot].capabilities.count < CapabilitiesWatch.limit else { return true }
            watches[slot].capabilities.append(
                CapabilitiesWatch(
                    server: server, handle: handle, isSource: trace.uuids[type] == .sourcePAC,
                    capabilities: capabilities, frame: event.frame))
            return true
        }
    }

    /// A client configures endpoints.
    private mutating func checkConfiguration(
        _ operation: borrowing ATTOperation, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        guard let written = AudioStreamOperation(operation, in: trace) else { return }
        let endpoints = watches[slot].endpoints.filter { $0.server == operation.server }
        switch written {
        case .configureCodec(let codecs):
            for (identifier, codec) in codecs {
                guard let endpoint = endpoints.first(where: { $0.state.identifier == identifier }) else { continue }
                check(codec, endpoint.state, operation, slot, event, in: trace)
            }
        case .configureQoS(let qualities):
            for (identifier, quality) in qualities {
                guard let endpoint = endpoints.first(where: { $0.state.identifier == identifier }),
                    let configured = endpoint.configured,
                    let conflict = quality.conflict(with: configured.codec, configured.support)
                else { continue }
                report(
                    .qosNotSupported, of: operation, event, related: [configured.frame], in: trace,
                    "\(endpoint.state.words): \(conflict) (Codec Configured in frame \(configured.frame)).")
            }
        }
    }

    private mutating func check(
        _ codec: AudioCodec, _ endpoint: AudioEndpointState, _ operation: borrowing ATTOperation, _ slot: Int,
        _ event: borrowing Event, in trace: borrowing Trace
    ) {
        let known = watches[slot].capabilities.filter {
            $0.server == operation.server && $0.isSource == endpoint.isSource
        }
        let records = known.flatMap { $0.capabilities.records }.filter { $0.codingFormat == codec.codingFormat }
        let lacks = records.map { $0.lack(for: codec) }
        // The parameters of a vendor's codec are unknown.
        guard !known.isEmpty, !codec.isVendorSpecific, lacks.allSatisfy({ $0 != nil }) else { return }
        let name = endpoint.isSource ? "Source PAC" : "Sink PAC"
        let frames = known.map(\.frame)
        let what = lacks.first??.words(codec) ?? "\(codec.name.map { "\($0)" } ?? "codec \(codec.codingFormat)")"
        report(
            .codecNotSupported, of: operation, event, related: frames, in: trace,
            "\(endpoint.words): Config Codec asks for \(what), which no record of \(name) (frame \(frames[0])) has.")
    }

    /// LE CIS Established.
    mutating func note(_ change: StreamChange, _ slot: Int) {
        guard case .established(let stream) = change, case .connected(let group?, let number?) = stream.kind else {
            return
        }
        for index in watches[slot].endpoints.indices
        where watches[slot].endpoints[index].state.group == group
            && watches[slot].endpoints[index].state.stream == number
        {
            watches[slot].endpoints[index].isEstablished = true
        }
    }

    mutating func closeEndpoints(_ slot: Int, _ moment: Moment, in trace: borrowing Trace) {
        for endpoint in watches[slot].endpoints {
            checkStart(
                of: endpoint, moment, place(slot, server: endpoint.server, endpoint.handle, nil, in: trace))
        }
    }

    private static let patience: Int64 = 5_000_000_000

    /// - Parameter moment: of the next state, or of the end.
    private mutating func checkStart(of endpoint: EndpointWatch, _ moment: Moment, _ place: LintFinding.Place) {
        guard endpoint.state.state == .enabling, let began = endpoint.time,
            let duration = moment.time.duration(since: began), duration >= Self.patience
        else { return }
        var place = place
        place.party = nil
        report(
            .endpointNotStreaming, Moment(frame: endpoint.frame, time: began), related: [moment.frame], place,
            "\(endpoint.state.words) stayed in Enabling for \(duration / 1_000_000_000) s"
                + (endpoint.isEstablished ? ", although its CIS was established." : "."))
    }
}

extension AudioCapabilities.Lack {
    fileprivate func words(_ codec: AudioCodec) -> String {
        switch self {
        case .samplingFrequency: codec.frequency.map { "\(thousands($0)) kHz" } ?? "another sampling frequency"
        case .frameDuration: codec.frameMicroseconds.map { "frames of \(thousands($0)) ms" } ?? "another frame duration"
        case .octetsPerFrame: "\(codec.octetsPerFrame ?? 0) octets per codec frame"
        case .channels: "\(codec.channels) \(codec.channels == 1 ? "channel" : "channels")"
        case .framesPerSDU: "\(codec.framesPerSDU ?? 1) codec frames per SDU"
        }
    }
}

extension AudioStreamOperation.Quality {
    /// A conflict with the limits of the server, or with the codec, in words.
    fileprivate func conflict(with codec: AudioCodec, _ support: AudioStreamEndpoint.Support) -> String? {
        if !isFramed, !support.takesUnframed {
            return "Config QoS asks for unframed PDUs, which the endpoint does not support"
        }
        if let delays = support.presentationDelays, !delays.contains(presentationDelay) {
            let (least, most) = (delays.lowerBound, delays.upperBound)
            return
                "Config QoS sets a presentation delay of \(presentationDelay) µs; the endpoint supports \(least) to \(most) µs"
        }
        if let octets = codec.octetsPerSDU, octets > Int(maxSDU) {
            return "Config QoS allows \(maxSDU) octets in an SDU; its codec frames have \(octets)"
        }
        return nil
    }
}

extension AudioEndpointState {
    /// Codec and limits of the state Codec Configured.
    fileprivate var configured: (AudioCodec, AudioStreamEndpoint.Support)? {
        if let codec, let support { (codec, support) } else { nil }
    }

    fileprivate var words: String { "ASE \(identifier) (\(isSource ? "source" : "sink"))" }
}

/// A thousandth, without zeros at its end: `44.1`.
private func thousands(_ number: Int) -> String {
    number % 1_000 == 0 ? "\(number / 1_000)" : "\(Double(number) / 1_000)"
}
