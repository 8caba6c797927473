import AttlasCapture
import AttlasTrace
import AttlasWire

/// Evidence in the capture about the connection of an incident, at that moment.
struct Evidence {
    let moment: Moment
    let link: LinkState
    /// In force.
    let parameters: Connection.Parameters?
    let signal: SignalStrength?
    /// State of the device from its earlier connections.
    let device: DeviceStates.State
    /// nil if the connection setup was not captured.
    let isCentral: Bool?
    let mtu: Int
    /// The code with which the link ended, or a procedure failed.
    var reason: HCIErrorCode?
    /// The side that ended the link.
    var closer = Direction.unknown
    /// The two sides, as sentences call them.
    let host: String
    let peer: String
    /// Something of the connection is missing from the capture, or its clock jumped.
    let hasGap: Bool
    /// Where this host began a scan that leaves no time for connections, if it is on.
    let fullScan: Int?
    /// All buffers of this host are full, and none was given back to the controller: their number, and the frames of the commands.
    let hostBuffers: (count: Int, frames: [Int])?
    /// Facts about the request, if the incident is about one.
    var request: RequestFacts?
    /// Facts about the pairing, if the incident is about one.
    var pairing: PairingFacts?

    /// Facts about a pairing that failed.
    struct PairingFacts {
        let reason: SMPReason
        /// The sender of Pairing Failed.
        let reporter: Direction
        let state: PairingState

        /// The side that did not report the failure.
        var other: Direction { reporter.opposite }
        /// Its offer.
        var refused: PairingState.Offer? { state.offers[other] }
        /// Whether the reporter has or demands something itself, as far as its offer is in the capture.
        func reporter(_ offers: (SMPPairingOffer) -> Bool) -> Bool {
            state.offers[reporter].map { offers($0.offer) } ?? true
        }
    }

    /// Facts about a request that failed.
    struct RequestFacts {
        let opcode: ATTOpcode
        let asker: Direction
        /// nil for one that got no answer.
        var error: ATTErrorCode?
        var handle: AttributeHandle?
        /// The frame of a request of the other side while it waited.
        var crossed: Int?
        /// The frame of a request of the same side that it did not wait for.
        var overlaps: Int?
        /// Octets of the attribute that it writes.
        var part: Range<Int>?
        /// The frame in which Execute Write Request was refused before.
        var executionRefused: Int?
        /// The frame of the first part of an earlier long write that the client neither executed nor cancelled.
        var partsLeft: Int?
        /// The most octets of the attribute that were written with success.
        var taken: Int?
        var isEncrypted = false
        /// The properties of the characteristic.
        var properties: CharacteristicProperties?
        /// It reads or writes a Client Characteristic Configuration.
        var isConfiguration = false
        /// Properties that the configuration needs, and that the characteristic does not declare.
        var undeclared: CharacteristicProperties = []
        /// The table of an earlier connection has the attribute.
        var isRemembered = false
        /// Its properties allow the request.
        var isDeclared = false
        /// The client discovered that part of the table on this connection.
        var isDiscovered = false
        /// The name of a characteristic that notifies or indicates and has no Client Characteristic Configuration, right before the handle
        /// that was written.
        var lacksConfiguration: String?
    }

    /// The side, as sentences call it.
    func name(of side: Direction) -> String {
        switch side {
        case .tx: host
        case .rx: peer
        case .unknown: "one side"
        }
    }

    /// The notifications and indications since the link was encrypted with the key in use.
    var valuesSinceEncryption: Int { link.encryption.map { link.valueCount - $0.valuesBefore } ?? 0 }

    /// The link was captured from its beginning on, and nothing of encryption is in the capture.
    var isPlain: Bool {
        link.isWhole && !hasGap && !link.wasEncrypted && link.encryptionAsked == nil && link.sentDuringSetup == nil
            && link.pairing == nil && link.keyUsed == nil
    }

    /// The frame of the last ATT PDU of the peer since then.
    var decrypted: Int? {
        link.encryption.flatMap { link.lastReceived > $0.moment.frame ? link.lastReceived : nil }
    }
}

extension IncidentCollector {
    func evidence(
        _ slot: Int, _ moment: Moment, reason: HCIErrorCode? = nil, request: Evidence.RequestFacts? = nil,
        in trace: borrowing Trace
    ) -> Evidence {
        let connection = trace.connections[slot]
        return Evidence(
            moment: moment, link: links[slot], parameters: connection.parameters, signal: connection.signal,
            device: trace.peerAddress(connection.peer).flatMap { devices[$0] } ?? DeviceStates.State(),
            isCentral: connection.isCentral, mtu: connection.bearers[0].mtu, reason: reason,
            host: party(.tx, slot, in: trace),
            peer: party(.rx, slot, in: trace), hasGap: hasGap(slot, in: trace),
            fullScan: place(ofController: connection.controller).flatMap { controllers[$0].fullScan },
            hostBuffers: place(ofController: connection.controller).flatMap {
                controllers[$0].fullHostBuffers(received: connection.buffers.received)
            }, request: request)
    }
}
