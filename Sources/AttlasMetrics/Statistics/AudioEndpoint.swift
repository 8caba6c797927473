import AttlasTrace
import AttlasValues
import AttlasWire

/// An endpoint of a connection's peer, or of this host, with its states.
package struct AudioEndpoint: Sendable {
    let server: ServerSide
    let handle: AttributeHandle
    package private(set) var last: AudioEndpointState
    /// Its states in order: at most `limit`.
    package private(set) var states: [(state: AudioEndpointState, moment: Moment)] = []
    package private(set) var statesLeftOut = 0
    private static let limit = 32
    /// Parameters from earlier states.
    private(set) var codec: AudioCodec?
    private(set) var group: UInt8?
    private(set) var stream: UInt8?

    init(_ state: AudioEndpointState, _ server: ServerSide, _ handle: AttributeHandle, _ moment: Moment) {
        (self.server, self.handle, last) = (server, handle, state)
        note(state, moment)
    }

    mutating func note(_ state: AudioEndpointState, _ moment: Moment) {
        last = state
        if states.last?.state.rawState != state.rawState {
            if states.count < Self.limit { states.append((state, moment)) } else { statesLeftOut += 1 }
        }
        codec = state.codec ?? codec
        group = state.group ?? group
        stream = state.stream ?? stream
    }
}
