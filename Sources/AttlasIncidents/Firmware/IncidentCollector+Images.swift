import AttlasDissection
import AttlasTrace
import AttlasValues
import AttlasWire

/// Images that run as a test, and the end of it.
extension IncidentCollector {
    private static let imageLimit = 8
    private static let textLimit = 32
    private static let imageGroup: Int64 = 1
    private static let stateCommand: Int64 = 0
    /// The simple value `true` of CBOR. RFC 8949, 3.3.
    private static let cborTrue: Int64 = 21

    /// A response with the state of the images, or a request that confirms one.
    mutating func noteImages(_ reading: borrowing ValueReading, _ carrier: Carrier, in trace: borrowing Trace) {
        guard let address = trace.peerAddress(trace.connections[carrier.slot].peer) else { return }
        let items = imageItems(reading)
        guard carrier.sender == .rx else {
            // The client chooses what runs after it.
            guard items.contains(where: \.isConfirmed) else { return }
            return devices.change(address) { state in
                for index in state.images.indices { state.images[index].isSettled = true }
            }
        }
        for item in items where item.isActive && !item.hash.isEmpty {
            let known = devices[address]?.images.first { $0.item.number == item.number }
            let others = items.filter { $0.number == item.number && !$0.isActive }
            if let known, known.item.hash != item.hash, !known.isSettled, known.others.contains(item.hash) {
                reportUndone(known, item, carrier, in: trace)
            }
            let isSame = known?.item.hash == item.hash
            devices.change(address) {
                $0.images.removeAll { $0.item.number == item.number }
                $0.images = $0.images.suffix(Self.imageLimit - 1)
                $0.images.append(
                    RunningImage(
                        item: item, frame: isSame ? known?.frame ?? carrier.moment.frame : carrier.moment.frame,
                        isSettled: item.isConfirmed || others.contains(where: \.isPending)
                            || isSame && known?.isSettled ?? false,
                        others: others.map(\.hash)))
            }
        }
    }

    private mutating func reportUndone(
        _ former: RunningImage, _ item: RunningImage.Item, _ carrier: Carrier, in trace: borrowing Trace
    ) {
        let (new, old) = (former.item.words, item.words)
        var incident = Incident(
            .procedureFailed, .broke, carrier.moment,
            place(carrier.slot, server: carrier.server, carrier.handle, carrier.attribute, in: trace),
            detail: Int(item.number), title: "update undone: the image was never confirmed",
            "The device ran \(new), not confirmed (frame \(former.frame)), and runs \(old) again.",
            .proved(
                "No Image State shows the image as confirmed: it ran as a test, and the bootloader went back to the one before at the next "
                    + "restart."),
            next:
                "Confirm the image after its first start: Image State with its hash and confirm true, or in the firmware itself."
        )
        incident.add(former.frame, "\(new) runs, not confirmed")
        incident.add(carrier.moment.frame, "\(old) runs")
        report(incident)
    }

    /// The images in a response: a list of maps, whose keys may have any order. A request has one, with `confirm`.
    private func imageItems(_ reading: borrowing ValueReading) -> [RunningImage.Item] {
        let (dissection, fields) = (values.dissection, reading.dissector.fields)
        guard let octets = reading.octets.bytes else { return [] }
        var items: [RunningImage.Item] = []
        var key = ""
        var (group, command): (Int64?, Int64?) = (nil, nil)
        for index in 0..<dissection.count {
            let record = dissection[index]
            guard record.field != DissectedField.unexplainedOctets else { continue }
            var text: String { String(decoding: record.range.prefix(Self.textLimit).map { octets[$0] }, as: UTF8.self) }
            let last = items.count - 1
            switch fields[Int(record.field)].name {
            case "Group": group = record.raw
            case "Command": command = record.raw
            case "Pairs": items.append(RunningImage.Item())
            case "Text" where key == "version" && last >= 0:
                items[last].version = text
                key = ""
            case "Text": key = text
            case "Octets" where key == "hash" && last >= 0: items[last].hash = record.range.map { octets[$0] }
            case "Number" where key == "image" && last >= 0: items[last].number = record.raw
            case "Simple" where last >= 0 && record.raw == Self.cborTrue:
                switch key {
                case "active": items[last].isActive = true
                case "confirmed", "confirm": items[last].isConfirmed = true
                case "pending": items[last].isPending = true
                default: break
                }
            default: break
            }
        }
        return group == Self.imageGroup && command == Self.stateCommand ? items : []
    }
}
