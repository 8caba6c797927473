import AttlasCapture
import AttlasTrace
import AttlasWire

/// An isochronous stream between host and controller: delivered and missing data.
package struct StreamFigures: Sendable {
    package let stream: IsochronousStream
    /// The number of the connection that it belongs to.
    let connection: Int?
    package let begun: Moment
    package internal(set) var end: End?
    package internal(set) var sent = Packets()
    package internal(set) var received = Packets()
    /// Timing of `sent`; nil if its SDU_Interval or its transport latency is not known.
    package internal(set) var timing: SDUTiming?
    /// As an endpoint of the connection, or the broadcast's BASE, has it.
    package internal(set) var codec: AudioCodec?
    /// The endpoints that are bound to it.
    package internal(set) var endpoints: [AudioEndpoint] = []

    package struct End: Sendable {
        package let moment: Moment
        /// nil: the controller was reset, the host gave it up, or something else got the handle.
        package let reason: HCIErrorCode?
    }

    package struct Packets: Sendable {
        package internal(set) var sdus = 0
        /// Octets of the SDUs.
        package internal(set) var octets = 0
        /// Sequence numbers that were left out.
        package internal(set) var skipped = 0
        /// SDUs of which the controller reports that parts were not received.
        package internal(set) var lost = 0
        /// SDUs that may have errors.
        package internal(set) var doubtful = 0
        private var last: UInt16?

        mutating func note(_ packet: borrowing ISOPacket, isReceived: Bool) {
            guard let number = packet.sequenceNumber, let length = packet.sduLength else { return }
            if let last {
                let step = Int(number &- last)
                // A number that goes back, or far ahead, restarts the count.
                if 1..<32_768 ~= step { skipped += step - 1 }
            }
            last = number
            switch isReceived ? packet.status : .valid {
            case .lost: lost += 1
            case .possiblyInvalid:
                doubtful += 1
                count(length)
            case .valid, nil: count(length)
            }
        }

        private mutating func count(_ length: Int) {
            sdus += 1
            octets += length
        }

        package var isEmpty: Bool { sdus + lost == 0 }
        package var hasTrouble: Bool { lost + doubtful + skipped > 0 }
    }
}

/// The streams of a capture.
struct StreamTable: Sendable {
    private static let limit = 4_096
    /// Trains whose BASE is kept.
    private static let trainLimit = 256

    /// In the order of their beginnings.
    private(set) var streams: [StreamFigures] = []
    private(set) var leftOut = 0
    /// Indexes of streams that have their handles, by controller and handle.
    private var live: [UInt32: Int] = [:]
    /// The Basic Audio Announcement of trains, by their numbers.
    private var sources: [Int: [UInt8]] = [:]

    mutating func note(_ change: StreamChange, connection: Int?, _ moment: Moment) {
        switch change {
        case .established(let stream):
            guard streams.count < Self.limit else {
                leftOut += 1
                return
            }
            live[stream.key] = streams.count
            streams.append(
                StreamFigures(stream: stream, connection: connection, begun: moment, timing: SDUTiming(stream)))
        case .failed: break
        case .ended(let stream, let reason):
            guard let index = live.removeValue(forKey: stream.key) else { return }
            streams[index].end = StreamFigures.End(moment: moment, reason: reason)
        }
    }

    /// With a connection its streams end.
    mutating func end(connection: Int, _ moment: Moment) {
        for (key, index) in live where streams[index].connection == connection {
            live[key] = nil
            streams[index].end = StreamFigures.End(moment: moment, reason: nil)
        }
    }

    mutating func note(_ data: DataPacket, _ event: borrowing Event, in trace: borrowing Trace) {
        guard data.type == HCIPacketType.isochronous.rawValue, let handle = data.connectionHandle,
            let index = live[IsochronousStream.key(event.controller, handle)], let packet = try? ISOPacket(data.bytes)
        else { return }
        switch event.direction {
        case .tx:
            streams[index].sent.note(packet, isReceived: false)
            streams[index].timing?.note(
                packet, Moment(event), inFlight: trace.packetsInFlight(ofStream: handle, event.controller),
                disruptions: trace.losses.count &+ trace.clockSteps)
        case .rx: streams[index].received.note(packet, isReceived: true)
        case .unknown: break
        }
    }

    mutating func note(_ report: PeriodicReport) {
        // The missing rest of a truncated report may differ.
        guard case .data(let data, isTruncated: false) = report.content, sources.count < Self.trainLimit else { return }
        var structures = data.structures
        while let structure = structures.next() {
            guard let service = structure.serviceData, service.uuid == .basicAudioAnnouncement else { continue }
            sources[report.train.number] = service.data.copy()
        }
    }

    /// Call it once, at the end, when all facts about the codecs are known.
    mutating func settle(_ connections: [ConnectionLife]) {
        let places = Dictionary(connections.enumerated().map { ($1.number, $0) }, uniquingKeysWith: { $1 })
        for index in streams.indices {
            switch streams[index].stream.kind {
            case .connected(let group?, let stream?):
                guard let place = streams[index].connection.flatMap({ places[$0] }) else { continue }
                for endpoint in connections[place].endpoints
                where endpoint.group == group && endpoint.stream == stream {
                    streams[index].endpoints.append(endpoint)
                    streams[index].codec = streams[index].codec ?? endpoint.codec
                }
            case .broadcast(_, let number?, let train?, _):
                guard let octets = sources[train] else { continue }
                streams[index].codec = BroadcastAudioSource(Bytes(octets.span))?.codec(ofStream: number)
            default: break
            }
        }
    }
}
