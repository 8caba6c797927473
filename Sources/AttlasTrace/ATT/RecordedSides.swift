import AttlasCapture
import AttlasWire

/// Which sides of its conversations a log holds.
struct RecordedSides {
    /// A client sends one request at a time: this number without any PDU of the server shows that its PDUs were left out.
    private static let enough = 8

    private struct Seen {
        var sent = false
        var received = false

        mutating func note(_ side: Direction) {
            if side != .rx { sent = true }
            if side != .tx { received = true }
        }
    }

    /// Packets of any type. One without a direction may be of either side.
    private var packets = Seen()
    private var data = Seen()
    /// PDUs that need one of the other side: requests, responses, indications and confirmations.
    private var exchanges = 0
    /// Most of them in a row on one connection, and the last one's connection.
    private var longestRun = 0
    private var run = (connection: 0, count: 0)
    /// Whether an app's lines are all that is known of them.
    var areOfApp = false
    /// Whether a sniffer heard them: the packets that it hears show what it misses.
    var areOfAir = false

    /// A packet of the host, or of the controller.
    @inline(__always)
    mutating func see(_ side: Direction) { packets.note(side) }

    @inline(__always)
    mutating func seeData(_ side: Direction) {
        packets.note(side)
        data.note(side)
    }

    /// Whether nothing can change any more.
    var areSettled: Bool {
        @inline(__always) get { data.sent && data.received }
    }

    /// - Parameter connection: the connection's number.
    @inline(never)
    mutating func note(_ kind: ATTOpcode.Definition.Kind?, _ side: Direction, _ connection: Int) {
        seeData(side)
        switch kind {
        case .request, .response, .indication, .confirmation:
            exchanges += 1
            run = (connection, run.connection == connection ? run.count + 1 : 1)
            longestRun = max(longestRun, run.count)
        case .command, .notification, nil: break
        }
    }

    private var isOneSided: Bool { data.sent != data.received }
    /// No packet of any type is of the other side.
    private var isAlone: Bool { !areOfAir && packets.sent != packets.received }

    /// The first exchange may have begun before the log, or not have ended in it.
    var only: Direction? {
        guard isOneSided, exchanges >= Self.enough || isAlone && longestRun > 1 else { return nil }
        return data.sent ? .tx : .rx
    }

    /// Whether a packet of either side would be in the log, as far as it shows.
    var areBoth: Bool { !isOneSided || only == nil && (areOfApp || areOfAir || !isAlone && longestRun <= 1) }
}
