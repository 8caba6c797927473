import AttlasTrace
import AttlasValues
import AttlasWire

/// An endpoint of a connection's peer, or of this host, as it was last.
struct AudioEndpoint: Sendable {
    let server: ServerSide
    let handle: AttributeHandle
    var last: AudioEndpointState
    /// Parameters from earlier states.
    var codec: AudioCodec?
    var group: UInt8?
    var stream: UInt8?

    mutating func note(_ state: AudioEndpointState) {
        last = state
        codec = state.codec ?? codec
        group = state.group ?? group
        stream = state.stream ?? stream
    }
}
