import AttlasTrace
import AttlasValues
import AttlasWire

/// Collects the records of a selection, and the peers that they are about.
package struct SelectedFrames: EventSink {
    package private(set) var frames: FrameSet
    /// nil if the frames were known before.
    private var selector: EventSelector?
    /// The last record of each peer.
    private var last: [Int: Int] = [:]

    package init(_ selection: Selection, values: ValueInterpreter) {
        frames = FrameSet()
        selector = EventSelector(selection, values: values)
    }

    /// Collects the peers of known records.
    package init(_ frames: FrameSet) {
        self.frames = frames
    }

    package mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        guard selector?.isSelected(event, in: trace) ?? holds(event) else { return }
        if selector != nil { event.forEachFrame { frames.insert($0) } }
        if let slot = event.connection { last[trace.connections[slot].peer] = event.frame }
    }

    private func holds(_ event: borrowing Event) -> Bool {
        if frames.contains(event.frame) { return true }
        for index in event.frames.indices where frames.contains(event.frames[index]) { return true }
        return false
    }

    /// The records that a reader needs to decode the chosen ones. To be called once, at the end of the capture.
    package func context(in trace: borrowing Trace) -> ContextFrames {
        var chosen: [Int: Int] = [:]
        for (peer, frame) in last {
            chosen[trace.finalPeer(of: peer)] = max(frame, chosen[trace.finalPeer(of: peer)] ?? 0)
        }
        var peers: [Int: Int] = [:]
        var addresses: Set<BluetoothAddress> = []
        for index in trace.peers.indices {
            guard let frame = chosen[trace.finalPeer(of: index)] else { continue }
            peers[index] = frame
            if let address = trace.peers[index].address { addresses.insert(address) }
        }
        return ContextFrames(frames, peers: peers, addresses: addresses)
    }
}

/// Adds the records that the selected ones cannot be decoded without: their requests, the connections of their peers, discovery, MTU,
/// security, descriptors, and an advertisement with the name.
package struct ContextFrames: EventSink {
    package private(set) var frames: FrameSet
    /// The last selected record of each chosen peer.
    private let peers: [Int: Int]
    /// Addresses of the chosen peers whose name was not advertised yet.
    private var addresses: Set<BluetoothAddress>
    /// Records of requests in several, by the last one; those whose answers may still come.
    private var requests: [Int: [Int]] = [:]
    private static let requestLimit = 1_024

    init(_ frames: FrameSet, peers: [Int: Int], addresses: Set<BluetoothAddress>) {
        self.frames = frames
        self.peers = peers
        self.addresses = addresses
    }

    package mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        if case .advertising(let report) = event.detail {
            guard !addresses.isEmpty, report.data.localName != nil,
                let address = report.identity ?? report.address, addresses.remove(address) != nil
            else { return }
        } else {
            if case .att(let operation) = event.detail { noteRequest(operation, event) }
            guard let slot = event.connection, let last = peers[trace.connections[slot].peer], event.frame <= last,
                Self.isContext(event, of: trace.connections[slot])
            else { return }
        }
        event.forEachFrame { frames.insert($0) }
    }

    private mutating func noteRequest(_ operation: ATTOperation, _ event: borrowing Event) {
        if operation.opcode.definition?.kind == .request, event.frames.count > 1 {
            if requests.count >= Self.requestLimit { requests.removeAll() }
            requests[event.frame] = event.frames.indices.map { event.frames[$0] }
        }
        guard let request = operation.request else { return }
        let parts = requests.removeValue(forKey: request.frame)
        guard frames.contains(event.frame) else { return }
        frames.insert(request.frame)
        for part in parts ?? [] { frames.insert(part) }
    }

    private static func isContext(_ event: borrowing Event, of connection: borrowing Connection) -> Bool {
        switch event.detail {
        case .connection, .mtu, .smp, .identified, .subscription: true
        case .signal(let signal): !signal.grantsCredits
        case .att(let operation):
            (operation.request?.opcode ?? operation.opcode).isOfSetup || operation.attribute?.role == .descriptor
        case .command, .hciEvent: true
        // The counters of encrypted packets follow from all of them.
        case .air(let packet): if case .control = packet.kind { true } else { connection.isEncrypted }
        default: false
        }
    }
}

extension Event {
    /// Calls `body` with every record that made it.
    package func forEachFrame(_ body: (Int) -> Void) {
        body(frame)
        for index in frames.indices where frames[index] != frame { body(frames[index]) }
    }
}

extension ATTOpcode {
    /// The MTU exchange, and searches over a range of handles with their answers.
    fileprivate var isOfSetup: Bool {
        switch self {
        case .exchangeMTURequest, .exchangeMTUResponse, .findInformationRequest, .findInformationResponse,
            .findByTypeValueRequest, .findByTypeValueResponse, .readByTypeRequest, .readByTypeResponse,
            .readByGroupTypeRequest, .readByGroupTypeResponse:
            true
        default: false
        }
    }
}
