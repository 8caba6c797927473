import AttlasDissection
import AttlasTrace
import AttlasValues
import AttlasWire

/// Objects of an update that are too large, or not received as they were written.
extension IncidentCollector {
    private static let packet = BluetoothUUID(0x8EC9_0002_F315_4F60_9FB8_8388_30DA_EA50 as UInt128)
    private enum Request { static let (create, checksum, execute, select): (Int64, Int64, Int64, Int64) = (1, 3, 4, 6) }
    private static let success: Int64 = 1

    /// A write of the control point, or its response.
    mutating func noteObject(_ reading: borrowing ValueReading, _ carrier: Carrier, in trace: borrowing Trace) {
        guard trace.uuids[carrier.attribute.type] == .secureDFUControlPoint else { return }
        let (dissection, fields, slot) = (values.dissection, reading.dissector.fields, carrier.slot)
        var found: [String: Int64] = [:]
        for index in 0..<min(dissection.count, 16) where dissection[index].field != DissectedField.unexplainedOctets {
            found[fields[Int(dissection[index].field)].name] = dissection[index].raw
        }
        switch (found["Op Code"], found["Object"]) {
        case (Request.create?, let type?):
            // The host begins the object again.
            reportShort(slot, .hindered, in: trace)
            links[slot].commandCount.restart()
            links[slot].objects.created = (type, found["Size"] ?? 0, carrier.moment)
        case (Request.select?, let type?):
            reportShort(slot, .hindered, in: trace)
            links[slot].commandCount.restart()
            links[slot].objects.selected = type
        default: break
        }
        switch (found["Request"], found["Offset"]) {
        case (Request.select?, _):
            guard let type = links[slot].objects.selected, let octets = found["Maximum Size"] else { break }
            links[slot].objects.largest[type & 0xF] = (octets, carrier.moment.frame)
        case (Request.checksum?, let offset?):
            let count = links[slot].commandCount
            let isPacket =
                trace.attribute(count.handle, server: carrier.server, connection: slot).map {
                    trace.uuids[$0.type] == Self.packet
                } ?? false
            let buffers = trace.connections[slot].buffers
            // The offset is that of the whole image, which is never below what came of the object. Packets that the controller holds are on
            // their way.
            links[slot].objects.short =
                isPacket && offset < count.octets && (buffers.inFlight == 0 || buffers.completed == 0)
                ? .init(octets: offset, written: count.octets, moment: carrier.moment) : nil
        // The device has the whole object.
        case (Request.execute?, _) where found["Result"] == Self.success: links[slot].objects.short = nil
        default: break
        }
    }

    /// The device counted less than the host had written, and no more packets came: packets on their way are not missing.
    mutating func reportShort(_ slot: Int, _ weight: Incident.Weight, in trace: borrowing Trace) {
        guard let short = links[slot].objects.short, links[slot].commandCount.octets == short.written,
            let created = links[slot].objects.created, !hasGap(slot, in: trace)
        else { return }
        links[slot].objects.short = nil
        let handle = links[slot].commandCount.handle
        let attribute = trace.attribute(handle, server: .peer, connection: slot)
        let subject = name(handle, attribute, in: trace) ?? "an attribute"
        var incident = Incident(
            .procedureFailed, weight, short.moment, place(slot, server: .peer, handle, attribute, in: trace),
            title: "\(short.octets) of \(short.written) octets received",
            "\(party(.tx, slot, in: trace).capitalizedFirst) wrote \(short.written) octets to \(subject) since Create Object; the device counts "
                + "\(short.octets).",
            .likely("The device dropped packets that it had received: they came faster than it stores them."),
            next:
                "Ask for a receipt after fewer packets (Set Receipt Interval) and wait for it, or use a longer connection interval."
        )
        incident.add(created.moment.frame, "Create Object")
        incident.add(short.moment.frame, "the device counts \(short.octets) octets")
        report(incident)
    }

    /// Create Object beyond the largest one.
    func objectLimit(_ slot: Int) -> (text: String, next: String, frame: Int)? {
        guard let created = links[slot].objects.created, let most = links[slot].objects.largest[created.type & 0xF],
            created.octets > most.octets
        else { return nil }
        return (
            "The object has \(created.octets) octets, and the device takes \(most.octets) at most (frame \(most.frame)).",
            "Create objects of at most \(most.octets) octets.", most.frame
        )
    }
}
