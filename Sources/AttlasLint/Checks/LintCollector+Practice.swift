import AttlasIncidents
import AttlasTrace
import AttlasWire

/// Omissions in a device's table.
extension LintCollector {
    mutating func closePractice(_ slot: Int, _ moment: Moment, in trace: borrowing Trace) {
        guard watches[slot].peerServer.isDiscovered else { return }
        let peer = trace.peers[trace.connections[slot].peer]
        guard let address = peer.address, peers.isNew(address) else { return }
        let place = place(slot, server: .peer, in: trace)
        if !peer.table.services.contains(where: { trace.uuids[$0.uuid] == .deviceInformation }) {
            report(
                .noDeviceInformation, moment, place,
                "Complete discovery: \(counted(peer.table.services.count, "service")).")
        }
        for characteristic in peer.table.characteristics
        where !characteristic.properties.isDisjoint(with: [.notify, .indicate])
            && peer.table.lacks(.clientCharacteristicConfiguration, characteristic, in: trace)
        {
            let value = characteristic.valueHandle
            let attribute = trace.attribute(value, server: .peer, connection: slot)
            report(
                .configurationMissing, moment, self.place(slot, server: .peer, value, attribute, in: trace),
                "The characteristic declares \(characteristic.properties.words), and has no descriptor of type 2902.")
        }
        for (property, type, name) in [
            (CharacteristicProperties.broadcast, BluetoothUUID.serverCharacteristicConfiguration, "Broadcast"),
            (.extendedProperties, .characteristicExtendedProperties, "Extended Properties"),
        ] {
            for characteristic in peer.table.characteristics
            where characteristic.properties.contains(property) && peer.table.lacks(type, characteristic, in: trace) {
                let value = characteristic.valueHandle
                report(
                    .descriptorMissing, moment,
                    self.place(
                        slot, server: .peer, value, trace.attribute(value, server: .peer, connection: slot), in: trace),
                    field: Int(type.uint16 ?? 0), "\(name) is declared, and there is no descriptor of type \(type).")
            }
        }
        var nameless = 0
        for characteristic in peer.table.characteristics where trace.uuids[characteristic.uuid].uint16 == nil {
            if peer.table.lacks(.characteristicUserDescription, characteristic, in: trace) { nameless += 1 }
        }
        guard nameless > 0 else { return }
        report(
            .noUserDescription, moment, place,
            "\(nameless) vendor characteristic\(nameless == 1 ? " has" : "s have") no Characteristic User Description.")
    }
}

extension AttributeTable {
    /// Whether all handles after the value are known and none of them is a descriptor of this type.
    fileprivate func lacks(_ type: BluetoothUUID, _ characteristic: Characteristic, in trace: borrowing Trace) -> Bool {
        let value = characteristic.valueHandle
        guard let service = service(containing: value), service.endHandle < .max else { return false }
        var handle = value
        while handle < service.endHandle {
            handle += 1
            if self.characteristic(before: handle)?.handle != characteristic.handle { break }
            guard let attribute = typedAttribute(handle) else { return false }
            if trace.uuids[attribute.uuid] == type { return false }
        }
        return true
    }
}
