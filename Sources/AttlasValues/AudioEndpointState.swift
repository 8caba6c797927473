import AttlasTrace
import AttlasWire

/// The state of an Audio Stream Endpoint, as its value had it at one time.
public struct AudioEndpointState: Sendable, Equatable {
    /// Source ASE; otherwise Sink ASE.
    public let isSource: Bool
    /// ASE_ID.
    public let identifier: UInt8
    /// ASE_State as received, defined or not.
    public let rawState: UInt8
    /// The codec of an endpoint that was just configured.
    public let codec: AudioCodec?
    /// The limits of an endpoint that was just configured.
    package let support: AudioStreamEndpoint.Support?
    /// CIG_ID and CIS_ID, in the states that have them.
    public let group: UInt8?
    /// CIS_ID, in the states that have it.
    public let stream: UInt8?
    /// Microseconds and octets, of an endpoint whose quality of service was just configured.
    public let sduInterval: UInt32?
    /// Octets, in the same state as `sduInterval`.
    public let maxSDU: UInt16?

    /// nil for other attributes, and for a value without a state.
    public init?(_ value: borrowing AttributeValue, in trace: borrowing Trace) {
        guard let type = value.type, let octets = value.octets else { return nil }
        self.init(trace.uuids[type], octets)
    }

    /// Reads the only value of a PDU.
    public init?(_ operation: borrowing ATTOperation, in trace: borrowing Trace) {
        guard let type = operation.attribute?.type, let octets = operation.pdu.attributeValue else { return nil }
        self.init(trace.uuids[type], octets)
    }

    private init?(_ type: BluetoothUUID, _ value: Bytes) {
        guard let isSource = type.isSourceEndpoint, let endpoint = AudioStreamEndpoint(value) else { return nil }
        self.isSource = isSource
        identifier = endpoint.identifier
        rawState = endpoint.rawState
        codec = endpoint.codec
        support = endpoint.support
        group = endpoint.stream?.group
        stream = endpoint.stream?.stream
        sduInterval = endpoint.sdu?.interval
        maxSDU = endpoint.sdu?.maximum
    }

    /// `ASE 1 (sink)`
    package var words: String { Self.words(identifier, isSource: isSource) }

    static func words(_ identifier: UInt8, isSource: Bool) -> String {
        "ASE \(identifier) (\(isSource ? "source" : "sink"))"
    }

    /// nil for a number that the specification does not define.
    public var state: AudioStreamEndpoint.State? { AudioStreamEndpoint.State(rawValue: rawState) }
}

extension BluetoothUUID {
    /// Whether it is a Source ASE and no Sink ASE; nil if it is neither.
    fileprivate var isSourceEndpoint: Bool? {
        switch self {
        case .sinkASE: false
        case .sourceASE: true
        default: nil
        }
    }

    /// Whether it is Sink ASE (0x2BC4) or Source ASE (0x2BC5).
    public var isAudioEndpoint: Bool { isSourceEndpoint != nil }

    /// Whether it is Sink PAC (0x2BC9) or Source PAC (0x2BCB).
    package var isAudioCapabilities: Bool { self == .sinkPAC || self == .sourcePAC }
}

extension AudioCapabilities {
    /// nil for other attributes than Sink PAC and Source PAC, and for a value without whole records.
    package init?(_ value: borrowing AttributeValue, in trace: borrowing Trace) {
        guard let type = value.type, let octets = value.octets,
            trace.uuids[type].isAudioCapabilities
        else { return nil }
        self.init(octets)
    }
}

extension AudioStreamOperation {
    /// nil for another PDU than a write of the ASE Control Point that configures endpoints.
    package init?(_ operation: borrowing ATTOperation, in trace: borrowing Trace) {
        guard operation.opcode == .writeRequest || operation.opcode == .writeCommand,
            let type = operation.attribute?.type, trace.uuids[type] == .controlPointOfASEs,
            let octets = operation.pdu.attributeValue
        else { return nil }
        self.init(octets)
    }
}
