import AttlasCapture
import AttlasIncidents
import AttlasTrace
import AttlasWire

/// The rules' memory of isochronous streams and of broadcasts.
struct StreamWatch {
    /// The last BASE of each periodic advertising train, by its number.
    fileprivate var sources: [Int: Source] = [:]
    /// Streams that this host sends, by controller and handle.
    fileprivate var sent: [UInt32: (stream: IsochronousStream, timing: SDUTiming, place: LintFinding.Place)] = [:]

    /// Trains and streams beyond it are not followed.
    fileprivate static let limit = 64

    fileprivate struct Source {
        let octets: [UInt8]
        let frame: Int
        /// The group that it was compared with last.
        var group: BIGInfo?
    }

    /// Forgets each BASE. The times of SDUs start again by themselves.
    ///
    /// - Returns: whether there was anything to forget.
    mutating func forget() -> Bool {
        defer { sources = [:] }
        return !sources.isEmpty || !sent.isEmpty
    }
}

/// Broadcasts, and SDUs of this host.
extension LintCollector {
    /// Compares the BASE of a train with its BIGInfo.
    mutating func check(_ report: PeriodicReport, _ event: borrowing Event) {
        let train = report.train
        switch report.content {
        case .enabled: break
        case .synchronized, .lost, .data(_, isTruncated: true): streams.sources[train.number] = nil
        case .data(let data, isTruncated: false):
            let known = streams.sources.removeValue(forKey: train.number)
            var structures = data.structures
            while let structure = structures.next() {
                guard let service = structure.serviceData, service.uuid == .basicAudioAnnouncement,
                    streams.sources.count < StreamWatch.limit
                else { continue }
                let source = StreamWatch.Source(octets: service.data.copy(), frame: event.frame)
                streams.sources[train.number] = known?.octets == source.octets ? known : source
            }
        case .group(let group):
            guard let source = streams.sources[train.number] else { return }
            met.insert(.broadcastGroups)
            guard source.group != group else { return }
            streams.sources[train.number]?.group = group
            compare(source, group, train, event)
        }
    }

    private mutating func compare(
        _ source: StreamWatch.Source, _ group: BIGInfo, _ train: PeriodicTrain, _ event: borrowing Event
    ) {
        guard let base = BroadcastAudioSource(Bytes(source.octets.span)) else { return }
        // One of each kind.
        var (index, size, interval): (String?, String?, String?)
        base.forEachStream { stream, codec in
            if !(1...max(1, group.streams)).contains(stream), index == nil {
                let streams = group.streams == 1 ? "one stream" : "\(group.streams) streams"
                index = "has BIS \(stream); the group has \(streams)"
            }
            guard codec.isLC3 else { return true }
            if let octets = codec.octetsPerSDU, octets > group.maxSDU, size == nil {
                size = "gives BIS \(stream) SDUs of \(octets) octets; Max_SDU is \(group.maxSDU)"
            }
            if !group.isFramed, let duration = codec.microsecondsPerSDU, duration != group.sduInterval, interval == nil
            {
                interval =
                    "gives BIS \(stream) an SDU every \(duration) µs; SDU_Interval is \(group.sduInterval) µs"
            }
            return true
        }
        var place = LintFinding.Place()
        place.party = train.isOwn ? .host : .peer
        place.peer = train.address
        for (field, conflict) in [index, size, interval].enumerated() {
            guard let conflict else { continue }
            report(
                .baseNotInGroup, Moment(event), related: [source.frame], place, field: field,
                "The BASE (frame \(source.frame)) \(conflict).")
        }
    }

    mutating func note(_ change: StreamChange, _ event: borrowing Event, in trace: borrowing Trace) {
        switch change {
        case .failed: break
        case .ended(let stream, _): streams.sent[stream.key] = nil
        case .established(let stream):
            guard let timing = SDUTiming(stream), streams.sent.count < StreamWatch.limit else { return }
            var place = event.connection.map { self.place($0, .tx, in: trace) } ?? LintFinding.Place()
            place.party = .host
            streams.sent[stream.key] = (stream, timing, place)
        }
    }

    private static let lateLimit = 3

    /// Checks whether this host gives an SDU in time.
    mutating func check(_ data: DataPacket, _ event: borrowing Event, in trace: borrowing Trace) {
        guard data.type == HCIPacketType.isochronous.rawValue, event.direction == .tx,
            let handle = data.connectionHandle,
            let packet = try? ISOPacket(data.bytes)
        else { return }
        let key = IsochronousStream.key(event.controller, handle)
        let inFlight = trace.packetsInFlight(ofStream: handle, event.controller)
        guard let known = streams.sent[key]?.timing else { return }
        if inFlight != nil { met.insert(.timedSDUs) }
        streams.sent[key]?.timing.note(
            packet, Moment(event), inFlight: inFlight, disruptions: trace.losses.count &+ trace.clockSteps)
        guard let (stream, timing, place) = streams.sent[key], timing.late > known.late, timing.late >= Self.lateLimit,
            let late = timing.lastLate
        else { return }
        report(
            .lateSDU, late, place, field: Int(stream.handle),
            "\(stream.kind.name): \(timing.late) SDUs were up to \(seconds(timing.largestLateness)) late; "
                + "the transport latency is \(seconds(timing.latency)).")
    }
}
