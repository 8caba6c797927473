/// The value of a Sink ASE or a Source ASE. Audio Stream Control Service, 4.1.
///
/// ```
///  0        1           2
/// +--------+-----------+----
/// | ASE_ID | ASE_State | Additional_ASE_Parameters …
/// +--------+-----------+----
///  Codec Configured: 2 Framing, 3 Preferred_PHY, 4 Preferred_Retransmission_Number, 5 Max_Transport_Latency (2),
///    7 Presentation_Delay_Min (3), 10 Presentation_Delay_Max (3), 13 and 16 the preferred ones (3 each), 19 Codec_ID (5),
///    24 Codec_Specific_Configuration_Length, 25 Codec_Specific_Configuration
///  QoS Configured: 2 CIG_ID, 3 CIS_ID, 4 SDU_Interval (3), 7 Framing, 8 PHY, 9 Max_SDU (2), 11 Retransmission_Number, …
///  Enabling, Streaming, Disabling: 2 CIG_ID, 3 CIS_ID, 4 Metadata_Length, 5 Metadata
/// ```
public struct AudioStreamEndpoint: ~Escapable, Copyable {
    private let bytes: Bytes

    /// nil without an ID and a state.
    @_lifetime(copy bytes)
    public init?(_ bytes: Bytes) {
        guard bytes.count >= 2 else { return nil }
        self.bytes = bytes
    }

    /// ASE_State of the endpoint.
    public enum State: UInt8, Sendable {
        case idle
        case codecConfigured
        case qosConfigured
        case enabling
        case streaming
        case disabling
        case releasing

        /// Name of the state in the specification.
        public var name: StaticString {
            switch self {
            case .idle: "Idle"
            case .codecConfigured: "Codec Configured"
            case .qosConfigured: "QoS Configured"
            case .enabling: "Enabling"
            case .streaming: "Streaming"
            case .disabling: "Disabling"
            case .releasing: "Releasing"
            }
        }

        /// Whether an endpoint may come to this state from another. Audio Stream Control Service, 3.
        ///
        /// - Parameter isSource: Source ASE; otherwise Sink ASE, which has no state Disabling.
        package func mayFollow(_ state: State, isSource: Bool) -> Bool {
            switch (state, self) {
            case (.idle, .codecConfigured): true
            case (.codecConfigured, .qosConfigured): true
            case (.qosConfigured, .codecConfigured), (.qosConfigured, .enabling): true
            case (.enabling, .streaming): true
            // Disable, for a Sink ASE; or the CIS was lost.
            case (.enabling, .qosConfigured), (.streaming, .qosConfigured): true
            case (.enabling, .disabling), (.streaming, .disabling), (.disabling, .qosConfigured): isSource
            case (.idle, .releasing): false
            case (_, .releasing): true
            case (.releasing, .idle), (.releasing, .codecConfigured): true
            default: state == self
            }
        }
    }

    /// ASE_ID.
    public var identifier: UInt8 { bytes[0] }
    /// ASE_State as received, defined or not.
    public var rawState: UInt8 { bytes[1] }
    /// nil for a number that the specification does not define.
    public var state: State? { State(rawValue: rawState) }

    /// CIG_ID and CIS_ID; nil in the states without them.
    public var stream: (group: UInt8, stream: UInt8)? {
        switch state {
        case .qosConfigured, .enabling, .streaming, .disabling: bytes.count >= 4 ? (bytes[2], bytes[3]) : nil
        default: nil
        }
    }

    /// Codec of an ASE that was just configured.
    public var codec: AudioCodec? {
        guard state == .codecConfigured, bytes.count >= 24 else { return nil }
        var codec = AudioCodec(bytes, at: 19)
        if bytes.count > 25 { codec.configure(bytes.dropFirst(25).prefix(Int(bytes[24]))) }
        return codec
    }

    /// Whether a server that just configured a codec supports unframed PDUs, and its presentation delays in microseconds.
    package var support: Support? {
        guard state == .codecConfigured, bytes.count >= 13 else { return nil }
        let (least, most) = (bytes.uint24(at: 7), bytes.uint24(at: 10))
        // Some servers leave both at zero.
        return Support(takesUnframed: bytes[2] == 0, presentationDelays: most == 0 ? nil : least...max(least, most))
    }

    /// Limits of the quality of service.
    package struct Support: Sendable, Equatable {
        package let takesUnframed: Bool
        /// Microseconds; nil if the server does not say.
        package let presentationDelays: ClosedRange<UInt32>?
    }

    /// Microseconds and octets, of an ASE whose quality of service was just configured.
    public var sdu: (interval: UInt32, maximum: UInt16)? {
        guard state == .qosConfigured, bytes.count >= 11 else { return nil }
        return (bytes.uint24(at: 4), bytes.uint16(at: 9))
    }
}
