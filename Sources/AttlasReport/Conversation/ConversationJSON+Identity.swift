import AttlasTrace
import AttlasWire

/// A peer that turned out to be a device with another address.
extension ConversationJSON {
    mutating func write(_ identification: PeerIdentification, in trace: borrowing Trace) {
        if let address = identification.privateAddress {
            json.key("private_address")
            json.string(address.description)
        }
        guard let identity = trace.peerAddress(identification.peer) else { return }
        json.key("identity_address")
        json.string(identity.description)
        json.key("identity_address_type")
        json.string(identity.kind.rawValue)
    }
}
