import AttlasCapture
import AttlasMetrics
import AttlasText
import AttlasValues
import AttlasWire

/// The devices of a capture, two lines each.
package struct DevicesText {
    private var line: LineWriter
    private var piece = TextBuffer()
    private let model: DevicesModel
    private let values: ValueInterpreter

    package init(_ model: DevicesModel, values: ValueInterpreter, width: Int?, isColoured: Bool) {
        self.model = model
        self.values = values
        line = LineWriter(width: width, isColoured: isColoured)
    }

    package mutating func write(into output: inout Output) {
        line.putDamage(model.integrity)
        for device in model.devices { write(device, model.start) }
        for stranger in model.devicesWithoutAddress { write(stranger, model.start) }
        for broadcast in model.ownBroadcasts { write(own: broadcast) }
        let unowned = model.broadcastsOfOthers
        for broadcast in unowned {
            line.put(broadcast.address.map { "\($0)" } ?? "address not captured", .faint)
            line.endLine()
            write(broadcast)
        }
        if model.devices.isEmpty, model.devicesWithoutAddress.isEmpty, model.ownBroadcasts.isEmpty, unowned.isEmpty {
            line.put("No device advertised or connected in this capture.")
            line.endLine()
        }
        if model.forgotten > 0 {
            line.put("\(model.forgotten, "older device") \(model.forgotten == 1 ? "is" : "are") not listed", .faint)
            line.endLine()
        }
        line.putPart(model.integrity)
        output.write(&line.text)
    }

    /// The column of details: after the signal, or on a narrow terminal in a separate line.
    private static let details = 82
    private static let margin = 4
    private var isNarrow: Bool { line.width.map { $0 < Self.details + 30 } ?? false }

    /// `address unknown   Unknown peer   connection handle 0x0040 · LE · first seen 0.1 · connected at the end`
    private mutating func write(_ stranger: DevicesModel.Stranger, _ start: Timestamp?) {
        line.put("address unknown", .faint)
        line.advance(to: 41)
        line.put(TextBuffer("\(display: stranger.name ?? unknownPeer)"), .name, limit: 24)
        if isNarrow { line.endLine() }
        line.advance(to: isNarrow ? Self.margin : Self.details)
        line.putFolded("\({ $0.append(stranger, start) })", .faint, margin: isNarrow ? Self.margin : Self.details)
    }

    private mutating func write(_ device: DeviceCollector.Device, _ start: Timestamp?) {
        line.put("\(device.address)")
        line.advance(to: 19)
        line.put("\(own: device.address.kind.rawValue)", .faint)
        line.advance(to: 41)
        line.put(TextBuffer("\(display: device.connectedName ?? device.data.name ?? "–")"), .name, limit: 24)
        piece.removeAll()
        if let rssi = device.rssi { piece.append("\(rssi: rssi)") }
        if isNarrow {
            line.endLine()
            line.advance(to: Self.margin)
            if piece.count > 0 { piece.append(" · ") }
        } else {
            line.advance(to: 66)
            line.put(piece)
            line.advance(to: Self.details)
            piece.removeAll()
        }
        piece.append(device, start)
        line.putFolded(piece, .faint, margin: isNarrow ? Self.margin : Self.details)

        putFolded(device.data, showsName: false, at: Self.margin)
        for broadcast in model.broadcasts(of: device.address) { write(broadcast) }
    }

    private mutating func putFolded(_ data: AdvertisedData, showsName: Bool = true, at margin: Int) {
        piece.removeAll()
        piece.append(data, values, showsName: showsName)
        guard piece.count > 0 else { return }
        line.advance(to: margin)
        line.putFolded(piece, margin: margin)
    }

    /// `C1:22:33:44:55:66  random-static   this host broadcasts`, and the data.
    private mutating func write(own broadcast: Broadcast) {
        if let address = broadcast.address {
            line.put("\(address)")
            line.advance(to: 19)
            line.put("\(own: address.kind.rawValue)", .faint)
        } else {
            line.put("address not captured", .faint)
        }
        line.advance(to: 41)
        line.put("this host broadcasts", .name)
        line.endLine()
        write(broadcast)
    }

    /// `periodic advertising · SID 1 · every 100 ms · LE 2M · 12 reports · -60 dBm`, its data, and its group of streams.
    private mutating func write(_ broadcast: Broadcast) {
        line.advance(to: Self.margin)
        line.putFolded("\({ $0.append(broadcast) })", .faint, margin: 2 * Self.margin)
        if let data = broadcast.data { putFolded(data, at: 2 * Self.margin) }
        guard let group = broadcast.group else { return }
        line.advance(to: 2 * Self.margin)
        line.putFolded("\({ $0.append(group) })", margin: 2 * Self.margin)
    }
}

extension TextBuffer {
    fileprivate mutating func append(_ broadcast: Broadcast) {
        append("periodic advertising")
        if let sid = broadcast.sid { append(" · SID \(sid)") }
        if let interval = broadcast.interval { append(" · every \(duration: Int64(interval) * 1_250_000)") }
        if let phy = broadcast.phy?.name { append(" · \(own: phy)") }
        if broadcast.isOwn {
            guard let isEnabled = broadcast.isEnabled else { return append(" · not enabled") }
            return append(isEnabled ? " · enabled" : " · ended")
        }
        guard broadcast.isSynchronized else { return append(" · not followed") }
        append(" · \(broadcast.reports, "report")")
        if let rssi = broadcast.rssi { append(" · \(rssi: rssi)") }
        if broadcast.isTruncated { append(" · truncated by the controller") }
        if broadcast.isLost { append(" · lost") }
    }

    /// `2 broadcast streams · every 10 ms · SDUs of up to 100 octets every 10 ms · LE 2M · encrypted`
    fileprivate mutating func append(_ group: BIGInfo) {
        append("\(group.streams, "broadcast stream") · every \(duration: Int64(group.isoInterval) * 1_250_000)")
        append(" · SDUs of up to \(group.maxSDU, "octet") every \(duration: Int64(group.sduInterval) * 1_000)")
        if let phy = group.phy.name { append(" · \(own: phy)") }
        if group.isFramed { append(" · framed") }
        append(group.isEncrypted ? " · encrypted" : " · not encrypted")
    }

    /// `LE · connection handle 0x0040 · its beginning was not captured · first seen 0.1`
    package mutating func append(_ stranger: DevicesModel.Stranger, _ start: Timestamp?) {
        append(string: stranger.transport.rawValue)
        if let accessAddress = stranger.accessAddress {
            append(" · Access Address \(own: accessAddressText(accessAddress))")
        } else {
            append(" · connection handle \(hex: stranger.handle)")
        }
        append(" · its beginning was not captured")
        if let start { append(" · first seen \(secondsOf: stranger.firstSeen.nanoseconds(since: start))") }
        if stranger.isConnected { append(" · connected at the end") }
    }

    /// `12 advertisements · connectable · connected · seen 0.000000 – 3.200000`
    package mutating func append(_ device: DeviceCollector.Device, _ start: Timestamp?) {
        var parts = TextBuffer()
        if device.advertisements > 0 { parts.append(part: "\(device.advertisements, "advertisement")") }
        if device.inquiryResponses > 0 { parts.append(part: "\(device.inquiryResponses, "inquiry response")") }
        if device.isConnectable { parts.append(part: "connectable") }
        if device.connections > 0 {
            parts.append(part: device.connections == 1 ? "connected" : "connected × \(device.connections)")
        }
        append(contentsOf: parts)
        if let address = device.privateAddresses.first {
            append(" · as \(address)")
            if device.privateAddresses.count > 1 { append(" and \(device.privateAddresses.count - 1) more") }
        }
        if let start {
            append(device.isConnected ? " · seen from " : " · seen ")
            append(secondsFrom: start, to: device.firstSeen)
            if !device.isConnected { append(" – \(secondsOf: device.lastSeen.nanoseconds(since: start))") }
        }
        if device.isConnected { append(" · connected at the end") }
        if device.isGone { append(" · gone") }
    }
}
