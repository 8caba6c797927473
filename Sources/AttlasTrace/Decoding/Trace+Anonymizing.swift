import AttlasCapture
import AttlasWire

/// Facts needed to change a capture and keep its meaning.
extension Trace {
    /// The Identity Resolving Key with which a private address was made, if that is known.
    package func resolvingKey(of address: BluetoothAddress) -> UInt128? { identities.key(of: address) }

    /// Whether the record of ACL data, or of a connection's packet from the air, may hold a part of a frame or an SDU that is not whole yet.
    package func hasUnfinished(_ record: borrowing Record) -> Bool {
        guard let slot = slot(of: record) else { return false }
        if isJoining(.tx, slot) || isJoining(.rx, slot) { return true }
        return connections[slot].channels.channels.contains { $0.local.sdu.isActive || $0.remote.sdu.isActive }
    }

    private func slot(of record: borrowing Record) -> Int? {
        let bytes = record.bytes
        if record.packetType == HCIPacketType.acl.rawValue, let packet = try? ACLPacket(bytes) {
            return links.slot(record.controller, packet.connectionHandle)
        }
        guard record.radio != nil, bytes.count >= 4 else { return nil }
        let accessAddress = bytes.uint32(at: 0)
        return air.liveSlots.first { connections[$0].accessAddress == accessAddress }
    }
}
