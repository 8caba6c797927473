import AttlasCapture
import AttlasTrace
import AttlasWire

extension Incident {
    /// Nanoseconds between losses that are one story.
    static let soon: Int64 = 120_000_000_000
    /// Nanoseconds within which losses are one event.
    private static let atOnce: Int64 = 500_000_000

    /// When it, or the last equal one, became true.
    var end: Timestamp { moments.max { $0.frame < $1.frame }?.time ?? time }

    /// A lost link, once or several times in a short while, whose cause no packet shows and which the device did not cause.
    var isLossOfAMoment: Bool {
        kind == .linkLost && weight == .broke && cause.certainty != .proved && !isOfDevice && place.peer != nil
            && end.duration(since: time).map { $0 <= Self.soon } ?? false
    }

    /// Lost links of several devices, in the order of their frames.
    init(joining losses: [Incident], in trace: borrowing Trace) {
        self = losses[0]
        place = Place()
        steps = []
        var peers: [BluetoothAddress] = []
        for loss in losses {
            guard let peer = loss.place.peer else { continue }
            if !peers.contains(peer) { peers.append(peer) }
            let name = trace.name(of: peer).map { "\($0) \(peer)" } ?? "\(peer)"
            add(loss.frame, "\(name): \(loss.what)")
        }
        for loss in losses.dropFirst() { merge(loss) }
        devices = peers.count
        isOver = losses.allSatisfy(\.isOver)
        before = nil
        let duration = end.duration(since: time) ?? 0
        title = "connection lost with \(devices) devices"
        what = "\(devices) devices were lost within \(seconds(duration))."
        if duration <= Self.atOnce {
            cause = .likely("All at once: the controller or the radio of this host is at fault, not the devices.")
            next = "Look at the controller of this host: its firmware, its supply, its number of links."
        } else {
            cause = .likely(
                "What the devices share is this host: it moved away from them, its radio stopped, or something disturbed it."
            )
            next =
                "Repeat with all devices within 1 m; if it stays, look at the controller and the antenna of this host."
        }
    }
}
