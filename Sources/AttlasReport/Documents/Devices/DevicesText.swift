import AttlasCapture
import AttlasMetrics
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
        for device in model.devices { write(device, model.start) }
        for stranger in model.devicesWithoutAddress { write(stranger, model.start) }
        for broadcast in model.ownBroadcasts { write(own: broadcast) }
        let unowned = model.broadcasts.filter { broadcast in
            !model.devices.contains { $0.address == broadcast.address }
        }
        for broadcast in unowned {
            piece.removeAll()
            if let address = broadcast.address { piece.append(address) } else { piece.append("address not captured") }
            line.put(piece, .faint)
            line.endLine()
            write(broadcast)
        }
        if model.devices.isEmpty, model.devicesWithoutAddress.isEmpty, model.ownBroadcasts.isEmpty, unowned.isEmpty {
            line.put("No device advertised or connected in this capture.")
            line.endLine()
        }
        if model.forgotten > 0 {
            piece.removeAll()
            piece.append(decimal: model.forgotten)
            piece.append(" older devices are not listed")
            line.put(piece, .faint)
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
        piece.removeAll()
        piece.append(display: stranger.name ?? unknownPeer)
        line.put(piece, .name, limit: 24)
        if isNarrow { line.endLine() }
        line.advance(to: isNarrow ? Self.margin : Self.details)
        piece.removeAll()
        piece.append(stranger, start)
        line.putFolded(piece, .faint, margin: isNarrow ? Self.margin : Self.details)
    }

    private mutating func write(_ device: DeviceCollector.Device, _ start: Timestamp?) {
        piece.removeAll()
        piece.append(device.address)
        line.put(piece)
        line.advance(to: 19)
        piece.removeAll()
        piece.append(string: device.address.kind.rawValue)
        line.put(piece, .faint)
        line.advance(to: 41)
        piece.removeAll()
        if let name = device.connectedName ?? device.data.name {
            piece.append(display: name)
        } else {
            piece.append("–")
        }
        line.put(piece, .name, limit: 24)
        piece.removeAll()
        if let rssi = device.rssi { piece.append(rssi: rssi) }
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

        piece.removeAll()
        piece.append(device.data, values, showsName: false)
        if piece.count > 0 {
            line.advance(to: Self.margin)
            line.putFolded(piece, margin: Self.margin)
        }
        for broadcast in model.broadcasts(of: device.address) { write(broadcast) }
    }

    /// `C1:22:33:44:55:66  random-static   this host broadcasts`, and what.
    private mutating func write(own broadcast: Broadcast) {
        piece.removeAll()
        if let address = broadcast.address {
            piece.append(address)
            line.put(piece)
            line.advance(to: 19)
            piece.removeAll()
            piece.append(string: address.kind.rawValue)
        } else {
            piece.append("address not captured")
        }
        line.put(piece, .faint)
        line.advance(to: 41)
        line.put("this host broadcasts", .name)
        line.endLine()
        write(broadcast)
    }

    /// `periodic advertising · SID 1 · every 100 ms · LE 2M · 12 reports · -60 dBm`, its data, and its group of streams.
    private mutating func write(_ broadcast: Broadcast) {
        piece.removeAll()
        piece.append(broadcast)
        line.advance(to: Self.margin)
        line.putFolded(piece, .faint, margin: 2 * Self.margin)
        if let data = broadcast.data {
            piece.removeAll()
            piece.append(data, values)
            if piece.count > 0 {
                line.advance(to: 2 * Self.margin)
                line.putFolded(piece, margin: 2 * Self.margin)
            }
        }
        guard let group = broadcast.group else { return }
        piece.removeAll()
        piece.append(group)
        line.advance(to: 2 * Self.margin)
        line.putFolded(piece, margin: 2 * Self.margin)
    }
}

extension TextBuffer {
    fileprivate mutating func append(_ broadcast: Broadcast) {
        append("periodic advertising")
        if let sid = broadcast.sid {
            append(" · SID ")
            append(decimal: sid)
        }
        if let interval = broadcast.interval {
            append(" · every ")
            append(duration: Int64(interval) * 1_250_000)
        }
        if let phy = broadcast.phy?.name {
            append(" · ")
            append(string: phy)
        }
        if broadcast.isOwn {
            guard let isEnabled = broadcast.isEnabled else { return append(" · not enabled") }
            return append(isEnabled ? " · enabled" : " · ended")
        }
        guard broadcast.isSynchronized else { return append(" · not followed") }
        append(" · ")
        append(decimal: broadcast.reports)
        append(broadcast.reports == 1 ? " report" : " reports")
        if let rssi = broadcast.rssi {
            append(" · ")
            append(rssi: rssi)
        }
        if broadcast.isTruncated { append(" · truncated by the controller") }
        if broadcast.isLost { append(" · lost") }
    }

    /// `2 broadcast streams · every 10 ms · SDUs of up to 100 octets every 10 ms · LE 2M · encrypted`
    fileprivate mutating func append(_ group: BIGInfo) {
        append(decimal: group.streams)
        append(group.streams == 1 ? " broadcast stream" : " broadcast streams")
        append(" · every ")
        append(duration: Int64(group.isoInterval) * 1_250_000)
        append(" · SDUs of up to ")
        append(decimal: group.maxSDU)
        append(" octets every ")
        append(duration: Int64(group.sduInterval) * 1_000)
        if let phy = group.phy.name {
            append(" · ")
            append(string: phy)
        }
        if group.isFramed { append(" · framed") }
        append(group.isEncrypted ? " · encrypted" : " · not encrypted")
    }

    /// `LE · connection handle 0x0040 · its beginning was not captured · first seen 0.1`
    mutating func append(_ stranger: DevicesModel.Stranger, _ start: Timestamp?) {
        append(string: stranger.transport.rawValue)
        if let accessAddress = stranger.accessAddress {
            append(" · Access Address ")
            append(string: accessAddressText(accessAddress))
        } else {
            append(" · connection handle 0x")
            append(hex: stranger.handle, digits: 4, uppercase: true)
        }
        append(" · its beginning was not captured")
        if let start {
            append(" · first seen ")
            append(secondsOf: stranger.firstSeen.nanoseconds(since: start))
        }
        if stranger.isConnected { append(" · connected at the end") }
    }

    /// `-71 … -64 dBm`
    mutating func append(rssi: ClosedRange<Int8>) {
        append(decimal: rssi.lowerBound)
        if rssi.count > 1 {
            append(" … ")
            append(decimal: rssi.upperBound)
        }
        append(" dBm")
    }

    /// `12 advertisements · connectable · connected · seen 0.000000 – 3.200000`
    mutating func append(_ device: DeviceCollector.Device, _ start: Timestamp?) {
        var isFirst = true
        func separate(_ buffer: inout TextBuffer) {
            if !isFirst { buffer.append(" · ") }
            isFirst = false
        }
        if device.advertisements > 0 {
            separate(&self)
            append(decimal: device.advertisements)
            append(device.advertisements == 1 ? " advertisement" : " advertisements")
        }
        if device.inquiryResponses > 0 {
            separate(&self)
            append(decimal: device.inquiryResponses)
            append(device.inquiryResponses == 1 ? " inquiry response" : " inquiry responses")
        }
        if device.isConnectable {
            separate(&self)
            append("connectable")
        }
        if device.connections > 0 {
            separate(&self)
            append(device.connections == 1 ? "connected" : "connected × ")
            if device.connections > 1 { append(decimal: device.connections) }
        }
        if !device.privateAddresses.isEmpty {
            append(" · as ")
            append(device.privateAddresses[0])
            if device.privateAddresses.count > 1 {
                append(" and ")
                append(decimal: device.privateAddresses.count - 1)
                append(" more")
            }
        }
        if let start {
            append(device.isConnected ? " · seen from " : " · seen ")
            append(secondsOf: device.firstSeen.nanoseconds(since: start))
            if !device.isConnected {
                append(" – ")
                append(secondsOf: device.lastSeen.nanoseconds(since: start))
            }
        }
        if device.isConnected { append(" · connected at the end") }
        if device.isGone { append(" · gone") }
    }
}
