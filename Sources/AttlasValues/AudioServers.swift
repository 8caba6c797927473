import AttlasCapture
import AttlasTrace
import AttlasWire

/// Audio servers of a connection, with what they can do as their values showed it last. Bounded.
package struct AudioServers: Sendable {
    /// A Sink PAC or a Source PAC.
    private struct Published {
        let server: ServerSide
        let handle: AttributeHandle
        let isSource: Bool
        let capabilities: AudioCapabilities
        let frame: Int
    }

    private struct Endpoint {
        let server: ServerSide
        let identifier: UInt8
        let isSource: Bool
        /// The codec and the limits of the last Codec Configured, and its frame.
        var configured: (codec: AudioCodec, support: AudioStreamEndpoint.Support, frame: Int)?
        /// Where it came to Releasing, if that is its last state.
        var releasing: Int?
        /// Where it came to Enabling, if that is its last state.
        var enabled: Enabled?

        var words: String { AudioEndpointState.words(identifier, isSource: isSource) }
    }

    /// An endpoint in Enabling, which the receiver of the audio ends. Audio Stream Control Service, 5.4.
    package struct Enabled: Sendable {
        package let server: ServerSide
        package let handle: AttributeHandle
        package let state: AudioEndpointState
        package let frame: Int
        package let time: Timestamp
        /// Where its CIS was established.
        package fileprivate(set) var established: Int?
        /// Where the client wrote Receiver Start Ready.
        package fileprivate(set) var ready: Int?
        /// Nothing else explains the state: its CIS has not failed, and every CIS that was established has known numbers.
        package fileprivate(set) var isClear = true

        private static let patience: Int64 = 5_000_000_000

        /// Nanoseconds in this state until `moment`; nil if an endpoint may take so long, or if the time is unknown.
        package func delay(until moment: Timestamp) -> Int64? {
            moment.duration(since: time).flatMap { $0 >= Self.patience ? $0 : nil }
        }
    }

    /// A configuration that the server cannot take.
    package struct Conflict: Sendable {
        package enum Kind: Sendable {
            case codec, quality, state

            package var advice: String {
                switch self {
                case .state: "Look in the server at why it does not leave Releasing when its CIS is gone."
                case .codec: "Choose a configuration that one PAC record of the server has."
                case .quality: "Take the limits of the endpoint from its state Codec Configured."
                }
            }
        }

        package let kind: Kind
        /// The frames that show what the server can do.
        package let frames: [Int]
        /// A sentence.
        package let text: String
    }

    private var published: [Published] = []
    private var endpoints: [Endpoint] = []
    /// Connected Isochronous Streams that are established, and the frames.
    private var streams: [(group: UInt8, stream: UInt8, frame: Int)] = []

    private static let publishedLimit = 16
    private static let endpointLimit = 32
    private static let streamLimit = 32

    package init() {}

    /// Values of endpoints and of PACs, read in one part or in several, or notified.
    ///
    /// - Returns: endpoints that left Enabling, and are not streaming.
    package mutating func note(_ event: borrowing Event, in trace: borrowing Trace) -> [Enabled] {
        var left: [Enabled] = []
        guard let server = event.server else { return left }
        event.forEachAttribute(in: trace) { value in
            guard value.access != .write, let handle = value.handle, let type = value.type else { return true }
            if value.isWhole, let state = AudioEndpointState(value, in: trace) {
                if let endpoint = note(state, server, handle, event) { left.append(endpoint) }
            } else if let capabilities = AudioCapabilities(value, in: trace) {
                published.removeAll { $0.server == server && $0.handle == handle }
                guard published.count < Self.publishedLimit else { return true }
                published.append(
                    Published(
                        server: server, handle: handle, isSource: trace.uuids[type] == .sourcePAC,
                        capabilities: capabilities, frame: event.frame))
            }
            return true
        }
        return left
    }

    /// - Returns: the endpoint if it left Enabling, and is not streaming.
    private mutating func note(
        _ state: AudioEndpointState, _ server: ServerSide, _ handle: AttributeHandle, _ event: borrowing Event
    ) -> Enabled? {
        var index = endpoints.firstIndex { $0.server == server && $0.identifier == state.identifier }
        if index == nil, endpoints.count < Self.endpointLimit {
            index = endpoints.count
            endpoints.append(Endpoint(server: server, identifier: state.identifier, isSource: state.isSource))
        }
        guard let index else { return nil }
        endpoints[index].releasing = state.state == .releasing ? event.frame : nil
        if let codec = state.codec, let support = state.support {
            endpoints[index].configured = (codec, support, event.frame)
        }
        let enabled = endpoints[index].enabled
        if state.state == .enabling {
            endpoints[index].enabled =
                enabled
                ?? Enabled(
                    server: server, handle: handle, state: state, frame: event.frame, time: event.time,
                    established: streams.first { $0.group == state.group && $0.stream == state.stream }?.frame)
            return nil
        }
        endpoints[index].enabled = nil
        return state.state == .streaming ? nil : enabled
    }

    /// Endpoints whose last state is Enabling.
    package var enabled: [Enabled] { endpoints.compactMap(\.enabled) }

    /// A Connected Isochronous Stream of the connection.
    package mutating func note(_ change: StreamChange, _ frame: Int) {
        let (kind, isEstablished): (IsochronousStream.Kind, Bool) =
            switch change {
            case .established(let stream): (stream.kind, true)
            case .ended(let stream, _): (stream.kind, false)
            case .failed(let kind, _): (kind, false)
            }
        guard case .connected(let group?, let number?) = kind else {
            for index in endpoints.indices where endpoints[index].enabled?.established == nil {
                endpoints[index].enabled?.isClear = false
            }
            return
        }
        streams.removeAll { $0.group == group && $0.stream == number }
        if isEstablished, streams.count < Self.streamLimit { streams.append((group, number, frame)) }
        for index in endpoints.indices {
            guard let state = endpoints[index].enabled?.state, state.group == group, state.stream == number else {
                continue
            }
            endpoints[index].enabled?.isClear = isEstablished
            if isEstablished { endpoints[index].enabled?.established = frame }
        }
    }

    /// A write of Receiver Start Ready.
    package mutating func noteReady(_ operation: borrowing ATTOperation, _ frame: Int, in trace: borrowing Trace) {
        guard case .receiverStartReady(let identifiers) = AudioStreamOperation(operation, in: trace) else { return }
        for index in endpoints.indices
        where endpoints[index].server == operation.server && identifiers.contains(endpoints[index].identifier) {
            endpoints[index].enabled?.ready = frame
        }
    }

    /// Conflicts of a write that configures endpoints, with what its server can do.
    package func conflicts(of operation: borrowing ATTOperation, in trace: borrowing Trace) -> [Conflict] {
        guard let written = AudioStreamOperation(operation, in: trace) else { return [] }
        let server = operation.server
        func endpoint(_ identifier: UInt8) -> Endpoint? {
            endpoints.first { $0.server == server && $0.identifier == identifier }
        }
        switch written {
        case .configureCodec(let codecs):
            return codecs.compactMap { identifier, codec in
                endpoint(identifier).flatMap { endpoint in
                    endpoint.releasing.map { releasing(endpoint, since: $0) } ?? conflict(codec, endpoint)
                }
            }
        case .configureQoS(let qualities):
            return qualities.compactMap { (identifier, quality) -> Conflict? in
                guard let endpoint = endpoint(identifier), let configured = endpoint.configured,
                    let conflict = quality.conflict(with: configured.codec, configured.support)
                else { return nil }
                return Conflict(
                    kind: .quality, frames: [configured.frame],
                    text: "\(endpoint.words): \(conflict) (Codec Configured in frame \(configured.frame)).")
            }
        case .receiverStartReady: return []
        }
    }

    /// Only the server ends this state. Audio Stream Control Service, 5.9.
    private func releasing(_ endpoint: Endpoint, since frame: Int) -> Conflict {
        Conflict(
            kind: .state, frames: [frame],
            text:
                "\(endpoint.words) is in Releasing since frame \(frame), which its server ends by itself, and has not: no request is possible in it."
        )
    }

    private func conflict(_ codec: AudioCodec, _ endpoint: Endpoint) -> Conflict? {
        let known = published.filter { $0.server == endpoint.server && $0.isSource == endpoint.isSource }
        let records = known.flatMap { $0.capabilities.records }.filter { $0.codingFormat == codec.codingFormat }
        let lacks = records.map { $0.lack(for: codec) }
        // The parameters of a vendor's codec are unknown.
        guard !known.isEmpty, !codec.isVendorSpecific, lacks.allSatisfy({ $0 != nil }) else { return nil }
        let name = endpoint.isSource ? "Source PAC" : "Sink PAC"
        let what = lacks.first??.words(codec) ?? "\(codec.name.map { "\($0)" } ?? "codec \(codec.codingFormat)")"
        return Conflict(
            kind: .codec, frames: known.map(\.frame),
            text:
                "\(endpoint.words): Config Codec asks for \(what), which no record of \(name) (frame \(known[0].frame)) has."
        )
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
        // Those of HCI. Audio Stream Control Service, 5.2.
        let intervals = LESetCIGParametersCommand.sduIntervals
        if !intervals.contains(sduInterval) {
            return
                "Config QoS sets an SDU interval of \(sduInterval) µs, and \(intervals.lowerBound) to \(intervals.upperBound) are possible"
        }
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

/// A thousandth, without zeros at its end: `44.1`.
private func thousands(_ number: Int) -> String {
    number % 1_000 == 0 ? "\(number / 1_000)" : "\(Double(number) / 1_000)"
}
