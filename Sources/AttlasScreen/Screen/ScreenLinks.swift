import AttlasCapture
import AttlasMetrics
import AttlasTrace
import AttlasValues
import AttlasWire

/// The devices that are, or were, connected, each once for every controller.
struct ScreenLinks {
    struct Link {
        /// Index into `Trace.peers`.
        var peer: Int
        let controller: UInt16
        let transport: Connection.Transport
        /// Number of the latest connection.
        var number: Int
        /// Index into `Trace.connections`; nil if the connection has ended.
        var slot: Int?
        var begun: Timestamp
        var end: (time: Timestamp, reason: String)?
        var state = State()
    }

    /// Settings in force on a connection, or at its end.
    struct State {
        var mtu = 0
        /// If it is not, the MTU is at least `mtu`.
        var isMTUKnown = false
        var parameters: Connection.Parameters?
        var transmitPHY: UInt8?
        var receivePHY: UInt8?
        var isEncrypted = false
        var isCentral: Bool?
        /// Heard on the air: neither side is the recorded host.
        var isHeard = false
        var privateAddress: BluetoothAddress?

        init() {}

        init(_ connection: Connection) {
            mtu = connection.bearer.mtu
            isMTUKnown = connection.bearer.isMTUKnown
            parameters = connection.parameters
            // A connection begins with LE 1M; for one that began before the capture the PHY is unknown.
            let first: UInt8? = connection.transport == .lowEnergy && connection.isCentral != nil ? 1 : nil
            transmitPHY = connection.transmitPHY ?? first
            receivePHY = connection.receivePHY ?? first
            isEncrypted = connection.isEncrypted
            isHeard = connection.isHeard
            isCentral = connection.isCentral
            privateAddress = connection.privateAddress
        }
    }

    /// Those that have ended make room first.
    private static let limit = 1_024
    private static let signalLimit = 4_096

    /// Those alive first, the newest of each first.
    private(set) var links: [Link] = []
    /// The strength of the last packet, in dBm.
    private var signals: [BluetoothAddress: Int8] = [:]

    mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        switch event.detail {
        case .advertising(let report):
            guard let address = report.identity ?? report.address, let rssi = report.rssi else { return }
            // Private addresses change: an endless session hears any number of them.
            if signals.count >= Self.signalLimit, signals[address] == nil {
                signals.removeAll(keepingCapacity: true)
            }
            signals[address] = rssi
        case .connection(let change):
            guard let slot = event.connection else { return }
            receive(change, slot, event.time, in: trace)
        case .identified(let identification):
            for index in links.indices where links[index].peer == identification.previous {
                links[index].peer = identification.peer
            }
            if let slot = event.connection { keep(only: trace.connections[slot].number, in: trace) }
        default: return
        }
    }

    private mutating func receive(
        _ change: ConnectionChange, _ slot: Int, _ time: Timestamp, in trace: borrowing Trace
    ) {
        let connection = trace.connections[slot]
        switch change {
        case .made, .presumed:
            let link = Link(
                peer: connection.peer, controller: connection.controller, transport: connection.transport,
                number: connection.number, slot: slot, begun: connection.begun)
            links.insert(link, at: 0)
            keep(only: connection.number, in: trace)
            if links.count > Self.limit, let index = links.lastIndex(where: { $0.slot == nil }) {
                links.remove(at: index)
            }
        case .ended(.disconnected(let reason, _)): end(connection, time, reason.name)
        case .ended(.controller(let cause)): end(connection, time, cause.rawValue)
        case .ended(.superseded): end(connection, time, "no disconnection captured")
        default: return
        }
    }

    /// A device on one controller is listed once, unless it is connected several times.
    private mutating func keep(only number: Int, in trace: borrowing Trace) {
        guard let kept = links.first(where: { $0.number == number }) else { return }
        links.removeAll {
            $0.number != number && $0.slot == nil && $0.peer == kept.peer && $0.controller == kept.controller
                && $0.transport == kept.transport
        }
    }

    private mutating func end(_ connection: Connection, _ time: Timestamp, _ reason: String) {
        guard let index = links.firstIndex(where: { $0.number == connection.number }) else { return }
        var link = links.remove(at: index)
        link.state = State(connection)
        link.slot = nil
        link.end = (time, reason)
        links.insert(link, at: links.firstIndex { $0.slot == nil } ?? links.count)
    }

    /// Settings in force on the link, or at its end.
    func state(_ link: Link, in trace: borrowing Trace) -> State {
        guard let slot = link.slot, trace.connections[slot].number == link.number else { return link.state }
        return State(trace.connections[slot])
    }

    func signal(_ address: BluetoothAddress?, _ privateAddress: BluetoothAddress?) -> Int8? {
        address.flatMap { signals[$0] } ?? privateAddress.flatMap { signals[$0] }
    }
}
