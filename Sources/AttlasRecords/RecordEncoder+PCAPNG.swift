import AttlasCapture
import AttlasWire

/// An interface that a pcapng file describes.
struct WrittenInterface {
    let linkType: LinkType
    /// Ticks of its times in a second.
    let ticks: Int128
}

/// pcapng: one section, and an interface for each of the capture.
extension RecordEncoder {
    mutating func appendSection() {
        var body: [UInt8] = [0x4D, 0x3C, 0x2B, 0x1A, 1, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 8)
        let start = body.count
        if let about {
            for comment in about.comments { body += PacketOptions.octets(comment: comment) }
            // Each may be there once.
            var codes: Set<UInt16> = []
            for (code, name) in zip(about.recorderOptions, about.recorder) where codes.insert(code).inserted {
                body += PacketOptions.octets(code, name)
            }
        }
        appendBlock(type: 0x0A0D_0D0A, body, optionsFrom: start)
    }

    mutating func appendPacket(
        _ record: borrowing Record, of source: [CaptureInterface]?, _ comments: [String]
    ) -> Outcome {
        let index = interface(for: record, of: source)
        let interface = interfaces[index]
        var head: [UInt8] = []
        var packet = record.bytes
        if let framing = record.framing(interface.linkType) {
            head = framing
        } else if let radio = record.radio, source == nil {
            head = radio.pseudoHeader(record.direction)
        } else {
            packet = record.framedBytes
            // No link type of pcapng holds it.
            guard source?[index].linkType == interface.linkType else { return .leftOut }
        }
        let time: UInt64 = nearest(record.time, ticks: interface.ticks)
        let captured = packet.count + head.count
        var body: [UInt8] = []
        body.append(littleEndian: UInt32(clamping: index))
        body.append(littleEndian: UInt32(truncatingIfNeeded: time >> 32))
        body.append(littleEndian: UInt32(truncatingIfNeeded: time))
        body.append(littleEndian: UInt32(clamping: captured))
        body.append(littleEndian: UInt32(clamping: captured + record.missing))
        body += head
        packet.append(to: &body)
        while !body.count.isMultiple(of: 4) { body.append(0) }
        let end = body.count
        for comment in record.comments + comments { body += PacketOptions.octets(comment: comment) }
        if record.isRebuilt {
            body += PacketOptions.octets(
                comment: about?.isAppLog == true
                    ? "made by attlas from an app's log: the handles and connection events are attlas's own"
                    : "rebuilt from a text by attlas")
        }
        if interface.linkType == .bluetoothHCIH4, record.direction != .unknown {
            // epb_flags: inbound or outbound.
            body += [2, 0, 4, 0, record.direction == .rx ? 1 : 2, 0, 0, 0]
        }
        if drops > 0 {
            // epb_dropcount: since the packet before.
            body += [4, 0, 8, 0]
            body.append(littleEndian: UInt64(drops))
            drops = 0
        }
        appendBlock(type: 6, body, optionsFrom: end)
        return .written
    }

    // MARK: Interfaces

    /// Its number in the file, which is that in `source`.
    private mutating func interface(for record: borrowing Record, of source: [CaptureInterface]?) -> Int {
        guard let source else {
            let linkType: LinkType = record.radio == nil ? .bluetoothLinuxMonitor : .bluetoothLELLWithPHDR
            if let index = interfaces.firstIndex(where: { $0.linkType == linkType }) { return index }
            appendInterface(linkType, precision: 9)
            return interfaces.count - 1
        }
        while interfaces.count <= record.interface {
            let interface = source[interfaces.count]
            appendInterface(
                interface.linkType.isOfPCAP ? interface.linkType : .bluetoothLinuxMonitor,
                precision: interface.precision ?? (record.time.precision <= 6 ? 6 : 9), about: interface)
        }
        return record.interface
    }

    private mutating func appendInterface(
        _ linkType: LinkType, precision: UInt8, about interface: CaptureInterface? = nil
    ) {
        let type = UInt16(truncatingIfNeeded: linkType.rawValue)
        var body = type.littleEndianOctets + [0, 0, 0, 0, 0, 0]
        let start = body.count
        for comment in interface?.comments ?? [] { body += PacketOptions.octets(comment: comment) }
        if let name = interface?.name { body += PacketOptions.octets(2, name) }
        if let description = interface?.description { body += PacketOptions.octets(3, description) }
        // if_tsresol: a tick is 10 to the power of this negated.
        body += [9, 0, 1, 0, precision, 0, 0, 0]
        appendBlock(type: 1, body, optionsFrom: start)
        let ticks = (0..<precision).reduce(Int128(1)) { ticks, _ in ticks * 10 }
        interfaces.append(WrittenInterface(linkType: linkType, ticks: ticks))
    }

    // MARK: Blocks

    /// - Parameter start: Where the options begin, if there are any.
    private mutating func appendBlock(type: UInt32, _ body: [UInt8], optionsFrom start: Int) {
        let end: [UInt8] = body.count > start ? [0, 0, 0, 0] : []
        let length = UInt32(body.count + end.count + 12).littleEndianOctets
        append(type.littleEndianOctets + length)
        append(body)
        append(end + length)
    }
}
