import AttlasCapture
import AttlasMetrics
import AttlasValues
import AttlasWire

/// The devices of a capture, two lines each.
public struct DevicesText {
    private var line: LineWriter
    private var piece = TextBuffer()
    private let model: DevicesModel
    private let values: ValueInterpreter

    public init(_ model: DevicesModel, values: ValueInterpreter, width: Int?, isColoured: Bool) {
        self.model = model
        self.values = values
        line = LineWriter(width: width, isColoured: isColoured)
    }

    public mutating func write(into output: inout Output) {
        for device in model.devices { write(device, model.start) }
        for stranger in model.strangers { write(stranger, model.start) }
        if model.devices.isEmpty, model.strangers.isEmpty {
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

    /// Where details stand: after the signal, or on a narrow terminal in a line of their own.
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

        var data = device.data
        data.name = nil
        piece.removeAll()
        piece.append(data, values)
        if piece.count > 0 {
            line.advance(to: Self.margin)
            line.putFolded(piece, margin: Self.margin)
        }
    }
}

extension TextBuffer {
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
