import AttlasText
import AttlasTrace
import AttlasWire

/// A peer that turned out to be a device with another address.
extension ConversationJSON {
    mutating func write(_ identification: PeerIdentification, in trace: borrowing Trace) {
        json.member("private_address", identification.privateAddress?.description)
        guard let identity = trace.peerAddress(identification.peer) else { return }
        json.member("identity_address", identity.description)
        json.member("identity_address_type", identity.kind.rawValue)
    }
}
