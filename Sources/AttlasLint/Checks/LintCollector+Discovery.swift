import AttlasIncidents
import AttlasTrace
import AttlasWire

/// Attributes that a server must have and lacks.
extension LintCollector {
    mutating func closeDiscovery(_ slot: Int, _ moment: Moment, in trace: borrowing Trace) {
        guard trace.connections[slot].transport == .lowEnergy else { return }
        let table = trace.table(of: .peer, connection: slot)
        checkSkipped(table, slot, in: trace)
        for service in table.services {
            guard let uuid = trace.uuids[service.uuid].uint16, let mandatory = Self.mandatory[uuid],
                watches[slot].peerServer.search.covers(service)
            else { continue }
            let found = Set(
                table.characteristics.compactMap {
                    (service.handle...service.endHandle).contains($0.handle) ? trace.uuids[$0.uuid].uint16 : nil
                })
            let missing = mandatory.filter { !found.contains($0) }
            guard !missing.isEmpty else { continue }
            var place = place(slot, server: .peer, service.handle, in: trace)
            if place.peer != nil { place.connection = nil }
            let names = missing.map { uuid in
                "\(values.library.assignedNumbers.name(of: BluetoothUUID(uuid)) ?? "characteristic") (\(hexadecimal(uuid)))"
            }
            let service = values.library.assignedNumbers.name(of: BluetoothUUID(uuid)) ?? hexadecimal(uuid)
            report(
                .mandatoryMissing, moment, place,
                "\(service) lacks \(names.joined(separator: ", ")).")
        }
    }

    /// A primary service where a list of services has none, found by another request on this connection.
    private mutating func checkSkipped(_ table: borrowing AttributeTable, _ slot: Int, in trace: borrowing Trace) {
        guard table.former.isEmpty, let peer = trace.peerAddress(trace.connections[slot].peer) else { return }
        let number = trace.connections[slot].number
        for gap in peers.gaps(of: peer) {
            for service in table.services
            where gap.handles.contains(service.handle) && gap.handles.contains(service.endHandle)
                && service.learned.frame > gap.frame && service.learned.connection == number
                && service.learned.inference == nil && service.isPrimary == true
            {
                report(
                    .serviceSkipped, Moment(frame: service.learned.frame, time: service.learned.time),
                    related: [gap.frame], place(slot, server: .peer, service.handle, in: trace),
                    "The response of frame \(gap.frame) lists services before and after 0x\(hexadecimal(service.handle)) to "
                        + "0x\(hexadecimal(service.endHandle)), and not this one.")
            }
        }
    }

    /// Mandatory characteristics, without conditions, by the services' specifications.
    private static let mandatory: [UInt16: [UInt16]] = [
        0x1800: [0x2A00, 0x2A01],  // Generic Access
        0x1802: [0x2A06],  // Immediate Alert
        0x1803: [0x2A06],  // Link Loss
        0x1804: [0x2A07],  // Tx Power
        0x1805: [0x2A2B],  // Current Time
        0x1806: [0x2A16, 0x2A17],  // Reference Time Update
        0x1807: [0x2A11],  // Next DST Change
        0x1808: [0x2A18, 0x2A51, 0x2A52],  // Glucose
        0x1809: [0x2A1C],  // Health Thermometer
        0x180D: [0x2A37],  // Heart Rate
        0x180E: [0x2A3F, 0x2A40, 0x2A41],  // Phone Alert Status
        0x180F: [0x2A19],  // Battery
        0x1810: [0x2A35, 0x2A49],  // Blood Pressure
        0x1811: [0x2A44, 0x2A45, 0x2A46, 0x2A47, 0x2A48],  // Alert Notification
        0x1812: [0x2A4A, 0x2A4B, 0x2A4C],  // Human Interface Device
        0x1813: [0x2A4F],  // Scan Parameters
        0x1814: [0x2A53, 0x2A54],  // Running Speed and Cadence
        0x1816: [0x2A5B, 0x2A5C],  // Cycling Speed and Cadence
        0x1818: [0x2A5D, 0x2A63, 0x2A65],  // Cycling Power
        0x1819: [0x2A67, 0x2A6A],  // Location and Navigation
        0x181B: [0x2A9B, 0x2A9C],  // Body Composition
        0x181C: [0x2A99, 0x2A9A, 0x2A9F],  // User Data
        0x181D: [0x2A9D, 0x2A9E],  // Weight Scale
        0x181E: [0x2AA4, 0x2AA5],  // Bond Management
        0x181F: [0x2A52, 0x2AA7, 0x2AA8, 0x2AA9, 0x2AAA, 0x2AAB, 0x2AAC],  // Continuous Glucose Monitoring
        0x1822: [0x2A60],  // Pulse Oximeter
        0x1826: [0x2ACC],  // Fitness Machine
    ]

    /// The time in which clients subscribe after bonding, in nanoseconds.
    private static let settled: Int64 = 10_000_000_000

    mutating func closeServiceChanged(_ slot: Int, _ moment: Moment, in trace: borrowing Trace) {
        guard watches[slot].isComplete, watches[slot].isBonded, let paired = watches[slot].pairing.time,
            moment.time.nanoseconds(since: paired.time) >= Self.settled
        else { return }
        for server in ServerSide.allCases where watches[slot].pairing.hasPaired {
            guard !watches[slot][server].wroteUnknown, !watches[slot][server].readHash else { continue }
            let number = trace.connections[slot].number
            for characteristic in trace.table(of: server, connection: slot).characteristics
            where trace.uuids[characteristic.uuid] == .serviceChanged && characteristic.learned.connection == number
                && characteristic.properties.contains(.indicate)
                && watches[slot][server].subscriptions[characteristic.valueHandle] == nil
            {
                let value = characteristic.valueHandle
                report(
                    .serviceChangedUnsubscribed, moment, related: [paired.frame],
                    place(
                        slot, server: server, value, trace.attribute(value, server: server, connection: slot), in: trace
                    ),
                    "Bonded in frame \(paired.frame); the configuration of Service Changed was not written.")
            }
        }
    }

    // MARK: Long values

    /// Reads that fill their response. The next request of the same client shows whether it continued.
    mutating func checkLongRead(
        _ operation: borrowing ATTOperation, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        guard event.direction != .unknown, operation.bearer == .unenhanced else { return }
        let server = operation.server
        if case .readResponse(let pdu) = operation.pdu {
            guard operation.mayContinue, watches[slot].isMTUKnown, let handle = operation.handle,
                let attribute = operation.attribute, attribute.role == .value, !pdu.attributeValue.isClosedJSON
            else { return }
            watches[slot][server].fullRead = FullRead(
                handle: handle, frame: event.frame, time: event.time, attribute: attribute,
                length: pdu.attributeValue.count, isUnfinished: pdu.attributeValue.isUnfinishedText)
            return
        }
        guard operation.opcode.definition?.kind == .request, let full = watches[slot].takeFullRead(of: server) else {
            return
        }
        if case .readBlobRequest = operation.pdu, operation.handle == full.handle { return }
        // A client that reads the value again may have all of it.
        if case .readRequest = operation.pdu, operation.handle == full.handle, !full.isUnfinished { return }
        report(
            .longReadLeft, Moment(frame: full.frame, time: full.time),
            place(slot, server: server, full.handle, full.attribute, in: trace),
            "The response has \(full.length) octets, the most it can hold; the next request is a \(operation.opcode.name)."
        )
    }
}
